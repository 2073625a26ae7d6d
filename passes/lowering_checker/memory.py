"""The bytes of a lowered function: its storages, the regions that steps use, and the cells that these fall into.

Bytes that no step tells apart are one cell. A state has a code for each cell: of its first byte, the others follow. A
copy moves cells to cells: where one of its sides is cut, the other is cut as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.layout import Strided

from ..checker.runs import distinct
from .rows import MAX_PIECES, Array, Row, TooFine, held, row_of, spread

UNKNOWN = -1
"""The code of a cell that holds nothing of use."""
State = Array


@dataclass(eq=False, slots=True)
class Storage:
    """A row of bytes: the arena, an argument's memory or a constant.

    Attributes:
        root: the buffer.
        nbytes: how many there are.
        written: steps may write there.
        base: number of its first cell.
    """

    root: SSAValue
    nbytes: int
    written: bool
    name: str
    number: int
    base: int = 0


@dataclass(eq=False, slots=True)
class Region:
    """Bytes of one storage, as a view of it shows them.

    Attributes:
        layout: the view, in bytes from the storage's start.
        dtype: element type.
        row: the bytes in the order of elements; low and high: the half-open range that holds them all.
        cell: its only cell, or -1.
        cells: its cells in the order of elements.
        pos, lengths: the byte of the region that each cell starts with, and their lengths; None for a single cell.
    """

    storage: Storage
    layout: Strided
    dtype: str
    row: Row
    low: int
    high: int
    cell: int = -1
    cells: slice | Array = field(default_factory=lambda: slice(0, 0))
    pos: Array | None = None
    lengths: Array | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.layout.sizes

    def overlaps(self, other: Region) -> bool:
        """Whether some byte is in both."""
        if self.storage is not other.storage or self.low >= other.high or other.low >= self.high:
            return False
        if self.row.first >= 0 and other.row.first >= 0:
            return True
        return self.layout.overlaps(other.layout)

    def is_at(self, other: Region) -> bool:
        """The same bytes in the same order."""
        return self is other or (self.storage is other.storage and self.row.same(other.row))


class Memory:
    """The regions of a lowered function. Made region by region, then sealed, and then asked what a state holds."""

    def __init__(self) -> None:
        self.storages: list[Storage] = []
        self.size = 0
        self._regions: dict[tuple[int, Strided, str], Region] = {}
        self._of_storage: list[list[Region]] = []
        self._copies: list[tuple[Region, Region]] = []
        self._points: list[Array] = []
        self._fine: list[Region] = []

    def storage(self, root: SSAValue, nbytes: int, written: bool, name: str) -> Storage:
        """A new storage."""
        made = Storage(root, nbytes, written, name, len(self.storages))
        self.storages.append(made)
        self._of_storage.append([])
        return made

    def region(self, storage: Storage, layout: Strided, dtype: str) -> Region:
        """The bytes of a storage at `layout`."""
        key = (storage.number, layout, dtype)
        found = self._regions.get(key)
        if found is None:
            low, high = layout.span
            found = self._regions[key] = Region(storage, layout, dtype, row_of(layout), low, high)
            self._of_storage[storage.number].append(found)
        return found

    def copied(self, source: Region, target: Region) -> None:
        """A step copies one region to the other."""
        if source.row.nbytes == target.row.nbytes:
            self._copies.append((source, target))

    def elementwise(self, region: Region) -> None:
        """Elements of the region may come from different values."""
        self._fine.append(region)

    def seal(self) -> State:
        """Cuts the storages into cells; a state in which nothing holds anything.

        Raises:
            TooFine: there are too many.
        """
        for storage, regions in zip(self.storages, self._of_storage, strict=True):
            edges = {0, storage.nbytes}
            arrays = list[Array]()
            for region in regions:
                row = region.row
                if row.first >= 0:
                    edges.add(row.first)
                    edges.add(row.first + row.nbytes)
                else:
                    arrays += (row.at, row.at + np.diff(row.pos))
            points = np.array(sorted(edges), np.int64)
            self._points.append(distinct(np.concatenate([points, *arrays])) if arrays else points)
        for region in self._fine:
            starts = region.layout.bytes()[:: region.layout.item]
            self._add(region.storage, starts)
            self._add(region.storage, starts + region.layout.item)
        level: dict[int, tuple[int, int]] = {}
        changed = True
        while changed:
            changed = False
            for number, (source, target) in enumerate(self._copies):
                cuts = len(self._points[source.storage.number]), len(self._points[target.storage.number])
                if level.get(number) != cuts:
                    level[number] = cuts
                    changed |= self._level(source, target)
        for storage, regions, points in zip(self.storages, self._of_storage, self._points, strict=True):
            storage.base = self.size
            self._cut(regions, points, self.size)
            self.size += max(len(points) - 1, 0)
            if self.size > MAX_PIECES:
                raise TooFine
        return np.full(self.size, UNKNOWN, np.int64)

    def cell_lengths(self) -> Array:
        """Bytes of each cell, once the memory is sealed: int64 [cells]."""
        return np.concatenate([np.diff(points) for points in self._points]) if self._points else np.zeros(0, np.int64)

    def _add(self, storage: Storage, points: Array) -> bool:
        known = self._points[storage.number]
        if not len(points):
            return False
        at = np.minimum(np.searchsorted(known, points), len(known) - 1)
        new = points[known[at] != points]
        if not len(new):
            return False
        self._points[storage.number] = distinct(np.concatenate((known, new)))
        return True

    def _level(self, source: Region, target: Region) -> bool:
        """Cuts both sides of a copy where one of them is cut; whether that made a new cut."""
        if not source.row.nbytes:
            return False
        if source.row.first < 0 or target.row.first < 0:
            return self._level_pieces(source, target)
        changed = False
        for one, other in ((source, target), (target, source)):
            points = self._points[one.storage.number]
            low, high = np.searchsorted(points, one.low, "right"), np.searchsorted(points, one.high)
            if low < high:
                changed |= self._add(other.storage, points[low:high] + (other.low - one.low))
        return changed

    def _level_pieces(self, source: Region, target: Region) -> bool:
        changed = False
        for one, other in ((source, target), (target, source)):
            points = self._points[one.storage.number]
            starts, lengths = one.row.at, np.diff(one.row.pos)
            low = np.searchsorted(points, starts, "right")
            counts = np.searchsorted(points, starts + lengths) - low
            inner = points[spread(low, counts)] - np.repeat(starts - one.row.pos[:-1], counts)
            edges = np.concatenate((inner, one.row.pos[1:-1]))
            piece = np.searchsorted(other.row.pos, edges, "right") - 1
            changed |= self._add(other.storage, distinct(other.row.at[piece] + edges - other.row.pos[piece]))
        return changed

    @staticmethod
    def _cut(regions: Sequence[Region], points: Array, base: int) -> None:
        plain = [r for r in regions if r.row.first >= 0 and r.row.nbytes]
        if len(points) == 2:
            lows, highs = [0] * len(plain), [1] * len(plain)
        else:
            lows = np.searchsorted(points, np.array([r.low for r in plain], np.int64)).tolist()
            highs = np.searchsorted(points, np.array([r.high for r in plain], np.int64)).tolist()
        for region, low, high in zip(plain, lows, highs, strict=True):
            region.cells = slice(base + low, base + high)
            if high == low + 1:
                region.cell = base + low
            else:
                region.pos = points[low:high] - region.low
                region.lengths = np.diff(points[low : high + 1])
        for region in regions:
            if region.row.first >= 0 or not region.row.nbytes:
                continue
            starts, lengths = region.row.at, np.diff(region.row.pos)
            first = np.searchsorted(points, starts)
            counts = np.searchsorted(points, starts + lengths) - first
            index = spread(first, counts)
            region.cells = base + index
            region.pos = points[index] + np.repeat(region.row.pos[:-1] - starts, counts)
            region.lengths = points[index + 1] - points[index]


def write(state: State, region: Region, row: Row) -> None:
    """The region now holds `row`; unknown where a cell would hold pieces of it."""
    if not row.nbytes:
        return
    if region.cell >= 0:
        state[region.cell] = row.first
    elif row.first >= 0:
        state[region.cells] = row.first + region.pos  # pyright: ignore[reportOperatorIssue]
    else:
        assert region.pos is not None and region.lengths is not None
        state[region.cells] = np.maximum(held(row, region.pos, region.lengths), UNKNOWN)


def clear(state: State, region: Region) -> None:
    """The region holds nothing of use."""
    state[region.cells] = UNKNOWN


def copy(state: State, source: Region, target: Region) -> None:
    """The target holds what the source does."""
    state[target.cells] = state[source.cells]


def wrong(state: State, region: Region, row: Row) -> tuple[int, int, int] | None:
    """The first bytes of the region that do not hold `row`: half-open range in the storage, and what they hold. None
    where all do."""
    if not row.nbytes:
        return None
    if region.cell >= 0:
        if state[region.cell] == row.first >= 0:
            return None
        return region.low, region.high, int(state[region.cell])
    assert region.pos is not None and region.lengths is not None
    want = held(row, region.pos, region.lengths)
    have = state[region.cells]
    differ = np.flatnonzero(have != want)
    if not differ.size:
        return None
    at = int(differ[0])
    row_at = region.row.at
    piece = int(np.searchsorted(region.row.pos, region.pos[at], "right")) - 1
    low = int(row_at[piece] + region.pos[at] - region.row.pos[piece])
    return low, low + int(region.lengths[at]), int(have[at])


def copied_cells_agree(source: Region, target: Region) -> bool:
    """Both sides of a copy fall into the same cells."""
    if source.pos is None or target.pos is None:
        return source.cell >= 0 and target.cell >= 0
    return len(source.pos) == len(target.pos) and bool((source.pos == target.pos).all())
