"""Orders with memory outside the arena, and with sub-buffers: the effect of a choice on the graph."""

from __future__ import annotations

import random

import pytest
from test_orders import random_graph

from lastuse.passes.planning import external_choices
from lastuse.passes.planning.external_buffers import ExternalBuffers, variant
from lastuse.passes.planning.external_choices import best_order
from lastuse.passes.planning.graph import Graph, ScheduledOp, any_order, readers_of, writers_of
from lastuse.passes.planning.schedule import schedule

NOTHING = frozenset[tuple[int, int]]()


def test_only_reader_in_place_puts_a_buffer_in_external_memory() -> None:
    """1 is written over 0, and result 2 over 1: all are in the memory of the result."""
    ops = (ScheduledOp((), (0,)), ScheduledOp((0,), (1,), ((0, 1),)), ScheduledOp((1,), (2,), ((1, 2),)))
    graph = Graph((8, 8, 0), frozenset({2}), frozenset(), ops)
    found = variant(graph, ExternalBuffers(frozenset({2}), frozenset(), {}), NOTHING)
    assert found.graph.sizes == (0, 0, 0)
    assert found.options == ()
    assert all(not op.may_inplace for op in found.graph.ops)


def test_other_readers_make_external_memory_a_choice() -> None:
    """0 may be in the memory of result 1 if op 2 reads it first."""
    ops = (ScheduledOp((), (0,)), ScheduledOp((0,), (1,), ((0, 1),)), ScheduledOp((0,), (2,)))
    graph, outside = (
        Graph((8, 0, 2), frozenset({1, 2}), frozenset(), ops),
        ExternalBuffers(frozenset({1}), frozenset(), {}),
    )
    found = variant(graph, outside, NOTHING)
    assert (found.graph.sizes, found.options) == ((8, 0, 2), ((0, 1),))
    forced = variant(graph, outside, frozenset({(0, 1)}))
    assert (forced.graph.sizes, forced.graph.edges) == ((0, 0, 2), ((2, 1),))
    best = best_order(graph, outside)
    assert (best.schedule.order, best.schedule.peak, best.variant.forced) == ((0, 2, 1), 2, {(0, 1)})
    assert best.proved


def test_write_over_a_donated_buffer_is_a_choice() -> None:
    ops = (ScheduledOp((0,), (1,), ((0, 1),)), ScheduledOp((0,), (2,)), ScheduledOp((1, 2), (3,)))
    graph, outside = (
        Graph((0, 8, 2, 1), frozenset({3}), frozenset({0}), ops),
        ExternalBuffers(frozenset(), frozenset({0}), {}),
    )
    best = best_order(graph, outside)
    assert (best.schedule.order, best.schedule.peak) == ((1, 0, 2), 3)
    alone = graph._replace(ops=(ops[0], ScheduledOp((), (2,)), ops[2]))
    assert variant(alone, outside, NOTHING).graph.sizes == (0, 0, 2, 1)


def test_contradictory_choices_are_left_out() -> None:
    """1 or 2 may overwrite 0, but the op that writes 2 reads both 0 and 1."""
    ops = (ScheduledOp((), (0,)), ScheduledOp((0,), (1,), ((0, 1),)), ScheduledOp((0, 1), (2,), ((0, 2),)))
    graph, outside = (
        Graph((8, 0, 0), frozenset({1, 2}), frozenset(), ops),
        ExternalBuffers(frozenset({1, 2}), frozenset(), {}),
    )
    best = best_order(graph, outside)
    assert best.variant.forced == {(0, 2)}
    assert (best.schedule.order, best.schedule.peak) == ((0, 1, 2), 0)


def test_parts_start_the_life_of_their_whole() -> None:
    """1 and 2 are parts of 3, which is live from the first of them on; 0 is needed for 2 only."""
    ops = (ScheduledOp((), (1,)), ScheduledOp((), (0,)), ScheduledOp((0,), (2,)), ScheduledOp((1, 2), (3,)))
    graph = Graph((9, 4, 4, 8), frozenset({3}), frozenset(), ops)
    outside = ExternalBuffers(frozenset(), frozenset(), {3: (1, 2)})
    found = variant(graph, outside, frozenset({(2, 3)}))
    assert found.graph.sizes == (9, 0, 0, 8)
    assert found.graph.ops[2].writes == (2, 3)
    assert found.graph.ops[3] == ScheduledOp((1, 2, 3), ())
    assert found.graph.edges == ((2, 0),)
    # Apart, the concat has 16 live; together, no more than the second part beside what it is made from.
    assert best_order(graph, outside._replace(parts={})).schedule.peak == 16
    assert best_order(graph, outside).schedule.peak == 16
    smaller = graph._replace(sizes=(5, 4, 4, 8))
    assert best_order(smaller, outside).schedule.peak == 13


def test_parts_of_a_result_take_no_bytes() -> None:
    ops = (ScheduledOp((), (0,)), ScheduledOp((), (1,)), ScheduledOp((0, 1), (2,)))
    graph = Graph((4, 4, 0), frozenset({2}), frozenset(), ops)
    found = variant(graph, ExternalBuffers(frozenset({2}), frozenset(), {2: (0, 1)}), NOTHING)
    assert (found.graph.sizes, found.options) == ((0, 0, 0), ())


def test_many_independent_choices_are_made_one_after_the_other() -> None:
    """Each argument is written over by one op, and read by another one. The first op alone needs more than several of
    the results, so branches are alike: a search that does not go down first does not come to the end of one."""
    count = 20
    writes = [ScheduledOp((k,), (count + k,), ((k, count + k),)) for k in range(count)]
    reads = [ScheduledOp((k,), (2 * count + k,)) for k in range(count)]
    last = ScheduledOp(tuple(range(count, 2 * count)), (3 * count,))
    first = ScheduledOp((), (3 * count + 1,))
    sizes = (*[0] * count, *[8] * count, *[1] * count, 1, 60)
    graph = Graph(sizes, frozenset({3 * count}), frozenset(range(count)), (first, *writes, *reads, last))
    best = best_order(graph, ExternalBuffers(frozenset(), frozenset(range(count)), {}))
    assert (best.schedule.peak, best.proved) == (60, True)


def random_outside(graph: Graph, seed: int) -> tuple[Graph, ExternalBuffers]:
    """Some results and arguments of a graph in memory of the caller, and the graph, in order, without their bytes."""
    chance = random.Random(seed)
    order = any_order(graph)
    assert order is not None
    at = {op: time for time, op in enumerate(order)}
    edges = tuple((at[a], at[b]) for a, b in graph.edges)
    graph = graph._replace(ops=tuple(graph.ops[op] for op in order), edges=edges)
    writers, readers = writers_of(graph), readers_of(graph)
    ends = {b for b in range(len(graph.sizes)) if b in writers and (b in graph.kept or b not in readers)}
    begins = {b for b in range(len(graph.sizes)) if b not in writers}
    given, taken = (frozenset(b for b in sorted(numbers) if chance.random() < 0.7) for numbers in (ends, begins))
    sizes = tuple(0 if b in given | taken else size for b, size in enumerate(graph.sizes))
    # Arguments are the caller's: nothing in the arena is written over them.
    changed = graph._replace(sizes=sizes, kept=graph.kept | given, not_overwritable=frozenset(begins))
    return changed, ExternalBuffers(given, taken, {})


def least_peak(graph: Graph, outside: ExternalBuffers) -> int:
    """Over every set of choices, each with every order."""
    peaks: list[int] = []
    waiting = [NOTHING]
    seen = {NOTHING}
    while waiting:
        forced = waiting.pop()
        made = variant(graph, outside, forced)
        order = any_order(made.graph)
        if order is not None:
            peaks.append(schedule(made.graph, order).peak)
        options = {forced | {option} for option in made.options} - seen
        waiting += options
        seen |= options
    return min(peaks)


def test_choices_are_the_best_of_all() -> None:
    compared = 0
    for seed in range(400):
        graph, outside = random_outside(random_graph(seed, 8), seed)
        if len(variant(graph, outside, NOTHING).options) in (0, *range(7, 100)):
            continue
        best = best_order(graph, outside)
        compared += best.proved
        assert not best.proved or best.schedule.peak == least_peak(graph, outside), seed
        assert best.schedule.bound <= least_peak(graph, outside), seed
    assert compared > 100


def with_parts(graph: Graph, outside: ExternalBuffers, seed: int) -> tuple[Graph, ExternalBuffers] | None:
    """The graph in which what an op reads may be made in what it writes, which has the bytes of all; None where no op
    reads two buffers that others write."""
    writers, sizes = writers_of(graph), list(graph.sizes)
    concats = {
        op.writes[0]: parts
        for op in graph.ops
        if op.writes and len(parts := [b for b in dict.fromkeys(op.reads) if b in writers and sizes[b]]) > 1
    }
    if not concats:
        return None
    whole = random.Random(seed).choice(sorted(concats))
    if sizes[whole]:
        sizes[whole] = sum(sizes[part] for part in concats[whole])
    return graph._replace(sizes=tuple(sizes)), outside._replace(parts={whole: tuple(concats[whole])})


def test_choices_of_parts_are_the_best_of_all() -> None:
    compared = 0
    for seed in range(400):
        made = with_parts(*random_outside(random_graph(seed, 7), seed), seed)
        if made is None or len(variant(*made, NOTHING).options) not in range(1, 7):
            continue
        best = best_order(*made)
        compared += best.proved
        assert not best.proved or best.schedule.peak == least_peak(*made), seed
    assert compared > 50


def test_order_that_no_part_can_better_is_proved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The peak is at op 1, and the parts 2 and 3 of 4 are not live there: no choice of them is looked at."""
    ops = (
        ScheduledOp((), (0,)),
        ScheduledOp((0,), (1,)),
        ScheduledOp((1,), (2,)),
        ScheduledOp((1,), (3,)),
        ScheduledOp((2, 3), (4,)),
    )
    graph = Graph((9, 9, 1, 1, 2), frozenset({4}), frozenset(), ops)
    outside = ExternalBuffers(frozenset(), frozenset(), {4: (2, 3)})
    assert variant(graph, outside, NOTHING).options

    def fail(*_: object) -> None:
        raise AssertionError("a choice of parts is looked at")

    monkeypatch.setattr(external_choices, "nested", fail)
    best = best_order(graph, outside)
    assert (best.schedule.peak, best.schedule.bound, best.proved) == (18, 18, True)
