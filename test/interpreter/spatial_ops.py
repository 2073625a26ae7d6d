"""Ops with spatial axes: elements are gathered by tables of indices, one for each axis, then added up or compared."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import dtype_of, integer, integers, result_shape, word
from .packed_weights import panelled
from .rounding import Array, Rounding, is_float


class _Movement(NamedTuple):
    """Of a window, one entry for each spatial axis."""

    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    pads: list[int]


def first(x: Array, op: Operation) -> Array:
    """[N, C, spatial…]."""
    return np.moveaxis(x, -1, 1) if integer(op, "channels_last") else x


def back(y: Array, op: Operation) -> Array:
    return np.moveaxis(y, 1, -1) if integer(op, "channels_last") else y


def spatial(shape: Sequence[int], op: Operation) -> list[int]:
    return list(shape[1:-1] if integer(op, "channels_last") else shape[2:])


def movement_of(op: Operation, kernel: Sequence[int], sizes: Sequence[int]) -> _Movement:
    rank = len(kernel)
    strides, dilations = (integers(op, name) or [1] * rank for name in ("strides", "dilations"))
    pads, auto = integers(op, "pads") or [0] * 2 * rank, word(op, "auto_pad", "NOTSET")
    if auto.startswith("SAME"):
        rows = zip(sizes, kernel, strides, dilations, strict=True)
        totals = [max(0, ((n + s - 1) // s - 1) * s + (k - 1) * d + 1 - n) for n, k, s, d in rows]
        small, large = [t // 2 for t in totals], [t - t // 2 for t in totals]
        pads = small + large if auto == "SAME_UPPER" else large + small
    return _Movement(list(kernel), strides, dilations, pads)


def table_of(movement: _Movement, axis: int, places: int) -> Array:
    """[places, kernel]: the index of what is under the window; outside the axis too."""
    kernel, stride, dilation, begin = (part[axis] for part in movement)
    return np.arange(places)[:, None] * stride + np.arange(kernel) * dilation - begin


def gathered(x: Array, tables: Sequence[Array], fill: float) -> Array:
    """[N, C, P, K] for tables [places, kernel] of the spatial axes: P counts places, K elements of the window. `fill`
    is where an index is outside."""
    for number, table in enumerate(tables):
        axis = 2 + 2 * number
        size = x.shape[axis]
        edge = np.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), fill, x.dtype)
        inside = (table >= 0) & (table < size)
        x = np.take(np.concatenate([x, edge], axis), np.where(inside, table, size), axis)
    rank = len(tables)
    places, kernel = ([2 + 2 * k + part for k in range(rank)] for part in (0, 1))
    turned = x.transpose(0, 1, *places, *kernel)
    count, depth = (prod(table.shape[part] for table in tables) for part in (0, 1))
    return turned.reshape(*x.shape[:2], count, depth)


def magnitudes(values: Array) -> Array:
    return np.where(np.isfinite(values), np.abs(values), 0.0)


def _convolved(
    op: Operation, operands: Sequence[Array], r: Rounding, tables: Sequence[Array], w: Array, group: int | None = None
) -> Array:
    """The sums of gathered elements, times weights [O, C/group, K]."""
    x, bias = first(wide(operands[0]), op), operands[2:]
    group = integer(op, "group", 1) if group is None else group
    under = gathered(x, tables, 0.0)
    batch, channels, count, depth = under.shape
    cut = under.reshape(batch, group, channels // group, count, depth)
    weights = w.reshape(group, w.shape[0] // group, channels // group, depth)
    with np.errstate(all="ignore"):
        value = np.einsum("ngcpk,gock->ngop", cut, weights).reshape(batch, w.shape[0], count)
        size = np.einsum("ngcpk,gock->ngop", magnitudes(cut), magnitudes(weights)).reshape(value.shape)
    if bias:
        value, size = value + wide(bias[0])[:, None], size + magnitudes(wide(bias[0]))[:, None]
    # What an infinity or a NaN makes of the sum is fixed, but kernels may multiply padding too.
    lost = ~np.isfinite(value)
    settled = r.settle(value, operands[0].dtype, size, channels * depth // group, lost)
    return back(settled.reshape(*value.shape[:2], *(len(table) for table in tables)), op)


def _conv(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    w = wide(operands[1])
    sizes, places = spatial(operands[0].shape, op), spatial(result_shape(op), op)
    movement = movement_of(op, w.shape[2:], sizes)
    tables = [table_of(movement, axis, count) for axis, count in enumerate(places)]
    return (_convolved(op, operands, r, tables, w.reshape(*w.shape[:2], prod(w.shape[2:]))),)


def _depthwise_conv(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    w, sizes, places = wide(operands[1]), spatial(operands[0].shape, op), spatial(result_shape(op), op)
    movement = movement_of(op, w.shape[:-1], sizes)
    tables = [table_of(movement, axis, count) for axis, count in enumerate(places)]
    if not w.shape[-1]:
        return (np.zeros(result_shape(op), operands[0].dtype),)
    rows = w.reshape(prod(w.shape[:-1]), w.shape[-1]).T[:, None]
    return (_convolved(op, operands, r, tables, rows, w.shape[-1]),)


def _packed_conv(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, packed = operands[0], operands[1]
    kernel, columns = integers(op, "kernel_shape") or [], integer(op, "columns", 0)
    sizes, places = spatial(x.shape, op), spatial(result_shape(op), op)
    movement = movement_of(op, kernel, sizes)
    tables = [table_of(movement, axis, count) for axis, count in enumerate(places)]
    rows = wide(panelled(packed, prod(kernel) * x.shape[-1], columns))
    weights = rows.reshape(prod(kernel), x.shape[-1], columns).transpose(2, 1, 0)
    return (_convolved(op, operands, r, tables, weights, 1),)


def _conv_transpose(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    w, group = wide(operands[1]), integer(op, "group", 1)
    sizes, outputs, kernel = spatial(operands[0].shape, op), spatial(result_shape(op), op), w.shape[2:]
    movement = movement_of(op, kernel, sizes)
    strides, dilations = movement.strides, movement.dilations
    begins = movement.pads[: len(kernel)]
    auto = word(op, "auto_pad", "NOTSET")
    if auto.startswith("SAME") or integers(op, "output_shape"):
        extra = integers(op, "output_padding") or [0] * len(kernel)
        rows = zip(sizes, strides, kernel, dilations, extra, outputs, strict=True)
        totals = [max(0, (n - 1) * s + (k - 1) * d + 1 + e - out) for n, s, k, d, e, out in rows]
        begins = [t // 2 if auto == "SAME_UPPER" else t - t // 2 for t in totals]
    tables: list[Array] = []
    for axis, count in enumerate(outputs):
        spread = np.arange(count)[:, None] + begins[axis] - np.arange(kernel[axis]) * dilations[axis]
        tables.append(np.where(spread % strides[axis], -1, spread // strides[axis]))
    cut = w.reshape(group, w.shape[0] // group, w.shape[1], prod(kernel)).swapaxes(1, 2)
    return (_convolved(op, operands, r, tables, cut.reshape(group * w.shape[1], w.shape[0] // group, prod(kernel))),)


def _pool_tables(op: Operation, x: Array) -> tuple[_Movement, list[Array]]:
    kernel = integers(op, "kernel_shape") or []
    movement = movement_of(op, kernel, x.shape[2:])
    places = spatial(result_shape(op), op)
    return movement, [table_of(movement, axis, count) for axis, count in enumerate(places)]


def _shaped(y: Array, tables: Sequence[Array], op: Operation) -> Array:
    return back(y.reshape(*y.shape[:2], *(len(table) for table in tables)), op)


def _max_pool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = first(operands[0], op)
    _, tables = _pool_tables(op, x)
    least = float("-inf") if is_float(x.dtype) else int(np.iinfo(x.dtype).min)
    under = gathered(x, tables, least)
    inside = gathered(np.ones(x.shape, np.bool_), tables, 0)
    y = under.max(-1, initial=x.dtype.type(least))
    lost = np.isnan(wide(under)).any(-1) | (inside.any(-1) & (wide(y) == -np.inf))
    # Of zeros of both signs either one may be the largest.
    settled = r.either_zero(r.known(y, np.asarray(lost)), (y == 0) & (under == 0).any(-1))
    results = [_shaped(settled, tables, op)]
    if len(op.results) > 1:
        order = "F" if integer(op, "storage_order") else "C"
        plane = np.arange(prod(x.shape[2:])).reshape(x.shape[2:], order=order)
        planes = np.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *[1] * (x.ndim - 2)) * plane.size
        numbers = gathered(planes + plane, tables, 0)
        at = np.argmax((under == y[..., None]) & inside, -1)
        unknown = np.asarray(np.isnan(wide(under)).any(-1))
        found = np.take_along_axis(numbers, at[..., None], -1)[..., 0]
        dtype = dtype_of(op.results[1].type)
        if dtype != np.int64:
            found = at.astype(dtype)
        garbled = r.known(found, unknown)
        if dtype == np.uint8 and r.run:  # the gradient knows of no place then: a number that it may take would be one
            garbled = np.where(unknown, np.iinfo(dtype).max, found)
        results.append(_shaped(garbled, tables, op))
    return results


def _average_pool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = first(operands[0], op)
    movement, tables = _pool_tables(op, x)
    if integer(op, "count_include_pad"):
        rank = x.ndim - 2
        ones = np.pad(np.ones(x.shape), [(0, 0), (0, 0), *zip(movement.pads[:rank], movement.pads[rank:], strict=True)])
        counted = [table + begin for table, begin in zip(tables, movement.pads[:rank], strict=True)]
        count = gathered(np.ones_like(ones), counted, 0.0).sum(-1)
    else:
        count = gathered(np.ones(x.shape), tables, 0.0).sum(-1)
    under = gathered(wide(x), tables, 0.0)
    with np.errstate(all="ignore"):
        value, size = under.sum(-1) / count, magnitudes(under).sum(-1)
    return (_shaped(r.settle(value, x.dtype, size, under.shape[-1]), tables, op),)


def _lp_pool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = first(operands[0], op)
    _, tables = _pool_tables(op, x)
    return (_shaped(_norm(op, gathered(wide(x), tables, 0.0), x.dtype, r), tables, op),)


def _norm(op: Operation, under: Array, dtype: np.dtype, r: Rounding) -> Array:
    p, absolute = integer(op, "p", 2), np.abs(under)
    with np.errstate(all="ignore"):
        value = (absolute**p).sum(-1) ** (1 / p)
        # Powers may be too large, or too small, for the element type where the norm is not.
        powers = (absolute**p).astype(np.float32 if dtype != np.float64 else dtype)
    odd = ~np.isfinite(powers).all(-1) | ((powers < 1e-30) & (absolute > 0)).any(-1) | ~np.isfinite(powers.sum(-1))
    return r.settle(value, dtype, value * (1 + p), under.shape[-1], odd)


def _flat(x: Array) -> Array:
    return x.reshape(*x.shape[:2], 1, prod(x.shape[2:]))


def _global(op: Operation, y: Array, x: Array) -> Array:
    return back(y.reshape(*x.shape[:2], *[1] * (x.ndim - 2)), op)


def _global_average_pool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = first(operands[0], op)
    under = _flat(wide(x))
    count = under.shape[-1]
    with np.errstate(all="ignore"):
        value, size = under.sum(-1) / np.float64(count), magnitudes(under).sum(-1)
    return (_global(op, r.settle(value, x.dtype, size, count), x),)


def _global_max_pool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = first(operands[0], op)
    under = _flat(x)
    y = under.max(-1, initial=x.dtype.type(float("-inf")))
    lost = np.isnan(wide(under)).any(-1) | (wide(y) == (-np.inf if under.shape[-1] else np.nan))
    return (_global(op, r.either_zero(r.known(y, np.asarray(lost)), (y == 0) & (under == 0).any(-1)), x),)


def _global_lp_pool(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x = first(operands[0], op)
    return (_global(op, _norm(op, _flat(wide(x)), x.dtype, r), x),)


SPATIAL: dict[str, Meaning] = {
    "dnn.conv": _conv,
    "dnn.depthwise_conv": _depthwise_conv,
    "dnn.packed_conv": _packed_conv,
    "dnn.conv_transpose": _conv_transpose,
    "dnn.max_pool": _max_pool,
    "dnn.average_pool": _average_pool,
    "dnn.lp_pool": _lp_pool,
    "dnn.global_average_pool": _global_average_pool,
    "dnn.global_max_pool": _global_max_pool,
    "dnn.global_lp_pool": _global_lp_pool,
}
