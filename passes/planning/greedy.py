"""Offsets by size: the largest buffer first, each at the lowest gap that holds it.

Greedy by Size for Offset Calculation, Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference",
arXiv 2001.03288, section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ALIGNMENT = 64
"""Every offset in an arena is a multiple of it, in bytes."""


def aligned(size: int) -> int:
    """`size` in bytes, rounded up to the alignment of the arena."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Buffer(NamedTuple):
    """`size` bytes that are in use at the times `first` to `last`, both included."""

    size: int
    first: int
    last: int


class Offsets(NamedTuple):
    """An offset per buffer, in bytes; `peak` is the end of the highest, `bound` the largest sum of live bytes."""

    offsets: tuple[int, ...]
    peak: int
    bound: int


def greedy(buffers: Sequence[Buffer], alignment: int = 64) -> Offsets:
    """Places for `buffers` so that no two that are in use at one time share a byte, largest first.

    Args:
        buffers: any order; the result has the same.
        alignment: every offset is a multiple of it.
    """
    return in_order(
        buffers, sorted(range(len(buffers)), key=lambda i: (-buffers[i].size, buffers[i].first, i)), alignment
    )


def in_order(buffers: Sequence[Buffer], order: Sequence[int], alignment: int = 64) -> Offsets:
    """Each buffer of `order` in turn at the lowest gap that holds it."""
    offsets, index = [0] * len(buffers), _TimeIndex(buffers)
    for i in order:
        offsets[i] = lowest_gap(buffers[i].size, index.meeting(buffers[i]), alignment)
        index.add(i, offsets[i])
    peak = max((offsets[i] + b.size for i, b in enumerate(buffers)), default=0)
    return Offsets(tuple(offsets), peak, live_peak(buffers, alignment))


def lowest_gap(size: int, taken: Sequence[tuple[int, int]], alignment: int = ALIGNMENT) -> int:
    """The lowest offset at which `size` bytes meet none of the ranges that are taken (the end of each is outside)."""
    at = 0
    for begin, end in sorted(taken):
        if at + size <= begin:
            break
        at = max(at, -(-end // alignment) * alignment)
    return at


def live_peak(buffers: Sequence[Buffer], alignment: int = 1) -> int:
    """The largest sum, over all times, of the sizes (rounded up to `alignment`) of the buffers in use."""
    changes: list[tuple[int, int]] = []
    for size, first, last in buffers:
        rounded = -(-size // alignment) * alignment
        changes += [(first, rounded), (last + 1, -rounded)]
    peak = total = 0
    for _, change in sorted(changes):
        total += change
        peak = max(peak, total)
    return peak


class _TimeIndex:
    """Placed buffers by time: an implicit interval tree over the times, each buffer in O(log n) nodes."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers
        times = sorted({b.first for b in buffers} | {b.last for b in buffers})
        self.rank = {time: n for n, time in enumerate(times)}
        self.size = 1
        while self.size < max(1, len(times)):
            self.size *= 2
        self.cover: list[list[tuple[int, int]]] = [[] for _ in range(2 * self.size)]
        self.below: list[list[tuple[int, int]]] = [[] for _ in range(2 * self.size)]

    def _nodes(self, buffer: Buffer) -> list[int]:
        low, high = self.rank[buffer.first] + self.size, self.rank[buffer.last] + self.size + 1
        nodes: list[int] = []
        while low < high:
            if low & 1:
                nodes.append(low)
                low += 1
            if high & 1:
                high -= 1
                nodes.append(high)
            low, high = low // 2, high // 2
        return nodes

    def add(self, i: int, offset: int) -> None:
        """Buffer `i` is placed at `offset`."""
        range_ = (offset, offset + self.buffers[i].size)
        for node in self._nodes(self.buffers[i]):
            self.cover[node].append(range_)
            above = node // 2
            while above:
                self.below[above].append(range_)
                above //= 2

    def meeting(self, buffer: Buffer) -> list[tuple[int, int]]:
        """Byte ranges of the placed buffers in use at some time of `buffer`; one may stand there several times."""
        found: set[tuple[int, int]] = set()
        for node in self._nodes(buffer):
            found.update(self.cover[node])
            found.update(self.below[node])
            above = node // 2
            while above:
                found.update(self.cover[above])
                above //= 2
        return list(found)
