"""Pictures of plans without a program: tables of buffers, graphs in an order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pictured import SVG, drawn_boxes, meet, meeting

from lastuse.passes.planning.graph import Graph, ScheduledOp
from lastuse.passes.planning.planner import Proof
from lastuse.passes.planning.schedule import Schedule, arena, schedule
from lastuse.passes.planning.subbuffers import Subbuffer
from lastuse.tools.plan_files import graph_of
from lastuse.tools.plan_tool import main as plan_tool
from lastuse.tools.visualize.memory import Box, BoxKind, BoxSpan
from lastuse.tools.visualize.plans import map_of_buffers, map_of_graph
from lastuse.tools.visualize.svg import svg
from support import shared


def test_plan_tool_draws_tables_and_graphs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    buffers = tmp_path / "in.csv"
    buffers.write_text("id,lower,upper,size\na<b,0,10,64\nc,5,20,32\nnever,7,7,8\n")
    assert plan_tool([str(buffers), "-t", "svg"]) == 0
    titles = [group.findtext(f"{SVG}title") for group in drawn_boxes(capsys.readouterr().out)]
    assert sorted(str(title).split("\n")[0] for title in titles) == ["a<b", "c"]

    graph = tmp_path / "graph.json"
    op = {"id": "relu", "reads": ["x"], "writes": ["y"], "may_inplace": [["x", "y"]]}
    first = {"id": "make", "reads": [], "writes": ["x"]}
    sizes = [{"id": "x", "bytes": 64}, {"id": "y", "bytes": 64}]
    graph.write_text(json.dumps({"buffers": sizes, "ops": [first, op], "inputs": [], "outputs": ["y"]}))
    assert plan_tool([str(graph), "-t", "svg"]) == 0
    (box,) = drawn_boxes(capsys.readouterr().out)
    assert "run" in box.get("class", "")
    assert "y  relu  in place over x" in str(box.findtext(f"{SVG}title"))
    assert plan_tool([str(graph), "-t", "html"]) == 0
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")


def test_nested_buffers_are_drawn_with_their_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One box, live from the first part on, with a hole where nothing is live."""
    lives, names, sizes = [(0, 2), (1, 3), (5, 6), (0, 6)], ["l", "r", "y", "x"], [32, 32, 64, 8]
    parts = [Subbuffer(0, 2, 0), Subbuffer(1, 2, 32)]
    found = map_of_buffers("t", lives, names, sizes, [8, 40, 8, 0], 72, parts)
    other, whole = found.boxes
    assert [(v.name, v.how, v.begin, v.end) for v in whole.values] == [
        ("l", "part of y", 8, 40), ("r", "part of y", 40, 72), ("y", "", 8, 72)
    ]  # fmt: skip
    assert [(p.begin, p.end) for p in whole.pieces] == [(8, 72)] * 2 and len(other.values) == 1
    assert max(found.live) == found.arena == 72 and meeting(found) == []

    table = tmp_path / "in.csv"
    table.write_text("id,lower,upper,size,inside,at\nx,0,6,8,,\nl,0,2,32,y,\nr,1,3,32,y,32\ny,2,6,64,,\n")
    for target, start in (("svg", "<svg"), ("html", "<!DOCTYPE html>")):
        assert plan_tool([str(table), "-t", target]) == 0
        drawn = capsys.readouterr().out
        assert drawn.startswith(start) and "part of y" in drawn


@pytest.mark.parametrize("name", ["darts_v2_normal_cifar", "randwire_ws32_4_075_s1", "lstm_train_t8"])
def test_no_boxes_of_an_order_meet(name: str) -> None:
    """A value over a larger one frees the rest for others."""
    path = shared() / "planning" / "schedules" / f"{name}.json"
    source = graph_of(path.read_text(), str(path))
    ordered = schedule(source.graph, source.order, seconds=5.0)
    placed = arena(source.graph, ordered, seconds=5.0)
    found = map_of_graph(name, source.graph, ordered, placed.offsets, source.buffers, source.ops, ordered.bound)
    assert meeting(found) == []
    assert (found.arena, max(found.live)) == (placed.plan.peak, ordered.peak)
    assert len(drawn_boxes(svg([found]))) == len(found.boxes)


def test_a_smaller_value_over_a_larger_leaves_room() -> None:
    graph = Graph(
        (128, 64, 64, 8),
        frozenset({1, 2}),
        frozenset(),
        (ScheduledOp((), (0,)), ScheduledOp((0,), (1,), ((0, 1),)), ScheduledOp((), (2,))),
    )
    ordered = Schedule((0, 1, 2), ((0, 1),), 128, 128, Proof.REACHED)
    found = map_of_graph("g", graph, ordered, (0, 0, 64, None), ("a", "b", "c", "d"), ("p", "q", "r"), 128)
    run, other = found.boxes
    assert run.pieces == (BoxSpan(0, 1, 0, 128), BoxSpan(2, 2, 0, 64))
    assert (run.first, run.last, run.offset, run.size, other.pieces) == (0, 2, 0, 128, (BoxSpan(2, 2, 64, 128),))
    assert found.live == (128, 128, 128) and found.arena == 128
    assert not meet(run, other)
    higher = Box(BoxKind.VALUE, (BoxSpan(0, 1, 64, 96), BoxSpan(2, 3, 32, 128)), run.values)
    assert (higher.offset, higher.end, higher.size) == (32, 128, 96)
    (outline, _) = drawn_boxes(svg([found]))
    assert str(outline.find(f"{SVG}path").get("d")).count("z") == 2  # pyright: ignore
