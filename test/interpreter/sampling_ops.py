"""Values between elements, number by number. Positions are those of the op's element type: what is read depends on
them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import floor, isfinite

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import integer, integers, number, result_shape, word
from .rounding import Array, Rounding


def _mirrored(x: np.floating, low: np.floating, high: np.floating) -> np.floating:
    """x between the borders, after as many reflections as it takes."""
    if high == low:
        return low
    beyond = np.fmod(low - x if x < low else x - high, 2 * (high - low))
    far = beyond >= high - low
    left = bool(x < low) != bool(far)
    beyond = beyond - (high - low) if far else beyond
    return low + beyond if left else high - beyond


def _element(padding: str, aligned: bool, size: int, at: int) -> int | None:
    """The number of the element that stands at `at`; None for a 0."""
    if padding == "zeros":
        return at if 0 <= at < size else None
    if padding == "border" or size == 1:
        return min(max(at, 0), size - 1)
    while not 0 <= at < size:
        if at < 0:
            at = -at if aligned else -at - 1
        else:
            at = 2 * (size - 1) - at if aligned else 2 * size - 1 - at
    return at


def _cubic(d: float) -> float:
    d = abs(d)
    return 1.25 * d**3 - 2.25 * d**2 + 1 if d <= 1 else -0.75 * (d**3 - 5 * d**2 + 8 * d - 4)


def _taps(mode: str, padding: str, aligned: bool, size: int, x: np.floating) -> list[tuple[int | None, float]]:
    """The elements of an axis that make the value at x, and what each counts."""
    kind = type(x)
    x = np.rint(x) if mode == "nearest" else x
    low, high = (kind(0), kind(size - 1)) if aligned else (kind(-0.5), kind(size - 0.5))
    if x < low or x > high:
        if padding == "border":
            x = kind(0) if x < low else kind(size - 1)
        elif padding == "reflection":
            x = _mirrored(x, low, high)
    if not isfinite(x):
        none = None if padding == "zeros" else 0
        return [(none, 1.0)] if mode == "nearest" else [(none, float("nan"))]
    whole = floor(x)
    part = float(x) - whole
    if mode == "nearest":
        weights = {0: 1.0}
    elif mode == "linear":
        weights = {0: 1 - part, 1: part}
    else:
        weights = {k: _cubic(part - k) for k in (-1, 0, 1, 2)}
    return [(_element(padding, aligned, size, whole + k), weight) for k, weight in weights.items()]


def _value(image: Array, axes: list[list[tuple[int | None, float]]], slack: float = 0.0) -> tuple[Array, Array]:
    """What the taps of all axes make of each channel, and the sizes of what was added up; `slack`: of what weights are
    made of, besides them."""
    total, size = np.zeros(len(image)), np.zeros(len(image))
    for taps in product(*axes):
        places, weight = [at for at, _ in taps], np.prod([weight for _, weight in taps])
        term = weight * (0.0 if None in places else wide(image[(slice(None), *places)]))
        rounded = np.prod([abs(weight) + slack for _, weight in taps])
        total = total + term
        size = size + rounded * (0.0 if None in places else np.abs(wide(image[(slice(None), *places)])))
    return total, size


def _grid_sample(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x, grid), mode, padding = operands, word(op, "mode", "linear"), word(op, "padding_mode", "zeros")
    aligned, kind = bool(integer(op, "align_corners")), x.dtype.type
    y, sizes = np.zeros(result_shape(op)), np.zeros(result_shape(op))
    for n, *place in np.ndindex(len(x), *grid.shape[1:-1]):
        if not all(x.shape[2:]):
            continue
        axes: list[list[tuple[int | None, float]]] = []
        for size, at in zip(x.shape[2:], grid[(n, *place)][::-1], strict=True):
            if aligned:
                along = (at + kind(1)) / kind(2) * kind(size - 1)
            else:
                along = ((at + kind(1)) * kind(size) - kind(1)) / kind(2)
            axes.append(_taps(mode, padding, aligned, size, along))
        y[(n, slice(None), *place)], sizes[(n, slice(None), *place)] = _value(x[n], axes, float(mode == "cubic"))
    if mode == "nearest":
        return (y.astype(x.dtype),)
    return (r.settle(y, x.dtype, sizes, 4 ** (x.ndim - 2)),)


def _deform_columns(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, offset, *masks = operands
    height, width = integers(op, "kernel_shape") or []
    down, right = integers(op, "strides") or [1, 1]
    apart, beside = integers(op, "dilations") or [1, 1]
    above, left, *_ = integers(op, "pads") or [0] * 4
    groups, kind, rows, columns = integer(op, "offset_group", 1), x.dtype.type, *offset.shape[2:]
    each = x.shape[1] // groups
    y = np.zeros((len(x), x.shape[1], height * width, rows, columns))
    sizes = np.zeros_like(y)
    for n, group, a, b, i, j in np.ndindex(len(x), groups, height, width, rows, columns):
        tap = group * height * width + a * width + b
        at = (
            kind(i * down - above + a * apart) + offset[n, 2 * tap, i, j],
            kind(j * right - left + b * beside) + offset[n, 2 * tap + 1, i, j],
        )
        if not all(x.shape[2:]):
            continue
        channels = slice(group * each, (group + 1) * each)
        axes = [_taps("linear", "zeros", True, size, along) for size, along in zip(x.shape[2:], at, strict=True)]
        scale = wide(masks[0][n, tap, i, j]) if masks else 1.0
        value, size = _value(x[n, channels], axes)
        y[n, channels, a * width + b, i, j], sizes[n, channels, a * width + b, i, j] = value * scale, size * abs(scale)
    shape = result_shape(op)
    return (r.settle(y.reshape(shape), x.dtype, sizes.reshape(shape), 4),)


def _samples(low: np.floating, high: np.floating, half: bool, bins: int, ratio: int) -> Iterator[list[np.floating]]:
    """The positions of the samples of each bin."""
    kind = type(low)
    length = high - low if half else max(high - low, kind(1))
    each = length / kind(bins)
    count = ratio or max(int(np.ceil(each)), 0)
    for k in range(bins):
        yield [low + kind(k) * each + (kind(s) + kind(0.5)) * each / kind(count) for s in range(count)]


def _corners(x: np.floating, size: int) -> list[tuple[int, float]]:
    """The elements beside a position, and what each counts; none where it is outside."""
    if not -1 <= x <= size:
        return []
    low = int(max(x, 0))
    if low >= size - 1:
        return [(size - 1, 1.0), (size - 1, 0.0)]
    return [(low, 1 - (max(float(x), 0.0) - low)), (low + 1, max(float(x), 0.0) - low)]


def _roi_align(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x, rois, images), kind = operands, operands[0].dtype.type
    half = word(op, "coordinate_transformation_mode", "half_pixel") == "half_pixel"
    scale, shift = kind(number(op, "spatial_scale", 1.0)), kind(0.5 if half else 0)
    largest, ratio = word(op, "mode", "avg") == "max", integer(op, "sampling_ratio")
    y, sizes = np.zeros(result_shape(op)), np.zeros(result_shape(op))
    terms = 1
    for n, (box, image) in enumerate(zip(rois, images, strict=True)):
        if not all(x.shape[2:]):
            continue
        x1, y1, x2, y2 = (edge * scale - shift for edge in box)
        rows = _samples(y1, y2, half, y.shape[2], ratio)
        for i, down in enumerate(rows):
            for j, across in enumerate(_samples(x1, x2, half, y.shape[3], ratio)):
                values: list[Array] = []
                for a, b in product(down, across):
                    parts = [
                        wide(x[image, :, row, column]) * (u * v)
                        for row, u in _corners(a, x.shape[2])
                        for column, v in _corners(b, x.shape[3])
                    ] or [np.zeros(x.shape[1])]
                    values.append(np.max(parts, axis=0) if largest else np.sum(parts, axis=0))
                    sizes[n, :, i, j] += np.sum(np.abs(parts), axis=0)
                if values:
                    y[n, :, i, j] = np.max(values, axis=0) if largest else np.mean(values, axis=0)
                    sizes[n, :, i, j] /= 1 if largest else len(values)
                    terms = max(terms, 4 * len(values))
    return (r.settle(y, x.dtype, sizes, terms),)


SAMPLING: dict[str, Meaning] = {
    "dnn.deform_columns": _deform_columns,
    "dnn.grid_sample": _grid_sample,
    "dnn.roi_align": _roi_align,
}
