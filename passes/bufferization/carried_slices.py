"""Loops that carry slices of slices, as loops that carry where these begin and how many elements they have.

A tensor whose size changes has memory of its own each time that a loop passes it on. Where each iteration passes on a
slice of what it was given, all of them are slices of the tensor that the loop begins with: they are views of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import listed_ops
from lastuse.dialect.storage.index_arithmetic import mixed_numbers
from lastuse.passes.bufferization.memref_types import Index
from lastuse.passes.bufferization.op_replacement import OpReplacement, shape_of


class CarriedSlice(NamedTuple):
    """A loop passes on, as its carried value `number`, what `views` make of it, the first of them of what it is."""

    loop: scf.ForOp
    number: int
    views: list[tensor.ExtractSliceOp | tensor.CastOp]


def has_carried_slices(func: FuncOp) -> bool:
    """Some loop carries slices of what it is given."""
    return any(True for _ in _carried_slices(func))


def carry_offsets(func: FuncOp) -> None:
    """Lets loops carry offsets and sizes of slices. The function computes the same."""
    while (found := next(_carried_slices(func), None)) is not None:
        _carry_offsets(found)


def _carried_slices(func: FuncOp) -> Iterator[CarriedSlice]:
    for loop in listed_ops(func):
        if not isinstance(loop, scf.ForOp) or not isinstance(last := loop.body.block.last_op, scf.YieldOp):
            continue
        for number, value in enumerate(last.operands):
            views = _views(value, loop.body.block.args[number + 1])
            if views and any(isinstance(view, tensor.ExtractSliceOp) for view in views):
                yield CarriedSlice(loop, number, views)


def _views(value: SSAValue, argument: SSAValue) -> list[tensor.ExtractSliceOp | tensor.CastOp] | None:
    """The ops that make a slice of an argument of a block, in their order; None where other ops do, or not all sizes
    that differ are unknown."""
    found: list[tensor.ExtractSliceOp | tensor.CastOp] = []
    type_ = argument.type
    while value is not argument:
        op = value.owner
        if not isinstance(op, tensor.ExtractSliceOp | tensor.CastOp) or op.parent is not argument.owner:
            return None
        if isinstance(op, tensor.ExtractSliceOp) and not _is_plain(op):
            return None
        found.append(op)
        value = op.source
    return found[::-1] if isinstance(type_, TensorType) and all(_fits(op, type_) for op in found) else None


def _is_plain(op: tensor.ExtractSliceOp) -> bool:
    """The slice has all axes, in steps of 1."""
    return set(op.static_strides.get_values()) <= {1} and len(shape_of(op.source)) == len(shape_of(op.result))


def _fits(op: tensor.ExtractSliceOp | tensor.CastOp, type_: TensorType) -> bool:
    """An axis of known size is taken as it is."""
    if isinstance(op, tensor.CastOp):
        return len(shape_of(op.dest)) == len(type_.get_shape())
    pairs = zip(type_.get_shape(), op.static_offsets.get_values(), op.static_sizes.get_values(), strict=True)
    return all(n == DYNAMIC_INDEX or (offset == 0 and size == n) for n, offset, size in pairs)


def _carry_offsets(found: CarriedSlice) -> None:
    loop, number, views = found
    block, last = loop.body.block, loop.body.block.last_op
    argument, initial, result = block.args[number + 1], loop.iter_args[number], loop.results[number]
    assert last is not None and loop.parent is not None and isinstance(argument.type, TensorType)
    axes = [axis for axis, n in enumerate(argument.type.get_shape()) if n == DYNAMIC_INDEX]
    before, end = OpReplacement(loop), OpReplacement(last)
    first = [before.number(0) for _ in axes] + [before.value(before.size(initial, axis)) for axis in axes]
    given = [block.insert_arg(IndexType(), len(block.args)) for _ in first]
    start = OpReplacement(block.first_op or last)
    argument.replace_all_uses_with(start.add(_slice(initial, given, axes, argument.type)))
    offsets: list[Index] = [*given[: len(axes)]]
    sizes: list[Index] = [*given[len(axes) :]]
    for view in views:
        if isinstance(view, tensor.ExtractSliceOp):
            more = mixed_numbers(view.static_offsets.get_values(), view.offsets)
            counts = mixed_numbers(view.static_sizes.get_values(), view.sizes)
            offsets = [end.plus(a, more[axis]) for a, axis in zip(offsets, axes, strict=True)]  # pyright: ignore
            sizes = [counts[axis] for axis in axes]  # pyright: ignore
    passed = [end.value(n) for n in (*offsets, *sizes)]
    last.operands = [*last.operands[:number], *last.operands[number + 1 :], *passed]
    block.erase_arg(argument)
    for view in reversed(views):
        if all(r.first_use is None for r in view.results):
            view.detach()
            view.erase()
    kept = [*loop.iter_args[:number], *loop.iter_args[number + 1 :], *first]
    new = scf.ForOp(loop.lb, loop.ub, loop.step, kept, loop.detach_region(loop.body))
    inherit(new, loop)
    loop.parent.insert_op_before(new, loop)
    behind = OpReplacement(loop)
    ends: list[SSAValue] = list(new.results[len(kept) - len(first) :])
    made = behind.add(_slice(initial, ends, axes, argument.type))
    results = list(new.results[: len(kept) - len(first)])
    _replace(loop, [*results[:number], made, *results[number:]], result)


def _slice(
    base: SSAValue, numbers: Sequence[SSAValue], axes: Sequence[int], type_: TensorType
) -> tensor.ExtractSliceOp:
    """A slice at offsets and sizes along `axes`, first all of the former; along other axes all is taken."""
    at = dict(zip(axes, range(len(axes)), strict=True))
    offsets: list[SSAValue | int] = [numbers[at[a]] if a in at else 0 for a in range(len(type_.get_shape()))]
    sizes: list[SSAValue | int] = [
        numbers[len(axes) + at[a]] if a in at else n for a, n in enumerate(type_.get_shape())
    ]
    return tensor.ExtractSliceOp(base, offsets, sizes, [1] * len(sizes), type_)


def _replace(loop: Operation, values: list[SSAValue], named: OpResult) -> None:
    for old, value in zip(loop.results, values, strict=True):
        value.name_hint = value.name_hint or old.name_hint
        old.replace_all_uses_with(value)
    loop.detach()
    loop.erase()
