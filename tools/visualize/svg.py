"""Memory maps as one SVG, which stands alone: no script, no font, nothing to load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lastuse.tools.visualize.markup import number, path, tag, width_of, words
from lastuse.tools.visualize.memory import MemoryMap
from lastuse.tools.visualize.panel import LEFT, LETTER, MAX_BOXES, RIGHT, Panel

NARROWEST, WIDEST = 560.0, 1160.0
COLUMN = 46.0
"""Of few steps, a column is as wide as this, in px."""
LEGEND = 30.0
GAP = 26.0
MAX_PANELS_HEIGHT, LOWEST = 4000.0, 24.0
FEWEST = 200
"""Boxes that each of many maps may have."""
HATCHES = {
    "scratch": ("#f7c98b", "#c77d1e"),
    "aside": ("#d8dde2", "#77838f"),
    "frame": ("#d9c9ee", "#7d5fae"),
    "copy": ("none", "#d93025"),
}
"""Ground and stripes of memory that holds no value, and of a column that copies: what lies there is seen through it."""
KEYS = (
    ("value", "value"),
    ("run", "values in place, joined; ● an op that writes over"),
    ("scratch", "scratch"),
    ("aside", "temporary"),
    ("frame", "arena of a function called"),
    ("live", "bytes in use"),
    ("arena", "arena"),
    ("bound", "lower bound"),
    ("peak", "peak"),
    ("copy", "a step that copies"),
)


def svg(maps: Sequence[MemoryMap], one_scale: bool = False) -> str:
    """
    The picture of the maps, one below the other.

    Args:
        one_scale: a byte is as high in each of them, so that they can be compared.
    """
    panels = panels_of(maps, one_scale)
    wide = LEFT + max(p.width for p in panels) + RIGHT
    keys, at = _keys(maps, wide)
    parts: list[str] = []
    for panel in panels:
        parts.append(panel.render(at))
        at += panel.total + GAP
    rules = Path(__file__).with_name("svg.css").read_text("utf-8")
    titles = ", ".join(m.title for m in maps[:8]) + (", …" if len(maps) > 8 else "")
    return tag(
        "svg",
        tag("title", words(f"Memory map of {titles}")),
        tag("style", words("".join(rules.splitlines()))),
        tag("defs", *(_hatch(name, *inks) for name, inks in HATCHES.items())),
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
    # More boxes want more room.
    high = [min(620.0, max(220.0, 180 + 12.0 * len(m.boxes))) if m.boxes else 90.0 for m in maps]
    if one_scale:
        most, highest = max(m.arena for m in maps), max(high)
        high = [highest * m.arena / most if most else h for m, h in zip(maps, high, strict=True)]
    shrink, least = min(1.0, MAX_PANELS_HEIGHT / sum(high)), 1.0 if one_scale else LOWEST
    most = max(FEWEST, MAX_BOXES // len(maps))
    return [Panel(m, width, max(least, h * shrink), most) for m, h in zip(maps, high, strict=True)]


def _keys(maps: Sequence[MemoryMap], wide: float) -> tuple[list[str], float]:
    """The legend of what occurs, in as many rows as it needs, and their height."""
    drawn = {"run" if box.is_run else box.kind.value for m in maps for box in m.boxes}
    drawn |= {"live", "arena", "bound", "peak"} | {"copy" for m in maps if any(step.copies for step in m.steps)}
    parts: list[str] = []
    x, y = 16.0, 10.0
    for kind, text in KEYS:
        if kind not in drawn:
            continue
        long = 24 + 0.9 * width_of(text, LETTER) + 14
        if x + long > wide:
            x, y = 16.0, y + 18
        sample = {"x": x, "y": y, "width": 18.0, "height": 10.0}
        if kind in ("live", "arena", "bound"):
            shape = path(kind, f"M{number(x)} {number(y + 5)}h18")
        elif kind in ("peak", "copy"):
            shape = tag("rect", class_=kind, **sample)
        else:
            shape = tag("g", tag("rect", class_="r", **sample), class_=f"{kind} n0")
        parts += [shape, tag("text", words(text), x=x + 24, y=y + 9)]
        x += long
    return parts, y + LEGEND


def _hatch(name: str, ground: str, stripe: str) -> str:
    size = {"width": 6, "height": 6}
    lines = tag("path", d="M0 6L6 0M-1 1L1 -1M5 7L7 5", stroke=stripe, stroke_width=1.2)
    return tag("pattern", tag("rect", **size, fill=ground), lines, id=name, **size, patternUnits="userSpaceOnUse")
