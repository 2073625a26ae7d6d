"""Values that share a storage, and the choices that cause it."""

from __future__ import annotations

from collections import deque

from xdsl.ir import SSAValue


class EquivalenceGraph:
    """A graph of values that lie in one storage. An edge has the choice that causes it, or -1 where no choice is
    needed. `pairs`: all edges that were added."""

    def __init__(self) -> None:
        self.pairs: list[tuple[SSAValue, SSAValue]] = []
        self._number: dict[SSAValue, int] = {}
        self._near: list[list[tuple[int, int]]] = []
        """By number of a value the edges at it: the number at the other end, and the choice."""

    def _number_of(self, value: SSAValue) -> int:
        number = self._number.setdefault(value, len(self._near))
        if number == len(self._near):
            self._near.append([])
        return number

    def add(self, a: SSAValue, b: SSAValue, choice: int = -1) -> None:
        """Add an edge."""
        self.pairs.append((a, b))
        one, other = self._number_of(a), self._number_of(b)
        self._near[one].append((other, choice))
        self._near[other].append((one, choice))

    def cut(self, a: SSAValue, b: SSAValue) -> None:
        """Remove the edge without a choice."""
        one, other = self._number[a], self._number[b]
        self._near[one].remove((other, -1))
        self._near[other].remove((one, -1))

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The choices on a shortest path from `a` to `b`; edges without a choice add none."""
        start, end = self._number.get(a), self._number.get(b)
        if start is None or end is None:
            return []
        came = {start: (start, -1)}
        """For each value reached the one it was reached from, and the choice."""
        queue = deque([start])
        while queue and end not in came:
            at = queue.popleft()
            for other, choice in self._near[at]:
                if other not in came:
                    came[other] = at, choice
                    queue.append(other)
        choices: list[int] = []
        while end in came and end != start:
            end, choice = came[end]
            if choice >= 0:
                choices.append(choice)
        return choices
