"""Ops that compute each element from the elements at the same place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation

from .ir_values import dtype_of, integer, number, result_shape, word
from .rounding import LIMITS, Array, Rounding, is_float

Meaning = Callable[[Operation, Sequence[Array], Rounding], Sequence[Array]]
"""What an op makes of its operands: fresh arrays, or the operands themselves."""


def wide(x: Array) -> Array:
    return x.astype(np.float64)


def as_number(op: Operation, name: str, default: float, dtype: np.dtype) -> float:
    """A number attribute as the kernel multiplies with it, in the elements' type."""
    return float(np.asarray(number(op, name, default)).astype(dtype).astype(np.float64))


# One operand.


def _rounding(
    compute: Callable[[Operation, Array], Array],
    magnitude: Callable[[Operation, Array], Array] | None = None,
    finite: bool = False,
) -> Meaning:
    """An op that rounds. Of NaN nothing is promised; with `finite`, neither of infinities: engines differ there."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        (x,) = operands
        value = compute(op, wide(x))
        size = None if magnitude is None else np.abs(value) + np.abs(magnitude(op, wide(x)))
        return (r.settle(value, x.dtype, size, undefined=~np.isfinite(x) if finite else np.isnan(x)),)

    return meaning


def _gelu(op: Operation, x: Array) -> Array:
    if word(op, "approximate", "none") == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    erf = np.fromiter((math.erf(v) for v in (x / math.sqrt(2)).ravel().tolist()), np.float64, x.size)
    return 0.5 * x * (1 + erf.reshape(x.shape))


def _silu(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """x times sigmoid, which may be 0 where it is below the smallest normal number."""
    (x,) = operands
    sigmoid = r.settle(1 / (1 + np.exp(-wide(x))), x.dtype)
    return (r.settle(wide(x) * wide(sigmoid), x.dtype, undefined=~np.isfinite(x)),)


def _elu(op: Operation, x: Array) -> Array:
    return np.where(x > 0, x, number(op, "alpha", 1.0) * np.expm1(np.where(x > 0, 0.0, x)))


def _leaky_relu(op: Operation, x: Array) -> Array:
    return np.where(x > 0, x, number(op, "alpha", 0.01) * x)


def _relu(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    return (np.where(x > 0, x, np.zeros((), x.dtype)),)


def _clip(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    y = x
    for name, other in (("min", np.greater), ("max", np.less)):
        if name in op.attributes:
            bound = np.asarray(number(op, name, 0)).astype(x.dtype)
            y = np.where(other(y, bound), y, bound)
    return (r.either_zero(y, np.ones(x.shape, np.bool_)),)


def _scale(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    before = not integer(op, "bias_after_scale", 1)
    if not is_float(x.dtype):
        factor, bias = (np.asarray(number(op, name, d)).astype(x.dtype) for name, d in (("scale", 1), ("bias", 0)))
        return (factor * (x + bias) if before else factor * x + bias,)
    factor, bias = as_number(op, "scale", 1, x.dtype), as_number(op, "bias", 0, x.dtype)
    added = bias * factor if before else bias
    y = factor * (wide(x) + bias) if before else factor * wide(x) + bias
    lost = ~np.isfinite(x)
    if before:  # the sum may be beyond the largest number before the factor brings it back
        lost |= np.abs(wide(x)) + abs(bias) > LIMITS[x.dtype].largest / 4
    return (r.settle(y, x.dtype, np.abs(factor * wide(x)) + abs(added), undefined=lost),)


def _cast(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), dtype = operands, dtype_of(op.results[0].type)
    if not is_float(x.dtype) or is_float(dtype):
        return (x.astype(dtype),)
    if dtype == np.bool_:
        return (x != 0,)
    whole, limits = np.trunc(wide(x)), np.iinfo(dtype)
    fits = (whole >= float(limits.min)) & (whole < float(limits.max))
    return (r.known(np.where(fits, whole, 0).astype(dtype), ~fits),)


# Several operands.


def _exact(compute: Callable[..., Array]) -> Meaning:
    """An op of which IEEE arithmetic, or that of integers, fixes every bit."""
    return lambda op, operands, r: (np.asarray(compute(*operands)),)


def _divide(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (a, b), dtype = operands, dtype_of(op.results[0].type)
    if is_float(a.dtype):
        return (np.asarray(np.divide(a, b)),)
    if is_float(dtype):
        return (np.asarray(wide(a) / wide(b)).astype(dtype),)
    a, b = np.broadcast_arrays(a, b)
    by = np.where(b == 0, 1, b)
    quotient = np.floor_divide(np.abs(a), np.abs(by)) * np.sign(a) * np.sign(by)
    return (np.where(b == 0, 0, quotient).astype(a.dtype),)


def _power(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = operands
    if is_float(a.dtype):
        return (r.settle(np.power(wide(a), wide(b)), a.dtype),)
    return (np.power(a, b).astype(a.dtype),)


def _extremum(smaller: bool) -> Meaning:
    """NaN where either is; which of two zeros of different sign is taken is open."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        a, b = np.broadcast_arrays(*operands)
        first = (a < b) if smaller else (a > b)
        y = np.where(first | (a != a), a, b)
        if not is_float(y.dtype):
            return (y,)
        return (r.either_zero(y, (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))),)

    return meaning


def _sum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    if len(operands) < 3 or not is_float(operands[0].dtype):
        total = operands[0]
        for operand in operands[1:]:
            total = total + operand
        return (total,)
    terms = [wide(x) for x in operands]
    return (r.settle(sum(terms[1:], terms[0]), operands[0].dtype, _finite_sum(terms)),)


def _finite_sum(terms: Sequence[Array]) -> Array:
    """The sum of absolute values, infinities and NaN left out: what they make of a sum is fixed."""
    found = [np.where(np.isfinite(t), np.abs(t), 0.0) for t in terms]
    return sum(found[1:], found[0])


def _addcmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    base, t1, t2 = operands
    if not is_float(base.dtype):
        return (base + np.asarray(number(op, "value", 1)).astype(t1.dtype) * t1 * t2,)
    factor = as_number(op, "value", 1, base.dtype)
    first = wide(t1) * factor
    # The first product rounds, to 0 or beyond the largest number perhaps, before the second brings it back.
    beyond = np.nan_to_num(np.abs(first), nan=0.0, posinf=0.0) > LIMITS[base.dtype].largest / 4
    product = (first if factor == 1 else wide(r.settle(first, base.dtype))) * wide(t2)
    beyond = np.broadcast_to(beyond, np.broadcast_shapes(*(o.shape for o in operands)))
    terms = np.broadcast_arrays(wide(base), product)
    return (r.settle(terms[0] + terms[1], base.dtype, _finite_sum(terms), undefined=beyond),)


def _comparison(compute: np.ufunc) -> Meaning:
    return lambda op, operands, r: (np.asarray(compute(*operands)).astype(dtype_of(op.results[0].type)),)


def _masked_fill(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, mask = operands
    return (np.where(mask, np.asarray(number(op, "value", 0)).astype(x.dtype), x),)


def _relu_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    y, dy = operands
    return (np.where(y > 0, dy, np.zeros((), dy.dtype)),)


def _negate_gate(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    third = ("update", "reset", "candidate").index(word(op, "gate", ""))
    parts = [x[:, k : k + 1] for k in range(3)] if x.ndim == 3 else np.split(x, 3, axis=1)
    return (np.concatenate([-p if k == third else p for k, p in enumerate(parts)], axis=1),)


def _filled(value: float | None) -> Meaning:
    """One number everywhere; the operand, if there is one, gives unknown sizes alone."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        shape = result_shape(op, operands[0] if operands else None)
        filling = number(op, "value", 0) if value is None else value
        return (np.full(shape, filling).astype(dtype_of(op.results[0].type)),)

    return meaning


ELEMENTWISE: dict[str, Meaning] = {
    "dnn.relu": _relu,
    "dnn.sigmoid": _rounding(lambda op, x: 1 / (1 + np.exp(-x))),
    "dnn.tanh": _rounding(lambda op, x: np.tanh(x)),
    "dnn.gelu": _rounding(_gelu, lambda op, x: x, finite=True),
    "dnn.silu": _silu,
    "dnn.leaky_relu": _rounding(_leaky_relu),
    "dnn.elu": _rounding(_elu, lambda op, x: np.where(x == 0, 0.0, number(op, "alpha", 1.0)), finite=True),
    "dnn.exp": _rounding(lambda op, x: np.exp(x)),
    "dnn.sqrt": _exact(np.sqrt),
    "dnn.abs": _exact(np.abs),
    "dnn.neg": _exact(np.negative),
    "dnn.clip": _clip,
    "dnn.scale": _scale,
    "dnn.add": _exact(np.add),
    "dnn.sub": _exact(np.subtract),
    "dnn.mul": _exact(np.multiply),
    "dnn.div": _divide,
    "dnn.pow": _power,
    "dnn.maximum": _extremum(False),
    "dnn.minimum": _extremum(True),
    "dnn.sum": _sum,
    "dnn.addcmul": _addcmul,
    "dnn.cast": _cast,
    "dnn.less": _comparison(np.less),
    "dnn.less_or_equal": _comparison(np.less_equal),
    "dnn.greater": _comparison(np.greater),
    "dnn.greater_or_equal": _comparison(np.greater_equal),
    "dnn.equal": _comparison(np.equal),
    "dnn.where": _exact(np.where),
    "dnn.masked_fill": _masked_fill,
    "dnn.relu_grad": _relu_grad,
    "dnn.negate_gate": _negate_gate,
    "dnn.fill": _filled(None),
    "dnn.zeros": _filled(0),
    "dnn.ones": _filled(1),
    "dnn.zero_bias": _filled(0),
}
