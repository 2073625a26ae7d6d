"""The least work that second runs of ops take so that a graph fits a budget of bytes: a bound for every order.

While an op runs for the first time, a buffer that was written for an op before it, and that an op behind it reads, is
live or is written again later. What is then not live, of the buffers of that op's time, has to take no more work than
the second runs found: a knapsack for each op, whose items are what runs again, with the bytes that it frees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from lastuse.passes.planning.external_choices import relaxed_graph
from lastuse.passes.planning.graph import any_order, edges_of, readers_of, writers_of
from lastuse.passes.planning.repeated_ops import RepeatableOps

NODES = 20_000
"""Sets of items that are looked at for one op; then the bound is that of fractions of items."""


class _Item(NamedTuple):
    """What one second run frees, in bytes, and takes, in work."""

    saved: int
    work: int


class RecomputationBound:
    """Bounds of a graph under a budget of bytes.

    Attributes:
        least_bytes: no choice of second runs and no order brings the peak below it.
    """

    def __init__(self, problem: RepeatableOps) -> None:
        self._problem = problem
        self._graph = relaxed_graph(problem.graph, problem.outside, parts=True).graph
        self._writers, self._readers = writers_of(self._graph), readers_of(self._graph)
        self._candidates = {b: op for b, op in problem.candidates().items() if self._graph.sizes[b]}
        self._runs_reading: dict[int, int] = {}
        for rerun in problem.reruns.values():
            for read in set(rerun.reads):
                self._runs_reading[read] = self._runs_reading.get(read, 0) + 1
        at_op = [self._at(op) for op in range(len(self._graph.ops))]
        self._at_op = [(live, items) for live, items in at_op if items or live]
        self.least_bytes = max((live - sum(item.saved for item in items) for live, items in self._at_op), default=0)

    def work(self, budget: int) -> int | None:
        """The least work within a budget; None where there is no choice within it."""
        if budget < self.least_bytes:
            return None
        least = 0
        for live, items in self._at_op:
            if live > budget:
                least = max(least, _cover(items, live - budget, least))
        return least

    @cached_property
    def behind(self) -> Sequence[int]:
        """Of each op the set of those that have to run after it, as bits."""
        after: list[list[int]] = [[] for _ in self._graph.ops]
        for first, then in edges_of(self._graph):
            after[first].append(then)
        behind = [0] * len(after)
        for op in reversed(any_order(self._graph) or ()):
            for then in after[op]:
                behind[op] |= behind[then] | 1 << then
        return behind

    def _at(self, op: int) -> tuple[int, Sequence[_Item]]:
        """Bytes that are live at an op in each order without second runs, and what these can free."""
        graph, behind = self._graph, self.behind
        reads, writes, pairs = graph.ops[op]
        over = {write for _, write in pairs}
        live = sum(graph.sizes[b] for b in {*reads, *writes} if b not in over)
        through = [b for b in range(len(graph.sizes)) if self._is_live_through(b, op) and b not in {*reads, *writes}]
        live += sum(graph.sizes[b] for b in through)
        by_run: dict[int, list[int]] = {}
        for buffer in through:
            if buffer in self._candidates:
                by_run.setdefault(self._candidates[buffer], []).append(buffer)
        assert not any(behind[op] >> run & 1 for run in by_run)
        present = {*reads, *writes, *through}
        items = [self._item(run, buffers, present, by_run) for run, buffers in by_run.items()]
        return live, [item for item in items if item is not None]

    def _is_live_through(self, buffer: int, op: int) -> bool:
        """The buffer was written for an op before, or was there, and is read behind."""
        if not self._graph.sizes[buffer]:
            return False
        writer = self._writers.get(buffer)
        before = writer is None or bool(self.behind[writer] >> op & 1)
        later = buffer in self._graph.kept or any(
            self.behind[op] >> reader & 1 for reader in self._readers.get(buffer, ())
        )
        return before and later

    def _item(
        self, run: int, buffers: Sequence[int], present: Iterable[int], runs: Mapping[int, object]
    ) -> _Item | None:
        saved = sum(self._graph.sizes[buffer] for buffer in buffers)
        work = self._work(run, saved, set(present), runs)
        return None if work is None else _Item(saved, work)

    def _work(self, run: int, saved: int, present: set[int], runs: Mapping[int, object]) -> int | None:
        """The work of a second run, with those of operands that are not live and that no other second run reads: to
        keep one of these instead, of as many bytes, saves nothing. None where one cannot be written again."""
        total = self._problem.reruns[run].work
        for read in set(self._problem.reruns[run].reads) - present:
            if self._graph.sizes[read] < saved or self._runs_reading[read] > 1 or read not in self._writers:
                continue
            maker = self._candidates.get(read)
            if maker is None:
                return None
            if maker in runs:
                continue
            inner = self._work(maker, saved, present, runs)
            if inner is None:
                return None
            total += inner
        return total


def _cover(items: Sequence[_Item], needed: int, least: int) -> int:
    """The least work of items that save the bytes `needed`, or a bound of it; `least` where it is no more than that."""
    items = sorted(items, key=lambda item: item.work / item.saved)
    if _fraction(items, 0, needed) <= least and _rounded(items, needed) <= least:
        return least
    best, nodes = sum(item.work for item in items), 0
    waiting = [(0, needed, 0)]
    while waiting:
        at, left, work = waiting.pop()
        if left <= 0:
            best = min(best, work)
            continue
        nodes += 1
        if nodes > NODES:
            return max(least, -int(-_fraction(items, 0, needed) // 1))
        if work + _fraction(items, at, left) >= best:
            continue
        waiting.append((at + 1, left, work))
        waiting.append((at + 1, left - items[at].saved, work + items[at].work))
    return max(least, best)


def _fraction(items: Sequence[_Item], at: int, needed: int) -> float:
    """The work of items from `at` on, and of a part of the last one, that save the bytes; infinite where all do not."""
    work = 0.0
    for item in items[at:]:
        if item.saved >= needed:
            return work + item.work * needed / item.saved
        needed, work = needed - item.saved, work + item.work
    return float("inf")


def _rounded(items: Sequence[_Item], needed: int) -> int:
    """The work of items that save the bytes, whole ones, the cheapest for a byte first."""
    work = 0
    for item in items:
        if needed <= 0:
            break
        needed, work = needed - item.saved, work + item.work
    return work
