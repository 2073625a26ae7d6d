"""Ops that add up: products of matrices, reductions, normalisations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, wide
from .ir_values import integer, integers, number
from .rounding import LIMITS, Array, Rounding, is_float


def _size(x: Array) -> Array:
    """Absolute values; 0 where they are not finite, for what those make of a sum is fixed."""
    return np.where(np.isfinite(x), np.abs(x), 0.0)


def _matmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = operands
    if not is_float(a.dtype):
        return (np.asarray(np.matmul(a, b)),)
    value, size = np.matmul(wide(a), wide(b)), np.matmul(_size(wide(a)), _size(wide(b)))
    return (r.settle(np.asarray(value), a.dtype, np.asarray(size), a.shape[-1]),)


def _gemm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = operands[:2]
    a, b = a.T if integer(op, "transA") else a, b.T if integer(op, "transB") else b
    if not is_float(a.dtype):
        alpha, beta = (np.asarray(number(op, name, 1)).astype(a.dtype) for name in ("alpha", "beta"))
        product = alpha * np.matmul(a, b)
        return (product + beta * operands[2] if len(operands) > 2 else product,)
    alpha, beta = (as_number(op, name, 1, a.dtype) for name in ("alpha", "beta"))
    product = np.matmul(wide(a), wide(b))
    size = max(1.0, abs(alpha)) * np.matmul(_size(wide(a)), _size(wide(b)))
    value = alpha * product
    if len(operands) > 2:
        value, size = value + beta * wide(operands[2]), size + max(1.0, abs(beta)) * _size(wide(operands[2]))
    return (r.settle(value, a.dtype, size, a.shape[-1]),)


def _axes(op: Operation, rank: int) -> tuple[int, ...]:
    axes = integers(op, "axes")
    return tuple(range(rank)) if axes is None else tuple(a % rank for a in axes)


def _reduce_sum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), kept = operands, bool(integer(op, "keepdims"))
    axes = _axes(op, x.ndim)
    if not is_float(x.dtype):
        return (np.asarray(np.sum(x, axes, x.dtype, keepdims=kept)),)
    value, size = np.sum(wide(x), axes, keepdims=kept), np.sum(_size(wide(x)), axes, keepdims=kept)
    return (r.settle(np.asarray(value), x.dtype, np.asarray(size), _count(x, axes)),)


def _reduce_mean(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), kept = operands, bool(integer(op, "keepdims"))
    axes = _axes(op, x.ndim)
    count = _count(x, axes)
    value = np.asarray(np.sum(wide(x), axes, keepdims=kept)) / np.float64(count)
    size = np.asarray(np.sum(_size(wide(x)), axes, keepdims=kept))
    beyond = size > LIMITS[x.dtype].largest / 4
    return (r.settle(value, x.dtype, size / max(1, count), count, undefined=beyond),)


def _count(x: Array, axes: Sequence[int]) -> int:
    return int(np.prod([x.shape[a] for a in axes], dtype=np.int64))


def _cumprod(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    lanes = np.moveaxis(x if not is_float(x.dtype) else wide(x), integer(op, "axis"), 0)
    lanes = lanes[::-1] if integer(op, "reverse") else lanes
    y = np.ones_like(lanes)
    for k in range(integer(op, "exclusive"), len(lanes)):
        y[k] = lanes[0] if k == integer(op, "exclusive") else y[k - 1] * lanes[k - integer(op, "exclusive")]
    y = np.moveaxis(y[::-1] if integer(op, "reverse") else y, 0, integer(op, "axis"))
    return (y if not is_float(x.dtype) else r.settle(y, x.dtype, None, x.shape[integer(op, "axis")]),)


def _cumsum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axis = operands, integer(op, "axis")
    axis %= x.ndim

    def summed(given: Array) -> Array:
        turned = np.flip(given, axis) if integer(op, "reverse") else given
        sums = np.cumsum(turned, axis, given.dtype)
        if integer(op, "exclusive"):
            moved = np.zeros_like(sums)
            before = (slice(None),) * axis
            moved[(*before, slice(1, None))] = sums[(*before, slice(None, -1))]
            sums = moved
        return np.flip(sums, axis) if integer(op, "reverse") else sums

    if not is_float(x.dtype):
        return (summed(x),)
    return (r.settle(summed(wide(x)), x.dtype, summed(_size(wide(x))), x.shape[axis]),)


def _softmax(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axis, is_log = operands, integer(op, "axis", -1), op.name == "dnn.log_softmax"
    if not x.size:
        return (x,)
    largest = wide(x).max(axis, keepdims=True)
    shifted = wide(x) - largest
    total = np.exp(shifted).sum(axis, keepdims=True)
    terms = x.shape[axis]
    undefined = np.broadcast_to(~np.isfinite(largest), x.shape)
    if is_log:
        # oneDNN's logarithm of a number near 1 is some 60 units of rounding off.
        size = np.abs(wide(x)) + np.abs(largest) + np.log(total) + 8
        return (r.settle(shifted - np.log(total), x.dtype, size, terms, undefined),)
    value = np.exp(shifted) / total
    return (r.settle(value, x.dtype, value * (1 + np.minimum(np.abs(shifted), 1e4)), terms, undefined),)


def _layer_norm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale = operands[:2]
    axes = tuple(range(integer(op, "axis", -1) % x.ndim, x.ndim))
    count, epsilon = np.float64(_count(x, axes)), as_number(op, "epsilon", 1e-5, x.dtype)
    mean = wide(x).sum(axes, keepdims=True) / count
    variance = np.square(wide(x) - mean).sum(axes, keepdims=True) / count
    deviation = 1 / np.sqrt(variance + epsilon)
    bias = wide(operands[2]) if len(operands) > 2 else np.zeros(())
    value = (wide(x) - mean) * deviation * wide(scale) + bias
    # How far the statistics may be off: the mean by a rounding of the largest element, which the deviation feels too.
    size = np.abs(wide(x)).max(axes, keepdims=True, initial=0.0)
    worse = 1 + size * deviation
    worse = worse + LIMITS[x.dtype].unit * UNIT_STEPS * worse**2
    far = np.abs(wide(scale)) * (np.abs(wide(x)) + size) * deviation + np.abs(value) * worse + np.abs(bias)
    lost = ~np.isfinite(size) | (size > np.sqrt(LIMITS[x.dtype].largest / max(1.0, count)) / 2)
    own = lost | ~np.isfinite(wide(scale)) | ~np.isfinite(bias)
    y = r.settle(value, x.dtype, far, count, np.broadcast_to(own, x.shape))
    statistics = (
        r.settle(mean, x.dtype, size, count, lost),
        r.settle(deviation, x.dtype, deviation * worse, count, lost),
    )
    return (y, *statistics)[: len(op.results)]


UNIT_STEPS = 64
"""Roundings of a mean that its square is built from."""


def _batch_norm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = operands[0]
    scale, bias, mean, variance = (wide(v).reshape(-1, *(1,) * (x.ndim - 2)) for v in operands[1:])
    factor = scale / np.sqrt(variance + as_number(op, "epsilon", 1e-5, x.dtype))
    value = (wide(x) - mean) * factor + bias
    size = (np.abs(wide(x)) + np.abs(mean)) * np.abs(factor) + np.abs(bias)
    most = LIMITS[x.dtype].largest / 4
    lost = ~np.isfinite(wide(x)) | ~np.isfinite(factor + bias + mean) | (np.abs(factor) > most)
    lost |= np.abs(wide(x)) + np.abs(mean) > most  # the difference may be infinite before the factor brings it back
    return (r.settle(value, x.dtype, size, undefined=lost),)


def _weight_scale(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    largest = np.abs(wide(operands[0])).max(0, initial=0.0).reshape(1, -1)
    steps = 127 / largest
    fits = np.isfinite(steps) & (steps > LIMITS[np.dtype(np.float32)].tiny)
    fits &= steps < LIMITS[np.dtype(np.float32)].largest
    return (r.settle(np.where(fits, steps, 1.0), np.dtype(np.float32)),)


def _quantize_weights(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale = operands
    steps = wide(x) * wide(scale).reshape(x.shape[1:])
    steps = np.rint(r.nudge(steps, np.abs(steps)))
    return (np.clip(np.where(np.isnan(steps), 0.0, steps), -127, 127).astype(np.int8),)


SUMMING: dict[str, Meaning] = {
    "dnn.matmul": _matmul,
    "dnn.gemm": _gemm,
    "dnn.reduce_sum": _reduce_sum,
    "dnn.reduce_mean": _reduce_mean,
    "dnn.cumsum": _cumsum,
    "dnn.cumprod": _cumprod,
    "dnn.softmax": _softmax,
    "dnn.log_softmax": _softmax,
    "dnn.layer_norm": _layer_norm,
    "dnn.batch_norm": _batch_norm,
    "dnn.gru_weight_scale": _weight_scale,
    "dnn.quantize_weights": _quantize_weights,
}
