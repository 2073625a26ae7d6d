"""Ops on the bits of integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import broadcast_all, need_same_dtype
from lastuse.dialect.dnn.base import OneOperandBase
from lastuse.dialect.dnn.elementwise import UfuncBase
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.dialect.storage.contract import Backward


class BitwiseBase(UfuncBase):
    """A function of the bits of integers of one element type. In place over any operand of the result's shape."""

    EXACT: ClassVar = True
    BACKWARD: ClassVar[Backward | None] = None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        dtype = operands[0].dtype
        if numpy_dtype(dtype).kind not in "iu":
            raise ValueError(f"elements must be integers, not {dtype}")
        return (TensorInfo(broadcast_all(operands), dtype),)


@irdl_op_definition
class BitwiseNotOp(BitwiseBase, OneOperandBase):
    """The bits that are 0 in x, element by element. y has the shape and integer type of x. ONNX BitwiseNot."""

    name = "dnn.bitwise_not"
    EXAMPLE: ClassVar = ": (tensor<2x3xi64>) -> tensor<2x3xi64>"
    UFUNC: ClassVar = np.invert


class BinaryBitwiseBase(BitwiseBase):
    """c = f(a, b) with numpy broadcasting."""

    EXAMPLE: ClassVar = ": (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x3xi64>"

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    c = result_def(TensorType)


@irdl_op_definition
class BitwiseAndOp(BinaryBitwiseBase):
    """The bits that are 1 in a and in b. Integers of one type, broadcast as in numpy. ONNX BitwiseAnd."""

    name = "dnn.bitwise_and"
    COMMUTES: ClassVar = True
    UFUNC: ClassVar = np.bitwise_and


@irdl_op_definition
class BitwiseOrOp(BinaryBitwiseBase):
    """The bits that are 1 in a or in b. Integers of one type, broadcast as in numpy. ONNX BitwiseOr."""

    name = "dnn.bitwise_or"
    COMMUTES: ClassVar = True
    UFUNC: ClassVar = np.bitwise_or


@irdl_op_definition
class BitwiseXorOp(BinaryBitwiseBase):
    """The bits that differ between a and b. Integers of one type, broadcast as in numpy. ONNX BitwiseXor."""

    name = "dnn.bitwise_xor"
    COMMUTES: ClassVar = True
    UFUNC: ClassVar = np.bitwise_xor


@irdl_op_definition
class BitShiftOp(BinaryBitwiseBase):
    """The bits of a, b places further to the left or to the right.

    `direction`: "LEFT" or "RIGHT". Integers of one type, broadcast as in numpy. Bits that leave the element are lost. A
    shift to the right repeats the sign of a signed element. Where b is negative, or as large as the number of bits, the
    result is the sign alone: -1 for a shift of a negative a to the right, else 0. ONNX BitShift.
    """

    name = "dnn.bit_shift"
    EXAMPLE: ClassVar = '{direction = "LEFT"} : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x3xi64>'
    direction = attr_def(StringAttr)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if self.direction.data not in ("LEFT", "RIGHT"):
            raise ValueError(f'direction must be "LEFT" or "RIGHT", not "{self.direction.data}"')
        return super().infer(operands)

    @property
    def UFUNC(self) -> np.ufunc:  # pyright: ignore[reportIncompatibleVariableOverride]
        return np.left_shift if self.direction.data == "LEFT" else np.right_shift
