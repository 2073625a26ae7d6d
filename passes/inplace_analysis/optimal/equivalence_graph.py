"""Values that share a storage, and the choices that cause it."""

from __future__ import annotations

from collections import deque

from xdsl.ir import SSAValue


class EquivalenceGraph:
    """A graph of values that lie in one storage. An edge has the choice that causes it, or -1 where no choice is
    needed. `pairs`: the ends of all edges that were added."""

    def __init__(self) -> None:
        self._edges: list[tuple[SSAValue, SSAValue, int]] = []
        self._added = 0
        """So many edges are in the graph, the others are not yet: many a graph is asked for no path."""
        self._number: dict[SSAValue, int] = {}
        self._near: list[list[tuple[int, int]]] = []
        """By number of a value the edges at it: the number at the other end, and the choice."""

    @property
    def pairs(self) -> list[tuple[SSAValue, SSAValue]]:
        return [(a, b) for a, b, _ in self._edges]

    def _number_of(self, value: SSAValue) -> int:
        number = self._number.setdefault(value, len(self._near))
        if number == len(self._near):
            self._near.append([])
        return number

    def add(self, a: SSAValue, b: SSAValue, choice: int = -1) -> None:
        """Add an edge."""
        self._edges.append((a, b, choice))

    def _add_all(self) -> None:
        for a, b, choice in self._edges[self._added :]:
            one, other = self._number_of(a), self._number_of(b)
            self._near[one].append((other, choice))
            self._near[other].append((one, choice))
        self._added = len(self._edges)

    def cut(self, a: SSAValue, b: SSAValue) -> None:
        """Remove the edge without a choice."""
        self._add_all()
        one, other = self._number[a], self._number[b]
        self._near[one].remove((other, -1))
        self._near[other].remove((one, -1))

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The choices on a shortest path from `a` to `b`; edges without a choice add none."""
        self._add_all()
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
