"""Ops that compute gradients: what `DnnOp.gradient` of other ops emits where their own dialect has no op for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed_shape, need_number, need_same_dtype
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward


@irdl_op_definition
class ReluGradOp(ElementwiseBase):
    """dy where y > 0, else 0: the gradient of relu from its result y and the gradient dy of that.

    Operands and result of one shape and element type.
    """

    name = "dnn.relu_grad"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar[Backward | None] = None

    y = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        need_number(operands[0])
        return (TensorInfo(agreed_shape("operands", *(operand.shape for operand in operands)), operands[0].dtype),)

    def compute(self, *operands: Array) -> Array:
        y, dy = operands
        return np.where(y > 0, dy, dy.dtype.type(0))
