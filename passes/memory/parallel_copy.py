"""A parallel move: all sources are read, then all destinations written, as copies in an order that keeps sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastuse.passes.memory.frame_layout import FrameLocation


class ParallelMove(NamedTuple):
    """The bytes of `source` go to `target`. `number` names the pair to the caller."""

    number: int
    source: FrameLocation
    target: FrameLocation


class SequentialCopies(NamedTuple):
    """`first`: moves to memory of their own that break cycles, by number; `then`: all moves in order, by number, those
    of `first` from where they were put."""

    first: tuple[int, ...]
    then: tuple[int, ...]


def sequentialize(moves: Sequence[ParallelMove]) -> SequentialCopies:
    """An order in which no move writes a source that a later one reads. Pairs in equal places, and those without
    elements, are left out.

    Where several argue in a circle the one that comes first is put aside.
    """
    waiting = [m for m in moves if m.target.layout.elements and not m.source.is_at(m.target)]
    aside: list[int] = []
    then: list[int] = []
    while waiting:
        ready = next((m for m in waiting if not _ruins(m, waiting, aside)), None)
        if ready is None:
            aside.append(next(m.number for m in waiting if m.number not in aside))
            continue
        waiting.remove(ready)
        then.append(ready.number)
    return SequentialCopies(tuple(aside), tuple(then))


def _ruins(move: ParallelMove, waiting: Sequence[ParallelMove], aside: Sequence[int]) -> bool:
    """Whether another waiting move still reads what this one writes, or this one would write over its own source."""
    readers = [m for m in waiting if m.number not in aside]
    return any(m.source.clashes(move.target) for m in readers)
