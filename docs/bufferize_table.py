"""
The table in docs/bufferize.md of programs bufferized by `--bufferize-pass` and by MLIR's one-shot-bufferize, from what
the comparison in ../shared/bufferize prints, and why a copy is left where one is.

    python ../shared/bufferize/compare.py -v > figures.txt
    python docs/bufferize_table.py figures.txt ../shared/bufferize
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from lastuse.tools.opt_tool import main as opt_tool

PAGE = Path(__file__).resolve().parent / "bufferize.md"
HEADING = "## Beside one-shot-bufferize"
KEYS = ("copies_run", "copies_bytes", "peak_bytes")
LINE = re.compile(r"(?P<verdict>[a-z ]+?) +(?P<name>\w+): (?P<ours>.*) against (?P<theirs>\{.*\})")


class Compared(NamedTuple):
    """The figures of a program, as the comparison prints them; None where it is not handled."""

    name: str
    verdict: str
    ours: Mapping[str, int] | None
    theirs: Mapping[str, int] | None


def compared(text: str) -> list[Compared]:
    """What `compare.py -v` printed, a program a line."""
    found: list[Compared] = []
    for match in map(LINE.fullmatch, text.splitlines()):
        if match is not None:
            ours = ast.literal_eval(match["ours"]) if match["ours"].startswith("{") else None
            theirs = ast.literal_eval(match["theirs"])
            found.append(Compared(match["name"], match["verdict"], ours, None if "error" in theirs else theirs))
    return found


def section(programs: list[Compared], cases: Path) -> str:
    """The section of the page."""
    both = [p for p in programs if p.ours is not None and p.theirs is not None]
    sums = [[sum(row.get(k, 0) for row in rows) for k in KEYS] for rows in _pairs(both)]
    fewer = sum(p.ours["copies_run"] < p.theirs["copies_run"] for p in both if p.ours and p.theirs)
    lines = [
        HEADING,
        "",
        f"{len(programs)} programs, each bufferized by LLVM 19.1.7 with the best of eight option sets, and here with",
        "`arena=alloc,arguments=writable`. A copy counts as often as it runs; loops of unknown trips count as 8,",
        "unknown sizes as 16. `held` is what is allocated at once, with each allocation rounded up to 64 bytes.",
        f"Of the {len(both)} that both bufferize, {fewer} copy less often here. Where a figure of the peer is not",
        "exact it is left out, and so is what is held here.",
        "",
        "| program | copies | peer | bytes copied | peer | held | peer |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(_row(p) for p in programs),
        f"| **all that both bufferize** | {' | '.join(f'{a:,} | {b:,}' for a, b in zip(*sums, strict=True))} |",
        "",
        "The copies that are left, and why:",
        "",
        "| program | copy |",
        "|---|---|",
        *(line for p in programs if p.ours and p.ours["copies_run"] for line in _reasons(p.name, cases)),
        "",
    ]
    return "\n".join(lines)


def _pairs(both: list[Compared]) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
    """Both sides' figures, of each program those that both have."""
    ours: list[dict[str, int]] = []
    theirs: list[dict[str, int]] = []
    for p in both:
        assert p.ours is not None and p.theirs is not None
        known = [k for k in KEYS if k in p.theirs]
        ours.append({k: p.ours.get(k, 0) for k in known})
        theirs.append({k: p.theirs[k] for k in known})
    return ours, theirs


def _row(p: Compared) -> str:
    cells: list[str] = []
    for key in KEYS:
        ours = "" if p.ours is None else f"{p.ours.get(key, 0):,}"
        theirs = "" if p.theirs is None or key not in p.theirs else f"{p.theirs[key]:,}"
        cells += [ours if theirs or p.theirs is None else "", theirs]
    return f"| `{p.name}` | {' | '.join(cells)} |"


def _reasons(name: str, cases: Path) -> Iterator[str]:
    """A row for each copy, with what its remark says."""
    for path in (cases / "cases" / f"{name}.mlir", cases / "generic" / f"{name}.mlir"):
        said = io.StringIO()
        flags = ["--bufferize-pass=arguments=writable", "--remarks", "-o", "/dev/null", str(path)]
        with contextlib.redirect_stderr(said):
            status = opt_tool(flags) if path.exists() else 1
        if status == 0:
            break
    for line in said.getvalue().splitlines():
        found = re.search(r"remark: (.* is copied .*?\])", line)
        if found is not None:
            yield f"| `{name}` | {found[1].replace('|', '')} |"


def main() -> int:
    """Writes the section into the page."""
    figures, cases = map(Path, sys.argv[1:3])
    made = section(compared(figures.read_text()), cases)
    before, _, rest = PAGE.read_text().partition(HEADING)
    _, mark, after = rest.partition("\n## ")
    PAGE.write_text(before.rstrip() + "\n\n" + made + (mark + after if mark else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
