"""Between floating-point numbers and small integers: q = round(x / scale) + zero point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, agreed, axis_of, integer, is_float, moved_axis, need_float
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import blockwise
from lastuse.dialect.dnn.integer_forms import ComputesElements, Requantization, RequantizesNumbers
from lastuse.dialect.dnn.native import NativeBase, NativeF32Base
from lastuse.dialect.dnn.widening import SMALL, Widening, WidensIntegers
from lastuse.dialect.ir.tensor_types import TensorInfo, dtype_name, numpy_dtype
from lastuse.dialect.storage.contract import Contract

QUANTIZED = ("ui8", "i8", "ui16", "i16")
"""What numbers are quantised to."""
BYTE = np.iinfo(np.uint8)
ONE = ((), (1,))
"""Shapes of a scale or zero point that is one for all elements."""


class LinearBase(NativeBase, KernelOnlyBase, ComputesElements):
    """x with a scale, and perhaps a zero point: one for all (without axes, or with one axis of size 1), one for each
    index of `axis`, or one for each block of `block_size` indices of it."""

    axis = opt_attr_def(INTEGER)
    block_size = opt_attr_def(INTEGER)
    output_dtype = opt_attr_def(Attribute)

    def storage(self) -> Contract:
        return Contract(strided=True, engines=self.kernel_engines())

    def takes_native(self) -> bool:
        return not integer(self.block_size, 0) and self.operand_type(1).dtype == "f32"

    def is_elementwise(self) -> bool:
        return all(self.operand_type(k).shape in ONE for k in range(1, len(self.operands)))

    def native_numbers(self) -> Sequence[float]:
        rank = len(self.operand_type().shape)
        return [axis_of(integer(self.axis, 1), rank) if self.operand_type(1).shape not in ONE else 0]

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """Parameters of one number, or of one for each index of `axis`, are as they were."""
        if self.is_elementwise():
            return TransposedForm(self.attributes, frozenset({0}))
        if integer(self.block_size, 0):
            return None
        return TransposedForm({**self.attributes, "axis": moved_axis(self.axis, 1, perm)}, frozenset({0}))

    def check_parameters(self, x: TensorInfo, scale: TensorInfo, zero_point: TensorInfo | None) -> None:
        """Raises ValueError unless the scale and the zero point fit x."""
        single = scale.shape in ONE
        if zero_point is not None and not (single and zero_point.shape in ONE):
            if len(zero_point.shape) != len(scale.shape):
                raise ValueError(f"scale and zero point have {len(scale.shape)} and {len(zero_point.shape)} axes")
            for a, b in zip(scale.shape, zero_point.shape, strict=True):
                agreed(a, b, "scale and zero point")
        if single:
            return
        axis, block = axis_of(integer(self.axis, 1), len(x.shape)), integer(self.block_size, 0)
        if block < 0:
            raise ValueError(f"block_size must be 0 or more, not {block}")
        if block:
            if len(scale.shape) != len(x.shape):
                raise ValueError(f"scales of blocks must have {len(x.shape)} axes, not {len(scale.shape)}")
            for number, (size, scales) in enumerate(zip(x.shape, scale.shape, strict=True)):
                if number == axis:
                    size = -(-size // block) if isinstance(size, int) else None
                agreed(size, scales, f"blocks of x and scale along axis {number}")
        elif len(scale.shape) == 1:
            agreed(x.shape[axis], scale.shape[0], f"x and scale along axis {axis}")
        else:
            raise ValueError(f"the scale must have one axis at most without block_size, not {len(scale.shape)}")

    def spread(self, parameter: Array, x: Array) -> Array:
        """The scale or zero point of each element of x, as an array that broadcasts to it."""
        if parameter.size == 1 and parameter.ndim < 2:
            return parameter.reshape(())
        axis, block = axis_of(integer(self.axis, 1), x.ndim), integer(self.block_size, 0)
        if not block:
            return parameter.reshape(-1, *(1,) * (x.ndim - axis - 1))
        before = (slice(None),) * axis
        return np.repeat(parameter, block, axis)[(*before, slice(0, x.shape[axis]))]


@irdl_op_definition
class QuantizeLinearOp(LinearBase, RequantizesNumbers):
    """x / scale, rounded to the nearest integer, to the even one of two, plus the zero point; between the bounds of the
    result's type.

    Operands: x, scale, and (optional) the zero point, whose type the result has; without it, `output_dtype` (default
    ui8): ui8, i8, ui16 or i16. `axis`: default 1; `block_size`: default 0. The quotient is made in `precision`, by
    default the scale's type. NaN gives the smallest number. ONNX QuantizeLinear.
    """

    name = "dnn.quantize_linear"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>"
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero_point = opt_operand_def(TensorType)
    y = result_def(TensorType)
    precision = opt_attr_def(Attribute)

    def takes_native(self) -> bool:
        in_f32 = self.precision is None or dtype_name(self.precision) == "f32"
        return super().takes_native() and in_f32 and self.operand_type().dtype == "f32"

    def is_rowwise(self) -> bool:
        return not self.operand_type(1).shape

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale, *rest = operands
        if not is_float(x.dtype) and x.dtype != "i32":
            raise ValueError(f"x must have floating-point elements or i32, not {x.dtype}")
        need_float(scale)
        if self.precision is not None and dtype_name(self.precision) not in ("f32", "f16", "bf16", "f64"):
            raise ValueError(f"precision must be a floating-point type, not {self.precision}")
        self.check_parameters(x, scale, rest[0] if rest else None)
        stated = "ui8" if self.output_dtype is None else dtype_name(self.output_dtype)
        dtype = rest[0].dtype if rest else stated
        if self.output_dtype is not None and dtype != stated:
            raise ValueError(f"output_dtype is {stated}, the zero point's type {dtype}")
        if dtype not in QUANTIZED:
            raise ValueError(f"numbers are quantised to {', '.join(QUANTIZED)}, not to {dtype}")
        return (TensorInfo(x.shape, dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, scale, *zero), (y,) = operands, results
        precision = scale.dtype if self.precision is None else numpy_dtype(dtype_name(self.precision))
        limits = np.iinfo(y.dtype)

        def quantize(x: Array, scale: Array, zero: Array) -> Array:
            steps = np.rint(np.divide(x.astype(precision), scale.astype(precision)))
            return saturated(steps.astype(np.float64), zero, limits)

        zeros = self.spread(zero[0], x) if zero else np.zeros((), y.dtype)
        blockwise(quantize, [x, self.spread(scale, x), zeros], y)

    def requantization(self) -> Requantization | None:
        if self.zero_point is None or not self.takes_native() or self.result_type().dtype not in SMALL:
            return None
        one = all(self.operand_type(k).shape in ONE for k in (1, 2))
        return Requantization(self.scale, self.zero_point) if one else None


def saturated(steps: Array, zero: Array, limits: np.iinfo) -> Array:
    """Whole numbers plus the zero point, between the limits; NaN gives the smaller one."""
    shifted = steps + zero.astype(np.float64)
    return np.fmin(np.fmax(shifted, np.float64(limits.min)), np.float64(limits.max))


@irdl_op_definition
class DequantizeLinearOp(LinearBase, WidensIntegers):
    """(x - zero point) * scale.

    Operands: x of ui8, i8, ui16, i16 or i32, scale, and (optional) the zero point, of x's type. The result has the type
    of the scale, or `output_dtype`; it is computed in f32. `axis`: default 1; `block_size`: default 0. ONNX
    DequantizeLinear.
    """

    name = "dnn.dequantize_linear"
    EXAMPLE: ClassVar = ": (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>"
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero_point = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def takes_native(self) -> bool:
        return super().takes_native() and self.result_type().dtype == "f32"

    def is_rowwise(self) -> bool:
        return not self.operand_type(1).shape

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale, *rest = operands
        if x.dtype not in (*QUANTIZED, "i32"):
            raise ValueError(f"x must have elements of {', '.join(QUANTIZED)} or i32, not {x.dtype}")
        need_float(scale)
        if rest and rest[0].dtype != x.dtype:
            raise ValueError(f"x and the zero point have element types {x.dtype} and {rest[0].dtype}")
        self.check_parameters(x, scale, rest[0] if rest else None)
        dtype = scale.dtype if self.output_dtype is None else dtype_name(self.output_dtype)
        if not is_float(dtype):
            raise ValueError(f"output_dtype must be a floating-point type, not {dtype}")
        return (TensorInfo(x.shape, dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, scale, *zero), (y,) = operands, results
        kind = np.float64 if y.dtype == np.float64 else np.float32

        def dequantize(x: Array, scale: Array, zero: Array) -> Array:
            steps = np.subtract(x, zero, dtype=np.int64)
            return steps.astype(kind) * scale.astype(kind)

        zeros = self.spread(zero[0], x) if zero else np.zeros((), x.dtype)
        blockwise(dequantize, [x, self.spread(scale, x), zeros], y)

    def widening(self) -> Widening | None:
        x, scale = self.operand_type(), self.operand_type(1)
        if x.dtype not in SMALL or (scale.dtype, self.result_type().dtype) != ("f32", "f32"):
            return None
        if scale.shape in ONE:
            return Widening(self.x, self.scale, self.zero_point, None)
        if integer(self.block_size, 0) or (self.zero_point is not None and self.operand_type(2).shape != scale.shape):
            return None
        return Widening(self.x, self.scale, self.zero_point, axis_of(integer(self.axis, 1), len(x.shape)))


@irdl_op_definition
class DynamicQuantizeLinearOp(NativeF32Base, KernelOnlyBase):
    """x quantised to ui8 by a scale and a zero point made from its smallest and largest element, and 0.

    x: f32. Results: y of x's sizes, ui8; the scale, f32, which is 1/255 where all elements are 0; the zero point, ui8.
    ONNX DynamicQuantizeLinear.
    """

    name = "dnn.dynamic_quantize_linear"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)"
    x = operand_def(TensorType)
    y = result_def(TensorType)
    scale = result_def(TensorType)
    zero_point = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(engines=self.kernel_engines())

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """The same: the scale and the zero point are of all elements, in whatever order."""
        return TransposedForm(self.attributes, frozenset({0}))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (x,) = operands
        if x.dtype != "f32":
            raise ValueError(f"elements must be f32, not {x.dtype}")
        return (TensorInfo(x.shape, "ui8"), TensorInfo((), "f32"), TensorInfo((), "ui8"))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y, scale, zero) = operands, results
        step, start = dynamic_scale(x)
        scale[...], zero[...] = step, start.astype(np.uint8)

        def quantize(x: Array) -> Array:
            return dynamic_bytes(x, step, start)

        blockwise(quantize, [x], y)


def dynamic_scale(x: Array) -> tuple[Array, Array]:
    """The scale and the zero point, both f32, that DynamicQuantizeLinear chooses for f32 numbers."""
    with np.errstate(all="ignore"):
        largest = np.maximum.reduce(x, None, initial=np.float32(0))
        smallest = np.minimum.reduce(x, None, initial=np.float32(0))
        width = np.float32(1) if largest == smallest else np.subtract(largest, smallest)
        step = np.divide(width, np.float32(BYTE.max))
        start = np.rint(np.fmin(np.fmax(np.divide(-smallest, step), np.float32(0)), np.float32(BYTE.max)))
    return np.asarray(step), np.asarray(start)


def dynamic_bytes(x: Array, step: Array, start: Array) -> Array:
    """f32 numbers in bytes of a scale and a zero point, as f64."""
    with np.errstate(all="ignore"):
        return saturated(np.rint(np.divide(x, step)).astype(np.float64), start, BYTE)
