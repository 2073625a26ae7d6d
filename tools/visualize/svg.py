"""Memory maps as one SVG, which stands alone: no script, no font, nothing to load."""

from __future__ import annotations

from collections.abc import Sequence

from lastuse.tools.visualize.markup import number, path, tag, width_of, words
from lastuse.tools.visualize.memory import BoxKind, MemoryMap
from lastuse.tools.visualize.panel import LEFT, LETTER, MAX_BOXES, RIGHT, Panel

NARROWEST, WIDEST = 560.0, 1160.0
COLUMN = 46.0
"""Of few steps, a column is as wide as this, in px."""
LEGEND = 30.0
GAP = 26.0
MAX_PANELS_HEIGHT, LOWEST = 4000.0, 24.0
FEWEST = 200
"""Boxes that each of many maps may have."""
STYLE = (
    "text{font:10px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#1c2733}"
    ".plot text,.key text,.xl text,.yl text,.bands text{pointer-events:none}"
    ".h{font-size:15px;font-weight:600}.s{font-size:11.5px;fill:#4a5866}.m{text-anchor:middle}.e{text-anchor:end}"
    ".w{fill:#445;font-size:9px}.p{fill:#b3261e;font-weight:600}"
    ".bg{fill:#f6f8fa}.g{stroke:#dde3ea;fill:none}.c{fill:#000;fill-opacity:0}.c:hover{fill-opacity:.05}"
    ".b .r{stroke:#fff;stroke-width:1;vector-effect:non-scaling-stroke}.b.t .r{stroke:none}"
    ".value .r,.value.n0{fill:#8fbce0}.value.n1 .r{fill:#a9cdea}.value.n2 .r{fill:#7aadd6}"
    ".run .r,.run.n0{fill:#8ccb9b}.run.n1 .r{fill:#a5d8b0}.run.n2 .r{fill:#76bd88}"
    ".scratch .r{fill:url(#scratch)}.aside .r{fill:url(#aside)}.frame .r{fill:url(#frame)}"
    ".o{fill:none;pointer-events:none;stroke:#2d3f50;stroke-opacity:.45;stroke-dasharray:3 2}"
    ".b:hover .r{stroke:#111;stroke-width:1.6}"
    ".k{stroke:#14532d;stroke-width:1.4;fill:none;vector-effect:non-scaling-stroke}"
    ".k.f{stroke-width:.6;stroke-opacity:.6}.top{fill:none;stroke:#d93025;stroke-opacity:.6;pointer-events:none}"
    ".top,.g,.o{vector-effect:non-scaling-stroke}"
    ".q{stroke:#14532d;stroke-width:6;stroke-linecap:round;fill:none;vector-effect:non-scaling-stroke}"
    ".live,.arena,.bound{fill:none;vector-effect:non-scaling-stroke}.live{stroke:#1c2733;stroke-opacity:.4;stroke-width:1.2}"
    ".live{pointer-events:none}.arena{stroke:#1c2733;stroke-width:2.5}"
    ".bound{stroke:#c2410c;stroke-width:2.5;stroke-dasharray:7 5}"
    ".copy{fill:url(#copy);fill-opacity:.6;pointer-events:none}.peak{fill:#d93025;fill-opacity:.16}.d{fill:#e6e0f0;stroke:#b9aed0}"
)
HATCHES = {
    BoxKind.SCRATCH: ("#f7c98b", "#c77d1e"),
    BoxKind.ASIDE: ("#d8dde2", "#77838f"),
    BoxKind.FRAME: ("#d9c9ee", "#7d5fae"),
}
"""Ground and stripes of memory that holds no value."""
KEYS = (
    ("value", "value"),
    ("run", "values in place, joined; ● an op that writes over"),
    ("scratch", "scratch"),
    ("aside", "put aside"),
    ("frame", "arena of a function called"),
    ("live", "bytes in use"),
    ("arena", "arena"),
    ("bound", "lower bound"),
    ("peak", "peak"),
    ("copy", "a step that copies"),
)
COPY_HATCH = ("none", "#d93025")
"""Ground and stripes of a column in which bytes are copied: what lies there is seen through it."""


def svg(maps: Sequence[MemoryMap], one_scale: bool = False) -> str:
    """
    The picture of the maps, one below the other.

    Args:
        one_scale: a byte is as high in each of them, so that they can be compared.
    """
    panels = panels_of(maps, one_scale)
    wide = LEFT + max(p.width for p in panels) + RIGHT
    keys, high = _keys(maps, wide)
    parts: list[str] = []
    at = high
    for panel in panels:
        parts.append(panel.render(at))
        at += panel.total + GAP
    hatches = [_hatch(kind.value, *inks) for kind, inks in HATCHES.items()]
    head = tag("style", words(STYLE)) + tag("defs", *hatches, _hatch("copy", *COPY_HATCH))
    titles = ", ".join(m.title for m in maps[:8]) + (", …" if len(maps) > 8 else "")
    return tag(
        "svg",
        tag("title", words(f"Memory map of {titles}")),
        head,
        tag("rect", class_="paper", fill="#fff", width=wide, height=at),
        tag("g", *keys, class_="key"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width=wide,
        height=at,
        viewBox=f"0 0 {number(wide)} {number(at)}",
    )


def panels_of(maps: Sequence[MemoryMap], one_scale: bool) -> list[Panel]:
    """Sizes of the panels."""
    columns = max((len(m.steps) for m in maps), default=1)
    width = min(WIDEST, max(NARROWEST, columns * COLUMN))
    high = [_height(m) for m in maps]
    if one_scale:
        most, highest = max(m.arena for m in maps), max(high)
        high = [highest * m.arena / most if most else h for m, h in zip(maps, high, strict=True)]
    shrink, least = min(1.0, MAX_PANELS_HEIGHT / sum(high)), 1.0 if one_scale else LOWEST
    most = max(FEWEST, MAX_BOXES // len(maps))
    return [Panel(m, width, max(least, h * shrink), most) for m, h in zip(maps, high, strict=True)]


def _height(found: MemoryMap) -> float:
    """Of a plot: more boxes want more room."""
    return 90.0 if not found.boxes else min(620.0, max(220.0, 180 + 12.0 * len(found.boxes)))


def _keys(maps: Sequence[MemoryMap], wide: float) -> tuple[list[str], float]:
    """The legend of what occurs, in as many rows as it needs, and their height."""
    occurring = {box.kind.value for m in maps for box in m.boxes if not box.is_run}
    occurring |= {"run"} if any(box.is_run for m in maps for box in m.boxes) else set()
    occurring |= {"copy"} if any(step.copies for m in maps for step in m.steps) else set()
    kinds = {kind.value for kind in BoxKind} | {"run", "copy"}
    parts: list[str] = []
    x, y = 16.0, 10.0
    for kind, text in KEYS:
        if kind in kinds - occurring:
            continue
        long = 24 + 0.9 * width_of(text, LETTER) + 14
        if x + long > wide:
            x, y = 16.0, y + 18
        if kind in ("live", "arena", "bound"):
            shape = path(kind, f"M{number(x)} {number(y + 5)}h18")
        elif kind in ("peak", "copy"):
            shape = tag("rect", class_=kind, x=x, y=y, width=18.0, height=10.0)
        else:
            shape = tag("g", tag("rect", class_="r", x=x, y=y, width=18.0, height=10.0), class_=f"{kind} n0")
        parts += [shape, tag("text", words(text), x=x + 24, y=y + 9)]
        x += long
    return parts, y + LEGEND


def _hatch(name: str, ground: str, stripe: str) -> str:
    return tag(
        "pattern",
        tag("rect", width=6, height=6, fill=ground),
        tag("path", d="M0 6L6 0M-1 1L1 -1M5 7L7 5", stroke=stripe, stroke_width=1.2),
        id=name,
        width=6,
        height=6,
        patternUnits="userSpaceOnUse",
    )
