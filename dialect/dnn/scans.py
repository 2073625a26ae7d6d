"""Running sums and products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, axis_of, integer, need_number
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract, InPlace


class ScanBase(OneOperandBase, KernelOnlyBase):
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
        return Contract(over, strided=True, backward=self.BACKWARD)

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
class CumProdOp(ScanBase):
    """Running products along `axis`.

    `axis`: default 0. `exclusive`: each product leaves its own element out. `reverse`: from the end. y has the shape
    and element type of x, floating-point or integers. In place over x unless exclusive. ONNX CumProd.
    """

    name = "dnn.cumprod"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    UFUNC: ClassVar = np.multiply
    FIRST: ClassVar = 1
    BACKWARD: ClassVar = Backward(operands=frozenset({0}), results=frozenset({0}))
