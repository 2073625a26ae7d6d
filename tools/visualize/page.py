"""Memory maps as one page of HTML: the SVG, and a script that zooms, filters and tells more. Nothing is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from lastuse.tools.visualize.markup import clean, words
from lastuse.tools.visualize.memory import Column, MemoryMap, Value
from lastuse.tools.visualize.panel import Panel, labelled
from lastuse.tools.visualize.svg import panels_of, svg

FOLDER = Path(__file__).parent
MAX_VALUES, MAX_TOLD = 200, 100_000
"""Values that are told, of one box (a run may have thousands), and of all, so that a file has a bound."""
MAX_STEPS = 50_000
"""Of more steps none is told."""
HINT = "wheel: zoom (shift: time alone, alt: bytes alone) · drag: move · double click: all · click a box: keep it"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The browser is told too that nothing is loaded."""
DESCRIBED = ("name", "op", "line", "nbytes", "first", "how")
"""What is told of a value."""


def page(maps: Sequence[MemoryMap], one_scale: bool = False) -> str:
    """The page. `one_scale`: as for `svg`."""
    data = json.dumps([_data(panel) for panel in panels_of(maps, one_scale)], separators=(",", ":"), ensure_ascii=False)
    # It must not end the element that it stands in.
    data = data.replace("<", "\\u003c")
    title = words("Memory of " + ", ".join(m.title for m in maps[:8]))
    style, script = (FOLDER.joinpath(f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<input type="search" placeholder="filter: value, op, line" aria-label="filter">
<button type="button" name="in" title="zoom in">+</button>
<button type="button" name="out" title="zoom out">−</button>
<button type="button" name="all" title="all of it">all</button>
<span class="count"></span><span class="hint">{HINT}</span>
</header>
<main>
<div class="picture">
{svg(maps, one_scale)}
</div>
<aside aria-live="polite">Point at a box.</aside>
</main>
<script type="application/json" id="maps">{data}</script>
<script>
{script}</script>
</body>
</html>
"""


def _data(panel: Panel) -> dict[str, object]:
    map_, drawn = panel.map, panel.drawn()
    most = min(MAX_VALUES, max(4, MAX_TOLD // max(len(drawn), 1)))
    steps = zip(map_.steps, map_.live, panel.names(), strict=True) if len(map_.steps) <= MAX_STEPS else ()

    def plain(thing: Column | Value, names: Iterable[str]) -> dict[str, object]:
        values = ((name, getattr(thing, name)) for name in names)
        return {name: clean(value) if isinstance(value, str) else value for name, value in values}

    return {
        "columns": panel.columns,
        "width": panel.width,
        "height": panel.height,
        "top": panel.top,
        "peak": map_.peak,
        "steps": [plain(s, s.__dataclass_fields__) | {"live": n, "label": clean(name)} for s, n, name in steps],
        "boxes": [
            {
                "kind": box.kind.value,
                **{name: getattr(box, name) for name in ("offset", "size", "first", "last")},
                "count": len(box.values),
                "values": [plain(value, DESCRIBED) for value in box.values[:most]],
                "labels": [
                    (clean(v.name), v.first, until, v.begin, v.end, v.nbytes, bool(v.over))
                    for v, until in islice(labelled(box), most)
                ],
            }
            for box in drawn
        ],
    }
