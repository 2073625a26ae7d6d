"""Convolutions of one channel each, by one kernel for any sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition

from lastuse.dialect.dnn.attributes import agreed
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.spatial.packed_convolution import PackedConvolutionBase
from lastuse.dialect.dnn.spatial.row_windows import RowWindowsBase, movement_of_window
from lastuse.dialect.dnn.spatial.window_kernels import convolve
from lastuse.dialect.dnn.spatial.windowed import known
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.window import numbers


@irdl_op_definition
class DepthwiseConvOp(RowWindowsBase):
    """The sum over a window of each channel of x, times weights of the channel, at each place of the window.

    Operands: x [N, spatial…, C] with one or two spatial axes; w [kernel…, C]; bias [C] (optional, `has_bias`); all f32.
    The result is [N, places…, C]. `channels_last` is true. `strides`, `dilations`, `pads` (begins, then ends) and
    `auto_pad` as of `dnn.conv`. `post_ops` as of `dnn.conv`, a sum or functions of one element. One kernel serves all
    sizes. In place over what a post-op adds. It has no gradient. `--pack-weights-pass` makes it of convolutions with a
    group for each channel and constant weights.
    """

    name = "dnn.depthwise_conv"
    EXAMPLE: ClassVar = (
        "{channels_last = true, has_bias = 1 : i64, pads = array<i64: 1, 1, 1, 1>} : "
        "(tensor<2x6x7x5xf32>, tensor<3x3x5xf32>, tensor<5xf32>) -> tensor<2x6x7x5xf32>"
    )

    def work(self) -> int:
        return super().work() + element_count(self.y) * self.taps() // 8

    def kernel_dims(self, w: Sequence[Dim | None]) -> Sequence[Dim | None]:
        return w[:-1]

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, w, *bias = operands
        self.need_row_windows(operands)
        if self.kernel_shape is not None:
            raise ValueError("the weights say the sizes of the window")
        batch, channels, spatial = self.parted(x.known)
        if len(w.known) != len(spatial) + 1:
            raise ValueError("w must have the spatial axes of x, and the channels")
        for what, size in (("w", w.known[-1]), *(("the bias", row.known[0]) for row in bias)):
            agreed(size, channels, f"{what} and the channels")
        return (TensorInfo(self.joined(batch, channels, self.row_places(x, w.known[:-1])), "f32"),)

    def own_reference(self, *operands: Array) -> Array:
        x, w, *bias = operands
        sizes, rule = self.sizes(x.shape), self.rule(w.shape[:-1])
        places = known(rule.places(sizes))
        assert places is not None
        if not x.shape[-1]:
            return np.zeros(self.joined(x.shape[0], 0, places), x.dtype)
        weights = np.moveaxis(w, -1, 0)[:, None]
        y = convolve(self.channels_second(x), weights, rule.window(sizes), places, x.shape[-1])
        y = self.channels_back(y)
        return (y + bias[0] if bias else y).astype(x.dtype, copy=False)


class DepthwiseConvolutionBase(PackedConvolutionBase):
    """A convolution that has a group for each channel, and channels last, with constant weights: a
    `dnn.depthwise_conv`."""

    def _is_depthwise(self) -> bool:
        x, sizes = self.operand_type().shape, numbers(self.operand_type(1).shape)
        is_there = self.is_channels_last and 3 <= len(x) <= 4 and sizes is not None and 0 not in sizes
        return is_there and sizes is not None and sizes[0] == self.groups == x[-1] and self.groups > 1

    def packable_operand(self) -> int | None:
        if not self._is_depthwise():
            return super().packable_operand()
        return 1 if self.packs_columns(self.groups) else None

    def packed_weights(self, weights: Array) -> Array:
        if not self._is_depthwise():
            return super().packed_weights(weights)
        return np.ascontiguousarray(np.moveaxis(weights[:, 0], 0, -1))

    def with_packed_weights(self, packed: SSAValue, shape: Sequence[int]) -> DnnOp:
        if not self._is_depthwise():
            return super().with_packed_weights(packed, shape)
        operands, attributes = self.packed_parts(self.groups, packed)
        return self.replacement(DepthwiseConvOp, operands, {**movement_of_window(self), **attributes})
