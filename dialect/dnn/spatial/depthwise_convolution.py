"""Convolutions of one channel each, by one kernel for any sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import agreed
from lastuse.dialect.dnn.base import Array, DnnOp, TransposedForm
from lastuse.dialect.dnn.row_post_ops import RowPostOpsBase, row_post_op_numbers, row_post_ops
from lastuse.dialect.dnn.spatial.pointwise_convolution import PointwiseConvolutionBase
from lastuse.dialect.dnn.spatial.window_kernels import convolve
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.window import numbers

MOVEMENT = ("strides", "dilations", "pads", "auto_pad")
"""Attributes of a convolution that say how its window moves."""


@irdl_op_definition
class DepthwiseConvOp(WindowedOpBase, RowPostOpsBase):
    """The sum over a window of each channel of x, times weights of the channel, at each place of the window.

    Operands: x [N, spatial…, C] with one or two spatial axes; w [kernel…, C]; bias [C] (optional, `has_bias`); all f32.
    The result is [N, places…, C]. `channels_last` is true. `strides`, `dilations`, `pads` (begins, then ends) and
    `auto_pad` as of `dnn.conv`. `post_ops` as of `dnn.conv`, a sum or functions of one element. One kernel serves all
    sizes. In place over what a post-op adds. It has no gradient. `--pack-weights-pass` makes it of convolutions with a
    group for each channel and constant weights.
    """

    name = "dnn.depthwise_conv"
    SPATIAL: ClassVar = frozenset()
    EXAMPLE: ClassVar = (
        "{channels_last = true, has_bias = 1 : i64, pads = array<i64: 1, 1, 1, 1>} : "
        "(tensor<2x6x7x5xf32>, tensor<3x3x5xf32>, tensor<5xf32>) -> tensor<2x6x7x5xf32>"
    )
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    rest = var_operand_def(TensorType)
    y = result_def(TensorType)

    def work(self) -> int:
        taps = self.operand_type(1).shape[:-1]
        return super().work() + element_count(self.y) * int(np.prod([n for n in taps if isinstance(n, int)])) // 8

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return None

    def takes_native(self) -> bool:
        return super().takes_native() and known(self._kernel()) is not None

    def native_numbers(self) -> Sequence[float]:
        kernel, sizes = known(self._kernel()), known(self.parted(self.operand_type().shape)[2])
        assert kernel is not None and sizes is not None
        window = self.rule(kernel).window(sizes)
        movement = [*window.strides, *window.dilations, *window.begins]
        return [self.bias_count(), *movement, *row_post_op_numbers(row_post_ops(self) or ())]

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, w, *bias = operands
        if not self.is_channels_last or self.kernel_shape is not None:
            raise ValueError("channels_last must be true, and the weights say the sizes of the window")
        self.need_operand_count(len(operands))
        if any(operand.dtype != "f32" for operand in operands):
            raise ValueError("the operands must be f32")
        batch, channels, spatial = self.parted(x.known)
        if len(spatial) > 2 or len(w.known) != len(spatial) + 1 or any(len(row.known) != 1 for row in bias):
            raise ValueError("x must have one or two spatial axes, w these and the channels, the bias one axis")
        for what, size in (("w", w.known[-1]), *(("the bias", row.known[0]) for row in bias)):
            agreed(size, channels, f"{what} and the channels")
        kernel = known(w.known[:-1])
        rule = self.rule(kernel if kernel is not None else (1,) * len(spatial))
        places = rule.places(spatial) if kernel is not None else (None,) * len(spatial)
        return (TensorInfo(self.joined(batch, channels, places), "f32"),)

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

    def _kernel(self) -> Sequence[Dim | None]:
        return self.operand_type(1).shape[:-1]


class DepthwiseConvolutionBase(PointwiseConvolutionBase):
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
        movement = {name: self.attributes[name] for name in MOVEMENT if name in self.attributes}
        stated: dict[str, Attribute] = {"channels_last": BoolAttr.from_bool(True), **movement, **attributes}
        return self.replacement(DepthwiseConvOp, operands, stated)
