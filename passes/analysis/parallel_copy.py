"""Parallel copies: all sources are read, then all destinations are written. They are made sequential here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class SequentialCopies(NamedTuple):
    """`first`: copies whose source is copied to a temporary, which breaks cycles; `then`: all copies in order, those of
    `first` from their temporary. Both by number."""

    first: tuple[int, ...]
    then: tuple[int, ...]


def sequentialize(
    count: int, overwrites: Callable[[int, int], bool], cost: Callable[[int], int] = lambda _: 0
) -> SequentialCopies:
    """An order of parallel copies, numbered from 0, in which no copy overwrites the source of a later one.

    A cycle is broken by copying a source to a temporary: the cheapest, of several the first.

    Args:
        count: how many copies there are.
        overwrites: the first copy writes bytes of the second one's source; asked of a copy and itself too.
        cost: of a temporary for the source of a copy.
    """
    waiting = list(range(count))
    first: list[int] = []
    then: list[int] = []
    while waiting:
        sources = [n for n in waiting if n not in first]
        ready = next((n for n in waiting if not any(overwrites(n, m) for m in sources)), None)
        if ready is None:
            first.append(min(sources, key=cost))
        else:
            waiting.remove(ready)
            then.append(ready)
    return SequentialCopies(tuple(first), tuple(then))
