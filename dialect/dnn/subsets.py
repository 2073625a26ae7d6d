"""Parts of a value: slice, one index, diagonal, strided. A view names such a part of its operand, a scatter writes one;
the attributes and their meaning are here for both."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from xdsl.irdl import attr_def, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, axis_of, integer, integers
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.tensor_types import Dim, Shape, product
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.layout import Strided

_TO_THE_END = 1 << 62
"""The end of the axis, whatever its size."""
_BEYOND = (1 << 31) - 1
"""Bounds from here on are taken for the end of an axis whose size is not known: writers use the largest i32 too. What
they mean is computed again when the size is a number."""


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

    def attributes_of_part(self) -> dict[str, Any]:
        """The attributes that name the part."""
        return {name: attribute for name, attribute in self.attributes.items() if "." not in name}


class Cut(NamedTuple):
    """What of one axis is in a slice: the elements from `start` to `end` (exclusive), every `step`-th, as Python
    counts. A negative step goes from `start` down."""

    axis: int
    start: int
    end: int
    step: int

    def bounds(self, size: int) -> tuple[int, int]:
        """The first element and the number of elements, of an axis of `size`."""
        numbers = range(*slice(self.start, self.end, self.step).indices(size))
        return numbers.start, len(numbers)

    def size(self, whole: Dim) -> Dim | None:
        """The number of elements, of an axis of size `whole`; None where it is not known."""
        if isinstance(whole, int):
            return self.bounds(whole)[1]
        forward = self.step == 1 and self.start == 0 and self.end >= _BEYOND
        backward = self.step == -1 and (self.start == -1 or self.start >= _BEYOND) and self.end <= -_BEYOND
        return whole if forward or backward else None


class SliceBase(SubsetBase):
    """Elements `start` to `end` (exclusive) of axis `dim`, every `step`-th; PyTorch's rules: negative bounds count from
    the end, bounds beyond the axis are brought into it. Or ONNX's: `starts`, `ends`, `axes` (default the first ones)
    and `steps` (default 1) say it of several axes, and a step may be negative."""

    dim = opt_attr_def(INTEGER)
    start = opt_attr_def(INTEGER)
    end = opt_attr_def(INTEGER)
    step = opt_attr_def(INTEGER)
    starts = opt_attr_def(INTEGERS)
    ends = opt_attr_def(INTEGERS)
    axes = opt_attr_def(INTEGERS)
    steps = opt_attr_def(INTEGERS)

    def cuts(self, rank: int) -> tuple[Cut, ...]:
        """What is cut from the axes that are cut.

        Raises:
            ValueError: the attributes do not say it.
        """
        one = (self.dim, self.start, self.end, self.step)
        several = (self.starts, self.ends, self.axes, self.steps)
        if any(a is not None for a in several):
            if any(a is not None for a in one):
                raise ValueError("takes dim, start, end and step, or starts, ends, axes and steps")
            return self._several(rank)
        step = integer(self.step, 1)
        if step < 1:
            raise ValueError(f"step must be 1 or more, not {step}")
        dim = axis_of(integer(self.dim, 0), rank, "dim")
        return (Cut(dim, integer(self.start, 0), integer(self.end, _TO_THE_END), step),)

    def _several(self, rank: int) -> tuple[Cut, ...]:
        if self.starts is None or self.ends is None:
            raise ValueError("needs both starts and ends")
        starts, ends = integers(self.starts), integers(self.ends)
        axes = range(len(starts)) if self.axes is None else integers(self.axes)
        steps = (1,) * len(starts) if self.steps is None else integers(self.steps)
        if not len(starts) == len(ends) == len(axes) == len(steps):
            counts = f"{len(starts)}, {len(ends)}, {len(axes)} and {len(steps)}"
            raise ValueError(f"starts, ends, axes and steps have {counts} numbers")
        if 0 in steps:
            raise ValueError("a step is 0")
        numbers = [axis_of(axis, rank) for axis in axes]
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"axes {list(axes)} name one twice")
        return tuple(Cut(*cut) for cut in zip(numbers, starts, ends, steps, strict=True))

    def is_reversed(self) -> bool:
        """Some step is negative."""
        return self.steps is not None and min(integers(self.steps), default=1) < 0

    def part_shape(self, shape: Shape) -> tuple[Dim | None, ...]:
        sizes: list[Dim | None] = list(shape)
        for cut in self.cuts(len(shape)):
            sizes[cut.axis] = cut.size(shape[cut.axis])
        return tuple(sizes)

    def part_map(self, m: Strided) -> Strided | None:
        part: Strided | None = m
        for cut in self.cuts(len(m.sizes)):
            part = layout.sliced(cut.axis, *cut.bounds(m.sizes[cut.axis]), cut.step)(part) if part else None
        return part

    def part_of(self, array: Array) -> Array:
        for cut in self.cuts(array.ndim):
            first, count = cut.bounds(array.shape[cut.axis])
            last = first + count * cut.step
            index = slice(first, last if last >= 0 else None, cut.step) if count else slice(0, 0)
            array = array[(slice(None),) * cut.axis + (index, ...)]
        return array

    def is_whole(self, shape: Sequence[int | None]) -> bool:
        return all(_is_whole(cut, shape[cut.axis]) for cut in self.cuts(len(shape)))


def _is_whole(cut: Cut, size: int | None) -> bool:
    if size is not None:
        return cut.step == 1 and cut.bounds(size)[1] == size
    return cut.step == 1 and cut.start == 0 and cut.end >= _BEYOND  # as ONNX says that the end is written


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
