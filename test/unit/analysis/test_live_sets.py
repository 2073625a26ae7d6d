"""`live_sets` against the seed's cases, and against the definition: a value is live where some path reads it first."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.passes.analysis.liveness import live_sets
from support import shared


def test_cases_of_the_memory_transpiler() -> None:
    cases = json.loads((shared() / "cases" / "paddle_memory_liveness.json").read_text())
    tried = 0
    for case in cases:
        ops = case["program"]["ops"]
        if "live" not in case["expect"] or any(o["kind"] in ("while", "if") for o in ops):
            continue
        tried += 1
        number = {o["id"]: k for k, o in enumerate(ops)}
        live_in, live_out = live_sets(
            [set(o["operands"]) for o in ops],
            [{r["name"] for r in o["results"]} for o in ops],
            [[number[s] for s in o["attrs"].get("succ", [])] for o in ops],
            {*case["expect"].get("live_at_exit", []), *case["program"]["outputs"]},
        )
        for k, o in enumerate(ops):
            want = case["expect"]["live"][o["id"]]
            assert (live_in[k], live_out[k]) == (set(want["in"]), set(want["out"])), (case["id"], o["id"])
    assert tried > 30


NAMES = "abc"
names = st.sets(st.sampled_from(NAMES), max_size=2)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[set[str]], list[set[str]], list[list[int]], set[str]]:
    count = draw(st.integers(1, 6))
    nexts = st.lists(st.integers(0, count - 1), max_size=2, unique=True)
    return (
        [draw(names) for _ in range(count)],
        [draw(names) for _ in range(count)],
        [draw(nexts) for _ in range(count)],
        draw(names),
    )


@settings(deadline=None)
@given(graphs())
def test_live_sets_equal_a_search_over_all_paths(
    graph: tuple[list[set[str]], list[set[str]], list[list[int]], set[str]],
) -> None:
    uses, defs, successors, at_exit = graph
    live_in, live_out = live_sets(uses, defs, successors, at_exit)

    def read_before_written(name: str, node: int) -> bool:
        """Some path from before `node` reads `name`, or leaves with it, before anything writes it."""
        seen: set[int] = set()
        todo = [node]
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            if name in uses[at]:
                return True
            if name in defs[at]:
                continue
            if not successors[at] and name in at_exit:
                return True
            todo += successors[at]
        return False

    for node in range(len(uses)):
        assert live_in[node] == {n for n in NAMES if read_before_written(n, node)}
        after = {n for n in NAMES for s in successors[node] if read_before_written(n, s)}
        assert live_out[node] == (after if successors[node] else at_exit)
