"""Ops that write updates into a value at the places that indices name."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import base, irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, result_def

from lastuse.dialect.dnn.accumulation import AddsToValueBase, added_to
from lastuse.dialect.dnn.attributes import (
    INTEGER,
    agreed,
    agreed_shape,
    axis_of,
    integer,
    need_number,
    need_same_dtype,
    word,
)
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.data_movement import SliceScatterOp
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gathers import (
    READS_INDICES,
    IndicesError,
    check_indices,
    element_indices,
    first_of_box,
    need_indices,
    need_places,
    row_length,
)
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase, NativeF32Base
from lastuse.dialect.ir.tensor_types import Content, TensorInfo, static_shape
from lastuse.dialect.storage.contract import Backward, Contract, InPlace

_REDUCTIONS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
_LOGICAL = {"add": np.logical_or, "mul": np.logical_and, "max": np.logical_or, "min": np.logical_and}
"""The same of truth values."""
_READ = {
    "mul": Backward(operands=frozenset({0, 1, 2})),
    "max": Backward(operands=frozenset({0, 1, 2}), results=frozenset({0})),
    "min": Backward(operands=frozenset({0, 1, 2}), results=frozenset({0})),
}
"""What the gradient of these reads; that of the others reads the indices alone."""


class IndexedScatterBase(NativeBase, MovesElementsBase, KernelOnlyBase, DifferentiableBase):
    """y is data with updates at the places that indices name, or joined to what is there. In place over data."""

    data = operand_def(TensorType)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    y = result_def(TensorType)
    reduction = opt_attr_def(base(StringAttr))

    def moves(self, operand: int) -> bool:
        return operand != 1

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        # Polynomials are moved, not joined.
        return super().contents(operands) if self._reduction() == "none" else DnnOp.contents(self, operands)

    def storage(self) -> Contract:
        reads, engines = _READ.get(self._reduction(), READS_INDICES), self.kernel_engines()
        return Contract((InPlace(0, 0),), strided=True, backward=reads, engines=engines)

    def takes_native(self) -> bool:
        return self._reduction() == "none" or self.operand_type().dtype not in ("f16", "bf16")

    def native_numbers(self) -> Sequence[float]:
        return [("none", *_REDUCTIONS).index(self._reduction())]

    def _reduction(self) -> str:
        reduction = word(self.reduction, "none")
        if reduction not in ("none", *_REDUCTIONS):
            raise ValueError(f"reduction is '{reduction}', it must be one of none, {', '.join(_REDUCTIONS)}")
        return reduction

    def write(self, y: Array, at: tuple[Array, ...], updates: Array) -> None:
        """Puts updates at the places `at` of y, in row-major order where a place is named twice."""
        reduction = self._reduction()
        if reduction == "none":
            y[at] = updates
            return
        ufunc = (_LOGICAL if y.dtype == np.bool_ else _REDUCTIONS)[reduction]
        with np.errstate(all="ignore"):
            ufunc.at(y, at, updates)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        reduction = self._reduction()
        if reduction == "mul":
            return self._of_products(dy, builder)
        if reduction in ("max", "min"):
            return self._of_extrema(dy, builder)
        taken = self.taken(dy, builder)
        if reduction == "add":
            return dy, None, taken
        # Of several updates of one place the last is kept: the number that is left there says which one that is.
        count = math.prod(builder.known_shape(self.updates))
        updates = builder.reshaped(builder.integers(range(count), i32), self.updates)
        empty = builder.emit("cast", builder.zeros(self.data), dtype="i32")
        kept = builder.emit("equal", self.taken(self._scattered(empty, updates, builder), builder), updates, dtype="i1")
        data = self._scattered(dy, builder.zeros(self.updates), builder)
        return data, None, builder.emit("where", kept, taken, builder.number(0, taken))

    def _of_products(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """dy times all other factors of a place. Zeros among the updates are left out of their product, and counted:
        with one zero the product of the others is that, and theirs is 0; with more all are 0."""
        ones = self._scattered(builder.emit("ones", like=self.data), self.updates, builder, "mul")
        zero = builder.emit("equal", self.updates, builder.number(0, self.updates))
        zeros = self._scattered(builder.zeros(self.data), zero, builder, "add")
        factors = builder.emit("add", self.updates, zero)
        product = self._scattered(self.data, factors, builder, "mul")
        others = builder.emit("div", self.taken(product, builder), factors)
        counts = builder.emit("equal", self.taken(zeros, builder), zero)
        updates = builder.emit("mul", builder.emit("mul", others, counts), self.taken(dy, builder))
        return builder.emit("mul", dy, ones), None, updates

    def _of_extrema(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Elements that are equally far share it."""
        updates = builder.emit("equal", self.updates, self.taken(self.y, builder))
        data = builder.emit("equal", self.data, self.y)
        share = builder.emit("div", dy, self._scattered(data, updates, builder, "add"))
        return builder.emit("mul", data, share), None, builder.emit("mul", updates, self.taken(share, builder))

    def _scattered(
        self, data: SSAValue, updates: SSAValue, builder: GradientBuilder, reduction: str | None = None
    ) -> SSAValue:
        """This op on other values."""
        kind = self.name.removeprefix("dnn.")
        return builder.emit(kind, data, self.indices, updates, reduction=reduction, **self.places())

    def places(self) -> dict[str, Any]:
        """The attributes that say, with the indices, where updates are written."""
        return {}

    @abstractmethod
    def taken(self, value: SSAValue, builder: GradientBuilder) -> SSAValue:
        """The elements of a value in the shape of the data, where updates are written."""


@irdl_op_definition
class ScatterElementsOp(IndexedScatterBase):
    """data with an element of updates for each index: at the index along `axis`, at the index's own place along the
    other axes.

    Operands: data, indices (i32 or i64), updates of the shape of indices and the element type of data. `axis`: default
    0. `reduction`: `none` (default: of several updates of one place the last is kept), `add`, `mul`, `max` or `min`
    join an update to what is there. Negative indices count from the end; an index outside the axis raises
    `IndicesError` at run time. ONNX ScatterElements.
    """

    name = "dnn.scatter_elements"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<2x3xf32>"
    axis = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices, updates = operands
        self._reduction()
        need_indices(indices)
        need_same_dtype(data, updates)
        need_places(data, indices, axis_of(integer(self.axis, 0), len(data.shape)))
        agreed_shape("indices and updates", indices.shape, updates.shape)
        return (data,)

    def native_numbers(self) -> Sequence[float]:
        return [axis_of(integer(self.axis, 0), len(self.operand_type().shape)), *super().native_numbers()]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices, updates), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), data.ndim)
        check_indices(self, indices, data.shape[axis])
        np.copyto(y, data)
        for slab, at in element_indices(axis, indices):
            self.write(y, at, updates[slab])

    def places(self) -> dict[str, Any]:
        return {"axis": self.axis}

    def taken(self, value: SSAValue, builder: GradientBuilder) -> SSAValue:
        return builder.emit("gather_elements", value, self.indices, axis=self.axis)


@irdl_op_definition
class ScatterNdOp(IndexedScatterBase):
    """data with a slice of updates for each row of indices, which names its place.

    Operands: data, indices (i32 or i64), whose last axis holds an index for each of the first axes of data, updates of
    the shape indices[:-1] + data[indices.shape[-1]:] and the element type of data. `reduction`: `none` (default: of
    several updates of one place the last is kept), `add`, `mul`, `max` or `min` join an update to what is there.
    Negative indices count from the end; an index outside its axis raises `IndicesError` at run time. ONNX ScatterND.
    """

    name = "dnn.scatter_nd"
    EXAMPLE: ClassVar = ": (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>"

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices, updates = operands
        self._reduction()
        need_indices(indices)
        need_same_dtype(data, updates)
        named = row_length(indices, len(data.shape))
        agreed_shape("updates", (*indices.shape[:-1], *data.shape[named:]), updates.shape)
        return (data,)

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        sizes = static_shape(self.data.type)
        known = [size for size in sizes if size is not None]
        indices = constant(self.indices) if self._reduction() == "none" and len(known) == len(sizes) else None
        first = first_of_box(indices, known) if indices is not None else None
        if indices is None or first is None:
            return None
        last = [n + size for n, size in zip(first, indices.shape, strict=False)]
        bounds = {"starts": DenseArrayBase.from_list(i64, first), "ends": DenseArrayBase.from_list(i64, last)}
        return self.replacement(SliceScatterOp, [self.data, self.updates], bounds)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices, updates), (y,) = operands, results
        for k in range(indices.shape[-1]):
            check_indices(self, indices[..., k], data.shape[k])
        np.copyto(y, data)
        for slab in slabs(indices.shape[:-1], range(1, indices.ndim - 1)):  # in row-major order
            self.write(y, tuple(np.moveaxis(indices[slab], -1, 0)), updates[slab])

    def taken(self, value: SSAValue, builder: GradientBuilder) -> SSAValue:
        return builder.emit("gather_nd", value, self.indices)


@irdl_op_definition
class IndexAddOp(NativeF32Base, DifferentiableBase, KernelOnlyBase, AddsToValueBase):
    """data with updates added at numbers along `axis`, one after the other: the gradient of gather.

    Operands: data, numbers; indices (i32 or i64); updates, numbers of the element type of data and the shape
    data[:axis] + indices + data[axis+1:]. `axis`: default 0. In place over data. Negative indices count from the end;
    an index outside the axis raises `IndicesError` at run time. PyTorch index_add.
    """

    name = "dnn.index_add"
    EXAMPLE: ClassVar = "{axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<5x3xf32>"
    data = operand_def(TensorType)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    y = result_def(TensorType)
    axis = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        engines = self.kernel_engines()
        return Contract((InPlace(0, 0),), strided=True, backward=READS_INDICES, engines=engines)

    def native_numbers(self) -> Sequence[float]:
        return [axis_of(integer(self.axis, 0), len(self.operand_type().shape))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        data, indices, updates = operands
        need_indices(indices)
        need_same_dtype(data, updates)
        need_number(data)
        axis = axis_of(integer(self.axis, 0), len(data.shape))
        agreed_shape("updates", (*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :]), updates.shape)
        return (data,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (data, indices, updates), (y,) = operands, results
        axis = axis_of(integer(self.axis, 0), data.ndim)
        check_indices(self, indices, data.shape[axis])
        np.copyto(y, data)
        before = (slice(None),) * axis
        with np.errstate(all="ignore"):
            for at in np.ndindex(indices.shape):
                row = y[(*before, int(indices[at]), ...)]
                np.add(row, updates[(*before, *at, ...)], out=row)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return dy, None, builder.emit("gather", dy, self.indices, axis=self.axis)

    def added_first(self) -> Sequence[SSAValue]:
        return (self.data,)

    def added_to(self, value: SSAValue, factor: float, builder: GradientBuilder) -> SSAValue:
        data = added_to(self.data, value, factor, builder)
        return builder.emit("index_add", data, self.indices, self.updates, axis=self.axis)


@irdl_op_definition
class TensorScatterOp(NativeBase, KernelOnlyBase, DifferentiableBase):
    """A cache of sequences with new elements written along `axis`, in place over the cache.

    Operands: past_cache, update of its element type and sizes but for the axis, write_indices (i64), for each sequence
    of the first axis the index that its first new element gets, default 0. `axis`: default -2, never the first.
    `mode`: `linear` (default), or `circular`, where elements behind the end go on at the first index. An index outside
    the axis raises `IndicesError` at run time. ONNX TensorScatter.
    """

    name = "dnn.tensor_scatter"
    EXAMPLE: ClassVar = ": (tensor<2x5x3xf32>, tensor<2x1x3xf32>, tensor<2xi64>) -> tensor<2x5x3xf32>"
    past_cache = operand_def(TensorType)
    update = operand_def(TensorType)
    write_indices = opt_operand_def(TensorType)
    present_cache = result_def(TensorType)
    axis = opt_attr_def(INTEGER)
    mode = opt_attr_def(base(StringAttr))

    def storage(self) -> Contract:
        indices = READS_INDICES._replace(operands=frozenset(range(2, len(self.operands))))
        return Contract((InPlace(0, 0),), strided=True, backward=indices, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        axis = axis_of(integer(self.axis, -2), len(self.operand_type().shape))
        return [axis, word(self.mode, "linear") == "circular"]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        cache, update = operands[:2]
        axis = axis_of(integer(self.axis, -2), len(cache.shape))
        if not axis:
            raise ValueError("axis is the first one, which is that of the sequences")
        if word(self.mode, "linear") not in ("linear", "circular"):
            raise ValueError(f"mode is '{word(self.mode, '')}', it must be linear or circular")
        need_same_dtype(cache, update)
        others = [(*t.shape[:axis], *t.shape[axis + 1 :]) for t in (cache, update)]
        agreed_shape("past_cache and update but for the axis", *others)
        size, count = cache.shape[axis], update.shape[axis]
        if isinstance(size, int) and isinstance(count, int) and count > size:
            raise ValueError(f"update has {count} elements along an axis of size {size}")
        for indices in operands[2:]:
            need_indices(indices)
            if len(indices.shape) != 1:
                raise ValueError(f"write_indices has {len(indices.shape)} axes, it must have 1")
            agreed(indices.shape[0], cache.shape[0], "write_indices and the first axis")
        return (cache,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (cache, update), (y,) = operands[:2], results
        axis = axis_of(integer(self.axis, -2), cache.ndim)
        size, count, circular = cache.shape[axis], update.shape[axis], word(self.mode, "linear") == "circular"
        starts = operands[2] if len(operands) > 2 else np.zeros(len(cache), np.int64)
        if starts.size and count:
            low, high = int(starts.min()), int(starts.max())
            if low < 0 or (high > size - count and not circular):
                raise IndicesError(f"{self.name}: index {low if low < 0 else high} is outside 0 to {size - count}")
        np.copyto(y, cache)
        for sequence in range(len(cache)):
            target, source = (np.moveaxis(a[sequence], axis - 1, 0) for a in (y, update))
            start = int(starts[sequence]) % max(size, 1)
            whole = min(count, size - start)
            target[start : start + whole] = source[:whole]
            target[: count - whole] = source[whole:]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Of the cache what was not written over; of the new elements what they were written to."""
        rank, given = len(builder.shape(self.past_cache)), self.operands[2:]
        axis = axis_of(integer(self.axis, -2), rank)
        size, count = (builder.known_size(value, axis) for value in (self.past_cache, self.update))
        zeros = builder.zeros(self.update)
        cache = builder.emit("tensor_scatter", dy, zeros, *given, axis=self.axis, mode=self.attributes.get("mode"))
        if not given:
            return cache, builder.emit("slice", dy, dim=axis, end=count)
        # Rows of dy with the axis behind that of the sequences, each by its number.
        order = [0, axis, *(k for k in range(1, rank) if k != axis)]
        steps = builder.emit("unsqueeze", builder.cast(builder.integers(range(count)), given[0]), axes=[0])
        places = builder.emit("add", builder.emit("unsqueeze", given[0], axes=[1]), steps)
        if word(self.mode, "linear") == "circular":
            places = builder.emit("mod", places, builder.cast(builder.integers([size]), given[0]))
        turned = builder.emit("transpose", dy, perm=order)
        rows = builder.emit("gather_nd", turned, builder.emit("unsqueeze", places, axes=[2]), batch_dims=1)
        update = builder.emit("transpose", rows, perm=[order.index(k) for k in range(rank)])
        return cache, update, None
