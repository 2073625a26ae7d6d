"""Op classes without a contract of their own, for tests that register one; `registered_contracts` takes it back."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerAttr, TensorType, f32
from xdsl.dialects.test import TestOp
from xdsl.irdl import (
    IRDLOperation,
    attr_def,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)


@irdl_op_definition
class PairOp(IRDLOperation):
    name = "registered.pair"
    x = operand_def(TensorType)
    y = operand_def(TensorType)
    z = result_def(TensorType)


@irdl_op_definition
class VariadicOp(IRDLOperation):
    name = "registered.variadic"
    count = attr_def(IntegerAttr)
    xs = var_operand_def(TensorType)
    ys = var_result_def(TensorType)


@irdl_op_definition
class OptionalOp(IRDLOperation):
    name = "registered.optional"
    x = operand_def(TensorType)
    y = opt_operand_def(TensorType)
    z = result_def(TensorType)


def values(*shapes: list[int]) -> list[Any]:
    """Values of these shapes in f32."""
    return [v for shape in shapes for v in TestOp(result_types=[TensorType(f32, shape)]).results]


def pair(x: list[int], y: list[int], z: list[int]) -> PairOp:
    """A `PairOp` on values of these shapes."""
    return PairOp(operands=values(x, y), result_types=[TensorType(f32, z)])
