"""A memory map as a table, and as plain values for JSON."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lastuse.tools.visualize.markup import clean, in_bytes, join_parts
from lastuse.tools.visualize.memory import Box, BoxKind, MemoryMap, Value

if TYPE_CHECKING:
    from rich.table import Table

UNBOUNDED = 1 << 16
"""Columns of the page that a table is laid out on: nothing is wrapped."""
AT_PEAK = "*"
NUMBERS = ("offset", "bytes", "steps")
"""Columns that are aligned to the right."""


def table(maps: Sequence[MemoryMap], colours: bool = False) -> str:
    """
    Of each map a line a value, in the order of the steps, and the totals. What is in use at the peak has a star.

    Args:
        colours: for a terminal.
    """
    # Loading it takes longer than a small model does to run; few runs print a table.
    from rich.console import Console

    out = io.StringIO()
    console = Console(file=out, width=UNBOUNDED, force_terminal=colours, markup=False, highlight=False, emoji=False)
    for number, map_ in enumerate(maps):
        console.print(("\n" if number else "") + clean(map_.title), style="bold cyan")
        console.print(_rows(map_))
        for name, text in _totals(map_):
            console.print(f"{name:<12} {text}")
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _rows(map_: MemoryMap) -> Table:
    from rich.table import Table

    rows = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("", "value", "op", "offset", "bytes", "steps", "lies", "line"):
        rows.add_column(heading, justify="right" if heading in NUMBERS else "left", no_wrap=True)
    for value, box in _listed(map_):
        in_arena = box is not None
        star = in_arena and map_.peak is not None and value.first <= map_.peak <= value.last
        offset = f"{value.begin:,}" if in_arena else ""
        steps = f"{value.first}-{value.last}" if value.last > value.first else str(value.first)
        named = AT_PEAK if star else "", value.name, value.op, offset, f"{value.nbytes:,}", steps, value.how, value.line
        rows.add_row(*map(clean, named), style="bold" if star else None if in_arena else "dim")
    return rows


def _totals(map_: MemoryMap) -> list[tuple[str, str]]:
    """What stands below the lines."""
    named = [("arena", in_bytes(map_.arena) + ("" if map_.planned else ", not planned"))]
    if map_.peak is not None:
        step = map_.steps[map_.peak]
        at = join_parts((step.name, step.detail, step.line), "  ")
        named.append(("live peak", f"{in_bytes(map_.live[map_.peak])}, {AT_PEAK} at step {map_.peak}: {clean(at)}"))
    named.append(("lower bound", in_bytes(map_.bound) + (", reached" if map_.bound == map_.arena else "")))
    if map_.naive is not None:
        named.append(("naive", in_bytes(map_.naive)))
    return named


def _listed(map_: MemoryMap) -> list[tuple[Value, Box | None]]:
    """Every value and its box, None of those in the caller's memory."""
    values: list[tuple[Value, Box | None]] = [(value, box) for box in map_.boxes for value in box.values]
    values += ((value, None) for value in map_.outside)
    return sorted(values, key=lambda pair: (pair[0].first, pair[0].begin))


def plain(map_: MemoryMap) -> dict[str, object]:
    """The map as values of JSON: bytes and numbers of steps; `offset` is null in the caller's memory."""
    step = None if map_.peak is None else map_.steps[map_.peak]
    return {
        "function": map_.title.removeprefix("@"),
        "arena_bytes": map_.arena,
        "live_peak_bytes": 0 if map_.peak is None else map_.live[map_.peak],
        "lower_bound": map_.bound,
        "naive_bytes": map_.naive,
        "peak": None if step is None else {"step": map_.peak, "op": step.name, "line": step.line},
        "steps": [
            {"op": s.name, "values": s.detail, "line": s.line, "live_bytes": n}
            for s, n in zip(map_.steps, map_.live, strict=True)
        ],
        "values": [
            {
                "value": value.name,
                "op": value.op,
                "line": value.line,
                "kind": (box.kind if box else BoxKind.VALUE).value,
                "offset": value.begin if box else None,
                "bytes": value.nbytes,
                "first": value.first,
                "last": value.last,
                "over": value.over or None,
                "lies": value.how,
            }
            for value, box in _listed(map_)
        ],
    }
