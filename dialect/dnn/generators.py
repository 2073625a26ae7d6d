"""Ops whose elements follow from attributes and indices: one number everywhere, arithmetic progressions, unit matrices,
one-hot rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType
from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    NUMBER,
    axis_of,
    diagonal_of,
    integer,
    integers,
    need_number,
    number,
    scalar,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.contents import least
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase, element_words
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, dtype_name, quotient, static_shape
from lastuse.dialect.storage.contract import Backward, Contract

_GENERATES = Contract(strided=True, backward=READS_NOTHING)


def dtype_of(attribute: Attribute) -> str:
    """The element type of a number attribute."""
    assert isinstance(attribute, IntegerAttr | FloatAttr)
    return dtype_name(attribute.type)


@irdl_op_definition
class ConstantOfShapeOp(NativeBase, KernelOnlyBase):
    """`value` everywhere, in the shape `shape`.

    The element type is that of `value`, default 0.0 : f32. ONNX ConstantOfShape.
    """

    name = "dnn.constant_of_shape"
    EXAMPLE: ClassVar = "{shape = array<i64: 2, 3>, value = 1.0 : f32} : () -> tensor<2x3xf32>"
    shape = attr_def(INTEGERS)
    value = opt_attr_def(NUMBER)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return _GENERATES._replace(engines=self.kernel_engines())

    def native_name(self) -> str:
        return "fill"

    def native_numbers(self) -> Sequence[float]:
        return element_words(number(self.value, 0), self.result_type().dtype)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        shape = integers(self.shape)
        if min(shape, default=0) < 0:
            raise ValueError(f"shape {list(shape)} has a negative size")
        dtype = "f32" if self.value is None else dtype_of(self.value)
        scalar(number(self.value, 0), dtype)
        return (TensorInfo(shape, dtype),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        value = attributes.get("value")
        shape = PartialAttributes(attributes, values).sizes("shape")
        return (TensorInfo(shape, "f32" if value is None else dtype_of(value)),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        results[0].fill(number(self.value, 0))


@irdl_op_definition
class RangeOp(NativeBase, KernelOnlyBase):
    """The numbers from `start` to `limit` (exclusive), `delta` apart.

    `dtype`: the element type, floating-point or integers; default the type of the three attributes. Element i is
    start + i * delta, and there are ceil((limit - start) / delta) of them, both computed in f64 or in integers. ONNX
    Range.
    """

    name = "dnn.range"
    EXAMPLE: ClassVar = "{delta = 2 : i64, limit = 6 : i64, start = 0 : i64} : () -> tensor<3xi64>"
    start = attr_def(NUMBER)
    limit = attr_def(NUMBER)
    delta = attr_def(NUMBER)
    dtype = opt_attr_def(TypeAttribute)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return _GENERATES._replace(engines=self.kernel_engines())

    def takes_native(self) -> bool:
        dtype = self.result_type().dtype
        return dtype in ("f32", "f64") or (self._is_whole() and dtype in ("i32", "i64"))

    def native_numbers(self) -> Sequence[float]:
        start, _, delta = self.numbers()
        kind = "i64" if self._is_whole() else "f64"
        return [self._is_whole(), *element_words(start, kind), *element_words(delta, kind)]

    def _is_whole(self) -> bool:
        return isinstance(self.numbers()[0], int)

    def numbers(self) -> tuple[float | int, float | int, float | int]:
        """start, limit and delta."""
        return number(self.start, 0), number(self.limit, 0), number(self.delta, 0)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        dtypes = {dtype_of(a) for a in (self.start, self.limit, self.delta)}
        if len(dtypes) > 1:
            raise ValueError(f"start, limit and delta have types {', '.join(sorted(dtypes))}")
        result = TensorInfo((_count(*self.numbers()),), dtypes.pop() if self.dtype is None else dtype_name(self.dtype))
        need_number(result)
        for value in self.numbers():
            scalar(value, result.dtype)
        return (result,)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        known = PartialAttributes(attributes, values)
        dtype = attributes.get("dtype")
        dtypes = [info.dtype for info in values.values()]
        count = _unknown_count(*(known.size(name, 0) for name in ("start", "limit", "delta")))
        return (TensorInfo((count,), dtypes[0] if dtype is None else dtype_name(dtype)),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        start, _, delta = self.numbers()
        kind = np.int64 if self._is_whole() else np.float64
        with np.errstate(all="ignore"):
            numbers = kind(start) + np.arange(len(results[0]), dtype=kind) * kind(delta)
            np.copyto(results[0], numbers, casting="unsafe")


def _unknown_count(start: Dim | None, limit: Dim | None, delta: Dim | None) -> Dim | None:
    """The number of elements of a range whose bounds are not all numbers, where it is the same polynomial for all
    sizes."""
    if start is None or limit is None or not isinstance(delta, int):
        return None
    count = quotient(limit - start, delta)
    low = None if count is None else least(count)
    return count if low is not None and low >= 0 else None


def _count(start: float, limit: float, delta: float) -> int:
    """The number of elements of a range.

    Raises:
        ValueError: delta is 0, or a number is none.
    """
    if not all(map(math.isfinite, (start, limit, delta))):
        raise ValueError("start, limit and delta must be finite")
    if not delta:
        raise ValueError("delta is 0")
    if isinstance(start, int) and isinstance(limit, int) and isinstance(delta, int):
        return max(0, -((start - limit) // delta))
    return max(0, math.ceil((limit - start) / delta))


@irdl_op_definition
class EyeLikeOp(NativeBase, OneOperandBase, KernelOnlyBase):
    """1 on the diagonal `k` of a matrix, 0 elsewhere, in the shape of x.

    `k`: default 0; above 0 it is a diagonal to the right of the main one. `dtype`: the element type, default that of x,
    whose elements are not read. ONNX EyeLike.
    """

    name = "dnn.eye_like"
    EXAMPLE: ClassVar = "{k = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    k = opt_attr_def(INTEGER)
    dtype = opt_attr_def(TypeAttribute)

    def storage(self) -> Contract:
        return _GENERATES._replace(metadata_only=frozenset({0}), engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        k = diagonal_of(integer(self.k, 0), static_shape(self.y.type))
        return [k, *element_words(1, self.result_type().dtype)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        shape = operands[0].shape
        if len(shape) != 2:
            raise ValueError(f"x has {len(shape)} axes, it must have 2")
        return (TensorInfo(shape, operands[0].dtype if self.dtype is None else dtype_name(self.dtype)),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (y,) = results
        y.fill(0)
        rows, columns = y.shape
        k = diagonal_of(integer(self.k, 0), y.shape)
        first = np.arange(max(0, -k), max(0, min(rows, columns - k)))
        y[first, first + k] = 1


@irdl_op_definition
class OneHotOp(NativeBase, KernelOnlyBase, DifferentiableBase):
    """A row of `depth` elements for each index: the second of `values` at the index, the first everywhere else.

    Operands: indices, numbers of any type, and values: what is off and what is on. `depth` is the size of the new axis,
    which stands at `axis` of the result, default -1. Negative indices count from the end; where an index is outside the
    axis all is off. ONNX OneHot.
    """

    name = "dnn.one_hot"
    EXAMPLE: ClassVar = "{depth = 4 : i64} : (tensor<2x3xi64>, tensor<2xf32>) -> tensor<2x3x4xf32>"
    indices = operand_def(TensorType)
    values = operand_def(TensorType)
    y = result_def(TensorType)
    depth = attr_def(NUMBER)
    axis = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return _GENERATES._replace(backward=Backward(operands=frozenset({0})), engines=self.kernel_engines())

    def takes_native(self) -> bool:
        return self.operand_type().dtype not in ("f16", "bf16")

    def native_numbers(self) -> Sequence[float]:
        return [axis_of(integer(self.axis, -1), len(self.result_type().shape))]

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        (indices, on_off), known = operands, PartialAttributes(attributes, values)
        axis, depth = known.size("axis", -1), known.size("depth", 0)
        if not isinstance(axis, int):
            return (TensorInfo((None,) * (len(indices.shape) + 1), on_off.dtype),)
        axis = axis_of(axis, len(indices.shape) + 1)
        return (TensorInfo((*indices.shape[:axis], depth, *indices.shape[axis:]), on_off.dtype),)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        indices, values = operands
        need_number(indices)
        if len(values.shape) != 1 or (isinstance(values.shape[0], int) and values.shape[0] != 2):
            raise ValueError("values must be two elements")
        depth = int(scalar(number(self.depth, 0), "i64"))
        if depth < 0:
            raise ValueError(f"depth must not be negative, it is {depth}")
        axis = axis_of(integer(self.axis, -1), len(indices.shape) + 1)
        return (TensorInfo((*indices.shape[:axis], depth, *indices.shape[axis:]), values.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (indices, values), (y,) = operands, results
        axis = axis_of(integer(self.axis, -1), y.ndim)
        rows = np.moveaxis(y, axis, 0)
        rows[...] = values[0]
        for place in range(len(rows)):
            at = (indices == place) | (indices == place - len(rows))
            np.copyto(rows[place, ...], values[1], where=at)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        ones = builder.numbers(np.array([0, 1]), self.result_type().dtype)
        places = builder.emit("one_hot", self.indices, ones, depth=self.depth, axis=self.axis)
        on = builder.emit("reduce_sum", builder.emit("mul", dy, places))
        off = builder.emit("sub", builder.emit("reduce_sum", dy), on)
        return None, builder.emit("concat", *(builder.emit("reshape", v, shape=[1]) for v in (off, on)), axis=0)
