"""
The documentation is true: what comes from the code is what is committed, commands print what the pages say they print,
links and paths lead somewhere.

How pages are written: a `mlir` block whose first line is `// NAME.mlir` is that file for the rest of the page, a
`python` block that begins with `# NAME.py` likewise; one with `>>>` is a doctest; in a `console` block what follows
`$ COMMAND` is what the command prints, errors included, `…` standing for anything; it fails exactly where the first
line is an error. `$LAC` is the folder of LAC's model.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import lastuse
from lastuse.dialect.ir import resources
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import aligned
from lastuse.universe import UNIVERSE
from support import ROOT, run_line

DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
WRITTEN = [page for page in PAGES if "<!-- Written by" not in page.read_text()]
"""Pages that people wrote."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?://|#) ([\w-]+\.\w+)\n")
LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FOLDERS = ("dialect", "passes", "frontends", "runtime", "tools", "src", "test", "bench", "docs", "examples")
NO_LAC = "LAC is not here"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def load(path: Path) -> ModuleType:
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lac_model() -> Path | None:
    """The folder of LAC's model, None where it cannot be had."""
    fetch = load(ROOT / "examples" / "lac" / "fetch.py")
    try:
        return fetch.fetch(quiet=True) / "lac_model" / "model"
    except fetch.FetchError:
        return None


class Command(NamedTuple):
    """A line after `$` and what the page says it prints."""

    line: str
    expected: str


def commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, expected = part.split("\n", 1)
        while line.endswith("\\"):
            more, expected = expected.split("\n", 1)
            line = line[:-1] + more.strip()
        yield Command(line, expected)


def pattern(expected: str) -> str:
    return ".*?".join(re.escape(piece) for piece in expected.strip().split("…"))


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """In this folder, with the programs of this environment first."""
    before, path = Path.cwd(), os.environ["PATH"]
    os.chdir(folder)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


def run_command(command: Command) -> None:
    line = command.line if ">" in command.line else f"{command.line} 2>&1"
    done = run_line(line)
    printed = (done.err + done.out).strip()
    wrong = ": error: " in command.expected.split("\n")[0]
    assert (done.status != 0) == wrong, f"$ {command.line}\nends with status {done.status}\n{printed}"
    assert re.fullmatch(pattern(command.expected), printed, re.DOTALL), f"$ {command.line}\nprints\n{printed}"


def run_examples(source: str, where: str, names: dict[str, object]) -> None:
    """A block of `>>>` lines; `names` goes from block to block."""
    test = doctest.DocTestParser().get_doctest(source, names, where, None, 0)
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(verbose=False, optionflags=flags)
    runner.run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(said)


@pytest.mark.parametrize("page", WRITTEN, ids=named)
def test_examples_of_a_page_run_as_shown(page: Path, tmp_path: Path) -> None:
    names: dict[str, object] = {}
    lacking = False
    with inside(tmp_path):
        for kind, block in BLOCK.findall(page.read_text()):
            if (file := FILE.match(block)) is not None:
                Path(file[1]).write_text(block)
            elif kind == "python" and ">>>" in block:
                run_examples(block, named(page), names)
            elif kind == "console":
                for command in commands(block):
                    if "$LAC" in command.line:
                        model = lac_model()
                        if model is None:
                            lacking = True
                            continue
                        command = command._replace(line=command.line.replace("$LAC", str(model)))
                    run_command(command)
    if lacking:
        pytest.skip(NO_LAC)


def test_committed_pages_are_the_generated_ones() -> None:
    generator = load(DOCS / "generate.py")
    stale = [named(path) for path, text in generator.pages() if not path.is_file() or path.read_text() != text]
    assert not stale, f"`make docs` writes others: {', '.join(stale)}"


def test_committed_pictures_are_the_generated_ones() -> None:
    model = lac_model()
    generator = load(DOCS / "generate.py")
    drawn = dict(generator.pictures(None if model is None else model.parent))
    stale = [named(path) for path, text in drawn.items() if not path.is_file() or path.read_text() != text]
    assert not stale, f"`make docs` draws others: {', '.join(stale)}"
    assert {path.name for path in (DOCS / "images").iterdir()} == {*generator.PICTURES, generator.RUNS, generator.ROOMS}
    if model is None:
        pytest.skip(NO_LAC)


def test_every_generated_page_is_still_generated() -> None:
    generator = load(DOCS / "generate.py")
    generated = {path for path, _ in generator.pages()}
    assert set(PAGES) - set(WRITTEN) == generated
    used = {f"{name}.mlir" for name in UNIVERSE.all_passes}
    assert {path.name for path in (DOCS / "examples").iterdir()} == used


def plain(text: str) -> str:
    """IR without what the docstrings leave out: types in parentheses, and which name a value has."""
    return re.sub(r"%\w+", "%", re.sub(r" : [^()]*(?=\))", "", text))


@pytest.mark.parametrize("name", UNIVERSE.all_passes)
def test_example_of_a_pass_shows_the_fragments_of_its_docstring(name: str) -> None:
    page = (DOCS / "passes" / f"{name}.md").read_text()
    said = re.search(r"^\*\*Example\.\*\*(.*?)\n\n", page, re.MULTILINE | re.DOTALL)
    assert said is not None
    shown = plain(page.split("\n## ", 1)[1])
    for fragment in re.findall(r"`([^`]*(?:dnn\.|tensor<|--)[^`]*)`", said[1]):
        assert plain(fragment) in shown, f"{name}: the example does not show `{fragment}`"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_have_targets(page: Path) -> None:
    for target, anchor in LINK.findall(BLOCK.sub("", page.read_text())):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{target} is not there"
        if anchor and path.suffix == ".md":
            words = (re.sub(r"[^\w\- ]", "", heading) for heading in HEADING.findall(path.read_text()))
            headings = {heading.strip().lower().replace(" ", "-") for heading in words}
            assert anchor[1:] in headings, f"{target}{anchor} is not there"


@pytest.mark.parametrize("page", WRITTEN, ids=named)
def test_paths_named_in_docs_exist(page: Path) -> None:
    for path in re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", page.read_text()):
        assert (ROOT / path).exists(), f"{path} is not there"


def test_memory_table_of_the_readme_equals_the_figures() -> None:
    model = lac_model()
    if model is None:
        pytest.skip(NO_LAC)
    sizes = {"words": 1244, "words.lod": 65}
    table = dict(re.findall(r"^\| ([\w ]+?), [^|]*\| ([\d,]+) \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    planned = lastuse.compile(model, threads=1, gru="native").specialized(sizes)
    weights = sum(array.nbytes for array in resources.of(planned.module).values())
    naive = lastuse.compile(model, fuse=False, inplace=False, plan=False).specialized(sizes)
    figures = planned.memory
    assert naive.memory.arena_bytes <= naive.memory.naive_bytes
    products = [op for op in naive.module.walk() if op.name == "dnn.matmul"]
    beside = sum(aligned(attrs.scratch_bytes(op)) for op in products)
    shown = {name: int(number.replace(",", "")) for name, number in table.items()}
    arena = {"live peak": figures.live_peak_bytes, "arena": figures.arena_bytes}
    assert shown == shown | {"naive": naive.memory.naive_bytes - beside, "weights": weights}
    assert {name: shown[name] for name in arena} == arena
    another = lastuse.compile(model, threads=2, gru="native").specialized(sizes).memory.arena_bytes
    assert f"further thread takes {another - figures.arena_bytes:,} bytes;" in (ROOT / "README.md").read_text()
