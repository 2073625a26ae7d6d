"""Means or maxima of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import attr_def, base, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    agreed,
    integer,
    need_same_dtype,
    number,
    word,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.gathers import check_indices, need_indices
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.dnn.recurrent.ragged import expect_dtype
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract

COORDINATES = ("half_pixel", "output_half_pixel")
MODES = ("avg", "max")
MOST_SAMPLES = 1 << 30
"""Of a bin along an axis."""


class Bins(NamedTuple):
    """The bins of a box along an axis.

    Attributes:
        start: where the first one begins, in elements.
        size: of each.
        samples: how many each has.
    """

    start: np.floating
    size: np.floating
    samples: int

    def positions(self, bin_: int, size: int) -> Array:
        """Those samples of a bin that are from -1 to `size`."""
        kind, each = type(self.start), self.size / type(self.start)(max(self.samples, 1))
        first, end = 0, self.samples
        if self.samples > MOST_SAMPLES >> 10 and each > 0:  # few of so many are inside
            begin = self.start + kind(bin_) * self.size
            bounds = np.nan_to_num(np.array([-1 - begin, size - begin], np.float64) / float(each))
            first, end = (int(n) for n in np.clip(bounds + [-100, 100], 0, self.samples))
        k = np.arange(first, end).astype(kind)
        at = self.start + kind(bin_) * self.size + (k + kind(0.5)) * self.size / kind(self.samples)
        return at[(at >= -1) & (at <= size)]


def pairs_of(x: Array, size: int) -> tuple[Array, Array, Array]:
    """The two elements beside positions from -1 to `size`, and the weight of the second one."""
    x = np.maximum(x, x.dtype.type(0))
    low = np.minimum(x.astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    return low, high, np.where(low < high, x - low.astype(x.dtype), x.dtype.type(0))


@irdl_op_definition
class RoiAlignOp(NativeF32Base, KernelOnlyBase):
    """Means or maxima of the bins of boxes.

    Operands: x [batch, channels, height, width]; rois [boxes, 4] of x's element type, f32 or f64, each the columns
    and rows x1, y1, x2, y2; batch_indices i32 or i64 [boxes], the image of each. Result: [boxes, channels,
    output_height, output_width]. Boxes are multiplied with `spatial_scale` (default 1); with `half_pixel` as
    `coordinate_transformation_mode` (default) moved by -0.5, with `output_half_pixel` at least of size 1. A bin has
    `sampling_ratio` samples along each axis, with 0 (default) as many as it has elements, rounded up and 2^30 at most,
    in the middles of as many parts. A sample that is more than one element outside is 0. Of another one the four
    elements around it count by their distance: with `mode` avg (default) they are added up, and a bin is the mean of
    its samples; with max the largest of the four is taken, and of the samples. A bin without samples is 0. ONNX
    RoiAlign.

    At run time, an index of an image there is not raises `IndicesError`.
    """

    name = "dnn.roi_align"
    EXAMPLE: ClassVar = (
        "{output_height = 2 : i64, output_width = 2 : i64, sampling_ratio = 2 : i64} : "
        "(tensor<1x2x5x6xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x2x2x2xf32>"
    )
    x = operand_def(TensorType)
    rois = operand_def(TensorType)
    batch_indices = operand_def(TensorType)
    y = result_def(TensorType)
    mode = opt_attr_def(base(StringAttr))
    coordinates = opt_attr_def(base(StringAttr), attr_name="coordinate_transformation_mode")
    output_height = attr_def(INTEGER)
    output_width = attr_def(INTEGER)
    sampling_ratio = opt_attr_def(INTEGER)
    spatial_scale = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        return Contract(strided=not self.takes_native(), engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        scale = float(number(self.spatial_scale, 1.0))
        return [self._is_max(), self._is_half_pixel(), integer(self.sampling_ratio, 0), scale]

    def _is_max(self) -> bool:
        return word(self.mode, "avg") == "max"

    def _is_half_pixel(self) -> bool:
        return word(self.coordinates, COORDINATES[0]) == COORDINATES[0]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, rois, indices = operands
        expect_dtype("x", x, "f32", "f64")
        need_same_dtype(x, rois)
        need_indices(indices)
        if (len(x.shape), len(rois.shape), len(indices.shape)) != (4, 2, 1):
            raise ValueError("x, rois and batch_indices must have 4, 2 and 1 axes")
        for name, value, known in (
            ("mode", word(self.mode, "avg"), MODES),
            ("coordinate_transformation_mode", word(self.coordinates, COORDINATES[0]), COORDINATES),
        ):
            if value not in known:
                raise ValueError(f"{name} is '{value}', it must be one of {', '.join(known)}")
        sizes = integer(self.output_height, 1), integer(self.output_width, 1)
        if min(sizes) < 1:
            raise ValueError(f"output_height and output_width are {sizes[0]} and {sizes[1]}, they must be 1 or more")
        if not 0 <= integer(self.sampling_ratio, 0) <= MOST_SAMPLES:
            raise ValueError(
                f"sampling_ratio is {integer(self.sampling_ratio, 0)}, it must be from 0 to {MOST_SAMPLES}"
            )
        agreed(rois.known[1], 4, "numbers of a box")
        boxes = agreed(rois.known[0], indices.known[0], "boxes")
        return (TensorInfo((boxes, x.known[1], *sizes), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, rois, indices), (y,) = operands, results
        check_indices(self, indices, len(x), from_end=False)
        with np.errstate(all="ignore"):
            for box, index, made in zip(rois, indices.tolist(), y, strict=True):
                self._align(x[index], box, made)

    def _align(self, x: Array, box: Array, y: Array) -> None:
        """One box. x: [channels, height, width], y: [channels, output_height, output_width]."""
        y[...] = 0
        axes = [self.bins(box[1], box[3], y.shape[1]), self.bins(box[0], box[2], y.shape[2])]
        total = np.maximum(x.dtype.type(axes[0].samples) * x.dtype.type(axes[1].samples), x.dtype.type(1))
        if not x.size:
            return
        for row, column in np.ndindex(*y.shape[1:]):
            at = [bins.positions(k, size) for bins, k, size in zip(axes, (row, column), x.shape[1:], strict=True)]
            (low, high, down), (left, right, across) = (
                pairs_of(along, size) for along, size in zip(at, x.shape[1:], strict=True)
            )
            one = x.dtype.type(1)
            corners = [
                (rows_weight[:, None] * weight) * x[:, rows[:, None], columns]
                for rows, rows_weight in ((low, one - down), (high, down))
                for columns, weight in ((left, one - across), (right, across))
            ]
            samples = len(at[0]) * len(at[1])
            if not self._is_max():
                y[:, row, column] = np.add.reduce(corners).sum(axis=(1, 2)) / total
            elif samples:
                largest = np.maximum.reduce(corners).max(axis=(1, 2))
                is_all = samples == axes[0].samples * axes[1].samples
                y[:, row, column] = largest if is_all else np.maximum(largest, 0)

    def bins(self, low: np.floating, high: np.floating, count: int) -> Bins:
        """The bins of a box from `low` to `high` along an axis."""
        kind, half_pixel = type(low), self._is_half_pixel()
        scale, shift = kind(number(self.spatial_scale, 1.0)), kind(0.5 if half_pixel else 0)
        start, end = low * scale - shift, high * scale - shift
        length = end - start
        if not half_pixel and length < 1:
            length = kind(1)
        size, ratio = length / kind(count), integer(self.sampling_ratio, 0)
        wanted = np.ceil(size)
        adaptive = int(min(wanted, MOST_SAMPLES)) if wanted > 0 else 0
        return Bins(start, size, ratio or adaptive)
