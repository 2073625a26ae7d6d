"""Orders of ops against all sets of executed ops, and graphs of the kinds that networks are made of.

`LASTUSE_ORDERS=5000 pytest test/unit/planning/test_orders.py` compares so many random graphs.
"""

from __future__ import annotations

import os
import random
import time

import pytest
from families import chained, darts, lstm_training, randwire, resnet_training
from test_schedule import check_arena, saved_bytes

from lastuse.passes.planning.cut_ops import split_at_cuts
from lastuse.passes.planning.graph import Graph, ScheduledOp
from lastuse.passes.planning.planner import Error, Proof
from lastuse.passes.planning.schedule import measured, schedule

GRAPHS = int(os.environ.get("LASTUSE_ORDERS", "120"))


def random_graph(seed: int, most: int = 10) -> Graph:
    """Ops that read earlier buffers, with all that a graph may have: unread writes, several pairs, edges, sizes of 0,
    inputs that are kept, unused buffers."""
    chance = random.Random(seed)
    inputs, count = chance.randint(0, 3), chance.randint(1, most)
    sizes = [chance.randint(0, 8) for _ in range(inputs)]
    ops: list[ScheduledOp] = []
    for _ in range(count):
        reads = tuple(chance.sample(range(len(sizes)), min(len(sizes), chance.choice((0, 1, 1, 2, 2, 3)))))
        writes = tuple(range(len(sizes), len(sizes) + chance.choice((0, 1, 1, 1, 1, 2))))
        sizes += [chance.choice((0, 1, 2, 3, 4, 5, 6, 8)) for _ in writes]
        pairs = tuple((r, w) for r in reads for w in writes if chance.random() < 0.4)
        ops.append(ScheduledOp(reads, writes, pairs))
    edges = [(a, b) for b in range(count) for a in range(b) if chance.random() < 0.05]
    kept = {b for b in range(len(sizes)) if chance.random() < 0.15}
    lent = frozenset(b for b in range(inputs) if chance.random() < 0.7)
    # The ops by other numbers than the order they come in.
    renamed = list(range(count))
    chance.shuffle(renamed)
    shuffled = [ops[0]] * count
    for old, new in enumerate(renamed):
        shuffled[new] = ops[old]
    moved = tuple((renamed[a], renamed[b]) for a, b in edges)
    return Graph(tuple(sizes), frozenset(kept), lent, tuple(shuffled), moved)


def first_order(graph: Graph) -> tuple[int, ...]:
    """An order of the ops, the lowest number first."""
    waiting = order_before(graph)
    order: list[int] = []
    while len(order) < len(graph.ops):
        order.append(next(op for op in range(len(graph.ops)) if op not in order and waiting[op] <= set(order)))
    return tuple(order)


def order_before(graph: Graph) -> list[set[int]]:
    writer = {write: n for n, op in enumerate(graph.ops) for write in op.writes}
    before = [{writer[r] for r in op.reads if r in writer} for op in graph.ops]
    for first, then in graph.edges:
        before[then].add(first)
    return before


def bytes_at(graph: Graph, done: frozenset[int], op: int | None) -> int:
    """What is live while `op` runs after `done` (None: after all of `done`), by the words of the definition."""
    written = {w: n for n, o in enumerate(graph.ops) for w in o.writes}
    touched = {*graph.ops[op].reads, *graph.ops[op].writes} if op is not None else set[int]()
    live, hosts = set[int](), set[int]()
    for b in range(len(graph.sizes)):
        waiting = {n for n, o in enumerate(graph.ops) if b in o.reads} - done
        made = b not in written or written[b] in done
        if b in touched or made and (waiting or b in graph.kept):
            live.add(b)
        if waiting == {op} and b not in graph.kept and b not in graph.not_overwritable:
            hosts.add(b)
    saved = saved_bytes(graph, graph.ops[op], hosts) if op is not None else 0
    return sum(graph.sizes[b] for b in live) - saved


def least_peak(graph: Graph) -> int:
    """The least peak of all orders: what an op needs depends on the set that ran before it alone."""
    before, count = order_before(graph), len(graph.ops)
    everything = frozenset(range(count))
    least = {frozenset[int](): max(bytes_at(graph, frozenset(), None), bytes_at(graph, everything, None))}
    for _ in range(count):
        longer: dict[frozenset[int], int] = {}
        for done, peak in least.items():
            for op in everything - done:
                if before[op] <= done:
                    need = max(peak, bytes_at(graph, done, op))
                    both = done | {op}
                    longer[both] = min(longer.get(both, need), need)
        least = longer
    return least[everything]


@pytest.mark.parametrize("group", range(max(1, GRAPHS // 40)))
def test_equals_the_best_of_all_orders(group: int) -> None:
    for seed in range(40 * group, 40 * group + 40):
        graph = random_graph(seed, 10 if GRAPHS > 1000 else 8)
        start = first_order(graph)
        found = schedule(graph, start)
        assert found.peak == found.bound == least_peak(graph), seed
        assert found.proof in (Proof.REACHED, Proof.EXHAUSTED)
        assert measured(graph, found.order).peak == found.peak
        check_arena(graph, found)
        if found.peak == measured(graph, start).peak:
            assert found.order == start, "an order that is no better is not worth a change"
        assert schedule(graph, found.order).order == found.order


def test_search_at_its_limit_returns_the_best_of_beam_and_given_order() -> None:
    graph, _ = darts(6, 1)
    start = first_order(graph)
    found = schedule(graph, start, nodes=1)
    assert found.bound <= found.peak <= measured(graph, start).peak
    assert (found.proof is Proof.NONE) == (found.bound < found.peak)
    assert schedule(graph, start, nodes=1)[:5] == found[:5]
    least = schedule(graph, start)
    assert least.proof is not Proof.NONE
    assert found.bound <= least.peak <= found.peak


def test_chain_of_cells_is_split_where_one_buffer_is_live() -> None:
    graph = chained([darts(n, 1)[0] for n in range(4)])
    pieces = split_at_cuts(graph, first_order(graph))
    assert len(pieces) > 4
    assert sorted(op for ops, _ in pieces for op in ops) == list(range(len(graph.ops)))
    together = schedule(graph, first_order(graph))
    assert together.proof is not Proof.NONE
    assert together.peak == max(schedule(piece).peak for _, piece in pieces)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("family", "size", "seconds"),
    [("randwire", 32, 1), ("randwire", 64, 5), ("darts", 4, 1), ("lstm", 12, 1), ("resnet", 6, 1)],
)
def test_graphs_of_networks_are_proved_in_time(family: str, size: int, seconds: float, seed: int) -> None:
    made = {"randwire": randwire, "darts": darts, "lstm": lstm_training, "resnet": resnet_training}[family]
    graph, inplace = made(seed, size)
    for pairs in (True, False):
        asked = graph if pairs else graph._replace(ops=tuple(op._replace(may_inplace=()) for op in graph.ops))
        before = time.process_time()
        found = schedule(asked, nodes=2_000_000)
        spent = time.process_time() - before
        assert found.proof is not Proof.NONE, (family, seed, found.peak, found.bound)
        assert spent < seconds, (family, seed, spent)
        assert not inplace or not pairs or found.inplace


@pytest.mark.parametrize("edge", [(0, 5), (-1, 0)])
def test_edge_of_an_unknown_op_is_rejected(edge: tuple[int, int]) -> None:
    with pytest.raises(Error, match="an edge names op"):
        schedule(Graph((1,), frozenset(), frozenset(), (ScheduledOp((), (0,)),), (edge,)))


def test_cyclic_edges_are_rejected() -> None:
    ops = (ScheduledOp((), (0,)), ScheduledOp((0,), (1,)))
    with pytest.raises(Error, match="have a cycle"):
        schedule(Graph((1, 1), frozenset(), frozenset(), ops, ((1, 0),)))
