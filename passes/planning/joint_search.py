"""Order, in place and offsets of a graph together: the smallest arena.

The order of least peak nearly always has an arena that is no larger, and then nothing is better. Where it has gaps, the
other orders and in-place choices whose peak is smaller than its arena are looked at, each with its best offsets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from lastuse.passes.planning.graph import Graph
from lastuse.passes.planning.planner import Proof
from lastuse.passes.planning.schedule import Arena, Schedule, arena, measured, schedule

_Pairs = tuple[tuple[int, int], ...]
WORK = 1_000_000
"""Ops of the orders and plans that are looked at at most where the first plan has gaps: seconds."""
MOST_OPS = 200
"""Graphs with more are left at the plan of their best order."""
NODES = 20_000
"""Of the search for the offsets of one of these plans."""


class Joint(NamedTuple):
    """
    An order, what it has in place, and its offsets.

    Attributes:
        schedule: the order; its peak, bound and proof are those of orders.
        arena: the offsets.
        bound: no order has a smaller arena.
        proof: why the arena is the smallest, if it is known to be.
        seconds: what the search took.
    """

    schedule: Schedule
    arena: Arena
    bound: int
    proof: Proof
    seconds: float


def joint(graph: Graph, given: Sequence[int] | None = None, *, seconds: float = 0.0, nodes: int = 0) -> Joint:
    """
    The smallest arena of all orders, all in-place choices and all offsets; never a larger one than `given` has.

    A limit of `seconds` or `nodes` (0 is none) ends each search. Raises Error as `schedule` does.
    """
    started = time.perf_counter()
    end = started + seconds if seconds else 0.0
    best = found = schedule(graph, given, seconds=seconds, nodes=nodes, settle=False)
    placed = arena(graph, found, seconds=_left(end), nodes=nodes)
    for other in _others(graph, given, best, placed, end, nodes):
        # Gaps between the offsets may cost more than the order gains.
        tried = arena(graph, other, seconds=_left(end), nodes=nodes)
        if tried.plan.peak < placed.plan.peak:
            found, placed = other, tried
    bound, proof = best.bound, best.proof
    if placed.plan.peak > bound:
        search = _Search(graph, found, placed, bound, end)
        if len(graph.ops) <= MOST_OPS:
            search.go(frozenset(), [], [], search.start)
        found, placed = search.schedule, search.arena
        if placed.plan.peak > bound:
            is_whole = len(graph.ops) <= MOST_OPS and search.left > 0 and search.is_sure and proof is not Proof.NONE
            proof = Proof.EXHAUSTED if is_whole else Proof.NONE
            bound = placed.plan.peak if is_whole else bound
    found = found._replace(peak=measured(graph, found.order).peak, bound=best.bound, proof=best.proof)
    return Joint(found, placed, bound, proof, time.perf_counter() - started)


def _others(
    graph: Graph, given: Sequence[int] | None, best: Schedule, placed: Arena, end: float, nodes: int
) -> Iterator[Schedule]:
    """Orders that may have a smaller arena than the best one."""
    if placed.plan.peak > best.bound:
        yield schedule(graph, given, seconds=_left(end), nodes=nodes)
        start = measured(graph, range(len(graph.ops)) if given is None else given)
        if start.peak < placed.plan.peak:
            yield start


def _left(end: float) -> float:
    return max(1e-3, end - time.perf_counter()) if end else 0.0


class _Search:
    """Orders whose peak is below the arena of the best plan, depth first; every arena that is smaller is the next to
    beat."""

    def __init__(self, graph: Graph, first: Schedule, placed: Arena, bound: int, end: float) -> None:
        self.graph, self.schedule, self.arena, self.end = graph, first, placed, end
        self.bound = bound
        self.left = WORK // max(1, len(graph.ops))
        self.is_sure = True  # no plan was left without a proof
        self.dead: set[frozenset[int]] = set()
        self.readers: dict[int, set[int]] = {}
        self.before: list[set[int]] = [set() for _ in graph.ops]
        writer = {write: op for op, o in enumerate(graph.ops) for write in o.writes}
        for op, (reads, _, _) in enumerate(graph.ops):
            for read in reads:
                self.readers.setdefault(read, set()).add(op)
                if read in writer:
                    self.before[op].add(writer[read])
        for earlier, later in graph.edges:
            self.before[later].add(earlier)
        inputs = [b for b in range(len(graph.sizes)) if b not in writer]
        self.start = sum(graph.sizes[b] for b in inputs if b in self.readers or b in graph.kept)

    def _over(self) -> bool:
        if self.end and time.perf_counter() > self.end:
            self.left = 0
        return self.left <= 0 or self.arena.plan.peak == self.bound

    def go(self, done: frozenset[int], order: list[int], choices: list[list[_Pairs]], live: int) -> bool:
        """Whether some order of the rest has a peak below the arena."""
        if len(order) == len(self.graph.ops):
            self._leaf(order, choices)
            return True
        if done in self.dead:
            return False
        self.left -= 1
        alive = False
        for op in range(len(self.graph.ops)):
            if op in done or not self.before[op] <= done:
                continue
            if self._over():
                return True
            reads, writes, _ = self.graph.ops[op]
            most = live + sum(self.graph.sizes[w] for w in writes)
            room = self.arena.plan.peak - 1 - most
            hosted = [pairs for pairs in self._pairs(op, done) if room + self._bytes(pairs) >= 0]
            if not hosted:
                continue
            freed = sum(self.graph.sizes[r] for r in set(reads) if self._dies(r, done, op))
            freed += sum(self.graph.sizes[w] for w in writes if w not in self.readers and w not in self.graph.kept)
            alive |= self.go(done | {op}, [*order, op], [*choices, hosted], most - freed)
        if not alive:
            self.dead.add(done)
        return alive

    def _dies(self, read: int, done: frozenset[int], op: int) -> bool:
        return read not in self.graph.kept and self.readers[read] <= done | {op}

    def _pairs(self, op: int, done: frozenset[int]) -> Iterator[_Pairs]:
        """What `op` may have in place if it runs now, the most first."""
        sizes, not_overwritable = self.graph.sizes, self.graph.not_overwritable
        pairs = dict.fromkeys(self.graph.ops[op].may_inplace)
        usable = [
            (r, w) for r, w in pairs if r not in not_overwritable and sizes[w] <= sizes[r] and self._dies(r, done, op)
        ]
        every = chain.from_iterable(combinations(usable, count) for count in range(len(usable), -1, -1))
        for chosen in every:
            if len({r for r, _ in chosen}) == len({w for _, w in chosen}) == len(chosen):
                yield chosen

    def _bytes(self, pairs: _Pairs) -> int:
        return sum(self.graph.sizes[write] for _, write in pairs)

    def _leaf(self, order: list[int], choices: list[list[_Pairs]], chosen: _Pairs = ()) -> None:
        if self._over():
            return
        if choices:
            for pairs in choices[0]:
                self._leaf(order, choices[1:], (*chosen, *pairs))
            return
        self.left -= 1
        tried = self.schedule._replace(order=tuple(order), inplace=chosen)
        placed = arena(self.graph, tried, seconds=_left(self.end), nodes=NODES)
        self.is_sure &= placed.plan.proof is not Proof.NONE
        if placed.plan.peak < self.arena.plan.peak:
            self.schedule, self.arena = tried, placed
