"""Offsets for buffers in one arena, with a lower bound and what proves it. The search is C++ (`cpp/planner.hpp`)."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from lastuse.passes.planning import _planner

ALGORITHMS = ("best", "greedy", "exact")

Error = _planner.Error
"""A ValueError: a size below 0, fixed buffers that overlap, sums beyond 2^62, a cycle of ops."""


Span = tuple[int, int]
"""Times from the first one on, the second one excluded."""


def union(spans: Iterable[Span]) -> list[Span]:
    """The same times in order, in spans that do not meet."""
    merged: list[Span] = []
    for first, end in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((first, end))
    return merged


class TimeLimit:
    """So many seconds from now on; 0 is no limit."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._started = seconds, time.perf_counter()

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._started

    @property
    def left(self) -> float:
        """The limit of a search that starts now. It is never 0, which would be no limit, unless there is none."""
        return max(1e-3, self._seconds - self.spent) if self._seconds else 0.0

    def is_over(self, share: float = 1.0) -> bool:
        """That share of the time is spent."""
        return bool(self._seconds) and self.spent >= share * self._seconds


class Proof(str, Enum):
    """What shows that no smaller peak is possible."""

    REACHED = "reached"
    """The peak equals a sum of bytes that are in use at one time."""
    INFEASIBLE_BELOW = "infeasible-below"
    """The search found that nothing smaller holds all buffers."""
    EXHAUSTED = "exhausted"
    """Every order of ops that could need less was looked at."""
    NONE = "none"
    """Nothing does; the limit of time or nodes came first."""


class LiveRange(NamedTuple):
    """`size` bytes in use at the times `lower` to `upper`, `upper` excluded."""

    lower: int
    upper: int
    size: int


class Buffer(NamedTuple):
    """
    `size` bytes that are in use at the times `first` to `last`, both included, from one offset on.

    Attributes:
        alignment: the offset is a multiple of it.
        fixed: the offset, if it is given.
        later_ranges: the same memory at other times, for more or fewer bytes (after a hole; results written over it).
    """

    size: int
    first: int
    last: int
    alignment: int = 1
    fixed: int | None = None
    later_ranges: tuple[LiveRange, ...] = ()

    @property
    def live_ranges(self) -> tuple[LiveRange, ...]:
        """All of its life, half-open."""
        return (LiveRange(self.first, self.last + 1, self.size), *self.later_ranges)

    @property
    def end(self) -> int:
        """The last time at which it is in use."""
        return max(piece.upper for piece in self.live_ranges) - 1

    def is_live(self, time: int) -> bool:
        """It is in use at that time."""
        return any(piece.lower <= time < piece.upper for piece in self.live_ranges)


def buffer_of(pieces: Sequence[LiveRange], alignment: int = 1, fixed: int | None = None) -> Buffer:
    """The buffer that is in use in these pieces, one or more."""
    (lower, upper, size), *later = pieces
    return Buffer(size, lower, upper - 1, alignment, fixed, tuple(later))


class Plan(NamedTuple):
    """
    Places for buffers.

    Attributes:
        offsets: of each buffer, in bytes.
        peak: the end of the highest, in bytes.
        bound: no plan has a smaller peak.
        proof: why the peak is the smallest, if it is known to be (`peak == bound`).
        seconds: what the search took.
    """

    offsets: tuple[int, ...]
    peak: int
    bound: int
    proof: Proof
    seconds: float


def plan(
    buffers: Sequence[Buffer],
    algorithm: str = "best",
    *,
    alignment: int = 1,
    seconds: float = 0.0,
    nodes: int = 0,
) -> Plan:
    """
    Places for `buffers` so that no two that are in use at one time share a byte.

    `greedy` takes the largest first; `best` tries several orders and a little search; `exact` goes on until it has a
    proof or a limit stops it. Without a limit of seconds the result is the same everywhere.

    Args:
        buffers: any order; the result has the same.
        alignment: offsets are multiples of it too.
        seconds, nodes: when to stop searching; 0 is no limit (`best` has one of its own).

    Raises:
        Error: the buffers make no sense.
    """
    limit = TimeLimit(seconds)
    offsets, peak, bound, proof = _planner.plan(algorithm, _to_cpp(buffers, alignment), seconds, nodes)
    return Plan(tuple(offsets), peak, bound, Proof(proof), limit.spent)


def first_fit(buffers: Sequence[Buffer], order: Sequence[int], *, alignment: int = 1) -> Plan:
    """
    Places for `buffers`, one after the other as `order` has their numbers, each at the lowest where it meets none of
    those before it: no search.

    In the order of a plan's offsets nothing lies higher than in that plan; where all sizes are n times as large, and
    all aligned, so is the peak.

    Raises:
        Error: the buffers make no sense, or the order has not each of them once.
    """
    limit = TimeLimit(0.0)
    offsets, peak, bound, proof = _planner.first_fit(_to_cpp(buffers, alignment), order)
    return Plan(tuple(offsets), peak, bound, Proof(proof), limit.spent)


def lower_bound(buffers: Sequence[Buffer], alignment: int = 1) -> int:
    """The largest sum of bytes in use at one time; what lies on top is not padded. Raises Error as `plan` does."""
    return _planner.lower_bound(_to_cpp(buffers, alignment))


def live_bytes(buffers: Iterable[Buffer]) -> dict[int, int]:
    """The sum of the sizes of the buffers in use, from each time on at which any of them begins or ends; in order."""
    change: dict[int, int] = {}
    for lower, upper, size in (piece for buffer in buffers for piece in buffer.live_ranges):
        if lower < upper:
            change[lower] = change.get(lower, 0) + size
            change[upper] = change.get(upper, 0) - size
    times = sorted(change)
    return dict(zip(times, accumulate(change[time] for time in times), strict=True))


def live_peak(buffers: Iterable[Buffer]) -> int:
    """The largest sum, over all times, of the sizes of the buffers in use."""
    return max(live_bytes(buffers).values(), default=0)


def describe(peak: int, bound: int, proof: Proof) -> str:
    """How large an arena is, and whether it could be smaller."""
    if proof is Proof.NONE:
        return f"{peak:,} bytes; not proved to be the smallest: {bound:,} are needed"
    return f"{peak:,} bytes, the smallest possible ({proof.value})"


def _to_cpp(buffers: Sequence[Buffer], alignment: int) -> list[tuple[int, int, tuple[LiveRange, ...]]]:
    """Buffers as C++ takes them."""
    return [(math.lcm(b.alignment, alignment), -1 if b.fixed is None else b.fixed, b.live_ranges) for b in buffers]
