"""Views that drop axes of one element, or add them, go behind the ops that read them: what reads a convolution becomes
post-ops, or a transpose of its result that the convolution can do without."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.dnn.unit_axes import AddsUnitAxes, DropsUnitAxes, IgnoresUnitAxes
from lastuse.dialect.ir.diagnostics import RemarkKind, inherit, op_name, remark
from lastuse.dialect.storage import attrs
from lastuse.passes.transforms.constant_folding import (
    constant_elements,
    constants_of,
    erase_unread,
    insert_constant,
)
from lastuse.passes.transforms.engine import inherit_engine
from lastuse.passes.transforms.transpose_folding import permuted_type


def sink_unit_axes(ctx: Context, func: FuncOp) -> None:
    """Moves each view that drops axes of one element of a result with post-ops behind the ops that read it, as long as
    these compute the same with such axes, and read constants and such views alone; and each that adds such axes behind
    a transpose that alone reads it.

    Models that compute along one axis with the two-dimensional convolutions of a framework are written so.
    """
    views: dict[Operation, tuple[int, ...]] = {}
    for op in list(func.walk()):
        if not isinstance(op, DnnOp) or attrs.is_decided(op):
            continue
        is_behind = bool(op.operands) and isinstance(op.operands[0].owner, PostOpsBase)
        if is_behind and isinstance(op, DropsUnitAxes):
            views[op] = op.dropped_axes()
        elif is_behind and isinstance(op, AddsUnitAxes):
            _move_behind_transpose(ctx, op)
        elif any(value.owner in views for value in op.operands):
            behind = _behind_reader(views, op)
            if behind is not None:
                remark(ctx, RemarkKind.DECISION, behind, f"behind {op_name(op)}: axes of one element are dropped later")
    for view in reversed(views):
        erase_unread(view)


def _move_behind_transpose(ctx: Context, view: DnnOp) -> None:
    """Moves a view that adds axes behind the transpose that alone reads it; other views stay."""
    assert isinstance(view, AddsUnitAxes)
    result = view.results[0]
    transpose = next((use.operation for use in result.uses), None) if result.has_one_use() else None
    if not isinstance(transpose, DnnOp) or attrs.is_decided(transpose) or transpose.parent is not view.parent:
        return
    perm, added, source = transpose.permutation(), view.added_axes(), view.operands[0].type
    if perm is None or not isinstance(source, TensorType):
        return
    kept = [axis for axis in range(len(perm)) if axis not in added]
    order = [kept.index(axis) for axis in perm if axis not in added]
    places = [place for place, axis in enumerate(perm) if axis in added]
    attributes = {"perm": DenseArrayBase.from_list(i64, order)}
    turned = transpose.replacement(type(transpose), view.operands, attributes, [permuted_type(source, order)])
    behind = type(view).create(
        operands=turned.results, result_types=transpose.result_types, attributes=view.adding(places)
    )
    Rewriter.replace_op(transpose, [turned, behind], behind.results)
    inherit(behind, turned)
    attrs.hand_name_on(turned.results[0], behind.results[0], "unit_axes")
    erase_unread(view)
    remark(ctx, RemarkKind.DECISION, behind, f"behind {op_name(turned)}: axes of one element are added later")


def _behind_reader(views: dict[Operation, tuple[int, ...]], reader: DnnOp) -> DnnOp | None:
    """The view of the reader's result, which is computed of what the views are of now; None where they stay."""
    read = [value.owner for value in reader.operands if value.owner in views]
    view, made = read[0], reader.results[0].type
    assert isinstance(view, DnnOp) and isinstance(view, DropsUnitAxes)
    dropped, rank = views[view], _rank(view.operands[0])
    if not isinstance(reader, IgnoresUnitAxes) or not reader.ignores_unit_axes(dropped) or len(reader.results) != 1:
        return None
    if any(views[other] != dropped or _rank(other.operands[0]) != rank for other in read if isinstance(other, DnnOp)):
        return None
    others = [value for value in reader.operands if value.owner not in views]
    if _rank(reader.results[0]) + len(dropped) != rank or any(constants_of(value) is None for value in others):
        return None
    wider = {value: _with_axes(reader, value, dropped, rank) for value in others}
    operands = [wider.get(value) or _source(value) for value in reader.operands]
    computed = reader.replacement(type(reader), operands, reader.attributes, [_extended(made, dropped)])
    inherit_engine(computed, reader)
    behind = type(view).create(operands=computed.results, result_types=[made], attributes=view.dropping(dropped))
    Rewriter.replace_op(reader, [computed, behind], behind.results)
    inherit(behind, computed)
    attrs.hand_name_on(computed.results[0], behind.results[0], "unit_axes")
    for value in others:
        assert isinstance(value.owner, Operation)
        erase_unread(value.owner)
    views[behind] = dropped
    return behind


def _source(value: SSAValue) -> SSAValue:
    """What a view is of."""
    assert isinstance(value.owner, Operation)
    return value.owner.operands[0]


def _with_axes(reader: DnnOp, value: SSAValue, axes: Sequence[int], rank: int) -> SSAValue:
    """A constant that is broadcast, with the axes that a value of `rank` axes has more."""
    kept, count = [axis for axis in range(rank) if axis not in axes], _rank(value)
    first = kept[len(kept) - count] if count else rank
    inner = [axis - first for axis in axes if axis > first]
    array = constant_elements(value)
    if not inner or array is None:
        return value
    sizes = _extended(value.type, inner).get_shape()
    return insert_constant(reader, array.reshape(sizes), value).results[0]


def _rank(value: SSAValue) -> int:
    assert isinstance(value.type, TensorType)
    return value.type.get_num_dims()


def _extended(type_: Attribute, axes: Sequence[int]) -> TensorType[Attribute]:
    """The type with axes of one element at these places of it."""
    assert isinstance(type_, TensorType)
    sizes = iter(type_.get_shape())
    rank = type_.get_num_dims() + len(axes)
    return TensorType(type_.element_type, [1 if axis in axes else next(sizes) for axis in range(rank)])
