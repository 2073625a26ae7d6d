"""Owners of memory: the memrefs through which a piece of memory can still be given back.

A carried memref may be one of several pieces, and a `memref.dealloc` of it ends one of them. The owners say which of
the others are then left.

**Owners.** Carried memrefs are the owners of a piece if one of them is the piece on every path on which the piece still
has to be given back. A `memref.dealloc` of the only owner of a piece ends it. One of two owners either ends the piece
or leaves it to the other.

**Meet.** Memrefs that a branch, a loop or a block carries are the owners of a piece if, on each path on which it has to
be given back, what is passed on as these memrefs owns it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

Owners = frozenset[int]
"""Carried memrefs, by the numbers that they had first."""


class OwedPath(NamedTuple):
    """A path that meets others.

    Attributes:
        passed: what it passes on, for each carried memref.
        owed: the pieces that have to be given back at its end.
    """

    passed: Sequence[int]
    owed: Set[int]


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

    def put(self, memrefs: Sequence[int], piece: int) -> None:
        """Notes that carried memrefs are the owners of a piece; a memref that owns it alone goes on to."""
        owners = frozenset(map(self.first, memrefs))
        for memref in memrefs:
            known = self._of.setdefault(memref, {})
            if len(known.get(piece, ())) != 1:
                known[piece] = owners

    def meet(self, made: Sequence[int], paths: Sequence[OwedPath]) -> None:
        """Notes what carried memrefs own behind the paths that meet. What was known of them before is forgotten."""
        alone = [[self.owned_by([memref]) for memref in path.passed] for path in paths]
        owed = frozenset[int]().union(*(path.owed for path in paths))
        shared: dict[int, list[int]] = {}
        for n, memref in enumerate(made):
            self._of[memref] = {}
            for piece in self._bases[memref] & owed:
                if all(piece in owned[n] or piece not in path.owed for owned, path in zip(alone, paths, strict=True)):
                    self.put([memref], piece)
                else:
                    shared.setdefault(piece, []).append(n)
        for piece, places in shared.items():
            passed = [path.passed for path in paths if piece in path.owed]
            if self._own(places, piece, passed):
                for n in places:
                    self.put([made[k] for k in self._fewest(n, places, piece, passed)], piece)

    def _own(self, places: Sequence[int], piece: int, paths: Sequence[Sequence[int]]) -> bool:
        return all(piece in self.owned_by([passed[n] for n in places]) for passed in paths)

    def _fewest(self, place: int, places: list[int], piece: int, paths: Sequence[Sequence[int]]) -> list[int]:
        """The owners at several places, without those that the one at `place` does not need beside it."""
        for other in places:
            fewer = [n for n in places if n != other]
            if other != place and self._own(fewer, piece, paths):
                places = fewer
        return places

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
