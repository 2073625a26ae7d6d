"""Which pieces of memory were given back: now, and at points before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Set


class GivenBack:
    """The pieces that were given back.

    A question about an earlier point is answered from the points at which each piece changed. A set kept for each
    point would take memory that is quadratic in the number of ops.
    """

    def __init__(self) -> None:
        self._gone: set[int] = set()
        self._changes: dict[int, list[int]] = {}
        """By piece the points at which it was given back, or is there again, in turns."""
        self.now = 0
        """The current point."""

    def __bool__(self) -> bool:
        return bool(self._gone)

    def __and__(self, pieces: Set[int]) -> Set[int]:
        """Those of some pieces that are given back."""
        return self._gone & pieces

    def all(self) -> frozenset[int]:
        """Those that are given back."""
        return frozenset(self._gone)

    def add(self, pieces: Iterable[int]) -> None:
        """Some pieces are given back, those that are not yet."""
        self._change([piece for piece in pieces if piece not in self._gone])

    def take_again(self, piece: int) -> None:
        """A piece is there again."""
        self._change([piece] if piece in self._gone else [])

    def go_to(self, gone: Set[int]) -> None:
        """Goes on with just the pieces `gone` given back."""
        self._change(self._gone ^ gone)

    def _change(self, pieces: Iterable[int]) -> None:
        self.now += 1
        for piece in pieces:
            self._changes.setdefault(piece, []).append(self.now)
        self._gone.symmetric_difference_update(pieces)

    def at(self, point: int, pieces: Iterable[int]) -> frozenset[int]:
        """Those of some pieces that were given back at an earlier point."""
        return frozenset(p for p in pieces if bisect_right(self._changes.get(p, ()), point) % 2)
