"""What every byte of every storage holds: the checker's state, and the meet of two states.

Bytes that no place tells apart are one *cell*: the ends of all places of a storage cut it into cells. A state is two
rows of int32 over the cells of all storages: an interned set of tokens, and the ops that wrote last, interned too;
both together are a *label*. A *token* stands for a value with bytes of its own; it is in the label of a cell where the
cell's bytes hold the current instance of that value's bytes there. As a value has one place, the token needs no offset.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import Block, Operation

from lastuse.dialect.ir.tensor_types import product
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.layout import Layout, Strided, Whole
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.byte_regions import ByteRegion, assign, cells_of, may_meet, per_unit
from lastuse.passes.checker.part_groups import PartRelations
from lastuse.passes.checker.runs import MAX_RUNS, Runs, TooFine, cells_between, distinct, runs_of
from lastuse.passes.checker.slices import bare, defining_blocks

State = np.ndarray
_NO_TOKENS: frozenset[int] = frozenset()
_NO_CELLS = np.array([], dtype=np.int64)


class Label(NamedTuple):
    """What a cell holds, a set of tokens, and its last writers: several ops where paths meet, none for a cell without a
    write. Both by number."""

    tokens: int
    writers: int


class StorageCells(NamedTuple):
    """The cells of a storage: the number of the first, and where in the storage they start; no points, where sizes
    are unknown."""

    first: int
    storage: Storage
    points: Sequence[int]


class LabelledMemory:
    """The regions of a function, the cells they fall into, and labels."""

    def __init__(self) -> None:
        self.tokens: list[frozenset[int]] = [_NO_TOKENS]
        self.writers: list[tuple[Operation, ...]] = [()]
        self.size = 0
        self.dead: set[int] = set()
        """Tokens that nothing requires from here on: cells that are given other ones need not hold them."""
        self._regions: dict[Hashable, ByteRegion | None] = {}
        self._of_storage: dict[Storage, list[ByteRegion]] = defaultdict(list)
        self._known: dict[frozenset[int], int] = {_NO_TOKENS: 0}
        self._known_writers: dict[tuple[Operation, ...], int] = {(): 0}
        self._joined: dict[tuple[int, int], int] = {}
        self._met: dict[tuple[int, int, int, int], Label] = {}
        self._cuts: list[StorageCells] = []
        self._parts: dict[Storage, PartRelations] = {}
        self._hulls: dict[int, np.ndarray | None] = {}
        """What writes to values ruin without their parts, by region."""
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
        """Cut every storage into cells; the state in which nothing holds anything.

        Raises:
            TooFine: a storage falls into too many cells.
        """
        for storage, every in self._of_storage.items():
            regions = [r for r in every if r.part is None]
            runs: Sequence[Runs | None] = [r.runs for r in regions]
            if None in runs:
                runs = per_unit(regions)
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
                self._place_parts(storage, regions, parts)
        return np.zeros((2, self.size), dtype=np.int32)

    def _cut(self, regions: list[ByteRegion], runs: list[Runs]) -> Sequence[int]:
        """Gives each region its cells. Returns where they start, and where the last one ends."""
        if all(r.starts is None for r in runs):
            points = sorted({p for r in runs for p in (r.low, r.high)})
            at = {p: self.size + i for i, p in enumerate(points)}
            for region, run in zip(regions, runs, strict=True):
                assign(region, at[run.low], at[run.high])
            return points
        if sum(r.number for r in runs) > MAX_RUNS:
            raise TooFine
        arrays = [r.arrays() for r in runs]
        points = distinct(np.concatenate([edge for pair in arrays for edge in pair]))
        total = 0
        for region, (starts, ends) in zip(regions, arrays, strict=True):
            if len(starts) == 1:
                assign(region, *(self.size + int(points.searchsorted(edge[0])) for edge in (starts, ends)))
                continue
            region.cells = self.size + cells_between(points, starts, ends, MAX_RUNS - total)
            total += len(region.cells)
        return points  # pyright: ignore[reportReturnType]

    def _whole_or_nothing(self, unknown: list[ByteRegion], regions: list[ByteRegion]) -> None:
        """Every region of unknown size is a cell of its own; a write to it ruins all `regions` of its storage that are
        not proved to be elsewhere, and a write to any of these ruins it."""
        for region in unknown:
            assign(region, self.size, self.size + 1)
            self.size += 1
        whole = set(map(id, unknown))
        for region in regions:
            others = regions if id(region) in whole else unknown
            ruined = [cells_of(r) for r in others if r is not region and may_meet(region, r)]
            region.clobbers = distinct(np.concatenate(ruined)) if ruined else None

    def _place_parts(self, storage: Storage, plain: Sequence[ByteRegion], parts: Sequence[ByteRegion]) -> None:
        """A cell for each part. What is written ruins every other cell that is not proved to be elsewhere."""
        for region in parts:
            assign(region, self.size, self.size + 1)
            self.size += 1
        self._parts[storage] = PartRelations(parts)
        # Of a hull, the values without parts alone: whether a part of it is ruined is asked of that part.
        self._hulls.update((id(region), region.clobbers) for region in plain)
        for region in (*plain, *parts):
            region.spreads = True

    def _settle(self, region: ByteRegion) -> None:
        """Compares a region with the parts of its storage: what they hold changes with what it holds."""
        inside, ruined = self._parts[region.storage].of(region)
        if region.clobbers is not None:
            ruined.append(region.clobbers)
        if region.hull is not None:
            spread = self._hulls.get(id(region.hull))
            ruined += [cells_of(region.hull)] + ([spread] if spread is not None else [])
        all_inside, all_ruined = np.concatenate([*inside, _NO_CELLS]), np.concatenate([*ruined, _NO_CELLS])
        region.inside = all_inside if all_inside.size else None
        region.clobbers = all_ruined if all_ruined.size else None
        region.spreads = False

    def renew(self, state: State, block: Block) -> None:
        """Index values that the block defines change: parts that depend on them hold what all around them holds."""
        renewed = self._renewed.get(block, ())
        held = [self._around(state, region, block) for region in renewed]
        for region, label in zip(renewed, held, strict=True):
            self._put(state, region.cell, label)

    def _around(self, state: State, region: ByteRegion, block: Block) -> Label:
        assert region.part is not None and region.hull is not None
        room = region.part.room
        while isinstance(room, RuntimeSlice) and block in defining_blocks(room):
            room = room.room
        held, written = (np.unique(row[region.hull.cells]) for row in state)
        tokens = frozenset[int].intersection(*(self.tokens[int(n)] for n in held))
        writers = tuple(dict.fromkeys(w for n in written for w in self.writers[int(n)]))
        if isinstance(room, RuntimeSlice) and (wider := self.region(region.storage, room)) is not None:
            tokens |= self.tokens[int(state[0, wider.cell])]
        return self.label(tokens, writers)

    def bytes_of(self, cell: int) -> tuple[Storage, tuple[int, int] | None]:
        """The storage of a cell, and its half-open byte range there, None where sizes are unknown."""
        first, storage, points = self._cuts[bisect_right(self._cuts, cell, key=lambda cells: cells.first) - 1]
        at = cell - first
        return storage, (int(points[at]), int(points[at + 1])) if len(points) else None

    # Labels and states

    def label(self, tokens: frozenset[int], writers: tuple[Operation, ...]) -> Label:
        """What a cell holds, and who wrote it."""
        number = self._known_writers.get(writers)
        if number is None:
            number = self._known_writers[writers] = len(self.writers)
            self.writers.append(writers)
        return Label(self._set(tokens), number)

    def _set(self, tokens: frozenset[int]) -> int:
        number = self._known.get(tokens)
        if number is None:
            number = self._known[tokens] = len(self.tokens)
            self.tokens.append(tokens)
        return number

    def _put(self, state: State, where: int | slice | np.ndarray, label: Label) -> None:
        state[0, where], state[1, where] = label

    def write(self, state: State, region: ByteRegion, label: Label) -> None:
        """Every byte of the region now holds what `label` says."""
        if region.spreads:
            self._settle(region)
        self._put(state, region.cell if region.cell >= 0 else region.cells, label)
        if region.inside is not None:
            self._put(state, region.inside, label)
        if region.clobbers is not None:
            self._put(state, region.clobbers, Label(0, label.writers))

    def add(self, state: State, region: ByteRegion, token: int) -> None:
        """Every byte of the region holds the value of `token` too."""
        if region.spreads:
            self._settle(region)
        if region.inside is not None:
            self._put_token(state, region.inside, token)
        if region.cell >= 0:
            state[0, region.cell] = self._with(int(state[0, region.cell]), token)
        else:
            self._put_token(state, region.cells, token)

    def _put_token(self, state: State, where: slice | np.ndarray, token: int) -> None:
        held = state[0, where]
        if (held == held[0]).all():
            state[0, where] = self._with(int(held[0]), token)
            return
        old, numbers = np.unique(held, return_inverse=True)
        state[0, where] = np.array([self._with(int(o), token) for o in old], dtype=np.int32)[numbers]

    def _with(self, held: int, token: int) -> int:
        key = (held, token)
        result = self._joined.get(key)
        if result is None:
            result = self._joined[key] = self._set((self.tokens[held] | {token}) - self.dead)
        return result

    def revive(self) -> None:
        """Every token may be required again."""
        if self.dead:
            self.dead.clear()
            self._joined.clear()

    def missing(self, state: State, region: ByteRegion, token: int) -> int:
        """The first cell of the region that does not hold the value of `token`; -1 if all do."""
        if region.cell >= 0:
            if token in self.tokens[state[0, region.cell]]:
                return -1
            return region.cell if region.hull is None or self.missing(state, region.hull, token) >= 0 else -1
        held = state[0, region.cells]
        if token in self.tokens[held[0]] and (held == held[0]).all():
            return -1
        bad = [number for number in distinct(held) if token not in self.tokens[number]]
        if not bad:
            return -1
        at = int(np.flatnonzero(np.isin(held, bad))[0])
        return region.cells.start + at if isinstance(region.cells, slice) else int(region.cells[at])

    def meet(self, a: State, b: State) -> bool:
        """Lower `a` to what both states hold; whether that took anything from it."""
        differ = np.flatnonzero(a[0] != b[0])
        if not differ.size:
            return False
        before = a[:, differ]
        after = np.array([self._meet(*map(int, cell)) for cell in zip(*before, *b[:, differ], strict=True)], np.int32)
        a[:, differ] = after.T
        return bool((after[:, 0] != before[0]).any())

    def _meet(self, one: int, writers: int, other: int, their_writers: int) -> Label:
        """The first label itself where nothing is lost: rounds of a loop then end."""
        key = (one, writers, other, their_writers)
        result = self._met.get(key)
        if result is None:
            tokens, others = self.tokens[one], self.tokens[other]
            if tokens <= others:
                result = Label(one, writers)
            elif others <= tokens:
                result = Label(other, their_writers)
            else:
                both = dict.fromkeys(self.writers[their_writers] + self.writers[writers])
                result = self.label(tokens & others, tuple(both))
            self._met[key] = result
        return result
