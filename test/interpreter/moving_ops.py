"""Ops whose results are elements of their operands: views, their inverses, concats and their like."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning
from .ir_values import constant, integer, integers, sizes_of, word
from .rounding import Array, Rounding

Index = tuple[object, ...]


def _reshape(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    stated = integers(op, "shape")
    if stated is None:
        sizes = [-1 if d is None else d for d in sizes_of(op.results[0].type)]
    else:
        literal = integer(op, "allowzero")
        sizes = [x.shape[axis] if d == 0 and not literal else d for axis, d in enumerate(stated)]
    rest = math.prod(d for d in sizes if d >= 0)
    return (x.reshape([(x.size // rest if rest else 0) if d < 0 else d for d in sizes]),)


def _flatten(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axis = operands, integer(op, "axis", 1)
    cut = axis + operands[0].ndim if axis < 0 else axis
    return (x.reshape(math.prod(x.shape[:cut]), math.prod(x.shape[cut:])),)


def _squeeze(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axes = operands, integers(op, "axes")
    return (np.squeeze(x, None if axes is None else tuple(axes)),)


def _expand(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), shape = operands, integers(op, "shape")
    if shape is not None:
        return (np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape))),)
    stated = sizes_of(op.results[0].type)
    padded = (1,) * (len(stated) - x.ndim) + x.shape
    return (np.broadcast_to(x, [have if d is None else d for have, d in zip(padded, stated, strict=True)]),)


def _transpose(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    return (np.transpose(operands[0], integers(op, "perm")),)


# Parts: the elements of a value that the attributes name, as an index of numpy.


def _slice(op: Operation, x: Array) -> Index:
    starts = integers(op, "starts")
    if starts is not None:
        axes = integers(op, "axes") or list(range(len(starts)))
        steps = integers(op, "steps") or [1] * len(starts)
        index = [slice(None)] * x.ndim
        for axis, start, end, step in zip(axes, starts, integers(op, "ends") or [], steps, strict=True):
            index[axis] = slice(start, end, step)
        return tuple(index)
    dim = integer(op, "dim")
    end = integer(op, "end") if "end" in op.attributes else None
    return (*(slice(None),) * (dim % x.ndim), slice(integer(op, "start"), end, integer(op, "step", 1)))


def _select(op: Operation, x: Array) -> Index:
    return (*(slice(None),) * (integer(op, "dim") % x.ndim), integer(op, "index"))


def _part(op: Operation, x: Array) -> Array:
    """The numbers of the part's elements among those of x, in the part's shape."""
    name = op.name.removeprefix("dnn.").removesuffix("_scatter")
    places = np.arange(x.size).reshape(x.shape)
    if name == "slice":
        return places[_slice(op, x)]
    if name == "select":
        return places[_select(op, x)]
    if name == "diagonal":
        return np.diagonal(places, integer(op, "offset"), integer(op, "dim1", 0), integer(op, "dim2", 1))
    sizes, strides = integers(op, "size") or [], integers(op, "stride") or []
    found = np.full(sizes, integer(op, "storage_offset"))
    for axis, stride in enumerate(strides):
        steps = np.arange(sizes[axis]) * stride
        found = found + steps.reshape([-1 if a == axis else 1 for a in range(len(sizes))])
    return found


def _part_of(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    return (x.reshape(-1)[_part(op, x)],)


def _scatter(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    base, source = operands
    flat = base.flatten()
    flat[_part(op, base).reshape(-1)] = source.reshape(-1)
    return (flat.reshape(base.shape),)


def _split(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,), axis = operands, integer(op, "axis")
    whole, count = x.shape[axis], len(op.results)
    pieces = integers(op, "split")
    if pieces is None:
        size = integer(op, "split_size") or -(-whole // count)
        pieces = [max(0, min(size, whole - k * size)) for k in range(count)]
    return np.split(x, np.cumsum(pieces)[:-1], axis)


def _unbind(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    axis = integer(op, "axis")
    return [np.take(operands[0], k, axis) for k in range(len(op.results))]


# Ragged rows.


def _to_padded(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, offsets = operands
    lengths, batch_first = np.diff(offsets), word(op, "layout", "tnc") == "ntc"
    longest = int(lengths.max(initial=0))
    shape = [len(lengths), longest] if batch_first else [longest, len(lengths)]
    stated = sizes_of(op.results[0].type)[batch_first]
    steps = longest if stated is None else stated
    shape[batch_first] = steps
    y = np.zeros((*shape, x.shape[1]), x.dtype)
    for number_, (start, n) in enumerate(zip(offsets[:-1], lengths, strict=True)):
        at = slice(steps - n, steps) if integer(op, "is_reverse") else slice(0, n)
        y[(number_, at) if batch_first else (at, number_)] = x[start : start + n]
    return (y,)


def _from_padded(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, offsets = operands[:2]
    by_sequence = x if word(op, "layout", "tnc") == "ntc" else np.swapaxes(x, 0, 1)
    y = np.zeros((int(offsets[-1]), x.shape[2]), x.dtype)
    for number_, (start, end) in enumerate(pairwise(offsets.tolist())):
        n, steps = end - start, by_sequence.shape[1]
        at = slice(steps - n, steps) if integer(op, "is_reverse") else slice(0, n)
        y[start:end] = by_sequence[number_, at]
    return (y,)


def _weight_h_to_gates(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    flat, channels = operands[0].reshape(-1), len(operands[0])
    both, last = np.split(flat, [2 * channels * channels])
    gates = [*np.split(both.reshape(channels, 2 * channels), 2, axis=1), last.reshape(channels, channels)]
    return (np.stack(gates, axis=1),)


MOVING: dict[str, Meaning] = {
    "dnn.constant": lambda op, operands, r: (constant(op),),
    "dnn.reshape": _reshape,
    "dnn.flatten": _flatten,
    "dnn.identity": lambda op, operands, r: operands,
    "dnn.keep": lambda op, operands, r: [],
    "dnn.multiout": lambda op, operands, r: operands * len(op.results),
    "dnn.squeeze": _squeeze,
    "dnn.unsqueeze": lambda op, operands, r: (np.expand_dims(operands[0], tuple(integers(op, "axes") or [])),),
    "dnn.expand": _expand,
    "dnn.transpose": _transpose,
    **{f"dnn.{name}": _part_of for name in ("slice", "select", "diagonal", "as_strided")},
    **{f"dnn.{name}_scatter": _scatter for name in ("slice", "select", "diagonal", "as_strided")},
    "dnn.split": _split,
    "dnn.unbind": _unbind,
    "dnn.concat": lambda op, operands, r: (np.concatenate(operands, integer(op, "axis")),),
    "dnn.stack": lambda op, operands, r: (np.stack(operands, integer(op, "axis")),),
    "dnn.copy": lambda op, operands, r: operands,
    "dnn.copy_into": lambda op, operands, r: operands[1:],
    "dnn.lod_to_tnc": _to_padded,
    "dnn.tnc_to_lod": _from_padded,
    "dnn.gru_weight_h_to_gates": _weight_h_to_gates,
}
