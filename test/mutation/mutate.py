"""
Mutation testing: do the tests notice a mistake?

    python test/mutation/mutate.py passes/analysis/liveness.py --tests test/unit/analysis test/lit/liveness-pass

makes mistakes in a file, one at a time and in memory alone (see `mutants.py`), and runs the named tests on each until
one fails. Printed are the mistakes that no test noticed, and how many did not survive. Folders of lit tests run here as
well, as pytest items.

A mutant costs a fraction of a second: one process loads all that does not need the file and forks one for each mutant;
a first run notes which lines of the file each test runs, so that only tests that come by a mistake are tried, those
that noticed others first, then the quick ones. A test that starts a program of its own sees no mistake there.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pickle
import random
import resource
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest
from coverage import Coverage
from mutants import Site, sites
from mutation_results import record

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30
"""Bytes that the run of a mutant may take."""
PATIENCE = 5
"""A mutant may take this many times as long as the tests without it, and no less than 20 s."""


class Target(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from code of ours; without code, refuses to load it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        parts = path.relative_to(ROOT).with_suffix("").parts
        self.package = [str(path.parent)] if parts[-1] == "__init__" else None
        parts = parts[:-1] if self.package else parts
        self.name = ".".join(parts[1:] if parts[0] == "src" else ("lastuse", *parts))
        self.code: CodeType | None = None

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> Any:
        if fullname != self.name:
            return None
        if self.code is None:
            raise ImportError(f"{fullname} is under test")
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=self, submodule_search_locations=self.package
        )

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert self.code is not None
        exec(self.code, vars(module))


@dataclass
class Known:
    """What the run without a mistake tells of a test."""

    seconds: float = 0.0
    lines: set[tuple[str, int]] = field(default_factory=set)


@dataclass
class Outcome:
    """What a run of tests sends back: which failed, what each did, which modules were loaded."""

    failed: list[str] = field(default_factory=list)
    known: dict[str, Known] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)


class Lit(pytest.File):
    """A lit test as an item of pytest."""

    def collect(self) -> list[pytest.Item]:
        return [LitItem.from_parent(self, name="RUN")]


class LitItem(pytest.Item):
    def runtest(self) -> None:
        from test_lit_hygiene import runs

        from support import ROOT as repository
        from support import run_line

        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            names = {"%shared": repository.parent / "shared", "%s": self.path, "%t": Path(folder) / "t"}
            try:
                os.chdir(folder)
                for line in runs(self.path):
                    for name, path in names.items():
                        line = line.replace(name, str(path))
                    assert "-program" in line or not run_line(line).status
            finally:
                os.chdir(before)


class Plugin:
    """Selects and orders tests, and notes what they do.

    Args:
        order: the tests to run, in this order; None for all.
        traced: the files whose lines are noted.
    """

    def __init__(self, order: Sequence[str] | None, traced: Set[str] = frozenset()) -> None:
        self.order, self.outcome = order, Outcome()
        self.tracer = Coverage(data_file=None, config_file=False, include=sorted(traced)) if traced else None

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        return Lit.from_parent(parent, path=file_path) if file_path.suffix == ".mlir" else None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.order is not None:
            rank = {name: place for place, name in enumerate(self.order)}
            items[:] = sorted((i for i in items if i.nodeid in rank), key=lambda i: rank[i.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        known = self.outcome.known.setdefault(item.nodeid, Known())
        start = time.perf_counter()
        if self.tracer is not None:
            self.tracer.erase()
            self.tracer.start()
        try:
            return (yield)
        finally:
            known.seconds = time.perf_counter() - start
            if self.tracer is not None:
                self.tracer.stop()
                data = self.tracer.get_data()
                known.lines = {(file, line) for file in data.measured_files() for line in data.lines(file) or ()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.outcome.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.outcome.failed.append(report.nodeid)


def run(tests: Sequence[str], plugin: Plugin, stop: bool) -> Outcome:
    """Runs tests in this process, quietly; `stop`: at the first failure."""
    with tempfile.TemporaryFile() as sink:
        os.dup2(sink.fileno(), 1)
        os.dup2(sink.fileno(), 2)
        options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *(["-x"] if stop else [])]
        status = pytest.main([*options, *tests], plugins=[plugin])
    if status and not plugin.outcome.failed:
        plugin.outcome.failed.append(f"pytest ends with status {status}")
    return plugin.outcome


def forked(work: Callable[[], Outcome], limit: float) -> Outcome | None:
    """What `work` gives in a process of its own; None where that takes too long, or falls over."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            data = pickle.dumps(work())
            with open(writing, "wb") as pipe:
                pipe.write(data)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    data, end = b"", time.monotonic() + limit
    with open(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0] and (more := pipe.read(1 << 16)):
            data += more
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    try:
        return pickle.loads(data)
    except (EOFError, pickle.UnpicklingError):
        return None


def preload(modules: Sequence[str]) -> None:
    """Loads what the tests load, except what needs the file."""
    for name in modules:
        if name.split(".")[0] not in ("test", "__main__", "conftest") and not name.startswith("test_"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def baseline(tests: Sequence[str], paths: Sequence[Path]) -> Outcome:
    """What the tests do without a mistake; those that fail are left out."""

    def work() -> Outcome:
        outcome = run(tests, Plugin(None, {str(path) for path in paths}), stop=False)
        outcome.modules = list(sys.modules)
        return outcome

    outcome = forked(work, 1800)
    if outcome is None:
        sys.exit("without any mistake the tests give no answer")
    for name in outcome.failed:
        print(f"{name} fails without any mistake, and is left out")
        outcome.known.pop(name, None)
    return outcome


class Mutation:
    """A file, and the tests that should notice mistakes in it."""

    def __init__(self, path: Path, known: dict[str, Known]) -> None:
        self.text, self.target = path.read_text(), Target(path)
        self.seconds = {name: test.seconds for name, test in known.items()}
        self.lines = {name: {line for file, line in test.lines if file == str(path)} for name, test in known.items()}
        self.noticed: Counter[str] = Counter()
        sys.meta_path.insert(0, self.target)

    def _run(self, tree: ast.Module, order: Sequence[str]) -> Outcome:
        self.target.code = compile(ast.fix_missing_locations(tree), self.target.path, "exec")
        return run(list(dict.fromkeys(name.split("::")[0] for name in order)), Plugin(order), stop=True)

    def _order(self, site: Site) -> list[str]:
        """The tests that come by, likely ones first: what noticed other mistakes, then what takes no time."""
        names = [n for n, lines in self.lines.items() if site.lines is None or lines.intersection(site.lines)]
        return sorted(names, key=lambda n: (-self.noticed[n] if self.seconds[n] < 1 else 0, self.seconds[n]))

    def survives(self, number: int) -> bool:
        """Whether no test notices the mistake with this number."""
        tree = ast.parse(self.text)
        site = sites(tree)[number]
        order = self._order(site)
        if not order:
            return True
        site.make()
        limit = max(20.0, PATIENCE * sum(self.seconds[n] for n in order))
        # Few tests first: loading all files of tests takes longer than running the likely ones.
        likely = order[:12]
        for some in (likely, order[12:]):
            outcome = forked(lambda some=some: self._run(tree, some), limit) if some else Outcome()
            if outcome is None:
                return False
            if outcome.failed:
                self.noticed.update(outcome.failed[:1])
                return False
        return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, help="the source files that mistakes are made in")
    parser.add_argument("--tests", nargs="+", required=True, metavar="PATH", help="files and folders of tests")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mistakes of each file instead of all")
    parser.add_argument("--seed", type=int, default=1, help="chooses the sample")
    parser.add_argument("--lines", type=int, nargs=2, metavar=("FIRST", "LAST"), help="mistakes in these lines only")
    parser.add_argument("--record", action="store_true", help="write the counts to test/mutation/results.json")
    args = parser.parse_args()
    if args.record and args.lines:
        parser.error("--record takes no --lines: the counts are those of a whole file")
    paths: list[Path] = [file.resolve() for file in args.files]
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp()
    sys.path[:0] = [str(folder) for folder in sorted({file.parent for file in (ROOT / "test").rglob("*.py")})]
    start = time.monotonic()
    outcome = baseline(args.tests, paths)
    print(f"{len(outcome.known)} tests, {time.monotonic() - start:.0f} s", flush=True)
    for path in paths:
        # In a process of its own: what is loaded for one file is what does not need it.
        if (child := os.fork()) == 0:
            preload_and_try(path, outcome, args)
            os._exit(0)
        os.waitpid(child, 0)
    return 0


def preload_and_try(path: Path, outcome: Outcome, args: argparse.Namespace) -> None:
    """Tries the mutants of one file and prints those that survive."""
    mutation = Mutation(path, outcome.known)
    preload(outcome.modules)
    found, name = sites(ast.parse(mutation.text)), path.relative_to(ROOT)
    first, last = args.lines or (1, sys.maxsize)
    chosen = [n for n, site in enumerate(found) if first <= site.line <= last]
    if args.sample is not None and args.sample < len(chosen):
        chosen = sorted(random.Random(args.seed).sample(chosen, args.sample))
    text, survivors = mutation.text.splitlines(), 0
    for number in chosen:
        if mutation.survives(number):
            survivors += 1
            site = found[number]
            print(f"{name}:{site.line}: {site.what}: {text[site.line - 1].strip()}", flush=True)
    share = 100 * (len(chosen) - survivors) / len(chosen) if chosen else 100.0
    print(f"{name}: {len(chosen) - survivors} of {len(chosen)} killed, {share:.1f} % ({len(found)} in all)", flush=True)
    if args.record:
        record(name.as_posix(), len(chosen) - survivors, len(chosen), len(found))


if __name__ == "__main__":
    sys.exit(main())
