"""The gradients of softmax and of its logarithm, from their results."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import AxisBase, agreed_shape, all_f32, engines, need_float, need_same_dtype
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.softmax_backward import SoftmaxBackwardPrimitive
from lastuse.dialect.storage.contract import CPU_ONLY, Contract, InPlace


class SoftmaxGradBase(AxisBase, KernelOnlyBase):
    """dx from y, a result of softmax along `axis` or its logarithm (`LOG`), and dy, its gradient. In place over dy; on
    the cpu engine over y too: all elements along the axis are read before one of them is written."""

    EXAMPLE: ClassVar = "{axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    DEFAULT_AXIS: ClassVar = -1
    LOG: ClassVar[bool]

    y = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def is_rowwise(self) -> bool:
        return self.axis_index(len(self.result_type().shape)) > 0

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return self.with_moved_axis(perm)

    def storage(self) -> Contract:
        over = InPlace(0, 1, allow_same_operand=True), InPlace(0, 0, allow_same_operand=True, engines=CPU_ONLY)
        return Contract(over, engines=engines(self))

    def primitive(self) -> Primitive | None:
        axis = self.axis_index(len(self.result_type().shape))
        return SoftmaxBackwardPrimitive(axis, self.LOG) if all_f32(self) else None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        y, dy = operands
        need_same_dtype(y, dy)
        need_float(y)
        self.axis_index(len(y.shape))
        return (TensorInfo(agreed_shape("y and dy", y.shape, dy.shape), y.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        axis = self.axis_index(results[0].ndim)
        with np.errstate(all="ignore"):
            for slab in slabs(results[0].shape, (axis,)):
                y, dy = (operand[slab] for operand in operands)
                results[0][slab] = self.differentiate(y, dy, axis)

    @abstractmethod
    def differentiate(self, y: Array, dy: Array, axis: int) -> Array:
        """dx, in new memory."""


@irdl_op_definition
class SoftmaxGradOp(SoftmaxGradBase):
    """y * (dy - the sum of dy * y along `axis`): the gradient of softmax from its result y.

    `axis`: default -1. Operands and result of one shape and floating-point type.
    """

    name = "dnn.softmax_grad"
    LOG: ClassVar = False

    def differentiate(self, y: Array, dy: Array, axis: int) -> Array:
        return y * (dy - (dy * y).sum(axis, keepdims=True, dtype=y.dtype))


@irdl_op_definition
class LogSoftmaxGradOp(SoftmaxGradBase):
    """dy - exp(y) times the sum of dy along `axis`: the gradient of log_softmax from its result y.

    `axis`: default -1. Operands and result of one shape and floating-point type.
    """

    name = "dnn.log_softmax_grad"
    LOG: ClassVar = True

    def differentiate(self, y: Array, dy: Array, axis: int) -> Array:
        return dy - np.exp(y) * dy.sum(axis, keepdims=True, dtype=y.dtype)
