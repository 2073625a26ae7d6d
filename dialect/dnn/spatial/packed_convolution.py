"""Convolutions with weights whose outputs are packed in panels, by one kernel for any sizes of x."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition

from lastuse.dialect.dnn.attributes import INTEGER, agreed, integer
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.packed_matmul import PANEL, packed_panels, packed_size, plain_columns
from lastuse.dialect.dnn.spatial.pointwise_convolution import PointwiseConvolutionBase
from lastuse.dialect.dnn.spatial.row_windows import MOST_ROW_WINDOW_AXES, RowWindowsBase, movement_of_window
from lastuse.dialect.dnn.spatial.window_kernels import convolve
from lastuse.dialect.dnn.spatial.windowed import known
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.window import numbers

LEAST_WINDOW_CHANNELS = 32
"""Channels, at least, for which windows are packed: with fewer it takes up to 1.5 times as long as oneDNN to find out
where a tap of each place is."""
LEAST_HALF_PANELS = 9
"""Halves of panels, at least, of which one may be alone: it takes 1.25 times as long as its share of oneDNN's."""


MOST_OPEN_DEPTH = 32
"""Elements under a window, at most, for which windows over fewer channels are packed where the width of x is not known:
those of an image, 3 x 3 x 3. The kernel takes 0.8 to 1.35 of oneDNN's time then, but serves all widths, each of which
would keep a primitive of 20 KiB."""


@irdl_op_definition
class PackedConvOp(RowWindowsBase):
    """The sum over channels and a window of x, times weights that are packed in panels, at each place of the window.

    Operands: x [N, spatial…, C] with one or two spatial axes; w, [kernel… · C, O] in panels as of `dnn.packed_matmul`,
    on one axis; bias [O] (optional, `has_bias`); all f32. `columns`: O. The result is [N, places…, O]. `channels_last`
    is true, and `kernel_shape` is stated; `strides`, `dilations`, `pads` (begins, then ends) and `auto_pad` as of
    `dnn.conv`. `post_ops` as of `dnn.conv`, a sum or functions of one element. The kernel multiplies nothing outside
    of x, and adds the elements of a window in one order, so one kernel serves all sizes. In place over what a post-op
    adds. It has no gradient. `--pack-weights-pass` makes it of convolutions without groups and with constant weights.
    """

    name = "dnn.packed_conv"
    EXAMPLE: ClassVar = (
        "{channels_last = true, columns = 12 : i64, has_bias = 1 : i64, kernel_shape = array<i64: 3, 3>, "
        "pads = array<i64: 1, 1, 1, 1>} : "
        "(tensor<2x6x7x5xf32>, tensor<720xf32>, tensor<12xf32>) -> tensor<2x6x7x12xf32>"
    )
    columns = attr_def(INTEGER)

    def work(self) -> int:
        channels = self.operand_type().shape[-1]
        return (
            super().work() + element_count(self.y) * self.taps() * (channels if isinstance(channels, int) else 1) // 8
        )

    def kernel_dims(self, w: Sequence[Dim | None]) -> tuple[int, ...]:
        return self.kernel_sizes(len(self.operand_type().shape) - 2)

    def takes_native(self) -> bool:
        return super().takes_native() and isinstance(self.operand_type().shape[-1], int)

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, w, *bias = operands
        self.need_row_windows(operands)
        columns = integer(self.columns, 0)
        batch, channels, spatial = self.parted(x.known)
        kernel = self.kernel_sizes(len(spatial))
        if len(w.known) != 1:
            raise ValueError(f"w must have one axis, not {len(w.known)}")
        if columns < 1:
            raise ValueError(f"columns must be 1 or more, not {columns}")
        if isinstance(channels, int):
            agreed(w.known[0], packed_size(prod(kernel) * channels, columns), "w and its panels")
        for row in bias:
            agreed(row.known[0], columns, "the bias and the columns")
        return (TensorInfo(self.joined(batch, columns, self.row_places(x, kernel)), "f32"),)

    def own_reference(self, *operands: Array) -> Array:
        x, w, *bias = operands
        sizes, kernel, columns = self.sizes(x.shape), self.kernel_sizes(x.ndim - 2), integer(self.columns, 0)
        rule = self.rule(kernel)
        places = known(rule.places(sizes))
        assert places is not None
        weights = plain_columns(w, prod(kernel) * x.shape[-1], columns).T.reshape(columns, *kernel, x.shape[-1])
        y = convolve(self.channels_second(x), np.moveaxis(weights, -1, 1), rule.window(sizes), places, 1)
        y = self.channels_back(y)
        return (y + bias[0] if bias else y).astype(x.dtype, copy=False)


def _fills_panels(columns: int) -> bool:
    """Whether no panel is a half one, or it is one of many."""
    halves = -(-columns // (PANEL // 2))
    return halves % 2 == 0 or halves >= LEAST_HALF_PANELS


class PackedConvolutionBase(PointwiseConvolutionBase):
    """A convolution without groups whose channels are last, with constant weights: a `dnn.packed_conv` where its window
    has several elements."""

    def _packs_window(self) -> bool:
        """Whether the runtime's kernel takes the op, and about as long as oneDNN's, whatever the size of x."""
        x, sizes = self.operand_type().shape, numbers(self.operand_type(1).shape)
        if sizes is None or 0 in sizes or self.groups != 1 or not self.is_channels_last or x[-1] != sizes[1]:
            return False
        outputs, channels, *kernel = sizes
        is_fast = channels >= LEAST_WINDOW_CHANNELS and _fills_panels(outputs)
        serves_widths = self.has_open_size() and channels * prod(kernel) <= MOST_OPEN_DEPTH
        return (is_fast or serves_widths) and len(kernel) <= MOST_ROW_WINDOW_AXES and self.packs_columns(outputs)

    def packable_operand(self) -> int | None:
        if self.plain_product() is not None:
            return super().packable_operand()
        return 1 if self._packs_window() else None

    def packed_weights(self, weights: Array) -> Array:
        if self.plain_product() is not None:
            return super().packed_weights(weights)
        return packed_panels(np.moveaxis(weights, 1, -1).reshape(weights.shape[0], -1).T)

    def with_packed_weights(self, packed: SSAValue, shape: Sequence[int]) -> DnnOp:
        if self.plain_product() is not None:
            return super().with_packed_weights(packed, shape)
        operands, attributes = self.packed_parts(shape[0], packed)
        stated = {
            **movement_of_window(self),
            "kernel_shape": DenseArrayBase.from_list(i64, shape[2:]),
            "columns": IntegerAttr(shape[0], i64),
            **attributes,
        }
        return self.replacement(PackedConvOp, operands, stated)
