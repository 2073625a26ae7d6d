"""Contracts of `tensor`: views and their inverses, where offsets, sizes and strides are known."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from lastuse.dialect.foreign.common import KERNEL, concat, known_shapes, without_ones
from lastuse.dialect.storage.contract import FOREIGN, Contract, Contribution, InPlace, View, supply_contract
from lastuse.dialect.storage.layout import LayoutMap, Strided, identical, reshaped

SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp


def _slice_map(op: SliceOp, whole: tuple[int, ...], part: tuple[int, ...]) -> LayoutMap | None:
    """From the layout of a value of shape `whole` to that of the slice of shape `part`; None where a number is known at
    run time only, or the slice is not inside. The slice's shape may leave out axes of size 1."""
    offsets, sizes, strides = (
        tuple(numbers.get_values()) for numbers in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    if not len(offsets) == len(sizes) == len(strides) == len(whole) or DYNAMIC_INDEX in (*offsets, *sizes, *strides):
        return None
    for axis, count in enumerate(whole):
        last = offsets[axis] + (sizes[axis] - 1) * strides[axis]
        if offsets[axis] < 0 or sizes[axis] < 0 or strides[axis] <= 0 or (sizes[axis] and last >= count):
            return None

    def map_(m: Strided) -> Strided | None:
        offset = m.offset + sum(o * s for o, s in zip(offsets, m.strides, strict=True))
        steps = tuple(s * step for s, step in zip(m.strides, strides, strict=True))
        return without_ones(Strided(offset, sizes, steps, m.item), part)

    return map_ if without_ones(Strided.dense(sizes, 1), part) is not None else None


def _extract_slice(op: Operation) -> Contract:
    assert isinstance(op, tensor.ExtractSliceOp)
    shapes = known_shapes([op.source, op.result])
    map_ = _slice_map(op, *shapes) if shapes is not None else None
    return KERNEL._replace(views=(View(0, 0, map_),)) if map_ is not None else FOREIGN


def _insert_slice(op: Operation) -> Contract:
    """`dest`, operand 1, is the base; `source`, operand 0, lies in its part."""
    assert isinstance(op, tensor.InsertSliceOp)
    shapes = known_shapes([op.dest, op.source])
    map_ = _slice_map(op, *shapes) if shapes is not None else None
    if map_ is None:
        return FOREIGN._replace(copies=frozenset({0, 1}), same_shape=((0, 1),))
    return KERNEL._replace(
        same_shape=((0, 1),),
        over=(InPlace(0, 1),),
        contributions=(Contribution(1, map_, complement=True), Contribution(0, map_)),
    )


def _whole(map_of: Callable[[tuple[int, ...]], LayoutMap]) -> Callable[[Operation], Contract]:
    """All of operand 0 under the result's shape."""

    def contract(op: Operation) -> Contract:
        shapes = known_shapes([op.operands[0], op.results[0]])
        return FOREIGN if shapes is None else KERNEL._replace(views=(View(0, 0, map_of(shapes[1]), whole=True),))

    return contract


def _concat(op: Operation) -> Contract:
    assert isinstance(op, tensor.ConcatOp)
    return concat(op, op.dim.value.data)


supply_contract(tensor.CastOp, KERNEL._replace(views=(View(0, 0, identical, whole=True),), same_shape=((0, 0),)))
supply_contract(tensor.CollapseShapeOp, _whole(reshaped))
supply_contract(tensor.ConcatOp, _concat)
supply_contract(tensor.DimOp, KERNEL._replace(metadata_only=frozenset({0})))
supply_contract(tensor.EmptyOp, KERNEL._replace(uninitialized=True))
supply_contract(tensor.ExpandShapeOp, _whole(reshaped))
supply_contract(tensor.ExtractOp, KERNEL)
supply_contract(tensor.ExtractSliceOp, _extract_slice)
supply_contract(tensor.FromElementsOp, KERNEL)
supply_contract(tensor.InsertOp, KERNEL._replace(over=(InPlace(0, 1),), same_shape=((0, 1),)))
supply_contract(tensor.InsertSliceOp, _insert_slice)
supply_contract(tensor.PadOp, KERNEL)
supply_contract(tensor.SplatOp, KERNEL)
supply_contract("tensor.gather", KERNEL)
supply_contract("tensor.generate", KERNEL)
supply_contract("tensor.rank", KERNEL._replace(metadata_only=frozenset({0})))
