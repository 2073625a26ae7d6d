"""Owners of memory: the memrefs through which a piece of memory can still be given back.

A carried memref may be one of several pieces, and a `memref.dealloc` of it ends one of them. The owners say which of
the others are then left.

**Owners.** Carried memrefs are the owners of a piece if one of them is the piece on every path on which the piece still
has to be given back. A `memref.dealloc` of the only owner of a piece ends it. One of two owners either ends the piece
or leaves it to the other.

**Meet.** Paths that meet pass on memrefs. Behind each path a carried memref is an owner in the place of what the path
passes on as it, beside the owners that are not passed on. Where the paths meet, the owners are those of all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

Owners = frozenset[int]
"""Carried memrefs, by the numbers that they had first."""
Heirs = frozenset[int]
"""Owners where memrefs are passed on: n for what the nth one is passed on as, -1 - n for a memref of number n."""


class OwedPath(NamedTuple):
    """A path that meets others.

    Attributes:
        passed: what it passes on, for each carried memref.
        owed: the pieces that have to be given back at its end.
    """

    passed: Sequence[int]
    owed: Set[int]


class PathHeirs:
    """What owns pieces behind one path.

    Args:
        owners: of each memref that is passed on, by piece its owners.
        first: the numbers that these memrefs had first.
    """

    def __init__(self, owners: Sequence[Mapping[int, Owners]], first: Sequence[int]) -> None:
        self._owners, self._first = owners, first
        self._places = {number: n for n, number in reversed([*enumerate(first)])}
        self._place_of: dict[int, int] = {}
        for n, of in reversed([*enumerate(owners)]):
            self._place_of.update(dict.fromkeys(of, n))

    def at(self, place: int, piece: int) -> Heirs | None:
        """The owners of a piece, the carried memref at `place` among them if it is one; None where none are known."""
        found = place if piece in self._owners[place] else self._place_of.get(piece)
        if found is None:
            return None
        own = self._first[found]
        owners = self._owners[found][piece]
        return frozenset(found if one == own else self._places.get(one, -1 - one) for one in owners)

    def of(self, piece: int) -> Heirs | None:
        """The owners of a piece; None where none are known."""
        place = self._place_of.get(piece)
        return None if place is None else self.at(place, piece)


class PieceOwners:
    """The owners of the pieces of one function.

    Args:
        bases: by number of a memref the pieces that it may be; there may be more of them later.
    """

    def __init__(self, bases: Sequence[Set[int]]) -> None:
        self._bases = bases
        self._of: dict[int, dict[int, Owners]] = {}
        """By carried memref, and by piece, the owners of the piece if the memref is one of them."""
        self._first: dict[int, int] = {}
        """By memref that has a new number, because it can no more be some piece, its first number."""

    def of(self, memref: int) -> Mapping[int, Owners]:
        """By piece its owners, where a memref is one of them."""
        return self._of.get(memref, {})

    def first(self, memref: int) -> int:
        """The number that a memref had first."""
        return self._first.get(memref, memref)

    def owned_by(self, memrefs: Collection[int]) -> set[int]:
        """The pieces whose owners are among several memrefs; a piece owns itself."""
        owned, given = set(memrefs), set(map(self.first, memrefs))
        for memref in memrefs:
            owned.update(piece for piece, owners in self.of(memref).items() if owners <= given)
        return owned

    def heirs(self, passed: Sequence[int]) -> PathHeirs:
        """What owns pieces behind a path that passes on memrefs; a piece owns itself."""
        owners = [{**self.of(memref), memref: frozenset([self.first(memref)])} for memref in passed]
        return PathHeirs(owners, [self.first(memref) for memref in passed])

    def put(self, made: Sequence[int], heirs: Heirs, piece: int, place: int | None = None) -> None:
        """Notes that carried memrefs of several, and others, are the owners of a piece.

        Args:
            place: of the only memref that this is noted of; all that are owners by default.
        """
        owners = frozenset(self.first(made[n]) if n >= 0 else -1 - n for n in heirs)
        for n in heirs if place is None else heirs & {place}:
            if n >= 0:
                self._of.setdefault(made[n], {})[piece] = owners

    def meet(self, made: Sequence[int], paths: Sequence[OwedPath]) -> None:
        """Notes what carried memrefs own behind the paths that meet. What was known of them before is forgotten."""
        ways = [(path.owed, self.heirs(path.passed)) for path in paths]
        owed = frozenset[int]().union(*(path.owed for path in paths))
        for n, memref in enumerate(made):
            self._of[memref] = {}
            for piece in self._bases[memref] & owed:
                heirs = [heirs.at(n, piece) for pieces, heirs in ways if piece in pieces]
                if all(heirs):
                    self.put(made, frozenset[int]().union(*(one for one in heirs if one)), piece, n)

    def left_by(self, memref: int, ended: Iterable[int], spared: Collection[int]) -> dict[int, Owners]:
        """By each of several pieces that a memref owned, what owns it where the memref gave back another one.

        Args:
            spared: memrefs that the memref is compared with; it is not given back if it is one of them.
        """
        left: dict[int, Owners] = {}
        for piece in ended:
            owners = self.of(memref).get(piece, frozenset([memref]) if piece == memref else None)
            if owners is not None:
                beside = (self.first(other) for other in spared if piece in self._bases[other])
                left[piece] = (owners - {self.first(memref)}).union(beside)
        return left

    def rename(self, new: int, old: int, left: int, owners: Owners) -> None:
        """Notes that a memref has a new number, and that `owners` own the piece `left`."""
        first = self._first[new] = self.first(old)
        self._of[new] = {**self.of(old), **({left: owners} if first in owners else {})}
