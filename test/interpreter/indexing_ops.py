"""Ops whose elements are chosen by indices, by order, or by their own place."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning
from .ir_values import dtype_of, integer, integers, number, word
from .rounding import Array, Rounding, is_float

# Indices.


def _gather(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    data, indices = operands
    axis = integer(op, "axis") % data.ndim
    return (data[(*(slice(None),) * axis, indices)],)


def _gather_elements(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    data, indices = operands
    axis, y = integer(op, "axis") % data.ndim, np.empty(indices.shape, data.dtype)
    for at in np.ndindex(indices.shape):
        y[at] = data[(*at[:axis], indices[at], *at[axis + 1 :])]
    return (y,)


def _gather_nd(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    data, indices = operands
    batch, rows = integer(op, "batch_dims"), indices.shape[:-1]
    y = np.empty((*rows, *data.shape[batch + indices.shape[-1] :]), data.dtype)
    for at in np.ndindex(rows):
        y[at] = data[(*at[:batch], *indices[at].tolist())]
    return (y,)


def _joined(op: Operation, old: Array, new: Array) -> Array:
    """What stands where an update comes to an element."""
    reduction, truth = word(op, "reduction", "none"), old.dtype == np.bool_
    if reduction == "add":
        return old | new if truth else old + new
    if reduction == "mul":
        return old & new if truth else old * new
    if reduction in ("max", "min"):
        first = (new > old) if reduction == "max" else (new < old)
        return np.where((new != new) | first, new, old)
    return new


def _scatter_elements(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    data, indices, updates = operands
    axis, y = integer(op, "axis") % data.ndim, data.copy()
    for at in np.ndindex(indices.shape):
        place = (*at[:axis], indices[at], *at[axis + 1 :])
        y[place] = _joined(op, y[place], updates[at])
    return (y,)


def _scatter_nd(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    data, indices, updates = operands
    y = data.copy()
    for at in np.ndindex(indices.shape[:-1]):
        place = tuple(indices[at].tolist())
        y[place] = _joined(op, y[place], updates[at])
    return (y,)


def _index_add(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    data, indices, updates = operands
    axis, y = integer(op, "axis") % data.ndim, data.copy()
    for at in np.ndindex(updates.shape):
        place = (*at[:axis], indices[at[axis : axis + indices.ndim]], *at[axis + indices.ndim :])
        y[place] += updates[at]
    return (y,)


def _tensor_scatter(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    cache, update, *rest = operands
    axis, y = integer(op, "axis", -2) % cache.ndim, cache.copy()
    for at in np.ndindex(update.shape):
        start = int(rest[0][at[0]]) if rest else 0
        y[(*at[:axis], (start + at[axis]) % cache.shape[axis], *at[axis + 1 :])] = update[at]
    return (y,)


def _first_elements(starts: Sequence[Array], x: Array, part: Sequence[int]) -> list[int]:
    """Where a slice of the sizes `part` begins that starts at these, or as near to them as it lies inside of x."""
    return [sorted((0, int(s), n - m))[1] for s, n, m in zip(starts, x.shape, part, strict=True)]


def _dynamic_slice(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, *starts = operands
    sizes = integers(op, "slice_sizes")
    for axis, (first, size) in enumerate(zip(_first_elements(starts, x, sizes), sizes, strict=True)):
        x = np.take(x, range(first, first + size), axis)
    return (x,)


def _dynamic_update_slice(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, update, *starts = operands
    y, first = x.copy(), _first_elements(starts, x, update.shape)
    for at in np.ndindex(update.shape):
        y[tuple(a + b for a, b in zip(at, first, strict=True))] = update[at]
    return (y,)


def _one_hot(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    indices, (off, on) = operands
    depth, rank = integer(op, "depth"), indices.ndim + 1
    axis = integer(op, "axis", -1) % rank
    y = np.full((*indices.shape, depth), off)
    for at in np.ndindex(indices.shape):
        index = float(indices[at])
        if -depth <= index < depth and index == math.floor(index):
            y[(*at, int(index))] = on
    return (np.moveaxis(y, -1, axis),)


def _reverse_sequence(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, lengths = operands
    time_first = integer(op, "time_axis", 0) == 0
    y = x.copy()
    for row, length in enumerate(lengths.tolist()):
        for step in range(length):
            source, target = (length - 1 - step, row), (step, row)
            y[target if time_first else target[::-1]] = x[source if time_first else source[::-1]]
    return (y,)


def _compress(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    condition = np.array(integers(op, "condition"), np.bool_)
    return (np.compress(condition, operands[0], integer(op, "axis") if "axis" in op.attributes else None),)


# Order.


def _top_k(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """NaN is the largest; of equals the lower number comes first."""
    (x,), k = operands, integer(op, "k")
    axis = integer(op, "axis", -1) % x.ndim
    order = _order(np.moveaxis(x, axis, -1), bool(integer(op, "largest", 1)))[..., :k]
    order = np.moveaxis(order, -1, axis)
    return np.take_along_axis(x, order, axis), order.astype(np.int64)


def _order(lanes: Array, largest: bool) -> Array:
    """The numbers of the elements along the last axis, in order."""
    is_nan = lanes != lanes
    values = np.where(is_nan, np.zeros((), lanes.dtype), lanes)
    if largest:
        values, is_nan = ~values if lanes.dtype.kind in "iub" else -values, ~is_nan
    places = np.broadcast_to(np.arange(lanes.shape[-1]), lanes.shape)
    return np.lexsort((places, values, is_nan), axis=-1)


def _arg(largest: bool) -> Meaning:
    """The place of an extreme element; NaN is one."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        (x,) = operands
        axis = integer(op, "axis") % x.ndim
        lanes = np.moveaxis(x, axis, -1)
        y = np.empty(lanes.shape[:-1], np.int64)
        for at in np.ndindex(y.shape):
            lane = lanes[at].tolist()
            extreme = (max if largest else min)(lane)
            hits = [k for k, v in enumerate(lane) if v != v] or [k for k, v in enumerate(lane) if v == extreme]
            y[at] = hits[-1 if integer(op, "select_last_index") else 0]
        return (np.expand_dims(y, axis) if integer(op, "keepdims", 1) else y,)

    return meaning


# Places.


def _pad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), pads = operands, integers(op, "pads") or []
    axes = integers(op, "axes")
    axes = list(range(x.ndim)) if axes is None else [axis % x.ndim for axis in axes]
    before, after = dict(zip(axes, pads, strict=False)), dict(zip(axes, pads[len(axes) :], strict=True))
    crop = [slice(max(-before.get(a, 0), 0), n - max(-after.get(a, 0), 0)) for a, n in enumerate(x.shape)]
    added = [(max(before.get(a, 0), 0), max(after.get(a, 0), 0)) for a in range(x.ndim)]
    x, mode = x[tuple(crop)], word(op, "mode", "constant")
    if mode != "constant":
        return (np.pad(x, added, mode),)
    y = np.full([n + sum(a) for n, a in zip(x.shape, added, strict=True)], number(op, "value", 0)).astype(x.dtype)
    y[tuple(slice(a, a + n) for n, (a, _) in zip(x.shape, added, strict=True))] = x
    return (y,)


def _trilu(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), k = operands, integer(op, "k")
    rows, columns = np.indices(x.shape[-2:])
    kept = columns - rows >= k if integer(op, "upper", 1) else columns - rows <= k
    return (np.where(kept, x, np.zeros((), x.dtype)),)


def _eye_like(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    rows, columns = np.indices(operands[0].shape)
    return ((columns - rows == integer(op, "k")).astype(dtype_of(op.results[0].type)),)


def _range(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    start, limit, delta = (number(op, name, 0) for name in ("start", "limit", "delta"))
    y: list[float] = []
    while (start + len(y) * delta < limit) if delta > 0 else (start + len(y) * delta > limit):
        y.append(start + len(y) * delta)
    dtype = dtype_of(op.results[0].type)
    if is_float(dtype):
        return (r.settle(np.array(y, np.float64), dtype),)
    return (np.array(y, np.int64).astype(dtype),)


def _constant_of_shape(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    return (np.full(integers(op, "shape") or [], number(op, "value", 0)).astype(dtype_of(op.results[0].type)),)


def _shape(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    sizes = operands[0].shape
    end = integer(op, "end") if "end" in op.attributes else None
    return (np.array(sizes[integer(op, "start") : end], np.int64),)


INDEXING: dict[str, Meaning] = {
    "dnn.gather": _gather,
    "dnn.gather_elements": _gather_elements,
    "dnn.gather_nd": _gather_nd,
    "dnn.scatter_elements": _scatter_elements,
    "dnn.scatter_nd": _scatter_nd,
    "dnn.index_add": _index_add,
    "dnn.tensor_scatter": _tensor_scatter,
    "dnn.dynamic_slice": _dynamic_slice,
    "dnn.dynamic_update_slice": _dynamic_update_slice,
    "dnn.one_hot": _one_hot,
    "dnn.reverse_sequence": _reverse_sequence,
    "dnn.compress": _compress,
    "dnn.top_k": _top_k,
    "dnn.arg_max": _arg(True),
    "dnn.arg_min": _arg(False),
    "dnn.pad": _pad,
    "dnn.tile": lambda op, operands, r: (np.tile(operands[0], integers(op, "repeats") or []),),
    "dnn.trilu": _trilu,
    "dnn.eye_like": _eye_like,
    "dnn.range": _range,
    "dnn.constant_of_shape": _constant_of_shape,
    "dnn.shape": _shape,
    "dnn.size": lambda op, operands, r: (np.array(operands[0].size, np.int64),),
}
