"""Strided maps of bytes: one through another, runs of bytes without gaps as a line, and the order of elements on it."""

from __future__ import annotations

from math import gcd, prod
from typing import NamedTuple

import numpy as np

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.checker.runs import MAX_RUNS, TooFine

Axes = list[tuple[int, int]]
"""Sizes and strides, in bytes."""


def flatten(layout: Strided) -> tuple[int, tuple[tuple[int, int], ...], int]:
    """(offset, ((size, stride) …), length) of a map with elements: pieces of `length` bytes that run on, for each index
    of the axes. Equal forms are the same bytes in the same order."""
    offset, runs, item = layout.canonical()
    if runs and runs[-1][1] == item:
        return offset, runs[:-1], runs[-1][0] * item
    return offset, runs, item


class ByteLine(NamedTuple):
    """The set of bytes of a strided map, as runs in the order of their addresses, one after the other: its *line*.

    Attributes:
        starts: where each run starts: int64 [runs].
        run: bytes of each run.
        order: where each element of the map is on the line; None where elements follow each other there.
        inverse: which byte of the map each byte of the line is, where each is one; None where elements follow each
            other, or where some byte is several elements.
    """

    starts: np.ndarray
    run: int
    order: Strided | None
    inverse: Strided | None


def line_of(layout: Strided) -> ByteLine | None:
    """The line of a map with elements; None where runs overlap in another way than one after the other.

    Raises:
        TooFine: there are too many runs.
    """
    _, axes, run = flatten(layout)
    item = run
    steps = sorted((abs(stride), size, axis) for axis, (size, stride) in enumerate(axes) if stride)
    packed, outer, reach = [0] * len(axes), list[tuple[int, int]](), run
    for step, size, axis in steps:
        if step <= run and not outer:  # the next copy of the run touches or overlaps it
            packed[axis] = step
            run += step * (size - 1)
            reach = run
            continue
        if step < reach:
            return None
        packed[axis] = run * prod(n for _, n in outer)
        outer.append((step, size))
        reach += step * (size - 1)
    count = prod(size for _, size in outer)
    if count > MAX_RUNS:
        raise TooFine
    signed = [-p if stride < 0 else p for p, (_, stride) in zip(packed, axes, strict=True)]
    offset = sum((size - 1) * p for p, (size, stride) in zip(packed, axes, strict=True) if stride < 0)
    order = Strided(offset, tuple(size for size, _ in axes), tuple(signed), item)
    starts = np.array([layout.span[0]], np.int64)
    for step, size in reversed(outer):
        starts = (starts[:, None] + np.arange(size, dtype=np.int64) * step).reshape(-1)
    if order.nbytes != run * count:
        return ByteLine(starts, run, order, None)
    if not flatten(order)[1]:
        return ByteLine(starts, run, None, None)
    return ByteLine(starts, run, order, _inverse(order))


def _inverse(order: Strided) -> Strided:
    """The inverse of a map from the bytes of a value to those of a line of the same size."""
    axes = zip(order.sizes, Strided.dense(order.sizes, order.item).strides, order.strides, strict=True)
    kept = sorted(((abs(to), size, stride, to) for size, stride, to in axes if size > 1), reverse=True)
    offset = sum((size - 1) * stride for _, size, stride, to in kept if to < 0)
    strides = tuple(-stride if to < 0 else stride for _, _, stride, to in kept)
    return Strided(offset, tuple(size for _, size, _, _ in kept), strides, order.item)


def compose(inner: Strided, outer: Strided) -> Strided | None:
    """`inner`, a map into the bytes of a dense value, where that value lies at `outer`; None where it is no strided map
    there, or none is known. Its axes are those of `inner`, cut where `outer` has more of them.

    Offset and strides of `inner` are unravelled over the axes of `outer`. Where no step carries from one axis into the
    next, each is one stride there.
    """
    item = gcd(inner.item, outer.item, inner.offset, *inner.strides)
    runs = list(_refine(outer, item).canonical()[1]) or [(1, item)]
    steps = Strided.dense([size for size, _ in runs], item).strides
    reach, axes = inner.offset, Axes()
    for size, stride in _refine(inner, item).canonical()[1]:
        if stride < 0:
            reach += (size - 1) * stride
        cut = _cut(size, abs(stride), steps)
        if cut is None:
            return None
        axes += [(n, -step if stride < 0 else step) for n, step in cut]
    if reach < 0:
        return None
    high = _unravel(reach, steps)
    offset = outer.offset + _dot(high, runs)
    strides: list[int] = []
    for size, stride in axes:
        index = _unravel(abs(stride), steps)
        high = [h + (size - 1) * i for h, i in zip(high, index, strict=True)]
        step = _dot(index, runs)
        if stride < 0:
            offset += (size - 1) * step
        strides.append(-step if stride < 0 else step)
    if any(h >= size for h, (size, _) in zip(high, runs, strict=True)):
        return None
    return Strided(offset, tuple(size for size, _ in axes), tuple(strides), item)


def _refine(layout: Strided, item: int) -> Strided:
    """The same bytes in elements of `item` bytes."""
    sizes, strides = (*layout.sizes, layout.item // item), (*layout.strides, item)
    return Strided(layout.offset, sizes, strides, item)


def _cut(size: int, stride: int, steps: tuple[int, ...]) -> Axes | None:
    """An axis of a map into dense bytes as axes that each stay within one axis there; None where it is cut unevenly."""
    axes = Axes()
    for step in reversed(steps[:-1]):  # where the axis behind it ends
        if stride >= step or size * stride <= step:
            continue
        if step % stride or size % (step // stride):
            return None
        axes.insert(0, (step // stride, stride))
        size, stride = size // (step // stride), step
    return [(size, stride), *axes]


def _unravel(byte: int, steps: tuple[int, ...]) -> list[int]:
    index: list[int] = []
    for step in steps:
        number, byte = divmod(byte, step)
        index.append(number)
    return index


def _dot(index: list[int], runs: Axes) -> int:
    return sum(i * stride for i, (_, stride) in zip(index, runs, strict=True))


def progression(starts: np.ndarray, length: int) -> Strided | None:
    """Pieces of one length as a strided map, where their starts are one."""
    axes = Axes()
    while len(starts) > 1:
        step = int(starts[1] - starts[0])
        other = np.flatnonzero(starts[1:] - starts[:-1] != step)
        size = int(other[0]) + 1 if len(other) else len(starts)
        if len(starts) % size:
            return None
        rows = starts.reshape(-1, size)
        if (rows[:, 1:] - rows[:, :-1] != step).any():
            return None
        axes.insert(0, (size, step))
        starts = rows[:, 0]
    return Strided(int(starts[0]), tuple(n for n, _ in axes), tuple(s for _, s in axes), length)
