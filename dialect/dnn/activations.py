"""Activations: y = f(x), element by element, as they stand between the layers of a network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, StringAttr, f32
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import NUMBER, number
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_RESULT, UnaryBase, UnaryKernelBase, UnaryUfuncBase, negate
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.map_tracing import instruction
from lastuse.dialect.dnn.spelt_out import (
    BoundedLine,
    BoundsBase,
    Constant,
    Spelling,
    SpeltOutBase,
    bounded_line_of,
    close,
    cubic_of,
    line_of_function,
    products,
    tolerance_of,
)
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive

INNER, CUBE = math.sqrt(2 / math.pi), 0.044715
"""Numbers of gelu's approximation by tanh."""


def need_kept_sign(op: DnnOp, factor: float) -> None:
    """Raises LastuseError where the result does not have the sign of the operand, from which the gradient is told."""
    if factor < 0:
        raise LastuseError(f"{op.name} with a negative alpha has no gradient", op)


@irdl_op_definition
class ReluOp(UnaryKernelBase, DifferentiableBase, BoundsBase):
    """max(x, 0), element by element.

    y has the shape and element type of x, floating-point or integers. NaN and -0 give 0 on every engine, which is what
    oneDNN's relu gives. ONNX Relu, which leaves NaN open.
    """

    name = "dnn.relu"
    ELTWISE: ClassVar = EltwisePrimitive("relu")
    EXACT: ClassVar = True
    INTEGERS: ClassVar = True
    BACKWARD: ClassVar = READS_RESULT

    def write(self, x: Array, y: Array) -> None:
        zero = y.dtype.type(0)
        np.fmax(x, zero, out=y)  # fmax drops NaN
        if y.dtype.kind not in "iu":
            np.add(y, zero, out=y)  # -0 becomes 0

    def is_nondecreasing(self) -> bool:
        return True

    def bounded_line(self) -> BoundedLine:
        return BoundedLine(low=0.0)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("relu_grad", self.y, dy),)


@irdl_op_definition
class SigmoidOp(UnaryKernelBase, DifferentiableBase):
    """1 / (1 + exp(-x)), element by element. y has the shape and floating-point type of x. ONNX Sigmoid."""

    name = "dnn.sigmoid"
    ELTWISE: ClassVar = EltwisePrimitive("logistic")
    BACKWARD: ClassVar = READS_RESULT

    def write(self, x: Array, y: Array) -> None:
        negate(x, y)
        np.exp(y, out=y)
        np.add(y, y.dtype.type(1), out=y)
        np.reciprocal(y, out=y)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("sigmoid_grad", self.y, dy),)


@irdl_op_definition
class TanhOp(UnaryUfuncBase, DifferentiableBase):
    """Hyperbolic tangent, element by element. y has the shape and floating-point type of x. ONNX Tanh."""

    name = "dnn.tanh"
    ELTWISE: ClassVar = EltwisePrimitive("tanh")
    UFUNC: ClassVar = np.tanh
    BACKWARD: ClassVar = READS_RESULT

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("tanh_grad", self.y, dy),)


@irdl_op_definition
class GeluOp(UnaryBase, DifferentiableBase, SpeltOutBase):
    """x times the normal distribution function of x, element by element.

    `approximate`: "none" (default), x/2 * (1 + erf(x / sqrt 2)), or "tanh",
    x/2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))). y has the shape and floating-point type of x. ONNX Gelu.
    """

    name = "dnn.gelu"
    EXAMPLE: ClassVar = '{approximate = "tanh"} : (tensor<2x3xf32>) -> tensor<2x3xf32>'
    approximate = opt_attr_def(StringAttr)

    @property
    def by_tanh(self) -> bool:
        return self.approximate is not None and self.approximate.data == "tanh"

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if self.approximate is not None and self.approximate.data not in ("none", "tanh"):
            raise ValueError(f'approximate must be "none" or "tanh", not "{self.approximate.data}"')
        return super().infer(operands)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        one, half = x.dtype.type(1), x.dtype.type(0.5)
        if self.by_tanh:
            inner = x.dtype.type(INNER) * (x + x.dtype.type(CUBE) * x * x * x)
            return half * x * (one + np.tanh(inner))
        return half * x * (one + erf(x * x.dtype.type(math.sqrt(0.5))))

    def eltwise(self) -> EltwisePrimitive:
        return EltwisePrimitive("gelu_tanh" if self.by_tanh else "gelu_erf")

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """x/2 * (1 + erf(x / sqrt 2)), or x/2 * (1 + tanh(…)), with the factors in any order."""
        tolerance = tolerance_of(value)
        forms = (("dnn.erf", [0.0, math.sqrt(0.5), 0.0, 0.0]), ("dnn.tanh", [0.0, INNER, 0.0, CUBE * INNER]))
        for factor, x, gate in products(value, constant):
            for name, polynomial in forms:
                line = line_of_function(gate, name, constant)
                if line is None or not close(factor * line[0], 0.5) or not close(factor * line[1], 0.5):
                    continue
                inner = cubic_of(line[2], x, constant)
                if inner is not None and all(close(a, b, tolerance) for a, b in zip(inner, polynomial, strict=True)):
                    return Spelling([x], {"approximate": StringAttr("tanh")} if name == "dnn.tanh" else {})
        return None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("gelu_grad", self.x, dy, approximate=self.approximate),)


@instruction("erf")
def erf(x: Array) -> Array:
    """The error function. numpy has none; this serves f64 and ops pinned to the cpu, oneDNN computes the others."""
    return np.fromiter((math.erf(v) for v in x.ravel().tolist()), np.float64, x.size).reshape(x.shape).astype(x.dtype)


@irdl_op_definition
class SiluOp(UnaryBase, DifferentiableBase, SpeltOutBase):
    """x * sigmoid(alpha * x), element by element, also called swish.

    `alpha`: default 1. y has the shape and floating-point type of x. PyTorch; ONNX Swish.
    """

    name = "dnn.silu"
    alpha = opt_attr_def(NUMBER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        return x / (np.exp(x * x.dtype.type(-number(self.alpha, 1.0))) + x.dtype.type(1))

    def eltwise(self) -> EltwisePrimitive:
        return EltwisePrimitive("swish", float(number(self.alpha, 1.0)))

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """x * sigmoid(alpha * x)."""
        for factor, x, gate in products(value, constant):
            line = bounded_line_of(gate.owner.x, x, constant) if isinstance(gate.owner, SigmoidOp) else None
            if line is not None and close(factor, 1) and line.is_close((line.slope, 0.0, -math.inf, math.inf)):
                return Spelling([x], {} if close(line.slope, 1) else {"alpha": FloatAttr(line.slope, f32)})
        return None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("silu_grad", self.x, dy, alpha=self.alpha),)


@irdl_op_definition
class LeakyReluOp(UnaryBase, DifferentiableBase):
    """x where x > 0, else alpha * x, element by element.

    `alpha`: default 0.01; the gradient needs one that is not negative. y has the shape and floating-point type of x.
    ONNX LeakyRelu.
    """

    name = "dnn.leaky_relu"
    EXAMPLE: ClassVar = "{alpha = 0.1 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = READS_RESULT
    alpha = opt_attr_def(NUMBER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        return np.where(x > 0, x, x * x.dtype.type(number(self.alpha, 0.01)))

    def eltwise(self) -> EltwisePrimitive:
        return EltwisePrimitive("relu", float(number(self.alpha, 0.01)))

    def is_nondecreasing(self) -> bool:
        return number(self.alpha, 0.01) >= 0

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        alpha = number(self.alpha, 0.01)
        need_kept_sign(self, alpha)
        return (builder.emit("leaky_relu_grad", self.y, dy, alpha=alpha),)


@irdl_op_definition
class EluOp(UnaryBase, DifferentiableBase):
    """x where x > 0, else alpha * (exp(x) - 1), element by element.

    `alpha`: default 1; the gradient needs one that is not negative. y has the shape and floating-point type of x.
    ONNX Elu.
    """

    name = "dnn.elu"
    EXAMPLE: ClassVar = "{alpha = 1.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = READS_RESULT
    alpha = opt_attr_def(NUMBER)

    def compute(self, *operands: Array) -> Array:
        (x,) = operands
        return np.where(x > 0, x, x.dtype.type(number(self.alpha, 1.0)) * np.expm1(x))

    def eltwise(self) -> EltwisePrimitive:
        return EltwisePrimitive("elu", float(number(self.alpha, 1.0)))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        alpha = number(self.alpha, 1.0)
        need_kept_sign(self, alpha)
        return (builder.emit("elu_grad", self.y, dy, shift=alpha),)
