"""Ops that run a second time, so that what they write is not live until its last readers: the graph with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lastuse.passes.planning.external_buffers import ExternalBuffers
from lastuse.passes.planning.graph import Graph, ScheduledOp, readers_of, writers_of

Late = Mapping[int, frozenset[int]]
"""Buffers that are written twice, and the ops that read the second copy. Op `len(ops) + n` is op n's second run."""


class Rerun(NamedTuple):
    """
    How an op runs a second time.

    Attributes:
        reads: the buffers that it reads then.
        writes: buffers of which it writes a second copy.
        may_inplace: pairs of these that it may write in place.
        scratch: bytes it needs while it runs.
        work: how long it takes, in any unit.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    may_inplace: tuple[tuple[int, int], ...]
    scratch: int
    work: int


class RepeatableOps(NamedTuple):
    """A graph, what of it lies outside the arena, and how ops of it may run again, by number."""

    graph: Graph
    outside: ExternalBuffers
    reruns: Mapping[int, Rerun]

    def work(self, late: Late) -> int:
        """What all second runs take."""
        return sum(self.reruns[op].work for op in self.again(late))

    def again(self, late: Late) -> tuple[int, ...]:
        """The ops that run twice."""
        writers = writers_of(self.graph)
        return tuple(sorted({writers[buffer] for buffer in late}))

    def candidates(self) -> dict[int, int]:
        """Buffers that may be written twice, and the ops that write them."""
        graph, readers = self.graph, readers_of(self.graph)
        return {
            write: op
            for op, rerun in self.reruns.items()
            for write in rerun.writes
            if graph.sizes[write] and write not in graph.kept and readers.get(write)
        }


class RepeatedGraph(NamedTuple):
    """
    The graph in which ops run twice.

    Attributes:
        graph: behind its ops are the second runs, in the order of `again`.
        outside: of the graph.
        again: the ops that run twice.
        copies: the second copy of each buffer that has one.
    """

    graph: Graph
    outside: ExternalBuffers
    again: tuple[int, ...]
    copies: Mapping[int, int]

    def order(self, given: Iterable[int]) -> tuple[int, ...]:
        """The order with each second run just before the first op that reads what it writes."""
        first_run = len(self.graph.ops) - len(self.again)
        makers = {write: n for n, op in enumerate(self.graph.ops) if n >= first_run for write in op.writes}
        order: dict[int, None] = {}

        def run(op: int) -> None:
            for read in self.graph.ops[op].reads:
                if read in makers and makers[read] not in order:
                    run(makers[read])
            order[op] = None

        for op in given:
            run(op)
        return tuple(order)


def repeated(problem: RepeatableOps, late: Late) -> RepeatedGraph:
    """The graph in which the readers that are late read a second copy."""
    graph, again = problem.graph, problem.again(late)
    sizes, count = list(graph.sizes), len(graph.ops)
    copies = {buffer: len(sizes) + k for k, buffer in enumerate(late)}
    sizes += [graph.sizes[buffer] for buffer in late]

    def at(op: int, buffer: int) -> int:
        return copies[buffer] if op in late.get(buffer, ()) else buffer

    def read_by(op: int, reads: Sequence[int], pairs: Sequence[tuple[int, int]]) -> ScheduledOp:
        overwritten = tuple((at(op, read), write) for read, write in pairs)
        return ScheduledOp(tuple(at(op, read) for read in reads), (), overwritten)

    ops = [read_by(n, op.reads, op.may_inplace)._replace(writes=op.writes) for n, op in enumerate(graph.ops)]
    edges = list(graph.edges)
    for op in again:
        rerun = problem.reruns[op]
        second: dict[int, int] = {}
        for write in rerun.writes:
            second[write] = copies.get(write, len(sizes))
            sizes += [graph.sizes[write]] if write not in copies else []
        scratch = (len(sizes),) if rerun.scratch else ()
        sizes += [rerun.scratch] if rerun.scratch else []
        made = read_by(count + op, rerun.reads, rerun.may_inplace)
        pairs = tuple((read, second[write]) for read, write in made.may_inplace)
        edges.append((op, len(ops)))
        ops.append(made._replace(writes=(*second.values(), *scratch), may_inplace=pairs))
    changed = graph._replace(sizes=tuple(sizes), ops=tuple(ops), edges=tuple(edges))
    return RepeatedGraph(changed, _outside(problem, late), again, copies)


def _outside(problem: RepeatableOps, late: Late) -> ExternalBuffers:
    """What is outside still: a buffer is no part of a whole that reads its second copy."""
    writers, parts = writers_of(problem.graph), problem.outside.parts
    left = {
        whole: tuple(part for part in inner if writers[whole] not in late.get(part, ()))
        for whole, inner in parts.items()
    }
    return problem.outside._replace(parts={whole: inner for whole, inner in left.items() if inner})
