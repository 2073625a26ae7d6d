"""Values that share a storage, and the choices that cause it."""

from __future__ import annotations

from collections import deque

from xdsl.ir import SSAValue


class EquivalenceGraph:
    """A graph of values that lie in one storage. An edge has the choice that causes it, or -1 where no choice is
    needed. `pairs`: all edges that were added."""

    def __init__(self) -> None:
        self.pairs: list[tuple[SSAValue, SSAValue]] = []
        self._numbers: dict[SSAValue, int] = {}
        self._near: list[list[tuple[int, int]]] = []

    def add(self, a: SSAValue, b: SSAValue, choice: int = -1) -> None:
        """Add an edge."""
        self.pairs.append((a, b))
        one, other = self._number(a), self._number(b)
        self._near[one].append((other, choice))
        self._near[other].append((one, choice))

    def cut(self, a: SSAValue, b: SSAValue) -> None:
        """Remove the edge without a choice."""
        one, other = self._number(a), self._number(b)
        for at, gone in ((one, other), (other, one)):
            self._near[at] = [link for link in self._near[at] if link != (gone, -1)]

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The choices on a shortest path from `a` to `b`; edges without a choice add none."""
        if a is b:
            return []
        start, end = self._number(a), self._number(b)
        came = [(-1, -1)] * len(self._near)
        """For each value reached the one it was reached from, and the choice."""
        came[start] = (start, -1)
        queue = deque([start])
        while queue and came[end][0] < 0:
            at = queue.popleft()
            for other, choice in self._near[at]:
                if came[other][0] < 0:
                    came[other] = at, choice
                    queue.append(other)
        found: list[int] = []
        at = end
        while 0 <= at != start:
            at, choice = came[at]
            if choice >= 0:
                found.append(choice)
        return found

    def _number(self, value: SSAValue) -> int:
        number = self._numbers.setdefault(value, len(self._near))
        if number == len(self._near):
            self._near.append([])
        return number
