"""Ops that make one element of those along some axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import integer, integers
from .rounding import LIMITS, Array, Rounding, is_float


def _axes(op: Operation, rank: int) -> tuple[int, ...]:
    axes = integers(op, "axes")
    return tuple(range(rank)) if axes is None else tuple(a % rank for a in axes)


def count_of(x: Array, axes: Sequence[int]) -> int:
    """How many elements become one."""
    return int(np.prod([x.shape[a] for a in axes], dtype=np.int64))


def finite_size(x: Array) -> Array:
    """Absolute values; 0 where they are not finite, for what those make of a sum is fixed."""
    return np.where(np.isfinite(x), np.abs(x), 0.0)


class _Along:
    """What an op reduces, and the sum of anything along the same axes."""

    def __init__(self, op: Operation, x: Array) -> None:
        self.axes, self.kept = _axes(op, x.ndim), bool(integer(op, "keepdims"))
        self.count = count_of(x, self.axes)

    def sum(self, terms: Array) -> Array:
        return np.asarray(np.sum(terms, self.axes, terms.dtype, keepdims=self.kept))


def _sum_of(term: Callable[[Array], Array]) -> Meaning:
    """The sum of what `term` makes of each element."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        (x,) = operands
        along = _Along(op, x)
        if not is_float(x.dtype):
            return (along.sum(term(x)),)
        terms = term(wide(x))
        return (r.settle(along.sum(terms), x.dtype, along.sum(finite_size(terms)), along.count),)

    return meaning


def _reduce_mean(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), along = operands, _Along(op, operands[0])
    if not is_float(x.dtype):
        total = along.sum(x)
        quotient = np.abs(total) // max(1, along.count)
        return (np.where(total < 0, -quotient, quotient).astype(x.dtype),)
    value = along.sum(wide(x)) / np.float64(along.count)
    size = along.sum(finite_size(wide(x)))
    beyond = size > LIMITS[x.dtype].largest / 4
    return (r.settle(value, x.dtype, size / max(1, along.count), along.count, undefined=beyond),)


def _reduce_prod(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), along = operands, _Along(op, operands[0])
    product = np.asarray(np.prod(x if not is_float(x.dtype) else wide(x), along.axes, keepdims=along.kept))
    if not is_float(x.dtype):
        return (product.astype(x.dtype),)
    # Factors are taken in any order: some of them alone may overflow, or underflow.
    powers = np.log2(np.where(finite_size(wide(x)) > 0, np.abs(wide(x)), 1.0))
    limits = LIMITS[x.dtype]
    lost = along.sum(np.maximum(powers, 0)) > np.log2(limits.largest) - 2
    lost |= along.sum(np.minimum(powers, 0)) < np.log2(limits.tiny) + 2
    return (r.settle(product, x.dtype, None, along.count, undefined=lost),)


def _extremum(largest: bool) -> Meaning:
    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        (x,), along = operands, _Along(op, operands[0])
        if is_float(x.dtype):
            neutral = -np.inf if largest else np.inf
        elif x.dtype == np.bool_:
            neutral = not largest
        else:
            neutral = np.iinfo(x.dtype).min if largest else np.iinfo(x.dtype).max
        select = np.max if largest else np.min
        numbers = wide(x) if is_float(x.dtype) else x
        y = np.asarray(select(numbers, along.axes, keepdims=along.kept, initial=neutral)).astype(x.dtype)
        return (r.either_zero(y, np.ones(y.shape, np.bool_)),)

    return meaning


def _reduce_l2(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), along = operands, _Along(op, operands[0])
    squares = along.sum(np.square(wide(x)))
    if not is_float(x.dtype):
        return (np.trunc(np.sqrt(squares)).astype(x.dtype),)
    settled = r.settle(squares, x.dtype, finite_size(squares), along.count)
    return (r.settle(np.sqrt(np.maximum(wide(settled), 0.0)), x.dtype),)


def _reduce_log_sum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), along = operands, _Along(op, operands[0])
    total = r.settle(along.sum(wide(x)), x.dtype, along.sum(finite_size(wide(x))), along.count)
    logarithm = np.log(wide(total))
    return (r.settle(logarithm, x.dtype, np.abs(logarithm) + 1),)


def _reduce_log_sum_exp(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), along = operands, _Along(op, operands[0])
    largest = np.asarray(wide(x).max(along.axes, keepdims=True, initial=-np.inf))
    shift = np.where(np.isfinite(largest), largest, 0.0)
    total = along.sum(np.exp(wide(x) - shift))
    value = np.log(total) + shift.reshape(total.shape)
    size = np.abs(shift).reshape(total.shape) + finite_size(np.log(total)) + 1
    return (r.settle(value, x.dtype, size, along.count),)


REDUCING: dict[str, Meaning] = {
    "dnn.reduce_sum": _sum_of(lambda x: x),
    "dnn.reduce_mean": _reduce_mean,
    "dnn.reduce_prod": _reduce_prod,
    "dnn.reduce_max": _extremum(largest=True),
    "dnn.reduce_min": _extremum(largest=False),
    "dnn.reduce_l1": _sum_of(np.abs),
    "dnn.reduce_sum_square": _sum_of(np.square),
    "dnn.reduce_l2": _reduce_l2,
    "dnn.reduce_log_sum": _reduce_log_sum,
    "dnn.reduce_log_sum_exp": _reduce_log_sum_exp,
}
