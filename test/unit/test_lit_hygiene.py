"""A RUN line of a lit test that checks nothing, or that would pass without the pass, is an error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import ROOT, run_line

LIT = ROOT / "test" / "lit"
FILES = sorted(path for path in LIT.rglob("*.mlir") if "Inputs" not in path.parts)
SUFFIXES = ("", "-NEXT", "-SAME", "-NOT", "-DAG", "-LABEL", "-EMPTY")
KEYWORDS = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "COM", "DEFINE", "REDEFINE"}
DIRECTIVE = re.compile(r"^\s*//\s*([A-Z][A-Z0-9_-]*(?:\{LITERAL\})?)(:?)", re.MULTILINE)
PASS_FLAG = re.compile(r"\s(?:--[a-z0-9-]+-pass(?:=\S+)?|-p\s*(?:'[^']*'|\"[^\"]*\"|\S+))(?=\s)")


def runs(path: Path) -> list[str]:
    """The RUN lines of a test, with continuation lines joined."""
    lines = re.findall(r"^\s*//\s*RUN:(.*)$", path.read_text(), re.MULTILINE)
    joined: list[str] = []
    for line in lines:
        if joined and joined[-1].endswith("\\"):
            joined[-1] = joined[-1][:-1] + line
        else:
            joined.append(line.strip())
    return joined


def checks(run: str) -> list[str]:
    """Each `filecheck …` of a RUN line."""
    return [part.strip() for part in re.split(r"\||&&|;", run) if part.strip().startswith("filecheck")]


def prefixes(check: str) -> list[str]:
    found = re.findall(r"--check-prefix(?:es)?[= ]([\w,-]+)", check)
    return [name for names in found for name in names.split(",")] or ["CHECK"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIT)))
def test_every_directive_is_read_by_a_run_line(path: Path) -> None:
    text = path.read_text()
    lines = runs(path)
    assert lines, "no RUN line: the file is never run"
    used: set[str] = set()
    for run in lines:
        for check in checks(run):
            words = [word for word in check.split()[1:] if not word.startswith("-")]
            assert words, f"filecheck has no file with directives, so it checks nothing: {run}"
            used.update(prefixes(check))
    assert used, "no RUN line calls filecheck"
    allowed = {prefix + suffix for prefix in used for suffix in SUFFIXES}
    for prefix in used:
        wanted = rf"^\s*//\s*{prefix}(?:-NEXT|-SAME|-DAG|-LABEL|-COUNT-\d+)?:"
        assert re.search(wanted, text, re.MULTILINE), f"no line must match for {prefix}"
    for name, colon in DIRECTIVE.findall(text):
        base = re.sub(r"-COUNT-\d+$", "", name.removesuffix("{LITERAL}"))
        if colon:
            assert base in allowed | KEYWORDS, f"'{name}:' is no directive that a RUN line of this file looks at"
        else:
            assert base not in allowed, f"'{name}' without a colon is a comment"


DECIDING = [path for path in FILES if path.name.startswith(("rewrites", "refuses"))]
CASES = [(path, number) for path in DECIDING for number, run in enumerate(runs(path)) if PASS_FLAG.search(run + " ")]


@pytest.mark.parametrize(("path", "number"), CASES, ids=lambda value: str(getattr(value, "parent", value))[-30:])
def test_checks_fail_without_the_pass(path: Path, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the pass's flag, filecheck must reject what `rewrites` and `refuses` check."""
    run = runs(path)[number]
    if not checks(run):
        pytest.fail(f"runs a pass and checks nothing: {run}")
    monkeypatch.chdir(tmp_path)
    line = PASS_FLAG.sub(" ", run + " ")
    assert run_line(line.replace("%s", str(path)).replace("%t", str(tmp_path / "t"))).status, f"passes too: {line}"
