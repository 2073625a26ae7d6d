"""Activations with exponentials: softplus, softsign, celu, selu, mish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.activations import need_kept_sign
from lastuse.dialect.dnn.attributes import NUMBER, number
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_RESULT, UnaryBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive

SELU_ALPHA = 1.67326319217681884765625
SELU_GAMMA = 1.05070102214813232421875
"""ONNX's defaults, which are f32 numbers."""


@irdl_op_definition
class SoftplusOp(UnaryBase, DifferentiableBase):
    """log(1 + exp(x)), element by element. y has the shape and floating-point type of x. ONNX Softplus.

    oneDNN's soft_relu is off by 8e-6 where the result is near 0, so this op runs on the cpu engine alone.
    """

    name = "dnn.softplus"
    BACKWARD: ClassVar = READS_RESULT

    def compute(self, *operands: Array) -> Array:
        return softplus(operands[0])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("softplus_grad", self.y, dy),)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), which is x itself where exp(x) is beyond the largest number."""
    zero = x.dtype.type(0)
    return np.maximum(x, zero) + np.log1p(np.exp(-np.abs(x)))


@irdl_op_definition
class SoftsignOp(UnaryBase, DifferentiableBase):
    """x / (1 + |x|), element by element. y has the shape and floating-point type of x. ONNX Softsign."""

    name = "dnn.softsign"
    BACKWARD: ClassVar = READS_RESULT

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        return x / (np.abs(x) + x.dtype.type(1))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        root = builder.emit("scale", builder.emit("abs", self.y), scale=-1.0, bias=1.0)
        return (builder.emit("mul", builder.emit("mul", dy, root), root),)


@irdl_op_definition
class CeluOp(UnaryBase, DifferentiableBase):
    """x where x > 0, else alpha * (exp(x / alpha) - 1), element by element.

    `alpha`: default 1, not 0. y has the shape and floating-point type of x. ONNX Celu.
    """

    name = "dnn.celu"
    EXAMPLE: ClassVar = "{alpha = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = READS_RESULT
    alpha = opt_attr_def(NUMBER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        alpha, zero = x.dtype.type(number(self.alpha, 1.0)), x.dtype.type(0)
        return np.maximum(x, zero) + np.minimum(alpha * np.expm1(x / alpha), zero)

    def eltwise(self) -> EltwisePrimitive | None:
        return EltwisePrimitive("elu", 1.0) if number(self.alpha, 1.0) == 1 else None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        alpha = number(self.alpha, 1.0)
        need_kept_sign(self, alpha)
        return (builder.emit("elu_grad", self.y, dy, slope=1 / alpha),)


@irdl_op_definition
class SeluOp(UnaryBase, DifferentiableBase):
    """gamma * x where x > 0, else gamma * alpha * (exp(x) - 1), element by element.

    `alpha`: default 1.6732632, `gamma`: default 1.050701. y has the shape and floating-point type of x. ONNX Selu.
    """

    name = "dnn.selu"
    EXAMPLE: ClassVar = "{alpha = 2.0 : f32, gamma = 3.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = READS_RESULT
    alpha = opt_attr_def(NUMBER)
    gamma = opt_attr_def(NUMBER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        alpha, gamma = x.dtype.type(number(self.alpha, SELU_ALPHA)), x.dtype.type(number(self.gamma, SELU_GAMMA))
        return gamma * np.where(x > 0, x, alpha * np.expm1(x))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        alpha, gamma = number(self.alpha, SELU_ALPHA), number(self.gamma, SELU_GAMMA)
        need_kept_sign(self, min(alpha, gamma))
        return (builder.emit("elu_grad", self.y, dy, shift=gamma * alpha, above=gamma),)


@irdl_op_definition
class MishOp(UnaryBase, DifferentiableBase):
    """x * tanh(log(1 + exp(x))), element by element. y has the shape and floating-point type of x. ONNX Mish."""

    name = "dnn.mish"
    ELTWISE: ClassVar = EltwisePrimitive("mish")

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        return x * np.tanh(softplus(x))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mish_grad", self.x, dy),)
