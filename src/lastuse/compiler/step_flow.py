"""What each step of a program reads, by the steps that wrote it: of a program without branches, as the core runs it.

The passes and the checkers prove a program in its IR. A program that was derived for further sizes has none. Its bytes
are followed from step to step instead: the flow between its steps has to be that of the programs that were proved. The
core is asked for views, so that nothing is shared with what derived them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from lastuse.runtime import _core

MOST_RUNS = 4096
"""Runs of bytes that a region may have."""
MOST_PIECES = 1 << 16
"""Pieces that it may have before those that touch are joined."""
NOTHING = (-1, 0)
"""Bytes that no step has written."""
SCRATCH = (-2, 0)
"""Bytes that a step had as scratch."""
CONSTANT = (-3, 0)
"""Bytes of a constant."""
ARGUMENT = -4
"""What the caller gave, in the argument of the number that follows."""
AS_WRITTEN, ALL, SOME = "as written", "all", "some"
"""How much of what a step wrote is read: all elements in their order, all bytes, or fewer."""

Writer = tuple[int, int]
"""A step and the number of its result."""
Read = tuple[tuple[Writer, str], ...]
"""What a region holds: each writer, and how much of what it wrote."""


class FlowError(Exception):
    """The bytes of a program cannot be followed, or a step spoils what it reads itself."""


class TooFineError(FlowError):
    """The bytes of a program for these sizes are in too many runs; those for others may be followed."""


class StepFlow(NamedTuple):
    """
    What a step reads.

    Attributes:
        reads: of each operand.
        over: the operands that have exactly the bytes of a result, each with the result's number.
    """

    reads: tuple[Read, ...]
    over: tuple[tuple[int, int], ...]


class Flow(NamedTuple):
    """What each step reads, and what each argument holds at the end."""

    steps: tuple[StepFlow, ...]
    last: tuple[Read, ...]


_Axes = tuple[tuple[int, int], ...]
_Access = tuple[int, int, int, _Axes]
"""Buffer, offset, bytes of an element, and size and stride of each axis. The core leaves out axes of one element and
merges those that run on, so that equal ones are the same bytes in the same order."""


_Runs = Sequence[tuple[int, int]]
"""Half-open runs of bytes in order, none touching the next. Pairs, not arrays: there is another number of them for each
size, and numpy keeps memory of each length that small arrays have had."""


class _Region(NamedTuple):
    """A view, and its bytes."""

    access: _Access
    runs: _Runs

    @property
    def buffer(self) -> int:
        return self.access[0]


def flow_of(core: _core.StepProgram) -> Flow:
    """The flow of a program.

    Raises:
        FlowError: steps branch or call; a step writes a byte that it reads elsewhere or has as scratch, or twice; a
            region leaves its buffer, or is not known well enough.
    """
    accesses = core.accesses
    if accesses is None:
        raise FlowError("steps branch or call")
    regions: dict[_Access, _Region] = {}

    def region(access: _Access) -> _Region:
        found = regions.get(access)
        if found is None:
            found = regions[access] = _region(access)
        return found

    memory = {core.ARENA: _Memory(core.arena_bytes, NOTHING)}
    written: dict[Writer, _Region] = {}
    for number, (buffer, nbytes) in enumerate(core.arguments):
        memory[buffer] = _Memory(nbytes, (ARGUMENT, number))
        written[ARGUMENT, number] = _whole(buffer, nbytes)

    def read(source: _Region) -> Read:
        held = memory.get(source.buffer)
        return held.read(source, written) if held is not None else ((CONSTANT, SOME),)

    steps: list[StepFlow] = []
    for step, (ins, outs, scratch) in enumerate(accesses):
        sources, results = [*map(region, ins)], [*map(region, outs)]
        aside = [] if scratch is None else [region(scratch)]
        for number, result in enumerate(results):
            for other in (*results[number + 1 :], *aside):
                if _meet(result, other):
                    raise FlowError(f"step {step}: bytes of result {number} are another's, too")
        for room in aside:
            if any(_meet(source, room) for source in sources):
                raise FlowError(f"step {step}: it reads its scratch")
        reads, over = tuple(map(read, sources)), tuple(_over(step, sources, results))
        for room in aside:
            memory[room.buffer].write(room.runs, SCRATCH)
        for number, result in enumerate(results):
            if result.buffer not in memory:
                raise FlowError(f"step {step}: result {number} is in a constant")
            memory[result.buffer].write(result.runs, (step, number))
            written[step, number] = result
        steps.append(StepFlow(reads, over))
    return Flow(tuple(steps), tuple(read(_whole(buffer, nbytes)) for buffer, nbytes in core.arguments))


def _region(access: _Access) -> _Region:
    _, offset, item, axes = access
    if not axes or (len(axes) == 1 and axes[0][1] == item):  # one run of elements in their order, as most are
        end = offset + (axes[0][0] if axes else 1) * item
        return _Region(access, ((offset, end),) if end > offset else ())
    runs = _runs_of(offset, item, axes)
    if len(runs) > MOST_RUNS:
        raise TooFineError(f"a region has {len(runs):,} runs")
    return _Region(access, runs)


def _runs_of(offset: int, item: int, axes: _Axes) -> _Runs:
    """The bytes of elements at these strides. Raises TooFineError where they are in more than `MOST_PIECES`."""
    if any(size == 0 for size, _ in axes):
        return ()
    length, outer = item, list[tuple[int, int]]()
    for stride, size in sorted((abs(stride), size) for size, stride in axes if stride):
        if stride <= length and not outer:  # the next copy of the piece touches or overlaps it
            length += stride * (size - 1)
        else:
            outer.append((stride, size))
    if prod(size for _, size in outer) > MOST_PIECES:
        raise TooFineError("a region has too many runs")
    starts = [offset + sum((size - 1) * stride for size, stride in axes if stride < 0)]
    for stride, size in reversed(outer):
        starts = [start + step for start in starts for step in range(0, size * stride, stride)]
    starts.sort()  # sorted already where axes are nested, as most are
    runs = list[tuple[int, int]]()
    low, high = starts[0], starts[0] + length
    for start in starts:
        if start > high:
            runs.append((low, high))
            low = start
        high = start + length
    return (*runs, (low, high))


def _whole(buffer: int, nbytes: int) -> _Region:
    """All bytes of a buffer."""
    axes = () if nbytes == 1 else ((nbytes, 1),) if nbytes else ((0, 0),)
    return _region((buffer, 0, 1, axes))


def _meet(a: _Region, b: _Region) -> bool:
    return a.buffer == b.buffer and _overlap(a.runs, b.runs)


def _overlap(a: _Runs, b: _Runs) -> bool:
    """Whether runs have a byte in common."""
    if not a or not b or a[-1][1] <= b[0][0] or b[-1][1] <= a[0][0]:
        return False
    n = m = 0
    while n < len(a) and m < len(b):
        if a[n][1] <= b[m][0]:
            n += 1
        elif b[m][1] <= a[n][0]:
            m += 1
        else:
            return True
    return False


def _over(step: int, sources: Sequence[_Region], results: Sequence[_Region]) -> Iterator[tuple[int, int]]:
    """The operands that results are written over."""
    for n, source in enumerate(sources):
        for m, result in enumerate(results):
            if _meet(source, result):
                if not _is_same(source, result):
                    raise FlowError(f"step {step}: result {m} is over a part of operand {n}")
                yield n, m


class _Memory:
    """Who wrote each byte of a buffer: pieces, each from its start to that of the next one."""

    def __init__(self, nbytes: int, writer: Writer) -> None:
        self._starts, self._writers, self._end = [0], [writer], nbytes

    def read(self, region: _Region, written: dict[Writer, _Region]) -> Read:
        """What a region holds, where `written` says how each writer wrote."""
        counts: dict[Writer, int] = {}
        for low, high in self._pieces(region.runs):
            at = bisect_right(self._starts, low) - 1
            if at + 1 == len(self._starts) or high <= self._starts[at + 1]:
                counts[self._writers[at]] = counts.get(self._writers[at], 0) + high - low
                continue
            while at < len(self._starts) and self._starts[at] < high:
                end = self._starts[at + 1] if at + 1 < len(self._starts) else self._end
                nbytes = min(high, end) - max(low, self._starts[at])
                counts[self._writers[at]] = counts.get(self._writers[at], 0) + nbytes
                at += 1
        return tuple((writer, _how(region, nbytes, written.get(writer))) for writer, nbytes in sorted(counts.items()))

    def write(self, runs: _Runs, writer: Writer) -> None:
        """Notes who wrote these bytes."""
        starts, writers = self._starts, self._writers
        for low, high in self._pieces(runs):
            first, behind = bisect_right(starts, low) - 1, bisect_left(starts, high)
            before = [(starts[first], writers[first])] if starts[first] < low else []
            ends_here = high == (starts[behind] if behind < len(starts) else self._end)
            after = [] if ends_here else [(high, writers[behind - 1])]
            fresh = [*before, (low, writer), *after]
            starts[first:behind], writers[first:behind] = [s for s, _ in fresh], [w for _, w in fresh]

    def _pieces(self, runs: _Runs) -> _Runs:
        if runs and (runs[0][0] < 0 or runs[-1][1] > self._end):
            raise FlowError(f"bytes {runs[0][0]} to {runs[-1][1]} of a buffer of {self._end}")
        return runs


def _how(region: _Region, nbytes: int, written: _Region | None) -> str:
    """How a region of which so many bytes are a writer's holds what was written like this."""
    if written is None or not written.runs or sum(high - low for low, high in written.runs) != nbytes:
        return SOME
    return AS_WRITTEN if _is_same(region, written) else ALL


def _is_same(a: _Region, b: _Region) -> bool:
    """The same bytes in the same order of elements."""
    return a.access[1:] == b.access[1:]
