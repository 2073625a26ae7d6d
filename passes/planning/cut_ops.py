"""Ops that are comparable to every other op: in all schedules the same ops precede them, so the problem splits there.

Such an op cuts a graph in two: the same bytes are live there in every order, and the ops between two cuts are a graph
of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from lastuse.passes.planning.graph import Graph, edges_of, readers_of, writers_of


class Segment(NamedTuple):
    """
    Ops between two cuts, the op of the second cut with them.

    Attributes:
        ops: their numbers in the whole graph, in the given order.
        graph: of them alone, with the bytes that are live throughout as its last buffer.
    """

    ops: tuple[int, ...]
    graph: Graph


def split_at_cuts(graph: Graph, order: Sequence[int]) -> list[Segment]:
    """The segments of a graph, in the order in which any order of its ops runs them; `order` is such an order."""
    runs: list[list[int]] = [[]]
    for op, is_cut in zip(order, _cuts(graph, order), strict=True):
        runs[-1].append(op)
        if is_cut:
            runs.append([])
    runs = [run for run in runs if run] or [[]]
    segment_of = {op: n for n, run in enumerate(runs) for op in run}
    begin = {write: segment_of[op] for write, op in writers_of(graph).items()}
    end = {read: max(segment_of[op] for op in readers) for read, readers in readers_of(graph).items()}
    end.update(dict.fromkeys(graph.kept, len(runs)))
    # Bytes that are live at the start of each segment, and needed in it or behind it.
    change = [0] * (len(runs) + 2)
    for buffer, last in end.items():
        first = min(begin.get(buffer, -1), last)
        change[first + 1] += graph.sizes[buffer]
        change[last + 1] -= graph.sizes[buffer]
    live = list(accumulate(change))
    edges: list[list[tuple[int, int]]] = [[] for _ in runs]
    for first, then in graph.edges:
        if segment_of[first] == segment_of[then]:
            edges[segment_of[first]].append((first, then))
    return [_segment(graph, run, n, live[n], begin, end, edges[n]) for n, run in enumerate(runs)]


def _cuts(graph: Graph, order: Sequence[int]) -> list[bool]:
    """Of each time, whether the op that runs then has all ops before it as ancestors and all behind it as descendants.

    That is so if every op before has one that waits for it no later than then, and every op behind waits for one no
    earlier: from either, such steps lead to the op.
    """
    at = {op: time for time, op in enumerate(order)}
    count = len(order)
    next_, previous = [count] * count, [-1] * count
    for first, then in edges_of(graph):
        a, b = at[first], at[then]
        next_[a], previous[b] = min(next_[a], b), max(previous[b], a)
    reach = accumulate(next_[:-1], max, initial=0)
    back = reversed(list(accumulate(reversed(previous[1:]), min, initial=count)))
    return [before <= time <= behind for time, (before, behind) in enumerate(zip(reach, back, strict=True))][:count]


def _segment(
    graph: Graph,
    run: Sequence[int],
    n: int,
    live: int,
    begin: Mapping[int, int],
    end: Mapping[int, int],
    inner: Iterable[tuple[int, int]],
) -> Segment:
    """The ops of segment `n`, with the `inner` edges between them; buffers begin in the segments of their writers (-1:
    there from the start) and end in those of their last readers."""
    touched = sorted({buffer for op in run for buffer in (*graph.ops[op].reads, *graph.ops[op].writes)})
    through = live - sum(graph.sizes[b] for b in touched if begin.get(b, -1) < n <= end.get(b, -1))
    number = {buffer: k for k, buffer in enumerate(touched)}
    local = {op: k for k, op in enumerate(run)}
    ops = tuple(graph.ops[op].renumbered(number) for op in run)
    kept = {k for b, k in number.items() if end.get(b, -1) > n} | {len(number)}
    not_overwritable = frozenset(k for b, k in number.items() if b in graph.not_overwritable)
    edges = tuple((local[a], local[b]) for a, b in inner)
    sizes = (*(graph.sizes[b] for b in touched), through)
    return Segment(tuple(run), Graph(sizes, frozenset(kept), not_overwritable, ops, edges))
