"""The bytes of a lowered function: its storages, the regions that steps use, and the cells that these fall into.

Bytes that no step tells apart are one cell. A state has a code for each cell: of its first byte, the others follow. A
copy moves cells to cells: where one of its sides is cut, the other is cut as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.checker.runs import MAX_RUNS, TooFine, distinct
from lastuse.passes.lowering_checker.byte_rows import (
    NONE,
    Array,
    Row,
    gaps,
    locate,
    locate_pieces,
    row_of,
    spread,
)

UNKNOWN = -1
"""The code of a cell that holds nothing of use."""
State = Array
ROUNDS = 16
"""Rounds of cuts after which storages that copies go between are cut evenly: a shift register would be cut one element
a round."""


@dataclass(eq=False, slots=True)
class ByteStorage:
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
class CellRegion:
    """Bytes of one storage, as a view of it shows them.

    Attributes:
        layout: the view, in bytes from the storage's start.
        dtype: element type.
        row: the bytes in the order of elements; low and high: the half-open range that holds them all.
        cell: its only cell, or -1.
        cells: its cells in the order of elements.
        pos, lengths: the byte of the region that each cell starts with, and their lengths; None for a single cell.
    """

    storage: ByteStorage
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

    def overlaps(self, other: CellRegion) -> bool:
        """Whether some byte is in both."""
        if self.storage is not other.storage or self.low >= other.high or other.low >= self.high:
            return False
        if self.row.first >= 0 and other.row.first >= 0:
            return True
        return self.layout.overlaps(other.layout)

    def is_at(self, other: CellRegion) -> bool:
        """The same bytes in the same order."""
        return self is other or (self.storage is other.storage and self.row.same(other.row))


class CellMemory:
    """The regions of a lowered function. Made region by region, then sealed, and then asked what a state holds."""

    def __init__(self) -> None:
        self.storages: list[ByteStorage] = []
        self.size = 0
        self._regions: dict[tuple[int, Strided, str], CellRegion] = {}
        self._of_storage: list[list[CellRegion]] = []
        self._copies: list[tuple[CellRegion, CellRegion]] = []
        self._points: list[Array] = []
        self.fine: list[CellRegion] = []
        """Regions whose elements may come from different values."""

    def storage(self, root: SSAValue, nbytes: int, written: bool, name: str) -> ByteStorage:
        """A new storage."""
        storage = ByteStorage(root, nbytes, written, name, len(self.storages))
        self.storages.append(storage)
        self._of_storage.append([])
        return storage

    def region(
        self, storage: ByteStorage, layout: Strided, dtype: str, span: tuple[int, int] | None = None
    ) -> CellRegion:
        """The bytes of a storage at `layout`; `span` is its span, where it is known."""
        key = (storage.number, layout, dtype)
        region = self._regions.get(key)
        if region is None:
            low, high = layout.span if span is None else span
            region = self._regions[key] = CellRegion(storage, layout, dtype, row_of(layout), low, high)
            self._of_storage[storage.number].append(region)
        return region

    def add_copy(self, source: CellRegion, target: CellRegion) -> None:
        """A step copies one region to the other."""
        if source.row.nbytes == target.row.nbytes:
            self._copies.append((source, target))

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
                    arrays += (row.starts, row.starts + gaps(row.pos))
            points = np.array(sorted(edges), np.int64)
            self._points.append(distinct(np.concatenate([points, *arrays])) if arrays else points)
        for region in self.fine:
            starts = region.layout.bytes()[:: region.layout.item]
            self._add(region.storage, starts)
            self._add(region.storage, starts + region.layout.item)
        self._level()
        for storage, regions, points in zip(self.storages, self._of_storage, self._points, strict=True):
            storage.base = self.size
            self._cut(regions, points, self.size)
            self.size += max(len(points) - 1, 0)
            if self.size > MAX_RUNS:
                raise TooFine
        return np.full(self.size, UNKNOWN, np.int64)

    def cell_lengths(self) -> Array:
        """Bytes of each cell, once the memory is sealed: int64 [cells]."""
        return np.concatenate([gaps(points) for points in self._points]) if self._points else np.zeros(0, np.int64)

    def _add(self, storage: ByteStorage, points: Array) -> Array:
        """Cuts a storage; which of the points are new, in order."""
        known = self._points[storage.number]
        if not len(points) or not len(known):
            return points[:0]
        points = distinct(points)
        at = known.searchsorted(points)
        new = known[np.minimum(at, len(known) - 1)] != points
        points = points[new]
        if len(points):
            self._points[storage.number] = np.insert(known, at[new], points)
        return points

    def _level(self) -> None:
        """Cuts both sides of each copy where one of them is cut. The cuts of a side go to the other one; what is new
        there goes on to the other side of each copy that reaches there, until nothing is new. It does not go back where
        it came from, unless it cuts a byte there that is several elements."""
        copies = [(source, target) for source, target in self._copies if source.row.nbytes]
        sides = [(one, other, n) for n, (a, b) in enumerate(copies) for one, other in ((a, b), (b, a))]
        sides.sort(key=lambda side: side[0].row.first < 0)  # those of many pieces, which cut most, send once
        longest = max((one.high - one.low for one, _, _ in sides), default=0)
        by_low = sorted((one.storage.number, one.low, number) for number, (one, _, _) in enumerate(sides))
        fresh: dict[int, list[Array] | None] = dict.fromkeys(range(len(sides)))  # None: all cuts there are
        turns = 0
        while fresh:
            turns += 1
            if turns > ROUNDS * len(sides):
                self._grid(copies, {sides[number][0].storage.number for number in fresh})
                return
            number = next(iter(fresh))
            points, (one, other, copy) = fresh.pop(number), sides[number]
            if points is None:
                cuts = np.concatenate((_inside(one.row, self._points[one.storage.number]), one.row.pos[1:-1]))
            else:
                cuts = _inside(one.row, points[0] if len(points) == 1 else distinct(np.concatenate(points)))
            new = self._add(other.storage, locate(other.row, cuts)) if len(cuts) else NONE
            if not len(new):
                continue
            low, high, storage = int(new[0]), int(new[-1]), other.storage.number
            begin, end = (bisect_left(by_low, (storage, at)) for at in (low - longest, high))
            for _, _, number in by_low[begin:end]:
                reached, _, owner = sides[number]
                if reached.high <= low or (owner == copy and (reached.row.first >= 0 or reached.layout.injective)):
                    continue
                waiting = fresh.setdefault(number, [])
                if waiting is not None:
                    waiting.append(new)

    def _grid(self, copies: Sequence[tuple[CellRegion, CellRegion]], reached: set[int]) -> None:
        """Cuts what is copied from and to the storages `reached`, directly or not, evenly: at all multiples of what all
        cuts there are multiples of. No copy makes another cut then.

        Raises:
            TooFine: there are too many.
        """
        before = 0
        while len(reached) != before:
            before = len(reached)
            for sides in copies:
                numbers = {region.storage.number for region in sides}
                if numbers & reached:
                    reached |= numbers
        regions = [region for sides in copies for region in sides if region.storage.number in reached]
        step = int(np.gcd.reduce(np.concatenate([self._points[number] for number in reached])))
        for number in reached:
            spans = sorted((region.low, region.high) for region in regions if region.storage.number == number)
            grid, end = [self._points[number]], 0
            for low, high in spans:
                low, end = max(low, end), max(high, end)
                if (high - low) // step > MAX_RUNS:
                    raise TooFine
                grid.append(np.arange(low, high, step, dtype=np.int64))
            self._points[number] = distinct(np.concatenate(grid))

    @staticmethod
    def _cut(regions: Sequence[CellRegion], points: Array, base: int) -> None:
        plain = [r for r in regions if r.row.first >= 0 and r.row.nbytes]
        if len(points) == 2:  # the storage is one cell, and each region all of it
            for region in plain:
                region.cells, region.cell = slice(base, base + 1), base
            plain = []
        lows = points.searchsorted([r.low for r in plain]).tolist() if plain else []
        highs = points.searchsorted([r.high for r in plain]).tolist() if plain else []
        for region, low, high in zip(plain, lows, highs, strict=True):
            region.cells = slice(base + low, base + high)
            if high == low + 1:
                region.cell = base + low
            else:
                region.pos = points[low:high] - region.low
                region.lengths = gaps(points[low : high + 1])
        for region in regions:
            if region.row.first >= 0 or not region.row.nbytes:
                continue
            starts, lengths = region.row.starts, gaps(region.row.pos)
            low = _in_turn(points, region.row)
            first = points.searchsorted(starts) if low < 0 else low + 2 * np.arange(len(starts))
            more = NONE if low >= 0 else np.flatnonzero(points[first + 1] != starts + lengths)
            if not len(more):  # a cell for each piece
                region.cells, region.pos, region.lengths = base + first, region.row.pos[:-1], lengths
                continue
            counts = np.ones(len(starts), np.int64)
            counts[more] = points.searchsorted((starts + lengths)[more]) - first[more]
            index = spread(first, counts)
            region.cells = base + index
            region.pos = points[index] + np.repeat(region.row.pos[:-1] - starts, counts)
            region.lengths = points[index + 1] - points[index]


def _in_turn(points: Array, row: Row) -> int:
    """The number of the point that is the start of the first piece, where from there on points are starts and ends of
    pieces in turn, and no other; else -1."""
    starts = row.starts
    low = int(points.searchsorted(starts[0]))
    high = low + 2 * len(starts)
    if high > len(points) or not (points[low:high:2] == starts).all():
        return -1
    return low if (points[low + 1 : high : 2] == starts + gaps(row.pos)).all() else -1


def _inside(row: Row, points: Array) -> Array:
    """The bytes of a value that points on the line, in order, cut it at: those inside its pieces."""
    if row.first >= 0:
        low, high = points.searchsorted((row.first + 1, row.first + row.nbytes))
        return points[low:high] - row.first
    starts, pos = row.starts, row.pos
    if not len(points):
        return NONE
    if len(points) < len(starts) and row.ascends:
        piece = starts.searchsorted(points, "right") - 1
        inner = points - starts[piece]
        keep = (piece >= 0) & (inner > 0) & (inner < gaps(pos)[piece])
        return (pos[piece] + inner)[keep]
    if _in_turn(points, row) >= 0:
        return NONE
    ends, low = starts + gaps(pos), points.searchsorted(starts, "right")
    cut = np.flatnonzero((points.take(low, mode="clip") < ends) & (low < len(points)))
    low = low[cut]
    counts = points.searchsorted(ends[cut]) - low
    return points[spread(low, counts)] - np.repeat((starts - pos[:-1])[cut], counts)


def write(state: State, region: CellRegion, row: Row) -> None:
    """The region now holds `row`; unknown where a cell would hold pieces of it."""
    if not row.nbytes:
        return
    if region.cell >= 0:
        state[region.cell] = row.first
    elif row.first >= 0:
        state[region.cells] = row.first + region.pos  # pyright: ignore[reportOperatorIssue]
    else:
        assert region.pos is not None and region.lengths is not None
        state[region.cells] = np.maximum(locate_pieces(row, region.pos, region.lengths), UNKNOWN)


def clear(state: State, region: CellRegion) -> None:
    """The region holds nothing of use."""
    state[region.cells] = UNKNOWN


def copy(state: State, source: CellRegion, target: CellRegion) -> None:
    """The target holds what the source does."""
    state[target.cells] = state[source.cells]


def find_mismatch(state: State, region: CellRegion, row: Row) -> tuple[int, int, int] | None:
    """The first bytes of the region that do not hold `row`: half-open range in the storage, and what they hold. None
    where all do."""
    if not row.nbytes:
        return None
    if region.cell >= 0:
        if state[region.cell] == row.first >= 0:
            return None
        return region.low, region.high, int(state[region.cell])
    assert region.pos is not None and region.lengths is not None
    want = locate_pieces(row, region.pos, region.lengths)
    have = state[region.cells]
    differ = np.flatnonzero(have != want)
    if not differ.size:
        return None
    at = int(differ[0])
    row_at = region.row.starts
    piece = int(np.searchsorted(region.row.pos, region.pos[at], "right")) - 1
    low = int(row_at[piece] + region.pos[at] - region.row.pos[piece])
    return low, low + int(region.lengths[at]), int(have[at])


def copied_cells_agree(source: CellRegion, target: CellRegion) -> bool:
    """Both sides of a copy fall into the same cells."""
    if source.pos is None or target.pos is None:
        return source.cell >= 0 and target.cell >= 0
    return len(source.pos) == len(target.pos) and bool((source.pos == target.pos).all())
