"""Orders of ops against all orders of few, and arenas of orders against a picture of every byte."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.passes.planning.graph import Graph, ScheduledOp
from lastuse.passes.planning.planner import Error, Proof
from lastuse.passes.planning.schedule import Schedule, arena, measured, schedule


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> Graph:
    """Up to `most` ops that read inputs and earlier results, with a permission for some pairs."""
    count = draw(st.integers(1, most))
    inputs = draw(st.integers(1, 2))
    sizes = [draw(st.integers(1, 6)) for _ in range(inputs)]
    ops: list[ScheduledOp] = []
    for _ in range(count):
        reads = draw(st.lists(st.sampled_from(range(len(sizes))), min_size=1, max_size=3, unique=True))
        writes = list(range(len(sizes), len(sizes) + draw(st.integers(1, 2))))
        sizes += [draw(st.integers(1, 6)) for _ in writes]
        pairs = [pair for pair in itertools.product(reads, writes) if draw(st.booleans())]
        ops.append(ScheduledOp(tuple(reads), tuple(writes), tuple(pairs)))
    kept = draw(st.sets(st.sampled_from(range(len(sizes))), max_size=2)) | {len(sizes) - 1}
    return Graph(tuple(sizes), frozenset(kept), frozenset(range(inputs)), tuple(ops))


def orders(graph: Graph) -> Iterator[tuple[int, ...]]:
    writer = {write: n for n, op in enumerate(graph.ops) for write in op.writes}
    for order in itertools.permutations(range(len(graph.ops))):
        at = {op: n for n, op in enumerate(order)}
        if all(at[writer[r]] < at[n] for n, op in enumerate(graph.ops) for r in op.reads if r in writer):
            yield order


def peak_of(graph: Graph, order: Sequence[int]) -> int:
    """What an order needs, by the words of the definition."""
    written = {w for op in graph.ops for w in op.writes}
    readers = {b: {n for n, op in enumerate(graph.ops) if b in op.reads} for b in range(len(graph.sizes))}
    live = {b for b in readers if b not in written and (readers[b] or b in graph.kept)}
    peak, done = sum(graph.sizes[b] for b in live), set[int]()
    for n in order:
        op = graph.ops[n]
        done.add(n)
        live |= set(op.writes)
        dying = {b for b in live if readers[b] <= done and b not in graph.kept}
        hosts = {r for r in op.reads if r in dying and r not in graph.not_overwritable}
        peak = max(peak, sum(graph.sizes[b] for b in live) - saved_bytes(graph, op, hosts))
        live -= dying
    return peak


def saved_bytes(graph: Graph, op: ScheduledOp, hosts: set[int]) -> int:
    """The most bytes of writes in place, by all ways to choose pairs."""
    usable = [(r, w) for r, w in op.may_inplace if r in hosts and graph.sizes[w] <= graph.sizes[r]]
    best = 0
    for count in range(len(usable) + 1):
        for chosen in itertools.combinations(usable, count):
            if len({r for r, _ in chosen}) == len({w for _, w in chosen}) == count:
                best = max(best, sum(graph.sizes[w] for _, w in chosen))
    return best


def check_arena(graph: Graph, found: Schedule) -> None:
    """No two buffers share a byte at a time, but a write and the read it may lie over."""
    placed = arena(graph, found)
    assert placed.plan.peak >= found.peak
    written = {w: n for n, op in enumerate(graph.ops) for w in op.writes}
    at = {op: time for time, op in enumerate(found.order)}
    begin = {b: at[written[b]] if b in written else 0 for b in range(len(graph.sizes))}
    end = {b: at[written[b]] if b in written else 0 for b in range(len(graph.sizes))}
    for n, op in enumerate(graph.ops):
        for b in op.reads:
            end[b] = max(end[b], at[n])
    end.update(dict.fromkeys(graph.kept, len(graph.ops) - 1))
    over = set(found.inplace)
    live = [b for b, o in enumerate(placed.offsets) if o is not None]
    for a, b in itertools.combinations(live, 2):
        x, y = placed.offsets[a], placed.offsets[b]
        assert x is not None and y is not None
        meet = max(begin[a], begin[b]) <= min(end[a], end[b])
        share = max(x, y) < min(x + graph.sizes[a], y + graph.sizes[b])
        if meet and share:
            assert (a, b) in over or (b, a) in over
            assert x == y and max(begin[a], begin[b]) == min(end[a], end[b]), "over each other at the one op alone"


@settings(deadline=None, max_examples=200)
@given(graphs())
def test_schedule_has_the_least_peak_of_all_orders(graph: Graph) -> None:
    found = schedule(graph)
    assert found.order in set(orders(graph))
    assert found.proof is not Proof.NONE
    assert found.peak == found.bound == min(peak_of(graph, order) for order in orders(graph))
    check_arena(graph, found)


@settings(deadline=None, max_examples=200)
@given(graphs())
def test_beam_that_has_room_for_all_sets_has_the_least_peak_of_all_orders(graph: Graph) -> None:
    found = schedule(graph, nodes=1)  # the search ends at once, and the beam is what is left
    assert found.peak == min(peak_of(graph, order) for order in orders(graph))
    assert found.order in set(orders(graph))


@settings(deadline=None, max_examples=100)
@given(graphs(5))
def test_measured_peak_of_an_order(graph: Graph) -> None:
    for order in itertools.islice(orders(graph), 10):
        found = measured(graph, order)
        assert found.peak == peak_of(graph, order)
        check_arena(graph, found)


@settings(deadline=None, max_examples=60)
@given(graphs(12))
def test_schedule_is_never_worse_than_the_given_order_and_deterministic(graph: Graph) -> None:
    given_ = tuple(range(len(graph.ops)))
    found = schedule(graph, given_, nodes=3)
    assert found.bound <= found.peak <= measured(graph, given_).peak
    assert (found.proof is Proof.NONE) == (found.bound < found.peak)
    assert schedule(graph, given_, nodes=3)[:5] == found[:5]


def test_smaller_result_over_a_larger_operand_frees_the_rest() -> None:
    """2 bytes are written over 8, then 6 more are needed: 8 in all."""
    ops = (ScheduledOp((0,), (1,)), ScheduledOp((1,), (2,), ((1, 2),)), ScheduledOp((2,), (3,)))
    graph = Graph((0, 8, 2, 6), frozenset({2, 3}), frozenset({0}), ops)
    found = schedule(graph)
    assert (found.peak, arena(graph, found).plan.peak) == (8, 8)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (
            Graph((1, 1), frozenset(), frozenset(), (ScheduledOp((1,), (0,)), ScheduledOp((0,), (1,)))),
            "have a cycle",
        ),
        (Graph((1,), frozenset(), frozenset(), (ScheduledOp((), (0,)), ScheduledOp((), (0,)))), "written twice"),
        (Graph((1,), frozenset(), frozenset(), (ScheduledOp((3,), (0,)),)), "buffer 3"),
        (Graph((1,), frozenset({7}), frozenset(), ()), "no buffer 7"),
        (Graph((-1,), frozenset(), frozenset(), ()), "below 0"),
        (Graph((1, 1), frozenset(), frozenset(), (ScheduledOp((0,), (1,), ((1, 0),)),)), "in place"),
    ],
)
def test_wrong_graph_is_rejected(graph: Graph, message: str) -> None:
    with pytest.raises(Error, match=message):
        schedule(graph)


def test_wrong_order_is_rejected() -> None:
    graph = Graph((1, 1, 1), frozenset({2}), frozenset(), (ScheduledOp((0,), (1,)), ScheduledOp((1,), (2,))))
    for order in ((1, 0), (0,), (0, 0), (0, 5)):
        with pytest.raises(Error, match="order"):
            schedule(graph, order)


def branches(count: int, width: int) -> Graph:
    """Branches of one value, each of some ops that read it, with scratch of their own, and one that reads their
    results: hundreds of ops may run next."""
    sizes, ops, results = [128, 2688], [ScheduledOp((0,), (1,))], list[int]()

    def add(reads: Sequence[int], *written: int) -> int:
        sizes.extend(written)
        ops.append(ScheduledOp(tuple(reads), tuple(range(len(sizes) - len(written), len(sizes)))))
        return len(sizes) - len(written)

    for number in range(count):
        branch = add([1], 7232 + 800 * number)
        parts = [add([branch], 64, 640) for _ in range(width + number % 3)]
        results.append(add([add(parts, 64 * len(parts))], 448))
    end = add(results, 448 * count)
    return Graph(tuple(sizes), frozenset({end}), frozenset({0}), tuple(ops))


def test_sets_of_wide_graphs_count_as_several_nodes() -> None:
    """A search of as many sets of the wider graph takes fifty times as long as of the other, and would end there."""
    assert schedule(branches(6, 8), nodes=100_000).proof is Proof.EXHAUSTED
    assert schedule(branches(9, 14), nodes=100_000).proof is Proof.NONE
