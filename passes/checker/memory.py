"""What every byte of every storage holds: the checker's state, and the meet of two states.

Bytes that no place tells apart are one *cell*: the ends of all places of a storage cut it into cells. A state is one
int32 array over the cells of all storages; an entry is a *label*, an interned set of tokens with the op that wrote
last. A *token* stands for a value with bytes of its own; it is in the label of a cell where the cell's bytes hold the
current instance of that value's bytes there. As a value has one place, the token needs no offset.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from xdsl.ir import Block, Operation

from lastuse.dialect.ir.tensor_types import Dim, Poly, product
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.layout import Layout, Strided, Whole
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.runs import MAX_RUNS, Runs, TooFine, difference, distinct, overlap, runs_of
from lastuse.passes.checker.slices import bare, defining_blocks, is_apart, is_within

State = np.ndarray
_NO_TOKENS: frozenset[int] = frozenset()


class Label(NamedTuple):
    """What a cell holds, and its last writers: several ops where paths meet, none for a cell without a write."""

    tokens: frozenset[int]
    writers: tuple[Operation, ...] = ()


@dataclass(eq=False, slots=True)
class ByteRegion:
    """Bytes of one storage, and, once the memory is sealed, its cells.

    Attributes:
        storage: where.
        low, high: the half-open range of bytes that holds all of them; a size may be unknown.
        runs: the bytes, None where a size is unknown.
        cell: its only cell, or -1.
        cells: all of its cells.
        clobbers: cells that a write to it ruins besides its own, where sizes or offsets are unknown.
        part: it is some part of a value, known at run time only; `outside`: instead, the value without that part.
        hull: of such a region, what it is some bytes of.
        inside: cells of parts of it.
    """

    storage: Storage
    low: Dim
    high: Dim
    runs: Runs | None
    cell: int = -1
    cells: slice | np.ndarray = field(default_factory=lambda: slice(0, 0))
    clobbers: np.ndarray | None = None
    part: RuntimeSlice | None = None
    outside: bool = False
    hull: ByteRegion | None = None
    inside: np.ndarray | None = None


class StorageCells(NamedTuple):
    """The cells of a storage: the number of the first, and where in the storage they start; no points, where sizes
    are unknown."""

    first: int
    storage: Storage
    points: Sequence[int]


def is_at_most(a: Dim, b: Dim) -> bool:
    """Proved: a <= b for all values of the symbols, which are not negative. Coefficient by coefficient."""
    gap = b - a
    return gap >= 0 if isinstance(gap, int) else all(c >= 0 for _, c in gap.terms)


def may_meet(a: ByteRegion, b: ByteRegion) -> bool:
    """Whether two regions may share a byte; exact for known sizes, true where nothing is proved."""
    if a.storage != b.storage:
        return False
    if a.part is not None or b.part is not None:
        return may_meet(a.hull or a, b.hull or b) and not _are_apart(a, b)
    if a.runs is not None and b.runs is not None:
        return overlap(a.runs, b.runs)
    return not (is_at_most(a.high, b.low) or is_at_most(b.high, a.low))


def _are_apart(a: ByteRegion, b: ByteRegion) -> bool:
    """Proved of parts, or of values without a part, that share a hull."""
    if a.part is None or b.part is None or a.outside and b.outside:
        return False
    if a.outside or b.outside:
        hole, other = (a.part, b.part) if a.outside else (b.part, a.part)
        return is_within(other, hole)
    return is_apart(a.part, b.part)


def _covers(region: ByteRegion, part: ByteRegion) -> bool:
    """Proved: every byte of `part`, some part of a value or a value without one, is in the region."""
    assert part.part is not None and part.hull is not None
    if region.part is not None:
        return not region.outside and is_within(part.part.room if part.outside else part.part, region.part)
    if region.runs is not None and part.hull.runs is not None:
        return difference(part.hull.runs, region.runs) is None
    if region.runs is not None and region.runs.number > 1:
        return False
    return is_at_most(region.low, part.hull.low) and is_at_most(part.hull.high, region.high)


class LabelledMemory:
    """The regions of a function, the cells they fall into, and labels."""

    def __init__(self) -> None:
        self.labels: list[Label] = [Label(_NO_TOKENS)]
        self.size = 0
        self._regions: dict[Hashable, ByteRegion | None] = {}
        self._of_storage: dict[Storage, list[ByteRegion]] = defaultdict(list)
        self._known: dict[Label, int] = {self.labels[0]: 0}
        self._joined: dict[tuple[int, int], int] = {}
        self._met: dict[tuple[int, int], int] = {}
        self._cuts: list[StorageCells] = []
        self._renewed: dict[Block, list[ByteRegion]] = defaultdict(list)
        """By block, the parts that depend on index values that it defines."""

    # Regions

    def region(self, storage: Storage, layout: Layout) -> ByteRegion | None:
        """The bytes at `layout`; None where there are none.

        Raises:
            TooFine: the layout falls into too many runs.
        """
        if isinstance(layout, Strided):
            key: Hashable = (storage, layout)
            known = self._regions.get(key)
            if known is None:
                runs = runs_of(layout)
                known = self._regions[key] = self.of_runs(storage, runs) if runs is not None else None
            return known
        if isinstance(layout, RuntimeSlice):
            return self.part(storage, layout, outside=False)
        assert isinstance(layout, Whole)
        low, high = layout.offset, layout.offset + product(layout.shape) * layout.item
        key = (storage, low, high)
        if key not in self._regions:
            self._regions[key] = self._add(ByteRegion(storage, low, high, None)) if low != high else None
        return self._regions[key]

    def part(self, storage: Storage, part: RuntimeSlice, outside: bool) -> ByteRegion | None:
        """The bytes of a part; or those `outside` of it, of the value that it is a part of."""
        part = bare(part)
        key = (storage, part, outside)
        if key not in self._regions:
            room = self.region(storage, part.room)
            hull = room.hull or room if outside and room is not None else self.region(storage, part.hull)
            if room is None or hull is None:
                self._regions[key] = None
                return None
            region = ByteRegion(storage, hull.low, hull.high, None, part=part, outside=outside, hull=hull)
            self._regions[key] = self._add(region)
            for block in defining_blocks(part):
                self._renewed[block].append(region)
        return self._regions[key]

    def of_runs(self, storage: Storage, runs: Runs) -> ByteRegion:
        """The bytes `runs` of a storage."""
        return self._add(ByteRegion(storage, runs.low, runs.high, runs))

    def _add(self, region: ByteRegion) -> ByteRegion:
        self._of_storage[region.storage].append(region)
        return region

    def seal(self) -> State:
        """SliceBounds every storage into cells; the state in which nothing holds anything.

        Raises:
            TooFine: a storage falls into too many cells.
        """
        for storage, every in self._of_storage.items():
            regions = [r for r in every if r.part is None]
            runs: Sequence[Runs | None] = [r.runs for r in regions]
            if None in runs:
                runs = _per_unit(regions)
            known = [(region, run) for region, run in zip(regions, runs, strict=True) if run is not None]
            unknown = [region for region, run in zip(regions, runs, strict=True) if run is None]
            if known:
                cut = self._cut([region for region, _ in known], [run for _, run in known])
                points = () if any(region.runs is None for region, _ in known) else cut
                self._cuts.append(StorageCells(self.size, storage, points))
                self.size += len(cut) - 1
            if unknown:
                self._cuts.append(StorageCells(self.size, storage, ()))
                self._whole_or_nothing(unknown, regions)
            parts = [r for r in every if r.part is not None]
            if parts:
                self._cuts.append(StorageCells(self.size, storage, ()))
                self._place_parts(regions, parts)
        return np.zeros(self.size, dtype=np.int32)

    def _cut(self, regions: list[ByteRegion], runs: list[Runs]) -> Sequence[int]:
        """Gives each region its cells. Returns where they start, and where the last one ends."""
        if all(r.starts is None for r in runs):
            points = sorted({p for r in runs for p in (r.low, r.high)})
            at = {p: self.size + i for i, p in enumerate(points)}
            for region, run in zip(regions, runs, strict=True):
                _assign(region, at[run.low], at[run.high])
            return points
        if sum(r.number for r in runs) > MAX_RUNS:
            raise TooFine
        arrays = [r.arrays() for r in runs]
        points = distinct(np.concatenate([edge for pair in arrays for edge in pair]))
        total = 0
        for region, (starts, ends) in zip(regions, arrays, strict=True):
            first, last = np.searchsorted(points, starts), np.searchsorted(points, ends)
            if len(first) == 1:
                _assign(region, self.size + int(first[0]), self.size + int(last[0]))
                continue
            counts = last - first
            total += int(counts.sum())
            if total > MAX_RUNS:
                raise TooFine
            # first[0], first[0] + 1, …, last[0] - 1, first[1], …
            jumps = np.repeat(first - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
            region.cells = self.size + jumps + np.arange(len(jumps))
        return points  # pyright: ignore[reportReturnType]

    def _whole_or_nothing(self, unknown: list[ByteRegion], regions: list[ByteRegion]) -> None:
        """Every region of unknown size is a cell of its own; a write to it ruins all `regions` of its storage that are
        not proved to be elsewhere, and a write to any of these ruins it."""
        for region in unknown:
            _assign(region, self.size, self.size + 1)
            self.size += 1
        whole = set(map(id, unknown))
        for region in regions:
            others = regions if id(region) in whole else unknown
            ruined = [_cells_of(r) for r in others if r is not region and may_meet(region, r)]
            region.clobbers = distinct(np.concatenate(ruined)) if ruined else None

    def _place_parts(self, plain: Sequence[ByteRegion], parts: Sequence[ByteRegion]) -> None:
        """A cell for each part. What is written ruins every other cell that is not proved to be elsewhere."""
        for region in parts:
            _assign(region, self.size, self.size + 1)
            self.size += 1
        # Of a hull, the values without parts alone: whether a part of it is ruined is asked of that part.
        spreads = {id(region): self._spread(region.hull) for region in parts}
        for region in (*plain, *parts):
            others = [p for p in parts if p is not region]
            inside = [p.cell for p in others if _covers(region, p)]
            ruined = [p.cell for p in others if p.cell not in inside and may_meet(region, p)]
            region.inside = np.array(inside, dtype=np.int64) if inside else None
            for spread in (region.clobbers, *spreads.get(id(region), ())):
                if spread is not None:
                    ruined.extend(map(int, spread))
            region.clobbers = np.array(ruined, dtype=np.int64) if ruined else None

    def _spread(self, hull: ByteRegion | None) -> Sequence[np.ndarray | None]:
        """The cells that a write somewhere in a region ruins."""
        if hull is None:
            return ()
        return _cells_of(hull), hull.clobbers

    def renew(self, state: State, block: Block) -> None:
        """Index values that the block defines change: parts that depend on them hold what all around them holds."""
        renewed = self._renewed.get(block, ())
        held = [self._around(state, region, block) for region in renewed]
        for region, label in zip(renewed, held, strict=True):
            state[region.cell] = label

    def _around(self, state: State, region: ByteRegion, block: Block) -> int:
        assert region.part is not None and region.hull is not None
        room = region.part.room
        while isinstance(room, RuntimeSlice) and block in defining_blocks(room):
            room = room.room
        labels = [self.labels[int(n)] for n in np.unique(state[region.hull.cells])]
        tokens = frozenset[int].intersection(*(label.tokens for label in labels))
        writers = tuple(dict.fromkeys(w for label in labels for w in label.writers))
        if isinstance(room, RuntimeSlice) and (wider := self.region(region.storage, room)) is not None:
            tokens |= self.labels[int(state[wider.cell])].tokens
        return self.label(tokens, writers)

    def bytes_of(self, cell: int) -> tuple[Storage, tuple[int, int] | None]:
        """The storage of a cell, and its half-open byte range there, None where sizes are unknown."""
        first, storage, points = self._cuts[bisect_right(self._cuts, cell, key=lambda cells: cells.first) - 1]
        at = cell - first
        return storage, (int(points[at]), int(points[at + 1])) if len(points) else None

    # Labels and states

    def label(self, tokens: frozenset[int], writers: tuple[Operation, ...]) -> int:
        """The number of a label."""
        label = Label(tokens, writers)
        number = self._known.get(label)
        if number is None:
            number = self._known[label] = len(self.labels)
            self.labels.append(label)
        return number

    def write(self, state: State, region: ByteRegion, label: int) -> None:
        """Every byte of the region now holds what `label` says."""
        state[region.cell if region.cell >= 0 else region.cells] = label
        if region.inside is not None:
            state[region.inside] = label
        if region.clobbers is not None:
            state[region.clobbers] = self.label(_NO_TOKENS, self.labels[label].writers)

    def add(self, state: State, region: ByteRegion, token: int) -> None:
        """Every byte of the region holds the value of `token` too."""
        for cell in region.inside if region.inside is not None else ():
            state[cell] = self._with(int(state[cell]), token)
        if region.cell >= 0:
            state[region.cell] = self._with(int(state[region.cell]), token)
            return
        old, where = np.unique(state[region.cells], return_inverse=True)
        state[region.cells] = np.array([self._with(int(o), token) for o in old], dtype=np.int32)[where]

    def _with(self, label: int, token: int) -> int:
        key = (label, token)
        result = self._joined.get(key)
        if result is None:
            tokens, writers = self.labels[label]
            result = self._joined[key] = self.label(tokens | {token}, writers)
        return result

    def missing(self, state: State, region: ByteRegion, token: int) -> int:
        """The first cell of the region that does not hold the value of `token`; -1 if all do."""
        if region.cell >= 0:
            if token in self.labels[state[region.cell]].tokens:
                return -1
            return region.cell if region.hull is None or self.missing(state, region.hull, token) >= 0 else -1
        labels = state[region.cells]
        if token in self.labels[labels[0]].tokens and (labels == labels[0]).all():
            return -1
        bad = [label for label in distinct(labels) if token not in self.labels[label].tokens]
        if not bad:
            return -1
        at = int(np.flatnonzero(np.isin(labels, bad))[0])
        return region.cells.start + at if isinstance(region.cells, slice) else int(region.cells[at])

    def meet(self, a: State, b: State) -> bool:
        """Lower `a` to what both states hold; whether that took anything from it."""
        differ = np.flatnonzero(a != b)
        if not differ.size:
            return False
        pairs, where = np.unique(a[differ].astype(np.int64) << 32 | b[differ], return_inverse=True)
        met = np.array([self._meet(int(p >> 32), int(p & 0xFFFFFFFF)) for p in pairs], dtype=np.int32)[where]
        changed = bool((met != a[differ]).any())
        a[differ] = met
        return changed

    def _meet(self, a: int, b: int) -> int:
        """`a` itself where nothing is lost: rounds of a loop then end."""
        key = (a, b)
        result = self._met.get(key)
        if result is None:
            (tokens, writers), (others, their_writers) = self.labels[a], self.labels[b]
            if tokens <= others:
                result = a
            elif others <= tokens:
                result = self.label(others, their_writers)
            else:
                result = self.label(tokens & others, tuple(dict.fromkeys(their_writers + writers)))
            self._met[key] = result
        return result


def _cells_of(region: ByteRegion) -> np.ndarray:
    """The numbers of all cells of a region."""
    return np.arange(region.cells.start, region.cells.stop) if isinstance(region.cells, slice) else region.cells


def _assign(region: ByteRegion, low: int, high: int) -> None:
    region.cells = slice(low, high)
    region.cell = low if high == low + 1 else -1


def _per_unit(regions: list[ByteRegion]) -> Sequence[Runs | None]:
    """Ranges as bytes per unit where every end in the storage is a multiple of one product of symbols."""
    ends = [e for r in regions for e in (r.low, r.high) if e != 0]
    units = {e.terms[0][0] if isinstance(e, Poly) and len(e.terms) == 1 else None for e in ends}
    if len(units) != 1 or None in units:
        return [r.runs for r in regions]
    return [Runs(_coefficient(r.low), _coefficient(r.high)) for r in regions]


def _coefficient(dim: Dim) -> int:
    return dim.terms[0][1] if isinstance(dim, Poly) else dim
