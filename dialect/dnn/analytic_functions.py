"""Functions of analysis, element by element: logarithms, trigonometric and hyperbolic functions, the error function."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.elementwise import READS_RESULT, UnaryBase, UnaryUfuncBase
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive


@irdl_op_definition
class LogOp(UnaryUfuncBase):
    """Natural logarithm, element by element. y has the shape and floating-point type of x. ONNX Log.

    oneDNN's log is off by 3e-6 near 1 and wrong for denormal numbers, so this op runs on the cpu engine alone.
    """

    name = "dnn.log"
    UFUNC: ClassVar = np.log


@irdl_op_definition
class ReciprocalOp(UnaryUfuncBase):
    """1 / x, element by element. y has the shape and floating-point type of x. ONNX Reciprocal."""

    name = "dnn.reciprocal"
    EXACT: ClassVar = True
    UFUNC: ClassVar = np.reciprocal
    ELTWISE: ClassVar = EltwisePrimitive("pow", 1.0, -1.0)
    BACKWARD: ClassVar = READS_RESULT


@irdl_op_definition
class SinOp(UnaryUfuncBase):
    """Sine of x in radians, element by element. y has the shape and floating-point type of x. ONNX Sin."""

    name = "dnn.sin"
    UFUNC: ClassVar = np.sin


@irdl_op_definition
class CosOp(UnaryUfuncBase):
    """Cosine of x in radians, element by element. y has the shape and floating-point type of x. ONNX Cos."""

    name = "dnn.cos"
    UFUNC: ClassVar = np.cos


@irdl_op_definition
class TanOp(UnaryUfuncBase):
    """Tangent of x in radians, element by element. y has the shape and floating-point type of x. ONNX Tan."""

    name = "dnn.tan"
    UFUNC: ClassVar = np.tan
    BACKWARD: ClassVar = READS_RESULT


@irdl_op_definition
class AsinOp(UnaryUfuncBase):
    """Inverse sine in radians, element by element.

    NaN outside -1 to 1. y has the shape and floating-point type of x. ONNX Asin.
    """

    name = "dnn.asin"
    UFUNC: ClassVar = np.arcsin


@irdl_op_definition
class AcosOp(UnaryUfuncBase):
    """Inverse cosine in radians, element by element.

    NaN outside -1 to 1. y has the shape and floating-point type of x. ONNX Acos.
    """

    name = "dnn.acos"
    UFUNC: ClassVar = np.arccos


@irdl_op_definition
class AtanOp(UnaryUfuncBase):
    """Inverse tangent in radians, element by element. y has the shape and floating-point type of x. ONNX Atan."""

    name = "dnn.atan"
    UFUNC: ClassVar = np.arctan


@irdl_op_definition
class SinhOp(UnaryUfuncBase):
    """Hyperbolic sine, element by element. y has the shape and floating-point type of x. ONNX Sinh."""

    name = "dnn.sinh"
    UFUNC: ClassVar = np.sinh


@irdl_op_definition
class CoshOp(UnaryUfuncBase):
    """Hyperbolic cosine, element by element. y has the shape and floating-point type of x. ONNX Cosh."""

    name = "dnn.cosh"
    UFUNC: ClassVar = np.cosh


@irdl_op_definition
class AsinhOp(UnaryUfuncBase):
    """Inverse hyperbolic sine, element by element. y has the shape and floating-point type of x. ONNX Asinh."""

    name = "dnn.asinh"
    UFUNC: ClassVar = np.arcsinh


@irdl_op_definition
class AcoshOp(UnaryUfuncBase):
    """Inverse hyperbolic cosine, element by element.

    NaN below 1. y has the shape and floating-point type of x. ONNX Acosh.
    """

    name = "dnn.acosh"
    UFUNC: ClassVar = np.arccosh


@irdl_op_definition
class AtanhOp(UnaryUfuncBase):
    """Inverse hyperbolic tangent, element by element.

    NaN outside -1 to 1. y has the shape and floating-point type of x. ONNX Atanh.
    """

    name = "dnn.atanh"
    UFUNC: ClassVar = np.arctanh


_NEAR_ZERO = (-5.99104969e-4, 4.99339588e-3, -2.67667342e-2, 1.12818025e-1, -3.76124859e-1, 1.28379151e-1)
"""erf(x) / x - 1 as a polynomial in x * x, the highest power first."""
_FAR = (1.72948930e-5, -3.83208680e-4, 3.88393435e-3, -2.42545605e-2, 1.06777847e-1, 6.34846687e-1, 1.28717512e-1)
"""-log(1 - erf(x)) / x - 1 as a polynomial in x."""
_BOUNDARY = 0.921875
_ONE = 3.925
"""erf is 1 in f32 from here on."""


@irdl_op_definition
class ErfOp(UnaryBase):
    """The error function, 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x, element by element.

    y has the shape and floating-point type of x. f64 is computed by C's erf, other types in f32 by the two polynomials
    of MLAS. ONNX Erf.
    """

    name = "dnn.erf"

    def compute(self, *operands: Array) -> Array:
        return erf(operands[0])


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
