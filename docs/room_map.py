"""Draws the rooms of the product and the imports between them, read from the source files."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from lastuse.tools.visualize.markup import tag

ROOT = Path(__file__).resolve().parent.parent
TOP = ("dialect", "passes", "frontends", "runtime", "tools")
"""The folders beside `src/lastuse` that are packages of the product."""
SPLIT = ("dialect", "passes", "tools")
"""Folders each of whose folders is a room of its own."""
COLOURS = {"dialect": "#dcebf7", "passes": "#fbe9d0", "frontends": "#e4f1dc", "runtime": "#f4dde0", "tools": "#e9e2f3"}
OTHER = "#eceff2"
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 188, 64, 14, 34, 14
"""Of a box, between boxes, and around the picture, in px."""
ZONES = (("dialect",), ("passes",), ())
"""The folders of each zone, from left to right; the last one has all others."""
CHARACTERS, LINES = 31, 3
"""Of the text in a box."""
STYLE = (
    "text{font:11px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#1c2733}.n{font-weight:600;font-size:12px}"
    "rect{stroke:#8a97a5;stroke-width:.8}path{fill:none;stroke:#6b7a89;stroke-width:.9;opacity:.55}"
)


def files() -> dict[Path, str]:
    """Each Python file of the product, and the name of its module below `lastuse`."""
    own = ROOT / "src" / "lastuse"
    folders = [ROOT / name for name in TOP] + [p for p in own.iterdir() if p.is_dir() and not p.is_symlink()]
    modules: dict[Path, str] = {}
    for path in sorted([*own.glob("*.py"), *(p for folder in folders for p in folder.rglob("*.py"))]):
        parts = path.relative_to(own if path.is_relative_to(own) else ROOT).with_suffix("").parts
        modules[path] = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return modules


def room_of(module: str) -> str:
    """The room of a module: its first folder, or the one below it."""
    parts = module.split(".")
    below = ROOT.joinpath(*parts[:2])
    return ".".join(parts[:2]) if parts[0] in SPLIT and len(parts) > 1 and below.is_dir() else parts[0]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, module) of every module of the product that a file imports, functions and annotations included; of the
    universe, those that it names to import them later."""
    own = ROOT / "src" / "lastuse"
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("lastuse.")]
            yield from ((node.lineno, name.removeprefix("lastuse.")) for name in names)
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("lastuse."):
            inner = (node.module or "").removeprefix("lastuse").removeprefix(".")
            folder = own.joinpath(*inner.split("."))
            for alias in node.names:
                is_module = any((folder / f"{alias.name}{end}").exists() for end in ("", ".py", ".pyi"))
                module = ".".join(filter(None, (inner, alias.name if is_module else "")))
                if module:
                    yield node.lineno, module
        elif path.name == "universe.py" and isinstance(node, ast.Constant) and str(node.value).startswith("lastuse."):
            yield node.lineno, str(node.value).removeprefix("lastuse.")


def arrows() -> dict[str, set[str]]:
    """The rooms that each room imports."""
    rooms: dict[str, set[str]] = {}
    for path, module in files().items():
        if module not in ("", "__main__", "dialect"):  # these only load others
            room = room_of(module)
            rooms.setdefault(room, set()).update({room_of(other) for _, other in imports(path)} - {room})
    return rooms


def caption(name: str) -> str:
    """The first sentence of a room's docstring."""
    folder = ROOT.joinpath(*name.split("."))
    own = ROOT.joinpath("src", "lastuse", *name.split("."))
    path = next(p for p in (folder / "__init__.py", own / "__init__.py", own.with_suffix(".py")) if p.is_file())
    text = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split())
    return text.split(". ")[0].removesuffix(".").replace("`", "")


def layers(found: Mapping[str, set[str]]) -> dict[str, int]:
    """How many arrows the longest way from a room down to one without imports has.

    Raises:
        ValueError: rooms import each other.
    """
    depth: dict[str, int] = {}
    while len(depth) < len(found):
        ready = [name for name, others in found.items() if name not in depth and others <= depth.keys()]
        if not ready:
            raise ValueError(f"these rooms import each other: {', '.join(sorted(found.keys() - depth.keys()))}")
        depth |= {name: 1 + max((depth[other] for other in found[name]), default=-1) for name in ready}
    return depth


def direct(found: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The arrows that no way of two or more arrows stands for (transitive reduction)."""
    reach: dict[str, set[str]] = {}
    for name in sorted(found, key=layers(found).__getitem__):
        reach[name] = found[name].union(*(reach[other] for other in found[name]))
        for other in sorted(found[name]):
            if not any(other in reach[between] for between in found[name]):
                yield name, other


def picture() -> str:
    """The map as SVG: every arrow goes down."""
    found = arrows()
    depth = layers(found)
    cells: dict[tuple[int, int], list[str]] = {}
    for name in sorted(found, key=lambda n: (depth[n], n)):
        cells.setdefault((_zone(name), depth[name]), []).append(name)
    columns = [max(len(names) for (z, _), names in cells.items() if z == zone) for zone in range(len(ZONES))]
    width = 2 * MARGIN + sum(columns) * (WIDTH + GAP_X) - GAP_X
    height = 2 * MARGIN + (max(depth.values()) + 1) * (HEIGHT + GAP_Y) - GAP_Y
    at: dict[str, tuple[float, float]] = {}
    for (zone, level), names in cells.items():
        free = columns[zone] - len(names)
        left = MARGIN + (sum(columns[:zone]) + free / 2) * (WIDTH + GAP_X)
        for index, name in enumerate(names):
            at[name] = left + index * (WIDTH + GAP_X), height - MARGIN - HEIGHT - level * (HEIGHT + GAP_Y)
    lines = [_arrow(at[a], at[b]) for a, b in direct(found)]
    boxes = [_box(name, at[name]) for name in sorted(at)]
    head = tag("marker", tag("path", d="M0 0L6 3L0 6z", style="fill:#6b7a89;stroke:none"), **_MARKER)
    size = {"width": width, "height": height, "viewBox": f"0 0 {width:g} {height:g}"}
    body = (tag("style", STYLE), tag("defs", head), *lines, *boxes)
    return tag("svg", *body, xmlns="http://www.w3.org/2000/svg", **size) + "\n"


def _zone(name: str) -> int:
    first = name.split(".")[0]
    return next((zone for zone, folders in enumerate(ZONES) if first in folders), len(ZONES) - 1)


_MARKER = {"id": "head", "markerWidth": 6, "markerHeight": 6, "refX": 5, "refY": 3, "orient": "auto"}


def _arrow(source: tuple[float, float], target: tuple[float, float]) -> str:
    x, y = source[0] + WIDTH / 2, source[1] + HEIGHT
    u, v = target[0] + WIDTH / 2, target[1] - 1
    bend = (v - y) / 2
    curve = f"M{x:g} {y:g}C{x:g} {y + bend:g} {u:g} {v - bend:g} {u:g} {v:g}"
    return tag("path", d=curve, **{"marker-end": "url(#head)"})


def _box(name: str, at: tuple[float, float]) -> str:
    colour = COLOURS.get(name.split(".")[0], OTHER)
    lines = wrap(caption(name), CHARACTERS, max_lines=LINES, placeholder=" …")
    texts = [tag("text", line, x=8, y=31 + 13 * index) for index, line in enumerate(lines)]
    shape = tag("rect", width=WIDTH, height=HEIGHT, rx=4, fill=colour)
    title = tag("text", name.replace(".", "/"), class_="n", x=8, y=16)
    return tag("g", shape, title, *texts, transform=f"translate({at[0]:g} {at[1]:g})")
