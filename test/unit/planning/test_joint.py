"""Order, in place and offsets together, against every order, every in-place choice and their best offsets.

`LASTUSE_JOINT=2000 pytest test/unit/planning/test_joint.py` compares so many random graphs of up to ten ops.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

import pytest
from test_orders import bytes_at, first_order, least_peak, order_before, random_graph
from test_schedule import check_arena

from lastuse.passes.planning.graph import Graph
from lastuse.passes.planning.joint_search import joint_plan
from lastuse.passes.planning.planner import Proof
from lastuse.passes.planning.schedule import Schedule, arena, measured

GRAPHS = int(os.environ.get("LASTUSE_JOINT", "100"))
WITH_GAPS = (1880,)
"""Graphs of which the order of least peak has a larger arena."""


def all_orders(graph: Graph, below: int, done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every order that never needs `below` bytes, as much in place as it may."""
    if len(done) == len(graph.ops):
        yield done
    for op, needed in enumerate(order_before(graph)):
        if op not in done and needed <= set(done) and bytes_at(graph, frozenset(done), op) < below:
            yield from all_orders(graph, below, (*done, op))


def all_choices(graph: Graph, order: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every choice of pairs that may lie at one place in an order: the last read of a value, for one write."""
    usable: list[tuple[int, int]] = []
    for time, op in enumerate(order):
        for read, write in graph.ops[op].may_inplace:
            later = any(read in graph.ops[other].reads for other in order[time + 1 :])
            held = later or read in graph.kept or read in graph.not_overwritable
            if not held and graph.sizes[write] <= graph.sizes[read]:
                usable.append((read, write))
    for count in range(len(usable) + 1):
        for chosen in itertools.combinations(usable, count):
            if len({r for r, _ in chosen}) == len({w for _, w in chosen}) == count:
                yield chosen


def best_of_all(graph: Graph, known: int) -> int:
    """The smallest arena below `known`, or that."""
    for order in all_orders(graph, known):
        for chosen in all_choices(graph, order):
            tried = Schedule(order, chosen, 0, 0, Proof.NONE)
            known = min(known, arena(graph, tried).plan.peak)
    return known


@pytest.mark.parametrize("group", range(-(-GRAPHS // 100)))
def test_equals_exhaustive_search(group: int) -> None:
    for seed in [*range(100 * group, 100 * group + 100), *WITH_GAPS]:
        graph = random_graph(seed)
        found = joint_plan(graph, first_order(graph))
        peak = found.arena.plan.peak
        assert peak == found.arena.plan.bound, seed
        assert found.arena.plan.proof in (Proof.REACHED, Proof.EXHAUSTED)
        assert sorted(found.schedule.order) == list(range(len(graph.ops)))
        check_arena(graph, found.schedule)
        # Every arena holds what is live: only where that is less can another one be smaller.
        if peak > least_peak(graph):
            assert best_of_all(graph, peak) == peak, seed


def test_never_more_than_the_given_order() -> None:
    for seed in range(40):
        graph = random_graph(seed)
        start = measured(graph, first_order(graph))
        found = joint_plan(graph, start.order, nodes=1)
        assert found.arena.plan.bound <= found.arena.plan.peak <= arena(graph, start, nodes=1).plan.peak
        assert (found.arena.plan.proof is Proof.NONE) == (found.arena.plan.bound < found.arena.plan.peak)
