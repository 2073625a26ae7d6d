"""Where the bytes of a value lie inside one storage: a strided map, in bytes.

`Strided` is the map of a value whose sizes are known; `Whole` stands for a dense value of unknown size: it is then
whole or nothing (docs/storage.md, 6). A layout may also be known at run time only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from lastuse.dialect.ir.tensor_types import Dim, Shape, squeezed

ALIGNMENT = 64
"""Bytes of a cache line: an arena starts at a multiple of it, and every offset in one is a multiple of it."""


def aligned(size: int) -> int:
    """`size` in bytes, rounded up to the alignment of an arena."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Strided(NamedTuple):
    """Byte of element (i0, i1, …) = offset + sum(i * stride); each element has `item` bytes."""

    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    item: int

    @staticmethod
    def dense(sizes: Sequence[int], item: int, offset: int = 0) -> Strided:
        """Row-major without gaps."""
        return _dense(tuple(sizes), item, offset)

    @property
    def elements(self) -> int:
        """How many there are, each as often as the sizes say."""
        return math.prod(self.sizes)

    @property
    def nbytes(self) -> int:
        """Bytes of the value, not of the range it is spread over."""
        return self.elements * self.item

    @property
    def span(self) -> tuple[int, int]:
        """Half-open byte range that holds every byte; empty values have an empty range."""
        low, high, *_ = _extent(self.sizes, self.strides, self.item)
        return self.offset + low, self.offset + high

    @property
    def injective(self) -> bool:
        """No byte belongs to two elements. Sufficient test: sorted by stride, each step clears the block before it."""
        return _extent(self.sizes, self.strides, self.item)[2]

    @property
    def is_dense(self) -> bool:
        """Row-major without gaps, from any offset on."""
        return _extent(self.sizes, self.strides, self.item)[4]

    def canonical(self) -> tuple[int, tuple[tuple[int, int], ...], int]:
        """(offset, ((size, stride) …), item) without sizes of 1, neighbours merged where they run on: equal canonical
        forms are the same bytes in the same order of elements."""
        if not self.elements:
            return 0, ((0, 0),), self.item
        return self.offset, _runs(self.sizes, self.strides), self.item

    def shifted(self, by: int) -> Strided:
        """The map `by` bytes further on."""
        return self._replace(offset=self.offset + by)

    def within(self, outer: Strided) -> Strided | None:
        """This map, given in the bytes of a dense value, inside the place `outer` of that value; None if it is no
        strided map there."""
        if outer.is_dense:
            return self.shifted(outer.offset)
        return _compose(self, outer)

    def bytes(self) -> np.ndarray:
        """Every byte of the map, in order of elements: int64 [count * item]."""
        at = np.array([self.offset], dtype=np.int64)
        for size, stride in zip(self.sizes, self.strides, strict=True):
            at = (at[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
        return (at[:, None] + np.arange(self.item, dtype=np.int64)).reshape(-1)

    def overlaps(self, other: Strided) -> bool:
        """Whether any byte is in both: exact unless both are large and irregular, then true (unknown means worst)."""
        if self is other:
            return self.elements > 0
        one, two = _extent(self.sizes, self.strides, self.item), _extent(other.sizes, other.strides, other.item)
        further = other.offset - self.offset
        meet = one[0] < two[1] + further and two[0] + further < one[1]
        if not meet or (one[3] and two[3]):
            return meet
        if _apart_by_period(self, other):
            return False
        if self.nbytes + other.nbytes > EXACT_BYTES:
            return True
        return share_byte(self, other)

    @property
    def covers_span(self) -> bool:
        """It is every byte of its range, each once."""
        return _extent(self.sizes, self.strides, self.item)[3]


@lru_cache(maxsize=1 << 12)
def _dense(sizes: tuple[int, ...], item: int, offset: int) -> Strided:
    strides, step = [0] * len(sizes), item
    for axis in range(len(sizes) - 1, -1, -1):
        strides[axis] = step
        step *= max(sizes[axis], 1)
    return Strided(offset, sizes, tuple(strides), item)


@lru_cache(maxsize=1 << 12)
def _runs(sizes: tuple[int, ...], strides: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """(size, stride) of each axis without those of size 1, neighbours merged where they run on."""
    merged: list[tuple[int, int]] = []
    for size, stride in zip(sizes, strides, strict=True):
        if size == 1:
            continue
        if merged and merged[-1][1] == size * stride:
            merged[-1] = (merged[-1][0] * size, stride)
        else:
            merged.append((size, stride))
    return tuple(merged)


EXACT_BYTES = 1 << 20
"""Irregular layouts are compared byte by byte up to so many bytes; of more the worst is assumed."""


@lru_cache(maxsize=1 << 14)
def share_byte(a: Strided, b: Strided, minus: tuple[Strided, ...] = ()) -> bool:
    """Whether any byte is in both maps and in none of `minus`: each byte is looked at."""
    both = a.bytes()
    both = both[np.isin(both, b.bytes())]
    for gone in minus if both.size else ():
        both = both[np.isin(both, gone.bytes(), invert=True)]
    return bool(both.size)


def _apart_by_period(a: Strided, b: Strided) -> bool:
    """Two maps that repeat with one period and stay in different residues of it: columns of one matrix."""
    for period in {abs(s) for s in (*a.strides, *b.strides) if s}:
        first, second = _window(a, period), _window(b, period)
        if first and second and (first[1] <= second[0] or second[1] <= first[0]):
            return True
    return False


def _window(m: Strided, period: int) -> tuple[int, int] | None:
    """The bytes of one period that `m` touches, counted from the period's start, where its longer strides are multiples
    of the period; None where it runs over the end of one."""
    low = high = m.offset
    for size, stride in zip(m.sizes, m.strides, strict=True):
        if stride % period == 0:
            continue
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    start = low % period
    end = start + high - low + m.item
    return (start, end) if end <= period else None


def _compose(inner: Strided, outer: Strided) -> Strided | None:
    """`inner` as a map into the dense bytes of a value that lies at `outer`, or None where it is no strided map there.

    Offset and strides of `inner` are unravelled over the axes of `outer`; where no step ever carries from one axis into
    the next, each is one stride there. Steps that carry may still fit by chance: then all bytes are compared.
    """
    if not inner.elements:
        return Strided(outer.offset, inner.sizes, inner.strides, inner.item)
    _, runs, _ = outer.canonical()
    steps = Strided.dense([size for size, _ in runs], outer.item).strides

    def unravel(byte: int) -> tuple[list[int], int]:
        indices: list[int] = []
        for step in steps:
            index, byte = divmod(byte, step)
            indices.append(index)
        return indices, byte

    reach, rest = unravel(inner.offset)
    offset = outer.offset + sum(i * stride for i, (_, stride) in zip(reach, runs, strict=True)) + rest
    strides: list[int] = []
    whole = inner.offset >= 0 and rest + inner.item <= outer.item
    for size, stride in zip(inner.sizes, inner.strides, strict=True):
        indices, part = unravel(stride)
        whole = whole and (size == 1 or (stride >= 0 and part == 0))
        reach = [r + (size - 1) * i for r, i in zip(reach, indices, strict=True)]
        strides.append(sum(i * run for i, (_, run) in zip(indices, runs, strict=True)) if size > 1 else 0)
    out = Strided(offset, inner.sizes, tuple(strides), inner.item)
    if whole and all(r < size for r, (size, _) in zip(reach, runs, strict=True)):
        return out
    return out if _same_by_bytes(inner, outer, out) else None


def _same_by_bytes(inner: Strided, outer: Strided, out: Strided) -> bool:
    if inner.nbytes > EXACT_BYTES or inner.span[0] < 0 or inner.span[1] > outer.nbytes:
        return False
    return np.array_equal(out.bytes(), outer.bytes()[inner.bytes()])


@lru_cache(maxsize=1 << 12)
def _extent(sizes: tuple[int, ...], strides: tuple[int, ...], item: int) -> tuple[int, int, bool, bool, bool]:
    """The byte range of elements, the first one at 0, and whether `Strided.injective`, `covers_span` and `is_dense`
    hold: a program has few layouts, and asks for each of them again and again."""
    steps = [(n - 1) * s for n, s in zip(sizes, strides, strict=True)]
    reach, injective = item, True
    for stride, size in sorted((abs(s), n) for n, s in zip(sizes, strides, strict=True) if n > 1):
        injective, reach = injective and stride >= reach, reach + stride * (size - 1)
    low, high = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0) + item
    if not math.prod(sizes):
        return 0, 0, injective, injective, True
    dense = _runs(sizes, strides) == _runs(sizes, _dense(sizes, item, 0).strides)
    return low, high, injective, injective and high - low == math.prod(sizes) * item, dense


class Whole(NamedTuple):
    """A dense value of (partly) unknown size, from byte `offset` of its storage on."""

    shape: Shape
    item: int
    offset: Dim = 0


class RuntimeLayout(Protocol):
    """Bytes that are known at run time only (`runtime_slices.py`)."""

    @property
    def shape(self) -> Shape | None: ...

    @property
    def item(self) -> int: ...

    @property
    def hull(self) -> Strided | Whole: ...

    def is_same(self, other: Layout) -> bool: ...

    def may_meet(self, other: Layout) -> bool: ...

    def shaped(self, shape: Shape) -> RuntimeLayout: ...

    def recut(self, shape: Shape) -> RuntimeLayout | None: ...


Layout: TypeAlias = "Strided | Whole | RuntimeLayout"
LayoutMap = Callable[[Strided], Strided | None]


def mapped(map_: LayoutMap, layout: Layout) -> Layout | None:
    """What the map of a view or part makes of a layout; None where that is nothing that is known."""
    return map_(layout) if isinstance(layout, Strided) or hasattr(map_, "bounds") or map_ is identical else None  # pyright: ignore


def is_dense(layout: Layout) -> bool:
    """Row-major, or all of a value of unknown size, which always is."""
    return layout.is_dense if isinstance(layout, Strided) else isinstance(layout, Whole)


def same_bytes(a: Layout, b: Layout) -> bool:
    """Proved: exactly the same bytes by the same index map."""
    if isinstance(a, Strided) and isinstance(b, Strided):
        return a == b or a.canonical() == b.canonical()
    if isinstance(a, Whole) and isinstance(b, Whole):
        return (a.offset, a.item, squeezed(a.shape)) == (b.offset, b.item, squeezed(b.shape))
    return not isinstance(a, Strided | Whole) and a.is_same(b)


def may_overlap(a: Layout, b: Layout) -> bool:
    """Whether two layouts of one storage may share a byte; unknown sizes always may."""
    if isinstance(a, Strided) and isinstance(b, Strided):
        return a.overlaps(b)
    if not isinstance(a, Strided | Whole):
        return a.may_meet(b)
    return isinstance(b, Strided | Whole) or b.may_meet(a)


def fits(layout: Layout, room: Layout) -> bool:
    """Proved: a storage that is all of `room`, a dense layout from its first byte on, has every byte of `layout`."""
    if not isinstance(layout, Strided | Whole):
        layout = layout.hull
    if isinstance(layout, Strided) and isinstance(room, Strided):
        return not layout.elements or layout.span[1] <= room.span[1]
    return same_bytes(layout, room)


# Maps that views declare: from the operand's layout to the result's.


def sliced(dim: int, start: int, size: int, step: int) -> LayoutMap:
    """`size` elements of axis `dim` from `start` on, every `step`-th."""

    def map_(m: Strided) -> Strided:
        sizes, strides = list(m.sizes), list(m.strides)
        offset = m.offset + start * strides[dim]
        sizes[dim], strides[dim] = size, strides[dim] * step
        return Strided(offset, tuple(sizes), tuple(strides), m.item)

    return map_


def selected(dim: int, index: int) -> LayoutMap:
    """Element `index` of axis `dim`; the axis goes."""

    def map_(m: Strided) -> Strided:
        offset = m.offset + index * m.strides[dim]
        return Strided(offset, m.sizes[:dim] + m.sizes[dim + 1 :], m.strides[:dim] + m.strides[dim + 1 :], m.item)

    return map_


def permuted(perm: Sequence[int]) -> LayoutMap:
    """Axis i of the result is axis perm[i] of the operand."""

    def map_(m: Strided) -> Strided:
        return Strided(m.offset, tuple(m.sizes[p] for p in perm), tuple(m.strides[p] for p in perm), m.item)

    return map_


def reshaped(sizes: Sequence[int]) -> LayoutMap:
    """The same elements in the same order under other sizes; None where that needs a copy."""
    return lambda m: reshape(m, sizes)


def reshape(m: Strided, sizes: Sequence[int]) -> Strided | None:
    """`m` under other sizes without moving a byte, or None. Blocks of axes that run on are cut anew."""
    if m.sizes == sizes and m.elements:
        return m
    if m.elements != math.prod(sizes):
        return None
    if not m.elements:
        return Strided.dense(sizes, m.item, m.offset)
    _, runs, _ = m.canonical()
    blocks = list(runs)
    strides = [m.item] * len(sizes)
    for axis in range(len(sizes) - 1, -1, -1):
        if sizes[axis] == 1:
            continue
        if not blocks:
            return None
        size, stride = blocks.pop()
        strides[axis] = stride
        if size % sizes[axis]:
            return None
        if size > sizes[axis]:
            blocks.append((size // sizes[axis], stride * sizes[axis]))
    return Strided(m.offset, tuple(sizes), tuple(strides), m.item)


def identical(m: Strided) -> Strided:
    """The same place."""
    return m


def restrided(sizes: Sequence[int], strides: Sequence[int], offset: int) -> LayoutMap:
    """`as_strided` in elements of the operand's dense row-major order; None where the operand does not lie so."""

    def map_(m: Strided) -> Strided | None:
        inner = Strided(offset * m.item, tuple(sizes), tuple(s * m.item for s in strides), m.item)
        return inner.within(m)

    return map_


def expanded(sizes: Sequence[int]) -> LayoutMap:
    """numpy broadcasting to `sizes`: stride 0 where a size of 1 is repeated."""

    def map_(m: Strided) -> Strided:
        missing = len(sizes) - len(m.sizes)
        strides = [0] * missing + [
            0 if have == 1 and want != 1 else stride
            for have, want, stride in zip(m.sizes, sizes[missing:], m.strides, strict=True)
        ]
        return Strided(m.offset, tuple(sizes), tuple(strides), m.item)

    return map_


def diagonal(offset: int, dim1: int, dim2: int) -> LayoutMap:
    """PyTorch's diagonal: element i is (…, i, …, i + offset, …); the diagonal is the last axis."""

    def map_(m: Strided) -> Strided:
        rows, columns = m.sizes[dim1], m.sizes[dim2]
        length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
        start = m.offset + (offset * m.strides[dim2] if offset >= 0 else -offset * m.strides[dim1])
        keep = [a for a in range(len(m.sizes)) if a not in (dim1, dim2)]
        sizes = tuple(m.sizes[a] for a in keep) + (length,)
        strides = tuple(m.strides[a] for a in keep) + (m.strides[dim1] + m.strides[dim2],)
        return Strided(start if length else m.offset, sizes, strides, m.item)

    return map_
