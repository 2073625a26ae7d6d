"""Regions: bytes of one storage, and which of them meet, or hold others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lastuse.dialect.ir.tensor_types import Dim, Poly
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.runs import Runs, difference, overlap
from lastuse.passes.checker.slices import is_apart, is_within


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
        spreads: the other parts of its storage tell what else a write to it ruins, when it is asked for.
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
    spreads: bool = False


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


def covers(region: ByteRegion, part: ByteRegion) -> bool:
    """Proved: every byte of `part`, some part of a value or a value without one, is in the region."""
    assert part.part is not None and part.hull is not None
    if region.part is not None:
        return not region.outside and is_within(part.part.room if part.outside else part.part, region.part)
    if region.runs is not None and part.hull.runs is not None:
        return difference(part.hull.runs, region.runs) is None
    if region.runs is not None and region.runs.number > 1:
        return False
    return is_at_most(region.low, part.hull.low) and is_at_most(part.hull.high, region.high)


def cells_of(region: ByteRegion) -> np.ndarray:
    """The numbers of all cells of a region."""
    return np.arange(region.cells.start, region.cells.stop) if isinstance(region.cells, slice) else region.cells


def assign(region: ByteRegion, low: int, high: int) -> None:
    region.cells = slice(low, high)
    region.cell = low if high == low + 1 else -1


def per_unit(regions: list[ByteRegion]) -> Sequence[Runs | None]:
    """Ranges as bytes per unit where every end in the storage is a multiple of one product of symbols."""
    ends = [e for r in regions for e in (r.low, r.high) if e != 0]
    units = {e.terms[0][0] if isinstance(e, Poly) and len(e.terms) == 1 else None for e in ends}
    if len(units) != 1 or None in units:
        return [r.runs for r in regions]
    return [Runs(_coefficient(r.low), _coefficient(r.high)) for r in regions]


def _coefficient(dim: Dim) -> int:
    return dim.terms[0][1] if isinstance(dim, Poly) else dim
