"""Ops that take elements of a value by number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, agreed_shape, axis_of, integer
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.part_views import SliceOp
from lastuse.dialect.dnn.views import ReshapeOp
from lastuse.dialect.dnn.widening import TakesIntegers, Widening
from lastuse.dialect.ir.diagnostics import ArrayError, inherit
from lastuse.dialect.ir.tensor_types import TensorInfo, static_shape, tensor_type
from lastuse.dialect.storage.contract import Backward, Contract

READS_INDICES = Backward(operands=frozenset({1}))


class IndicesError(ArrayError, ValueError):
    """Indices that an op is given at run time do not fit the data."""


def need_indices(type_: TensorInfo) -> None:
    """Raises ValueError unless elements are indices: i32 or i64."""
    if type_.dtype not in ("i32", "i64", "index"):
        raise ValueError(f"indices must have element type i32 or i64, not {type_.dtype}")


def check_indices(op: DnnOp, indices: Array, size: int, from_end: bool = True) -> None:
    """Raises IndicesError unless all indices are inside an axis of `size`; with `from_end` negative ones count from the
    end."""
    if indices.size:
        least, low, high = -size if from_end else 0, int(indices.min()), int(indices.max())
        if low < least or high >= size:
            wrong = low if low < least else high
            raise IndicesError(f"{op.name}: index {wrong} is outside the axis of size {size}")


def element_indices(axis: int, indices: Array) -> Iterator[tuple[tuple[slice, ...], tuple[Array, ...]]]:
    """Slabs of `indices`, and for each the index of the elements with those numbers along `axis` and with their own
    places along the other axes."""
    for slab in slabs(indices.shape, ()):
        numbers = indices[slab]
        places = [np.arange(*cut.indices(size)) for cut, size in zip(slab, indices.shape, strict=True)]
        grid = list(np.ix_(*places))
        grid[axis] = numbers
        yield slab, tuple(grid)


def first_of_box(indices: Array, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """The least index of a box, where the rows of `indices` are the indices of its elements in row-major order, and its
    sizes are those of the other axes; None where they are something else, or outside of `sizes`."""
    *shape, count = indices.shape
    if count != len(shape) or count > len(sizes) or not indices.size:
        return None
    first = indices[(0,) * count]
    box = np.moveaxis(np.indices(shape, indices.dtype), 0, -1) + first
    inside = all(n >= 0 and n + size <= most for n, size, most in zip(first, shape, sizes, strict=False))
    return tuple(map(int, first)) if inside and np.array_equal(indices, box) else None


class GatherBase(NativeBase, MovesElementsBase, KernelOnlyBase):
    """Elements of data, which indices say."""

    data = operand_def(TensorType)
    indices = operand_def(TensorType)
    y = result_def(TensorType)

    def moves(self, operand: int) -> bool:
        return operand == 0

    def storage(self) -> Contract:
        return Contract(strided=True, backward=READS_INDICES, engines=self.kernel_engines())


@irdl_op_definition
class GatherOp(GatherBase, DifferentiableBase, TakesIntegers):
    """Elements of data along `axis`, by number.

    Operands: data, indices (i32 or i64). `axis`: default 0. `from_end`: negative indices count from the end (default);
    else they are outside the axis. The result has the shape data[:axis] + indices + data[axis+1:]. An index outside the
    axis raises `IndicesError` at run time. ONNX Gather; without `from_end` Paddle's lookup_table.
    """

    name = "dnn.gather"
    EXAMPLE: ClassVar = "{axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>"
    axis = opt_attr_def(INTEGER)
    from_end = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices = operands
        need_indices(indices)
        axis = axis_of(integer(self.axis, 0), len(data.shape))
        return (TensorInfo((*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :]), data.dtype),)

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        sizes = static_shape(self.data.type)
        count = sizes[axis_of(integer(self.axis, 0), len(sizes))]
        indices = None if count is None or None in (*sizes, *static_shape(self.y.type)) else constant(self.indices)
        if indices is None or not np.array_equal(indices.reshape(-1), np.arange(count or 0)):
            return None
        return self.replacement(ReshapeOp, [self.data], {})

    def view_form(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        sizes = static_shape(self.data.type)
        axis = axis_of(integer(self.axis, 0), len(sizes))
        if None in (*sizes, *static_shape(self.y.type)) or any(size != 1 for size in sizes[:axis]):
            return None
        indices = constant(self.indices)
        first = None if indices is None else first_of_box(indices.reshape(-1, 1), [sizes[axis] or 0])
        if indices is None or first is None:
            return None
        begin, count = first[0], indices.size
        box = {"starts": [begin], "ends": [begin + count], "axes": [axis], "steps": [1]}
        info = self.operand_type()
        part = SliceOp.create(
            operands=[self.data],
            result_types=[tensor_type(info._replace(shape=(*sizes[:axis], count, *sizes[axis + 1 :])))],
            attributes={name: DenseArrayBase.from_list(i64, numbers) for name, numbers in box.items()},
        )
        inherit(part, self)
        return self.replacement(ReshapeOp, [part.y], {})

    def native_numbers(self) -> Sequence[float]:
        return [axis_of(integer(self.axis, 0), len(self.operand_type().shape)), bool(integer(self.from_end, 1))]

    def is_rowwise(self) -> bool:
        data = self.operand_type().shape
        return axis_of(integer(self.axis, 0), len(data)) == 0 and data[0] is not None

    def takes_integers(self, operand: int, widening: Widening) -> bool:
        return operand == 0

    def with_integers(self, widening: Widening, builder: GradientBuilder) -> SSAValue:
        rank, places = len(self.operand_type().shape), len(self.operand_type(1).shape)
        axis = axis_of(integer(self.axis, 0), rank)

        def gathered(data: SSAValue, along: int) -> SSAValue:
            return builder.emit("gather", data, self.indices, axis=along, from_end=self.from_end)

        def spread(numbers: SSAValue) -> SSAValue:
            if widening.axis is None:
                return builder.emit("reshape", numbers, shape=[])
            row = builder.emit("reshape", numbers, shape=[-1])
            behind = rank - 1 - widening.axis + (places - 1 if widening.axis < axis else 0)
            if widening.axis != axis:
                return builder.emit("reshape", row, shape=[-1, *[1] * behind])
            row = gathered(row, 0)
            return builder.emit("unsqueeze", row, axes=list(range(places, places + behind))) if behind else row

        wide = builder.emit("cast", gathered(widening.integers, axis), dtype="f32")
        if widening.zero_point is not None:
            wide = builder.emit("sub", wide, spread(builder.emit("cast", widening.zero_point, dtype="f32")))
        return builder.emit("mul", wide, spread(widening.scale))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), data.ndim)
        check_indices(self, indices, data.shape[axis], bool(integer(self.from_end, 1)))
        if data.flags.c_contiguous and y.flags.c_contiguous:
            # numpy copies the whole result once more in mode "raise"; indices are checked, so "wrap" is the same.
            np.take(data, indices, axis, out=y, mode="wrap")
            return
        before = (slice(None),) * axis
        for at in np.ndindex(indices.shape):
            y[(*before, *at, ...)] = data[(*before, int(indices[at]), ...)]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        axis = axis_of(integer(self.axis, 0), len(builder.shape(self.data)))
        return builder.emit("index_add", builder.zeros(self.data), self.indices, dy, axis=axis), None


@irdl_op_definition
class GatherElementsOp(GatherBase, DifferentiableBase):
    """An element of data for each index: at the index along `axis`, at the index's own place along the other axes.

    Operands: data, and indices (i32 or i64) of as many axes, which no other axis is longer than data's. `axis`: default
    0. Negative indices count from the end; an index outside the axis raises `IndicesError` at run time. The result has
    the shape of indices. ONNX GatherElements.
    """

    name = "dnn.gather_elements"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>"
    axis = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices = operands
        need_indices(indices)
        need_places(data, indices, axis_of(integer(self.axis, 0), len(data.shape)))
        return (TensorInfo(indices.shape, data.dtype),)

    def native_numbers(self) -> Sequence[float]:
        return [axis_of(integer(self.axis, 0), len(self.operand_type().shape))]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), data.ndim)
        check_indices(self, indices, data.shape[axis])
        for slab, at in element_indices(axis, indices):
            y[slab] = data[at]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        zeros = builder.zeros(self.data)
        return builder.emit("scatter_elements", zeros, self.indices, dy, axis=self.axis, reduction="add"), None


def need_places(data: TensorInfo, indices: TensorInfo, axis: int) -> None:
    """Raises ValueError unless every place in indices is one in data, but for `axis`."""
    if len(data.shape) != len(indices.shape):
        raise ValueError(f"data and indices have {len(data.shape)} and {len(indices.shape)} axes")
    for other, (size, count) in enumerate(zip(data.shape, indices.shape, strict=True)):
        if other != axis and isinstance(size, int) and isinstance(count, int) and count > size:
            raise ValueError(f"axis {other} of indices has size {count}, and data has {size}")


@irdl_op_definition
class GatherNdOp(GatherBase, DifferentiableBase):
    """Slices of data, each named by a row of indices.

    Operands: data, and indices (i32 or i64), whose last axis holds an index for each of the first axes of data, behind
    those that both share. `batch_dims`: how many these are, default 0. The result has the shape
    indices[:-1] + data[batch_dims + indices.shape[-1]:]. Negative indices count from the end; an index outside its axis
    raises `IndicesError` at run time. ONNX GatherND.
    """

    name = "dnn.gather_nd"
    EXAMPLE: ClassVar = ": (tensor<2x3x4xf32>, tensor<5x2xi64>) -> tensor<5x4xf32>"
    batch_dims = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices = operands
        need_indices(indices)
        batch, rank = integer(self.batch_dims, 0), len(data.shape)
        if not 0 <= batch < min(rank, len(indices.shape)):
            raise ValueError(f"batch_dims {batch} is outside the axes that data and indices share")
        named = row_length(indices, rank - batch)
        shared = agreed_shape("data and indices", data.shape[:batch], indices.shape[:batch])
        return (TensorInfo((*shared, *indices.shape[batch:-1], *data.shape[batch + named :]), data.dtype),)

    def native_numbers(self) -> Sequence[float]:
        return [integer(self.batch_dims, 0)]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices), (y,) = operands, results
        batch, rows = integer(self.batch_dims, 0), indices.shape[:-1]
        for k in range(indices.shape[-1]):
            check_indices(self, indices[..., k], data.shape[batch + k])
        for slab in slabs(rows, ()):
            places = np.ix_(*(np.arange(*cut.indices(size)) for cut, size in zip(slab, rows, strict=True)))
            y[slab] = data[(*places[:batch], *np.moveaxis(indices[slab], -1, 0))]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        indices, batch = self.indices, integer(self.batch_dims, 0)
        if batch:
            indices = _with_batch(indices, batch, builder)
        return builder.emit("scatter_nd", builder.zeros(self.data), indices, dy, reduction="add"), None


def _with_batch(indices: SSAValue, batch: int, builder: GradientBuilder) -> SSAValue:
    """Rows of indices with the numbers of the first `batch` axes in front."""
    shape = builder.known_shape(indices)
    type_ = indices.type
    assert isinstance(type_, TensorType)
    parts = list[SSAValue]()
    for axis in range(batch):
        numbers = builder.integers(range(shape[axis]), type_.element_type)
        sizes = [shape[axis] if k == axis else 1 for k in range(len(shape))]
        column = builder.emit("reshape", numbers, shape=sizes, allowzero=True)
        parts.append(builder.emit("expand", column, shape=[*shape[:-1], 1]))
    return builder.emit("concat", *parts, indices, axis=-1)


def row_length(indices: TensorInfo, most: int) -> int:
    """The length of the rows of indices; raises ValueError unless it is known, from 1 to `most`."""
    length = indices.shape[-1] if indices.shape else None
    if not isinstance(length, int):
        raise ValueError("the last axis of indices must have a known size")
    if not 1 <= length <= most:
        raise ValueError(f"rows of indices have {length} numbers, they must have 1 to {most}")
    return length
