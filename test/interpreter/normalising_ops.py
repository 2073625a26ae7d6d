"""Ops that divide elements by what others along some axes come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, wide
from .ir_values import integer, integers, number
from .reducing_ops import count_of
from .rounding import LIMITS, Array, Rounding


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


def _softmax_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Each sum is over as many terms as the axis has."""
    (y, dy), axis = (wide(x) for x in operands), integer(op, "axis", -1)
    dtype, count = operands[0].dtype, operands[0].shape[axis]
    if op.name == "dnn.log_softmax_grad":
        total, far = dy.sum(axis, keepdims=True), np.abs(dy).sum(axis, keepdims=True)
        value, size = dy - np.exp(y) * total, np.abs(dy) + np.exp(y) * (1 + np.abs(y)) * far
    else:
        total, far = (dy * y).sum(axis, keepdims=True), np.abs(dy * y).sum(axis, keepdims=True)
        value, size = y * (dy - total), np.abs(y) * (np.abs(dy) + far)
    finite = np.isfinite(y).all(axis, keepdims=True) & np.isfinite(dy).all(axis, keepdims=True)
    return (r.settle(value, dtype, size, count, np.broadcast_to(~finite, y.shape)),)


UNIT_STEPS = 64
"""Roundings of a mean that its square is built from."""


class _Standardised(NamedTuple):
    """(x - mean) / sqrt(variance + epsilon), and how far off its parts may be.

    Attributes:
        y, mean, inverse: the right numbers; `inverse` is that of the deviation.
        size: of the largest element, as far as the mean may be off.
        worse: how many times the roundings of a result count.
        far: the magnitude of y.
        lost: statistics of which nothing is known.
    """

    y: Array
    mean: Array
    inverse: Array
    size: Array
    worse: Array
    far: Array
    lost: Array


def _standardised(x: Array, axes: tuple[int, ...], epsilon: float) -> _Standardised:
    count = np.float64(count_of(x, axes))
    mean = wide(x).sum(axes, keepdims=True) / count
    variance = np.square(wide(x) - mean).sum(axes, keepdims=True) / count
    inverse = 1 / np.sqrt(variance + epsilon)
    # How far the statistics may be off: the mean by a rounding of the largest element, which the deviation feels too.
    size = np.abs(wide(x)).max(axes, keepdims=True, initial=0.0)
    worse = 1 + size * inverse
    worse = worse + LIMITS[x.dtype].unit * UNIT_STEPS * worse**2
    y = (wide(x) - mean) * inverse
    far = (np.abs(wide(x)) + size) * inverse + np.abs(y) * worse
    lost = ~np.isfinite(size) | (size > np.sqrt(LIMITS[x.dtype].largest / max(1.0, count)) / 2)
    return _Standardised(y, mean, inverse, size, worse, far, lost)


def _scaled(x: Array, parts: _Standardised, scale: Array, bias: Array, terms: float, r: Rounding) -> Array:
    far = np.abs(scale) * parts.far + np.abs(parts.y * scale + bias) * parts.worse + np.abs(bias)
    own = parts.lost | ~np.isfinite(scale) | ~np.isfinite(bias)
    return r.settle(parts.y * scale + bias, x.dtype, far, terms, np.broadcast_to(own, x.shape))


def _layer_norm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale = operands[:2]
    axes = tuple(range(integer(op, "axis", -1) % x.ndim, x.ndim))
    parts, count = _standardised(x, axes, as_number(op, "epsilon", 1e-5, x.dtype)), count_of(x, axes)
    bias = wide(operands[2]) if len(operands) > 2 else np.zeros(())
    statistics = (
        r.settle(parts.mean, x.dtype, parts.size, count, parts.lost),
        r.settle(parts.inverse, x.dtype, parts.inverse * parts.worse, count, parts.lost),
    )
    return (_scaled(x, parts, wide(scale), bias, count, r), *statistics)[: len(op.results)]


def _group_norm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = operands[0]
    groups = integer(op, "num_groups", x.shape[1])
    if not x.size:
        return (x,)
    split = x.reshape(x.shape[0], groups, -1)
    parts = _standardised(split, (2,), as_number(op, "epsilon", 1e-5, x.dtype))
    parts = _Standardised(*(np.broadcast_to(part, split.shape).reshape(x.shape) for part in parts))
    scale, bias = (wide(a).reshape(-1, *(1,) * (x.ndim - 2)) for a in operands[1:])
    return (_scaled(x, parts, scale, bias, split.shape[2], r),)


def _rms_norm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale = operands
    axes = tuple(range(integer(op, "axis", -1) % x.ndim, x.ndim))
    count = np.float64(count_of(x, axes))
    mean = np.square(wide(x)).sum(axes, keepdims=True) / count
    value = wide(x) / np.sqrt(mean + as_number(op, "epsilon", 1e-5, x.dtype)) * wide(scale)
    lost = ~(mean * count < LIMITS[x.dtype].largest / 4) | ~np.isfinite(wide(scale))
    return (r.settle(value, x.dtype, None, count, np.broadcast_to(lost, x.shape)),)


def _mean_variance(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    axes = tuple(a % x.ndim for a in integers(op, "axes") or (0, 2, 3))
    parts = _standardised(x, axes, 0.0)
    deviation = 1 / parts.inverse
    least = float(np.asarray(1e-9).astype(x.dtype))
    value = (wide(x) - parts.mean) / (deviation + least)
    # A deviation that is no more than the roundings of the elements may be anything.
    unit = LIMITS[x.dtype].unit
    lost = parts.lost | (deviation < 16 * unit * parts.size) | (deviation < 1e-6)
    return (r.settle(value, x.dtype, parts.far, count_of(x, axes), np.broadcast_to(lost, x.shape)),)


def _batch_norm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    if integer(op, "channels_last"):
        x = operands[0]
        rank = x.ndim
        first = x.transpose(0, rank - 1, *range(1, rank - 1))
        y, *running = _batch_norm_of_channels(op, [first, *operands[1:]], r)
        return (y.transpose(0, *range(2, rank), 1), *running)
    return _batch_norm_of_channels(op, operands, r)


def _batch_norm_of_channels(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """On x [N, C, …]."""
    x = operands[0]
    if integer(op, "training_mode"):
        return _batch_norm_of_training(op, operands, r)
    scale, bias, mean, variance = (wide(v).reshape(-1, *(1,) * (x.ndim - 2)) for v in operands[1:])
    factor = scale / np.sqrt(variance + as_number(op, "epsilon", 1e-5, x.dtype))
    value = (wide(x) - mean) * factor + bias
    size = (np.abs(wide(x)) + np.abs(mean)) * np.abs(factor) + np.abs(bias)
    most = LIMITS[x.dtype].largest / 4
    lost = ~np.isfinite(wide(x)) | ~np.isfinite(factor + bias + mean) | (np.abs(factor) > most)
    lost |= np.abs(wide(x)) + np.abs(mean) > most  # the difference may be infinite before the factor brings it back
    return (r.settle(value, x.dtype, size, undefined=lost),)


def _batch_norm_of_training(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale, bias, mean, variance = operands
    axes = tuple(a for a in range(x.ndim) if a != 1)
    epsilon, count = as_number(op, "epsilon", 1e-5, x.dtype), count_of(x, axes)
    parts = _standardised(x, axes, epsilon)
    column = (slice(None), *(None for _ in range(x.ndim - 2)))
    y = _scaled(x, parts, wide(scale)[column], wide(bias)[column], count, r)
    share = as_number(op, "momentum", 0.9, x.dtype)
    own = np.square(wide(x) - parts.mean).sum(axes, keepdims=True) / np.float64(count)
    squares = np.square(parts.size) * (1 + LIMITS[x.dtype].unit * UNIT_STEPS)
    running = (
        r.settle(
            share * wide(old) + (1 - share) * new.reshape(-1),
            x.dtype,
            np.abs(share * wide(old)) + np.abs(1 - share) * size.reshape(-1),
            count,
            parts.lost.reshape(-1),
        )
        for old, new, size in ((mean, parts.mean, parts.size), (variance, own, squares))
    )
    saved = (
        r.settle(new.reshape(-1), x.dtype, size.reshape(-1), count, parts.lost.reshape(-1))
        for new, size in ((parts.mean, parts.size), (own, squares))
    )
    return (y, *running, *(saved if len(op.results) > 3 else ()))


def _lrn(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), size = operands, integer(op, "size")
    alpha, beta, bias = (number(op, name, default) for name, default in (("alpha", 1e-4), ("beta", 0.75), ("bias", 1)))
    squares = np.square(wide(x))
    around = np.zeros(x.shape)
    for shift in range(-((size - 1) // 2), size // 2 + 1):
        for channel in range(x.shape[1]):
            if 0 <= channel + shift < x.shape[1]:
                around[:, channel] += squares[:, channel + shift]
    value = x / np.power(bias + alpha / size * around, beta)
    lost = ~(around < LIMITS[x.dtype].largest / 4 / max(1.0, alpha)) | ~np.isfinite(wide(x))
    return (r.settle(value, x.dtype, np.abs(value) * 8, size, lost),)


def _lp_normalization(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axis, p = operands, integer(op, "axis", -1), integer(op, "p", 2)
    total = (np.abs(wide(x)) ** p).sum(axis, keepdims=True)
    limits = LIMITS[x.dtype]
    vague = ((total > 0) & (total < limits.tiny * 64)) | ~(total < limits.largest / 4)
    value = np.where(total == 0, 0.0, wide(x) / total ** (1 / p))
    return (r.settle(value, x.dtype, None, x.shape[axis], np.broadcast_to(vague, x.shape)),)


def _hardmax(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axis = operands, integer(op, "axis", -1)
    if not x.size:
        return (x,)
    places = np.arange(x.shape[axis]).reshape(-1, *(1,) * (x.ndim - 1 - axis % x.ndim))
    return ((places == np.expand_dims(wide(x).argmax(axis), axis)).astype(x.dtype),)


NORMALISING: dict[str, Meaning] = {
    "dnn.softmax": _softmax,
    "dnn.log_softmax": _softmax,
    "dnn.softmax_grad": _softmax_grad,
    "dnn.log_softmax_grad": _softmax_grad,
    "dnn.layer_norm": _layer_norm,
    "dnn.instance_norm": _group_norm,
    "dnn.group_norm": _group_norm,
    "dnn.rms_norm": _rms_norm,
    "dnn.mean_variance_normalization": _mean_variance,
    "dnn.batch_norm": _batch_norm,
    "dnn.lrn": _lrn,
    "dnn.lp_normalization": _lp_normalization,
    "dnn.hardmax": _hardmax,
    "dnn.onnx_op": _hardmax,  # the op that is drawn is Hardmax along the last axis
}
