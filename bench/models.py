"""
Measures ONNX models of packages: lastuse, onnxruntime, and OpenVINO, each in a process and an environment of its own.

    python bench/models.py --install                       makes the others' environments under build/peers, with pip
    python bench/models.py [--models ocr,minilm] [--threads 1,2] [--turns 9] [--json OUT]
    python bench/models.py --heap [--models ocr,minilm]    activations on the heap, at one thread

Results are compared with onnxruntime's first. Latency is the best of turns that engines take one after the other; a
ratio is ours to the better of the others. `--heap` needs the folder ../shared: its memruler, built and preloaded here,
counts what a run allocates (`model_sides/engines.py`).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SIDES = ROOT / "bench" / "model_sides"
sys.path.insert(0, str(SIDES))

import peers  # noqa: E402
from engines import ENGINES, REFERENCE  # noqa: E402
from model_table import MODELS, Model  # noqa: E402
from peers import OURS, latencies, memruler, number, table_head, table_row  # noqa: E402

PACKAGES = {"onnxruntime": ["onnxruntime", "numpy"], "openvino": ["openvino", "numpy"]}
SLACK = 1 << 16
Figures = dict[str, float | None]


def main() -> None:
    options = peers.parse_options("ONNX models, ours and others'.", "models", 5)
    if options.install:
        peers.install(PACKAGES)
    models = [model for model in MODELS if any(part in model.name for part in options.chosen)]
    with tempfile.TemporaryDirectory() as folder:
        report = _heaps(models, Path(folder)) if options.heap else _latencies(models, options, Path(folder))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def _engines(
    model: Model, threads: int, folder: Path, ruler: Path | None = None
) -> AbstractContextManager[dict[str, peers.EngineProcess]]:
    """All engines that are installed and read this model, with it."""
    inputs = folder / f"{model.name}.npz"
    np.savez(inputs, **model.inputs(model.sizes))  # pyright: ignore[reportArgumentType]
    return peers.engine_processes(SIDES / "engines.py", ENGINES, model.fetch(), inputs, threads, ruler)


def _latencies(models: list[Model], options: argparse.Namespace, folder: Path) -> dict[str, dict[str, Figures]]:
    report: dict[str, dict[str, Figures]] = {}
    for threads in options.threads:
        head = table_head("model", "error", f"ms: {' / '.join(ENGINES)}", "ratio")
        print(f"\nthreads: {threads}\n\n{head}", flush=True)
        ratios: list[float] = []
        for model in models:
            with _engines(model, threads, folder) as running:
                error = _error(model, running, folder)
                seconds = latencies(running, options.turns)
            others = [seconds[name] for name in seconds if name != OURS]
            ratio = seconds[OURS] / min(others) if others else None
            ratios += [] if ratio is None else [ratio]
            milliseconds = {name: seconds[name] * 1e3 if name in seconds else None for name in ENGINES}
            report.setdefault(model.name, {})[str(threads)] = {"error": error, "ratio": ratio, **milliseconds}
            shown = " / ".join(number(figure, ".3g") for figure in milliseconds.values())
            print(table_row(model.name, number(error, ".0e"), shown, number(ratio, ".2f")), flush=True)
        if ratios:
            print(f"\nmedian of the ratios: {statistics.median(ratios):.2f}")
    return report


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


def _heaps(models: list[Model], folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    ruler = memruler(folder)
    shown = f"activations KiB: {' / '.join(ENGINES)}"
    print(table_head("model", shown, "to the better", "objects KiB", "arena KiB: ort"))
    report: dict[str, dict[str, dict[str, float]]] = {}
    reached: list[bool] = []
    for model in models:
        with _engines(model, 1, folder, ruler) as running:
            figures = {name: engine.ask("heap") for name, engine in running.items()}
        report[model.name] = figures
        ours = figures[OURS]["activations"]
        others = [figures[name]["activations"] for name in figures if name != OURS]
        ratio = ours / min(others) if others else None
        reached += [ours <= min(others) + SLACK] if others else []
        shown = [f"{figures[name]['activations'] / 1024:.1f}" if name in figures else "–" for name in ENGINES]
        arena = figures[REFERENCE]["arena"] / 1024 if REFERENCE in figures else None
        objects = f"{figures[OURS]['objects'] / 1024:.0f}"
        cells = (model.name, " / ".join(shown), number(ratio, ".2f"), objects, number(arena, ".0f"))
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
