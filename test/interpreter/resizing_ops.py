"""Resizing as a product with one matrix for each axis, made number by number; and ops that move blocks of a plane."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import integer, integers, number, numbers, result_shape, word
from .rounding import Array, Rounding, is_float


def _source(kind: str, at: int, scale: float, source: int, target: int, roi: tuple[float, float]) -> float:
    """Where element `at` of the result is in the operand."""
    width = scale * source
    if kind == "align_corners":
        return 0.0 if width == 1 else at * (source - 1) / (width - 1)
    if kind == "asymmetric":
        return at / scale
    if kind == "tf_crop_and_resize":
        whole = (roi[1] - roi[0]) * (source - 1)
        return roi[0] * (source - 1) + (whole / 2 if width == 1 else at * whole / (width - 1))
    if kind == "pytorch_half_pixel" and width == 1:
        return -0.5
    middle = source / 2 * (1 - target / width) if kind == "half_pixel_symmetric" else 0.0
    return middle + (at + 0.5) / scale - 0.5


def _near(mode: str, x: float) -> int:
    whole = floor(x)
    if mode == "floor" or x == whole:
        return whole
    if mode == "ceil":
        return whole + 1
    half = x - whole
    return whole + (half > 0.5 or (half == 0.5 and mode == "round_prefer_ceil"))


def _kernel(mode: str, x: float, a: float) -> float:
    x = abs(x)
    if mode == "linear":
        return max(0.0, 1 - x)
    if x <= 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0


def _weights(op: Operation, mode: str, x: float, scale: float, size: int) -> Array:
    """What each of `size` elements counts at x."""
    weights = np.zeros(size)
    if mode == "nearest":
        weights[min(max(_near(word(op, "nearest_mode", "round_prefer_floor"), x), 0), size - 1)] = 1
        return weights
    step = min(1.0, scale) if integer(op, "antialias") else 1.0
    reach = ceil((2 if mode == "cubic" else 1) / step)
    total = 0.0
    for element in range(floor(x) - reach - 1, floor(x) + reach + 2):
        weight = _kernel(mode, (element - x) * step, number(op, "cubic_coeff_a", -0.75))
        if integer(op, "exclude_outside") and not 0 <= element < size:
            continue
        total += weight
        weights[min(max(element, 0), size - 1)] += weight
    return weights / total if (integer(op, "exclude_outside") or integer(op, "antialias")) and total else weights


def _resize(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), mode, kind = operands, word(op, "mode", "nearest"), word(op, "coordinate_transformation_mode", "half_pixel")
    outputs = result_shape(op)
    axes = integers(op, "axes") or list(range(x.ndim))
    policy = word(op, "keep_aspect_ratio_policy", "stretch")
    scales = numbers(op, "scales") or [outputs[a] / (x.shape[a] or 1) for a in axes]
    if policy != "stretch":
        ratios = [n / (x.shape[a] or 1) for n, a in zip(integers(op, "sizes") or [], axes, strict=True)]
        scales = [(min if policy == "not_larger" else max)(ratios)] * len(axes)
    roi = numbers(op, "roi") or [0.0] * len(axes) + [1.0] * len(axes)
    value, size, lost = x if mode == "nearest" else wide(x), np.abs(wide(x)), np.zeros(outputs, np.bool_)
    for number_, (axis, scale) in enumerate(zip(axes, scales, strict=True)):
        axis %= x.ndim
        stretch = (roi[number_], roi[len(axes) + number_])
        source, target = x.shape[axis], outputs[axis]
        is_cropped = kind == "tf_crop_and_resize" and stretch != (0.0, 1.0)
        if not target or (source == target and abs(scale - 1) < 1e-9 and not is_cropped):
            continue
        at = [_source(kind, k, scale, source, target, stretch) for k in range(target)]
        matrix = np.array([_weights(op, mode, p, scale, source) for p in at]).reshape(target, source)
        if mode == "nearest":
            value = np.take(value, matrix.argmax(1), axis)
        else:
            value, size = _product(matrix, value, axis), _product(np.abs(matrix), size, axis)
        if kind == "tf_crop_and_resize":
            outside = np.array([p < 0 or p > source - 1 for p in at], np.bool_)
            lost = lost | outside.reshape(-1, *[1] * (x.ndim - axis - 1))
    value = np.where(lost, np.asarray(number(op, "extrapolation_value", 0)).astype(value.dtype), value)
    if mode == "nearest":
        return (value,)
    if not is_float(x.dtype):
        limits = np.iinfo(x.dtype)
        return (np.trunc(np.clip(r.nudge(value, size), limits.min, limits.max)).astype(x.dtype),)
    return (r.settle(value, x.dtype, np.where(lost, 0, 8 * (size + np.abs(value))), 16, ~np.isfinite(value)),)


def _product(matrix: Array, x: Array, axis: int) -> Array:
    return np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)


def _blocks(op: Operation) -> tuple[int, bool]:
    return integer(op, "blocksize", 1), word(op, "mode", "DCR") == "DCR"


def _depth_to_space(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), (b, first) = operands, _blocks(op)
    y = np.empty(result_shape(op), x.dtype)
    channels = y.shape[1]
    for row in range(b):
        for column in range(b):
            part = row * b + column
            taken = x[:, part * channels : (part + 1) * channels] if first else x[:, part :: b * b]
            y[:, :, row::b, column::b] = taken
    return (y,)


def _space_to_depth(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), (b, first) = operands, _blocks(op)
    y, channels = np.empty(result_shape(op), x.dtype), x.shape[1]
    for row in range(b):
        for column in range(b):
            part = row * b + column
            at = slice(part * channels, (part + 1) * channels) if first else slice(part, None, b * b)
            y[:, at] = x[:, :, row::b, column::b]
    return (y,)


def _max_unpool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, indices = operands
    kernel = integers(op, "kernel_shape") or []
    strides, pads = integers(op, "strides") or [1] * len(kernel), integers(op, "pads") or [0] * 2 * len(kernel)
    cut = [pads[k] + pads[k + len(kernel)] for k in range(len(kernel))]
    rows = zip(x.shape[2:], strides, kernel, cut, strict=True)
    whole = (*x.shape[:2], *((n - 1) * s + k - c for n, s, k, c in rows))
    y = np.zeros(whole, x.dtype)
    for at, value in zip(indices.ravel().tolist(), x.ravel(), strict=True):
        y[np.unravel_index(at, whole)] = value
    out = np.zeros(result_shape(op), x.dtype)
    out[tuple(slice(size) for size in whole)] = y
    return (out,)


RESIZING: dict[str, Meaning] = {
    "dnn.resize": _resize,
    "dnn.depth_to_space": _depth_to_space,
    "dnn.space_to_depth": _space_to_depth,
    "dnn.max_unpool": _max_unpool,
}
