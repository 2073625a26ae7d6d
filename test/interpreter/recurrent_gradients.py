"""Gradients of recurrent ops, sequence by sequence and row by row, by the formulas in their docs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import given, integer, word
from .recurrent_ops import ACTIVATIONS, gates_of, promised
from .rounding import Array, Rounding

DERIVATIVES: dict[str, Callable[[Array, Array], Array]] = {
    "sigmoid": lambda x, y: np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))) ** 2,
    "tanh": lambda x, y: 1 - y**2,
    "relu": lambda x, y: np.where(y > 0, 1.0, 0.0),
    "identity": lambda x, y: np.ones_like(x),
}
"""From an activation's operand and result."""


def _gru_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Each sum of a row is drawn from where float sums of its terms may lie; what is made of it later sees that."""
    args = given(op, "gates weight_h bias h0 offsets hidden hidden_gradient", list(operands))
    dtype, offsets = args["gates"].dtype, args["offsets"].tolist()
    gates, hidden, own = (wide(args[name]) for name in ("gates", "hidden", "hidden_gradient"))
    bias, weights = wide(args["bias"])[0] if "bias" in args else 0.0, gates_of(args["weight_h"])
    channels, rows = len(args["weight_h"]), len(gates)
    gate, activation = word(op, "gate_activation", "sigmoid"), word(op, "activation", "tanh")
    reverse, origin = bool(integer(op, "is_reverse")), bool(integer(op, "origin_mode"))

    def settled(value: Array, size: Array, terms: float = 1) -> Array:
        return wide(r.settle(value, dtype, size, terms))

    def product(value: Array, weight: Array) -> tuple[Array, Array]:
        return value @ weight, np.abs(value) @ np.abs(weight)

    gradient, starts = np.zeros_like(gates), np.zeros((len(offsets) - 1, channels))
    sums, sizes = np.zeros((3, channels, channels)), np.zeros((3, channels, channels))
    for index, (start, end) in enumerate(pairwise(offsets)):
        first = wide(args["h0"])[index] if "h0" in args else np.zeros(channels)
        order = list(range(start, end))[:: -1 if reverse else 1]
        carried, far = np.zeros(channels), np.zeros(channels)
        for step in reversed(range(len(order))):
            row, h = order[step], hidden[order[step - 1]] if step else first
            into = (gates[row] + bias).reshape(3, channels)
            size = np.broadcast_to(np.abs(gates[row]) + np.abs(bias), 3 * channels).reshape(3, channels)
            sums_of = [np.zeros(channels)] * 3
            outs = [np.zeros(channels)] * 3
            for k, name in enumerate((gate, gate, activation)):
                state = h if k < 2 else outs[1] * h
                added, terms = product(state, weights[k])
                sums_of[k] = settled(into[k] + added, size[k] + terms, channels)
                outs[k] = settled(ACTIVATIONS[name](sums_of[k]), np.ones(channels))
            u, reset, c = outs
            du, dr, dc = (
                DERIVATIVES[name](x, y) for name, x, y in zip((gate, gate, activation), sums_of, outs, strict=True)
            )
            d, d_size = own[row] + carried, np.abs(own[row]) + far
            share, kept, change = (1 - u, u, h - c) if origin else (u, 1 - u, c - h)
            wide_share, wide_change = 1 + np.abs(share), np.abs(h) + np.abs(c)
            dc = settled(d * share * dc, d_size * wide_share)
            through, through_size = product(dc, weights[2].T)
            du = settled(d * change * du, d_size * wide_change * np.maximum(np.abs(du), 1))
            dr = settled(through * h * dr, through_size * np.abs(h) * np.maximum(np.abs(dr), 1), channels)
            back = [product(value, weights[k].T) for k, value in enumerate((du, dr))]
            carried = d * kept + through * reset + back[0][0] + back[1][0]
            far = d_size * (1 + np.abs(kept)) + through_size * np.abs(reset) + back[0][1] + back[1][1]
            carried = settled(carried, far, 3 * channels)
            gradient[row] = np.concatenate([du, dr, dc])
            for k, (state, value) in enumerate(((h, du), (h, dr), (reset * h, dc))):
                sums[k] += np.outer(state, value)
                sizes[k] += np.abs(np.outer(state, value))
        starts[index] = carried
    total = [r.settle(value, dtype, size, rows) for value, size in zip(sums, sizes, strict=True)]
    weight_h = args["weight_h"]
    if weight_h.ndim == 3:
        weight_gradient = np.stack(total, axis=1)
    else:
        both = np.concatenate([np.concatenate(total[:2], axis=1).reshape(-1), total[2].reshape(-1)])
        weight_gradient = both.reshape(weight_h.shape)
    results = gradient, wide(weight_gradient), starts
    finite = all(np.isfinite(value).all() for value in results)
    return [promised(operands, value if finite else value * np.nan, r, dtype)[0] for value in results]


RECURRENT_GRADIENTS: dict[str, Meaning] = {"dnn.gru_grad": _gru_grad}
