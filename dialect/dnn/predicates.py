"""Truth values: tests of one number, and logic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, broadcast_all, integer, need_float
from lastuse.dialect.dnn.base import Array, OneOperandBase
from lastuse.dialect.dnn.elementwise import ElementwiseBase, UfuncBase
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward


class NumberTestBase(OneOperandBase, ElementwiseBase):
    """y = whether x is such a number: i1, of the shape of x, whose elements are floating-point numbers."""

    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> tensor<2x3xi1>"
    EXACT: ClassVar = True
    BACKWARD: ClassVar[Backward | None] = None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        return (TensorInfo(operands[0].shape, "i1"),)


@irdl_op_definition
class IsNanOp(NumberTestBase, UfuncBase):
    """Whether x is NaN, element by element. x is of a floating-point type, y of i1 and of x's shape. ONNX IsNaN."""

    name = "dnn.is_nan"
    UFUNC: ClassVar = np.isnan


@irdl_op_definition
class IsInfOp(NumberTestBase):
    """Whether x is an infinity, element by element.

    `detect_negative`, `detect_positive`: whether the negative and the positive one count; default true. x is of a
    floating-point type, y of i1 and of x's shape. ONNX IsInf.
    """

    name = "dnn.is_inf"
    EXAMPLE: ClassVar = "{detect_negative = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xi1>"
    detect_negative = opt_attr_def(INTEGER)
    detect_positive = opt_attr_def(INTEGER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        infinity, y = x.dtype.type(np.inf), np.zeros_like(x, np.bool_)
        if integer(self.detect_negative, 1):
            y |= x == -infinity
        if integer(self.detect_positive, 1):
            y |= x == infinity
        return y


class LogicBase(UfuncBase):
    """A function of truth values (i1). In place over any operand of the result's shape."""

    EXACT: ClassVar = True
    BACKWARD: ClassVar[Backward | None] = None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if any(operand.dtype != "i1" for operand in operands):
            raise ValueError(f"elements must be i1, not {', '.join(operand.dtype for operand in operands)}")
        return (TensorInfo(broadcast_all(operands), "i1"),)


@irdl_op_definition
class NotOp(LogicBase, OneOperandBase):
    """Whether x is false, element by element. x and y are of i1 and one shape. ONNX Not."""

    name = "dnn.not"
    EXAMPLE: ClassVar = ": (tensor<2x3xi1>) -> tensor<2x3xi1>"
    UFUNC: ClassVar = np.logical_not


class BinaryLogicBase(LogicBase):
    """c = f(a, b) with numpy broadcasting."""

    EXAMPLE: ClassVar = ": (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>"
    COMMUTES: ClassVar = True

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    c = result_def(TensorType)


@irdl_op_definition
class AndOp(BinaryLogicBase):
    """Whether both a and b are true. Operands and result are of i1; operands broadcast as in numpy. ONNX And."""

    name = "dnn.and"
    UFUNC: ClassVar = np.logical_and


@irdl_op_definition
class OrOp(BinaryLogicBase):
    """Whether a or b is true. Operands and result are of i1; operands broadcast as in numpy. ONNX Or."""

    name = "dnn.or"
    UFUNC: ClassVar = np.logical_or


@irdl_op_definition
class XorOp(BinaryLogicBase):
    """Whether one of a and b is true. Operands and result are of i1; operands broadcast as in numpy. ONNX Xor."""

    name = "dnn.xor"
    UFUNC: ClassVar = np.logical_xor
