"""Sums of quantised values, quantised anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import broadcast_all, flag, need_float
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.quantization import ONE, saturated
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.storage.contract import OWN_ENGINES, Contract, InPlace

FACTORS = (0, 3)
"""The numbers of both operands that are added; behind each come its scale and its zero point."""


@irdl_op_definition
class QlinearAddOp(ElementwiseBase):
    """a + b of quantised values, quantised: round(((a - a_zero_point) * a_scale + (b - b_zero_point) * b_scale) /
    y_scale) + y_zero_point, in f32, between the bounds of the result's type.

    Operands: a with its scale and zero point, b with those, which broadcast, then the scale and the zero point of y.
    Scales are f32, zero points of their operands' types, each one number; a, b and y are ui8 or i8. Half is rounded to
    the even number, NaN gives the smallest. `in_steps`: both scales are divided by y_scale before they are used, and
    y_zero_point is added before the sum is rounded, so that a tie is one for all scales whose quotients f32 holds. In
    place over a or b of the result's shape. onnxruntime QLinearAdd is `in_steps`; `--quantized-ops-pass` makes the
    other form.
    """

    name = "dnn.qlinear_add"
    EXAMPLE: ClassVar = (
        ": (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, "
        "tensor<ui8>) -> tensor<2x3xui8>"
    )
    BACKWARD: ClassVar = None
    a = operand_def(TensorType)
    a_scale = operand_def(TensorType)
    a_zero_point = operand_def(TensorType)
    b = operand_def(TensorType)
    b_scale = operand_def(TensorType)
    b_zero_point = operand_def(TensorType)
    y_scale = operand_def(TensorType)
    y_zero_point = operand_def(TensorType)
    in_steps = opt_attr_def(BoolAttr)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        over = [k for k in FACTORS if self.operand_type(k).dtype == self.result_type().dtype]
        return Contract(tuple(InPlace(0, k, allow_same_operand=True) for k in over), engines=OWN_ENGINES)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = operands
        for value, what in ((a, "a"), (b, "b"), (y_zero, "y_zero_point")):
            if value.dtype not in SMALL:
                raise ValueError(f"{what} must be {' or '.join(SMALL)}, not {value.dtype}")
        for scale, what in ((a_scale, "a_scale"), (b_scale, "b_scale"), (y_scale, "y_scale")):
            need_float(scale)
            if scale.dtype != "f32" or scale.shape not in ONE:
                raise ValueError(f"{what} must be one number of f32")
        for value, zero, what in ((a, a_zero, "a"), (b, b_zero, "b"), (y_zero, y_zero, "y")):
            if zero.dtype != value.dtype or zero.shape not in ONE:
                raise ValueError(f"{what}_zero_point must be one number of {value.dtype}")
        return (TensorInfo(broadcast_all((a, b)), y_zero.dtype),)

    def compute(self, *operands: Array) -> Array:
        a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = operands
        in_steps, limits = flag(self.in_steps), np.iinfo(y_zero.dtype)
        left, right = (
            (x.astype(np.float32) - zero.astype(np.float32)) * (scale / y_scale if in_steps else scale)
            for x, scale, zero in ((a, a_scale, a_zero), (b, b_scale, b_zero))
        )
        if in_steps:
            steps = np.rint(left + right + y_zero.astype(np.float32))
            return np.fmin(np.fmax(steps, np.float32(limits.min)), np.float32(limits.max)).astype(y_zero.dtype)
        steps = np.rint((left + right) / y_scale).astype(np.float64)
        return saturated(steps, y_zero, limits).astype(y_zero.dtype)

    def native_kernel(self) -> str | None:
        """The kernel of sums of two sizes: that of the result, and one that has 1 along adjacent axes
        alone where it differs. A map of instructions broadcasts otherwise."""
        shapes, whole = [self.operand_type(k).shape for k in FACTORS], self.result_type().shape
        fits = whole in shapes and all(_repeats(part, whole) for part in shapes)
        return "qlinear_add" if fits else super().native_kernel()

    def native_numbers(self) -> Sequence[float]:
        return [flag(self.in_steps)] if self.native_kernel() == "qlinear_add" else super().native_numbers()

    def is_faster_alone(self, elements: Dim) -> bool:
        """A map takes a loop for each of 14 instructions."""
        return self.native_kernel() == "qlinear_add" or super().is_faster_alone(elements)


def _repeats(part: Sequence[Dim | None], whole: Sequence[Dim | None]) -> bool:
    """Whether an operand is repeated to a size along adjacent axes alone, axes of size 1 apart."""
    padded = (*(1,) * (len(whole) - len(part)), *part)
    pairs = [(one, size) for one, size in zip(padded, whole, strict=True) if size != 1]
    differing = [index for index, (one, size) in enumerate(pairs) if one != size]
    return not differing or differing[-1] - differing[0] + 1 == len(differing)
