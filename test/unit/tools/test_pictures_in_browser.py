"""Pictures in a browser: boxes are at their offsets, labels are inside, the page works."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from browse import browser, seen
from pictured import many_ops, maps_of, meet, tabled

from lastuse.tools.visualize.memory import MemoryMap
from lastuse.tools.visualize.page import page
from lastuse.tools.visualize.svg import svg
from support import ROOT

NEAR = 1.01
"""Pixels: nothing is drawn thinner than half a one."""
NAMES = ("of 20 ops", "of 2,000 ops", "not planned", "with regions, calls and an empty map", "of a table")
KINDS = {"svg": svg, "html": page}
CASES = [(name, kind) for name in NAMES for kind in KINDS]


class Looked(NamedTuple):
    """What was drawn, what the browser saw of it by case, and what its console said."""

    maps: dict[str, tuple[MemoryMap, ...]]
    found: dict[tuple[str, str], dict[str, Any]]
    console: list[str]


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Looked:
    browser()
    flow = (ROOT / "test" / "lit" / "opt-tool" / "pictures-flow.mlir").read_text()
    drawn = (
        maps_of(many_ops(20)),
        maps_of(many_ops(2000)),
        maps_of(many_ops(60), plan=False),
        maps_of(flow),
        (tabled(),),
    )
    maps = dict(zip(NAMES, drawn, strict=True))
    found, console = seen([(kind, KINDS[kind](maps[name])) for name, kind in CASES], tmp_path_factory.mktemp("browser"))
    return Looked(maps, dict(zip(CASES, found, strict=True)), console)


def test_the_console_is_silent(looked: Looked) -> None:
    assert looked.console == []


@pytest.mark.parametrize("case", CASES, ids=" as ".join)
def test_boxes_are_at_the_offsets_of_the_map(looked: Looked, case: tuple[str, str]) -> None:
    found = looked.found[case]
    assert "wrong" not in found, found
    assert len(found["panels"]) == len(looked.maps[case[0]])
    for panel, drawn in zip(found["panels"], looked.maps[case[0]], strict=True):
        left, top, right, bottom = panel["plot"]
        assert found["root"][0] <= left < right <= found["root"][2]
        assert found["root"][1] <= top < bottom <= found["root"][3]
        assert len(panel["boxes"]) == len(drawn.boxes)
        across, up = (right - left) / len(drawn.steps), (bottom - top) / max(drawn.arena, drawn.bound, 1)
        for box, seen_at in zip(drawn.boxes, panel["boxes"], strict=True):
            wanted = (
                left + box.first * across,
                bottom - box.end * up,
                left + (box.last + 1) * across,
                bottom - box.offset * up,
            )
            assert seen_at == pytest.approx(wanted, abs=NEAR), box


@pytest.mark.parametrize("case", CASES, ids=" as ".join)
def test_boxes_overlap_only_where_the_plan_does(looked: Looked, case: tuple[str, str]) -> None:
    for panel, drawn in zip(looked.found[case]["panels"], looked.maps[case[0]], strict=True):
        pairs = sorted(zip(panel["boxes"], drawn.boxes, strict=True), key=lambda pair: pair[0][0])
        for n, (one, box) in enumerate(pairs):
            for other, with_ in pairs[n + 1 :]:
                if other[0] >= one[2] - NEAR:
                    break
                apart = other[1] >= one[3] - NEAR or one[1] >= other[3] - NEAR
                assert apart or meet(box, with_), (box, with_)
        boxes = drawn.boxes[:200]
        assert not any(meet(box, other) for n, box in enumerate(boxes) for other in boxes[n + 1 :])


@pytest.mark.parametrize("case", CASES, ids=" as ".join)
def test_boxes_show_their_values_and_sizes(looked: Looked, case: tuple[str, str]) -> None:
    for panel, drawn in zip(looked.found[case]["panels"], looked.maps[case[0]], strict=True):
        for told, box in zip(panel["told"], drawn.boxes, strict=True):
            assert f"{box.size:,} byte" in told
            assert box.values[0].name.replace("\x00", "\ufffd") in told
        plot = panel["plot"]
        for name, left, top, right, bottom in panel["labels"]:
            assert plot[0] - 1 <= left and right <= plot[2] + 1 and plot[1] - 2 <= top and bottom <= plot[3] + 2, name
        if drawn.boxes:
            assert all(panel["lines"]), "a line for the arena, the bound, the peak, the bytes in use"
            arena, bound, peak, _ = panel["lines"]
            assert arena[1] <= bound[1] + NEAR if drawn.arena >= drawn.bound else bound[1] <= arena[1]
            assert plot[0] <= peak[0] and peak[2] <= plot[2] + NEAR


@pytest.mark.parametrize("name", NAMES)
def test_the_page_can_be_used(looked: Looked, name: str) -> None:
    used, drawn = looked.found[name, "html"]["used"], looked.maps[name][0]
    assert used["ready"] == "yes"
    first = drawn.boxes[0]
    shown = first.values[0].name.replace("\x00", "\ufffd")
    assert shown in used["aside"] and f"{first.size:,} byte" in used["aside"]
    assert used["zoomed"].startswith("matrix(2.7") and used["grown"] == pytest.approx(2.718, rel=0.01)
    assert used["ticks"] > 0
    assert used["back"]
    hits = sum(len(m.boxes) for m in looked.maps[name]) - used["dim"]
    assert used["count"].startswith(f"{hits:,} of ") and hits >= 1
