"""The op by which the body of a kernel asks for an element of an input (`table_reads.py`)."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, var_operand_def


@irdl_op_definition
class ElementOfInputOp(IRDLOperation):
    """The element at `indices` of input number `input` of the op around; any of its elements may be read."""

    name = "lastuse.element_of_input"
    indices = var_operand_def(IndexType())
    input = prop_def(IntegerAttr)
    result = result_def()
