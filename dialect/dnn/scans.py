"""Running sums and products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    agreed_shape,
    axis_of,
    integer,
    need_float,
    need_number,
    need_same_dtype,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING, READS_OPERAND
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeNumbersBase
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract, InPlace


class ScanBase(NativeNumbersBase, OneOperandBase, KernelOnlyBase):
    """y is x with each element joined to those before it along an axis."""

    UFUNC: ClassVar[np.ufunc]
    FIRST: ClassVar[int]
    """What an exclusive scan begins with."""
    BACKWARD: ClassVar[Backward | None] = None

    axis = opt_attr_def(INTEGER)
    exclusive = opt_attr_def(INTEGER)
    reverse = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        over = () if integer(self.exclusive, 0) else (InPlace(0, 0),)
        return Contract(over, strided=True, backward=self.BACKWARD, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        axis = axis_of(integer(self.axis, 0), len(self.operand_type().shape))
        return [axis, bool(integer(self.exclusive, 0)), bool(integer(self.reverse, 0))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_number(operands[0])
        axis_of(integer(self.axis, 0), len(operands[0].shape))
        return (operands[0],)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        return (operands[0],)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), x.ndim)
        if integer(self.reverse, 0):
            x, y = np.flip(x, axis), np.flip(y, axis)
        with np.errstate(all="ignore"):
            if integer(self.exclusive, 0):
                before = (slice(None),) * axis
                y[(*before, slice(0, 1))] = self.FIRST
                x, y = x[(*before, slice(0, -1))], y[(*before, slice(1, None))]
            if x.size:
                self.UFUNC.accumulate(x, axis, dtype=x.dtype, out=y)


@irdl_op_definition
class CumSumOp(ScanBase, DifferentiableBase):
    """Running sums along `axis`.

    `axis`: default 0. `exclusive`: each sum leaves its own element out. `reverse`: from the end. y has the shape and
    element type of x, floating-point or integers. In place over x unless exclusive. ONNX CumSum.
    """

    name = "dnn.cumsum"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    UFUNC: ClassVar = np.add
    FIRST: ClassVar = 0
    BACKWARD: ClassVar = READS_NOTHING

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        back = not integer(self.reverse, 0)
        return (builder.emit("cumsum", dy, axis=self.axis, exclusive=self.exclusive, reverse=back),)


@irdl_op_definition
class CumProdOp(ScanBase, DifferentiableBase):
    """Running products along `axis`.

    `axis`: default 0. `exclusive`: each product leaves its own element out. `reverse`: from the end. y has the shape
    and element type of x, floating-point or integers. In place over x unless exclusive. ONNX CumProd.
    """

    name = "dnn.cumprod"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    UFUNC: ClassVar = np.multiply
    FIRST: ClassVar = 1
    BACKWARD: ClassVar = READS_OPERAND

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        exclusive, reverse = self.exclusive, self.reverse
        return (builder.emit("cumprod_grad", self.x, dy, axis=self.axis, exclusive=exclusive, reverse=reverse),)


@irdl_op_definition
class CumProdGradOp(KernelOnlyBase):
    """The gradient of cumprod from its operand x and the gradient dy of its result: for each element the product of
    those before it times the sum of dy times the product of those between, itself left out.

    `axis`, `exclusive` and `reverse`: as of cumprod. Operands and result of one shape and floating-point type.
    """

    name = "dnn.cumprod_grad"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    x = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)
    axis = opt_attr_def(INTEGER)
    exclusive = opt_attr_def(INTEGER)
    reverse = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=True)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, dy = operands
        need_float(x)
        need_same_dtype(x, dy)
        axis_of(integer(self.axis, 0), len(x.shape))
        return (TensorInfo(agreed_shape("x and dy", x.shape, dy.shape), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        axis = axis_of(integer(self.axis, 0), operands[0].ndim)
        x, dy, dx = (np.moveaxis(array, axis, 0) for array in (*operands, *results))
        if integer(self.reverse, 0):
            x, dy, dx = x[::-1], dy[::-1], dx[::-1]
        exclusive, last = bool(integer(self.exclusive, 0)), len(x) - 1
        with np.errstate(all="ignore"):
            if last >= 0:
                dx[0] = 1
                np.multiply.accumulate(x[:-1], 0, dtype=x.dtype, out=dx[1:])
            behind = np.zeros(x.shape[1:], x.dtype)
            for at in range(last, -1, -1):
                if at < last:
                    behind = behind * x[at + 1]
                if at < last or not exclusive:
                    behind = behind + dy[at + 1 if exclusive else at]
                dx[at] *= behind
