"""Gives tensors of unknown rank one axis (`unranked_tensors.py`) while a module is bufferized or checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, IndexType, UnrankedTensorType, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit, op_name
from lastuse.dialect.ir.flow_graphs import type_of
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.ir.tensor_types import sized_type
from lastuse.dialect.ir.unranked_tensors import UNRANKED, TensorRankOp, is_unranked_type


def _has_unranked(values: Sequence[SSAValue]) -> bool:
    """One of several values has a type of unknown rank, as upstream writes it."""
    return any(type(type_of(value)) is UnrankedTensorType for value in values)


def may_have_unranked(listing: OpListing) -> bool:
    """Whether a result, an argument of a block or one of a function is a tensor of unknown rank, as upstream writes
    it. Blocks of kernels are not asked: their arguments are elements."""
    if listing.makes_type(UnrankedTensorType):
        return True
    others = listing.of(lambda op_class: not issubclass(op_class, LinalgStructuredOperation))
    blocks = (block for op in others if op.regions for region in op.regions for block in region.blocks)
    return any(_has_unranked(block.args) for block in blocks) or any(
        type(type_) is UnrankedTensorType
        for func in listing.of(lambda op_class: issubclass(op_class, FuncOp))
        if is_a(func, FuncOp)
        for type_ in (*func.function_type.inputs.data, *func.function_type.outputs.data)
    )


def lay_out_unranked(listing: OpListing) -> bool:
    """Gives each tensor of unknown rank one axis. Returns whether there may be such tensors."""
    if not may_have_unranked(listing):
        return False
    for op in listing.of(lambda op_class: issubclass(op_class, UnregisteredOp)):
        if op_name(op) == TensorRankOp.name:
            inherit(made := TensorRankOp.create(operands=op.operands, result_types=[IndexType()]), op)
            Rewriter.replace_op(op, made)
    _retype(listing.module, _with_axis)
    listing.changed()
    return True


def restore_unranked(top: Operation) -> None:
    """What `lay_out_unranked` made, as it was."""
    _retype(top, _without_axis)


def _with_axis(type_: Attribute) -> Attribute:
    if type(type_) is not UnrankedTensorType:
        return type_
    return sized_type(type_.element_type, (DYNAMIC_INDEX,), UNRANKED)


def _without_axis(type_: Attribute) -> Attribute:
    return UnrankedTensorType(type_.element_type) if is_unranked_type(type_) else type_  # pyright: ignore


def _retype(top: Operation, changed: Callable[[Attribute], Attribute]) -> None:
    for op in [*top.walk()]:
        if isinstance(op, FuncOp):
            types = op.function_type
            ins, outs = (tuple(map(changed, side)) for side in (types.inputs.data, types.outputs.data))
            if (ins, outs) != (types.inputs.data, types.outputs.data):
                op.function_type = FunctionType.from_lists(ins, outs)
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args)):
            if (type_ := changed(value.type)) is not value.type:
                Rewriter.replace_value_with_new_type(value, type_)
