"""Products with weights that stay integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed, integers
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.packed_columns import StatesPackedBase, logical_weights
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, aligned_bytes
from lastuse.dialect.storage.contract import Contract, Engine, engine_of

STRIP = 64
"""Columns of a strip of packed weights: those that the runtime's kernel widens together."""


def strips_of(numbers: Array) -> Array:
    """[rows, columns] in strips: [strips, rows, STRIP], 0 behind the last column, from the start of a cache line on."""
    rows, columns = numbers.shape
    count = -(-columns // STRIP)
    padded = np.zeros((rows, count * STRIP), numbers.dtype)
    padded[:, :columns] = numbers
    strips = aligned_bytes(padded.nbytes).view(numbers.dtype).reshape(count, rows, STRIP)
    np.copyto(strips, padded.reshape(rows, count, STRIP).transpose(1, 0, 2))
    return strips


class WidenedMatmulBase(NativeBase, KernelOnlyBase):
    """A product whose weights are integers in memory, which the runtime's kernel widens."""

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero_point = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def is_rowwise(self) -> bool:
        return True

    def storage(self) -> Contract:
        return Contract(engines=self.kernel_engines())

    def may_take_scratch(self) -> bool:
        return engine_of(self) is not Engine.CPU


@irdl_op_definition
class DequantizedMatmulOp(WidenedMatmulBase, StatesPackedBase):
    """a @ ((b - zero_point) * scale), where b stays integers in memory.

    Operands: a [..., M, K] f32; b [K, N] i8 or ui8; scale f32, one number [1] or one for each column [N]; zero_point
    (optional), of b's type and [1] or [N]. The result is [..., M, N]. The runtime's kernel widens b in registers, or
    with many rows in pieces that stay in a cache, and multiplies sums with the scale; the sums of an element are added
    in one order, whatever the threads and the other rows. `packed`: the sizes [K, N] that b had before its columns were
    packed in strips of 64, each [K, 64] (`--pack-weights-pass`); without it b has them.
    Never in place. It has no gradient: integers are not trained. `--quantized-weights-pass` makes it.
    """

    name = "dnn.dequantized_matmul"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<3x4xi8>, tensor<4xf32>) -> tensor<2x4xf32>"

    def work(self) -> int:
        return super().work() + work_of_product(self.a, self.b, self.y)

    def weights_number(self) -> int:
        return 1

    def packable_operand(self) -> int | None:
        shape = self.operand_type(1).shape
        fits = self.packed is None and len(shape) == 2 and 0 not in shape and is_whole_strips(shape[1])
        return 1 if fits and engine_of(self) is not Engine.CPU else None

    def packed_weights(self, weights: Array) -> Array:
        return strips_of(weights).reshape(-1)

    def native_numbers(self) -> Sequence[float]:
        return () if self.packed is None else (1,)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        a, b, scale, *zeros = operands
        b = self._plain(b)
        if a.dtype != "f32" or scale.dtype != "f32":
            raise ValueError(f"a and scale must be f32, not {a.dtype} and {scale.dtype}")
        if b.dtype not in SMALL or any(zero.dtype != b.dtype for zero in zeros):
            raise ValueError(f"b and the zero point must have one element type of {' and '.join(SMALL)}")
        if len(a.known) < 2 or len(b.known) != 2:
            raise ValueError("a must have 2 axes or more, b 2")
        agreed(a.known[-1], b.known[0], "the summed axes")
        for name, numbers in zip(("scale", "zero_point"), (scale, *zeros), strict=False):
            if len(numbers.known) != 1:
                raise ValueError(f"{name} must have one axis, not {len(numbers.known)}")
            if numbers.known[0] != 1:
                agreed(numbers.known[0], b.known[1], f"{name} and the columns of b")
        return (TensorInfo((*a.known[:-1], b.known[1]), "f32"),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (a, b, scale, *zeros), (y,) = operands, results
        with np.errstate(all="ignore"):
            widened = self._unpacked(b).astype(np.float32) - (zeros[0].astype(np.float32) if zeros else np.float32(0))
            np.matmul(a, widened, out=y)
            np.multiply(y, scale, out=y)

    def _plain(self, b: TensorInfo) -> TensorInfo:
        """b before it was packed. Raises ValueError where it has other sizes than `packed` says."""
        if self.packed is None:
            return b
        shape = integers(self.packed)
        if len(shape) != 2 or not is_whole_strips(shape[1]):
            raise ValueError(f"packed weights are whole strips of {STRIP} columns, not {list(shape)}")
        return logical_weights(b, shape, shape[0] * shape[1])

    def _unpacked(self, b: Array) -> Array:
        if self.packed is None:
            return b
        depth, columns = integers(self.packed)
        return b.reshape(-1, depth, STRIP).transpose(1, 0, 2).reshape(depth, columns)


def is_whole_strips(columns: Dim | None) -> bool:
    """Whether so many columns fill strips, so that packed weights have no more bytes than plain ones."""
    return isinstance(columns, int) and columns > 0 and columns % STRIP == 0
