"""Packed weights of products, element by element, and what is made of quantised values with f32 between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import wide
from .ir_values import integer, integers, number
from .reducing_ops import finite_size
from .rounding import Array, Rounding


def plain(op: Operation, packed: Array) -> Array:
    """The weights of the sizes that `packed` says; matrices are [depth, columns], others [columns, depth…]."""
    shape = integers(op, "packed")
    if not shape:
        return packed
    groups = integer(op, "group", 1) if len(shape) > 2 else 1
    depth, columns = (shape[0], shape[1]) if len(shape) == 2 else (int(np.prod(shape[1:])), shape[0] // groups)
    quads, strips = -(-depth // 4), -(-columns // 16)
    made = np.zeros((groups, depth, columns), packed.dtype)
    for group, k, c in np.ndindex(made.shape):
        place = (((group * strips + c // 16) * quads + k // 4) * 16 + c % 16) * 4 + k % 4
        made[group, k, c] = (int(packed[place]) + 128) % 256 if packed.dtype == np.uint8 else packed[place]
    return made[0] if len(shape) == 2 else made.swapaxes(1, 2).reshape(shape)


def panelled(packed: Array, depth: int, columns: int) -> Array:
    """[depth, columns] of panels of 32 columns, the last one of 16 where no more are left."""
    wide_panel = -(-columns // 16) * 16

    def place(k: int, c: int) -> int:
        start = c // 32 * 32
        return start * depth + k * min(32, wide_panel - start) + c - start

    weights = np.array([[packed[place(k, c)] for c in range(columns)] for k in range(depth)], packed.dtype)
    return weights.reshape(depth, columns)


def packed_matmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, b, *bias = operands
    depth = x.shape[-1]
    weights = panelled(b, depth, integer(op, "columns", 0))
    read = x[(slice(None), *(slice(None, None, step) for step in integers(op, "steps") or ()))]
    value, size = np.matmul(wide(read), wide(weights)), np.matmul(finite_size(wide(read)), finite_size(wide(weights)))
    for row in bias:
        value, size = value + wide(row), size + finite_size(wide(row))
    return (r.settle(np.asarray(value), x.dtype, np.asarray(size), depth + len(bias)),)


def _bounded(op: Operation, y: Array) -> Array:
    """Between `min` and `max`; NaN is the first of them that there is."""
    for name, choose in (("min", np.fmax), ("max", np.fmin)):
        if name in op.attributes:
            y = choose(y, np.float32(number(op, name, 0)))
    return np.asarray(y, np.float32)


def scaled_matmul_integer(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b, a_scale, *rest = operands
    given, optional = integers(op, "operandSegmentSizes") or (1,) * 7, iter(rest)
    b_scale, a_zero, b_zero, bias = (next(optional) if size else None for size in given[3:])
    left = a.astype(np.int64) - (0 if a_zero is None else _down(a_zero))
    right = plain(op, b).astype(np.int64) - (0 if b_zero is None else b_zero)
    with np.errstate(all="ignore"):
        factor = a_scale if b_scale is None else a_scale * b_scale
        y = np.asarray(np.matmul(left, right)).astype(np.int32).astype(np.float32)
        y = y * (factor.reshape(()) if factor.size == 1 else factor)
        y = y if bias is None else y + (bias.reshape(()) if bias.size == 1 else bias)
    return (_bounded(op, y),)


def scaled(op: Operation, sums: Array, x_scale: Array, w_scale: Array | None, bias: Array | None) -> Array:
    """Sums of a convolution, which scales and bias broadcast to."""
    with np.errstate(all="ignore"):
        y = sums.astype(np.float32) * (x_scale.reshape(()) if w_scale is None else x_scale.reshape(()) * w_scale)
        return _bounded(op, y if bias is None else y + bias)


def _down(parameter: Array) -> Array:
    return parameter.reshape(-1, 1) if parameter.ndim == 1 and parameter.size > 1 else parameter


def qlinear_add(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = operands
    limits = np.iinfo(y_zero.dtype)
    in_steps, y_scale, zero = integer(op, "in_steps"), y_scale.reshape(()), int(y_zero.reshape(()))
    with np.errstate(all="ignore"):
        a_scale, b_scale = (s.reshape(()) / y_scale if in_steps else s.reshape(()) for s in (a_scale, b_scale))
        left = (a.astype(np.int64) - int(a_zero.reshape(()))).astype(np.float32) * a_scale
        right = (b.astype(np.int64) - int(b_zero.reshape(()))).astype(np.float32) * b_scale
        if in_steps:
            steps = np.rint(left + right + np.float32(zero))
        else:
            steps = np.rint(np.asarray((left + right) / y_scale, np.float64)) + zero
    value = np.clip(np.where(np.isnan(steps), limits.min, steps), limits.min, limits.max)
    return (np.asarray(value).astype(y_zero.dtype),)
