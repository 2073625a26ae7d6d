"""What shares storage with what, and because of which atom."""

from __future__ import annotations

from collections import deque

from xdsl.ir import SSAValue


class Links:
    """Values that lie in one storage. -1 is the atom of those that always do. `pairs`: all that were added."""

    def __init__(self) -> None:
        self.pairs: list[tuple[SSAValue, SSAValue]] = []
        self._numbers: dict[SSAValue, int] = {}
        self._near: list[list[tuple[int, int]]] = []

    def add(self, a: SSAValue, b: SSAValue, atom: int = -1) -> None:
        """They lie in one storage."""
        self.pairs.append((a, b))
        one, other = self._number(a), self._number(b)
        self._near[one].append((other, atom))
        self._near[other].append((one, atom))

    def cut(self, a: SSAValue, b: SSAValue) -> None:
        """They are not together of themselves any more."""
        one, other = self._number(a), self._number(b)
        for at, gone in ((one, other), (other, one)):
            self._near[at] = [link for link in self._near[at] if link != (gone, -1)]

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The fewest links that bring `a` and `b` together: their atoms; those that always are together name none."""
        if a is b:
            return []
        start, end = self._number(a), self._number(b)
        came = [(-1, -1)] * len(self._near)
        """For each value reached the one it was reached from, and the atom."""
        came[start] = (start, -1)
        queue = deque([start])
        while queue and came[end][0] < 0:
            at = queue.popleft()
            for other, atom in self._near[at]:
                if came[other][0] < 0:
                    came[other] = at, atom
                    queue.append(other)
        found: list[int] = []
        at = end
        while 0 <= at != start:
            at, atom = came[at]
            if atom >= 0:
                found.append(atom)
        return found

    def _number(self, value: SSAValue) -> int:
        number = self._numbers.setdefault(value, len(self._near))
        if number == len(self._near):
            self._near.append([])
        return number
