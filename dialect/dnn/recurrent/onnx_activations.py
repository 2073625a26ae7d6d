"""The activations of ONNX's recurrent ops, in place on arrays, with their alpha and beta, and their derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, Activation
from lastuse.dialect.dnn.recurrent.gru_gradient_base import SLOPES


class Parametric(NamedTuple):
    """An activation of a number of parameters.

    Attributes:
        defaults: of alpha and of beta, as far as it takes them, those of ONNX's op of that name; None for none.
        function: (x, *parameters), in place.
        slope: (x, y, *parameters), the derivative at x, where the result is y.
    """

    defaults: tuple[float | None, ...]
    function: Callable[..., object]
    slope: Callable[..., Array]


class Gate(NamedTuple):
    """An activation with its numbers.

    Attributes:
        function: in place.
        slope: (x, y), the derivative.
        limit: what goes into the function is within it; infinite where there is none.
    """

    function: Activation
    slope: Callable[[Array, Array], Array]
    limit: float = math.inf

    def of(self, sums: Array) -> tuple[Array, Array]:
        """The result, and the derivative."""
        if self.limit == math.inf:
            x, inside = sums, None
        else:
            limit = sums.dtype.type(self.limit)
            x, inside = np.clip(sums, -limit, limit), np.abs(sums) <= limit
        y = np.array(x, order="C")
        self.function(y)
        slope = self.slope(x, y)
        return y, slope if inside is None else slope * inside


def _affine(x: Array, alpha: float, beta: float) -> None:
    np.multiply(x, x.dtype.type(alpha), out=x)
    np.add(x, x.dtype.type(beta), out=x)


def _hard_sigmoid(x: Array, alpha: float, beta: float) -> None:
    _affine(x, alpha, beta)
    np.clip(x, 0, 1, out=x)


def _scaled_tanh(x: Array, alpha: float, beta: float) -> None:
    np.multiply(x, x.dtype.type(beta), out=x)
    np.tanh(x, out=x)
    np.multiply(x, x.dtype.type(alpha), out=x)


def _leaky_relu(x: Array, alpha: float) -> None:
    np.multiply(x, x.dtype.type(alpha), out=x, where=x < 0)


def _thresholded_relu(x: Array, alpha: float) -> None:
    x[x <= x.dtype.type(alpha)] = 0


def _elu(x: Array, alpha: float) -> None:
    below = x < 0
    np.expm1(x, out=x, where=below)
    np.multiply(x, x.dtype.type(alpha), out=x, where=below)


def _softsign(x: Array) -> None:
    np.divide(x, 1 + np.abs(x), out=x)


def _softplus(x: Array) -> None:
    np.logaddexp(x, x.dtype.type(0), out=x)


def _from_result(name: str) -> Callable[[Array, Array], Array]:
    return lambda x, y: SLOPES[name](y)


def _either(below: Array, slope: Array | float, x: Array) -> Array:
    """The slope below, else 1, in the type of x."""
    return np.where(below, slope, 1).astype(x.dtype)


def _scaled_tanh_slope(x: Array, y: Array, alpha: float, beta: float) -> Array:
    return x.dtype.type(alpha * beta) * (1 - np.square(np.tanh(x.dtype.type(beta) * x)))


def _affine_slope(x: Array, y: Array, alpha: float, beta: float) -> Array:
    return np.full_like(x, alpha)


def _hard_sigmoid_slope(x: Array, y: Array, alpha: float, beta: float) -> Array:
    return x.dtype.type(alpha) * ((y > 0) & (y < 1))


def _leaky_relu_slope(x: Array, y: Array, alpha: float) -> Array:
    return _either(x < 0, alpha, x)


def _thresholded_relu_slope(x: Array, y: Array, alpha: float) -> Array:
    return (x > x.dtype.type(alpha)).astype(x.dtype)


def _elu_slope(x: Array, y: Array, alpha: float) -> Array:
    return _either(x < 0, y + x.dtype.type(alpha), x)


def _softsign_slope(x: Array, y: Array) -> Array:
    return np.square(1 - np.abs(y))


def _softplus_slope(x: Array, y: Array) -> Array:
    return np.exp(x - y)


ONNX_ACTIVATIONS: dict[str, Parametric] = {
    **{name.capitalize(): Parametric((), function, _from_result(name)) for name, function in ACTIVATIONS.items()},
    "Affine": Parametric((None, None), _affine, _affine_slope),
    "LeakyRelu": Parametric((0.01,), _leaky_relu, _leaky_relu_slope),
    "ThresholdedRelu": Parametric((1.0,), _thresholded_relu, _thresholded_relu_slope),
    "ScaledTanh": Parametric((None, None), _scaled_tanh, _scaled_tanh_slope),
    "HardSigmoid": Parametric((0.2, 0.5), _hard_sigmoid, _hard_sigmoid_slope),
    "Elu": Parametric((1.0,), _elu, _elu_slope),
    "Softsign": Parametric((), _softsign, _softsign_slope),
    "Softplus": Parametric((), _softplus, _softplus_slope),
}
"""By name. ONNX compares names without regard to case."""
_BY_LOWER_CASE = {name.lower(): name for name in ONNX_ACTIVATIONS}


class NamedActivation(NamedTuple):
    """An activation of a recurrent op, and its numbers.

    Attributes:
        name: a key of `ONNX_ACTIVATIONS`.
        arguments: its alpha, or its alpha and beta, if it takes them.
    """

    name: str
    arguments: Sequence[float]


def named_activations(names: Sequence[str], alphas: Sequence[float], betas: Sequence[float]) -> list[NamedActivation]:
    """The activations of these names. Those that take an alpha or a beta get the next one, in their order, as in
    onnxruntime; behind the last one, the default of ONNX's op.

    Raises:
        ValueError: a name is not known, a number is missing that has no default, or numbers are left over, so that it
            is open which activations they belong to.
    """
    numbers = {"activation_alpha": list(alphas), "activation_beta": list(betas)}
    taken = dict.fromkeys(numbers, False)
    named: list[NamedActivation] = []
    for name in names:
        known = _BY_LOWER_CASE.get(name.lower())
        if known is None:
            shown = ", ".join(ONNX_ACTIVATIONS)
            raise ValueError(f"the activation '{name}' is not known, it must be one of {shown}")
        arguments: list[float] = []
        for field, default in zip(numbers, ONNX_ACTIVATIONS[known].defaults, strict=False):
            taken[field] = True
            value = numbers[field].pop(0) if numbers[field] else default
            if value is None:
                raise ValueError(f"{field} has no number for the activation '{name}', which has no default")
            arguments.append(value)
        named.append(NamedActivation(known, arguments))
    for field, rest in numbers.items():
        if rest and taken[field]:
            raise ValueError(f"{field} has {len(rest)} more numbers than the activations take")
    return named


def gates_of(
    names: Sequence[str], alphas: Sequence[float], betas: Sequence[float], limit: float = math.inf
) -> list[Gate]:
    """What computes `named_activations`, which see for errors; what goes into each is limited to -limit to limit."""
    named = named_activations(names, alphas, betas)
    return [_bound(ONNX_ACTIVATIONS[one.name], one.arguments, limit) for one in named]


def _bound(entry: Parametric, arguments: Sequence[float], limit: float) -> Gate:
    def function(x: Array) -> object:
        return entry.function(x, *arguments)

    def slope(x: Array, y: Array) -> Array:
        return entry.slope(x, y, *arguments)

    return Gate(function, slope, limit)
