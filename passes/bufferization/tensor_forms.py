"""Ops of `tensor`: slices and reshapes are views, elements are loaded and stored, what only moves is `memref.copy`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.attribute_values import numbers_of
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import contract_of, is_undefined
from lastuse.dialect.storage.layout import Strided, same_bytes
from lastuse.dialect.storage.runtime_slices import axes_of
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.forms import MemrefForm, declare_form
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import (
    Index,
    collapsed_type,
    expanded_type,
    is_contiguous,
    kept_axes,
    memory_type,
    strided_type,
    strides_of,
    type_of,
)
from lastuse.passes.bufferization.signatures import tensor_type
from lastuse.passes.lowering.box_difference import Box, boxes_outside

SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp


# Views


def _ranges(op: SliceOp, to: MemrefContext) -> tuple[list[Index], list[Index], list[Index]]:
    offsets, sizes, strides = map(numbers_of, (op.static_offsets, op.static_sizes, op.static_strides))
    if DYNAMIC_INDEX not in (*offsets, *sizes, *strides):
        return [*offsets], [*sizes], [*strides]
    return to.indices(offsets, op.offsets), to.indices(sizes, op.sizes), to.indices(strides, op.strides)


def _slice(op: SliceOp, source: SSAValue, shape: tuple[int, ...], to: MemrefContext) -> SSAValue:
    offsets, sizes, strides = _ranges(op, to)
    return to.subview(source, offsets, sizes, strides, kept_axes(sizes, shape))


def _view_slice(op: Operation, source: SSAValue, to: MemrefContext) -> SSAValue:
    assert isinstance(op, tensor.ExtractSliceOp)
    return _slice(op, source, op.result.type.get_shape(), to)


def _slice_sizes(op: Operation, to: MemrefContext) -> list[Index]:
    assert isinstance(op, tensor.ExtractSliceOp)
    sizes = _ranges(op, to)[1]
    return [sizes[a] for a in kept_axes(sizes, op.result.type.get_shape())]


def _view_cast(op: Operation, source: SSAValue, to: MemrefContext) -> SSAValue:
    """What the result's type says more of the sizes; what it says less is kept. Of memory of unknown rank nothing is
    known."""
    type_ = tensor_type(op.results[0])
    if is_unranked(op.results[0]) or isinstance(source.type, UnrankedMemRefType):
        return to.cast(source, memory_type(type_, strided=True))
    have, want = type_of(source), static_shape(type_)
    if len(have.get_shape()) != len(want):
        raise to.no_form(op)
    sizes = [n if w is None else w for n, w in zip(have.get_shape(), want, strict=True)]
    return to.cast(source, MemRefType(have.element_type, sizes, have.layout))


def _groups(op: tensor.CollapseShapeOp | tensor.ExpandShapeOp) -> list[list[int]]:
    return [[i.value.data for i in group] for group in op.reassociation.data]


def _view_collapse(op: Operation, source: SSAValue, to: MemrefContext) -> SSAValue:
    assert isinstance(op, tensor.CollapseShapeOp)
    groups, have = _groups(op), type_of(source)
    if not all(is_contiguous(have, group) for group in groups):
        source = _with_known_strides(op, source, to)
        have = type_of(source)
    if not all(is_contiguous(have, group) for group in groups):
        raise to.no_form(op)
    sizes: list[int] = []
    for group in groups:
        total = 1
        for axis in group:
            n = have.get_shape()[axis]
            total = DYNAMIC_INDEX if DYNAMIC_INDEX in (n, total) else total * n
        sizes.append(total)
    type_ = collapsed_type(have, groups, sizes)
    made = memref.CollapseShapeOp.build(
        operands=[source], result_types=[type_], properties={"reassociation": op.reassociation}
    )
    return to.emit(made)


def _with_known_strides(op: tensor.CollapseShapeOp, source: SSAValue, to: MemrefContext) -> SSAValue:
    """The source with the strides that its place has, where the type of the memref does not say them: it is carried, or
    of sizes that are known from elsewhere. What a call returns may lie at any strides."""
    place = to.places.of[op.src]
    have, axes, item = type_of(source), axes_of(place.layout), place.layout.item
    if axes is None or is_unranked(to.rules.at[op.src][0]):
        return source
    if not all(to.forwarded.is_dense(s) for s in to.forwarded.storages(place.storage)):
        return source
    pairs = list(zip(have.get_shape(), strides_of(have), axes, strict=True))
    sizes = [axis.size if n == DYNAMIC_INDEX and isinstance(axis.size, int) else n for n, _, axis in pairs]
    strides = [axis.stride // item if s is None and axis.stride is not None else s for _, s, axis in pairs]
    return to.cast(source, strided_type(have.element_type, sizes, strides, have.get_offset()))


def _view_expand(op: Operation, source: SSAValue, to: MemrefContext) -> SSAValue:
    assert isinstance(op, tensor.ExpandShapeOp)
    return _expand_memref(op, source, _groups(op), _expanded_sizes(op, to), to)


def _expand_memref(
    op: tensor.CollapseShapeOp | tensor.ExpandShapeOp,
    source: SSAValue,
    groups: list[list[int]],
    sizes: list[Index],
    to: MemrefContext,
) -> SSAValue:
    """A memref with each axis cut into those of a group, of such sizes."""
    shape = [n if isinstance(n, int) else DYNAMIC_INDEX for n in sizes]
    type_ = expanded_type(type_of(source), groups, shape)
    made = memref.ExpandShapeOp.build(
        operands=[source, [n for n in sizes if isinstance(n, SSAValue)]],
        result_types=[type_],
        properties={"reassociation": op.reassociation, "static_output_shape": DenseArrayBase.from_list(i64, shape)},
    )
    return to.emit(made)


def _with_sizes(source: SSAValue, sizes: list[Index], to: MemrefContext) -> SSAValue:
    """A memref without gaps under other sizes. LLVM 19 does not lower an `expand_shape` of one axis to several of
    unknown size."""
    strides: list[Index] = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, to.times(strides[0], size))
    shape, steps = ([n if isinstance(n, int) else None for n in numbers] for numbers in (sizes, strides))
    type_ = strided_type(type_of(source).element_type, [DYNAMIC_INDEX if n is None else n for n in shape], steps, 0)
    return to.emit(memref.ReinterpretCastOp.from_dynamic(source, [0], sizes, strides, type_))


def _expanded_sizes(op: Operation, to: MemrefContext) -> list[Index]:
    assert isinstance(op, tensor.ExpandShapeOp)
    return to.indices(numbers_of(op.static_output_shape), op.dynamic_output_shape)


def _collapsed_sizes(op: Operation, to: MemrefContext) -> list[Index]:
    assert isinstance(op, tensor.CollapseShapeOp)
    have, sizes = to.sizes(op.src), list[Index]()
    for group in _groups(op):
        total: Index = 1
        for axis in group:
            total = to.times(total, have[axis])
        sizes.append(total)
    return sizes


def _copied_collapse(op: Operation, to: MemrefContext) -> None:
    """The source is copied as what it is: to the result with its axes apart."""
    assert isinstance(op, tensor.CollapseShapeOp)
    groups, sizes, result = _groups(op), to.sizes(op.src), to.memref(op.result)
    if not groups:
        raise to.no_form(op)
    several = any(sum(not isinstance(sizes[axis], int) for axis in group) > 1 for group in groups)
    dense = isinstance(type_of(result).layout, NoneAttr)
    apart = _with_sizes(result, sizes, to) if several and dense else _expand_memref(op, result, groups, sizes, to)
    to.copy(to.memref(op.src), apart)
    to.note_copy(op, op.src, copied_into(op.src, op.result), Reason.LAYOUT)


def _copied_view(op: Operation, to: MemrefContext) -> None:
    """A view that is a copy."""
    form = _VIEWS[type(op)]
    (result,) = op.results
    assert form.view is not None
    to.copy(form.view(op, to.memref(op.operands[0]), to), to.memref(result))
    to.note_copy(op, op.operands[0], copied_into(op.operands[0], result), Reason.LAYOUT)


# Moves


def _in_part(op: Operation, operand: int, to: MemrefContext) -> bool:
    """The operand already lies in its part of the result."""
    result, source = to.places.of[op.results[0]], to.places.of[operands_of(op)[operand]]
    contribution = next((c for c in contract_of(op).contributions if c.operand == operand), None)
    place = contribution.place(result.layout) if contribution is not None else None
    return place is not None and result.storage == source.storage and same_bytes(place, source.layout)


def _move(op: Operation, operand: int, part: SSAValue, to: MemrefContext) -> None:
    value = op.operands[operand]
    if is_undefined(value):
        return
    to.copy(to.memref(value), part)
    to.note_copy(op, value, copied_into(value, op.results[0]), Reason.TAKEN)


def _insert_part(op: Operation, operand: int, result: SSAValue, to: MemrefContext) -> SSAValue:
    assert isinstance(op, tensor.InsertSliceOp)
    shape = tuple(DYNAMIC_INDEX if n is None else n for n in static_shape(op.source.type))
    return _slice(op, result, shape, to)


def _insert_slice(op: Operation, to: MemrefContext) -> None:
    assert isinstance(op, tensor.InsertSliceOp)
    dest, (value,) = operands_of(op)[1], op.results
    result = to.memref(value)
    inside = _in_part(op, 0, to)
    if not to.is_at(dest, value) and not is_undefined(dest):
        if inside:
            _copy_around(op, result, to)
        else:
            to.copy(to.memref(dest), result)
        to.note_copy(op, dest, copied_into(dest, value), Reason.TAKEN)
    if not inside:
        _move(op, 0, _insert_part(op, 0, result, to), to)


def _copy_around(op: tensor.InsertSliceOp, result: SSAValue, to: MemrefContext) -> None:
    """Copies what the part does not replace, as the part is there already: in boxes, or, where these are not known,
    while the part lies aside."""
    offsets, sizes, strides = _ranges(op, to)
    part = contract_of(op).contributions[1].part(Strided.dense([n or 0 for n in static_shape(op.result.type)], 1))
    if isinstance(part, Strided):
        shape = tuple(n or 0 for n in static_shape(op.result.type))
        boxes = [([a for a, _ in box], [b - a for a, b in box]) for box in _known_boxes(shape, part)]
    elif all(n == 1 for n in strides):
        boxes = list(_boxes_around(offsets, sizes, to.sizes(op.result), to))
    else:
        _copy_under(op, result, to)
        return
    ones = [1] * len(sizes)
    for box in boxes:
        source, target = (to.subview(m, *box, ones) for m in (to.memref(op.dest), result))
        to.copy(source, target)


@lru_cache(maxsize=1 << 8)
def _known_boxes(shape: tuple[int, ...], part: Strided) -> Sequence[Box]:
    """As `boxes_outside`: many insertions of a program are into the same part."""
    return tuple(boxes_outside(shape, part))


def _boxes_around(
    offsets: Sequence[Index], sizes: Sequence[Index], shape: Sequence[Index], to: MemrefContext
) -> Iterator[tuple[list[Index], list[Index]]]:
    """Offsets and sizes of boxes that cover what a tensor of `shape` has outside of a part: on each axis what is before
    the part and behind it, of what is in the part's range on the axes before."""
    for axis, (first, size, all_) in enumerate(zip(offsets, sizes, shape, strict=True)):
        behind = to.plus(first, size)
        for start, count in ((0, first), (behind, to.minus(all_, behind))):
            if count != 0:
                zeros: list[Index] = [0] * (len(shape) - axis - 1)
                yield [*offsets[:axis], start, *zeros], [*sizes[:axis], count, *shape[axis + 1 :]]


def _copy_under(op: tensor.InsertSliceOp, result: SSAValue, to: MemrefContext) -> None:
    """Copies all of the tensor that a part is inserted into, while the part, which is there already, lies aside."""
    part = _insert_part(op, 0, result, to)
    aside = to.new_memory(op.source)
    to.copy(part, aside)
    to.note_copy(op, op.source, f"{display_name(op.source)} is copied to a temporary", Reason.CYCLE)
    to.copy(to.memref(op.dest), result)
    to.copy(aside, part)
    to.note_copy(op, op.source, copied_into(op.source, op.result), Reason.CYCLE)
    to.emit(memref.DeallocOp.get(aside))


def _concat_part(op: Operation, operand: int, result: SSAValue, to: MemrefContext) -> SSAValue:
    assert isinstance(op, tensor.ConcatOp)
    axis, offset = op.dim.value.data, 0
    for value in op.operands[:operand]:
        offset = to.plus(offset, to.size(value, axis))
    sizes = to.sizes(op.operands[operand])
    offsets: list[Index] = [0] * len(sizes)
    offsets[axis] = offset
    return to.subview(result, offsets, sizes, [1] * len(sizes))


def _concat(op: Operation, to: MemrefContext) -> None:
    result = to.memref(op.results[0])
    for k in range(len(op.operands)):
        if not _in_part(op, k, to):
            _move(op, k, _concat_part(op, k, result, to), to)


def _concat_sizes(op: Operation, to: MemrefContext) -> list[Index]:
    assert isinstance(op, tensor.ConcatOp)
    sizes, axis = to.sizes(op.operands[0]), op.dim.value.data
    for value in op.operands[1:]:
        sizes[axis] = to.plus(sizes[axis], to.size(value, axis))
    return sizes


# Elements


def _given_sizes(op: Operation, to: MemrefContext) -> list[Index]:
    """Those that are not known come last among the operands."""
    shape = static_shape(op.results[0].type)
    dynamic = iter(op.operands[len(op.operands) - shape.count(None) :])
    return [to.scalar_of(next(dynamic)) if n is None else n for n in shape]


def _extract(op: Operation, to: MemrefContext) -> None:
    assert isinstance(op, tensor.ExtractOp)
    load = to.emit(memref.LoadOp.get(to.memref(op.tensor), to.scalars(op.indices)))
    to.define([op.result], [load])


def _insert(op: Operation, to: MemrefContext) -> None:
    assert isinstance(op, tensor.InsertOp)
    result = to.memref(op.result)
    if not to.is_at(op.dest, op.result) and not is_undefined(op.dest):
        to.copy(to.memref(op.dest), result)
        to.note_copy(op, op.dest, copied_into(op.dest, op.result), Reason.TAKEN)
    to.emit(memref.StoreOp.get(to.scalar_of(op.scalar), result, to.scalars(op.indices)))


def _from_elements(op: Operation, to: MemrefContext) -> None:
    shape = [n or 0 for n in static_shape(op.results[0].type)]
    result = to.memref(op.results[0])
    for value, at in zip(op.operands, product(*map(range, shape)), strict=True):
        to.emit(memref.StoreOp.get(to.scalar_of(value), result, [to.index(i) for i in at]))


def _splat(op: Operation, to: MemrefContext) -> None:
    to.emit(FillOp([to.scalar_of(op.operands[0])], [to.memref(op.results[0])], []))


def _dim(op: Operation, to: MemrefContext) -> None:
    assert isinstance(op, tensor.DimOp)
    axis = op.index.owner.value if isinstance(op.index.owner, arith.ConstantOp) else None
    axes = 0 if is_unranked(op.source) else len(static_shape(op.source.type))
    if isinstance(axis, IntegerAttr) and 0 <= axis.value.data < axes:
        size = to.as_value(to.size(op.source, axis.value.data))
    else:
        size = to.emit(memref.DimOp(to.memref(op.source), to.scalar_of(op.index)))
    to.scalar[op.result] = size


def _rank(op: Operation, to: MemrefContext) -> None:
    rank = memref.RankOp.from_memref(to.memref(op.operands[0]))
    to.define(op.results, [to.emit(rank)])


_VIEWS: dict[type[Operation], MemrefForm] = {
    tensor.ExtractSliceOp: MemrefForm(_copied_view, _view_slice, sizes=_slice_sizes),
    tensor.CastOp: MemrefForm(_copied_view, _view_cast, any_rank=True),
    tensor.CollapseShapeOp: MemrefForm(_copied_collapse, _view_collapse, sizes=_collapsed_sizes, joins_axes=True),
    tensor.ExpandShapeOp: MemrefForm(_copied_view, _view_expand, sizes=_expanded_sizes),
}
for _class, _form in _VIEWS.items():
    declare_form(_class.name, _form)
declare_form("tensor.insert_slice", MemrefForm(_insert_slice, part=_insert_part))
declare_form("tensor.concat", MemrefForm(_concat, part=_concat_part, sizes=_concat_sizes))
declare_form("tensor.empty", MemrefForm(sizes=_given_sizes))
declare_form("tensor.extract", MemrefForm(_extract))
declare_form("tensor.insert", MemrefForm(_insert))
declare_form("tensor.from_elements", MemrefForm(_from_elements))
declare_form("tensor.splat", MemrefForm(_splat, sizes=_given_sizes))
declare_form("tensor.dim", MemrefForm(_dim, any_rank=True))
declare_form("tensor.rank", MemrefForm(_rank, any_rank=True))
