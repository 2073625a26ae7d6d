"""
Measures ONNX models of packages: lastuse, onnxruntime, and OpenVINO, each in a process and an environment of its own.

    python bench/models.py --install                       makes the others' environments under build/peers, with pip
    python bench/models.py [--models ocr,minilm] [--threads 1,2] [--turns 9] [--processes 3] [--json OUT]
    python bench/models.py --sizes batch=1,2,8 --sizes width=96,1280        models that have these axes, at these sizes
    python bench/models.py --further [--models magika]     models of other kinds (`model_sides/further_models.py`)
    python bench/models.py --heap [--models ocr,minilm]    activations on the heap, at one thread

Results are compared with onnxruntime's first. Latency is the best of turns that engines take one after the other; a
ratio is ours to the better of the others. With `--processes` each engine runs in so many processes, one after the
other. The latency of a process is that of its run in the middle, in the turn in which this is the least; the latency
of the engine is that of its process in the middle. All keep to the processors of this command (`taskset`). `--heap`
needs the folder ../shared: its memruler, built and preloaded here, counts what a run allocates
(`model_sides/engines.py`).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SIDES = ROOT / "bench" / "model_sides"
sys.path.insert(0, str(SIDES))

import peers  # noqa: E402
from engines import ENGINES, REFERENCE  # noqa: E402
from further_models import FURTHER  # noqa: E402
from model_table import MODELS, Model, Sizes  # noqa: E402
from peers import OURS, latencies, median_latencies, memruler, number, table_head, table_row  # noqa: E402

PACKAGES = {"onnxruntime": ["onnxruntime", "numpy"], "openvino": ["openvino", "numpy"]}
SLACK = 1 << 16
Figures = dict[str, float | None]


def main() -> None:
    parser = peers.option_parser("ONNX models, ours and others'.", "models", 5)
    parser.add_argument("--sizes", type=_axis, action="append", help="an axis and its sizes: batch=1,2,8; repeatable")
    parser.add_argument("--processes", type=int, help="of each engine, with the latencies in the middle")
    parser.add_argument(
        "--further", action="store_true", help="models of other kinds in the place of those of the table"
    )
    options = parser.parse_args()
    if options.install:
        peers.install(PACKAGES)
    models = [
        model
        for model in (FURTHER if options.further else MODELS)
        if any(part in model.name for part in options.chosen)
    ]
    with tempfile.TemporaryDirectory() as folder:
        cases = _cases(models, options.sizes)
        report = _heaps(cases, Path(folder)) if options.heap else _latencies(cases, options, Path(folder))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


class Case(NamedTuple):
    """A model with the sizes that it is measured with, and the name of both."""

    name: str
    model: Model
    sizes: Sizes


def _axis(text: str) -> tuple[str, list[int]]:
    name, _, sizes = text.partition("=")
    return name, peers.numbers(sizes)


def _cases(models: Iterable[Model], axes: Sequence[tuple[str, list[int]]] | None) -> list[Case]:
    """Each model with its sizes; or, where there are axes, with each size of each of them that it has."""
    if axes is None:
        return [Case(model.name, model, model.sizes) for model in models]
    return [
        Case(f"{model.name} {axis}={size}", model, model.resized(axis, size))
        for axis, sizes in axes
        for model in models
        if axis in model.free
        for size in sizes
    ]


def _engines(
    case: Case, threads: int, folder: Path, ruler: Path | None = None
) -> AbstractContextManager[dict[str, peers.EngineProcess]]:
    """All engines that are installed and read this model, with it."""
    inputs = folder / "inputs.npz"
    np.savez(inputs, **case.model.inputs(case.sizes))  # pyright: ignore[reportArgumentType]
    return peers.engine_processes(SIDES / "engines.py", ENGINES, case.model.fetch(), inputs, threads, ruler)


def _latencies(cases: list[Case], options: argparse.Namespace, folder: Path) -> dict[str, dict[str, Figures]]:
    report: dict[str, dict[str, Figures]] = {}
    for threads in options.threads:
        head = table_head("model", "error", f"ms: {' / '.join(ENGINES)}", "ratio")
        print(f"\nthreads: {threads}\n\n{head}", flush=True)
        ratios: list[float] = []
        for case in cases:
            error, seconds = _measured(case, threads, options, folder)
            others = [seconds[name] for name in seconds if name != OURS]
            ratio = seconds[OURS] / min(others) if others else None
            ratios += [] if ratio is None else [ratio]
            milliseconds = {name: seconds[name] * 1e3 if name in seconds else None for name in ENGINES}
            report.setdefault(case.name, {})[str(threads)] = {"error": error, "ratio": ratio, **milliseconds}
            shown = " / ".join(number(figure, ".3g") for figure in milliseconds.values())
            print(table_row(case.name, number(error, ".0e"), shown, number(ratio, ".2f")), flush=True)
        if ratios:
            middle, mean = statistics.median(ratios), statistics.geometric_mean(ratios)
            print(f"\nratios: median {middle:.2f}, geometric mean {mean:.2f}, largest {max(ratios):.2f}")
    return report


def _measured(
    case: Case, threads: int, options: argparse.Namespace, folder: Path
) -> tuple[float | None, dict[str, float]]:
    """The error, and the seconds of each engine."""
    error: float | None = None
    found: dict[str, list[float]] = {}
    for _ in range(options.processes or 1):
        with _engines(case, threads, folder) as running:
            if error is None:
                error = _error(case.model, running, folder)
            measure = median_latencies if options.processes else latencies
            for name, seconds in measure(running, options.turns).items():
                found.setdefault(name, []).append(seconds)
    return error, {name: statistics.median(seconds) for name, seconds in found.items()}


def _error(model: Model, running: Mapping[str, peers.EngineProcess], folder: Path) -> float | None:
    """The largest difference from onnxruntime, relative to the largest element of the result."""
    if REFERENCE not in running:
        return None
    results: dict[str, list[np.ndarray]] = {}
    for name in (OURS, REFERENCE):
        path = folder / f"{name}.npz"
        running[name].ask(f"results {path}")
        with np.load(path) as file:
            results[name] = list(file.values())
    error = 0.0
    for ours, theirs in zip(results[OURS], results[REFERENCE], strict=True):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            sys.exit(f"{model.name}: a result is {ours.dtype}{ours.shape}, not {theirs.dtype}{theirs.shape}")
        error = max(error, float(np.abs(ours.astype(np.float64) - theirs).max() / np.abs(theirs).max()))
    if not error <= model.tolerance:
        sys.exit(f"{model.name}: results differ from onnxruntime's by {error:.1e}")
    return error


def _heaps(cases: list[Case], folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    ruler = memruler(folder)
    shown = f"activations KiB: {' / '.join(ENGINES)}"
    print(table_head("model", shown, "to the better", "objects KiB", "arena KiB: ort"))
    report: dict[str, dict[str, dict[str, float]]] = {}
    reached: list[bool] = []
    for case in cases:
        with _engines(case, 1, folder, ruler) as running:
            figures = {name: engine.ask("heap") for name, engine in running.items()}
        report[case.name] = figures
        ours = figures[OURS]["activations"]
        others = [figures[name]["activations"] for name in figures if name != OURS]
        ratio = ours / min(others) if others else None
        reached += [ours <= min(others) + SLACK] if others else []
        shown = [f"{figures[name]['activations'] / 1024:.1f}" if name in figures else "–" for name in ENGINES]
        arena = figures[REFERENCE]["arena"] / 1024 if REFERENCE in figures else None
        objects = f"{figures[OURS]['objects'] / 1024:.0f}"
        cells = (case.name, " / ".join(shown), number(ratio, ".2f"), objects, number(arena, ".0f"))
        print(table_row(*cells), flush=True)
    print(f"\nat or below the better one, or within {SLACK >> 10} KiB: {sum(reached)} of {len(reached)} models")
    compared = [
        (figures[OURS]["activations"], figures[REFERENCE]) for figures in report.values() if REFERENCE in figures
    ]
    for kind, words in (("activations", "without its arena"), ("arena", "as it is set by default")) if compared else ():
        ratio = statistics.median(ours / theirs[kind] for ours, theirs in compared)
        print(f"median of the ratios to {REFERENCE} {words}: {ratio:.2f}")
    return report


if __name__ == "__main__":
    main()
