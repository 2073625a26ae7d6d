"""An op that ends a run where a number is not finite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import need_float
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.wider_floats import DependsOnFloatType
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract, InPlace


class NotFiniteError(LastuseError):
    """A number that has to be finite is none: an infinity, or NaN."""


@irdl_op_definition
class RequireFiniteOp(KernelOnlyBase, DifferentiableBase, DependsOnFloatType):
    """x, where every element of `tested` is finite.

    Else `NotFiniteError` is raised at run time: what reads the result does not run. `tested` is of a floating-point
    type and of any shape, x of any type; y is of x's. In place over x.
    """

    name = "dnn.require_finite"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"

    x = operand_def(TensorType)
    tested = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), strided=True, backward=READS_NOTHING)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, tested = operands
        need_float(tested)
        return (x,)

    def required_finite(self) -> SSAValue:
        return self.tested

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, tested = operands
        finite = np.isfinite(tested)
        if not finite.all():
            raise NotFiniteError(f"a number that has to be finite is {tested[~finite].reshape(-1)[0]}", self)
        if results[0].ctypes.data != np.asarray(x).ctypes.data:  # in place there is nothing to do
            np.copyto(results[0], x)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return dy, None
