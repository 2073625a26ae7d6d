"""Convolutions and pools in numpy, on arrays [N, C, spatial…] of any strides and element type: products of matrices,
and one step for each element of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

import numpy as np
from numpy.lib.stride_tricks import as_strided

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.onednn.primitives.window import Window

AXES = 2
"""Axes before the spatial ones."""


def wide(dtype: np.dtype) -> np.dtype:
    """The element type that sums are made in: f32 for narrower floating-point numbers."""
    narrow = dtype.kind not in "iub" and dtype.itemsize < 4
    return np.dtype(np.float32) if narrow else dtype


def padded(x: Array, window: Window, places: Sequence[int], value: float) -> Array:
    """x with `value` around it, so that the window has so many places; x itself where nothing is to be added."""
    needed = window.stretched(x.shape[AXES:], places)
    widths = [(0, 0), (0, 0)] + [(b, max(0, e)) for b, e in zip(window.begins, needed.ends, strict=True)]
    if not any(map(any, widths)):
        return x
    return np.pad(x, widths, constant_values=x.dtype.type(value))


def window_elements(x: Array, window: Window, places: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Each element of the window, by its indices, with what is under it at all places: a view of `x`, which is padded.

    Args:
        places: how many places the window has on each spatial axis.
    """
    for index in np.ndindex(window.kernel):
        rows = zip(index, window.dilations, window.strides, places, strict=True)
        steps = (slice(k * d, k * d + (p - 1) * s + 1, s) if p else slice(0, 0) for k, d, s, p in rows)
        yield index, x[(..., *steps)]


def windows(x: Array, window: Window, places: Sequence[int]) -> Array:
    """A view [N, C, kernel…, places…] of `x`, which is padded."""
    steps = x.strides[AXES:]
    inner = (step * d for step, d in zip(steps, window.dilations, strict=True))
    outer = (step * s for step, s in zip(steps, window.strides, strict=True))
    shape = (*x.shape[:AXES], *window.kernel, *places)
    return as_strided(x, shape, (*x.strides[:AXES], *inner, *outer), writeable=False)


def convolve(x: Array, w: Array, window: Window, places: Sequence[int], group: int = 1) -> Array:
    """The convolution [N, O, places…] of x [N, C, spatial…] with weights [O, C/G, kernel…], in `wide` elements."""
    batch, outputs, dtype = x.shape[0], w.shape[0], wide(x.dtype)
    depth, count = prod(w.shape[1:]), prod(places)
    rows = np.ascontiguousarray(w, dtype).reshape(group, outputs // group, depth)
    view = windows(padded(x, window, places, 0), window, places)
    y = np.empty((batch, group, outputs // group, count), dtype)
    for number in range(batch):
        columns = np.ascontiguousarray(view[number], dtype).reshape(group, depth, count)
        np.matmul(rows, columns, out=y[number])
    return y.reshape(batch, outputs, *places)


def convolve_transposed(x: Array, w: Array, window: Window, outputs: Sequence[int], group: int = 1) -> Array:
    """The transposed convolution [N, O, outputs…] of x [N, C, spatial…] with weights [C, O/G, kernel…], in `wide`
    elements: each element of x, times the weights, is added to a window of the result."""
    batch, channels, *places = x.shape
    dtype, depth, count = wide(x.dtype), prod(w.shape[1:]), prod(places)
    rows = np.ascontiguousarray(w, dtype).reshape(group, channels // group, depth).swapaxes(1, 2)
    sizes = zip(places, window.strides, window.reach, window.begins, outputs, strict=True)
    whole = tuple(max((n - 1) * s + r, b + out) for n, s, r, b, out in sizes)
    y = np.zeros((batch, group * w.shape[1], *whole), dtype)
    for number in range(batch):
        columns = np.ascontiguousarray(x[number], dtype).reshape(group, channels // group, count)
        spread = np.matmul(rows, columns).reshape(y.shape[1], *window.kernel, *places)
        for index, target in window_elements(y[number], window, places):
            target += spread[(slice(None), *index)]
    cut = (slice(b, b + out) for b, out in zip(window.begins, outputs, strict=True))
    return y[(..., *cut)]


def maxima(x: Array, window: Window, places: Sequence[int]) -> Array:
    """The largest element of each window, [N, C, places…]; NaN if there is one."""
    y = np.full((*x.shape[:AXES], *places), _least(x.dtype), x.dtype)
    for _, under in window_elements(padded(x, window, places, _least(x.dtype)), window, places):
        np.maximum(y, under, out=y)
    return y


def maxima_places(x: Array, y: Array, window: Window, column_major: bool) -> Array:
    """Where in x the maxima y of its windows are first found: i64, counted over all of x [N, C, spatial…] row by row;
    `column_major`: the spatial axes from the last to the first."""
    sizes, places = x.shape[AXES:], y.shape[AXES:]
    order = range(len(sizes)) if column_major else reversed(range(len(sizes)))
    steps, step = [0] * len(sizes), 1
    for axis in order:
        steps[axis], step = step, step * sizes[axis]
    at, open_ = np.zeros(y.shape, np.int64), np.ones(y.shape, np.bool_)
    for index, under in window_elements(padded(x, window, places, _least(x.dtype)), window, places):
        here, inside = np.zeros((), np.int64), np.ones((), np.bool_)
        for axis, (k, count) in enumerate(zip(index, places, strict=True)):
            along = np.arange(count) * window.strides[axis] + k * window.dilations[axis] - window.begins[axis]
            along = along.reshape(-1, *(1,) * (len(sizes) - axis - 1))
            here, inside = here + along * steps[axis], inside & (along >= 0) & (along < sizes[axis])
        hit = open_ & inside & ((under == y) | ((under != under) & (y != y)))
        np.copyto(at, here, where=hit)
        open_ &= ~hit
    planes = np.arange(prod(x.shape[:AXES])).reshape(*x.shape[:AXES], *(1,) * len(sizes))
    return at + planes * prod(sizes)


def maxima_numbers(x: Array, y: Array, window: Window, dtype: np.dtype) -> Array:
    """The number, in its window, of the first element that is the maximum y of that, [N, C, places…]. Padding does not
    count."""
    places = y.shape[AXES:]
    chosen, open_ = np.zeros(y.shape, dtype), np.ones(y.shape, np.bool_)
    inside = padded(np.ones((1, 1, *x.shape[AXES:]), np.bool_), window, places, 0)
    under = window_elements(padded(x, window, places, _least(x.dtype)), window, places)
    for number, ((_, element), (_, real)) in enumerate(
        zip(under, window_elements(inside, window, places), strict=True)
    ):
        hit = open_ & real & ((element == y) | ((element != element) & (y != y)))
        np.copyto(chosen, chosen.dtype.type(number), where=hit)
        open_ &= ~hit
    return chosen


def means(x: Array, window: Window, places: Sequence[int], with_padding: bool) -> Array:
    """The mean of each window, [N, C, places…], in `wide` elements. `with_padding`: it counts as zeros."""
    y = np.zeros((*x.shape[:AXES], *places), wide(x.dtype))
    for _, under in window_elements(padded(x, window, places, 0), window, places):
        y += under
    return np.divide(y, divisors(x.shape[AXES:], window, places, with_padding).astype(y.dtype), out=y)


def divisors(sizes: Sequence[int], window: Window, places: Sequence[int], with_padding: bool) -> Array:
    """How many elements each mean is taken of, [places…], on axes of these sizes. `with_padding`: it counts too."""
    count = np.ones((), np.int64)
    for axis, (size, places_here) in enumerate(zip(sizes, places, strict=True)):
        first = np.arange(places_here) * window.strides[axis] - window.begins[axis]
        at = first[:, None] + np.arange(window.kernel[axis]) * window.dilations[axis]
        low, high = (-window.begins[axis], size + window.ends[axis]) if with_padding else (0, size)
        along = np.count_nonzero((at >= low) & (at < high), axis=1)
        count = count * along.reshape(-1, *(1,) * (len(places) - axis - 1))
    return count


def spread(share: Callable[[int], Array], dy: Array, window: Window, outputs: Sequence[int]) -> Array:
    """[N, C, outputs…] with shares of dy [N, C, places…] added to the elements of the window at each place, in `wide`
    elements.

    Args:
        share: what each element of dy adds to the element of this number of its window.
    """
    places = dy.shape[AXES:]
    rows = zip(places, window.strides, window.reach, window.begins, outputs, strict=True)
    whole = tuple(max((p - 1) * s + r, b + n) for p, s, r, b, n in rows)
    dx = np.zeros((*dy.shape[:AXES], *whole), wide(dy.dtype))
    for number, (_, target) in enumerate(window_elements(dx, window, places)):
        target += share(number)
    cut = (slice(b, b + n) for b, n in zip(window.begins, outputs, strict=True))
    return dx[(..., *cut)]


def norms(x: Array, window: Window, places: Sequence[int], p: int) -> Array:
    """The p-norm of each window, [N, C, places…], in `wide` elements."""
    y = np.zeros((*x.shape[:AXES], *places), wide(x.dtype))
    for _, under in window_elements(padded(x, window, places, 0), window, places):
        y += np.abs(under.astype(y.dtype)) ** p
    return np.power(y, y.dtype.type(1 / p), out=y)


def _least(dtype: np.dtype) -> float:
    return float("-inf") if dtype.kind not in "iub" else int(np.iinfo(dtype).min)
