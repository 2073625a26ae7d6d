"""The recurrence of a GRU over ragged sequences in numpy: what every op that holds one computes, once.

Rows of all sequences stand back to back; `offsets` (i64 [sequences + 1]) are the cumulative lengths, from 0 to the
number of rows. Equal neighbours are an empty sequence. Sequences need not be sorted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.ragged import (
    Buffers,
    gather_rows,
    group_size,
    groups,
    index_buffers,
    sequence_rows,
)


def _sigmoid(x: Array) -> None:
    np.negative(x, out=x)
    np.exp(x, out=x)
    np.add(x, 1, out=x)
    np.reciprocal(x, out=x)


Activation = Callable[[Array], object]

ACTIVATIONS: dict[str, Activation] = {
    "sigmoid": _sigmoid,
    "tanh": lambda x: np.tanh(x, out=x),
    "relu": lambda x: np.maximum(x, 0, out=x),
    "identity": lambda x: x,
}
"""What a gate may be passed through, in place."""


class Formula(NamedTuple):
    """How a new state is made of the old one and the gates.

    Attributes:
        gate: applied to u and r, in place.
        activation: applied to the candidate, in place.
        origin_mode: h' = u * h + (1 - u) * c; else (1 - u) * h + u * c.
    """

    gate: Activation = ACTIVATIONS["sigmoid"]
    activation: Activation = ACTIVATIONS["tanh"]
    origin_mode: bool = False


def gates_of(weight_h: Array) -> tuple[Array, Array]:
    """The recurrent weights of the gates u and r, [OC, 2*OC], and of c, [OC, OC].

    Args:
        weight_h: [OC, 3, OC], the gates side by side; or [OC, 3*OC] in Paddle's memory order: a row-major [OC, 2*OC]
            and then a row-major [OC, OC].
    """
    channels = weight_h.shape[0]
    if weight_h.ndim == 3:
        rows = weight_h.reshape(channels, 3 * channels)
        return rows[:, : 2 * channels], rows[:, 2 * channels :]
    flat, split = weight_h.reshape(-1), 2 * channels * channels
    return flat[:split].reshape(channels, 2 * channels), flat[split:].reshape(channels, channels)


class Direction(NamedTuple):
    """One direction of one layer.

    Attributes:
        weight_h: as `gates_of` takes it.
        h0: [sequences, OC], the state before the first step; None for 0.
        reverse: walk each sequence from its own last row to its first.
        formula: how a state is made of the one before.
        read: what h and r * h are rounded to before they are multiplied, for `reference`.
    """

    weight_h: Array
    h0: Array | None
    reverse: bool
    formula: Formula
    read: Callable[[Array], Array] = lambda values: values


Inputs = Callable[[Array, Array], None]
"""Puts the gates of some rows, bias and all that comes of the input, into an array: (int64 [rows], [rows, 3*OC])."""


def inputs_of(x: Array, weight_x: Array | None, bias: Array | None, buffers: dict[str, Array]) -> Inputs:
    """The gates of rows of x: rows of x [rows, IC] multiplied when they are asked for, or, without weights, rows of x
    [rows, 3*OC] themselves; plus the bias, if there is one."""
    if weight_x is None:
        return lambda rows, out: gather_rows(x, rows, out, bias)
    dense = np.ascontiguousarray(weight_x)  # a product with strided factors takes another way, and other roundings

    def inputs(rows: Array, out: Array) -> None:
        chosen = buffers["input"][: len(rows)]
        gather_rows(x, rows, chosen)
        np.matmul(chosen, dense, out=out)
        if bias is not None:
            np.add(out, bias, out=out)

    return inputs


def walk_columns(channels: int, inputs: int | None) -> dict[str, int]:
    """Columns of the buffers that `walk` reads; `inputs`: those of x where it is multiplied, else None."""
    return {"x": 3 * channels, "ur": 2 * channels, "h": channels, **({} if inputs is None else {"input": inputs})}


def walk_buffers(rows: int, sequences: int, channels: int, dtype: np.dtype, inputs: int | None) -> Buffers:
    """What `walk` and its `inputs_of` need: a row for each sequence walked at once."""
    group = group_size(sequences, rows)
    wide = walk_columns(channels, inputs)
    return {**index_buffers(sequences, group), **{name: ((group, size), dtype) for name, size in wide.items()}}


def walk(direction: Direction, inputs: Inputs, offsets: Array, hidden: Array, buffers: dict[str, Array]) -> None:
    """Fills hidden [rows, OC]: all sequences together, step by step.

    Raises:
        OffsetsError: the offsets do not ascend from 0 to the number of rows.
    """
    (w_ur, w_c), formula, channels = gates_of(direction.weight_h), direction.formula, hidden.shape[1]
    group = group_size(max(0, offsets.size - 1), len(hidden))
    for chunk in groups(offsets, len(hidden), group, buffers, direction.reverse):
        state = buffers["h"][: len(chunk.ids)]
        if direction.h0 is None:
            state.fill(0)
        else:
            gather_rows(direction.h0, chunk.ids, state)
        for step, running in chunk.steps():
            rows = chunk.rows(step, running)
            x, ur, h = buffers["x"][:running], buffers["ur"][:running], state[:running]
            inputs(rows, x)
            np.matmul(h, w_ur, out=ur)
            np.add(ur, x[:, : 2 * channels], out=ur)
            formula.gate(ur)
            u, r = ur[:, :channels], ur[:, channels:]
            np.multiply(r, h, out=r)
            c = x[:, :channels]  # x_u has been read: its memory holds the candidate
            np.matmul(r, w_c, out=c)
            np.add(c, x[:, 2 * channels :], out=c)
            formula.activation(c)
            old, new = (c, h) if formula.origin_mode else (h, c)  # h' = old + u * (new - old)
            np.subtract(new, old, out=new)
            np.multiply(new, u, out=new)
            np.add(old, new, out=h)
            hidden[rows] = h


def reference(direction: Direction, gates: Array, offsets: Array) -> Array:
    """The formula row by row.

    Args:
        gates: [rows, 3*OC], bias and all that comes of the input.
        offsets: int64 [sequences + 1].

    Returns:
        The state after each row, [rows, OC].

    Raises:
        OffsetsError: the offsets do not ascend from 0 to the number of rows.
    """
    (w_ur, w_c), (gate, activation, origin_mode) = gates_of(direction.weight_h), direction.formula
    channels, read = len(w_c), direction.read
    hidden = np.empty((len(gates), channels), gates.dtype)
    with np.errstate(all="ignore"):
        for index, span in enumerate(sequence_rows(offsets, len(gates))):
            h = np.zeros(channels, gates.dtype) if direction.h0 is None else direction.h0[index].copy()
            rows = range(span.start, span.stop)
            for row in reversed(rows) if direction.reverse else rows:
                ur = gates[row, : 2 * channels] + read(h) @ w_ur
                gate(ur)
                u, r = ur[:channels], ur[channels:]
                c = gates[row, 2 * channels :] + read(r * h) @ w_c
                activation(c)
                h = u * h + (1 - u) * c if origin_mode else (1 - u) * h + u * c
                hidden[row] = h
    return hidden
