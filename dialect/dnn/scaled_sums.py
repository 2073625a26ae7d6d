"""Sums of a value and a scaled product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import NUMBER, broadcast_all, need_number, need_same_dtype, number, scalar
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward


@irdl_op_definition
class AddCmulOp(ElementwiseBase, DifferentiableBase):
    """input + value * t1 * t2.

    `value`: default 1. Operands of one element type, floating-point or integers, broadcast as in numpy.
    PyTorch addcmul.
    """

    name = "dnn.addcmul"
    EXAMPLE: ClassVar = "{value = 2.0 : f32} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = Backward(operands=frozenset({1, 2}))

    input = operand_def(TensorType)
    t1 = operand_def(TensorType)
    t2 = operand_def(TensorType)
    y = result_def(TensorType)
    value = opt_attr_def(NUMBER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        need_number(operands[0])
        scalar(number(self.value, 1), operands[0].dtype)
        return (TensorInfo(broadcast_all(operands), operands[0].dtype),)

    def compute(self, *operands: Array) -> Array:
        base, t1, t2 = operands
        return base + t1.dtype.type(number(self.value, 1)) * t1 * t2

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        value = float(number(self.value, 1))
        t1 = builder.scaled(builder.emit("mul", dy, self.t2), value)
        t2 = builder.scaled(builder.emit("mul", dy, self.t1), value)
        return tuple(map(builder.summed_to, (dy, t1, t2), self.operands))
