"""Memory maps of what `plan-tool` found: of a table of buffers, of a graph in an order."""

from __future__ import annotations

from collections.abc import Sequence

from ...passes.planning.graph import Graph
from ...passes.planning.schedule import Schedule, lives_of, runs_of
from .memory import Box, Kind, MemoryMap, Piece, Step, Value


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
        pieces = [Piece(*life) for life in spans if life[0] <= life[1] and life[2] < life[3]]
        if pieces:
            boxes.append(Box(Kind.VALUE, tuple(pieces), tuple(values)))
    steps = tuple(Step(ops[op], "", str(n)) for n, op in enumerate(ordered.order))
    boxes.sort(key=lambda box: (box.first, box.offset))
    arena = max((box.end for box in boxes), default=0)
    return MemoryMap(title, steps, tuple(boxes), arena, bound, sum(graph.sizes[n] for n in lives))
