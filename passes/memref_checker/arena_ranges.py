"""Ranges of arenas: which have a byte in common, and which may hold something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from lastuse.passes.memref_checker.index_terms import Number, at_most, value_of

Room = tuple[int, Number, Number]
"""An arena, the first byte in it, and the one behind the last."""


class ArenaRanges:
    """The pieces of memory of one function that are ranges of arenas, by their numbers.

    Args:
        sizes: ids of numbers that are not negative; there may be more of them later.
    """

    def __init__(self, sizes: set[int]) -> None:
        self._sizes = sizes
        self._rooms: dict[int, Room] = {}
        self._bytes: dict[int, tuple[int, int, int]] = {}
        """The arena, the first byte and the one behind the last, where these are known."""
        self._live: dict[int, dict[int, None]] = {}
        """By arena the pieces that may hold something."""
        self._alone: set[int] = set()
        """Those of them that have no byte in common with the others."""

    def add(self, number: int, room: Room) -> None:
        """A new piece, which holds nothing."""
        self._rooms[number] = room
        begin, behind = value_of(room[1]), value_of(room[2])
        if begin is not None and behind is not None:
            self._bytes[number] = room[0], begin, behind

    def overlap(self, a: int, b: int) -> bool:
        """Two pieces may have a byte in common; False for memory that is no range of an arena."""
        mine, theirs = self._bytes.get(a), self._bytes.get(b)
        if mine is not None and theirs is not None:
            return mine[2] > theirs[1] and theirs[2] > mine[1] and mine[0] == theirs[0]
        one, two = self._rooms.get(a), self._rooms.get(b)
        if one is None or two is None or one[0] != two[0]:
            return False
        return not (at_most(one[2], two[1], self._sizes) or at_most(two[2], one[1], self._sizes))

    def written(self, number: int, through: int) -> Sequence[int]:
        """The other pieces that hold nothing of use after a piece was written as the piece `through`."""
        if number in self._alone or (room := self._rooms.get(number)) is None:
            return ()
        live = self._live.setdefault(room[0], {})
        found = [other for other in live if other != through and self.overlap(number, other)]
        for other in found:
            del live[other]
        self._alone.difference_update(found)
        live[number] = None
        self._alone.add(number)
        return found

    def start_again(self, held: Iterable[int]) -> None:
        """Goes on where the pieces `held`, and maybe others, may hold something."""
        self._alone.clear()
        for number in held:
            if (room := self._rooms.get(number)) is not None:
                self._live.setdefault(room[0], {})[number] = None

    def arenas_of(self, numbers: Set[int]) -> set[int]:
        """The arenas in which some of several pieces are."""
        return {room[0] for number in numbers if (room := self._rooms.get(number)) is not None}
