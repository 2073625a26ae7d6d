"""The same elements elsewhere: a copy, and oneDNN's reorder to another element type or layout."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.step import DestinationStyleBase, PrimitiveBase


@irdl_op_definition
class BufferCopyOp(DestinationStyleBase):
    """The elements of one view to another of the same sizes and element type, at any strides; they share no byte."""

    name = "onednn.copy"

    def verify_step(self) -> None:
        if len(self.ins) != 1 or len(self.outs) != 1:
            raise VerifyException("a copy has one in and one out")
        (src,), (dst,) = self.in_memories, self.out_memories
        if src.shape != dst.shape or src.dtype != dst.dtype:
            raise VerifyException(f"a copy of {src} cannot be {dst}")


@irdl_op_definition
class OneDnnReorderOp(PrimitiveBase):
    """dst = src in another element type or layout; never in place.

    No op of the dnn dialect declares it: a cast has numpy's rounding, and lowering emits `onednn.copy`. It runs where a
    program of `onednn` ops says so.

    `onednn.reorder ins(%x : memref<2x8xf32>) outs(%y : memref<2x8xf16>)`
    """

    name = "onednn.reorder"

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        self.expect_same(*self.in_memories, *self.out_memories, dtype=False)
