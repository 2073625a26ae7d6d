"""Ops that compute gradients: what `DnnOp.gradient` of other ops emits where their own dialect has no op for it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.activations import erf
from lastuse.dialect.dnn.attributes import (
    NUMBER,
    agreed_shape,
    all_f32,
    broadcast_all,
    engines,
    need_float,
    need_number,
    need_same_dtype,
    number,
    on_cpu_alone,
    word,
)
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.smooth_activations import softplus
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.eltwise_backward import EltwiseBackwardPrimitive
from lastuse.dialect.storage.contract import Backward, Contract, InPlace


class EltwiseGradBase(ElementwiseBase):
    """dx from a value that the gradient of an activation is told from, and dy: operands 0 and 1. In place over dy.

    Operands and result of one shape and element type.
    """

    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar[Backward | None] = None

    INTEGERS: ClassVar[bool] = False
    """Whether elements may be integers too."""

    def storage(self) -> Contract:
        if on_cpu_alone(self):
            return super().storage()
        # oneDNN documents its gradient over dy alone, and takes dense memory.
        return Contract((InPlace(0, 1),), engines=engines(self))

    def primitive(self) -> Primitive | None:
        return self.eltwise() if all_f32(self) else None

    def eltwise(self) -> EltwiseBackwardPrimitive | None:
        """The oneDNN primitive for f32."""
        return None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        (need_number if self.INTEGERS else need_float)(operands[0])
        return (TensorInfo(agreed_shape("operands", *(operand.shape for operand in operands)), operands[0].dtype),)


@irdl_op_definition
class ReluGradOp(EltwiseGradBase):
    """dy where y > 0, else 0: the gradient of relu from its result y and the gradient dy of that.

    Operands and result of one shape and element type. Where y is not above 0, oneDNN makes a zero with the sign of dy,
    and NaN of a dy that is not finite.
    """

    name = "dnn.relu_grad"
    INTEGERS: ClassVar = True

    y = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("relu", from_result=True)

    def compute(self, *operands: Array) -> Array:
        y, dy = operands
        return np.where(y > 0, dy, dy.dtype.type(0))


class ActivationGradBase(EltwiseGradBase):
    """dx = dy * f'(x), of a value from which f' is told: the operand of f, or its result.

    Operands and result of one shape and floating-point type.
    """

    value = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def compute(self, *operands: Array) -> Array:
        value, dy = operands
        return dy * self.slope(value)

    @abstractmethod
    def slope(self, value: Array) -> Array:
        """f', element by element."""


@irdl_op_definition
class SigmoidGradOp(ActivationGradBase):
    """dy * y * (1 - y): the gradient of sigmoid from its result y. Operands and result of one shape and floating-point
    type."""

    name = "dnn.sigmoid_grad"

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("logistic", from_result=True)

    def slope(self, value: Array) -> Array:
        return value * (value.dtype.type(1) - value)


@irdl_op_definition
class TanhGradOp(ActivationGradBase):
    """dy * (1 - y * y): the gradient of tanh from its result y. Operands and result of one shape and floating-point
    type."""

    name = "dnn.tanh_grad"

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("tanh", from_result=True)

    def slope(self, value: Array) -> Array:
        return value.dtype.type(1) - value * value


@irdl_op_definition
class SoftplusGradOp(ActivationGradBase):
    """dy * (1 - exp(-y)): the gradient of softplus from its result y. Operands and result of one shape and
    floating-point type."""

    name = "dnn.softplus_grad"

    def slope(self, value: Array) -> Array:
        return -np.expm1(-value)


@irdl_op_definition
class LeakyReluGradOp(ActivationGradBase):
    """dy where y > 0, else alpha * dy: the gradient of leaky_relu from its result y.

    `alpha`: default 0.01. Operands and result of one shape and floating-point type.
    """

    name = "dnn.leaky_relu_grad"
    EXAMPLE: ClassVar = "{alpha = 0.1 : f32} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    alpha = opt_attr_def(NUMBER)

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("relu", from_result=True, alpha=float(number(self.alpha, 0.01)))

    def slope(self, value: Array) -> Array:
        return np.where(value > 0, value.dtype.type(1), value.dtype.type(number(self.alpha, 0.01)))


@irdl_op_definition
class EluGradOp(ActivationGradBase):
    """dy * above where y > 0, else dy * (slope * y + shift): the gradient of elu, celu and selu from their result y.

    `above`, `slope`, `shift`: default 1. Operands and result of one shape and floating-point type.
    """

    name = "dnn.elu_grad"
    EXAMPLE: ClassVar = "{shift = 2.0 : f32} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    above = opt_attr_def(NUMBER)
    factor = opt_attr_def(NUMBER, attr_name="slope")
    shift = opt_attr_def(NUMBER)

    def slope(self, value: Array) -> Array:
        above, factor, shift = (value.dtype.type(number(a, 1)) for a in (self.above, self.factor, self.shift))
        return np.where(value > 0, above, factor * value + shift)


@irdl_op_definition
class ClipGradOp(ActivationGradBase):
    """dy where min < y < max, else 0: the gradient of clip from its result y; a missing bound does not bind.

    Operands and result of one shape and floating-point type.
    """

    name = "dnn.clip_grad"
    EXAMPLE: ClassVar = "{max = 1.0 : f32, min = 0.0 : f32} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    low = opt_attr_def(NUMBER, attr_name="min")
    high = opt_attr_def(NUMBER, attr_name="max")

    def compute(self, *operands: Array) -> Array:
        y, dy = operands
        return np.where(self.slope(y), dy, dy.dtype.type(0))

    def slope(self, value: Array) -> Array:
        above = value > value.dtype.type(number(self.low, -math.inf)) if self.low is not None else value == value
        return above & (value < value.dtype.type(number(self.high, math.inf))) if self.high is not None else above


@irdl_op_definition
class GeluGradOp(ActivationGradBase):
    """The gradient of gelu from its operand and the gradient dy of its result.

    `approximate`: as of gelu. Operands and result of one shape and floating-point type.
    """

    name = "dnn.gelu_grad"
    EXAMPLE: ClassVar = '{approximate = "tanh"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>'
    approximate = opt_attr_def(StringAttr)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if word(self.approximate, "none") not in ("none", "tanh"):
            raise ValueError(f'approximate must be "none" or "tanh", not "{word(self.approximate, "none")}"')
        return super().infer(operands)

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive(
            "gelu_tanh" if word(self.approximate, "none") == "tanh" else "gelu_erf", from_result=False
        )

    def slope(self, value: Array) -> Array:
        number_type = value.dtype.type
        one, half, cubic = number_type(1), number_type(0.5), number_type(0.044715)
        square = value * value
        if word(self.approximate, "none") == "tanh":
            scale = number_type(math.sqrt(2 / math.pi))
            bend = np.tanh(scale * (value + cubic * square * value))
            return half * (one + bend + value * (one - bend * bend) * scale * (one + number_type(3) * cubic * square))
        below = half * (one + erf(value * number_type(math.sqrt(0.5))))
        return below + value * np.exp(-half * square) * number_type(1 / math.sqrt(2 * math.pi))


@irdl_op_definition
class SiluGradOp(ActivationGradBase):
    """dy * s * (1 + alpha * x * (1 - s)), where s = sigmoid(alpha * x): the gradient of silu from its operand x.

    `alpha`: default 1. Operands and result of one shape and floating-point type.
    """

    name = "dnn.silu_grad"
    alpha = opt_attr_def(NUMBER)

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("swish", from_result=False, alpha=float(number(self.alpha, 1.0)))

    def slope(self, value: Array) -> Array:
        one = value.dtype.type(1)
        line = value * value.dtype.type(number(self.alpha, 1.0))
        gate = one / (one + np.exp(-line))
        return gate * (one + line * (one - gate))


@irdl_op_definition
class MishGradOp(ActivationGradBase):
    """The gradient of mish from its operand and the gradient dy of its result. Operands and result of one shape and
    floating-point type."""

    name = "dnn.mish_grad"

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("mish", from_result=False)

    def slope(self, value: Array) -> Array:
        one = value.dtype.type(1)
        gate = np.tanh(softplus(value))
        return gate + value * (one - gate * gate) / (one + np.exp(-value))


@irdl_op_definition
class HardSwishGradOp(ActivationGradBase):
    """dy * (x / 3 + 1/2) between x = -3 and 3, 0 below, dy above: the gradient of hard_swish from its operand x.
    Operands and result of one shape and floating-point type."""

    name = "dnn.hard_swish_grad"

    def eltwise(self) -> EltwiseBackwardPrimitive:
        return EltwiseBackwardPrimitive("hardswish", from_result=False, alpha=1 / 6, beta=0.5)

    def slope(self, value: Array) -> Array:
        number_type = value.dtype.type
        line = value * number_type(1 / 3) + number_type(0.5)
        return np.where(value <= -3, number_type(0), np.where(value >= 3, number_type(1), line))


@irdl_op_definition
class LargerGradOp(ElementwiseBase):
    """dy where a > b, half of it where a = b, else 0: the gradient of maximum for a, and of minimum for b.

    Where one is NaN, it is dy. Operands of one floating-point type; a and b broadcast to dy, as which dx is. PyTorch's
    gradient of maximum.
    """

    name = "dnn.larger_grad"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar[Backward | None] = None

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        need_float(operands[0])
        dy = operands[2]
        return (TensorInfo(agreed_shape("dy and its result", dy.shape, broadcast_all(operands)), dy.dtype),)

    def compute(self, *operands: Array) -> Array:
        a, b, dy = operands
        return np.where(a < b, dy.dtype.type(0), np.where(a == b, dy * dy.dtype.type(0.5), dy))
