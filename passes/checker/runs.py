"""Sets of bytes of one storage: sorted, disjoint runs, and what is done with them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastuse.dialect.storage.layout import Strided

MAX_RUNS = 1 << 24
"""Runs of one place, or cells of one storage, beyond which the checker refuses to look."""

_Array = np.ndarray


class TooFine(Exception):
    """A place falls into more than `MAX_RUNS` runs, or a value into more pieces."""


class Runs(NamedTuple):
    """Half-open runs of bytes. One run is `low`, `high` alone; more are `starts`, `ends` (int64 [runs]), none touching
    the next, with `low`, `high` their hull."""

    low: int
    high: int
    starts: _Array | None = None
    ends: _Array | None = None

    @property
    def first_run(self) -> tuple[int, int]:
        """The first run."""
        return (self.low, self.high) if self.ends is None else (self.low, int(self.ends[0]))

    def arrays(self) -> tuple[_Array, _Array]:
        """Starts and ends of all runs."""
        if self.starts is None or self.ends is None:
            return np.array([self.low], dtype=np.int64), np.array([self.high], dtype=np.int64)
        return self.starts, self.ends

    @property
    def nbytes(self) -> int:
        """Bytes of all runs together."""
        if self.starts is None or self.ends is None:
            return self.high - self.low
        return int((self.ends - self.starts).sum())

    @property
    def number(self) -> int:
        """How many runs there are."""
        return 1 if self.starts is None else len(self.starts)


def runs_of(layout: Strided) -> Runs | None:
    """The bytes of `layout`; None for a layout without bytes.

    Raises:
        TooFine: more than `MAX_RUNS` runs.
    """
    if not layout.elements:
        return None
    low = layout.offset + sum((n - 1) * s for n, s in zip(layout.sizes, layout.strides, strict=True) if s < 0)
    outer: list[tuple[int, int]] = []
    run = layout.item
    steps = sorted((abs(s), n) for n, s in zip(layout.sizes, layout.strides, strict=True) if n > 1 and s)
    for stride, size in steps:
        if stride <= run and not outer:  # the next copy of the run touches or overlaps it
            run += stride * (size - 1)
        else:
            outer.append((stride, size))
    if not outer:
        return Runs(low, low + run)
    total = 1
    for _, size in outer:
        total *= size
    if total > MAX_RUNS:
        raise TooFine
    starts = np.array([low], dtype=np.int64)
    for stride, size in reversed(outer):
        starts = (starts[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    starts.sort(kind="stable")  # sorted already where axes are nested, as most are
    return _merged(starts, starts + run)


def distinct(values: _Array) -> _Array:
    """The distinct values in order; for arrays of millions many times as fast as the `unique` of numpy 2.3."""
    values = np.sort(values, kind="stable")  # a merge: most arrays are a few sorted ones, one after the other
    keep = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=keep[1:])
    return values[keep]


def cells_between(points: _Array, starts: _Array, ends: _Array, most: int = MAX_RUNS) -> _Array:
    """The numbers of the cells that runs consist of, run after run. Cell n lies between point n and the next one of
    distinct sorted points, which each end of a run is one of.

    Raises:
        TooFine: there are more than `most`.
    """
    first = points.searchsorted(starts)
    each = int(points.searchsorted(ends[0])) - int(first[0])
    if len(first) * each <= most and first.max() + each < len(points) and (points[first + each] == ends).all():
        # Runs of one map mostly fall into equal numbers of cells, and their ends need no search.
        return first if each == 1 else (first[:, None] + np.arange(each)).reshape(-1)
    counts = points.searchsorted(ends) - first
    total = int(counts.sum())
    if total > most:
        raise TooFine
    # first[0], first[0] + 1, …, last[0] - 1, first[1], …
    return np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(total)


def of_bytes(at: _Array) -> Runs | None:
    """The set of the byte positions `at` (int64, any order)."""
    if not at.size:
        return None
    at = distinct(at)
    return _merged(at, at + 1)


def _merged(starts: _Array, ends: _Array) -> Runs:
    """Runs from sorted starts, neighbours that touch or overlap joined."""
    reach = np.maximum.accumulate(ends)
    fresh = np.concatenate(([True], starts[1:] > reach[:-1]))
    firsts = np.flatnonzero(fresh)
    lasts = np.concatenate((firsts[1:] - 1, [len(starts) - 1]))
    starts, ends = starts[firsts], reach[lasts]
    low, high = int(starts[0]), int(ends[-1])
    return Runs(low, high) if len(starts) == 1 else Runs(low, high, starts, ends)


def _inside(points: _Array, runs: Runs) -> _Array:
    starts, ends = runs.arrays()
    at = np.searchsorted(starts, points, side="right") - 1
    return (at >= 0) & (points < ends[np.maximum(at, 0)])


def _pieces(a: Runs, b: Runs) -> tuple[_Array, _Array]:
    """Starts and ends of the pieces into which the ends of all runs cut the line: each in a run or in none."""
    edges = distinct(np.concatenate((*a.arrays(), *b.arrays())))
    return edges[:-1], edges[1:]


def _kept(starts: _Array, ends: _Array, keep: _Array) -> Runs | None:
    return _merged(starts[keep], ends[keep]) if keep.any() else None


def overlap(a: Runs, b: Runs) -> bool:
    """Whether a byte is in both."""
    if a.low >= b.high or b.low >= a.high:
        return False
    if a.starts is None and b.starts is None:
        return True
    few, many = sorted((a, b), key=lambda runs: runs.number)
    (starts, ends), (others, their_ends) = few.arrays(), many.arrays()
    at = np.searchsorted(their_ends, starts, side="right")  # the first run that ends behind the start
    return bool((others[np.minimum(at, len(others) - 1)] < ends)[at < len(others)].any())


def intersection(a: Runs | None, b: Runs | None) -> Runs | None:
    """Bytes in both."""
    if a is None or b is None or a.low >= b.high or b.low >= a.high:
        return None
    if a.starts is None and b.starts is None:
        return Runs(max(a.low, b.low), min(a.high, b.high))
    starts, ends = _pieces(a, b)
    return _kept(starts, ends, _inside(starts, a) & _inside(starts, b))


def difference(a: Runs | None, b: Runs | None) -> Runs | None:
    """Bytes in `a` and not in `b`."""
    if a is None or intersection(a, b) is None or b is None:
        return a
    starts, ends = _pieces(a, b)
    return _kept(starts, ends, _inside(starts, a) & ~_inside(starts, b))
