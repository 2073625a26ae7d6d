"""Contracts of `tensor`: views and their inverses. Offsets and sizes of slices may be known at run time only."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.foreign.common import KERNEL, concat, known_shapes, sized
from lastuse.dialect.ir.alike_ops import same_for_alike
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.ir.unranked_tensors import TensorRankOp, is_unranked
from lastuse.dialect.storage.contract import FOREIGN, Contract, Contribution, Declared, InPlace, View, supply_contract
from lastuse.dialect.storage.index_arithmetic import SliceBounds, mixed_numbers
from lastuse.dialect.storage.layout import LayoutMap, Strided, identical, reshape, reshaped
from lastuse.dialect.storage.runtime_slices import SliceMap, without_ones

SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp
EMPTY = KERNEL._replace(uninitialized=True)


def _slice_map(op: SliceOp, whole: SSAValue, part: SSAValue) -> LayoutMap | None:
    """From the layout of `whole` to that of its slice `part`; None where the slice is not inside, or a step is known
    not to go on. The slice's shape may leave out axes of size 1. A step that is known at run time only is not 0, as no
    stride of a memref is."""
    offsets = mixed_numbers(op.static_offsets.get_values(), op.offsets)
    sizes = mixed_numbers(op.static_sizes.get_values(), op.sizes)
    strides = mixed_numbers(op.static_strides.get_values(), op.strides)
    have, want = (static_shape(v.type) for v in (whole, part))
    if not len(offsets) == len(sizes) == len(strides) == len(have):
        return None
    for count, start, size, step in zip(have, offsets, sizes, strides, strict=True):
        if isinstance(start, int) and start < 0 or isinstance(size, int) and size < 0:
            return None
        if isinstance(step, int) and step <= 0:
            return None
        known = all(isinstance(number, int) for number in (start, size, step, count))
        if known and size and start + (size - 1) * step >= count:  # pyright: ignore[reportOperatorIssue]
            return None
    whole_sizes, part_sizes = (
        None if None in shape else tuple(d for d in shape if d is not None) for shape in (have, want)
    )
    counts = [n for n in sizes if isinstance(n, int)]
    shown = part_sizes if len(counts) == len(sizes) else None
    if shown is not None and without_ones(Strided.dense(counts, 1), shown) is None:
        return None
    bounds = SliceBounds(offsets, sizes, strides)
    known = whole_sizes is not None and part_sizes is not None and not bounds.values
    return cast(LayoutMap, SliceMap(bounds, whole_sizes, part_sizes, known))


def _where_static(declared: Declared, tensors: int) -> Declared:
    """The contract of a slice, one for all that are alike where `tensors` are all its operands: it has index values
    then as numbers alone."""
    alike = same_for_alike(declared)
    return lambda op: (alike if len(operands_of(op)) == tensors else declared)(op)


def _extract_slice(op: Operation) -> Contract:
    assert isinstance(op, tensor.ExtractSliceOp)
    map_ = _slice_map(op, op.source, op.result)
    if map_ is None:
        return FOREIGN
    return KERNEL._replace(views=(View(0, 0, map_),), sized_by=_sizes_of_slice(op))


def _sizes_of_slice(op: tensor.ExtractSliceOp) -> tuple[tuple[int, int, int], ...]:
    """Not of a slice that leaves axes out: which ones may not be known."""
    sizes = op.static_sizes.get_values()
    if len(sizes) != len(op.result.type.get_shape()):
        return ()
    first = 1 + len(op.offsets)
    return tuple((0, axis, first + k) for k, axis in enumerate(a for a, n in enumerate(sizes) if n == DYNAMIC_INDEX))


def _insert_slice(op: Operation) -> Contract:
    """`dest`, operand 1, is the base; `source`, operand 0, lies in its part."""
    assert isinstance(op, tensor.InsertSliceOp)
    map_ = _slice_map(op, op.dest, op.source)
    if map_ is None:
        return FOREIGN._replace(copies=frozenset({0, 1}), same_shape=((0, 1),))
    return KERNEL._replace(
        same_shape=((0, 1),),
        over=(InPlace(0, 1),),
        contributions=(Contribution(1, map_, complement=True), Contribution(0, map_, may_be_produced_in_place=True)),
    )


_ALL = KERNEL._replace(views=(View(0, 0, identical, whole=True),))
_ALL_IN_SHAPE = _ALL._replace(same_shape=((0, 0),))


def _cast(op: Operation) -> Contract:
    """All of the operand. Of a tensor of unknown rank no size is known, but where it is the other one itself."""
    one, two = is_unranked(operands_of(op)[0]), is_unranked(op.results[0])
    return _ALL_IN_SHAPE if one == two else _ALL


def _empty(op: Operation) -> Contract:
    return EMPTY._replace(sized_by=sized(op)) if operands_of(op) else EMPTY


def _collapse_shape(op: Operation) -> Contract:
    """All of operand 0 under the result's shape. Sizes that the type leaves open follow from where the operand lies."""
    assert isinstance(op, tensor.CollapseShapeOp)
    groups = tuple(tuple(axis.value.data for axis in group) for group in op.reassociation)
    shapes = known_shapes([op.results[0]])
    map_ = reshaped(shapes[0]) if shapes is not None else _joined(groups)
    return KERNEL._replace(views=(View(0, 0, map_, whole=True),), joined_axes=groups)


def _joined(groups: Sequence[Sequence[int]]) -> LayoutMap:
    """Groups of axes as one each."""

    def map_(m: Strided) -> Strided | None:
        if len(m.sizes) != sum(map(len, groups)):
            return None
        return reshape(m, [prod(m.sizes[axis] for axis in group) for group in groups])

    return map_


def _expand_shape(op: Operation) -> Contract:
    """All of operand 0 under the result's shape; a copy where some size is no constant, but those of the operand are
    known."""
    assert isinstance(op, tensor.ExpandShapeOp)
    sizes = mixed_numbers(op.static_output_shape.get_values(), op.dynamic_output_shape)
    numbers = [n for n in sizes if isinstance(n, int) and n >= 0]
    map_ = reshaped(numbers) if len(numbers) == len(sizes) else _nowhere
    return KERNEL._replace(views=(View(0, 0, map_, whole=True),), sized_by=sized(op, 1))


def _nowhere(_: Strided) -> Strided | None:
    return None


def _concat(op: Operation) -> Contract:
    assert isinstance(op, tensor.ConcatOp)
    return concat(op, op.dim.value.data)


supply_contract(tensor.CastOp, _cast)
supply_contract(tensor.CollapseShapeOp, _collapse_shape)
supply_contract(tensor.ConcatOp, _concat)
supply_contract(tensor.DimOp, KERNEL._replace(metadata_only=frozenset({0})))
supply_contract(tensor.EmptyOp, _empty)
supply_contract(tensor.ExpandShapeOp, _expand_shape)
supply_contract(tensor.ExtractOp, KERNEL)
supply_contract(tensor.ExtractSliceOp, _where_static(_extract_slice, 1))
supply_contract(tensor.FromElementsOp, KERNEL)
supply_contract(tensor.InsertOp, KERNEL._replace(over=(InPlace(0, 1),), same_shape=((0, 1),)))
supply_contract(tensor.InsertSliceOp, _where_static(_insert_slice, 2))
supply_contract(tensor.PadOp, KERNEL)
supply_contract(tensor.SplatOp, lambda op: KERNEL._replace(sized_by=sized(op, 1)))
supply_contract("tensor.gather", KERNEL)
supply_contract("tensor.generate", lambda op: KERNEL._replace(sized_by=sized(op)))
supply_contract("tensor.rank", KERNEL._replace(metadata_only=frozenset({0})))
supply_contract(TensorRankOp, KERNEL._replace(metadata_only=frozenset({0})))
