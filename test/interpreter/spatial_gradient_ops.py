"""Gradients of convolutions and pools: by the tables of indices that the ops themselves are computed by."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import integer, integers
from .rounding import Array, Rounding
from .spatial_ops import back, first, gathered, magnitudes, movement_of, table_of


def _conv_weights_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, dy = (first(wide(operand), op) for operand in operands)
    kernel, group = integers(op, "kernel_shape") or [], integer(op, "group", 1)
    movement = movement_of(op, kernel, x.shape[2:])
    under = gathered(x, [table_of(movement, axis, count) for axis, count in enumerate(dy.shape[2:])], 0.0)
    batch, channels, count, depth = under.shape
    cut = under.reshape(batch, group, channels // group, count, depth)
    rows = dy.reshape(batch, group, dy.shape[1] // group, count)
    with np.errstate(all="ignore"):
        value = np.einsum("ngcpk,ngop->gock", cut, rows)
        size = np.einsum("ngcpk,ngop->gock", magnitudes(cut), magnitudes(rows))
    shape = (dy.shape[1], channels // group, *kernel)
    settled = r.settle(value, operands[0].dtype, size, batch * count, ~np.isfinite(value))
    return (settled.reshape(shape),)


def _spread(op: Operation, shares: Array, dtype: np.dtype, r: Rounding) -> Sequence[Array]:
    """The sums of shares [N, C, places…, K] at the elements that windows have there."""
    outputs, kernel = integers(op, "output_shape") or [], integers(op, "kernel_shape") or []
    movement, rank = movement_of(op, kernel, outputs), len(outputs)
    at, inside = np.zeros((), np.int64), np.ones((), np.bool_)
    for axis, (places, size) in enumerate(zip(shares.shape[2:-1], outputs, strict=True)):
        table = table_of(movement, axis, places)
        sides = [places if k == axis else kernel[axis] if k == rank + axis else 1 for k in range(2 * rank)]
        index = table.reshape(sides)
        at, inside = at * size + index, inside & (index >= 0) & (index < size)
    at, inside = (np.broadcast_to(a, (*shares.shape[2:-1], *kernel)).reshape(-1) for a in (at, inside))
    flat = shares.reshape(prod(shares.shape[:2]), prod(shares.shape[2:]))
    value, size = (np.zeros((len(flat), prod(outputs))) for _ in range(2))
    with np.errstate(all="ignore"):
        for row, total, magnitude in zip(flat, value, size, strict=True):
            np.add.at(total, at[inside], row[inside])
            np.add.at(magnitude, at[inside], magnitudes(row[inside]))
    settled = r.settle(value, dtype, size, prod(kernel), ~np.isfinite(value))
    return (back(settled.reshape(*shares.shape[:2], *outputs), op),)


def _max_pool_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    dy, chosen = first(wide(operands[0]), op), first(operands[1], op)
    count = prod(integers(op, "kernel_shape") or [])
    shares = np.where(chosen[..., None] == np.arange(count), dy[..., None], 0.0)
    return _spread(op, np.where(chosen[..., None] >= count, np.nan, shares), operands[0].dtype, r)


def _average_pool_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    dy, kernel = first(wide(operands[0]), op), integers(op, "kernel_shape") or []
    outputs, rank = integers(op, "output_shape") or [], len(kernel)
    movement, counts = movement_of(op, kernel, outputs), np.ones((), np.int64)
    for axis, places in enumerate(dy.shape[2:]):
        table, before, after = table_of(movement, axis, places), movement.pads[axis], movement.pads[rank + axis]
        reach = (-before, outputs[axis] + after) if integer(op, "count_include_pad") else (0, outputs[axis])
        along = ((table >= reach[0]) & (table < reach[1])).sum(1)
        counts = counts * along.reshape([-1 if k == axis else 1 for k in range(rank)])
    with np.errstate(all="ignore"):
        shares = np.repeat((dy / counts)[..., None], prod(kernel), -1)
    return _spread(op, shares, operands[0].dtype, r)


SPATIAL_GRADIENTS: dict[str, Meaning] = {
    "dnn.conv_weights_grad": _conv_weights_grad,
    "dnn.max_pool_grad": _max_pool_grad,
    "dnn.average_pool_grad": _average_pool_grad,
}
