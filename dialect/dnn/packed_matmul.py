"""Products with weights whose columns are packed in panels, by one kernel for any number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, agreed, integer, integers
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.row_post_ops import RowPostOpsBase, row_post_op_numbers, row_post_ops
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, aligned_bytes
from lastuse.dialect.onednn.primitives.window import WindowRule

PANEL = 32
"""Columns of a panel; the last one has half as many where that is enough. Those of the runtime's kernel."""


def packed_size(depth: int, columns: int) -> int:
    """How many elements weights [depth, columns] have in panels."""
    return depth * -(-columns // (PANEL // 2)) * (PANEL // 2)


def packed_panels(weights: Array) -> Array:
    """f32 [depth, columns] in panels: [panels, depth, PANEL] and perhaps half a panel, zeros behind the last column, on
    one axis, from the start of a cache line on."""
    depth, columns = weights.shape
    padded = np.zeros((depth, packed_size(1, columns)), weights.dtype)
    padded[:, :columns] = weights
    packed = aligned_bytes(padded.nbytes).view(weights.dtype)
    for start, end, panels in _parts(depth, columns):
        panel = padded[:, start:end].reshape(depth, panels, -1)
        np.copyto(packed[depth * start : depth * end].reshape(panels, depth, -1), panel.transpose(1, 0, 2))
    return packed


def plain_columns(packed: Array, depth: int, columns: int) -> Array:
    """The weights [depth, columns] of packed ones."""
    parts = [
        packed[depth * start : depth * end].reshape(panels, depth, -1).transpose(1, 0, 2).reshape(depth, -1)
        for start, end, panels in _parts(depth, columns)
    ]
    return np.concatenate(parts, 1)[:, :columns] if parts else np.zeros((depth, columns), packed.dtype)


def _parts(depth: int, columns: int) -> list[tuple[int, int, int]]:
    """The columns from and to which there are panels of one width, and how many: the last part may be half a panel."""
    padded = packed_size(1, columns)
    whole = padded // PANEL * PANEL
    parts = [(0, whole, whole // PANEL), (whole, padded, 1)]
    return [part for part in parts if part[0] < part[1] and depth]


@irdl_op_definition
class PackedMatmulOp(RowPostOpsBase):
    """x @ b + bias for each row of x, where the columns of b are packed in panels.

    Operands: x [..., K] with 2 axes or more; b, [K, N] in panels of 32 columns, the last one of 16 where that is
    enough, zeros behind the last column, on one axis; bias [N] (optional, `has_bias`); all f32. `columns`: N. The
    result is [..., N]. `steps`: of the axes of x between the first and the last one every how many-th element is read,
    default all: a convolution of one element with strides. `post_ops` as of `dnn.conv`, a sum or functions of one
    element. The sums of an element are added in one order, whatever the threads and the other rows, so one kernel
    serves all sizes. In place over what a post-op adds. It has no gradient. `--pack-weights-pass` makes it of products
    and convolutions with constant weights.
    """

    name = "dnn.packed_matmul"
    EXAMPLE: ClassVar = (
        "{columns = 20 : i64, has_bias = 1 : i64} : "
        "(tensor<2x3xf32>, tensor<96xf32>, tensor<20xf32>) -> tensor<2x20xf32>"
    )
    x = operand_def(TensorType)
    b = operand_def(TensorType)
    rest = var_operand_def(TensorType)
    y = result_def(TensorType)
    columns = attr_def(INTEGER)
    steps = opt_attr_def(INTEGERS)

    def is_rowwise(self) -> bool:
        return True

    def work(self) -> int:
        depth = self.operand_type().shape[-1]
        return super().work() + element_count(self.y) * (depth if isinstance(depth, int) else 1) // 8

    def native_numbers(self) -> Sequence[float]:
        steps = () if self.steps is None else integers(self.steps)
        return [self.bias_count(), len(steps), *steps, *row_post_op_numbers(row_post_ops(self) or ())]

    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, b, *bias = operands
        columns = integer(self.columns, 0)
        self.need_operand_count(len(operands))
        if any(operand.dtype != "f32" for operand in operands):
            raise ValueError("the operands must be f32")
        if len(x.known) < 2 or len(b.known) != 1 or any(len(row.known) != 1 for row in bias):
            raise ValueError("x must have 2 axes or more, b and the bias 1")
        if columns < 1:
            raise ValueError(f"columns must be 1 or more, not {columns}")
        depth = x.known[-1]
        if isinstance(depth, int):
            agreed(b.known[0], packed_size(depth, columns), "b and its panels")
        for row in bias:
            agreed(row.known[0], columns, "the bias and the columns")
        return (TensorInfo((*self._rows_of(x.known[:-1]), columns), "f32"),)

    def own_reference(self, *operands: Array) -> Array:
        x, b, *bias = operands
        steps = (slice(None), *(slice(None, None, step) for step in integers(self.steps))) if self.steps else ()
        weights = plain_columns(b, x.shape[-1], integer(self.columns, 0))
        with np.errstate(all="ignore"):
            y = np.matmul(x[steps], weights)
            return y + bias[0] if bias else y

    def _rows_of(self, rows: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """The sizes of the result but for the last one; raises ValueError where the steps do not fit x."""
        if self.steps is None:
            return tuple(rows)
        steps = integers(self.steps)
        if len(steps) != len(rows) - 1 or any(step < 1 for step in steps):
            raise ValueError(f"steps must have {len(rows) - 1} numbers of 1 or more, not {list(steps)}")
        rule = WindowRule((1,) * len(steps), steps, (1,) * len(steps), (0,) * (2 * len(steps)))
        return (rows[0], *rule.places(rows[1:]))
