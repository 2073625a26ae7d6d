"""Tensors of unknown rank, as tensors with one axis: of all elements, in their order.

Upstream writes `tensor<*xf32>`. Analyses look at axes: while a module is bufferized or checked, the type of such a
tensor has one axis of unknown size, and an encoding that says what it stands for (`unranked_layout.py`). A
`tensor.cast` to it, or from it, is a view of all elements. So a tensor of unknown rank is all of some memory, or
nothing of it, and its one size says how many elements it has, never which sizes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, StringAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AnyAttr, IRDLOperation, irdl_op_definition, operand_def, result_def

from lastuse.dialect.ir.flow_graphs import type_of

UNRANKED = StringAttr("lastuse.unranked")
"""The encoding of a tensor that stands for one of unknown rank."""


@irdl_op_definition
class TensorRankOp(IRDLOperation):
    """The number of axes of a tensor. xDSL 0.74 has no such op."""

    name = "tensor.rank"
    source = operand_def(AnyAttr())
    result = result_def(IndexType())


def is_unranked(value: SSAValue) -> bool:
    """The value stands for a tensor of unknown rank."""
    return is_unranked_type(type_of(value))


def is_unranked_type(type_: Attribute) -> bool:
    """Values of the type stand for tensors of unknown rank."""
    return type(type_) is TensorType and type_.encoding == UNRANKED
