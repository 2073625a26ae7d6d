"""Ops that are comparable to every other op: in all schedules the same ops precede them, so the problem splits there.

Such an op cuts a graph in two: the same bytes are live there in every order, and the ops between two cuts are a graph
of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastuse.passes.planning.graph import Graph, edges_of


class Segment(NamedTuple):
    """
    Ops between two cuts, the op of the second cut with them.

    Attributes:
        ops: their numbers in the whole graph, in the given order.
        graph: of them alone, with the bytes that are live throughout as its last buffer.
    """

    ops: tuple[int, ...]
    graph: Graph


def segments(graph: Graph, given: Sequence[int]) -> list[Segment]:
    """The segments of a graph, in the order in which any order of its ops runs them; `given` is such an order."""
    of_op = [0] * len(graph.ops)
    runs: list[list[int]] = [[]]
    cut = _cuts(graph, given)
    for time, op in enumerate(given):
        of_op[op] = len(runs) - 1
        runs[-1].append(op)
        if cut[time] and time + 1 < len(given):
            runs.append([])
    through, touched = _live(graph, runs, of_op)
    return [_segment(graph, run, through[n], touched[n], n) for n, run in enumerate(runs)]


def _cuts(graph: Graph, given: Sequence[int]) -> list[bool]:
    """Of each time, whether the op that runs then has all ops before it as ancestors and all behind it as descendants.

    That is so if every op before has one that waits for it no later than then, and every op behind waits for one no
    earlier: from either, such steps lead to the op.
    """
    at = {op: time for time, op in enumerate(given)}
    count = len(given)
    next_, previous = [count] * count, [-1] * count
    for first, then in edges_of(graph):
        a, b = at[first], at[then]
        next_[a], previous[b] = min(next_[a], b), max(previous[b], a)
    reach = 0
    before = [True] * count
    for time in range(count):
        before[time] = reach <= time
        reach = max(reach, next_[time])
    cut, reach = [False] * count, count
    for time in reversed(range(count)):
        cut[time] = before[time] and reach >= time
        reach = min(reach, previous[time])
    return cut


class _Touch(NamedTuple):
    """The segments that have to do with a buffer: its writer's (-1: there from the start) and its readers'."""

    begin: int
    end: int


def _live(
    graph: Graph, runs: Sequence[Sequence[int]], of_op: Sequence[int]
) -> tuple[list[int], list[dict[int, _Touch]]]:
    """Of each segment, the bytes live in all of it that none of its ops touches, and the buffers that some touch."""
    begin, end = dict[int, int](), dict[int, int]()
    near: list[dict[int, None]] = [{} for _ in runs]
    for op, (reads, writes, _) in enumerate(graph.ops):
        n = of_op[op]
        near[n] |= dict.fromkeys((*reads, *writes))
        begin.update(dict.fromkeys(writes, n))
        for buffer in reads:
            end[buffer] = max(end.get(buffer, 0), n)
    for buffer in graph.kept:
        end[buffer] = len(runs)
    change = [0] * (len(runs) + 1)
    through = [0] * len(runs)
    for buffer, last in end.items():
        first = begin.get(buffer, -1)
        if first < last:
            change[first + 1] += graph.sizes[buffer]
            change[min(last + 1, len(runs))] -= graph.sizes[buffer]
    live = 0
    touched: list[dict[int, _Touch]] = []
    for n, buffers in enumerate(near):
        live += change[n]
        touched.append({b: _Touch(begin.get(b, -1), end.get(b, begin.get(b, -1))) for b in sorted(buffers)})
        through[n] = live - sum(graph.sizes[b] for b, (first, last) in touched[n].items() if first < n <= last)
    return through, touched


def _segment(graph: Graph, run: Sequence[int], through: int, touched: dict[int, _Touch], n: int) -> Segment:
    number = {buffer: k for k, buffer in enumerate(touched)}
    local = {op: k for k, op in enumerate(run)}
    ops = tuple(graph.ops[op].renumbered(number) for op in run)
    kept = {number[b] for b, touch in touched.items() if touch.end > n} | {len(number)}
    not_overwritable = frozenset(number[b] for b in touched if b in graph.not_overwritable)
    edges = tuple((local[a], local[b]) for a, b in graph.edges if a in local and b in local)
    sizes = (*(graph.sizes[b] for b in touched), through)
    return Segment(tuple(run), Graph(sizes, frozenset(kept), not_overwritable, ops, edges))
