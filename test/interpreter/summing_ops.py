"""Ops that add up: products of matrices, running sums; quantised weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, wide
from .ir_values import integer, integers, number
from .reducing_ops import finite_size
from .rounding import LIMITS, Array, Rounding, is_float


def _matmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = (_read_in(op, name, x) for name, x in zip(("permA", "permB"), operands, strict=True))
    a = np.moveaxis(a, -1, -2) if integer(op, "transA") else a
    b = np.moveaxis(b, -1, -2) if integer(op, "transB") else b
    if not is_float(a.dtype):
        return (_read_in(op, "perm", np.asarray(np.matmul(a, b))),)
    value, size = np.matmul(wide(a), wide(b)), np.matmul(finite_size(wide(a)), finite_size(wide(b)))
    value, size = (_read_in(op, "perm", np.asarray(x)) for x in (value, size))
    return (r.settle(value, a.dtype, size, a.shape[-1]),)


def _read_in(op: Operation, name: str, x: Array) -> Array:
    """The axes in the order that an attribute states."""
    order = integers(op, name)
    return x if order is None else np.moveaxis(x, order, range(x.ndim))


def _gemm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = operands[:2]
    a, b = a.T if integer(op, "transA") else a, b.T if integer(op, "transB") else b
    if not is_float(a.dtype):
        alpha, beta = (np.asarray(number(op, name, 1)).astype(a.dtype) for name in ("alpha", "beta"))
        product = alpha * np.matmul(a, b)
        return (product + beta * operands[2] if len(operands) > 2 else product,)
    alpha, beta = (as_number(op, name, 1, a.dtype) for name in ("alpha", "beta"))
    product = np.matmul(wide(a), wide(b))
    size = max(1.0, abs(alpha)) * np.matmul(finite_size(wide(a)), finite_size(wide(b)))
    value = alpha * product
    if len(operands) > 2:
        value, size = value + beta * wide(operands[2]), size + max(1.0, abs(beta)) * finite_size(wide(operands[2]))
    return (r.settle(value, a.dtype, size, a.shape[-1]),)


def _cumprod(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    lanes = np.moveaxis(x if not is_float(x.dtype) else wide(x), integer(op, "axis"), 0)
    lanes = lanes[::-1] if integer(op, "reverse") else lanes
    y = np.ones_like(lanes)
    for k in range(integer(op, "exclusive"), len(lanes)):
        y[k] = lanes[0] if k == integer(op, "exclusive") else y[k - 1] * lanes[k - integer(op, "exclusive")]
    y = np.moveaxis(y[::-1] if integer(op, "reverse") else y, 0, integer(op, "axis"))
    return (y if not is_float(x.dtype) else r.settle(y, x.dtype, None, x.shape[integer(op, "axis")]),)


def _cumprod_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Each element's share in every product that it is a factor of."""
    dtype, axis, skip = operands[0].dtype, integer(op, "axis"), integer(op, "exclusive")
    x, dy = (np.moveaxis(wide(array), axis, 0) for array in operands)
    if integer(op, "reverse"):
        x, dy = x[::-1], dy[::-1]
    value, size, lost = np.zeros_like(x), np.zeros_like(x), np.zeros(x.shape, np.bool_)
    limits = LIMITS[dtype]
    for i in range(len(x)):
        before = np.prod(x[:i], 0)
        for k in range(i + skip, len(x)):
            between = np.prod(x[i + 1 : k + 1 - skip], 0)
            value[i] += before * between * dy[k]
            size[i] += np.abs(before * between * dy[k])
            for part in (np.abs(before), np.abs(between * dy[k])):
                lost[i] |= ~(part < limits.largest / len(x)) | ((part < limits.tiny) & (part > 0))
    arrays = (np.moveaxis(a[::-1] if integer(op, "reverse") else a, 0, axis) for a in (value, size, lost))
    value, size, lost = arrays
    return (r.settle(value, dtype, size, 2 * len(x), undefined=lost),)


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
    return (r.settle(summed(wide(x)), x.dtype, summed(finite_size(wide(x))), x.shape[axis]),)


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
    "dnn.cumsum": _cumsum,
    "dnn.cumprod": _cumprod,
    "dnn.cumprod_grad": _cumprod_grad,
    "dnn.gru_weight_scale": _weight_scale,
    "dnn.quantize_weights": _quantize_weights,
}
