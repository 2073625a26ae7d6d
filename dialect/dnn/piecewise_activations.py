"""Activations made of straight lines and parabolas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    NUMBER,
    agreed_shape,
    broadcast_all,
    is_float,
    need_number,
    need_same_dtype,
    number,
    scalar,
)
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_RESULT, ElementwiseBase, UnaryBase, UnaryKernelBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.spelt_out import (
    BoundedLine,
    BoundsBase,
    Constant,
    Spelling,
    SpeltOutBase,
    bounded_line_of,
    products,
    tolerance_of,
)
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive
from lastuse.dialect.storage.contract import Backward


@irdl_op_definition
class HardSigmoidOp(UnaryKernelBase, DifferentiableBase, BoundsBase):
    """alpha * x + beta brought between 0 and 1, element by element.

    `alpha`: default 0.2, `beta`: default 0.5. y has the shape and floating-point type of x. ONNX HardSigmoid.

    oneDNN's hardsigmoid makes 1 of NaN, so this op runs on the cpu engine alone.
    """

    name = "dnn.hard_sigmoid"
    EXAMPLE: ClassVar = "{alpha = 0.25 : f32, beta = 0.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = READS_RESULT
    alpha = opt_attr_def(NUMBER)
    beta = opt_attr_def(NUMBER)

    def write(self, x: Array, y: Array) -> None:
        unit_line(x, number(self.alpha, 0.2), number(self.beta, 0.5), y)

    def bounded_line(self) -> BoundedLine | None:
        line = BoundedLine().scaled(number(self.alpha, 0.2), number(self.beta, 0.5))
        return None if line is None else line.bounded(0.0, 1.0)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        scaled = builder.scaled(dy, float(number(self.alpha, 0.2)))
        return (builder.emit("clip_grad", self.y, scaled, min=0.0, max=1.0),)


def unit_line(x: Array, slope: float, shift: float, y: Array) -> None:
    """Writes slope * x + shift, brought between 0 and 1, to y, which may be x; NaN stays."""
    number_type = y.dtype.type
    np.multiply(x, number_type(slope), out=y)
    np.add(y, number_type(shift), out=y)
    np.maximum(y, number_type(0), out=y)
    np.minimum(y, number_type(1), out=y)


@irdl_op_definition
class HardSwishOp(UnaryBase, DifferentiableBase, SpeltOutBase):
    """x * min(max(x / 6 + 1/2, 0), 1), element by element. y has the shape and float type of x. ONNX HardSwish."""

    name = "dnn.hard_swish"
    ELTWISE: ClassVar = EltwisePrimitive("hardswish", 1 / 6, 0.5)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        factor = np.empty_like(x)
        unit_line(x, 1 / 6, 0.5, factor)
        return x * factor

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """x * min(max(x + 3, 0), 6) / 6, with the division anywhere, or x * hard_sigmoid(x)."""
        for factor, x, gate in products(value, constant):
            line = bounded_line_of(gate, x, constant)
            scaled = None if line is None else line.scaled(factor)
            if scaled is not None and scaled.is_close((1 / 6, 0.5, 0.0, 1.0), tolerance_of(value)):
                return Spelling([x], {})
        return None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("hard_swish_grad", self.x, dy),)


@irdl_op_definition
class ThresholdedReluOp(UnaryBase, DifferentiableBase):
    """x where x > alpha, else 0, element by element.

    `alpha`: default 1. y has the shape and floating-point type of x. ONNX ThresholdedRelu.
    """

    name = "dnn.thresholded_relu"
    EXAMPLE: ClassVar = "{alpha = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    EXACT: ClassVar = True
    alpha = opt_attr_def(NUMBER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        return np.where(x > x.dtype.type(number(self.alpha, 1.0)), x, x.dtype.type(0))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        above = builder.emit("scale", self.x, bias=-float(number(self.alpha, 1.0)))
        return (builder.emit("relu_grad", above, dy),)


@irdl_op_definition
class ShrinkOp(UnaryBase, DifferentiableBase):
    """x + bias where x < -lambd, x - bias where x > lambd, else 0, element by element.

    `bias`: default 0, `lambd`: default 0.5. y has the shape and element type of x, floating-point or integers; for
    integers `bias` must be an integer. ONNX Shrink.
    """

    name = "dnn.shrink"
    EXAMPLE: ClassVar = "{bias = 1.0 : f32, lambd = 1.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    EXACT: ClassVar = True
    INTEGERS: ClassVar = True
    bias = opt_attr_def(NUMBER)
    lambd = opt_attr_def(NUMBER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not is_float(operands[0].dtype):
            scalar(number(self.bias, 0), operands[0].dtype)
            if not math.isfinite(number(self.lambd, 0.5)):
                raise ValueError(f"lambd must be finite for elements of {operands[0].dtype}")
        return super().infer(operands)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        limit, bias = number(self.lambd, 0.5), x.dtype.type(number(self.bias, 0))
        # A whole number is above lambd where it is above the whole number below that, in Python's integers.
        low, high = (-math.floor(limit), math.floor(limit)) if x.dtype.kind in "iu" else (-limit, limit)
        if x.dtype.kind not in "iu":
            low, high = x.dtype.type(low), x.dtype.type(high)
        return np.where(x < low, x + bias, np.where(x > high, x - bias, x.dtype.type(0)))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        limit = float(number(self.lambd, 0.5))
        if limit < 0:
            raise LastuseError(f"{self.name} with a negative lambd has no gradient", self)
        beyond = builder.emit("scale", builder.emit("abs", self.x), bias=-limit)
        return (builder.emit("relu_grad", beyond, dy),)


@irdl_op_definition
class PreluOp(ElementwiseBase, DifferentiableBase):
    """x where x > 0, else slope * x, element by element.

    Operands: x, floating-point or integers, and slope of the same element type, which broadcasts to x; y is as x.
    ONNX PRelu.

    oneDNN's prelu makes NaN of all elements whose slope is NaN or an infinity, and its documentation does not say that
    it may be in place, so this op runs on the cpu engine and the runtime's kernel alone.
    """

    name = "dnn.prelu"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = Backward(operands=frozenset({0, 1}))

    x = operand_def(TensorType)
    slope = operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, slope = operands
        need_same_dtype(*operands)
        need_number(x)
        if len(slope.shape) > len(x.shape):
            raise ValueError("the slope has more axes than x")
        return (TensorInfo(agreed_shape("x and its slope", x.shape, broadcast_all(operands)), x.dtype),)

    def compute(self, *operands: Array) -> Array:
        x, slope = operands
        return np.where(x > 0, x, x * slope)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        below = builder.emit("clip", self.x, max=0.0)
        slope = builder.summed_to(builder.emit("mul", dy, below), self.slope)
        above = builder.emit("greater", self.x, builder.number(0, self.x), dtype="i1")
        dx = builder.emit("where", above, dy, builder.emit("mul", dy, self.slope))
        return dx, slope
