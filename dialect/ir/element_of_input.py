"""The op by which the body of a kernel asks for an element of an input (`table_reads.py`)."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, var_operand_def

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.ir.remembered import is_a


@irdl_op_definition
class ElementOfInputOp(IRDLOperation):
    """The element at `indices` of input number `input` of the op around; any of its elements may be read."""

    name = "lastuse.element_of_input"
    indices = var_operand_def(IndexType())
    input = prop_def(IntegerAttr)
    result = result_def()


def elements_in(op: Operation) -> list[ElementOfInputOp]:
    """The elements that the body of an op asks for."""
    return [inner for inner in ops_within(op) if is_a(inner, ElementOfInputOp)]
