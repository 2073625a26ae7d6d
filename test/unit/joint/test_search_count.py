"""How many searches for an order a plan takes: none that cannot find a smaller arena."""

from __future__ import annotations

from typing import Any

import pytest
from ordered_programs import best_of_all, program

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import memory_model
from lastuse.passes.scheduling import joint_planning
from lastuse.passes.scheduling.joint_planning import NODES, PlanSearch
from lastuse.passes.scheduling.reorder import orders
from lastuse.passes.scheduling.schedule_graph import block_graph

CONTEXT = context()
LATE = """
func.func @main(%x: tensor<16xf32>{argument}) -> (tensor<16xf32>{returned}) {{
  %a = "dnn.opaque"(%x) {{kind = "conv"}} : (tensor<16xf32>) -> tensor<512xf32>
  %b = "dnn.opaque"(%x) {{kind = "conv"}} : (tensor<16xf32>) -> tensor<512xf32>
  %c = "dnn.opaque"(%a) {{kind = "conv"}} : (tensor<512xf32>) -> tensor<16xf32>
  %d = "dnn.opaque"(%b) {{kind = "conv"}} : (tensor<512xf32>) -> tensor<16xf32>
  {state}
  %s = "dnn.slice"(%h) {{dim = 0 : i64, start = 0 : i64, end = 16 : i64}} : (tensor<32xf32>) -> tensor<16xf32>
  %e = "dnn.tanh"(%s) : (tensor<16xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%c, %d, %e) {{kind = "conv"}} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  func.return %y{result} : tensor<16xf32>{returned}
}}"""
MADE = '%h = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<32xf32>'
STATES = {
    "made and dropped": LATE.format(argument="", state=MADE, result="", returned=""),
    "an argument that is read alone": LATE.format(argument=", %h: tensor<32xf32>", state="", result="", returned=""),
    "an argument that is given": LATE.format(
        argument=", %h: tensor<32xf32> {dnn.donated}", state="", result="", returned=""
    ),
    "returned": LATE.format(argument="", state=MADE, result=", %h", returned=", tensor<32xf32>"),
}
OVER_A_PART = ("made and dropped", "an argument that is given")


def numbered(text: str) -> NumberedOps:
    found = NumberedOps.of(main_function(parse(CONTEXT, text, "test.mlir")))
    assert found is not None
    return found


def searches(text: str, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each search for an order, whether ops were to stay where they were."""
    settled: list[bool] = []

    def noted(*args: Any, settle: bool = True, **options: Any) -> object:
        settled.append(settle)
        return orders(*args, settle=settle, **options)

    monkeypatch.setattr(joint_planning, "orders", noted)
    PlanSearch().run(numbered(text).func)
    return settled


@pytest.mark.parametrize("state", STATES)
def test_one_search_where_the_arena_is_as_small_as_live_bytes_allow(
    state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert searches(STATES[state], monkeypatch) == [True]


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_written_over_what_is_kept_or_the_callers_to_read(state: str) -> None:
    """Of a storage that may be written a result may have a part, which the graph counts all the same."""
    found = numbered(STATES[state])
    graph = block_graph(memory_model(found), found.func.body.block, lambda _: True)
    results = [graph.results[number].op.name for number in sorted(graph.uncertain)]
    assert results == (["dnn.tanh"] if state in OVER_A_PART else [])


def test_bound_is_below_the_arena_of_every_order() -> None:
    compared = below = 0
    for seed in range(60):
        found = numbered(program(seed))
        least = best_of_all(found.func, 24, parts=(False,))
        if least is None:
            continue
        bound = orders(found, NODES)
        assert bound.least <= least, seed
        compared, below = compared + 1, below + (bound.least < bound.peak)
    assert compared > 10


def test_search_goes_on_where_the_arena_is_above_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the programs some have an arena above the bound, and the first order that was met is planned too."""
    counts = [searches(program(seed, 20), monkeypatch) for seed in range(24)]
    assert [True] in counts
    assert any(False in settled for settled in counts)
    assert sum(map(len, counts)) < 2 * len(counts)
