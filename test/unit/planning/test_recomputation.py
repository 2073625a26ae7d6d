"""Second runs within a budget: the least work against every set of ops, every assignment of readers and every order.

`LASTUSE_RECOMPUTED=2000 pytest test/unit/planning/test_recomputation.py` compares so many random graphs.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import product

from lastuse.passes.planning.external_buffers import ExternalBuffers
from lastuse.passes.planning.graph import Graph, ScheduledOp, writers_of
from lastuse.passes.planning.recomputation import Recomputation, RecomputationSearch
from lastuse.passes.planning.recomputation_bound import RecomputationBound
from lastuse.passes.planning.repeated_ops import Late, RepeatableOps, Rerun, repeated
from lastuse.passes.planning.schedule import measured, schedule

GRAPHS = int(os.environ.get("LASTUSE_RECOMPUTED", "12"))
ARENA_ALONE = ExternalBuffers(frozenset(), frozenset(), {})


def random_problem(seed: int) -> RepeatableOps:
    """A few ops forward, which later ones read again in the other direction, as gradients do."""
    chance = random.Random(seed)
    sizes, ops = [0], list[ScheduledOp]()
    for _ in range(chance.randint(2, 3)):
        ops.append(_op(chance, sizes, [len(sizes) - 1]))
    forward = list(range(1, len(sizes)))
    for buffer in reversed(forward):
        ops.append(_op(chance, sizes, [len(sizes) - 1, buffer]))
    reruns = {
        n: Rerun(op.reads, op.writes, op.may_inplace, 0, chance.randint(1, 5))
        for n, op in enumerate(ops)
        if chance.random() < 0.7
    }
    graph = Graph(tuple(sizes), frozenset({len(sizes) - 1}), frozenset({0}), tuple(ops))
    return RepeatableOps(graph, ARENA_ALONE, reruns)


def _op(chance: random.Random, sizes: list[int], reads: list[int]) -> ScheduledOp:
    if chance.random() < 0.3:
        reads = [*reads, chance.randrange(len(sizes))]
    writes = tuple(range(len(sizes), len(sizes) + chance.choice((1, 1, 1, 2))))
    sizes += [chance.choice((1, 2, 4)) for _ in writes]
    reads = list(dict.fromkeys(reads))
    pairs = tuple((r, w) for r in reads for w in writes if chance.random() < 0.4)
    return ScheduledOp(tuple(reads), writes, pairs)


def least_peaks(problem: RepeatableOps) -> dict[int, int]:
    """The least peak by the work of second runs, over every set of ops that run again and every order of runs: an op
    reads the copy that was written last."""
    peaks: dict[int, int] = {}
    for work, peak in _all_runs(problem):
        peaks[work] = min(peak, peaks.get(work, peak))
    return peaks


def _all_runs(problem: RepeatableOps) -> Iterator[tuple[int, int]]:
    graph, writer = problem.graph, writers_of(problem.graph)
    for chosen in product((False, True), repeat=len(problem.reruns)):
        again = [op for op, is_chosen in zip(problem.reruns, chosen, strict=True) if is_chosen]
        work = sum(problem.reruns[op].work for op in again)
        runs = [*range(len(graph.ops)), *again]
        seen: set[tuple[int, ...]] = set()
        for order in _orders(runs, [{writer[b] for b in graph.ops[op].reads if b in writer} for op in runs]):
            if order not in seen:
                seen.add(order)
                yield work, _peak(graph, order)


def _orders(runs: list[int], before: list[set[int]]) -> Iterator[tuple[int, ...]]:
    """Every order of runs in which an op has run before those that read what it writes."""

    def extended(order: tuple[int, ...], left: list[int]) -> Iterator[tuple[int, ...]]:
        if not left:
            yield order
        for k, run in enumerate(left):
            if before[runs.index(run)] <= set(order) and run not in left[:k]:
                yield from extended((*order, run), left[:k] + left[k + 1 :])

    return extended((), runs)


def _peak(graph: Graph, order: tuple[int, ...]) -> int:
    """Bytes of the order, with the most that may be in place, each copy live to its last reader."""
    sizes, ops, latest = list(graph.sizes), list[ScheduledOp](), dict[int, int]()
    for op in order:
        reads, writes, pairs = graph.ops[op]
        read = {b: latest.get(b, b) for b in reads}
        for write in writes:
            latest[write] = len(sizes) if write in latest else write
            sizes += [graph.sizes[write]] if latest[write] == len(sizes) else []
        over = tuple((read[r], latest[w]) for r, w in pairs)
        ops.append(ScheduledOp(tuple(read[b] for b in reads), tuple(latest[w] for w in writes), over))
    kept = frozenset(latest[b] for b in graph.kept)
    return measured(Graph(tuple(sizes), kept, graph.not_overwritable, tuple(ops)), range(len(ops))).peak


def budgets(problem: RepeatableOps) -> Iterator[int]:
    """Below what the graph takes without second runs."""
    peak = schedule(problem.graph).peak
    yield from range(peak - 1, max(0, peak - 4), -1)


def searched(problem: RepeatableOps, budget: int) -> Recomputation:
    order = schedule(problem.graph).order
    return RecomputationSearch(problem, order, 100_000).run(budget)


def test_least_work_is_that_of_all_choices() -> None:
    fitting = 0
    for seed in range(GRAPHS):
        problem = random_problem(seed)
        peaks = least_peaks(problem)
        for budget in budgets(problem):
            want = min((work for work, peak in peaks.items() if peak <= budget), default=None)
            found = searched(problem, budget)
            assert found.proved, (seed, budget)
            assert (found.work if found.fits else None) == want, (seed, budget)
            least = RecomputationBound(problem).work(budget)
            assert want is None or least is not None and least <= want, (seed, budget)
            fitting += want is not None
    assert fitting > GRAPHS // 4


def test_peak_is_that_of_the_graph_with_second_runs() -> None:
    for seed in range(GRAPHS):
        problem = random_problem(seed)
        for budget in budgets(problem):
            found = searched(problem, budget)
            if found.fits:
                graph = repeated(problem, found.late)
                peak = schedule(graph.graph, graph.order(range(len(problem.graph.ops)))).peak
                assert peak <= found.peak <= budget, (seed, budget)


def chain(length: int) -> RepeatableOps:
    """Ops one behind the other, and their gradients in the other direction, each of which reads a result."""
    forward = [ScheduledOp((n,), (n + 1,)) for n in range(length)]
    back = [ScheduledOp((length + k, length - k), (length + k + 1,)) for k in range(length)]
    ops = (*forward, *back)
    reruns = {n: Rerun((n,), (n + 1,), (), 0, 1) for n in range(length)}
    sizes = (0, *(1 for _ in range(2 * length)))
    return RepeatableOps(Graph(sizes, frozenset({2 * length}), frozenset({0}), ops), ARENA_ALONE, reruns)


def test_long_chain_keeps_a_part_of_its_values() -> None:
    """Half of the bytes for less than one more forward part; the bound of the work is known."""
    problem = chain(40)
    peak = schedule(problem.graph).peak
    found = RecomputationSearch(problem, range(80), 100_000).run(peak // 2)
    assert found.fits
    assert found.bound is not None
    assert 0 < found.bound <= found.work < 40


def test_nothing_fits_below_what_one_op_needs() -> None:
    problem = chain(6)
    found = RecomputationSearch(problem, range(12), 100_000).run(2)
    assert (found.fits, found.bound, found.proved) == (False, None, True)


def test_bytes_of_second_runs_count() -> None:
    """The second run takes scratch: a budget that has no room for it is not met."""
    plain = chain(5)
    late: Late = {1: frozenset({9})}
    reruns = {op: rerun._replace(scratch=100) for op, rerun in plain.reruns.items()}
    for problem, takes_scratch in ((plain, False), (plain._replace(reruns=reruns), True)):
        graph = repeated(problem, late)
        assert (schedule(graph.graph, graph.order(range(10))).peak > 100) == takes_scratch
