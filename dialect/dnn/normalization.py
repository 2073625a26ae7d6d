"""Softmax and layer normalisation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, result_def, var_result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    AxisBase,
    agreed,
    all_f32,
    axis_of,
    integer,
    need_float,
    need_same_dtype,
    number,
)
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import mean as mean_of
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_RESULT
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase, NativeF32Base
from lastuse.dialect.dnn.spelt_norms import norm_of
from lastuse.dialect.dnn.spelt_out import Constant, Spelling, SpeltOutBase
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, tensor_type
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.layer_norm import LayerNormPrimitive
from lastuse.dialect.onednn.primitives.softmax import SoftmaxPrimitive
from lastuse.dialect.storage.contract import Backward, Contract, Engine, InPlace


class SoftmaxBase(NativeBase, OneOperandBase, AxisBase, DifferentiableBase):
    """Along `axis`, in place over x on every engine. The runtime's kernel computes f32 and f64."""

    EXAMPLE: ClassVar = "{axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    DEFAULT_AXIS: ClassVar = -1
    CHEAP: ClassVar = True
    LOG: ClassVar[bool] = False

    def is_rowwise(self) -> bool:
        return self.axis_index(len(self.result_type().shape)) > 0

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return self.with_moved_axis(perm)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), backward=READS_RESULT, engines=self.kernel_engines())

    def engine(self) -> Engine | None:
        """The runtime's kernel is as fast as oneDNN's along the last axis, and many times as fast along others."""
        return Engine.NATIVE if self.takes_native() else super().engine()

    def takes_native(self) -> bool:
        return self.operand_type().dtype in ("f32", "f64")

    def native_name(self) -> str:
        return "softmax"

    def native_numbers(self) -> Sequence[float]:
        return [self.axis_index(len(self.operand_type().shape)), self.LOG]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        self.axis_index(len(operands[0].shape))
        return (operands[0],)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        y = np.empty_like(operands[0])
        self._softmax(operands[0], y)
        return (y,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        axis = self.axis_index(operands[0].ndim)
        for slab in slabs(operands[0].shape, (axis,)):
            self._softmax(operands[0][slab], results[0][slab])

    def _softmax(self, x: Array, y: Array) -> None:
        if not x.size:
            return
        axis = self.axis_index(x.ndim)
        with np.errstate(all="ignore"):
            np.subtract(x, x.max(axis, keepdims=True), out=y)
            if self.LOG:
                np.subtract(y, np.log(np.exp(y).sum(axis, keepdims=True)), out=y)
            else:
                np.exp(y, out=y)
                np.divide(y, y.sum(axis, keepdims=True), out=y)

    def primitive(self) -> Primitive | None:
        return SoftmaxPrimitive(self.axis_index(len(self.operand_type().shape)), self.LOG) if all_f32(self) else None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("log_softmax_grad" if self.LOG else "softmax_grad", self.y, dy, axis=self.axis),)


@irdl_op_definition
class SoftmaxOp(SoftmaxBase):
    """exp(x) over the sum of exp(x) along `axis`.

    `axis`: default -1. y has the shape and floating-point type of x. ONNX Softmax.
    """

    name = "dnn.softmax"


@irdl_op_definition
class LogSoftmaxOp(SoftmaxBase):
    """The logarithm of softmax along `axis`.

    `axis`: default -1. y has the shape and floating-point type of x. ONNX LogSoftmax.
    """

    name = "dnn.log_softmax"
    LOG: ClassVar = True


class RowNormBase(NativeF32Base, KernelOnlyBase):
    """Normalises elements that lie one behind the other; the runtime's kernel reads each row of them three times."""

    CHEAP: ClassVar = True
    CENTRED: ClassVar[bool] = True
    """Whether the mean is taken away."""
    epsilon = opt_attr_def(NUMBER)

    def native_name(self) -> str:
        return "row_norm"

    def row_numbers(self, width: Dim | None, channels: Dim | None, of_channel: Dim | None) -> Sequence[float]:
        """What the runtime's kernel reads; sizes that are not known are asked for when it is not called."""
        sizes = [size if isinstance(size, int) else 0 for size in (width, channels, of_channel)]
        return [self.CENTRED, float(number(self.epsilon, 1e-5)), *sizes]


class TrailingNormBase(RowNormBase, SpeltOutBase):
    """Normalises over the axes from `axis` on."""

    axis = opt_attr_def(INTEGER)

    def native_numbers(self) -> Sequence[float]:
        shape = self.operand_type().shape
        sizes = [shape[axis] for axis in self.normalised_axes(len(shape))]
        return self.row_numbers(math.prod(s for s in sizes if isinstance(s, int)), 0, 0)

    def normalised_axes(self, rank: int) -> tuple[int, ...]:
        """The axes that are normalised."""
        return tuple(range(axis_of(integer(self.axis, -1), rank), rank))

    def is_rowwise(self) -> bool:
        return 0 not in self.normalised_axes(len(self.result_type().shape))


@irdl_op_definition
class LayerNormOp(TrailingNormBase):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, the statistics taken over the axes from `axis` on.

    Operands: x, scale and (optional) bias with the sizes of those axes. `axis`: default -1, `epsilon`: default 1e-5.
    One result of x's type, or three: then also the means and the inverse standard deviations, with size 1 on those
    axes; both are NaN where there are no elements. All of one floating-point type. ONNX LayerNormalization.
    """

    name = "dnn.layer_norm"
    EXAMPLE: ClassVar = (
        "{axis = -1 : i64, epsilon = 1.0e-5 : f32} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    )
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    y = result_def(TensorType)
    statistics = var_result_def(TensorType)

    def engine(self) -> Engine | None:
        """The runtime's kernel is as fast as oneDNN's, which takes the last axis alone."""
        return Engine.NATIVE if self.takes_native() else super().engine()

    def storage(self) -> Contract:
        saved = frozenset({1, 2} if self.statistics else ())
        reads = Backward(operands=frozenset({0, 1}), results=saved)
        return Contract((InPlace(0, 0),), backward=reads, engines=self.kernel_engines())

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """(x - mean) / sqrt(mean of squares + epsilon) * scale + bias, with the factors in any order."""
        norm = norm_of(value, constant)
        return norm.spelling(value, constant, with_bias=True) if norm is not None and norm.is_centred else None

    def training_form(self) -> DnnOp | None:
        if self.statistics:
            return None
        x = self.operand_type()
        axes = self.normalised_axes(len(x.shape))
        row = tensor_type(x._replace(shape=tuple(1 if a in axes else d for a, d in enumerate(x.shape))))
        return self.extended(row, row)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dy, *statistics = results
        if any(statistics) or not self.statistics:
            raise LastuseError(f"{self.name} has a gradient of y alone, from statistics that it has as results", self)
        assert dy is not None
        mean, inverse = self.statistics
        epsilon = float(number(self.epsilon, 1e-5))
        # The op saves inverse deviations, its gradient takes variances, as oneDNN does: a few numbers for each row.
        variance = builder.emit(
            "scale", builder.emit("reciprocal", builder.emit("mul", inverse, inverse)), bias=-epsilon
        )
        operands = (self.x, self.scale, mean, variance, dy)
        gradients = builder.emit_all("layer_norm_grad", *operands, results=3, axis=self.axis, epsilon=epsilon)
        return gradients[: len(self.operands)] if self.bias is not None else gradients[:2]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        need_float(x)
        need_same_dtype(*operands)
        axes = self.normalised_axes(len(x.shape))
        for operand, what in zip(operands[1:], ("scale", "bias"), strict=False):
            if len(operand.shape) != len(axes):
                raise ValueError(f"{what} must have {len(axes)} axes, not {len(operand.shape)}")
            for axis, size in zip(axes, operand.shape, strict=True):
                agreed(x.shape[axis], size, f"x and {what}")
        if len(self.statistics) not in (0, 2):
            raise ValueError(f"has one result or three, not {1 + len(self.statistics)}")
        row: tuple[Dim | None, ...] = tuple(1 if a in axes else d for a, d in enumerate(x.shape))
        return (x, *(TensorInfo(row, x.dtype) for _ in self.statistics))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x = operands[0]
        for slab in slabs(x.shape, self.normalised_axes(x.ndim)):
            self._normalise((x[slab], *operands[1:]), [r[slab] for r in results])

    def _normalise(self, operands: Sequence[Array], results: Sequence[Array]) -> None:
        x, y = operands[0], results[0]
        epsilon = x.dtype.type(number(self.epsilon, 1e-5))
        with np.errstate(all="ignore"):
            mean, deviation = standardise(x, y, self.normalised_axes(x.ndim), epsilon)
            np.multiply(y, operands[1], out=y)
            if len(operands) > 2:
                np.add(y, operands[2], out=y)
        for out, value in zip(results[1:], (mean, deviation), strict=False):
            np.copyto(out, value)

    def primitive(self) -> Primitive | None:
        last = self.normalised_axes(len(self.operand_type().shape)) == (len(self.operand_type().shape) - 1,)
        return LayerNormPrimitive(float(number(self.epsilon, 1e-5))) if last and self.bias and all_f32(self) else None


def standardise(x: Array, y: Array, axes: tuple[int, ...], epsilon: np.generic) -> tuple[Array, Array]:
    """Writes (x - mean) / sqrt(variance + epsilon) to y, which may be x: the statistics are taken over `axes`.

    Returns:
        The means and the inverse deviations, with size 1 along `axes`; both are NaN where there are no elements.
    """
    mean = mean_of(x, axes, keepdims=True)
    np.subtract(x, mean, out=y)
    deviation = mean_of(np.square(y), axes, keepdims=True)
    np.add(deviation, epsilon, out=deviation)
    np.sqrt(deviation, out=deviation)
    np.reciprocal(deviation, out=deviation)
    np.multiply(y, deviation, out=y)
    return mean, deviation
