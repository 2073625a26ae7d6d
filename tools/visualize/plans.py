"""Memory maps of what `plan-tool` found: of a table of buffers, of a graph in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lastuse.passes.planning.graph import Graph
from lastuse.passes.planning.planner import union
from lastuse.passes.planning.schedule import Schedule, lives_of, runs_of
from lastuse.passes.planning.subbuffers import Subbuffer
from lastuse.tools.visualize.memory import Box, BoxKind, BoxSpan, Column, MemoryMap, Value


def map_of_buffers(
    title: str,
    lives: Sequence[tuple[int, int]],
    names: Sequence[str],
    sizes: Sequence[int],
    offsets: Sequence[int],
    bound: int,
    parts: Sequence[Subbuffer] = (),
) -> MemoryMap:
    """
    The map of buffers without a program; a buffer that is never in use has no box.

    Args:
        lives: half-open times of each. Between two times at which nothing begins or ends, one column is enough.
        bound: in bytes, no plan needs fewer.
        parts: what lies in what; that has one box with the outermost.
    """
    of = {p.part: p for p in parts}
    together: dict[int, list[int]] = {}
    for n, (lower, upper) in enumerate(lives):
        outermost = n
        while outermost in of:
            outermost = of[outermost].whole
        if lower < upper and sizes[n]:
            together.setdefault(outermost, []).append(n)
    times = sorted({time for group in together.values() for n in group for time in lives[n]})
    column = {time: k for k, time in enumerate(times)}
    boxes: list[Box] = []
    for whole, group in together.items():
        values: list[Value] = []
        for n in sorted(group, key=lambda n: (lives[n], n != whole)):
            first, last, end = column[lives[n][0]], column[lives[n][1]] - 1, offsets[n] + sizes[n]
            how = f"part of {names[of[n].whole]}" if n in of else ""
            values.append(Value(names[n], "", "", sizes[n], offsets[n], end, first, last, how))
        begin, end = offsets[whole], offsets[whole] + sizes[whole]
        spans = union(lives[n] for n in group)
        pieces = tuple(BoxSpan(column[lower], column[upper] - 1, begin, end) for lower, upper in spans)
        boxes.append(Box(BoxKind.VALUE, pieces, tuple(values)))
    steps = [Column(f"time {t}", f"until {after}", str(t)) for t, after in pairwise(times)]
    map_ = _map_of(title, steps, boxes, bound, sum(sizes))
    return replace(map_, time="times at which anything changes", named=False)


def _map_of(title: str, steps: Sequence[Column], boxes: Sequence[Box], bound: int, naive: int) -> MemoryMap:
    """The map of boxes in an arena that ends with the last of them."""
    ordered = sorted(boxes, key=lambda box: (box.first, box.offset))
    return MemoryMap(title, tuple(steps), tuple(ordered), max((box.end for box in boxes), default=0), bound, naive)


def map_of_graph(
    title: str,
    graph: Graph,
    ordered: Schedule,
    offsets: Sequence[int | None],
    buffers: Sequence[str],
    ops: Sequence[str],
    bound: int,
) -> MemoryMap:
    """
    The map of a graph's buffers; what lies in place has one box with what it lies over.

    Args:
        offsets: of each buffer, None of those that are never in use.
        buffers, ops: their names.
        bound: in bytes, no order needs fewer.
    """
    lives = lives_of(graph, ordered.order) if ordered.order else {}
    maker = {write: op for op in ordered.order for write in graph.ops[op].writes}
    host = {write: read for read, write in ordered.inplace}
    boxes: list[Box] = []
    for first, run in runs_of(ordered, lives).items():
        offset = offsets[first]
        if offset is None:
            continue
        values: list[Value] = []
        for n in run:
            over, made_by = buffers[host[n]] if n in host else "", ops[maker[n]] if n in maker else ""
            how, end = f"in place over {over}" if over else "", offset + graph.sizes[n]
            lower, upper = lives[n]
            values.append(Value(buffers[n], made_by, "", graph.sizes[n], offset, end, lower, upper - 1, how, over))
        # While an op writes over its operand, the operand is the larger of the two.
        spans = [(v.first + bool(v.over), v.last, v.begin, v.end) for v in values]
        pieces = [BoxSpan(*life) for life in spans if life[0] <= life[1] and life[2] < life[3]]
        if pieces:
            boxes.append(Box(BoxKind.VALUE, tuple(pieces), tuple(values)))
    steps = [Column(ops[op], "", str(n)) for n, op in enumerate(ordered.order)]
    return _map_of(title, steps, boxes, bound, sum(graph.sizes[n] for n in lives))
