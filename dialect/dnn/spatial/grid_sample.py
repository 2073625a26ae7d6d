"""Values at positions that an operand says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import base, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, agreed, integer, need_same_dtype, word
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.recurrent.ragged import expect_dtype
from lastuse.dialect.dnn.spatial.sampling import (
    MODES,
    NATIVE_AXES,
    PADDINGS,
    SamplingRule,
    in_elements,
    sampled,
)
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract


@irdl_op_definition
class GridSampleOp(NativeBase, KernelOnlyBase):
    """Values between the elements of x, at positions that `grid` says.

    Operands: x [batch, channels, d1, ..., dr], grid [batch, o1, ..., or, r] of element type f32 or f64; the positions
    along dr are first in grid, those along d1 last. Result: [batch, channels, o1, ..., or]. Positions go from
    -1 to 1: with `align_corners` from the first to the last element of an axis, else from its border half an element
    before the first. `mode`: linear (default), nearest (of two as near the even one) or cubic, of Keys with -0.75.
    `padding_mode` says what is outside: zeros (default), border, the nearest element, or reflection at the borders.
    Axis by axis, a position outside of the borders becomes the first or last element with border, and is reflected with
    reflection; then elements beside it that are outside become 0 or elements alike. Positions that are NaN, or infinite
    and no border is for them, make NaN; of nearest they read 0 with zeros, else an element. An x without elements reads
    as 0. ONNX GridSample.
    """

    name = "dnn.grid_sample"
    EXAMPLE: ClassVar = (
        '{mode = "linear", padding_mode = "border"} : (tensor<1x2x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>'
    )
    x = operand_def(TensorType)
    grid = operand_def(TensorType)
    y = result_def(TensorType)
    mode = opt_attr_def(base(StringAttr))
    padding_mode = opt_attr_def(base(StringAttr))
    align_corners = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=not self.takes_native(), engines=self.kernel_engines())

    def takes_native(self) -> bool:
        return self.operand_type().dtype == "f32" and len(self.operand_type().shape) <= 2 + NATIVE_AXES

    def native_numbers(self) -> Sequence[float]:
        rule = self.rule()
        return [MODES.index(rule.mode), PADDINGS.index(rule.padding), rule.aligns_corners]

    def rule(self) -> SamplingRule:
        """Raises ValueError for a mode or padding that there is not."""
        rule = SamplingRule(
            word(self.mode, "linear"), word(self.padding_mode, "zeros"), bool(integer(self.align_corners, 0))
        )
        if rule.mode not in MODES:
            raise ValueError(f"mode is '{rule.mode}', it must be one of {', '.join(MODES)}")
        if rule.padding not in PADDINGS:
            raise ValueError(f"padding_mode is '{rule.padding}', it must be one of {', '.join(PADDINGS)}")
        return rule

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, grid = operands
        expect_dtype("x", x, "f32", "f64")
        need_same_dtype(x, grid)
        self.rule()
        rank = len(x.shape)
        if rank < 3 or len(grid.shape) != rank:
            raise ValueError(f"x and grid have {rank} and {len(grid.shape)} axes, they need as many, 3 or more")
        agreed(grid.known[-1], rank - 2, "positions in grid")
        batch = agreed(x.known[0], grid.known[0], "batches")
        return (TensorInfo((batch, x.known[1], *grid.known[1:-1]), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, grid), (y,), rule = operands, results, self.rule()
        with np.errstate(all="ignore"):
            for image, wanted, made in zip(x, grid, y, strict=True):
                along = [
                    in_elements(wanted[..., -1 - axis], size, rule.aligns_corners)
                    for axis, size in enumerate(image.shape[1:])
                ]
                made[...] = sampled(image, rule, along)
