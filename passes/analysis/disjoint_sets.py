"""Disjoint sets, with path halving (Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class DisjointSets(Generic[T]):
    """Sets of items, each by itself at first."""

    def __init__(self) -> None:
        self._above: dict[T, T] = {}

    def find(self, item: T) -> T:
        """The representative of the set that an item is in."""
        above = self._above
        while (parent := above.get(item)) is not None:
            if (upper := above.get(parent)) is not None:
                above[item] = upper
            item = parent
        return item

    def union(self, item: T, other: T) -> None:
        """Make one set of two; the representative of `other` is that of both."""
        root, into = self.find(item), self.find(other)
        if root != into:
            self._above[root] = into


def join(above: list[int], pairs: Iterable[tuple[int, int]]) -> None:
    """As `union` of each pair, of items that are numbers: a call for all. `above`: by item another one of its set, by
    the representative itself."""
    for a, b in pairs:
        while (up := above[a]) != a:
            above[a] = a = above[up]
        while (up := above[b]) != b:
            above[b] = b = above[up]
        above[a] = b


def flatten(above: list[int]) -> None:
    """Puts the representative above each item."""
    for item, up in enumerate(above):
        if (top := above[up]) == up:
            continue
        chain = [item]
        while top != up:
            chain.append(up)
            up, top = top, above[top]
        for below in chain:
            above[below] = up
