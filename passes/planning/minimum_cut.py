"""A minimum cut of a directed graph with capacities, by Dinic's algorithm."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

UNBOUNDED = 1 << 200
"""The capacity of an edge that no cut crosses."""
SOURCE, SINK = 0, 1


class FlowGraph:
    """
    Nodes are numbers; `SOURCE` and `SINK` are there from the start. Capacities are whole numbers, and exact.

    A cut is a set of nodes with the source and without the sink. It costs the capacities of the edges that leave it.
    """

    def __init__(self) -> None:
        self._edges: list[list[int]] = [[], []]
        self._heads: list[int] = []
        self._left: list[int] = []

    def node(self) -> int:
        """A new node."""
        self._edges.append([])
        return len(self._edges) - 1

    def edge(self, tail: int, head: int, capacity: int) -> None:
        """Adds an edge."""
        if capacity <= 0 or tail == head:
            return
        for start, end, room in ((tail, head, capacity), (head, tail, 0)):
            self._edges[start].append(len(self._heads))
            self._heads.append(end)
            self._left.append(room)

    def edge_from_any(self, tails: Collection[int], head: int, capacity: int) -> None:
        """A cut pays once if it has one of the tails or more, and not the head."""
        if tails:
            node = self.node()
            for tail in sorted(tails):
                self.edge(tail, node, UNBOUNDED)
            self.edge(node, head, capacity)

    def edge_to_any(self, tail: int, heads: Collection[int], capacity: int) -> None:
        """A cut pays once if it has the tail, and leaves out one of the heads or more."""
        if heads:
            node = self.node()
            for head in sorted(heads):
                self.edge(node, head, UNBOUNDED)
            self.edge(tail, node, capacity)

    def largest_minimum_cut(self) -> tuple[int, frozenset[int]]:
        """The cost of a minimum cut, and of all minimum cuts the one with the most nodes: it contains all others. The
        flow stays in the graph, so this is called once."""
        flow = 0
        while (levels := self._levels())[SINK] >= 0:
            edges = [iter(edges) for edges in self._edges]
            current = [next(edges_of, -1) for edges_of in edges]
            while pushed := self._augment(levels, edges, current):
                flow += pushed
        reaching = self._reaching_sink()
        return flow, frozenset(range(len(self._edges))) - reaching

    def _levels(self) -> list[int]:
        """The distance of each node from the source over edges with room; -1 where it cannot be reached."""
        levels = [-1] * len(self._edges)
        levels[SOURCE] = 0
        todo = deque([SOURCE])
        while todo:
            node = todo.popleft()
            for edge in self._edges[node]:
                head = self._heads[edge]
                if self._left[edge] and levels[head] < 0:
                    levels[head] = levels[node] + 1
                    todo.append(head)
        return levels

    def _augment(self, levels: list[int], edges: list[Iterator[int]], current: list[int]) -> int:
        """Pushes flow along one path from level to level; 0 where there is none left."""
        path: list[int] = []
        node = SOURCE
        while node != SINK:
            edge = current[node]
            if edge >= 0 and (not self._left[edge] or levels[self._heads[edge]] != levels[node] + 1):
                current[node] = next(edges[node], -1)
            elif edge >= 0:
                path.append(edge)
                node = self._heads[edge]
            elif not path:
                return 0
            else:
                edge = path.pop()
                node = self._heads[edge ^ 1]
                current[node] = next(edges[node], -1)
        room = min(self._left[edge] for edge in path)
        for edge in path:
            self._left[edge] -= room
            self._left[edge ^ 1] += room
        return room

    def _reaching_sink(self) -> set[int]:
        """The nodes from which edges with room lead to the sink."""
        found, todo = {SINK}, [SINK]
        while todo:
            for edge in self._edges[todo.pop()]:
                tail = self._heads[edge]
                if self._left[edge ^ 1] and tail not in found:
                    found.add(tail)
                    todo.append(tail)
        return found
