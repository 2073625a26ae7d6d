"""Reductions: the elements along some axes become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, axis_of, integer, integers, need_float, need_number
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract


class ReduceBase(OneOperandBase, KernelOnlyBase):
    """y is x with the axes `axes` reduced."""

    ALLOWS_INTEGERS: ClassVar[bool] = False
    """Whether elements may be integers too."""

    axes = opt_attr_def(INTEGERS)
    keepdims = opt_attr_def(INTEGER)

    def reduced_axes(self, rank: int) -> tuple[int, ...]:
        """The axes that go, ascending; raises ValueError where one is named twice or is none."""
        axes = [axis_of(a, rank) for a in (integers(self.axes) if self.axes is not None else range(rank))]
        if len(set(axes)) < len(axes):
            raise ValueError(f"axes {axes} name one twice")
        return tuple(sorted(axes))

    def add_up(self, x: Array, y: Array) -> None:
        """Writes the sums of x to y."""
        np.add.reduce(x, self.reduced_axes(x.ndim), dtype=x.dtype, out=y, keepdims=bool(integer(self.keepdims, 0)))

    def storage(self) -> Contract:
        return Contract(backward=READS_NOTHING)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        (need_number if self.ALLOWS_INTEGERS else need_float)(x)
        axes, kept = self.reduced_axes(len(x.shape)), bool(integer(self.keepdims, 0))
        shape = tuple(1 if a in axes else d for a, d in enumerate(x.shape) if kept or a not in axes)
        return (TensorInfo(shape, x.dtype),)


@irdl_op_definition
class ReduceMeanOp(ReduceBase):
    """The mean along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements; the mean of
    no elements is NaN. ONNX ReduceMean, but for the default of keepdims, which is PyTorch's.
    """

    name = "dnn.reduce_mean"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x = operands[0]
        count = int(np.prod([x.shape[a] for a in self.reduced_axes(x.ndim)], dtype=np.int64))
        with np.errstate(all="ignore"):
            self.add_up(x, results[0])
            np.divide(results[0], results[0].dtype.type(count), out=results[0])


@irdl_op_definition
class ReduceSumOp(ReduceBase):
    """The sum along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers.
    ONNX ReduceSum, but for the default of keepdims, which is PyTorch's.
    """

    name = "dnn.reduce_sum"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>, keepdims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>"
    ALLOWS_INTEGERS: ClassVar = True

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        self.add_up(operands[0], results[0])
