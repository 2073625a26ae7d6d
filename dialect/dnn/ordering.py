"""Ops that put the elements along an axis in order, or find the largest and the smallest."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, axis_of, integer, is_float
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeNumbersBase
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract


@irdl_op_definition
class TopKOp(NativeNumbersBase):
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
        return Contract(strided=True, backward=Backward(results=frozenset({1})), engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [axis_of(integer(self.axis, -1), len(self.operand_type().shape)), bool(integer(self.largest, 1))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        axis, k = axis_of(integer(self.axis, -1), len(x.shape)), integer(self.k, 0)
        size = x.shape[axis]
        if k < 0 or (isinstance(size, int) and k > size):
            raise ValueError(f"k = {k} does not fit an axis of size {size}")
        shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
        return TensorInfo(shape, x.dtype), TensorInfo(shape, "i64")

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x, known = operands[0], PartialAttributes(attributes, values)
        axis = axis_of(integer(attributes.get("axis"), -1), len(x.shape))
        shape = (*x.shape[:axis], known.size("k", 0), *x.shape[axis + 1 :])
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

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dy, _ = results
        if dy is None or not is_float(self.operand_type().dtype):
            return (None,)
        axis = axis_of(integer(self.axis, -1), len(builder.shape(self.x)))
        zeros = builder.zeros(self.x)
        return (builder.emit("scatter_elements", zeros, self.indices, dy, axis=axis, reduction="add"),)


class ArgBase(NativeNumbersBase, OneOperandBase, KernelOnlyBase):
    """The number of an extreme element along an axis."""

    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x1xi64>"
    axis = opt_attr_def(INTEGER)
    keepdims = opt_attr_def(INTEGER)
    select_last_index = opt_attr_def(INTEGER)

    @abstractmethod
    def number_of(self, x: Array, axis: int) -> Array:
        """The number of the first extreme element along `axis`, which stays with size 1."""

    def storage(self) -> Contract:
        return Contract(strided=True, backward=READS_NOTHING, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        axis = axis_of(integer(self.axis, 0), len(self.operand_type().shape))
        return [axis, bool(integer(self.select_last_index, 0))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        shape = operands[0].shape
        axis = axis_of(integer(self.axis, 0), len(shape))
        if shape[axis] == 0:
            raise ValueError(f"axis {axis} has no elements")
        kept = (1,) if integer(self.keepdims, 1) else ()
        return (TensorInfo((*shape[:axis], *kept, *shape[axis + 1 :]), "i64"),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), x.ndim)
        y = y if integer(self.keepdims, 1) else np.expand_dims(y, axis)
        for slab in slabs(x.shape, (axis,)):
            if integer(self.select_last_index, 0):
                y[slab] = x.shape[axis] - 1 - self.number_of(np.flip(x[slab], axis), axis)
            else:
                y[slab] = self.number_of(x[slab], axis)


@irdl_op_definition
class ArgMaxOp(ArgBase):
    """The number of the largest element along `axis`, i64.

    `axis`: default 0. `keepdims`: true, the default, leaves the axis with size 1. Of equal elements it is the first, or
    the last with `select_last_index`; NaN counts as largest. ONNX ArgMax.
    """

    name = "dnn.arg_max"

    def number_of(self, x: Array, axis: int) -> Array:
        return np.argmax(x, axis, keepdims=True)


@irdl_op_definition
class ArgMinOp(ArgBase):
    """The number of the smallest element along `axis`, i64.

    `axis`: default 0. `keepdims`: true, the default, leaves the axis with size 1. Of equal elements it is the first, or
    the last with `select_last_index`; NaN counts as smallest. ONNX ArgMin.
    """

    name = "dnn.arg_min"

    def number_of(self, x: Array, axis: int) -> Array:
        return np.argmin(x, axis, keepdims=True)
