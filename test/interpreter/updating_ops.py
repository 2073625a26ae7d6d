"""Updates of parameters by an optimizer."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, wide
from .ir_values import integer
from .rounding import LIMITS, Array, Rounding


def _decayed(op: Operation, w: Array, g: Array) -> tuple[Array, Array]:
    """The gradient with what weight decay adds to it, and the sum of the absolute values of both."""
    part = as_number(op, "weight_decay", 0, w.dtype)
    decay = part * wide(w) if part else np.zeros(w.shape)  # none of an infinity is 0, too
    return wide(g) + decay, _with_smallest(np.abs(wide(g)) + np.abs(decay), w)


def _with_smallest(size: Array, w: Array) -> Array:
    """Sums of absolute values on the way to w: what the smallest numbers of its type lose there may be multiplied."""
    return size + LIMITS[w.dtype].tiny * (size != 0)


def _rate(operands: Sequence[Array]) -> np.float64:
    return np.float64(operands[-1].astype(operands[0].dtype))


def _sgd(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    w, g, _ = operands
    rate = _rate(operands)
    gradient, size = _decayed(op, w, g)
    return (r.settle(wide(w) - rate * gradient, w.dtype, np.abs(wide(w)) + abs(rate) * size),)


def _momentum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    w, g, v, _ = operands
    rate, part = _rate(operands), as_number(op, "momentum", 0.9, w.dtype)
    gradient, size = _decayed(op, w, g)
    velocity, speed = part * wide(v) + gradient, _with_smallest(np.abs(part * wide(v)) + size, w)
    direction, length = velocity, speed
    if integer(op, "nesterov", 0):
        direction, length = gradient + part * velocity, size + abs(part) * speed
    moved = r.settle(wide(w) - rate * direction, w.dtype, np.abs(wide(w)) + abs(rate) * length)
    return moved, r.settle(velocity, w.dtype, speed)


def _betas(op: Operation) -> tuple[np.float64, np.float64]:
    beta1, beta2 = (as_number(op, f"beta{k}", b, np.dtype(float)) for k, b in ((1, 0.9), (2, 0.999)))
    return np.float64(beta1), np.float64(beta2)


def _adam(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    powers = [beta ** np.float64(operands[4]) for beta in _betas(op)]
    return _moved(op, operands, powers, r)


def _adam_with_powers(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    return _moved(op, operands, [np.float64(power) for power in operands[4:6]], r)


def _moved(op: Operation, operands: Sequence[Array], powers: Sequence[np.float64], r: Rounding) -> Sequence[Array]:
    w, g, m, v = operands[:4]
    beta1, beta2 = _betas(op)
    gradient, size = _decayed(op, w, g)
    first, second = beta1 * wide(m) + (1 - beta1) * gradient, beta2 * wide(v) + (1 - beta2) * gradient**2
    first_size = _with_smallest(np.abs(beta1 * wide(m)) + np.abs(1 - beta1) * size, w)
    second_size = _with_smallest(np.abs(beta2 * wide(v)) + np.abs(1 - beta2) * size**2, w)
    root = np.sqrt(second) / np.sqrt(1 - powers[1]) + as_number(op, "epsilon", 1e-8, w.dtype)
    rate = _rate(operands) / (1 - powers[0])
    # A second moment that is nearly nothing has a root of which few digits are known.
    vague = np.divide(second_size, second, out=np.ones_like(second), where=second != 0)
    far = np.abs(wide(w)) + np.abs(rate * first_size / root) * (1 + np.minimum(vague, 1e6))
    most = LIMITS[w.dtype].largest / 4
    beyond = size**2 > most  # a square, or what is multiplied, that has no number in the type
    lost = beyond | ~(np.abs(first / root) < most) | (np.abs(rate) > most)
    moved = r.settle(wide(w) - rate * (first / root), w.dtype, far, undefined=lost)
    return moved, r.settle(first, w.dtype, first_size), r.settle(second, w.dtype, second_size, undefined=beyond)


def _require_finite(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, tested = operands
    assert all(math.isfinite(number) for number in wide(tested).reshape(-1)), "the program does not go on"
    return (x,)


UPDATING: dict[str, Meaning] = {
    "dnn.sgd": _sgd,
    "dnn.momentum": _momentum,
    "dnn.adam": _adam,
    "dnn.require_finite": _require_finite,
    "dnn.adam_with_powers": _adam_with_powers,
}
