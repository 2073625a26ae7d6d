"""Ops that take each element to a number of few digits: to a whole number, or to its sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition

from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING, UnaryUfuncBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive


class RoundingBase(UnaryUfuncBase, DifferentiableBase):
    """y = ufunc(x), with the same bits on every engine; the gradient is zero."""

    EXACT: ClassVar = True
    BACKWARD: ClassVar = READS_NOTHING

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (None,)


@irdl_op_definition
class CeilOp(RoundingBase):
    """The smallest whole number that is not below x, element by element.

    y has the shape and floating-point type of x. ONNX Ceil.
    """

    name = "dnn.ceil"
    UFUNC: ClassVar = np.ceil


@irdl_op_definition
class FloorOp(RoundingBase):
    """The largest whole number that is not above x, element by element.

    y has the shape and floating-point type of x. ONNX Floor.
    """

    name = "dnn.floor"
    UFUNC: ClassVar = np.floor


@irdl_op_definition
class RoundOp(RoundingBase):
    """The nearest whole number, and the even one of two that are equally near, element by element.

    y has the shape and floating-point type of x. ONNX Round.
    """

    name = "dnn.round"
    UFUNC: ClassVar = np.rint
    ELTWISE: ClassVar = EltwisePrimitive("round")


@irdl_op_definition
class SignOp(RoundingBase):
    """-1 where x < 0, 1 where x > 0, 0 where x = 0, element by element; NaN stays.

    y has the shape and element type of x, floating-point or integers. ONNX Sign.
    """

    name = "dnn.sign"
    UFUNC: ClassVar = np.sign
    INTEGERS: ClassVar = True
