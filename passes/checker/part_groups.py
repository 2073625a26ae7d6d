"""How the parts of one storage lie to each other, whose offsets are known at run time only.

Most parts are parts of one value, and begin at the same sum of index values but for a constant. Which of them are apart
from one of these is a comparison of arrays; other pairs are compared one by one (`may_meet`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.storage.index_arithmetic import SliceBounds
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.apart import MOST, IndexSum, bound_of, ends_of, open_terms
from lastuse.passes.checker.byte_regions import ByteRegion, covers, may_meet

_Terms = Mapping[SSAValue, int]


class _Ends:
    """Where slices begin, or where they end, along one axis: which sum of values each is, by number, and the constant.
    Slices of which nothing is known have the number -1."""

    def __init__(self, ends: Sequence[IndexSum | None]) -> None:
        numbers: dict[frozenset[tuple[SSAValue, int]], int] = {}
        opened: dict[frozenset[tuple[SSAValue, int]], int] = {}
        self.terms: list[_Terms] = []
        self.open: list[int] = []
        """By sum, its terms that have no bounds, by number."""
        self.names: list[frozenset[tuple[SSAValue, int]]] = []
        sums = np.full(len(ends), -1, dtype=np.int64)
        self.constants = np.zeros(len(ends), dtype=np.int64)
        for n, end in enumerate(ends):
            if end is not None:
                key = frozenset(end.terms.items())
                if key not in numbers:
                    numbers[key] = len(self.terms)
                    self.terms.append(end.terms)
                    name = open_terms(end.terms)
                    self.open.append(opened.setdefault(name, len(opened)))
                    if len(opened) > len(self.names):
                        self.names.append(name)
                sums[n], self.constants[n] = numbers[key], end.constant
        self.sums = sums
        self.by_name: dict[frozenset[tuple[SSAValue, int]], list[int]] = {name: [] for name in self.names}
        for number, at in enumerate(self.open):
            self.by_name[self.names[at]].append(number)

    def bounds(self, terms: _Terms, factor: int) -> tuple[np.ndarray, np.ndarray]:
        """By slice, a lower bound of `factor` times what its sum is more than `terms`, without constants, and whether
        there is one."""
        found = np.zeros(len(self.terms) + 1, dtype=np.int64)
        is_bound = np.zeros(len(self.terms) + 1, dtype=bool)
        for number in self.by_name.get(open_terms(terms), ()):
            pair = (self.terms[number], terms) if factor > 0 else (terms, self.terms[number])
            bound = bound_of(*pair)
            if bound is not None:
                found[number], is_bound[number] = bound, True
        return found[self.sums], is_bound[self.sums]


class PartGroup:
    """Slices of values in one place, whose bounds count along the same axes."""

    def __init__(self, slices: Sequence[SliceBounds]) -> None:
        self.count = len(slices)
        ends = [ends_of(bounds) for bounds in slices]
        self.ends = ends
        axes = range(len(ends[0]))
        self.axes = [(_Ends([e[k][0] for e in ends]), _Ends([e[k][1] for e in ends])) for k in axes]

    def apart_from(self, number: int) -> np.ndarray:
        """By slice, whether it is proved to have no element in common with the one of that number."""
        found = np.zeros(self.count, dtype=bool)
        for (starts, ends), (start, end) in zip(self.axes, self.ends[number], strict=True):
            for others, own, factor in ((starts, end, 1), (ends, start, -1)):
                if own is not None:
                    bound, is_bound = others.bounds(own.terms, factor)
                    distance = bound + factor * (others.constants - own.constant)
                    found |= is_bound & (distance > 0) & (distance <= MOST)
        return found


class _Cells(NamedTuple):
    """A group, the cells of its parts and of the values without one of these, for each part the number of the first one
    of the same hull, and all regions that are neither."""

    group: PartGroup
    parts: np.ndarray
    outside: np.ndarray
    hulls: np.ndarray
    others: Sequence[ByteRegion]


class PartRelations:
    """All parts of one storage, and values without a part, each a region with one cell."""

    def __init__(self, regions: Sequence[ByteRegion]) -> None:
        self.regions = regions
        self._groups: dict[object, list[ByteRegion]] = {}
        self._numbers: dict[RuntimeSlice | None, int] = {}
        """By part, its number in its group."""
        self._outside = {region.part: region.cell for region in regions if region.outside}
        self._made: dict[object, _Cells] = {}
        for region in regions:
            key = _group_of(region)
            if key is not None and not region.outside:
                members = self._groups.setdefault(key, [])
                self._numbers[region.part] = len(members)
                members.append(region)

    def of(self, region: ByteRegion) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The cells of parts that are all inside of a region, and those of others that it may meet."""
        key = _group_of(region)
        if key not in self._groups or region.part not in self._numbers:
            return self._compared(region, self.regions)
        if key not in self._made:
            self._made[key] = self._cells_of(key)
        cells, number = self._made[key], self._numbers[region.part]
        # All around one part meets each other one, and all around that.
        meets = np.ones(len(cells.parts), dtype=bool) if region.outside else ~cells.group.apart_from(number)
        meets[number] = False
        for n in np.unique(cells.hulls[meets]) if not region.outside else ():
            first = self._groups[key][n]
            if first.hull is not region.hull and not may_meet(first.hull or first, region.hull or region):
                meets &= cells.hulls != n
        inside, ruined = self._compared(region, cells.others)
        own = self._outside.get(region.part, -1)
        return inside, [*ruined, cells.parts[meets], cells.outside[cells.outside != own]]

    def _cells_of(self, key: object) -> _Cells:
        members, first = self._groups[key], dict[int, int]()
        alike = [_group_of(region) == key for region in self.regions]
        outside = [r.cell for r, same in zip(self.regions, alike, strict=True) if same and r.outside]
        return _Cells(
            PartGroup([r.part.bounds for r in members if r.part is not None]),
            np.array([r.cell for r in members], dtype=np.int64),
            np.array(outside, dtype=np.int64),
            np.array([first.setdefault(id(r.hull), n) for n, r in enumerate(members)], dtype=np.int64),
            [r for r, same in zip(self.regions, alike, strict=True) if not same],
        )

    def _compared(self, region: ByteRegion, others: Sequence[ByteRegion]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        inside: list[int] = []
        ruined: list[int] = []
        for other in others:
            if other is not region:
                if covers(region, other):
                    inside.append(other.cell)
                elif may_meet(region, other):
                    ruined.append(other.cell)
        return [np.array(inside, dtype=np.int64)], [np.array(ruined, dtype=np.int64)]


def _group_of(region: ByteRegion) -> object:
    """What regions share that are compared as arrays; None for one that is part of a part."""
    part = region.part
    if part is None or part.units is None or isinstance(part.room, RuntimeSlice):
        return None
    return part.room, part.units, part.item, len(part.bounds.offsets)
