"""Gradients of convolutions: that of the weights is an op, those of the operands are transposed convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    agreed,
    all_f32,
    engines,
    integer,
    need_float,
    need_same_dtype,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array, TransposedForm
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.spatial.window_kernels import padded, wide, windows
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.convolution_weights_grad import ConvolutionWeightsGradPrimitive
from lastuse.dialect.onednn.primitives.window import Window
from lastuse.dialect.storage.contract import Contract


@irdl_op_definition
class ConvWeightsGradOp(WindowedOpBase):
    """The gradient of the weights of `dnn.conv`, from its operand x and the gradient dy of its result.

    Operands: x [N, C, spatial…] and dy [N, O, places…], of one floating-point type. Result: [O, C/group, kernel…].
    `kernel_shape` says how long the window is; `group`, `strides`, `dilations`, `pads`, `auto_pad`, `channels_last`
    are those of the convolution.
    """

    name = "dnn.conv_weights_grad"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} "
        ": (tensor<2x5x6x7xf32>, tensor<2x4x6x7xf32>) -> tensor<4x5x3x3xf32>"
    )
    SPATIAL: ClassVar = frozenset({0, 1})
    x = operand_def(TensorType)
    dy = operand_def(TensorType)
    dw = result_def(TensorType)
    group = opt_attr_def(INTEGER)

    @property
    def groups(self) -> int:
        """How many groups the channels have."""
        return integer(self.group, 1)

    def storage(self) -> Contract:
        return Contract(strided=on_cpu_alone(self), engines=engines(self))

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """The gradient of the weights has the weights' axes."""
        form = super().transposed_form(perm)
        return None if form is None else form._replace(results_too=False)

    def prefers_channels_last(self) -> bool:
        return self.is_faster_channels_last()

    def work(self) -> int:
        return super().work() + work_of_product(self.x, self.dy, self.dw)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, dy = operands
        need_float(x)
        need_same_dtype(*operands)
        if len(x.shape) != len(dy.shape):
            raise ValueError(f"x and dy have {len(x.shape)} and {len(dy.shape)} axes")
        batch, channels, spatial = self.parted(x.shape)
        batches, outputs, places = self.parted(dy.shape)
        agreed(batch, batches, "the batches of x and dy")
        kernel = self.kernel_sizes(len(spatial))
        for have, want in zip(places, self.rule(kernel).places(spatial), strict=True):
            agreed(have, want, "dy and the places of the window")
        return (TensorInfo((outputs, self._inputs(channels, outputs), *kernel), x.dtype),)

    def _inputs(self, channels: Dim | None, outputs: Dim | None) -> Dim | None:
        """Channels of a group of x; raises ValueError where channels cannot be cut into groups."""
        for count in (channels, outputs):
            if self.groups < 1 or isinstance(count, int) and count % self.groups:
                raise ValueError(f"{count} channels cannot be cut into {self.groups} groups")
        return channels // self.groups if isinstance(channels, int) else channels if self.groups == 1 else None

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, dy = map(self.channels_second, operands)
        places, group, dtype = dy.shape[2:], self.groups, wide(x.dtype)
        kernel = self.kernel_sizes(len(places))
        window = self.rule(kernel).window(x.shape[2:])
        depth, count = x.shape[1] // group * prod(kernel), prod(places)
        outputs = dy.shape[1] // group
        dw = np.zeros((group, outputs, depth), dtype)
        for number in range(len(x)):  # what is under the windows is written out for one sample at a time
            view = windows(padded(x[number : number + 1], window, places, 0), window, places)
            columns = np.ascontiguousarray(view[0], dtype).reshape(group, depth, count)
            rows = np.ascontiguousarray(dy[number], dtype).reshape(group, outputs, count)
            dw += np.matmul(rows, columns.swapaxes(1, 2))
        shape = (group * outputs, x.shape[1] // group, *kernel)
        return (dw.reshape(shape).astype(x.dtype, copy=False),)

    def primitive(self) -> Primitive | None:
        if not all_f32(self):
            return None
        rank = len(self.operand_type().shape) - 2
        rule = self.rule(self.kernel_sizes(rank))
        return ConvolutionWeightsGradPrimitive(self.groups, self.is_channels_last, rule)


def known_sizes(sizes: Sequence[Dim | None], origin: Operation) -> tuple[int, ...]:
    """Spatial sizes.

    Raises:
        LastuseError: one is not known.
    """
    numbers = known(sizes)
    if numbers is None:
        raise LastuseError(f"the gradient of {origin.name} needs known spatial sizes (--specialize-pass)", origin)
    return numbers


def movement_of(window: Window) -> dict[str, Any]:
    """The attributes of an op whose window moves so."""
    return {"strides": window.strides, "dilations": window.dilations, "pads": (*window.begins, *window.ends)}


def bias_gradient(dy: SSAValue, channels_last: bool, builder: GradientBuilder) -> SSAValue:
    """The gradient of a bias that is added to each channel: the sum of those of its elements."""
    rank = len(builder.shape(dy))
    channel = rank - 1 if channels_last else 1
    return builder.emit("reduce_sum", dy, axes=[axis for axis in range(rank) if axis != channel])
