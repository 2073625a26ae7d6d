"""Ops of one operand that compute each element from the element at the same place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation

from .ir_values import dtype_of, integer, number, word
from .rounding import LIMITS, Array, Rounding, is_float

Meaning = Callable[[Operation, Sequence[Array], Rounding], Sequence[Array]]
"""What an op makes of its operands: fresh arrays, or the operands themselves."""


def wide(x: Array) -> Array:
    return x.astype(np.float64)


def as_number(op: Operation, name: str, default: float, dtype: np.dtype) -> float:
    """A number attribute as the kernel multiplies with it, in the elements' type."""
    return float(np.asarray(number(op, name, default)).astype(dtype).astype(np.float64))


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


def erf(x: Array) -> Array:
    return np.fromiter((math.erf(v) for v in x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


def _gelu(op: Operation, x: Array) -> Array:
    if word(op, "approximate", "none") == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


def _log_of_sum(x: Array, added: float) -> Array:
    """log(x + sqrt(x * x + added)) for x >= 0, also where x * x is beyond the largest number or `added` nearly all."""
    large = np.abs(x) > 1e100
    less = np.where(large, 1.0, x)
    if added > 0:
        near = np.log1p(less + np.square(less) / (1 + np.sqrt(np.square(less) + 1)))
    else:
        less = np.where(x < 1, np.nan, less)
        near = np.log1p((less - 1) + np.sqrt((less - 1) * (less + 1)))
    return np.where(large, np.log(x) + math.log(2), near)


def _celu(op: Operation, x: Array) -> Array:
    alpha = number(op, "alpha", 1.0)
    return np.where(x > 0, x, alpha * np.expm1(np.where(x > 0, 0.0, x) / alpha))


def _selu_numbers(op: Operation) -> tuple[float, float]:
    gamma = number(op, "gamma", 1.05070102214813232421875)
    return gamma, gamma * number(op, "alpha", 1.67326319217681884765625)


def _selu(op: Operation, x: Array) -> Array:
    up, down = _selu_numbers(op)
    return np.where(x > 0, up * x, down * np.expm1(np.where(x > 0, 0.0, x)))


def _hard_sigmoid(op: Operation, x: Array) -> Array:
    return np.clip(number(op, "alpha", 0.2) * x + number(op, "beta", 0.5), 0, 1)


def _hard_sigmoid_terms(op: Operation, x: Array) -> Array:
    line = np.abs(number(op, "alpha", 0.2) * x) + abs(number(op, "beta", 0.5))
    return np.where(np.isfinite(x), np.minimum(line, 2 + 2 * abs(number(op, "beta", 0.5))), 0.0)


def _round(x: Array) -> Array:
    """The whole number below, the one above, or of two equally near ones the even one."""
    low = np.floor(x)
    rest = x - low
    up = (rest > 0.5) | ((rest == 0.5) & (np.fmod(low, x.dtype.type(2)) != 0))
    return np.copysign(np.where(np.isfinite(x), np.where(up, low + x.dtype.type(1), low), x), x)


def _sign(x: Array) -> Array:
    return np.where(x != x, x, (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype))


def _thresholded(op: Operation, x: Array) -> Array:
    return np.where(x > np.asarray(number(op, "alpha", 1.0)).astype(x.dtype), x, np.zeros((), x.dtype))


def _shrink(op: Operation, x: Array) -> Array:
    limit, bias = number(op, "lambd", 0.5), np.asarray(number(op, "bias", 0.0)).astype(x.dtype)
    bound = np.asarray(limit).astype(x.dtype) if is_float(x.dtype) else math.floor(limit)
    up, down = x > bound, x < -bound
    # Where lambd is negative, both hold for some numbers, and the first condition counts.
    return np.where(down, x + bias, np.where(up, x - bias, np.zeros((), x.dtype)))


def _is_inf(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    signs = np.where(np.signbit(x), integer(op, "detect_negative", 1), integer(op, "detect_positive", 1))
    return (~np.isfinite(x) & (x == x) & (signs != 0),)


def _silu(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """x times sigmoid, which may be 0 where it is below the smallest normal number."""
    (x,) = operands
    sigmoid = r.settle(1 / (1 + np.exp(-number(op, "alpha", 1.0) * wide(x))), x.dtype)
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


def exact(compute: Callable[..., Array]) -> Meaning:
    """An op of which IEEE arithmetic, or that of integers, fixes every bit."""
    return lambda op, operands, r: (np.asarray(compute(*operands)),)


ELEMENTWISE: dict[str, Meaning] = {
    "dnn.relu": _relu,
    "dnn.sigmoid": _rounding(lambda op, x: 1 / (1 + np.exp(-x))),
    "dnn.tanh": _rounding(lambda op, x: np.tanh(x)),
    "dnn.gelu": _rounding(_gelu, lambda op, x: x, finite=True),
    "dnn.silu": _silu,
    "dnn.leaky_relu": _rounding(_leaky_relu),
    "dnn.elu": _rounding(_elu, lambda op, x: np.where(x == 0, 0.0, number(op, "alpha", 1.0)), finite=True),
    "dnn.exp": _rounding(lambda op, x: np.exp(x)),
    "dnn.sqrt": exact(np.sqrt),
    "dnn.abs": exact(np.abs),
    "dnn.neg": exact(np.negative),
    "dnn.clip": _clip,
    "dnn.scale": _scale,
    **{
        f"dnn.{name}": _rounding(compute)
        for name, compute in {
            "log": lambda op, x: np.log2(x) * math.log(2),
            "sin": lambda op, x: np.imag(np.exp(1j * x)),
            "cos": lambda op, x: np.real(np.exp(1j * x)),
            "asin": lambda op, x: np.arctan2(x, np.sqrt((1 - x) * (1 + x))),
            "acos": lambda op, x: 2 * np.arctan2(np.sqrt(1 - x), np.sqrt(1 + x)),
            "atan": lambda op, x: np.arctan2(x, 1.0),
            "sinh": lambda op, x: np.where(np.abs(x) < 1e-4, x + x**3 / 6, (np.exp(x) - np.exp(-x)) / 2),
            "cosh": lambda op, x: (np.exp(x) + np.exp(-x)) / 2,
            "asinh": lambda op, x: np.sign(x) * _log_of_sum(np.abs(x), 1.0),
            "acosh": lambda op, x: _log_of_sum(x, -1.0),
            "atanh": lambda op, x: (np.log1p(x) - np.log1p(-x)) / 2,
            "softplus": lambda op, x: np.logaddexp(0, x),
        }.items()
    },
    "dnn.tan": _rounding(lambda op, x: np.tan(x)),
    "dnn.erf": _rounding(lambda op, x: erf(x)),
    "dnn.softsign": _rounding(lambda op, x: np.sign(x) * (1 - 1 / (1 + np.abs(x))), lambda op, x: x, finite=True),
    "dnn.celu": _rounding(_celu, lambda op, x: number(op, "alpha", 1.0) * np.sign(x), finite=True),
    "dnn.selu": _rounding(_selu, lambda op, x: _selu_numbers(op)[0] * np.sign(x), finite=True),
    "dnn.mish": _rounding(lambda op, x: x * np.tanh(np.logaddexp(0, x)), lambda op, x: x, finite=True),
    "dnn.hard_sigmoid": _rounding(_hard_sigmoid, _hard_sigmoid_terms),
    "dnn.hard_swish": _rounding(lambda op, x: x * np.clip(x / 6 + 0.5, 0, 1), lambda op, x: x, finite=True),
    "dnn.reciprocal": exact(lambda x: np.divide(np.ones((), x.dtype), x)),
    "dnn.ceil": exact(lambda x: -np.floor(-x)),
    "dnn.floor": exact(lambda x: -np.ceil(-x)),
    "dnn.round": exact(_round),
    "dnn.sign": exact(_sign),
    "dnn.thresholded_relu": lambda op, operands, r: (_thresholded(op, operands[0]),),
    "dnn.shrink": lambda op, operands, r: (_shrink(op, operands[0]),),
    "dnn.is_nan": exact(lambda x: x != x),
    "dnn.is_inf": _is_inf,
    "dnn.not": exact(lambda x: x == np.False_),
    "dnn.bitwise_not": exact(lambda x: x ^ np.array(-1).astype(x.dtype)),
    "dnn.cast": _cast,
}
