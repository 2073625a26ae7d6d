"""Ops along an axis that pick elements by number, order them, or add them up one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, axis_of, integer, need_number
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.ir.diagnostics import ArrayError
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract, InPlace

READS_INDICES = Backward(operands=frozenset({1}))


@irdl_op_definition
class CumSumOp(OneOperandBase, KernelOnlyBase):
    """Running sums along `axis`.

    `axis`: default 0. `exclusive`: each sum leaves its own element out. `reverse`: from the end. y has the shape and
    element type of x, floating-point or integers. In place over x unless exclusive. ONNX CumSum.
    """

    name = "dnn.cumsum"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    axis = opt_attr_def(INTEGER)
    exclusive = opt_attr_def(INTEGER)
    reverse = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        over = () if integer(self.exclusive, 0) else (InPlace(0, 0),)
        return Contract(over, strided=True, backward=READS_NOTHING)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_number(operands[0])
        axis_of(integer(self.axis, 0), len(operands[0].shape))
        return (operands[0],)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), x.ndim)
        if integer(self.reverse, 0):
            x, y = np.flip(x, axis), np.flip(y, axis)
        with np.errstate(all="ignore"):
            if integer(self.exclusive, 0):
                before = (slice(None),) * axis
                y[(*before, slice(0, 1))] = 0
                x, y = x[(*before, slice(0, -1))], y[(*before, slice(1, None))]
            if x.size:
                np.add.accumulate(x, axis, dtype=x.dtype, out=y)


class IndicesError(ArrayError, ValueError):
    """Indices that a gather is given at run time do not fit the data."""


@irdl_op_definition
class GatherOp(KernelOnlyBase):
    """Elements of data along `axis`, by number.

    Operands: data, indices (i32 or i64). `axis`: default 0. `from_end`: negative indices count from the end (default);
    else they are outside the axis. The result has the shape data[:axis] + indices + data[axis+1:]. An index outside the
    axis raises `IndicesError` at run time. ONNX Gather; without `from_end` Paddle's lookup_table.
    """

    name = "dnn.gather"
    EXAMPLE: ClassVar = "{axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>"
    data = operand_def(TensorType)
    indices = operand_def(TensorType)
    y = result_def(TensorType)
    axis = opt_attr_def(INTEGER)
    from_end = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=True, backward=READS_INDICES)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices = operands
        if indices.dtype not in ("i32", "i64", "index"):
            raise ValueError(f"indices must have element type i32 or i64, not {indices.dtype}")
        axis = axis_of(integer(self.axis, 0), len(data.shape))
        return (TensorInfo((*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :]), data.dtype),)

    def is_rowwise(self) -> bool:
        data = self.operand_type().shape
        return axis_of(integer(self.axis, 0), len(data)) == 0 and data[0] is not None

    def _checked(self, data: Array, indices: Array) -> int:
        axis = axis_of(integer(self.axis, 0), data.ndim)
        if indices.size:
            size, low, high = data.shape[axis], int(indices.min()), int(indices.max())
            least = -size if integer(self.from_end, 1) else 0
            if low < least or high >= size:
                wrong = low if low < least else high
                raise IndicesError(f"{self.name}: index {wrong} is outside the axis of size {size}")
        return axis

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices), (y,) = operands, results
        axis = self._checked(data, indices)
        if data.flags.c_contiguous and y.flags.c_contiguous:
            # numpy copies the whole result once more in mode "raise"; indices are checked, so "wrap" is the same.
            np.take(data, indices, axis, out=y, mode="wrap")
            return
        before = (slice(None),) * axis
        for at in np.ndindex(indices.shape):
            y[(*before, *at, ...)] = data[(*before, int(indices[at]), ...)]


@irdl_op_definition
class TopKOp(DnnOp):
    """The `k` largest elements along `axis`, and their numbers.

    `axis`: default -1. `largest`: false takes the smallest; default true. `sorted`: results are in order whatever it
    says. Of equal elements the lower number comes first; NaN counts as largest. Results: values, of x's element type,
    and indices, i64. ONNX TopK.
    """

    name = "dnn.top_k"
    EXAMPLE: ClassVar = "{k = 2 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>)"
    x = operand_def(TensorType)
    values = result_def(TensorType)
    indices = result_def(TensorType)
    k = attr_def(INTEGER)
    axis = opt_attr_def(INTEGER)
    largest = opt_attr_def(INTEGER)
    sorted = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=True, backward=Backward(results=frozenset({1})))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        axis, k = axis_of(integer(self.axis, -1), len(x.shape)), integer(self.k, 0)
        size = x.shape[axis]
        if k < 0 or (isinstance(size, int) and k > size):
            raise ValueError(f"k = {k} does not fit an axis of size {size}")
        shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
        return TensorInfo(shape, x.dtype), TensorInfo(shape, "i64")

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x = operands[0]
        axis, k = axis_of(integer(self.axis, -1), x.ndim), integer(self.k, 0)
        if integer(self.largest, 1):
            # Sorting the mirror image and mirroring the outcome keeps lower numbers first among equals.
            mirrored = np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
            order = x.shape[axis] - 1 - mirrored
        else:
            order = np.argsort(x, axis, kind="stable")
        order = order[(slice(None),) * axis + (slice(0, k),)]
        return np.take_along_axis(x, order, axis), order.astype(np.int64, copy=False)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x = operands[0]
        for slab in slabs(x.shape, (axis_of(integer(self.axis, -1), x.ndim),)):
            super().kernel([x[slab]], [out[slab] for out in results], scratch)
