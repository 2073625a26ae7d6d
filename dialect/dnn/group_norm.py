"""Normalisation of parts of each sample: of its channels, of groups of them, of axes that are named."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    agreed,
    axis_of,
    integer,
    integers,
    need_float,
    need_same_dtype,
    number,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.blocked_kernels import mean as mean_of
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_OPERAND
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.normalization import RowNormBase, TrailingNormBase, standardise
from lastuse.dialect.dnn.spelt_norms import norm_of
from lastuse.dialect.dnn.spelt_out import Constant, Spelling
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract, InPlace


class GroupNormBase(RowNormBase):
    """Each sample's channels in groups, standardised, then scaled and shifted by channel. In place over x."""

    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    bias = operand_def(TensorType)
    y = result_def(TensorType)

    def native_numbers(self) -> Sequence[float]:
        sizes = [size if isinstance(size, int) else 0 for size in self.operand_type().shape]
        channels, places = sizes[1], prod(sizes[2:])
        groups = self.groups(channels)
        return self.row_numbers(channels // groups * places if groups else 0, channels, places)

    @abstractmethod
    def groups(self, channels: int) -> int:
        """How many groups there are."""

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        assert dy is not None
        channels = builder.shape(self.scale)[0]
        if not isinstance(channels, int):
            raise LastuseError(f"the gradient of {self.name} needs a known number of channels", self)
        groups, epsilon = self.groups(channels), float(number(self.epsilon, 1e-5))
        operands = (self.x, self.scale, dy)
        return builder.emit_all("group_norm_grad", *operands, results=3, num_groups=groups, epsilon=epsilon)

    def is_rowwise(self) -> bool:
        return True

    def storage(self) -> Contract:
        reads = Backward(operands=frozenset({0, 1}))
        return Contract((InPlace(0, 0),), backward=reads, engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        need_float(x)
        need_same_dtype(*operands)
        if len(x.shape) < 2:
            raise ValueError(f"x must have 2 axes or more, not {len(x.shape)}")
        channels = x.shape[1]
        if isinstance(channels, int):
            groups = self.groups(channels)
            if channels and (groups < 1 or channels % groups):
                raise ValueError(f"{channels} channels are not {groups} groups")
        for operand, what in zip(operands[1:], ("scale", "bias"), strict=True):
            if len(operand.shape) != 1:
                raise ValueError(f"{what} must have one axis, not {len(operand.shape)}")
            agreed(channels, operand.shape[0], f"channels of x and {what}")
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, scale, bias), (y,) = operands, results
        if not x.size:
            return
        groups = self.groups(x.shape[1])
        split = (groups, x.shape[1] // groups)
        source, target = (a.reshape(a.shape[0], *split, *a.shape[2:]) for a in (x, y))
        scales, biases = (a.reshape(*split, *(1,) * (x.ndim - 2)) for a in (scale, bias))
        axes, epsilon = tuple(range(2, source.ndim)), x.dtype.type(number(self.epsilon, 1e-5))
        with np.errstate(all="ignore"):
            for slab in slabs(source.shape, axes):
                part = target[slab]
                standardise(source[slab], part, axes, epsilon)
                np.multiply(part, scales[slab[1]], out=part)
                np.add(part, biases[slab[1]], out=part)


@irdl_op_definition
class InstanceNormOp(GroupNormBase):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, the statistics taken over each channel of each sample.

    Operands: x [N, C, …], then scale and bias, each [C]. `epsilon`: default 1e-5. y has the type of x; all of one
    floating-point type. ONNX InstanceNormalization.
    """

    name = "dnn.instance_norm"
    EXAMPLE: ClassVar = (
        "{epsilon = 1.0e-5 : f32} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>"
    )

    def groups(self, channels: int) -> int:
        return channels


@irdl_op_definition
class GroupNormOp(GroupNormBase):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, the statistics taken over groups of channels.

    Operands: x [N, C, …], then scale and bias, each [C]. `num_groups`: divides C. `epsilon`: default 1e-5. y has the
    type of x; all of one floating-point type. ONNX GroupNormalization.
    """

    name = "dnn.group_norm"
    EXAMPLE: ClassVar = (
        "{num_groups = 2 : i64} : (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4x5xf32>"
    )
    num_groups = attr_def(INTEGER)

    def groups(self, channels: int) -> int:
        return integer(self.num_groups, 1)


@irdl_op_definition
class RmsNormOp(TrailingNormBase):
    """x / sqrt(mean of squares + epsilon) * scale, the mean taken over the axes from `axis` on.

    Operands: x, and scale with the sizes of those axes. `axis`: default -1, `epsilon`: default 1e-5. y has the type of
    x; all of one floating-point type. ONNX RMSNormalization.
    """

    name = "dnn.rms_norm"
    EXAMPLE: ClassVar = (
        "{axis = -1 : i64, epsilon = 1.0e-5 : f32} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    )
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    y = result_def(TensorType)

    CENTRED: ClassVar = False

    def storage(self) -> Contract:
        reads = Backward(operands=frozenset({0, 1}))
        return Contract((InPlace(0, 0),), backward=reads, engines=self.kernel_engines())

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """x / sqrt(mean of squares + epsilon) * scale, with the factors in any order."""
        norm = norm_of(value, constant)
        fits = norm is not None and not norm.is_centred and norm.bias is None
        return norm.spelling(value, constant, with_bias=False) if norm is not None and fits else None

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        assert dy is not None
        epsilon = float(number(self.epsilon, 1e-5))
        return builder.emit_all("rms_norm_grad", self.x, self.scale, dy, results=2, axis=self.axis, epsilon=epsilon)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale = operands
        need_float(x)
        need_same_dtype(x, scale)
        axes = self.normalised_axes(len(x.shape))
        if len(scale.shape) != len(axes):
            raise ValueError(f"scale must have {len(axes)} axes, not {len(scale.shape)}")
        for axis, size in zip(axes, scale.shape, strict=True):
            agreed(x.shape[axis], size, "x and scale")
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, scale), (y,) = operands, results
        axes, epsilon = self.normalised_axes(x.ndim), x.dtype.type(number(self.epsilon, 1e-5))
        with np.errstate(all="ignore"):
            for slab in slabs(x.shape, axes):
                inverse = mean_of(np.square(x[slab]), axes, keepdims=True)
                np.add(inverse, epsilon, out=inverse)
                np.reciprocal(np.sqrt(inverse), out=inverse)
                np.multiply(x[slab], inverse, out=y[slab])
                np.multiply(y[slab], scale, out=y[slab])


@irdl_op_definition
class MeanVarianceNormalizationOp(OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """(x - mean) / (standard deviation + 1e-9), both taken over `axes`.

    `axes`: default 0, 2 and 3. y has the shape and floating-point type of x. ONNX MeanVarianceNormalization.
    """

    name = "dnn.mean_variance_normalization"
    EXAMPLE: ClassVar = "{axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>"
    axes = opt_attr_def(INTEGERS)

    def normalised_axes(self, rank: int) -> tuple[int, ...]:
        """The axes that are normalised; raises ValueError where one is named twice or is none."""
        axes = [axis_of(a, rank) for a in (integers(self.axes) if self.axes is not None else (0, 2, 3))]
        if len(set(axes)) < len(axes):
            raise ValueError(f"axes {axes} name one twice")
        return tuple(sorted(axes))

    def is_rowwise(self) -> bool:
        return 0 not in self.normalised_axes(len(self.result_type().shape))

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), backward=READS_OPERAND)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        self.normalised_axes(len(operands[0].shape))
        return (operands[0],)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        axes, least = self.normalised_axes(x.ndim), x.dtype.type(1e-9)
        with np.errstate(all="ignore"):
            for slab in slabs(x.shape, axes):
                part = y[slab]
                np.subtract(x[slab], mean_of(x[slab], axes, keepdims=True), out=part)
                deviation = np.sqrt(mean_of(np.square(part), axes, keepdims=True))
                np.divide(part, deviation + least, out=part)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """(dy - its mean - y * the mean of dy * y) / deviation, where y is x without its mean, over its deviation."""
        axes = list(self.normalised_axes(len(builder.shape(self.x))))

        def mean(value: SSAValue) -> SSAValue:
            return builder.emit("reduce_mean", value, axes=axes, keepdims=True)

        centred = builder.emit("sub", self.x, mean(self.x))
        deviation = builder.emit("sqrt", mean(builder.emit("mul", centred, centred)))
        deviation = builder.emit("scale", deviation, bias=1e-9)
        y = builder.emit("div", centred, deviation)
        along = builder.emit("mul", y, mean(builder.emit("mul", dy, y)))
        rest = builder.emit("sub", builder.emit("sub", dy, mean(dy)), along)
        return (builder.emit("div", rest, deviation),)
