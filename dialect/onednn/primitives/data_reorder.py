"""oneDNN's reorder: the same elements in another element type or layout."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from lastuse.dialect.onednn.step import DestinationStyleBase, PrimitiveBase


@irdl_op_definition
class OneDnnReorderOp(PrimitiveBase):
    """dst = src in another element type or layout; never in place.

    No op of the dnn dialect declares it: a cast has numpy's rounding, and lowering emits `onednn.copy`. It runs where a
    program of `onednn` ops says so.

    `onednn.reorder ins(%x : memref<2x8xf32>) outs(%y : memref<2x8xf16>)`
    """

    name = "onednn.reorder"
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        self.expect_same(*self.in_memories, *self.out_memories, dtype=False)
