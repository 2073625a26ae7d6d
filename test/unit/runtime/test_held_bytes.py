"""What a program holds of the heap: views, steps and contexts share what they have in common."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import numpy as np
import pytest

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
