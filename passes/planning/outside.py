"""Orders where a buffer may lie in another one for all of its life, or in memory that is not the arena's.

What is in place in a result's own memory takes nothing of the arena. A buffer that a result may be written over is in
that result's memory if the op that does so is the last that reads it: for certain where it is the only one, else by
choice, as a graph in which the other readers come first. What is written over memory that was given away, the same.

Buffers that are parts of another one (operands of a concat) may be made there. That one then begins with the first of
them, which is a choice too.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .graph import Graph
from .schedule import Schedule, schedule

Pair = tuple[int, int]
WORK = 2_500
"""Ops of the graphs that are looked at at most, each with other choices."""
MOST = 64
"""Choices that are looked at at most."""


class Outside(NamedTuple):
    """
    Buffers, of no bytes in their graph, whose memory is not the arena's.

    Attributes:
        ends: of results.
        begins: of arguments that may be written.
        parts: buffers, in the arena or not, and those that may be made in their parts of it.
    """

    ends: frozenset[int]
    begins: frozenset[int]
    parts: Mapping[int, tuple[int, ...]]


class Variant(NamedTuple):
    """
    A graph with choices made.

    Attributes:
        graph: what is outside has no bytes, and no permissions.
        forced: pairs of a read and a write for which other readers of the read come first, and of a part and its whole
            for which other parts come behind.
        options: further pairs that could be forced.
    """

    graph: Graph
    forced: frozenset[Pair]
    options: tuple[Pair, ...]


class Ordered(NamedTuple):
    """The best order that was found; of the variant, `schedule`; `proved`: no limit ended a search."""

    variant: Variant
    schedule: Schedule
    proved: bool


def ordered(graph: Graph, outside: Outside, *, nodes: int = 0, settle: bool = True) -> Ordered:
    """
    The order of least peak over the choices of what is outside; `nodes` and `settle` as in `schedule`, for each choice.

    The order of the ops stays where none is better.
    """
    first = variant(graph, outside, frozenset())
    found = schedule(first.graph, nodes=nodes, settle=settle)
    best, proved = Ordered(first, found, True), found.bound == found.peak
    left = min(MOST, WORK // max(1, len(graph.ops)))
    waiting = [(found.peak, 0, first)]
    seen = {first.forced}
    while waiting and proved:
        # One search that stops at its limit is enough: the next ones would too, and take as long.
        _, _, parent = heapq.heappop(waiting)
        for option in parent.options:
            forced = parent.forced | {option}
            if forced in seen:
                continue
            if len(seen) > left:
                return best._replace(proved=False)
            seen.add(forced)
            child = variant(graph, outside, forced)
            order = _any_order(child.graph)
            if order is None:
                continue
            found = schedule(child.graph, order, nodes=nodes, settle=settle)
            proved = found.bound == found.peak
            if found.peak < best.schedule.peak:
                best = Ordered(child, found, True)
            if not proved:
                break
            heapq.heappush(waiting, (found.peak, len(seen), child))
    return best._replace(proved=proved)


def variant(graph: Graph, outside: Outside, forced: frozenset[Pair]) -> Variant:
    """The graph with these choices, which have to be among the options of a variant with all but one of them."""
    for first, whole in sorted(forced):
        if whole in outside.parts:
            graph = _in_parts(graph, outside.parts[whole], first, whole)
    sizes, edges = list(graph.sizes), list(graph.edges)
    readers = _readers(graph)
    wholes = {whole for _, whole in forced}
    options: list[Pair] = []

    def is_certain(number: int, pair: Pair) -> bool:
        """The op is the last reader, as the only one or because it is forced to be."""
        others = [n for n in readers[pair[0]] if n != number]
        if others and pair not in forced:
            options.append(pair)
            return False
        edges.extend((n, number) for n in others)
        return True

    written = _writers(graph)
    ends = set(outside.ends)
    for number, op in reversed(list(enumerate(graph.ops))):
        for whole in op.writes:
            parts = [p for p in outside.parts.get(whole, ()) if sizes[p] and whole not in wholes]
            if whole in ends:
                ends.update(parts)
                for part in parts:
                    sizes[part] = 0
            else:
                options += [(part, whole) for part in parts]
        taken: set[int] = set()
        for read, write in op.may_inplace:
            free = read in written and sizes[read] and read not in graph.kept and read not in graph.lent
            if write in ends and write not in taken and free and is_certain(number, (read, write)):
                sizes[read] = 0
                ends.add(read)
                taken.add(write)
    begins = set(outside.begins)
    for number, op in enumerate(graph.ops):
        taken = set[int]()
        for read, write in op.may_inplace:
            free = sizes[write] and read not in graph.kept
            if read in begins and read not in taken and free and is_certain(number, (read, write)):
                sizes[write] = 0
                begins.add(write)
                taken.add(read)
    ops = (op._replace(may_inplace=tuple(p for p in op.may_inplace if all(sizes[b] for b in p))) for op in graph.ops)
    changed = graph._replace(sizes=tuple(sizes), ops=tuple(ops), edges=tuple(dict.fromkeys(edges)))
    return Variant(changed, forced, tuple(options))


def _in_parts(graph: Graph, parts: Sequence[int], first: int, whole: int) -> Graph:
    """The graph in which `whole` begins where `first` is written, and all parts that still have bytes lie in it."""
    parts = [part for part in parts if graph.sizes[part]]
    if first not in parts:
        return graph
    writer, readers = _writers(graph), _readers(graph)
    ops, edges, sizes = list(graph.ops), list(graph.edges), list(graph.sizes)
    end, begin = writer[whole], writer[first]
    ops[end] = ops[end]._replace(
        writes=tuple(w for w in ops[end].writes if w != whole),
        may_inplace=tuple(p for p in ops[end].may_inplace if p[1] != whole),
    )
    ops[begin] = ops[begin]._replace(writes=(*ops[begin].writes, whole))
    for part in parts:
        sizes[part] = 0
        edges += [(begin, writer[part])] if writer[part] != begin else []
        for reader in readers.get(part, ()):
            if whole not in ops[reader].reads:
                ops[reader] = ops[reader]._replace(reads=(*ops[reader].reads, whole))
    return graph._replace(sizes=tuple(sizes), ops=tuple(ops), edges=tuple(edges))


def _readers(graph: Graph) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, op in enumerate(graph.ops):
        for read in op.reads:
            found.setdefault(read, []).append(number)
    return found


def _writers(graph: Graph) -> dict[int, int]:
    return {write: number for number, op in enumerate(graph.ops) for write in op.writes}


def _any_order(graph: Graph) -> tuple[int, ...] | None:
    """An order of the ops, the lowest number first; None where they wait for each other."""
    after: list[list[int]] = [[] for _ in graph.ops]
    waits = [0] * len(graph.ops)
    for first, then in _edges(graph):
        after[first].append(then)
        waits[then] += 1
    ready = [op for op, count in enumerate(waits) if not count]
    order: list[int] = []
    while ready:
        order.append(heapq.heappop(ready))
        for op in after[order[-1]]:
            waits[op] -= 1
            if not waits[op]:
                heapq.heappush(ready, op)
    return tuple(order) if len(order) == len(graph.ops) else None


def _edges(graph: Graph) -> Iterator[Pair]:
    writer = _writers(graph)
    for number, op in enumerate(graph.ops):
        yield from ((writer[read], number) for read in op.reads if read in writer)
    yield from graph.edges
