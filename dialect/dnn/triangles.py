"""Triangles of matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, diagonal_of, integer
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.ir.tensor_types import TensorInfo, static_shape
from lastuse.dialect.storage.contract import Contract, InPlace


@irdl_op_definition
class TriluOp(NativeBase, OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """The upper or lower triangle of each matrix of the last two axes of x; the other elements are 0.

    `upper`: default true. `k`: default 0; the diagonal that the triangle begins at, above 0 to the right of the main
    one. In place over x. ONNX Trilu.
    """

    name = "dnn.trilu"
    EXAMPLE: ClassVar = "{k = 1 : i64} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>"
    upper = opt_attr_def(INTEGER)
    k = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), strided=True, backward=READS_NOTHING, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [bool(integer(self.upper, 1)), diagonal_of(integer(self.k, 0), static_shape(self.x.type))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if len(operands[0].shape) < 2:
            raise ValueError(f"x has {len(operands[0].shape)} axes, it must have 2 or more")
        return (operands[0],)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        return (operands[0],)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        columns, k = y.shape[-1], integer(self.k, 0)
        for row in range(y.shape[-2]):
            first = min(max(row + k, 0), columns)  # of the upper triangle
            last = min(max(row + k + 1, 0), columns)  # of the lower one, exclusive
            kept = slice(first, None) if integer(self.upper, 1) else slice(0, last)
            rest = slice(0, first) if integer(self.upper, 1) else slice(last, None)
            np.copyto(y[..., row, kept], x[..., row, kept])
            y[..., row, rest] = 0

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("trilu", dy, upper=self.upper, k=self.k),)
