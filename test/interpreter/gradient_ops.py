"""Gradients of ops that compute each element from the elements at the same place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, erf, wide
from .ir_values import number, word
from .rounding import Array, Rounding


def _relu_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    y, dy = operands
    value, cut = np.where(y > 0, dy, np.zeros((), dy.dtype)), ~(y > 0)
    # oneDNN multiplies by 0: that keeps the sign of dy, and makes NaN of an infinity.
    return (r.either_zero(r.known(value, cut & ~np.isfinite(wide(dy))), cut),)


def _gradient(
    slope: Callable[[Operation, Array], Array], magnitude: Callable[[Operation, Array], Array] | None = None
) -> Meaning:
    """dy times the derivative at a value. Where that value is not finite, nothing is promised.

    Args:
        magnitude: the sum of the absolute values of what the derivative adds up, where it is more than the derivative.
    """

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        value, dy = (wide(x) for x in operands)
        steep = slope(op, value)
        size = np.abs(dy * steep) if magnitude is None else np.abs(dy) * (np.abs(steep) + magnitude(op, value))
        undefined = ~np.isfinite(value) | ~np.isfinite(dy)
        return (r.settle(dy * steep, operands[1].dtype, size, terms=8, undefined=undefined),)

    return meaning


def _gelu_slope(op: Operation, x: Array) -> Array:
    """The derivative of each of the two factors, added."""
    if word(op, "approximate", "none") == "tanh":
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        steep = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * np.square(x))
        return 0.5 * (1 + np.tanh(inner)) + 0.5 * x * steep / np.square(np.cosh(np.clip(inner, -300, 300)))
    return 0.5 * (1 + erf(x / math.sqrt(2))) + x * np.exp(-np.square(x) / 2) / math.sqrt(2 * math.pi)


def _silu_slope(op: Operation, x: Array) -> Array:
    line = number(op, "alpha", 1.0) * x
    gate = np.exp(-np.logaddexp(0, -line))
    return gate + line * gate * np.exp(-np.logaddexp(0, line))


def _mish_slope(op: Operation, x: Array) -> Array:
    gate = np.tanh(np.logaddexp(0, x))
    return gate + x * (1 - gate) * (1 + gate) * np.exp(-np.logaddexp(0, -x))


def _elu_slope(op: Operation, y: Array) -> Array:
    above, factor, shift = (number(op, name, 1.0) for name in ("above", "slope", "shift"))
    return np.where(y > 0, above, factor * y + shift)


def _elu_terms(op: Operation, y: Array) -> Array:
    above, factor, shift = (abs(number(op, name, 1.0)) for name in ("above", "slope", "shift"))
    return np.where(y > 0, above, factor * np.abs(y) + shift)


def _hard_swish_slope(op: Operation, x: Array) -> Array:
    return np.where(np.abs(x) < 3, x / 3 + 0.5, np.where(x > 0, 1.0, 0.0))


def _clip_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    y, dy = operands
    low, high = (np.asarray(number(op, name, default)).astype(y.dtype) for name, default in _NO_BOUNDS)
    inner = (y > low) | (("min" not in op.attributes) & (y == y))
    inner &= (y < high) | ("max" not in op.attributes)
    return (np.where(inner, dy, np.zeros((), dy.dtype)),)


_NO_BOUNDS = (("min", -math.inf), ("max", math.inf))


def _larger_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b, dy = operands
    share = 1 - (a < b).astype(dy.dtype) - (a == b).astype(dy.dtype) / dy.dtype.type(2)
    return (np.where(share == 0, np.zeros((), dy.dtype), dy * share.astype(dy.dtype)),)


GRADIENTS: dict[str, Meaning] = {
    "dnn.relu_grad": _relu_grad,
    "dnn.sigmoid_grad": _gradient(lambda op, y: y - np.square(y), lambda op, y: np.abs(y) + np.square(y)),
    "dnn.tanh_grad": _gradient(lambda op, y: 1 - np.square(y), lambda op, y: 1 + np.square(y)),
    "dnn.softplus_grad": _gradient(lambda op, y: 1 - np.exp(-y), lambda op, y: 1 + np.exp(-y)),
    "dnn.leaky_relu_grad": _gradient(
        lambda op, y: np.where(y > 0, 1.0, as_number(op, "alpha", 0.01, np.dtype(np.float64)))
    ),
    "dnn.elu_grad": _gradient(_elu_slope, _elu_terms),
    "dnn.gelu_grad": _gradient(_gelu_slope, lambda op, x: 1 + np.abs(x)),
    "dnn.silu_grad": _gradient(_silu_slope, lambda op, x: 1 + np.abs(number(op, "alpha", 1.0) * x)),
    "dnn.mish_grad": _gradient(_mish_slope, lambda op, x: 1 + np.abs(x)),
    "dnn.hard_swish_grad": _gradient(_hard_swish_slope, lambda op, x: np.where(np.abs(x) < 3, 2.0, 1.0)),
    "dnn.clip_grad": _clip_grad,
    "dnn.larger_grad": _larger_grad,
}
