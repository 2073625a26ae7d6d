"""Gradients of normalisations, by the formulas of their derivatives in f64."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, wide
from .ir_values import integer
from .reducing_ops import count_of
from .rounding import LIMITS, Array, Rounding


def _gradients(
    op: Operation,
    operands: Sequence[Array],
    own: tuple[int, ...],
    sums: tuple[int, ...],
    r: Rounding,
    centred: bool = True,
) -> list[Array]:
    """dx, dscale and dbias of operands x, scale, mean, variance, dy that broadcast.

    Args:
        own: the axes that the statistics are taken over.
        sums: those that the gradients of scale and bias are summed over.
        centred: the mean is taken off x.
    """
    dtype = operands[0].dtype
    x, scale, mean, variance, dy = map(wide, operands)
    fixed = bool(integer(op, "fixed"))
    with np.errstate(all="ignore"):
        inverse = 1 / np.sqrt(variance + as_number(op, "epsilon", 1e-5, dtype))
        standard, far = (x - mean) * inverse, (np.abs(x) + np.abs(mean)) * inverse
        count = prod(x.shape[axis] for axis in own)
        scaled, size = dy * scale, np.abs(dy * scale)
        shift = (
            scaled.sum(own, keepdims=True) * centred + standard * (scaled * standard).sum(own, keepdims=True)
        ) / count
        wider = (size.sum(own, keepdims=True) + far * (size * far).sum(own, keepdims=True)) / count
        value, reach = (scaled, size) if fixed else (scaled - shift, size + wider)
        value, reach = value * inverse, reach * inverse
        totals = [(dy * standard, np.abs(dy) * far), (dy, np.abs(dy))]
        # Numbers that an element type has no room for on the way may be anything, also where the result has some.
        most = LIMITS[dtype].largest / 4
        vague = ~(np.abs(reach) < most) | ~(far * far < most) | ~np.isfinite(value) | ~(far * size < most)
        vague = vague | ~(variance < most)
        vague = np.broadcast_to(vague.any(own, keepdims=True) | ~np.isfinite(inverse), x.shape)
        rows = [
            r.settle(total.sum(sums), dtype, most_.sum(sums), count_of(x, sums), vague.any(sums))
            for total, most_ in totals
        ]
    return [r.settle(value, dtype, reach, count, vague), *rows]


def _batch_norm_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, *rows, dy = operands
    last = bool(integer(op, "channels_last"))
    channel = x.ndim - 1 if last else 1
    column = [-1 if axis == channel else 1 for axis in range(x.ndim)]
    axes = tuple(axis for axis in range(x.ndim) if axis != channel)
    return _gradients(op, [x, *(row.reshape(column) for row in rows), dy], axes, axes, r)


def _layer_norm_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    rank = operands[0].ndim
    first = integer(op, "axis", -1) % rank
    return _gradients(op, operands, tuple(range(first, rank)), tuple(range(first)), r)


def _group_norm_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale, dy = operands
    groups = integer(op, "num_groups")
    split = (x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    own, sums = tuple(range(2, len(split))), (0, *range(3, len(split)))
    column = (1, groups, split[2], *(1 for _ in x.shape[2:]))
    parts = [x.reshape(split), scale.reshape(column), *_statistics(x.reshape(split), own), dy.reshape(split)]
    dx, *rows = _gradients(op, parts, own, sums, r)
    return dx.reshape(x.shape), *(row.reshape(-1) for row in rows)


def _rms_norm_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale, dy = operands
    own = tuple(range(integer(op, "axis", -1) % x.ndim, x.ndim))
    squares = np.square(wide(x)).sum(own, keepdims=True) / np.float64(count_of(x, own))
    parts = [x, scale, np.zeros(squares.shape), squares, dy]
    return _gradients(op, parts, own, tuple(range(own[0])), r, centred=False)[:2]


def _statistics(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """Means and variances, f64."""
    mean = wide(x).sum(axes, keepdims=True) / np.float64(count_of(x, axes))
    return mean, np.square(wide(x) - mean).sum(axes, keepdims=True) / np.float64(count_of(x, axes))


NORMALISING_GRADIENTS: dict[str, Meaning] = {
    "dnn.batch_norm_grad": _batch_norm_grad,
    "dnn.layer_norm_grad": _layer_norm_grad,
    "dnn.group_norm_grad": _group_norm_grad,
    "dnn.rms_norm_grad": _rms_norm_grad,
}
