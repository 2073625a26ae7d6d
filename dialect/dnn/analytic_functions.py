"""Functions of analysis, element by element: logarithms, trigonometric and hyperbolic functions, the error function."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_RESULT, UnaryBase, UnaryUfuncBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.map_tracing import instruction
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive


def _square_plus(value: SSAValue, factor: float, added: float, builder: GradientBuilder) -> SSAValue:
    """factor * value^2 + added."""
    return builder.emit("scale", builder.emit("mul", value, value), scale=float(factor), bias=float(added))


@irdl_op_definition
class LogOp(UnaryUfuncBase, DifferentiableBase):
    """Natural logarithm, element by element. y has the shape and floating-point type of x. ONNX Log.

    oneDNN's log is off by 3e-6 near 1 and wrong for denormal numbers, so this op runs on the cpu engine alone.
    """

    name = "dnn.log"
    UFUNC: ClassVar = np.log

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", dy, self.x),)


@irdl_op_definition
class ReciprocalOp(UnaryUfuncBase, DifferentiableBase):
    """1 / x, element by element. y has the shape and floating-point type of x. ONNX Reciprocal."""

    name = "dnn.reciprocal"
    EXACT: ClassVar = True
    UFUNC: ClassVar = np.reciprocal
    ELTWISE: ClassVar = EltwisePrimitive("pow", 1.0, -1.0)
    BACKWARD: ClassVar = READS_RESULT

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("neg", builder.emit("mul", builder.emit("mul", dy, self.y), self.y)),)


@irdl_op_definition
class SinOp(UnaryUfuncBase, DifferentiableBase):
    """Sine of x in radians, element by element. y has the shape and floating-point type of x. ONNX Sin."""

    name = "dnn.sin"
    UFUNC: ClassVar = np.sin

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", dy, builder.emit("cos", self.x)),)


@irdl_op_definition
class CosOp(UnaryUfuncBase, DifferentiableBase):
    """Cosine of x in radians, element by element. y has the shape and floating-point type of x. ONNX Cos."""

    name = "dnn.cos"
    UFUNC: ClassVar = np.cos

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("neg", builder.emit("mul", dy, builder.emit("sin", self.x))),)


@irdl_op_definition
class TanOp(UnaryUfuncBase, DifferentiableBase):
    """Tangent of x in radians, element by element. y has the shape and floating-point type of x. ONNX Tan."""

    name = "dnn.tan"
    UFUNC: ClassVar = np.tan
    BACKWARD: ClassVar = READS_RESULT

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", dy, _square_plus(self.y, 1, 1, builder)),)


@irdl_op_definition
class AsinOp(UnaryUfuncBase, DifferentiableBase):
    """Inverse sine in radians, element by element.

    NaN outside -1 to 1. y has the shape and floating-point type of x. ONNX Asin.
    """

    name = "dnn.asin"
    UFUNC: ClassVar = np.arcsin

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", dy, builder.emit("sqrt", _square_plus(self.x, -1, 1, builder))),)


@irdl_op_definition
class AcosOp(UnaryUfuncBase, DifferentiableBase):
    """Inverse cosine in radians, element by element.

    NaN outside -1 to 1. y has the shape and floating-point type of x. ONNX Acos.
    """

    name = "dnn.acos"
    UFUNC: ClassVar = np.arccos

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        root = builder.emit("sqrt", _square_plus(self.x, -1, 1, builder))
        return (builder.emit("neg", builder.emit("div", dy, root)),)


@irdl_op_definition
class AtanOp(UnaryUfuncBase, DifferentiableBase):
    """Inverse tangent in radians, element by element. y has the shape and floating-point type of x. ONNX Atan."""

    name = "dnn.atan"
    UFUNC: ClassVar = np.arctan

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", dy, _square_plus(self.x, 1, 1, builder)),)


@irdl_op_definition
class SinhOp(UnaryUfuncBase, DifferentiableBase):
    """Hyperbolic sine, element by element. y has the shape and floating-point type of x. ONNX Sinh."""

    name = "dnn.sinh"
    UFUNC: ClassVar = np.sinh

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", dy, builder.emit("cosh", self.x)),)


@irdl_op_definition
class CoshOp(UnaryUfuncBase, DifferentiableBase):
    """Hyperbolic cosine, element by element. y has the shape and floating-point type of x. ONNX Cosh."""

    name = "dnn.cosh"
    UFUNC: ClassVar = np.cosh

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", dy, builder.emit("sinh", self.x)),)


@irdl_op_definition
class AsinhOp(UnaryUfuncBase, DifferentiableBase):
    """Inverse hyperbolic sine, element by element. y has the shape and floating-point type of x. ONNX Asinh."""

    name = "dnn.asinh"
    UFUNC: ClassVar = np.arcsinh

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", dy, builder.emit("sqrt", _square_plus(self.x, 1, 1, builder))),)


@irdl_op_definition
class AcoshOp(UnaryUfuncBase, DifferentiableBase):
    """Inverse hyperbolic cosine, element by element.

    NaN below 1. y has the shape and floating-point type of x. ONNX Acosh.
    """

    name = "dnn.acosh"
    UFUNC: ClassVar = np.arccosh

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", dy, builder.emit("sqrt", _square_plus(self.x, 1, -1, builder))),)


@irdl_op_definition
class AtanhOp(UnaryUfuncBase, DifferentiableBase):
    """Inverse hyperbolic tangent, element by element.

    NaN outside -1 to 1. y has the shape and floating-point type of x. ONNX Atanh.
    """

    name = "dnn.atanh"
    UFUNC: ClassVar = np.arctanh

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("div", dy, _square_plus(self.x, -1, 1, builder)),)


_NEAR_ZERO = (-5.99104969e-4, 4.99339588e-3, -2.67667342e-2, 1.12818025e-1, -3.76124859e-1, 1.28379151e-1)
"""erf(x) / x - 1 as a polynomial in x * x, the highest power first."""
_FAR = (1.72948930e-5, -3.83208680e-4, 3.88393435e-3, -2.42545605e-2, 1.06777847e-1, 6.34846687e-1, 1.28717512e-1)
"""-log(1 - erf(x)) / x - 1 as a polynomial in x."""
_BOUNDARY = 0.921875
_ONE = 3.925
"""erf is 1 in f32 from here on."""


@irdl_op_definition
class ErfOp(UnaryBase, DifferentiableBase):
    """The error function, 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x, element by element.

    y has the shape and floating-point type of x. f64 is computed by C's erf, other types in f32 by the two polynomials
    of MLAS. ONNX Erf.
    """

    name = "dnn.erf"

    def compute(self, *operands: Array) -> Array:
        return erf(operands[0])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        bell = builder.emit("exp", builder.emit("neg", builder.emit("mul", self.x, self.x)))
        return (builder.scaled(builder.emit("mul", dy, bell), 2 / math.sqrt(math.pi)),)


@instruction("erf")
def erf(x: Array) -> Array:
    """The error function, in the element type of x."""
    if x.dtype == np.float64:
        return np.fromiter((math.erf(v) for v in x.ravel().tolist()), np.float64, x.size).reshape(x.shape)
    wide = x.astype(np.float32, copy=False)
    size = np.minimum(np.abs(wide), np.float32(_ONE))  # NaN stays
    square = np.square(size)
    near = _polynomial(_NEAR_ZERO, square) * wide + wide
    far = np.float32(1) - np.exp(-(_polynomial(_FAR, size) * size + size))
    return np.where(size > np.float32(_BOUNDARY), np.copysign(far, wide), near).astype(x.dtype, copy=False)


def _polynomial(coefficients: tuple[float, ...], x: Array) -> Array:
    total = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total *= x
        total += np.float32(coefficient)
    return total
