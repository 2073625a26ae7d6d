"""Ragged rows to and from the padded form other systems compute a GRU in: every sequence as long as the longest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import flag, word
from lastuse.dialect.dnn.base import Array, CpuOnlyBase
from lastuse.dialect.dnn.recurrent.ragged import (
    OffsetsError,
    expect,
    expect_offsets,
    expect_rank,
    sequence_rows,
    sequences_of,
)
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.storage.contract import Contract

LAYOUTS = ("tnc", "ntc")


class PaddedBase(CpuOnlyBase):
    """What both ways share: row p of a sequence of n rows is at step p, or, from the right, at step T - n + p."""

    layout = opt_attr_def(StringAttr)
    is_reverse = opt_attr_def(BoolAttr)

    def axes(self) -> tuple[int, int]:
        """The axes of steps and of sequences; raises ValueError for a layout there is not."""
        layout = word(self.layout, "tnc")
        if layout not in LAYOUTS:
            raise ValueError(f"layout is '{layout}', it must be one of {', '.join(LAYOUTS)}")
        return (0, 1) if layout == "tnc" else (1, 0)

    def slots(self, padded: Array, offsets: Array, rows: int) -> list[tuple[slice, Array]]:
        """Each sequence: its rows, and its part [its length, channels] of the padded array, from its first row on.

        Raises:
            OffsetsError: the offsets do not ascend from 0 to `rows`, or a sequence is longer than the padded steps.
        """
        steps, sequences = self.axes()
        by_sequence, slots = padded.transpose(sequences, steps, 2), list[tuple[slice, Array]]()
        for number, (span, own) in enumerate(zip(sequence_rows(offsets, rows), by_sequence, strict=True)):
            length = span.stop - span.start
            if length > len(own):
                raise OffsetsError(f"sequence {number} has {length} rows, there is room for {len(own)}")
            start = len(own) - length if flag(self.is_reverse) else 0
            slots.append((span, own[start : start + length]))
        return slots


@irdl_op_definition
class LodToTncOp(PaddedBase):
    """Ragged rows padded to one length, the longest sequence's or more.

    Operands: x [rows, C], offsets i64 [N + 1]. Result: [T, N, C], or [N, T, C] with `layout = "ntc"`, T as its type
    states it. A sequence stands at the first steps and zeros follow; with `is_reverse` it stands at the last steps,
    zeros before it, so that a walk from the last step to the first meets its rows first. Any element type.

    At run time, offsets that do not ascend from 0 to the number of rows, and a sequence longer than T, raise
    `OffsetsError`.
    """

    name = "dnn.lod_to_tnc"
    EXAMPLE: ClassVar = ": (tensor<5x4xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>"

    x = operand_def(TensorType)
    offsets = operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, offsets = operands
        expect_rank("x", x, 2)
        expect_offsets(offsets)
        steps, sequences = self.axes()
        shape: list[Dim | None] = [None, None, x.shape[1]]
        stated = self.result_type().shape
        shape[steps] = stated[steps] if len(stated) == 3 else None
        shape[sequences] = sequences_of(offsets)
        return (TensorInfo(tuple(shape), x.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, offsets = operands
        steps, sequences = self.axes()
        stated = self.result_type().shape[steps]
        shape = [0, 0, x.shape[1]]
        shape[steps] = stated if isinstance(stated, int) else max(np.diff(offsets), default=0)
        shape[sequences] = len(offsets) - 1
        result = np.empty(shape, x.dtype)
        self.kernel(operands, [result], result)
        return (result,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, offsets = operands
        parts = self.slots(results[0], offsets, len(x))
        results[0].fill(0)
        for span, part in parts:
            part[...] = x[span]


@irdl_op_definition
class TncToLodOp(PaddedBase):
    """The rows of a padded array as ragged rows: what `lod_to_tnc` put in, taken out.

    Operands: x [T, N, C] (or [N, T, C] with `layout = "ntc"`), offsets i64 [N + 1], and optionally `rows`, a value with
    as many rows as the result: its bytes are not read. Result: [rows, C]. `layout`, `is_reverse` as in
    `lod_to_tnc`. Any element type.

    At run time, offsets that do not ascend from 0 to the number of rows, and a sequence longer than T, raise
    `OffsetsError`.
    """

    name = "dnn.tnc_to_lod"
    EXAMPLE: ClassVar = ": (tensor<3x2x4xf32>, tensor<3xi64>, tensor<5x1xf32>) -> tensor<5x4xf32>"
    x = operand_def(TensorType)
    offsets = operand_def(TensorType)
    rows = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return super().storage()._replace(metadata_only=frozenset({2} if self.rows is not None else ()))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, offsets = operands[:2]
        expect_rank("x", x, 3)
        expect_offsets(offsets)
        expect("the axis of sequences of x", x.shape[self.axes()[1]], sequences_of(offsets))
        rows = self.result_type().shape[0] if self.result_type().shape else None
        if len(operands) > 2:
            if not operands[2].shape:
                raise ValueError("rows has no axes, it must have rows")
            rows = operands[2].shape[0]
        return (TensorInfo((rows, x.shape[2]), x.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, offsets = operands[:2]
        result = np.empty((int(offsets[-1]) if len(offsets) else 0, x.shape[2]), x.dtype)
        self.kernel(operands, [result], result)
        return (result,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, offsets = operands[:2]
        for span, part in self.slots(x, offsets, len(results[0])):
            results[0][span] = part
