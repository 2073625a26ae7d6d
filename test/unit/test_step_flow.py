"""The flow between the steps of a program tells every program apart that computes something else."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from test_size_template import ATTENTION, NETWORK, compiled, inputs_for

from lastuse.compiler.size_template import Derived, Parts
from lastuse.compiler.step_flow import ALL, AS_WRITTEN, NOTHING, SOME, FlowError, flow_of
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.runtime import _core
from lastuse.runtime.build import Built
from lastuse.runtime.program import Executable
from lastuse.runtime.step_list import Call, InBuffer, StepList, assembled, prepared
from lastuse.runtime.weights import PackedWeights

F32 = np.dtype(np.float32)
View = tuple[int, int, Sequence[int], Sequence[int]]
"""Buffer, offset, sizes, strides in elements."""


class Copies:
    """A program of copies from argument 1, [4, 8], to argument 2, by way of an arena of 512 bytes."""

    def __init__(self) -> None:
        self.core = _core.StepProgram(512, 1)
        self.core.set_entry()
        self.x = self.core.add_argument("x", F32, (4, 8), False)
        self.y = self.core.add_argument("y", F32, (4, 8), True)

    def copy(self, source: View, target: View) -> None:
        views = [self.core.add_view(buffer, offset, F32, *form) for buffer, offset, *form in (source, target)]
        self.core.add_copy("copy", *views)

    @property
    def reads(self) -> list[tuple[tuple[tuple[int, int], str], ...]]:
        """What each copy reads."""
        return [step.reads[0] for step in flow_of(self.core).steps]


def rows(buffer: int, offset: int) -> View:
    return buffer, offset, (4, 8), (8, 1)


def test_a_read_has_the_step_that_wrote_last() -> None:
    program = Copies()
    program.copy(rows(program.x, 0), rows(0, 0))
    program.copy(rows(program.x, 0), rows(0, 128))
    program.copy(rows(0, 128), rows(0, 0))
    program.copy(rows(0, 0), rows(program.y, 0))
    assert program.reads == [((((-4, 0), ALL),)), ((((-4, 0), ALL),)), (((1, 0), AS_WRITTEN),), (((2, 0), AS_WRITTEN),)]
    assert flow_of(program.core).last == ((((-4, 0), AS_WRITTEN),), (((3, 0), ALL),))


def test_a_read_says_how_much_of_a_write_it_has() -> None:
    program = Copies()
    program.copy(rows(program.x, 0), rows(0, 0))
    program.copy((0, 0, (8, 4), (1, 8)), (0, 128, (8, 4), (4, 1)))
    program.copy((0, 0, (2, 8), (8, 1)), (0, 256, (2, 8), (8, 1)))
    program.copy((0, 32, (4, 8), (8, 1)), (0, 384, (4, 8), (8, 1)))
    reads = program.reads
    assert reads[1:3] == [(((0, 0), ALL),), (((0, 0), SOME),)]
    assert reads[3] == (((0, 0), SOME), ((1, 0), SOME))


def test_rows_that_were_overwritten_are_seen() -> None:
    program = Copies()
    program.copy(rows(program.x, 0), rows(0, 0))
    program.copy((program.x, 0, (4, 2), (8, 1)), (0, 0, (4, 2), (8, 1)))
    program.copy(rows(0, 0), rows(program.y, 0))
    assert program.reads[2] == (((0, 0), SOME), ((1, 0), ALL))


def test_bytes_that_nothing_wrote_are_seen() -> None:
    program = Copies()
    program.copy(rows(0, 64), rows(program.y, 0))
    assert program.reads == [((NOTHING, SOME),)]


def test_a_step_over_a_part_of_what_it_reads_is_refused() -> None:
    program = Copies()
    program.copy(rows(program.x, 0), rows(0, 0))
    program.copy(rows(0, 0), rows(0, 32))
    with pytest.raises(FlowError, match="step 1: result 0 is over a part of operand 0"):
        flow_of(program.core)


def test_programs_that_branch_have_no_flow() -> None:
    program = Copies()
    label = program.core.add_label()
    program.core.add_jump(label)
    program.core.bind_label(label)
    program.core.add_return()
    with pytest.raises(FlowError, match="branch"):
        flow_of(program.core)


def derived(text: str, sizes: Mapping[str, Sequence[int]], chosen: Mapping[str, int]) -> tuple[Derived, PackedWeights]:
    """The program that is derived for the `chosen` sizes from those in turn."""
    program = compiled(text)
    for each in zip(*sizes.values(), strict=True):
        program.specialized(dict(zip(sizes, each, strict=True)))
    reuse = program._sizes.further  # pyright: ignore[reportPrivateUsage]
    found = reuse.derived(chosen) if reuse is not None else None
    assert found is not None
    return found[0], program.weights


def with_views_moved(parts: Parts, chance: random.Random) -> StepList:
    """The list with one view of the arena in another buffer, or elsewhere in its own."""
    steps = list(parts.listed.steps)
    views = [
        n for n, s in enumerate(steps) if isinstance(s, Call) and any(isinstance(a, InBuffer) for a in s.arguments)
    ]
    number = chance.choice(views)
    call = steps[number]
    assert isinstance(call, Call)
    where = call.arguments[1]
    if chance.random() < 0.5:
        where = where._replace(buffer=str(chance.randrange(len(parts.buffers))))
    else:
        where = where._replace(offset=max(0, where.offset + chance.choice((-64, -16, -4, 4, 16, 64))))
    steps[number] = call._replace(arguments=(call.arguments[0], where, *call.arguments[2:]))
    return parts.listed._replace(steps=tuple(steps))


@pytest.mark.parametrize(
    ("text", "sizes", "chosen"),
    [
        pytest.param(
            ATTENTION, {"batch": [2] * 21, "words": [*range(20, 40), 60]}, {"batch": 2, "words": 48}, id="words"
        ),
        pytest.param(NETWORK, {"n": [1] * 30, "width": [*range(20, 49), 90]}, {"n": 1, "width": 56}, id="windows"),
    ],
)
def test_mutants_of_derived_programs_are_refused(
    text: str, sizes: dict[str, list[int]], chosen: dict[str, int]
) -> None:
    """Places drawn at random, views in other buffers or elsewhere: what has the right flow has the right bits."""
    found, weights = derived(text, sizes, chosen)
    inputs, chance = inputs_for(compiled(text), chosen), random.Random(0)
    flow, want = flow_of(found.built.core), Executable.of(found.built, threads=1).run(inputs)
    refused = 0

    def is_refused(built: Built) -> bool:
        try:
            if flow_of(built.core) != flow:
                return True
        except FlowError:
            return True
        runner = Executable.of(built, threads=1, poison=True)
        for name, result in runner.run(inputs).items():
            np.testing.assert_array_equal(result, want[name])
        return False

    for number in range(80):
        listed, offsets = found.parts.listed, list(found.plan.offsets)
        if number % 2:
            listed = with_views_moved(found.parts, chance)
        else:
            moved = chance.randrange(len(offsets))
            offsets[moved] = 64 * chance.randrange(found.plan.peak // 64)
        ready = prepared(listed, 1, weights)
        assert ready is not None
        try:
            refused += is_refused(assembled(ready, offsets, found.plan.peak, 1, {}))
        except (_core.Error, LastuseError):
            refused += 1  # a view that leaves its buffer
    assert refused >= 30
