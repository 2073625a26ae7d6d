"""The activations of ONNX's recurrent ops, in place on arrays, with their alpha and beta."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, Activation


class Parametric(NamedTuple):
    """An activation of a number of parameters.

    Attributes:
        defaults: of alpha and of beta, as far as it takes them, those of ONNX's op of that name; None for none.
        function: (x, *parameters), in place.
    """

    defaults: tuple[float | None, ...]
    function: Callable[..., object]


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


ONNX_ACTIVATIONS: dict[str, Parametric] = {
    **{name.capitalize(): Parametric((), function) for name, function in ACTIVATIONS.items()},
    "Affine": Parametric((None, None), _affine),
    "LeakyRelu": Parametric((0.01,), _leaky_relu),
    "ThresholdedRelu": Parametric((1.0,), _thresholded_relu),
    "ScaledTanh": Parametric((None, None), _scaled_tanh),
    "HardSigmoid": Parametric((0.2, 0.5), _hard_sigmoid),
    "Elu": Parametric((1.0,), _elu),
    "Softsign": Parametric((), _softsign),
    "Softplus": Parametric((), _softplus),
}
"""By name. ONNX compares names without regard to case."""
_BY_LOWER_CASE = {name.lower(): entry for name, entry in ONNX_ACTIVATIONS.items()}


def activations_of(names: Sequence[str], alphas: Sequence[float], betas: Sequence[float]) -> list[Activation]:
    """The activations of these names. Those that take an alpha or a beta get the next one, in their order, as in
    onnxruntime; behind the last one, the default of ONNX's op.

    Raises:
        ValueError: a name is not known, a number is missing that has no default, or numbers are left over, so that it
            is open which activations they belong to.
    """
    numbers = {"activation_alpha": list(alphas), "activation_beta": list(betas)}
    taken = dict.fromkeys(numbers, False)
    functions: list[Activation] = []
    for name in names:
        entry = _BY_LOWER_CASE.get(name.lower())
        if entry is None:
            shown = ", ".join(ONNX_ACTIVATIONS)
            raise ValueError(f"the activation '{name}' is not known, it must be one of {shown}")
        arguments: list[float] = []
        for field, default in zip(numbers, entry.defaults, strict=False):
            taken[field] = True
            value = numbers[field].pop(0) if numbers[field] else default
            if value is None:
                raise ValueError(f"{field} has no number for the activation '{name}', which has no default")
            arguments.append(value)
        functions.append(_bound(entry, arguments))
    for field, rest in numbers.items():
        if rest and taken[field]:
            raise ValueError(f"{field} has {len(rest)} more numbers than the activations take")
    return functions


def _bound(entry: Parametric, arguments: Sequence[float]) -> Activation:
    return lambda x: entry.function(x, *arguments)
