"""Codes: names of bytes, one number a byte.

The results of a kernel, the arguments and the constants have codes of their own, one after the other: a *block*. Bytes
that are moved keep their codes, so a value is a sequence of codes: of pieces, or in another order. Each sequence that a
program makes gets a *range* of numbers as well, which stand for its codes one by one: what a value or a cell holds is
one number, however many pieces there are. Ranges are

* **strided**: the elements of a map over one block or range. A transpose of a transpose is one map; the identity is the
  codes themselves.
* **joined**: pieces of blocks and ranges, one after the other.

A range is found again by what it is made of, so the same bytes, moved in two ways, mostly have the same numbers. Where
two ranges differ, `resolve` says of each which bytes of blocks they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.lowering_checker.pieces import Array, Pieces, gaps, join_pieces, pick, pieces_of, reached, split
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.strided_maps import compose, flatten, progression

UNKNOWN = -(1 << 62)
"""The code of what holds nothing of use: that and the numbers behind it, all of which are negative."""
GAP = 64
"""Numbers between two blocks or ranges: no piece is ever in both."""
FEW = 1 << 10
"""Pieces that are looked at one by one."""


class Row(NamedTuple):
    """What a value holds: so many codes from `first` on."""

    nbytes: int
    first: int

    def same(self, other: Row) -> bool:
        """The same numbers; other numbers may be the same codes (`Codes.resolve`)."""
        return self == other or not (self.nbytes or other.nbytes)


class Codes:
    """All blocks and ranges of one function."""

    def __init__(self) -> None:
        self._next = 0
        self._starts: list[int] = []
        self._sizes: list[int] = []
        self._sources: list[SSAValue | str | Strided | Pieces] = []  # a block's name, or what a range is made of
        self._derived: set[int] = set()  # numbers of the ranges
        self._blocks: dict[Hashable, Row] = {}
        self._ranges: dict[Hashable, int] = {}
        self._maps: dict[Strided, int] = {}
        self._parts: dict[tuple[int, int], int] = {}
        self._resolved: dict[int, Pieces] = {}

    def own(self, key: Hashable, nbytes: int, name: SSAValue | str) -> Row:
        """The block of `key`, of so many bytes."""
        row = self._blocks.get(key)
        if row is None:
            row = self._blocks[key] = Row(nbytes, self._add(nbytes, name))
        return row

    def _add(self, nbytes: int, source: SSAValue | str | Strided | Pieces) -> int:
        first = self._next
        self._next += nbytes + GAP
        self._starts.append(first)
        self._sizes.append(nbytes)
        self._sources.append(source)
        return first

    def _range(self, key: Hashable, nbytes: int, source: Strided | Pieces) -> int:
        first = self._ranges.get(key)
        if first is None:
            self._derived.add(len(self._sources))
            first = self._ranges[key] = self._add(nbytes, source)
        return first

    def name(self, code: int) -> str:
        """The value that a code is a byte of."""
        if code >= 0:
            code = int(self.resolve(np.array([code]), np.array([1])).starts[0])
        if code < 0:
            return "nothing that every path leaves there"
        owner = self._sources[bisect_right(self._starts, code) - 1]
        return attrs.display_name(owner) if isinstance(owner, SSAValue) else str(owner)

    # What is moved

    def normal(self, first: int, nbytes: int) -> int:
        """The first number of the range that these codes make by themselves."""
        if first < 0 or not nbytes:
            return first
        index = bisect_right(self._starts, first) - 1
        source, start = self._sources[index], self._starts[index]
        if not isinstance(source, (Strided, Pieces)) or (first == start and nbytes == self._sizes[index]):
            return first
        if isinstance(source, Pieces):
            known = self._parts.get((first, nbytes))
            if known is None:
                known = self._parts[first, nbytes] = self.joined(*_between(source, first - start, nbytes))
            return known
        composed = compose(Strided(first - start, (nbytes,), (1,), 1), source)
        return first if composed is None else self.strided(composed)

    def strided(self, layout: Strided) -> int:
        """The codes of the elements of a map over codes.

        Raises:
            Mismatch: the map goes beyond one block or range.
        """
        first = self._maps.get(layout)
        if first is None:
            first = self._maps[layout] = self._strided(layout)
        return first

    def _strided(self, layout: Strided) -> int:
        offset, runs, length = flatten(layout)
        low, high = layout.span
        if high <= 0:
            return UNKNOWN
        index = bisect_right(self._starts, low) - 1
        source, start = self._sources[index], self._starts[index]
        if low < 0 or high > start + self._sizes[index]:
            raise Mismatch("a view goes beyond its value")
        if not runs:
            return self.normal(offset, length)
        if isinstance(source, Strided):
            composed = compose(layout.shifted(-start), source)
            if composed is not None:
                return self.strided(composed)
        elif isinstance(source, Pieces):
            if layout.nbytes // length <= FEW + 4 * len(source.starts):
                picked = pick(source, pieces_of(layout.shifted(-start)))
                return self.joined(picked.starts, gaps(picked.pos))
            moved = self.normal(low, high - low)
            if moved != low:
                return self.strided(layout.shifted(moved - low))
        return self._range((offset, runs, length), layout.nbytes, layout)

    def joined(self, starts: Array, lengths: Array) -> int:
        """The codes of pieces, one after the other."""
        pieces = join_pieces(starts, lengths)
        if len(pieces.starts) > 1 and self._count(pieces.starts, gaps(pieces.pos)) <= FEW:
            pieces = join_pieces(*self._flattened(pieces.starts, gaps(pieces.pos)))
        starts, lengths = pieces.starts, gaps(pieces.pos)
        if len(starts) < 2:
            return self.normal(int(starts[0]), pieces.nbytes) if len(starts) else 0
        if (starts < 0).all():
            return UNKNOWN
        layout = self._progression(starts, lengths)
        if layout is not None:
            return self.strided(layout)
        return self._range((starts.tobytes(), lengths.tobytes()), pieces.nbytes, pieces)

    def _count(self, starts: Array, lengths: Array) -> int:
        """How many pieces there are where those of ranges that are joined are counted one by one."""
        if len(starts) > FEW:
            return len(starts)
        owner, count = self._owners(starts), 0
        for index in set(owner.tolist()):
            where = owner == index
            source = self._sources[index] if index >= 0 else ""
            if isinstance(source, Pieces):
                count += int(reached(source, starts[where] - self._starts[index], lengths[where])[1].sum())
            else:
                count += int(where.sum())
        return count

    def _flattened(self, starts: Array, lengths: Array) -> tuple[Array, Array]:
        """Pieces without ranges that are joined; those of blocks, most of them, are not looked at one by one."""
        starts = np.where(starts < 0, UNKNOWN, starts)
        columns, done = list[tuple[Array, Array]](), 0
        for at, owner in enumerate(self._owners(starts).tolist()):
            if owner in self._derived:
                columns.append((starts[done:at], lengths[done:at]))
                columns.append(self._flat(int(starts[at]), int(lengths[at])))
                done = at + 1
        if not columns:
            return starts, lengths
        flat_starts, flat_lengths = zip(*columns, (starts[done:], lengths[done:]), strict=True)
        return np.concatenate(flat_starts), np.concatenate(flat_lengths)

    def _flat(self, first: int, nbytes: int) -> tuple[Array, Array]:
        """A piece by itself, without ranges that are joined."""
        first = self.normal(first, nbytes)
        if first >= 0:
            source = self._sources[bisect_right(self._starts, first) - 1]
            if isinstance(source, Pieces):
                return source.starts, gaps(source.pos)
        return np.array([first if first >= 0 else UNKNOWN], np.int64), np.array([nbytes], np.int64)

    def _progression(self, starts: Array, lengths: Array) -> Strided | None:
        """Pieces of one block or range as a strided map, where they are one."""
        if starts[0] < 0 or (lengths != lengths[0]).any():
            return None
        index = bisect_right(self._starts, int(starts[0])) - 1
        start, length = self._starts[index], int(lengths[0])
        if starts.min() < start or starts.max() + length > start + self._sizes[index]:
            return None
        return progression(starts, length)

    # Which bytes of blocks

    def is_block(self, code: int) -> bool:
        """The code is of a block, not of a range."""
        return bisect_right(self._starts, code) - 1 not in self._derived

    def are_blocks(self, codes: Array) -> bool:
        """All codes are of blocks."""
        return not self._derived.intersection(self._owners(codes).tolist())

    def resolve(self, starts: Array, lengths: Array) -> Pieces:
        """Pieces, one after the other, as pieces of blocks; those of nothing of use stay negative.

        Raises:
            TooFine: they fall into too many.
        """
        owner = self._owners(starts)
        if not self._derived.intersection(owner.tolist()):
            return join_pieces(starts, lengths)
        columns: list[tuple[Array, Array, Array]] = []
        kept = np.ones(len(starts), bool)
        for index in np.unique(owner).tolist():
            source = self._sources[index] if index >= 0 else ""
            if isinstance(source, (Strided, Pieces)):
                (which,) = np.nonzero(owner == index)
                kept[which] = False
                at, size, part = split(self._whole(index, source), starts[which] - self._starts[index], lengths[which])
                columns.append((at, size, which[part]))
        (rest,) = np.nonzero(kept)
        columns.append((starts[rest], lengths[rest], rest))
        at, size, which = (np.concatenate(column) for column in zip(*columns, strict=True))
        order = np.argsort(which, kind="stable")
        return join_pieces(at[order], size[order])

    def _owners(self, starts: Array) -> Array:
        """The numbers of the blocks and ranges that codes are in."""
        if len(starts) < FEW >> 4:
            return np.array([bisect_right(self._starts, first) - 1 for first in starts.tolist()], np.int64)
        return np.searchsorted(np.array(self._starts, np.int64), starts, "right") - 1

    def _whole(self, index: int, source: Strided | Pieces) -> Pieces:
        """All of a range as pieces of blocks."""
        known = self._resolved.get(index)
        if known is not None:
            return known
        pieces = pieces_of(source) if isinstance(source, Strided) else source
        pieces = self.resolve(pieces.starts, gaps(pieces.pos))
        if len(pieces.starts) <= FEW * FEW:
            self._resolved[index] = pieces
        return pieces

    def row_pieces(self, row: Row) -> Pieces:
        """A row as pieces of blocks."""
        if self.is_block(row.first):
            return Pieces(row.nbytes, np.array([row.first], np.int64), np.array([0, row.nbytes], np.int64))
        return self.resolve(np.array([row.first], np.int64), np.array([row.nbytes], np.int64))


def _between(pieces: Pieces, low: int, nbytes: int) -> tuple[Array, Array]:
    """So many bytes of a sequence from byte `low` on, as pieces."""
    starts, lengths, _ = split(pieces, np.array([low], np.int64), np.array([nbytes], np.int64))
    return starts, lengths
