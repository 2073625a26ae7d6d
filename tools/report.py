"""How the tools say what is wrong: `file:line:col: error: message`, the source line, a caret; and remarks."""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lastuse.dialect.ir.diagnostics import LastuseError, Location, Remark

if TYPE_CHECKING:
    from lastuse.runtime.program import StepTime
    from lastuse.runtime.stage_timer import StageTime

MAX_SHOWN = 160
"""Most characters of a source line that are shown; of a longer one, those around the column."""


def render_error(error: LastuseError, sources: Mapping[str, str], default: Location) -> str:
    """
    The text of an error, with a newline at its end.

    Args:
        sources: texts by file name, for input that cannot be read again, such as standard input.
        default: the place named if the error has none.
    """
    first, *rest = error.message.strip().split("\n")
    lines = _place(error.location or default, f"error: {first}", sources)
    lines += rest
    for location, text in error.notes:
        lines += _place(location or default, f"note: {' '.join(text.split())}", sources)
    return "\n".join(lines) + "\n"


def render_remarks(remarks: Iterable[Remark], form: str) -> str:
    """One line for each remark: as text, or, if `form` is "json", as a JSON object."""
    if form == "json":
        return "".join(json.dumps(remark.to_json()) + "\n" for remark in remarks)
    return "".join(f"{remark}\n" for remark in remarks)


def render_profile(steps: Iterable[StepTime]) -> str:
    """A line for each step that ran: engine, microseconds of one call, share of all, bytes, kernel, op; and their
    sum."""
    ran = [step for step in steps if step.calls]
    total = sum(step.seconds for step in ran)
    rows = [("engine", "us/call", "share", "bytes", "calls", "kernel", "op")]
    for step in ran:
        share = step.seconds / total if total else 0.0
        microseconds = f"{1e6 * step.seconds / step.calls:.1f}"
        numbers = (microseconds, f"{share:.1%}", f"{step.nbytes:,}", str(step.calls))
        rows.append((step.engine, *numbers, step.kernel, step.name))
    most = max((step.calls for step in ran), default=1)
    rows.append(("all", f"{1e6 * total / most:.1f}", "", "", "", "", ""))
    return _columns(rows)


def render_stages(stages: Iterable[StageTime]) -> str:
    """A line for each stage of starting, in order: milliseconds, share of all; and their sum."""
    ran = list(stages)
    total = sum(stage.seconds for stage in ran)
    rows = [("stage", "ms", "share")]
    rows += [(s.name, f"{1e3 * s.seconds:.1f}", f"{s.seconds / total if total else 0.0:.1%}") for s in ran]
    return _columns([*rows, ("all", f"{1e3 * total:.1f}", "")])


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows of as many cells, one below the other: the first of each and those from the sixth on to the left, numbers to
    the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        [c.rjust(w) if 0 < k < 5 else c.ljust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))]
        for row in rows
    ]
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def _place(location: Location, message: str, sources: Mapping[str, str]) -> list[str]:
    head = f"{location}: {message}"
    line = _source_line(location, sources)
    if line is None:
        return [head]
    col = min(max(location.col, 1), len(line) + 1) - 1
    start = max(0, min(col - MAX_SHOWN // 2, len(line) - MAX_SHOWN))
    shown, col = line[start : start + MAX_SHOWN], col - start
    # Tabs stay tabs before the caret, so that it stands under its character.
    return [head, shown, "".join("\t" if c == "\t" else " " for c in shown[:col]) + "^"]


def _source_line(location: Location, sources: Mapping[str, str]) -> str | None:
    if (text := sources.get(location.file)) is not None:
        lines = text.split("\n")
    elif location.file.endswith(".mlir"):
        linecache.checkcache(location.file)
        lines = linecache.getlines(location.file)
    else:
        return None
    if not 1 <= location.line <= len(lines):
        return None
    line = lines[location.line - 1].rstrip("\r\n")
    return "".join(c if c == "\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
