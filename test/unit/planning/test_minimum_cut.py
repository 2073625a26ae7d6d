"""Minimum cuts, against all cuts of small graphs."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from lastuse.passes.planning.minimum_cut import SINK, SOURCE, UNBOUNDED, FlowGraph

Edge = tuple[int, int, int]


def cost(cut: frozenset[int], edges: list[Edge]) -> int:
    return sum(capacity for tail, head, capacity in edges if tail != head and tail in cut and head not in cut)


@given(
    st.integers(0, 5),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0, 1, 2, 3, 7, UNBOUNDED])), max_size=24),
)
def test_no_cut_costs_less_and_the_largest_is_found(more: int, drawn: list[Edge]) -> None:
    count = 2 + more
    edges = [(tail % count, head % count, capacity) for tail, head, capacity in drawn]
    graph = FlowGraph()
    for _ in range(more):
        graph.node()
    for edge in edges:
        graph.edge(*edge)
    flow, cut = graph.largest_minimum_cut()
    sides = product((False, True), repeat=more)
    cuts = [frozenset({SOURCE, *(k for k, side in enumerate(chosen, 2) if side)}) for chosen in sides]
    least = min(cost(each, edges) for each in cuts)
    assert flow == least == cost(cut, edges)
    assert SOURCE in cut and SINK not in cut
    assert all(each <= cut for each in cuts if cost(each, edges) == least)


def test_a_long_chain_needs_no_stack() -> None:
    graph, last = FlowGraph(), SOURCE
    for number in range(5000):
        node = graph.node()
        graph.edge(last, node, 10 + number % 7)
        last = node
    graph.edge(last, SINK, 9)
    flow, cut = graph.largest_minimum_cut()
    assert flow == 9 and len(cut) == 5001
