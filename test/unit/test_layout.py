"""The layout is kept: import arrows go one way, links and wheel show the same package, no file grows too long."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from support import ROOT

FOLDERS = ("dialect", "passes", "frontends", "runtime", "tools")
MAY_IMPORT = {
    "dialect": {"dialect"},
    "passes": {"dialect", "passes"},
    "frontends": {"dialect", "frontends"},
    "runtime": {"dialect", "runtime"},
    "tools": {"dialect", "passes", "frontends", "runtime", "tools", "universe", "compiler", "calibration"},
}
"""tools → frontends, runtime, passes → dialect; `universe`, `compiler` and `calibration` are the package's own top."""
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def imports(path: Path) -> list[tuple[int, str]]:
    """(line, module) of everything of our own that a file imports, as `folder.module`, also inside functions."""
    package = list(path.relative_to(ROOT).with_suffix("").parts[:-1])
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name[8:]) for alias in node.names if alias.name.startswith("lastuse.")]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                base = package[: len(package) - node.level + 1]
                names = [module] if module else [alias.name for alias in node.names]
                found += [(node.lineno, ".".join([*base, name])) for name in names]
            elif module == "lastuse":
                found += [(node.lineno, alias.name) for alias in node.names]
            elif module.startswith("lastuse."):
                found.append((node.lineno, module[8:]))
    return found


def test_import_arrows() -> None:
    for path in FILES:
        relative = path.relative_to(ROOT)
        allowed = MAY_IMPORT[relative.parts[0]]
        for line, module in imports(path):
            if relative.parts[:2] == ("passes", "planning"):
                assert module.startswith("passes.planning"), f"{relative}:{line}: planning must not import {module}"
            assert module.split(".")[0] in allowed, f"{relative}:{line}: {relative.parts[0]} must not import {module}"


def test_planning_does_not_import_xdsl() -> None:
    for path in (ROOT / "passes" / "planning").rglob("*.py"):
        assert "xdsl" not in path.read_text(), f"{path}: planning knows sizes, intervals and permissions, nothing of IR"


def test_links_and_wheel_agree() -> None:
    linked = {f"lastuse/{link.name}": link.resolve() for link in (ROOT / "src/lastuse").iterdir() if link.is_symlink()}
    assert linked == {f"lastuse/{folder}": ROOT / folder for folder in FOLDERS}
    text = (ROOT / "pyproject.toml").read_text()
    table = text.split("[tool.scikit-build.wheel.packages]")[1].split("\n[")[0]
    entries = [line.split(" = ") for line in table.strip().splitlines() if line.startswith('"')]
    packages = {key.strip('"'): ROOT / value.strip('"') for key, value in entries}
    assert packages == linked | {"lastuse": ROOT / "src/lastuse"}


def test_files_are_short() -> None:
    """A file over about 400 lines is asking for a second room."""
    assert [path for path in FILES if len(path.read_text().splitlines()) > 420] == []


def test_universe_names_things_by_their_own_names() -> None:
    from lastuse.universe import UNIVERSE

    for name, dialect in UNIVERSE.all_dialects.items():
        assert dialect().name == name
    for name, load in UNIVERSE.all_passes.items():
        found = load()
        assert found.name == name
        assert sys.modules[found.__module__].__doc__ or found.__doc__, f"{name} says nothing of itself"


def test_helpers_of_tests_have_names_of_their_own() -> None:
    special = ("test_", "conftest", "__init__")
    names = [path.name for path in (ROOT / "test").rglob("*.py") if not path.name.startswith(special)]
    assert sorted(names) == sorted(set(names)), "test/conftest.py puts the folders of all helpers on one path"
