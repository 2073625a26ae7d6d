"""Ops and the buffers they read and write, as the search for their order sees them: numbers alone."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple


class ScheduledOp(NamedTuple):
    """Buffers, by number, that an op reads and writes, and pairs of a read and a write that may be written over it."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    may_inplace: tuple[tuple[int, int], ...] = ()

    def renumbered(self, number: Mapping[int, int]) -> ScheduledOp:
        """The op with other numbers for its buffers."""
        pairs = tuple((number[read], number[write]) for read, write in self.may_inplace)
        return ScheduledOp(tuple(number[b] for b in self.reads), tuple(number[b] for b in self.writes), pairs)


class Graph(NamedTuple):
    """
    Ops and their buffers. A buffer that no op writes is there from the start.

    Attributes:
        sizes: bytes of each buffer.
        kept: buffers that stay to the end; the others go after the last op that reads them.
        not_overwritable: buffers that no op may write over in place.
        edges: pairs of ops of which the first has to run first, besides those that write what the others read.
    """

    sizes: tuple[int, ...]
    kept: frozenset[int]
    not_overwritable: frozenset[int]
    ops: tuple[ScheduledOp, ...]
    edges: tuple[tuple[int, int], ...] = ()


def permitted(ops: Iterable[ScheduledOp], sizes: Sequence[int]) -> tuple[ScheduledOp, ...]:
    """The ops with those permissions alone of which both buffers have bytes."""
    return tuple(
        op if all(sizes[read] and sizes[write] for read, write in op.may_inplace) else _restricted(op, sizes)
        for op in ops
    )


def _restricted(op: ScheduledOp, sizes: Sequence[int]) -> ScheduledOp:
    return op._replace(
        may_inplace=tuple((read, write) for read, write in op.may_inplace if sizes[read] and sizes[write])
    )


def readers_of(graph: Graph) -> dict[int, list[int]]:
    """The ops that read each buffer which any reads."""
    readers: dict[int, list[int]] = {}
    for number, op in enumerate(graph.ops):
        for read in op.reads:
            readers.setdefault(read, []).append(number)
    return readers


def writers_of(graph: Graph) -> dict[int, int]:
    """The op that writes each buffer which one writes."""
    return {write: number for number, op in enumerate(graph.ops) for write in op.writes}


def any_order(graph: Graph) -> tuple[int, ...] | None:
    """An order of the ops, the lowest number first; None where they wait for each other."""
    behind: list[list[int]] = [[] for _ in graph.ops]
    missing = [0] * len(graph.ops)
    for first, then in edges_of(graph):
        behind[first].append(then)
        missing[then] += 1
    ready = [op for op, count in enumerate(missing) if not count]  # a heap, as it is sorted
    order: list[int] = []
    while ready:
        op = heapq.heappop(ready)
        order.append(op)
        for then in behind[op]:
            missing[then] -= 1
            if not missing[then]:
                heapq.heappush(ready, then)
    return tuple(order) if len(order) == len(graph.ops) else None


def edges_of(graph: Graph) -> Iterator[tuple[int, int]]:
    """Pairs of ops of which the first has to run first, for what it writes too."""
    writer = writers_of(graph)
    for number, op in enumerate(graph.ops):
        for read in op.reads:
            if read in writer:
                yield writer[read], number
    yield from graph.edges


def nest_parts(graph: Graph, parts: Sequence[int], first: int, whole: int) -> Graph:
    """The graph in which `whole` begins where `first` is written, and all parts that still have bytes lie in it."""
    parts = [part for part in parts if graph.sizes[part]]
    if first not in parts:
        return graph
    writer, readers = writers_of(graph), readers_of(graph)
    ops, edges, sizes = list(graph.ops), list(graph.edges), list(graph.sizes)
    end, begin = writer[whole], writer[first]
    # It is complete when the op has run that writes it, though it begins earlier.
    edges += [(end, reader) for reader in readers.get(whole, ())]
    ops[end] = ops[end]._replace(
        writes=tuple(w for w in ops[end].writes if w != whole),
        may_inplace=tuple(p for p in ops[end].may_inplace if p[1] != whole),
    )
    ops[begin] = ops[begin]._replace(writes=(*ops[begin].writes, whole))
    for part in parts:
        sizes[part] = 0
        edges += [(begin, writer[part])] if writer[part] != begin else []
        for reader in readers.get(part, ()):
            # What is written over the whole there would be written over the part too.
            pairs = tuple(pair for pair in ops[reader].may_inplace if pair[0] != whole)
            reads = dict.fromkeys((*ops[reader].reads, whole))
            ops[reader] = ops[reader]._replace(reads=tuple(reads), may_inplace=pairs)
    return graph._replace(sizes=tuple(sizes), ops=tuple(ops), edges=tuple(edges))


def late_order(graph: Graph, given: Sequence[int]) -> tuple[int, ...]:
    """The order with each op just before the first that needs it, if it writes as many bytes as die at it in `given`,
    or more."""
    at, writer = {op: time for time, op in enumerate(given)}, writers_of(graph)
    last = {buffer: max(ops, key=at.__getitem__) for buffer, ops in readers_of(graph).items()}
    needs: dict[int, list[int]] = {}
    for first, then in edges_of(graph):
        needs.setdefault(then, []).append(first)

    def waits(number: int) -> bool:
        op = graph.ops[number]
        read = [write for write in op.writes if write in last]
        dying = [b for b in op.reads if b in writer and last[b] == number and b not in graph.kept]
        is_kept = any(write in graph.kept for write in op.writes)
        return bool(read) and not is_kept and sum(graph.sizes[b] for b in dying) <= sum(graph.sizes[b] for b in read)

    order: dict[int, None] = {}
    for number in (*(op for op in given if not waits(op)), *given):
        waiting = [number]
        while waiting:
            missing = [op for op in needs.get(waiting[-1], ()) if op not in order]
            if missing:
                waiting += sorted(missing, key=at.__getitem__, reverse=True)
            else:
                order[waiting.pop()] = None
    return tuple(order)
