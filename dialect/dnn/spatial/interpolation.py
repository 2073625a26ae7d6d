"""Interpolation in numpy, one axis after the other. Formulas: ONNX Resize."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.onednn.primitives.coordinates import CROP, CUBIC, NEAREST, AxisMap, ResizeRule


def interpolated(x: Array, rule: ResizeRule, maps: Sequence[AxisMap], extrapolated: float) -> Array:
    """x resized along the axes of `maps`; `extrapolated` is what stands outside of x, where `rule` crops."""
    y = x if rule.mode == NEAREST else x.astype(_sum_type(x.dtype))
    for of in maps:
        positions = rule.positions(of)
        if rule.mode == NEAREST:
            y = np.take(y, rule.nearest(positions, of.source), of.axis)
        else:
            y = _weighted(y, of.axis, *_neighbours(rule, of, positions))
    for of in maps if rule.coordinates == CROP else ():
        positions = rule.positions(of)
        outside = (positions < 0) | (positions > of.source - 1)
        y[(slice(None),) * of.axis + (outside,)] = y.dtype.type(extrapolated)
    if y.dtype == x.dtype:
        return np.array(y) if y is x else y
    if x.dtype.kind in "iu":
        limits = np.iinfo(x.dtype)
        y = np.clip(y, limits.min, limits.max)
    return y.astype(x.dtype)


def _sum_type(dtype: np.dtype) -> np.dtype:
    narrow = dtype.kind not in "iub" and dtype.itemsize <= 4
    return np.dtype(np.float32 if narrow else np.float64)


def _neighbours(rule: ResizeRule, of: AxisMap, positions: Array) -> tuple[Array, Array]:
    """Indices and weights of the elements around each position, [target, neighbours] both."""
    step = min(of.scale, 1.0) if rule.antialias else 1.0
    reach = 2 if rule.mode == CUBIC else 1
    half = -int(np.floor(-reach / step))  # neighbours on either side
    last = np.ceil(positions).astype(np.int64)  # a position on an element counts as behind it
    indices = last[:, None] + np.arange(-half, half)
    distances = np.abs(indices - positions[:, None]) * step
    weights = _cubic(distances, rule.cubic_factor) if rule.mode == CUBIC else np.clip(1 - distances, 0, 1)
    if rule.exclude_outside:
        weights = np.where((indices < 0) | (indices >= of.source), 0.0, weights)
    if rule.exclude_outside or rule.antialias:
        total = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(total == 0, 1.0, total)
    return np.clip(indices, 0, of.source - 1), weights


def _cubic(distances: Array, factor: float) -> Array:
    """Keys' kernel: 1 at 0, and 0 from 2 on."""
    x, a = distances, factor
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def _weighted(x: Array, axis: int, indices: Array, weights: Array) -> Array:
    """The sum of weighted neighbours along the axis."""
    shape = (-1, *(1,) * (x.ndim - axis - 1))
    y = np.zeros((*x.shape[:axis], len(indices), *x.shape[axis + 1 :]), x.dtype)
    for index, weight in zip(indices.T, weights.T, strict=True):
        if np.any(weight):
            y += np.take(x, index, axis) * weight.astype(x.dtype).reshape(shape)
    return y


def weights_of(rule: ResizeRule, maps: Sequence[AxisMap], extrapolated: float) -> Sequence[float]:
    """What `interpolated` computes, as the runtime's kernel reads it (`runtime/cpp/kernels/functions.hpp`)."""
    numbers: list[float] = [extrapolated, len(maps)]
    for of in maps:
        positions = rule.positions(of)
        indices, weights = _neighbours(rule, of, positions)
        read = np.any(weights.astype(np.float32), axis=0)
        is_outside = (positions < 0) | (positions > of.source - 1)
        outside = is_outside if rule.coordinates == CROP else np.zeros(of.target, bool)
        numbers += [of.axis, of.target, int(read.sum()), *indices[:, read].reshape(-1).tolist()]
        numbers += [*weights[:, read].astype(np.float32).reshape(-1).tolist(), *outside.astype(int).tolist()]
    return numbers
