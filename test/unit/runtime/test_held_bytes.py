"""What a program holds of the heap: views, steps and contexts share what they have in common."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import numpy as np
import pytest

from lastuse.dialect.dnn.map_program import MapProgram, Register, Step
from lastuse.runtime import _core
from support import heap_bytes

F32 = np.dtype(np.float32)
STEPS = 256

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="glibc counts the bytes")


def held_by(make: Callable[[], object]) -> int:
    """Bytes of the heap that what is made holds."""
    gc.collect()
    before = heap_bytes()
    made = make()
    held = heap_bytes() - before
    del made
    return held


def program_of(views: int, rows: Callable[[int], int]) -> _core.StepProgram:
    program = _core.StepProgram(1 << 20, 1)
    for number in range(views):
        program.add_view(program.ARENA, 64 * number, F32, [1, rows(number), 16, 4], [64 * rows(number), 64, 4, 1])
    program.add_return()
    return program


def test_views_that_lie_alike_share_their_layout() -> None:
    program_of(STEPS, lambda _: 3)
    alike, different = (
        held_by(lambda: program_of(STEPS, lambda _: 3)),
        held_by(lambda: program_of(STEPS, lambda n: n + 1)),
    )
    assert alike < 64 * STEPS
    assert different < 512 * STEPS  # no description of oneDNN, which has more


def relus(steps: int) -> _core.StepProgram:
    """As many steps of one primitive, by turns from one place to the other."""
    program, desc = _core.StepProgram(1 << 10, 1), _core.Desc(F32, [2, 32], [32, 1])
    relu = _core.eltwise("relu", 0.0, 0.0, desc, desc, 1)
    views = [program.add_view(program.ARENA, offset, F32, [2, 32], [32, 1]) for offset in (0, 512)]
    for number in range(steps):
        program.add_primitive("relu", relu, [views[number % 2]], [views[1 - number % 2]])
    program.add_return()
    return program


def test_steps_share_a_primitive_and_its_memories() -> None:
    relus(STEPS)
    assert held_by(lambda: relus(STEPS)) < 256 * STEPS
    program = relus(STEPS)
    assert held_by(lambda: _core.Context(program)) < 256 * STEPS


def test_steps_have_the_strings_that_name_them() -> None:
    program, name = _core.StepProgram(256, 1), "a copy (%y) at line 7"
    views = [program.add_view(program.ARENA, offset, F32, [8], [1]) for offset in (0, 64)]
    program.add_copy(name, *views)
    assert program.steps[0] is name


def product_with(constant: float) -> _core.StepProgram:
    """x * constant, by the map kernel."""
    program = _core.StepProgram(64, 1)
    x, y = (program.add_argument(name, F32, (4,), name == "y") for name in "xy")
    ins, outs = ([program.add_view(buffer, 0, F32, [4], [1])] for buffer in (x, y))
    step = Step("multiply", (Register(F32, operand=0), Register(F32, constant=constant)), F32)
    program.add_native("a product", "map", "dnn.map", MapProgram((F32,), (step,)).numbers(), ins, outs)
    program.add_return()
    return program


def test_code_is_shared_where_constants_are_the_same_to_the_bit() -> None:
    constants = [0.0, -0.0, float("nan"), 1.0, 0.0]
    programs = [product_with(constant) for constant in constants]
    for program in programs[1:]:
        program.share(programs[0])
    x = np.array([1, -1, 2, 0], np.float32)
    for constant, program in zip(constants, programs, strict=True):
        y = np.empty(4, np.float32)
        _core.Context(program).run([x, y])
        want = x * np.float32(constant)
        np.testing.assert_array_equal(y, want)
        np.testing.assert_array_equal(np.signbit(y), np.signbit(want))


def test_programs_for_two_sizes_share_steps_and_constants() -> None:
    def copies(rows: int, weights: np.ndarray) -> _core.StepProgram:
        program = _core.StepProgram(1 << 16, 1)
        y = program.add_argument("y", F32, (rows, 8), True)
        target = program.add_view(y, 0, F32, [rows, 8], [8, 1])
        for _ in range(STEPS):
            constant = program.add_constant(weights)
            program.add_copy("a copy", program.add_view(constant, 0, F32, [rows, 8], [0, 1]), target)
        program.add_return()
        return program

    weights, name = np.arange(8, dtype=np.float32), "a copy"
    first = copies(3, weights)
    alone = held_by(lambda: copies(4, weights))

    def shared() -> _core.StepProgram:
        program = copies(3, weights)
        program.share(first)
        return program

    assert held_by(shared) < alone * 2 / 3
    one, other = shared(), copies(4, np.ones(8, np.float32))
    other.share(first)  # has other constants: nothing is shared
    for program, rows, row in ((first, 3, weights), (one, 3, weights), (other, 4, np.ones(8, np.float32))):
        y = np.empty((rows, 8), np.float32)
        _core.Context(program).run([y])
        np.testing.assert_array_equal(y, np.broadcast_to(row, (rows, 8)))
        assert program.steps == [name] * STEPS
