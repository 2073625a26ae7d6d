"""Parts of a value: slice, one index, diagonal, strided. A view names such a part of its operand, a scatter writes one;
the attributes and their meaning are here for both."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from xdsl.irdl import attr_def, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, axis_of, integer, integers
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.tensor_types import Dim, Shape, product
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.layout import Strided

_TO_THE_END = 1 << 62
"""Ends from here on mean the end of the axis, whatever its size; writers use the largest i64."""


class SubsetBase(DnnOp):
    """An op whose attributes name a part of a value."""

    @abstractmethod
    def part_shape(self, shape: Shape) -> tuple[Dim | None, ...]:
        """Shape of the part of a value of `shape`; raises ValueError where there is no such part."""

    @abstractmethod
    def part_map(self, m: Strided) -> Strided | None:
        """Place of the part of a value that lies at `m`; None where it has no strided place."""

    @abstractmethod
    def part_of(self, array: Array) -> Array:
        """The part of an array, as a view of it. For `as_strided` the array must be dense row-major."""

    def is_whole(self, shape: Sequence[int | None]) -> bool:
        """Proved: the part is all of a value of this shape, in the same order of elements."""
        del shape
        return False

    def is_injective(self) -> bool:
        """No element is in the part twice."""
        return True


class SliceBase(SubsetBase):
    """Elements `start` to `end` (exclusive) of axis `dim`, every `step`-th; PyTorch's rules: negative bounds count from
    the end, bounds beyond the axis are brought into it."""

    dim = opt_attr_def(INTEGER)
    start = opt_attr_def(INTEGER)
    end = opt_attr_def(INTEGER)
    step = opt_attr_def(INTEGER)

    def _attributes(self, rank: int) -> tuple[int, int, int, int]:
        step = integer(self.step, 1)
        if step < 1:
            raise ValueError(f"step must be 1 or more, not {step}")
        dim = axis_of(integer(self.dim, 0), rank, "dim")
        return dim, integer(self.start, 0), integer(self.end, _TO_THE_END), step

    def _bounds(self, size: int, rank: int) -> tuple[int, int, int, int]:
        """Axis, first element, number of elements, step."""
        dim, start, end, step = self._attributes(rank)
        first = min(max(start + size if start < 0 else start, 0), size)
        last = min(max(end + size if end < 0 else end, first), size)
        return dim, first, -(-(last - first) // step), step

    def part_shape(self, shape: Shape) -> tuple[Dim | None, ...]:
        dim, start, end, step = self._attributes(len(shape))
        size = shape[dim]
        part: Dim | None = None
        if isinstance(size, int):
            part = self._bounds(size, len(shape))[2]
        elif start == 0 and end >= _TO_THE_END and step == 1:
            part = size
        return (*shape[:dim], part, *shape[dim + 1 :])

    def part_map(self, m: Strided) -> Strided | None:
        dim = self._attributes(len(m.sizes))[0]
        return layout.sliced(*self._bounds(m.sizes[dim], len(m.sizes)))(m)

    def part_of(self, array: Array) -> Array:
        dim, first, count, step = self._bounds(array.shape[self._attributes(array.ndim)[0]], array.ndim)
        return array[(slice(None),) * dim + (slice(first, first + count * step, step), ...)]

    def is_whole(self, shape: Sequence[int | None]) -> bool:
        dim, start, end, step = self._attributes(len(shape))
        size = shape[dim]
        if size is not None:
            return step == 1 and self._bounds(size, len(shape))[2] == size
        return step == 1 and start == 0 and end >= _TO_THE_END


class SelectBase(SubsetBase):
    """Element `index` of axis `dim`, counted from the end where negative; the axis goes."""

    dim = opt_attr_def(INTEGER)
    index = attr_def(INTEGER)

    def _at(self, rank: int) -> tuple[int, int]:
        return axis_of(integer(self.dim, 0), rank, "dim"), integer(self.index, 0)

    def _element(self, shape: Sequence[Dim]) -> tuple[int, int]:
        dim, index = self._at(len(shape))
        size = shape[dim]
        if isinstance(size, int):
            if not -size <= index < size:
                raise ValueError(f"index {index} is outside the axis of size {size}")
            index %= size
        return dim, index

    def part_shape(self, shape: Shape) -> tuple[Dim | None, ...]:
        dim, _ = self._element(shape)
        return shape[:dim] + shape[dim + 1 :]

    def part_map(self, m: Strided) -> Strided | None:
        return layout.selected(*self._element(m.sizes))(m)

    def part_of(self, array: Array) -> Array:
        dim, index = self._element(array.shape)
        return array[(slice(None),) * dim + (index, ...)]

    def is_whole(self, shape: Sequence[int | None]) -> bool:
        return shape[self._at(len(shape))[0]] == 1


class DiagonalBase(SubsetBase):
    """Elements (…, i, …, i + offset, …) of the axes `dim1`, `dim2`, as a new last axis."""

    offset = opt_attr_def(INTEGER)
    dim1 = opt_attr_def(INTEGER)
    dim2 = opt_attr_def(INTEGER)

    def _at(self, rank: int) -> tuple[int, int, int]:
        dim1 = axis_of(integer(self.dim1, 0), rank, "dim1")
        dim2 = axis_of(integer(self.dim2, 1), rank, "dim2")
        if dim1 == dim2:
            raise ValueError(f"dim1 and dim2 are both axis {dim1}")
        return integer(self.offset, 0), dim1, dim2

    def part_shape(self, shape: Shape) -> tuple[Dim | None, ...]:
        offset, dim1, dim2 = self._at(len(shape))
        rows, columns = shape[dim1], shape[dim2]
        length: Dim | None = rows if rows == columns and offset == 0 else None
        if isinstance(rows, int) and isinstance(columns, int):
            length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
        return (*(d for a, d in enumerate(shape) if a not in (dim1, dim2)), length)

    def part_map(self, m: Strided) -> Strided | None:
        return layout.diagonal(*self._at(len(m.sizes)))(m)

    def part_of(self, array: Array) -> Array:
        part = np.diagonal(array, *self._at(array.ndim))
        if array.flags.writeable:
            part.flags.writeable = True  # numpy's diagonal is read-only by caution alone
        return part


class StridedBase(SubsetBase):
    """Element (i, j, …) is element storage_offset + i * stride[0] + j * stride[1] + … of the dense row-major value."""

    size = attr_def(INTEGERS)
    stride = attr_def(INTEGERS)
    storage_offset = opt_attr_def(INTEGER)

    def _at(self) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        sizes, strides = integers(self.size), integers(self.stride)
        offset = integer(self.storage_offset, 0)
        if len(sizes) != len(strides):
            raise ValueError(f"size has {len(sizes)} numbers, stride {len(strides)}")
        if min((*sizes, *strides, offset), default=0) < 0:
            raise ValueError("size, stride and storage_offset must not be negative")
        return sizes, strides, offset

    def part_shape(self, shape: Shape) -> tuple[Dim | None, ...]:
        sizes, strides, offset = self._at()
        count = product(shape)
        last = offset + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))
        if isinstance(count, int) and 0 not in sizes and last >= count:
            raise ValueError(f"element {last} is outside the operand's {count}")
        return sizes

    def part_map(self, m: Strided) -> Strided | None:
        sizes, strides, offset = self._at()
        return layout.restrided(sizes, strides, offset)(m)

    def part_of(self, array: Array) -> Array:
        sizes, strides, offset = self._at()
        if 0 in sizes:
            return np.empty(sizes, array.dtype)
        flat = array.reshape(-1)
        return np.lib.stride_tricks.as_strided(flat[offset:], sizes, [s * array.itemsize for s in strides])

    def is_injective(self) -> bool:
        sizes, strides, _ = self._at()
        return Strided(0, sizes, strides, 1).injective
