"""Values that share a storage, and the choices that cause it."""

from __future__ import annotations

from collections import defaultdict, deque

from xdsl.ir import SSAValue


class EquivalenceGraph:
    """A graph of values that lie in one storage. An edge has the choice that causes it, or -1 where no choice is
    needed. `pairs`: all edges that were added."""

    def __init__(self) -> None:
        self.pairs: list[tuple[SSAValue, SSAValue]] = []
        self._near: defaultdict[SSAValue, list[tuple[SSAValue, int]]] = defaultdict(list)

    def add(self, a: SSAValue, b: SSAValue, choice: int = -1) -> None:
        """Add an edge."""
        self.pairs.append((a, b))
        self._near[a].append((b, choice))
        self._near[b].append((a, choice))

    def cut(self, a: SSAValue, b: SSAValue) -> None:
        """Remove the edge without a choice."""
        self._near[a].remove((b, -1))
        self._near[b].remove((a, -1))

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The choices on a shortest path from `a` to `b`; edges without a choice add none."""
        came = {a: (a, -1)}
        """For each value reached the one it was reached from, and the choice."""
        queue = deque([a])
        while queue and b not in came:
            at = queue.popleft()
            for other, choice in self._near[at]:
                if other not in came:
                    came[other] = at, choice
                    queue.append(other)
        choices: list[int] = []
        while b in came and b is not a:
            b, choice = came[b]
            if choice >= 0:
                choices.append(choice)
        return choices
