"""Few edges that separate one node of a graph from another one.

Around a node the smallest cut is computed that separates it from all nodes but the nearest `NEAR`, by augmenting paths
(Ford and Fulkerson, 1956) with one unit an edge. It separates the node from the other one too if that is not among the
nearest, and if it is, that is a sink as well. So the work for a cut does not grow with the graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

NEAR = 48
"""Nodes around a node, among which a cut is looked for."""

Edges = Mapping[int, Sequence[tuple[int, int]]]
"""By node, the edges at it: each its number and the node at its other end."""


def local_cut(edges: Edges, source: int, sink: int) -> frozenset[int]:
    """Edges without which no path leads from one node to another one: the fewest around either of them."""
    return min((_cut_around(edges, source, sink), _cut_around(edges, sink, source)), key=len)


def _cut_around(edges: Edges, source: int, sink: int) -> frozenset[int]:
    near = _nearest(edges, source, sink)
    flow: set[tuple[int, int]] = set()
    """Edges that have flow, each with the node that it flows to."""
    while True:
        came: dict[int, tuple[int, int]] = {source: (-1, source)}
        queue, end = deque([source]), -1
        while queue and end < 0:
            node = queue.popleft()
            for number, other in edges.get(node, ()):
                if other in came or (number, other) in flow:
                    continue
                came[other] = number, node
                if other not in near:
                    end = other
                    break
                queue.append(other)
        if end < 0:
            return frozenset(n for node in came for n, other in edges.get(node, ()) if other not in came)
        while end != source:
            number, node = came[end]
            if (number, node) in flow:
                flow.remove((number, node))
            else:
                flow.add((number, end))
            end = node


def _nearest(edges: Edges, source: int, sink: int) -> set[int]:
    near, queue = {source}, deque([source])
    while queue and len(near) < NEAR:
        for _, other in edges.get(queue.popleft(), ()):
            if other not in near and other != sink:
                near.add(other)
                queue.append(other)
    return near
