"""Slices at offsets, or of sizes, that are known at run time only: some part of the bytes of a value.

Reading such a part requires all of it, and a write to it destroys what may be there. It is exactly the part of another
slice if both are cut out of the same bytes by the same index values: as these dominate both, they have one value there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import Dim, Shape, quotient, squeezed
from lastuse.dialect.storage.index_arithmetic import SliceBounds, apart
from lastuse.dialect.storage.layout import Layout, Strided, Whole, may_overlap, reshape, same_bytes


class RuntimeSlice(NamedTuple):
    """Some part of a value.

    Attributes:
        room: where the value lies that it is a slice of.
        bounds: which elements of that value.
        shape: of the slice as a value, which may leave out axes of size 1; None where that is not known.
        item: bytes of an element.
        units: whether each axis that `bounds` count along has size 1; None where it is not known which axes these are.
            Values in one place may have other axes: those of size 1 stand elsewhere.
        cut: its sizes without those of 1 where its axes are joined or cut; None where they are those of the bounds.
        natural: the shape before that.
    """

    room: Layout
    bounds: SliceBounds
    shape: Shape | None
    item: int
    units: tuple[bool, ...] | None = None
    cut: tuple[Dim | None, ...] | None = None
    natural: Shape | None = None

    @property
    def hull(self) -> Strided | Whole:
        """Bytes that it is part of, whatever the index values are: axes with known numbers are cut."""
        room = self.room
        if isinstance(room, Whole):
            return room
        if not isinstance(room, Strided):
            return room.hull
        offset, sizes, strides = room.offset, list(room.sizes), list(room.strides)
        for axis, (start, size, step) in enumerate(zip(*self.bounds, strict=True)):
            if isinstance(start, int) and isinstance(size, int) and isinstance(step, int):
                offset += start * room.strides[axis]
                sizes[axis], strides[axis] = size, step * room.strides[axis]
        return Strided(offset, tuple(sizes), tuple(strides), room.item)

    @property
    def values(self) -> frozenset[SSAValue]:
        """The index values that say where it is: its own, and those of what it is a part of."""
        room = self.room
        return self.bounds.values | room.values if isinstance(room, RuntimeSlice) else self.bounds.values

    def shaped(self, shape: Shape) -> RuntimeSlice:
        """The same bytes as a value of that shape, whose axes are the same but for those of size 1."""
        return self._replace(shape=shape)

    def recut(self, shape: Shape) -> RuntimeSlice | None:
        """The same elements in the same order as a value of that shape; None where its axes do not lie so in memory."""
        if self.shape is None:
            return None
        narrow = squeezed(shape)
        if narrow == squeezed(self.shape):
            return self.shaped(shape)
        axes, natural = axes_of(self), self.shape if self.natural is None else self.natural
        if axes is None or strides_in(axes, shape) is None:
            return None
        if narrow == squeezed(natural):
            return self._replace(shape=shape, cut=None, natural=None)
        return self._replace(shape=shape, cut=narrow, natural=natural)

    def is_same(self, other: Layout) -> bool:
        """Exactly the same bytes by the same index map."""
        return isinstance(other, RuntimeSlice) and self.bounds == other.bounds and _counted_alike(self.room, other.room)

    def may_meet(self, other: Layout) -> bool:
        """Whether a byte may be in both."""
        hulls = (x.hull if isinstance(x, RuntimeSlice) else x for x in (self, other))
        if not may_overlap(*hulls):
            return False
        return not any(apart(a.bounds, b.bounds) for a in _within(self) for b in _within(other) if _same_axes(a, b))


def _within(layout: Layout | RuntimeSlice) -> Iterator[RuntimeSlice]:
    """The parts that a layout is inside of, itself first."""
    while isinstance(layout, RuntimeSlice):
        yield layout
        layout = layout.room


def _same_axes(a: RuntimeSlice, b: RuntimeSlice) -> bool:
    """Both are slices of the same bytes, and their bounds count along the same axes of these."""
    rooms = tuple(room.sizes if isinstance(room, Strided) else room.shape for room in (a.room, b.room))
    of_slices = isinstance(a.room, RuntimeSlice)
    same = a.units is not None and a.units == b.units and _counted_alike(a.room, b.room)
    return same and (of_slices or rooms[0] == rooms[1])


def _counted_alike(a: Layout, b: Layout) -> bool:
    """The same bytes; their elements are counted along the same axes, but for those of size 1."""
    if isinstance(a, RuntimeSlice) and isinstance(b, RuntimeSlice):
        return a.cut == b.cut and a.is_same(b)
    if isinstance(a, Strided) and isinstance(b, Strided):
        return a is b or squeezed(a.sizes) == squeezed(b.sizes) and same_bytes(a, b)
    return same_bytes(a, b)


# Axes in memory


class MemoryAxis(NamedTuple):
    """An axis of a value: its size, None where that is not known, and the bytes from one element to the next."""

    size: Dim | None
    stride: int | None


def axes_of(layout: Layout) -> list[MemoryAxis] | None:
    """The axes of a value at `layout`; None where these are not known."""
    if isinstance(layout, Strided):
        return [MemoryAxis(n, stride) for n, stride in zip(layout.sizes, layout.strides, strict=True)]
    if isinstance(layout, Whole):
        steps: list[int | None] = [layout.item]
        for n in reversed(layout.shape[1:]):
            steps.append(steps[-1] * n if isinstance(n, int) and steps[-1] is not None else None)
        return [MemoryAxis(n, step) for n, step in zip(layout.shape, reversed(steps), strict=False)]
    if not isinstance(layout, RuntimeSlice) or layout.shape is None:
        return None
    axes = _slice_axes(layout)
    strides = None if axes is None else strides_in(axes, layout.shape)
    return None if strides is None else [MemoryAxis(*axis) for axis in zip(layout.shape, strides, strict=True)]


def _slice_axes(part: RuntimeSlice) -> list[MemoryAxis] | None:
    """The axes that the bounds of a slice count along, without those of size 1."""
    room, shape = axes_of(part.room), part.shape if part.natural is None else part.natural
    wide = [axis for axis, n in enumerate(part.bounds.sizes) if n != 1]
    sizes = squeezed(shape or ())
    if room is None or len(room) != len(part.bounds.sizes) or len(wide) != len(sizes):
        return None
    steps = [(room[axis].stride, part.bounds.strides[axis]) for axis in wide]
    strides = [a * b if isinstance(a, int) and isinstance(b, int) else None for a, b in steps]
    return [MemoryAxis(n, stride) for n, stride in zip(sizes, strides, strict=True)]


def strides_in(axes: Sequence[MemoryAxis], shape: Shape) -> list[int | None] | None:
    """The strides of values of `shape` with the same elements in the same order, None for one that is not known. None
    where these are no axes in memory: an axis would lie across two that do not run on into one another."""
    runs: list[MemoryAxis] = []
    for axis in axes:
        size, stride = axis
        if size == 1:
            continue
        outer = runs[-1] if runs else None
        step = size * stride if isinstance(size, int) and stride is not None else None
        if outer is not None and outer.size is not None and step is not None and outer.stride == step:
            runs[-1] = MemoryAxis(outer.size * size, stride)  # pyright: ignore[reportOperatorIssue]
        else:
            runs.append(axis)
    strides: list[int | None] = [None] * len(shape)
    for at in range(len(shape) - 1, -1, -1):
        size = shape[at]
        if size == 1:
            continue
        if not runs:
            return None
        run = runs.pop()
        strides[at] = run.stride
        if run.size == size:
            continue
        rest = quotient(run.size, size) if run.size is not None else None
        if rest is None and isinstance(run.size, int) and isinstance(size, int):
            return None
        step = run.stride * size if run.stride is not None and isinstance(size, int) else None
        runs.append(MemoryAxis(rest, step))  # what is left of a run of unknown size is cut by the next axes
    return strides if not runs or len(runs) == 1 and runs[0].size is None else None


def lies_in(layout: Layout, room: Layout) -> bool:
    """Proved: every byte of `layout` is one of `room`, being a part of it."""
    if same_bytes(layout, room):
        return True
    return any(same_bytes(part.room, room) for part in _within(layout))


class SliceMap(NamedTuple):
    """The map of a slice, from the layout of a value to that of the slice: strided where all numbers are known, else a
    `RuntimeSlice`.

    Attributes:
        bounds: the slice.
        whole: sizes of the value where all are known.
        part: sizes of the slice where all are known; it may leave out axes of size 1.
        known: whether all numbers are, of the bounds and the sizes.
    """

    bounds: SliceBounds
    whole: tuple[int, ...] | None
    part: tuple[int, ...] | None
    known: bool

    def __call__(self, m: Layout) -> Layout | None:
        if self.known and isinstance(m, Strided):
            return _sliced(m, self.bounds, self.part or ())
        seen = m.sizes if isinstance(m, Strided) else m.shape
        units = None if seen is None or len(seen) != len(self.bounds.offsets) else tuple(d == 1 for d in seen)
        return RuntimeSlice(m, self.bounds, self.part, m.item, units)  # pyright: ignore[reportReturnType]


@lru_cache(maxsize=1 << 12)
def _sliced(m: Strided, bounds: SliceBounds, part: tuple[int, ...]) -> Strided | None:
    """A slice whose numbers are known, as a value of the sizes `part`."""
    offsets, sizes, strides = bounds
    offset = m.offset
    for number, stride in zip(offsets, m.strides, strict=True):
        offset += number * stride  # pyright: ignore
    steps = tuple(map(mul, m.strides, strides))  # pyright: ignore
    return without_ones(Strided(offset, sizes, steps, m.item), part)  # pyright: ignore


def without_ones(m: Strided, shape: tuple[int, ...]) -> Strided | None:
    """`m` as a value of `shape`, which is its sizes without some that are 1; None where it is not."""
    if shape != m.sizes and (len(shape) > len(m.sizes) or squeezed(shape) != squeezed(m.sizes)):
        return None
    return reshape(m, shape)
