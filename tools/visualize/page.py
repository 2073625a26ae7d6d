"""Memory maps as one page of HTML: the SVG, and a script that zooms, filters and tells more. Nothing is loaded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from string import Template

from lastuse.tools.visualize.markup import clean, words
from lastuse.tools.visualize.memory import Box, Column, MemoryMap, Value
from lastuse.tools.visualize.panel import Panel, labelled
from lastuse.tools.visualize.svg import panels_of, svg

FOLDER = Path(__file__).parent
MAX_VALUES, MAX_TOLD = 200, 100_000
"""Values that are told, of one box (a run may have thousands), and of all, so that a file has a bound."""
MAX_STEPS = 50_000
"""Of more steps none is told."""
DESCRIBED = ("name", "op", "line", "nbytes", "first", "how")
"""What is told of a value."""


def page(maps: Sequence[MemoryMap], one_scale: bool = False) -> str:
    """The page. `one_scale`: as for `svg`."""
    data = json.dumps([_data(panel) for panel in panels_of(maps, one_scale)], separators=(",", ":"), ensure_ascii=False)
    # It must not end the element that it stands in.
    data = data.replace("<", "\\u003c")
    title = words("Memory of " + ", ".join(m.title for m in maps[:8]))
    html, style, script = (FOLDER.joinpath(f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    return Template(html).substitute(title=title, style=style, script=script, picture=svg(maps, one_scale), data=data)


def _data(panel: Panel) -> dict[str, object]:
    map_, drawn = panel.map, panel.drawn()
    most = min(MAX_VALUES, max(4, MAX_TOLD // max(len(drawn), 1)))
    steps = zip(map_.steps, map_.live, panel.names(), strict=True) if len(map_.steps) <= MAX_STEPS else ()
    return {
        **_fields(panel, "columns", "width", "height", "top"),
        "peak": map_.peak,
        "steps": [_fields(s, *s.__dataclass_fields__) | {"live": n, "label": clean(name)} for s, n, name in steps],
        "boxes": [
            {
                "kind": box.kind.value,
                **_fields(box, "offset", "size", "first", "last"),
                "count": len(box.values),
                "values": [_fields(value, *DESCRIBED) for value in box.values[:most]],
                "labels": [
                    (clean(v.name), v.first, until, v.begin, v.end, v.nbytes, bool(v.over))
                    for v, until in islice(labelled(box), most)
                ],
            }
            for box in drawn
        ],
    }


def _fields(thing: Panel | Column | Box | Value, *names: str) -> dict[str, object]:
    """Some fields by name, texts as `clean` leaves them."""
    values = ((name, getattr(thing, name)) for name in names)
    return {name: clean(value) if isinstance(value, str) else value for name, value in values}
