"""A memory map as a table, and as plain values for JSON."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lastuse.tools.visualize.markup import clean, in_bytes
from lastuse.tools.visualize.memory import Box, BoxKind, MemoryMap, Value

if TYPE_CHECKING:
    from rich.table import Table

UNBOUNDED = 1 << 16
"""Columns of the page that a table is laid out on: nothing is wrapped."""
AT_PEAK = "*"


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
    for number, found in enumerate(maps):
        console.print(("\n" if number else "") + clean(found.title), style="bold cyan")
        console.print(_rows(found))
        for name, text in _totals(found):
            console.print(f"{name:<12} {text}")
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _rows(found: MemoryMap) -> Table:
    from rich.table import Table

    rows = Table(box=None, pad_edge=False, header_style="dim")
    for heading, justify in (
        ("", "left"),
        ("value", "left"),
        ("op", "left"),
        ("offset", "right"),
        ("bytes", "right"),
        ("steps", "right"),
        ("lies", "left"),
        ("line", "left"),
    ):
        rows.add_column(heading, justify=justify, no_wrap=True)  # pyright: ignore[reportArgumentType]
    for value, box in _listed(found):
        in_arena = box is not None
        star = in_arena and found.peak is not None and value.first <= found.peak <= value.last
        offset = f"{value.begin:,}" if in_arena else ""
        steps = f"{value.first}-{value.last}" if value.last > value.first else str(value.first)
        named = AT_PEAK if star else "", value.name, value.op, offset, f"{value.nbytes:,}", steps, value.how, value.line
        rows.add_row(*map(clean, named), style="bold" if star else None if in_arena else "dim")
    return rows


def _totals(found: MemoryMap) -> list[tuple[str, str]]:
    """What stands below the lines."""
    named = [("arena", in_bytes(found.arena) + ("" if found.planned else ", not planned"))]
    if found.peak is not None:
        step = found.steps[found.peak]
        at = "  ".join(part for part in (step.name, step.detail, step.line) if part)
        named.append(("live peak", f"{in_bytes(found.live[found.peak])}, {AT_PEAK} at step {found.peak}: {clean(at)}"))
    named.append(("lower bound", in_bytes(found.bound) + (", reached" if found.bound == found.arena else "")))
    if found.naive is not None:
        named.append(("naive", in_bytes(found.naive)))
    return named


def _listed(found: MemoryMap) -> list[tuple[Value, Box | None]]:
    """Every value and its box, None of those in the caller's memory."""
    inside: list[tuple[Value, Box | None]] = [(value, box) for box in found.boxes for value in box.values]
    return sorted(
        [*inside, *((value, None) for value in found.outside)], key=lambda pair: (pair[0].first, pair[0].begin)
    )


def plain(found: MemoryMap) -> dict[str, object]:
    """The map as values of JSON: bytes and numbers of steps; `offset` is null in the caller's memory."""
    step = None if found.peak is None else found.steps[found.peak]
    return {
        "function": found.title.removeprefix("@"),
        "arena_bytes": found.arena,
        "live_peak_bytes": 0 if found.peak is None else found.live[found.peak],
        "lower_bound": found.bound,
        "naive_bytes": found.naive,
        "peak": None if step is None else {"step": found.peak, "op": step.name, "line": step.line},
        "steps": [
            {"op": s.name, "values": s.detail, "line": s.line, "live_bytes": n}
            for s, n in zip(found.steps, found.live, strict=True)
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
            for value, box in _listed(found)
        ],
    }
