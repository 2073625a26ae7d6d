"""Products with weights of few bits, which have a scale in each block of summed rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.irdl import attr_def, irdl_op_definition

from lastuse.dialect.dnn.attributes import INTEGER, agreed, integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.quantized_weights import STRIP, WidenedMatmulBase, strips_of
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo

BITS = (4, 8)
"""Bits that a weight may have."""


def packed_strips(weights: Array, bits: int) -> Array:
    """Weights [rows, columns], ui8 below 2^bits, as `dnn.blockwise_matmul` reads them."""
    strips = strips_of(weights)
    return strips if bits == 8 else strips[..., : STRIP // 2] | strips[..., STRIP // 2 :] << 4


def _unpacked(packed: Array, bits: int) -> Array:
    return packed if bits == 8 else np.concatenate([packed & 15, packed >> 4], -1)


@irdl_op_definition
class BlockwiseMatmulOp(WidenedMatmulBase):
    """a @ ((b - zero_point) * scale), where each block of rows of b has scales and zero points of its own.

    Operands: a [..., M, K] f32; b [S, K, 64 * bits / 8] ui8, S strips of 64 columns, padded: of 8 bits a column is a
    byte, of 4 bits byte k has column k in its lower bits and column k + 32 in its upper ones; scale [S, B, 64], f32,
    with B = ceil(K / block_size); zero_point (optional) of its shape, ui8 or f32, default 2^(bits - 1). `bits`: 4 or 8.
    `block_size`: rows of a block. `columns`: N. The result is [..., M, N]. The runtime's kernel widens b in registers,
    or with many rows in pieces that stay in a cache; the sums of an element are added in one order, whatever the
    threads and the other rows. Never in place. It has no gradient: integers are not trained. onnxruntime MatMulNBits.
    """

    name = "dnn.blockwise_matmul"
    EXAMPLE: ClassVar = (
        "{bits = 4 : i64, block_size = 2 : i64, columns = 5 : i64} : "
        "(tensor<2x4xf32>, tensor<1x4x32xui8>, tensor<1x2x64xf32>) -> tensor<2x5xf32>"
    )
    bits = attr_def(INTEGER)
    block_size = attr_def(INTEGER)
    columns = attr_def(INTEGER)

    def native_numbers(self) -> Sequence[float]:
        return [integer(value, 0) for value in (self.bits, self.block_size, self.columns)]

    def work(self) -> int:
        return super().work() + element_count(self.a) * integer(self.columns, 0) // 8

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        a, b, scale, *zeros = operands
        bits, block, columns = (integer(value, 0) for value in (self.bits, self.block_size, self.columns))
        if bits not in BITS or block < 1 or columns < 0:
            raise ValueError(f"{bits} bits in blocks of {block} for {columns} columns are not supported")
        if a.dtype != "f32" or scale.dtype != "f32" or b.dtype != "ui8":
            raise ValueError(f"a and scale must be f32, b ui8, not {a.dtype}, {scale.dtype} and {b.dtype}")
        if any(zero.dtype not in ("ui8", "f32") for zero in zeros):
            raise ValueError(f"zero_point must be ui8 or f32, not {zeros[0].dtype}")
        if len(a.known) < 2 or len(b.known) != 3:
            raise ValueError("a must have 2 axes or more, b 3")
        depth = b.known[1]
        agreed(a.known[-1], depth, "the summed axes")
        strips = -(-columns // STRIP)
        wanted: list[tuple[str, TensorInfo, tuple[Dim, ...]]] = [("b", b, (strips, depth, STRIP * bits // 8))]
        if isinstance(depth, int):
            blocks = (strips, -(-depth // block), STRIP)
            wanted += [
                (what, info, blocks) for what, info in zip(("scale", "zero_point"), (scale, *zeros), strict=False)
            ]
        for what, info, shape in wanted:
            if len(info.known) != 3:
                raise ValueError(f"{what} must have 3 axes, not {len(info.known)}")
            for axis, (have, want) in enumerate(zip(info.known, shape, strict=True)):
                agreed(have, want, f"{what} and its axis {axis}")
        return (TensorInfo((*a.known[:-1], columns), "f32"),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (a, b, scale, *zeros), (y,) = operands, results
        bits, block, columns = (integer(value, 0) for value in (self.bits, self.block_size, self.columns))
        depth = b.shape[1]

        def rows(numbers: Array) -> Array:
            return np.repeat(numbers.astype(np.float32), block, 1)[:, :depth]

        with np.errstate(all="ignore"):
            zero = rows(zeros[0]) if zeros else np.float32(1 << (bits - 1))
            weights = (_unpacked(b, bits).astype(np.float32) - zero) * rows(scale)
            np.matmul(a, weights.transpose(1, 0, 2).reshape(depth, len(b) * STRIP)[:, :columns], out=y)
