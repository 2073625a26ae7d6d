"""Draws how a ragged batch is walked: the runs that the runtime cuts it into, on one thread and on two."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lastuse.runtime import _core
from lastuse.tools.visualize.markup import column_ticks, tag

sys.path.append(str(Path(__file__).resolve().parent.parent / "bench" / "gru_sides"))

import workload

ROWS, STEPS, WIDTH = 32, 16, 32
"""The limits of a run at 256 channels (`Cut::of` in `runtime/cpp/ragged/plan.cpp`)."""
READING = 1.8
"""The time to read the weights of the state, in rows of work (`Gru::cost` in `runtime/cpp/ragged/gru.cpp`)."""
CELL_X, CELL_Y, LEFT, TOP, GAP = 7.0, 3.0, 46.0, 24.0, 40.0
"""Width of a step, height of a sequence, margins and the gap between panels, in px."""
COLOURS = ("#1f5fa8", "#b4530f")
"""By thread; a wider run is more opaque."""
STYLE = (
    "text{font:11px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#1c2733}.e{text-anchor:end}"
    ".m{text-anchor:middle}rect{stroke:#fff;stroke-width:.6}.bg{fill:#f6f8fa;stroke:none}"
    ".padded{fill:none;stroke:#77838f;stroke-dasharray:2 3}"
)


def picture() -> str:
    """SVG of workload a of `bench/gru.py`."""
    lengths = np.array(workload.RAGGED)
    width = LEFT + CELL_X * int(lengths.max()) + 14
    each = CELL_Y * len(lengths) + TOP + GAP
    panels = [
        tag("g", *_panel(lengths, threads), transform=f"translate({LEFT:g} {TOP + (threads - 1) * each:g})")
        for threads in (1, 2)
    ]
    size = {"width": width, "height": 2 * each, "viewBox": f"0 0 {width:g} {2 * each:g}"}
    return tag("svg", tag("style", STYLE), *panels, xmlns="http://www.w3.org/2000/svg", **size) + "\n"


def _panel(lengths: np.ndarray, threads: int) -> list[str]:
    """Each run as a box, as wide as its steps and as high as its sequences; a group of them below the one before."""
    rows, longest, sequences = int(lengths.sum()), int(lengths.max()), len(lengths)
    parts = _core.gru_plan(np.cumsum([0, *lengths]), rows, threads, ROWS, STEPS, WIDTH, READING)
    whole = {"width": CELL_X * longest, "height": CELL_Y * sequences}
    bottom = CELL_Y * sequences + 15
    title = (
        f"{threads} thread{'s' * (threads > 1)}: {rows:,} rows in {sum(map(len, parts))} runs; "
        f"padded, dotted, {longest * sequences:,}"
    )
    drawn = [tag("text", title, y=-8), tag("rect", class_="bg", **whole)]
    offset = 0
    for part, colour in zip(parts, COLOURS, strict=False):
        drawn.append(tag("g", *_boxes(part, colour), transform=f"translate(0 {CELL_Y * offset:g})"))
        offset += sum(len(indices) for indices, step, _ in part if step == 0)
    drawn.append(tag("rect", class_="padded", **whole))
    drawn += [tag("text", str(k), class_="m", x=CELL_X * k, y=bottom) for k in column_ticks(longest + 1, 6)]
    drawn += [tag("text", str(k), class_="e", x=-6, y=CELL_Y * k + 4) for k in column_ticks(sequences + 1, 4)]
    return [*drawn, tag("text", "row of a sequence", class_="e", x=CELL_X * longest, y=bottom + 13)]


def _boxes(part: Sequence[tuple[Sequence[int], int, int]], colour: str) -> list[str]:
    boxes: list[str] = []
    base, next_base = 0, 0
    for indices, step, steps in part:
        wide = len(indices)
        if step == 0:
            base, next_base = next_base, next_base + wide
        place = {"x": CELL_X * step, "y": CELL_Y * base, "width": CELL_X * steps, "height": CELL_Y * wide}
        said = tag("title", f"{wide} sequence{'s' * (wide > 1)}, {steps} step{'s' * (steps > 1)}")
        boxes.append(tag("rect", said, fill=colour, fill_opacity=0.25 + 0.7 * wide / WIDTH, **place))
    return boxes
