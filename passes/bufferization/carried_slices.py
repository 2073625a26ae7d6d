"""Loops that carry slices of slices, as loops that carry where these begin and how many elements they have.

A tensor whose size changes has memory of its own each time that a loop passes it on. Where each iteration passes on a
slice of what it was given, all of them are slices of the tensor that the loop begins with: they are views of that.
Where an iteration changes what it was given first, the loop carries the tensor that it begins with, with the changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import listed_ops
from lastuse.dialect.storage.index_arithmetic import mixed_numbers
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.bufferization.memref_types import Index
from lastuse.passes.bufferization.op_replacement import OpReplacement, insertion, shape_of


class CarriedSlice(NamedTuple):
    """A loop passes on, as its carried value `number`, what `views` make of what it is, or of what an op of the loop
    makes of the same size, `changed`."""

    loop: scf.ForOp
    number: int
    views: list[tensor.ExtractSliceOp | tensor.CastOp]
    changed: SSAValue | None


def has_carried_slices(func: FuncOp) -> bool:
    """Some loop carries slices of what it is given."""
    return any(True for _ in _carried_slices(func))


def carry_offsets(func: FuncOp) -> None:
    """Lets loops carry offsets and sizes of slices. The function computes the same."""
    while (found := next(_carried_slices(func), None)) is not None:
        _carry_offsets(found)


def _carried_slices(func: FuncOp) -> Iterator[CarriedSlice]:
    loops = [op for op in listed_ops(func) if isinstance(op, scf.ForOp)]
    found = [(loop, *_views(v, loop.body.block, n + 1)) for loop in loops for n, v in enumerate(_passed(loop))]
    found = [f for f in found if any(isinstance(view, tensor.ExtractSliceOp) for view in f[1])]
    sizes = infer_shapes(func) if found else {}
    for loop, views, argument, first in found:
        if not isinstance(argument.type, TensorType) or not all(_fits(view, argument.type) for view in views):
            continue
        if first is argument:
            yield CarriedSlice(loop, argument.index - 1, views, None)
        elif first.type == argument.type and sizes[first].known == sizes[argument].known:
            yield CarriedSlice(loop, argument.index - 1, views, first)


def _passed(loop: scf.ForOp) -> Sequence[SSAValue]:
    last = loop.body.block.last_op
    return last.operands if isinstance(last, scf.YieldOp) else ()


def _views(
    value: SSAValue, block: Block, number: int
) -> tuple[list[tensor.ExtractSliceOp | tensor.CastOp], BlockArgument, SSAValue]:
    """The ops of a block that view a value, in their order, to make another one; the argument that the block is given
    in the place of that, and the value."""
    found: list[tensor.ExtractSliceOp | tensor.CastOp] = []
    while isinstance(op := value.owner, tensor.ExtractSliceOp | tensor.CastOp) and op.parent is block:
        if isinstance(op, tensor.ExtractSliceOp) and not _is_plain(op):
            break
        found.append(op)
        value = op.source
    is_inner = value.owner is block or (isinstance(value.owner, Operation) and value.owner.parent is block)
    return found[::-1] if is_inner else [], block.args[number], value


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
    loop, number, views, changed = found
    block, last = loop.body.block, loop.body.block.last_op
    argument, initial, result = block.args[number + 1], loop.iter_args[number], loop.results[number]
    type_ = argument.type
    assert last is not None and loop.parent is not None and isinstance(type_, TensorType)
    axes = [axis for axis, n in enumerate(type_.get_shape()) if n == DYNAMIC_INDEX]
    before, end = OpReplacement(loop), OpReplacement(last)
    first = [before.number(0) for _ in axes] + [before.value(before.size(initial, axis)) for axis in axes]
    given = [block.insert_arg(IndexType(), len(block.args)) for _ in first]
    base = block.insert_arg(type_, len(block.args)) if changed is not None else initial
    start = OpReplacement(block.first_op or last)
    argument.replace_all_uses_with(start.add(_slice(base, given, axes, type_)))
    offsets: list[Index] = [*given[: len(axes)]]
    sizes: list[Index] = [*given[len(axes) :]]
    for view in views:
        if isinstance(view, tensor.ExtractSliceOp):
            more = mixed_numbers(view.static_offsets.get_values(), view.offsets)
            counts = mixed_numbers(view.static_sizes.get_values(), view.sizes)
            offsets = [end.plus(a, more[axis]) for a, axis in zip(offsets, axes, strict=True)]  # pyright: ignore
            sizes = [counts[axis] for axis in axes]  # pyright: ignore
    passed = [end.value(n) for n in (*offsets, *sizes)]
    if changed is not None:
        base.name_hint = initial.name_hint
        passed.append(end.add(_insertion(changed, base, given, axes)))
        first.append(initial)
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
    made = behind.add(_slice(ends.pop() if changed is not None else initial, ends, axes, type_))
    results = list(new.results[: len(kept) - len(first)])
    _replace(loop, [*results[:number], made, *results[number:]], result)


def _ranges(numbers: Sequence[SSAValue], axes: Sequence[int], shape: Sequence[int]) -> list[list[SSAValue | int]]:
    """Offsets and sizes along all axes of a tensor, `numbers` along `axes`, first all of the former; along others all
    is taken."""
    at = {axis: n for n, axis in enumerate(axes)}
    offsets = [numbers[at[a]] if a in at else 0 for a in range(len(shape))]
    return [offsets, [numbers[len(axes) + at[a]] if a in at else n for a, n in enumerate(shape)]]


def _slice(
    base: SSAValue, numbers: Sequence[SSAValue], axes: Sequence[int], type_: TensorType
) -> tensor.ExtractSliceOp:
    offsets, sizes = _ranges(numbers, axes, type_.get_shape())
    return tensor.ExtractSliceOp(base, offsets, sizes, [1] * len(sizes), type_)


def _insertion(
    source: SSAValue, base: SSAValue, numbers: Sequence[SSAValue], axes: Sequence[int]
) -> tensor.InsertSliceOp:
    offsets, sizes = _ranges(numbers, axes, shape_of(base))
    return insertion(source, base, offsets, sizes, [1] * len(sizes))


def _replace(loop: Operation, values: list[SSAValue], named: OpResult) -> None:
    for old, value in zip(loop.results, values, strict=True):
        value.name_hint = value.name_hint or old.name_hint
        old.replace_all_uses_with(value)
    loop.detach()
    loop.erase()
