"""Memory maps of what `plan-tool` found: of a table of buffers, of a graph in an order."""

from __future__ import annotations

from collections.abc import Sequence

from ...passes.planning.graph import Graph
from ...passes.planning.schedule import Schedule
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
    used, maker = _lives(graph, ordered.order)
    host = {write: read for read, write in ordered.inplace}
    runs: dict[int, list[int]] = {}
    for number in sorted(used, key=lambda n: used[n]):
        first = number
        while first in host:
            first = host[first]
        runs.setdefault(first, []).append(number)
    boxes: list[Box] = []
    for first, run in runs.items():
        offset = offsets[first]
        if offset is None:
            continue
        values: list[Value] = []
        for n in run:
            over, made_by = buffers[host[n]] if n in host else "", ops[maker[n]] if n in maker else ""
            how, end = f"in place over {over}" if over else "", offset + graph.sizes[n]
            values.append(Value(buffers[n], made_by, "", graph.sizes[n], offset, end, *used[n], how, over))
        # While an op writes over its operand, the operand is the larger of the two.
        lives = [(v.first + bool(v.over), v.last, v.begin, v.end) for v in values]
        pieces = [Piece(*life) for life in lives if life[0] <= life[1] and life[2] < life[3]]
        if pieces:
            boxes.append(Box(Kind.VALUE, tuple(pieces), tuple(values)))
    steps = tuple(Step(ops[op], "", str(n)) for n, op in enumerate(ordered.order))
    boxes.sort(key=lambda box: (box.first, box.offset))
    arena = max((box.end for box in boxes), default=0)
    return MemoryMap(title, steps, tuple(boxes), arena, bound, sum(graph.sizes[n] for n in used))


def _lives(graph: Graph, order: Sequence[int]) -> tuple[dict[int, tuple[int, int]], dict[int, int]]:
    """The first and the last step of each buffer that is ever in use, and the op that writes it."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    maker: dict[int, int] = {}
    for step, op in enumerate(order):
        for number in graph.ops[op].writes:
            first.setdefault(number, step)
            maker[number] = op
        for number in (*graph.ops[op].reads, *graph.ops[op].writes):
            last[number] = step
    last.update(dict.fromkeys(graph.kept, max(len(order) - 1, 0)))
    return {n: (first.get(n, 0), last[n]) for n in sorted(last)} if order else {}, maker
