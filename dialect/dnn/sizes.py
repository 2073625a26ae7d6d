"""Ops that tell the sizes of their operand as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, integer
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.ir.tensor_types import Content, TensorInfo
from lastuse.dialect.storage.contract import Contract

_READS_SIZES = Contract(metadata_only=frozenset({0}), strided=True, backward=READS_NOTHING)


@irdl_op_definition
class ShapeOp(OneOperandBase, KernelOnlyBase):
    """The sizes of x from axis `start` to axis `end` (exclusive), i64.

    `start`: default 0, `end`: default the rank; negative ones count from the end, and both are brought into the rank.
    The elements of x are not read. ONNX Shape.
    """

    name = "dnn.shape"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> tensor<2xi64>"
    start = opt_attr_def(INTEGER)
    end = opt_attr_def(INTEGER)

    def axes(self, rank: int) -> range:
        """The axes whose sizes these are."""
        return range(*slice(integer(self.start, 0), integer(self.end, rank)).indices(rank))

    def storage(self) -> Contract:
        return _READS_SIZES

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo((len(self.axes(len(operands[0].shape))),), "i64"),)

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        shape = operands[0].shape
        sizes = [shape[axis] for axis in self.axes(len(shape))]
        known = [size for size in sizes if size is not None]
        return (tuple(known) if len(known) == len(sizes) else None,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        shape = operands[0].shape
        for place, axis in enumerate(self.axes(len(shape))):
            results[0][place] = shape[axis]


@irdl_op_definition
class SizeOp(OneOperandBase, KernelOnlyBase):
    """The number of elements of x, i64 without axes. The elements are not read. ONNX Size."""

    name = "dnn.size"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> tensor<i64>"

    def storage(self) -> Contract:
        return _READS_SIZES

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo((), "i64"),)

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        return (None if None in operands[0].shape else (operands[0].elements,),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        results[0][...] = np.int64(operands[0].size)
