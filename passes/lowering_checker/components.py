"""Loops of blocks."""

from __future__ import annotations

from collections.abc import Sequence


def components(nodes: Sequence[int], successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components of the graph that some nodes make, each behind all that lead to it (R. Tarjan,
    "Depth-First Search and Linear Graph Algorithms")."""
    inside = set(nodes)
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    place: dict[int, int] = {}  # of a node, in the stack
    found: list[list[int]] = []
    for root in nodes:
        if root in number:
            continue
        work = [(root, iter(successors[root]))]
        number[root] = low[root] = len(number)
        place[root] = len(stack)
        stack.append(root)
        while work:
            node, following = work[-1]
            for to in following:
                if to not in inside:
                    continue
                if to not in number:
                    number[to] = low[to] = len(number)
                    place[to] = len(stack)
                    stack.append(to)
                    work.append((to, iter(successors[to])))
                    break
                if to in place:
                    low[node] = min(low[node], number[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    at = place[node]
                    found.append(stack[at:])
                    for member in stack[at:]:
                        del place[member]
                    del stack[at:]
    return found[::-1]
