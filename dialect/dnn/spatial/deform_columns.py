"""What a deformable convolution multiplies with its filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    agreed,
    agreed_shape,
    integer,
    integers,
    need_same_dtype,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.dnn.recurrent.ragged import expect_dtype
from lastuse.dialect.dnn.spatial.sampling import SamplingRule, sampled
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract


class DeformedWindow(NamedTuple):
    """How a window moves, along rows and columns.

    Attributes:
        sizes, strides, dilations: two numbers each.
        pads: four, before the axes and then behind them.
    """

    sizes: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    pads: Sequence[int]

    @property
    def elements(self) -> int:
        """Elements of the window."""
        return self.sizes[0] * self.sizes[1]

    def places(self, axis: int, size: int) -> int:
        """How many places a window has along an axis of `size` elements."""
        free = size + self.pads[axis] + self.pads[axis + 2] - (self.sizes[axis] - 1) * self.dilations[axis] - 1
        return max(free // self.strides[axis] + 1, 0)


@irdl_op_definition
class DeformColumnsOp(NativeF32Base, KernelOnlyBase):
    """The values that a window reads at each of its places, each moved by offsets of its own.

    Operands: x [batch, channels, height, width]; offset [batch, 2 * groups * window, rows, columns], for each group of
    channels and each element of the window first how far it is moved down, then to the right; mask [batch, groups *
    window, rows, columns] (optional), what its value is multiplied with; element type f32 or f64. Result:
    [batch, channels * window, rows * columns], where window is the number of elements of a window, row by row. A value
    between elements is made of the four around it, of which those outside of x are 0. `kernel_shape` are the sizes of
    the window; `strides`, `dilations`, `pads`, `offset_group` (the groups) as in ONNX DeformConv, which is the product
    of its filters and this.
    """

    name = "dnn.deform_columns"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 2, 2>} : (tensor<1x2x3x4xf32>, tensor<1x8x2x3xf32>) -> tensor<1x8x6xf32>"
    )
    x = operand_def(TensorType)
    offset = operand_def(TensorType)
    mask = opt_operand_def(TensorType)
    y = result_def(TensorType)
    kernel_shape = opt_attr_def(INTEGERS)
    strides = opt_attr_def(INTEGERS)
    dilations = opt_attr_def(INTEGERS)
    pads = opt_attr_def(INTEGERS)
    offset_group = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=not self.takes_native(), engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        window = self.window()
        return [*window.sizes, *window.strides, *window.dilations, *window.pads[:2], integer(self.offset_group, 1)]

    def window(self) -> DeformedWindow:
        """Raises ValueError for sizes that there are not."""
        if self.kernel_shape is None:
            raise ValueError("kernel_shape is missing")
        stated = {
            "kernel_shape": (self.kernel_shape, 2, 1),
            "strides": (self.strides, 2, 1),
            "dilations": (self.dilations, 2, 1),
            "pads": (self.pads, 4, 0),
        }
        numbers: list[tuple[int, ...]] = []
        for name, (attribute, count, least) in stated.items():
            values = (least,) * count if attribute is None else integers(attribute)
            if len(values) != count or min(values) < least:
                raise ValueError(f"{name} must be {count} numbers from {least} on, not {list(values)}")
            numbers.append(values)
        return DeformedWindow(*numbers)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, offset, *masks = operands
        expect_dtype("x", x, "f32", "f64")
        need_same_dtype(*operands)
        if any(len(info.shape) != 4 for info in operands):
            raise ValueError("operands must have 4 axes")
        window, groups = self.window(), integer(self.offset_group, 1)
        batch, channels = agreed(x.known[0], offset.known[0], "batches"), x.known[1]
        if groups < 1 or (isinstance(channels, int) and channels % groups):
            raise ValueError(f"offset_group is {groups}, which does not divide {channels} channels")
        agreed(offset.known[1], 2 * groups * window.elements, "offsets")
        for axis in range(2):
            size = x.known[2 + axis]
            if isinstance(size, int):
                agreed(offset.known[2 + axis], window.places(axis, size), "places of the window")
        for mask in masks:
            agreed_shape("the mask", mask.known, (batch, groups * window.elements, *offset.known[2:]))
        rows, columns = offset.known[2:]
        places = rows * columns if isinstance(rows, int) and isinstance(columns, int) else None
        values = channels * window.elements if isinstance(channels, int) else None
        return (TensorInfo((batch, values, places), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, offset, *masks), (y,) = operands, results
        window, groups = self.window(), integer(self.offset_group, 1)
        batch, channels, (rows, columns), number = *x.shape[:2], offset.shape[2:], x.dtype.type
        moved = offset.reshape(batch, groups, window.elements, 2, rows, columns)
        weights = masks[0].reshape(batch, groups, window.elements, rows, columns) if masks else None
        made = np.empty((batch, groups, channels // groups, window.elements, rows, columns), x.dtype)
        with np.errstate(all="ignore"):
            for n, group, at in np.ndindex(batch, groups, window.elements):
                places = [
                    (
                        np.arange(count) * window.strides[axis]
                        - window.pads[axis]
                        + (at // window.sizes[1], at % window.sizes[1])[axis] * window.dilations[axis]
                    ).astype(number)
                    for axis, count in enumerate((rows, columns))
                ]
                along = [moved[n, group, at, 0] + places[0][:, None], moved[n, group, at, 1] + places[1]]
                part = x[n].reshape(groups, -1, *x.shape[2:])[group] if channels else x[n]
                values = sampled(part, SamplingRule(), along)
                made[n, group, :, at] = values if weights is None else values * weights[n, group, at]
        y[...] = made.reshape(y.shape)
