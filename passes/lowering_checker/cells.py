"""The bytes of a lowered function: its storages, the regions that steps use, and the cells that these fall into.

The bytes of a region are a few runs of its storage, in the order of addresses one after the other its *line*; its
elements may lie on the line in another order, as those of a transposed view do. Bytes that no line tells apart are one
cell, so a view of a whole storage, in whatever order, is one cell. A state has a code for each cell: of its first byte,
the others follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.checker.runs import MAX_RUNS, TooFine, cells_between, distinct
from lastuse.passes.lowering_checker.codes import UNKNOWN, Codes, Row
from lastuse.passes.lowering_checker.pieces import Array, align, gaps, pieces_of
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.strided_maps import flatten, line_of

State = Array
NONE = np.zeros(0, np.int64)


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
        low, high: the half-open range that holds all its bytes; nbytes: of its elements.
        starts, lengths: the runs of its line; None for one run, from `low` to `high`. Where runs overlap, those of the
            elements instead, in their order.
        order: where on the line each element is; inverse: which byte of the elements each byte of the line is. None
            where elements follow each other on the line; `inverse` also where a byte is several elements.
        cell: its only cell, or -1.
        cells: its cells in the order of the line.
        pos, sizes: the byte that each cell starts with, of those on the line or of the storage, and bytes of each cell;
            None for a single one.
    """

    storage: ByteStorage
    layout: Strided
    dtype: str
    low: int
    high: int
    nbytes: int
    starts: Array | None = None
    lengths: Array | None = None
    order: Strided | None = None
    inverse: Strided | None = None
    cell: int = -1
    cells: slice | Array = field(default_factory=lambda: slice(0, 0))
    pos: Array | None = None
    sizes: Array | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.layout.sizes

    def overlaps(self, other: CellRegion) -> bool:
        """Whether some byte is in both."""
        if self.storage is not other.storage or self.low >= other.high or other.low >= self.high:
            return False
        if self.starts is None and other.starts is None:
            return True
        return self.layout.overlaps(other.layout)

    def is_at(self, other: CellRegion) -> bool:
        """The same bytes in the same order."""
        return self is other or (self.storage is other.storage and self.is_place(other.layout))

    def is_place(self, layout: Strided) -> bool:
        """The same bytes, in the same order, as those of a map."""
        if not self.nbytes or not layout.elements:
            return self.nbytes == layout.nbytes
        return flatten(self.layout) == flatten(layout)


class CellMemory:
    """The regions of a lowered function. Made region by region, then sealed, and then asked what a state holds."""

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self.storages: list[ByteStorage] = []
        self.size = 0
        self._regions: dict[tuple[int, Strided, str], CellRegion] = {}
        self._of_storage: list[list[CellRegion]] = []
        self._points: list[Array] = []

    def storage(self, root: SSAValue, nbytes: int, written: bool, name: str) -> ByteStorage:
        """A new storage."""
        storage = ByteStorage(root, nbytes, written, name, len(self.storages))
        self.storages.append(storage)
        self._of_storage.append([])
        return storage

    def region(
        self, storage: ByteStorage, layout: Strided, dtype: str, span: tuple[int, int] | None = None
    ) -> CellRegion:
        """The bytes of a storage at `layout`; `span` is its span, where it is known.

        Raises:
            TooFine: they fall into too many pieces.
        """
        key = (storage.number, layout, dtype)
        region = self._regions.get(key)
        if region is None:
            low, high = layout.span if span is None else span
            region = self._regions[key] = CellRegion(storage, layout, dtype, low, high, layout.nbytes)
            if region.nbytes:
                _place(region)
                self._of_storage[storage.number].append(region)
        return region

    def seal(self) -> State:
        """Cuts the storages into cells; a state in which nothing holds anything.

        Raises:
            TooFine: there are too many.
        """
        for storage, regions in zip(self.storages, self._of_storage, strict=True):
            edges, arrays = {0, storage.nbytes}, list[Array]()
            for region in regions:
                if region.starts is None or region.lengths is None:
                    edges.add(region.low)
                    edges.add(region.high)
                else:
                    arrays += (region.starts, region.starts + region.lengths)
            points = np.array(sorted(edges), np.int64)
            points = distinct(np.concatenate([points, *arrays])) if arrays else points
            self._points.append(points)
            storage.base = self.size
            self._cut(regions, points, self.size)
            self.size += max(len(points) - 1, 0)
            if self.size > MAX_RUNS:
                raise TooFine
        return np.full(self.size, UNKNOWN, np.int64)

    def cell_lengths(self) -> Array:
        """Bytes of each cell, once the memory is sealed: int64 [cells]."""
        return np.concatenate([gaps(points) for points in self._points]) if self._points else NONE

    @staticmethod
    def _cut(regions: Sequence[CellRegion], points: Array, base: int) -> None:
        plain = [r for r in regions if r.starts is None]
        if len(points) == 2:  # the storage is one cell, and each region all of it
            for region in plain:
                region.cells, region.cell = slice(base, base + 1), base
            plain = []
        lows = points.searchsorted([r.low for r in plain]).tolist() if plain else []
        highs = points.searchsorted([r.high for r in plain]).tolist() if plain else []
        lengths = gaps(points)
        for region, low, high in zip(plain, lows, highs, strict=True):
            region.cells = slice(base + low, base + high)
            if high == low + 1:
                region.cell = base + low
            else:
                region.pos, region.sizes = points[low:high], lengths[low:high]
        for region in regions:
            if region.starts is None or region.lengths is None:
                continue
            index = cells_between(points, region.starts, region.starts + region.lengths)
            region.cells, region.sizes = base + index, lengths[index]
            region.pos = np.cumsum(region.sizes) - region.sizes

    # What a state holds

    def write(self, state: State, region: CellRegion, row: Row) -> None:
        """The region now holds `row`."""
        if region.nbytes != row.nbytes or (region.order is not None and region.inverse is None):
            raise Mismatch(f"{row.nbytes} bytes are not written to a place of {region.nbytes}")
        if row.nbytes:
            state[region.cells] = self._line(region, row)

    def _line(self, region: CellRegion, row: Row) -> int | Array:
        """The codes of the cells of a region that holds `row`."""
        first = row.first
        if region.inverse is not None:
            first = self.codes.strided(region.inverse.shifted(first))
        return first if region.pos is None else first - region.pos[0] + region.pos

    def clear(self, state: State, region: CellRegion) -> None:
        """The region holds nothing of use."""
        state[region.cells] = UNKNOWN

    def read(self, state: State, region: CellRegion) -> Row:
        """What a region holds, in the order of its elements."""
        if not region.nbytes:
            return Row(0, 0)
        first = int(state[region.cell]) if region.cell >= 0 else self._held(state, region)
        if first < 0:
            return Row(region.nbytes, UNKNOWN)
        if region.order is None:
            return Row(region.nbytes, self.codes.normal(first, region.nbytes))
        return Row(region.nbytes, self.codes.strided(region.order.shifted(first)))

    def _held(self, state: State, region: CellRegion) -> int:
        """The codes on the line of a region of several cells."""
        assert region.pos is not None and region.sizes is not None
        have = state[region.cells]
        first = int(have[0])
        if (have == first - region.pos[0] + region.pos).all():
            return first
        return self.codes.joined(have, region.sizes)

    def find_mismatch(self, state: State, region: CellRegion, row: Row) -> tuple[int, int, int] | None:
        """The first bytes of the region that do not hold `row`: half-open range in the storage, and what they hold.
        None where all do.

        Raises:
            TooFine: they fall into too many pieces to be compared.
        """
        if region.nbytes != row.nbytes:
            raise Mismatch(f"{row.nbytes} bytes are not read from a place of {region.nbytes}")
        if not row.nbytes:
            return None
        if (region.order is None or region.inverse is not None) and row.first >= 0:
            have, want = state[region.cells], self._line(region, row)
            if (have == want).all():
                return None
        held = self.read(state, region)
        if held.first < 0:
            return region.low, region.high, UNKNOWN
        first = self.codes.normal(row.first, row.nbytes)
        if held.first == first:
            return None
        if self.codes.is_block(held.first) and self.codes.is_block(first):
            low, length = _address(region.layout, 0)
            return low, low + min(length, region.nbytes), held.first
        pos, (have, want) = align([self.codes.row_pieces(held), self.codes.row_pieces(row)])
        (differ,) = np.nonzero((have != want) | (want < 0))
        if not len(differ):
            return None
        at = int(differ[0])
        low, length = _address(region.layout, int(pos[at]))
        return low, low + min(length, int(pos[at + 1] - pos[at])), int(have[at])


def _place(region: CellRegion) -> None:
    """Where the line of a region lies."""
    offset, runs, _ = flatten(region.layout)
    if not runs:
        region.low, region.high = offset, offset + region.nbytes
        return
    line = line_of(region.layout)
    if line is None:
        pieces = pieces_of(region.layout)
        region.starts, region.lengths = pieces.starts, gaps(pieces.pos)
        return
    region.order, region.inverse = line.order, line.inverse
    if len(line.starts) > 1:
        region.starts, region.lengths = line.starts, np.full(len(line.starts), line.run, np.int64)


def _address(layout: Strided, byte: int) -> tuple[int, int]:
    """Where a byte of a value lies, and how many follow it there."""
    offset, runs, length = flatten(layout)
    number, inner = divmod(byte, length)
    address = offset + inner
    for size, stride in reversed(runs):
        number, index = divmod(number, size)
        address += index * stride
    return address, length - inner
