"""
Measures ONNX models of packages: lastuse, onnxruntime, and OpenVINO where it is installed.

    python bench/models.py [--models ocr,minilm] [--threads 1,2] [--json OUT]

Results are compared with onnxruntime's first. Latency is the best of turns that engines take one after the other; a
ratio is ours to the better of the others. The arena is what lastuse allocates for the activations of a run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SIDES = ROOT / "bench" / "model_sides"
sys.path.insert(0, str(SIDES))

import engines  # noqa: E402
from model_table import MODELS, Model  # noqa: E402

import lastuse  # noqa: E402

TURN = 0.1
"""Seconds of one turn."""
MIB = 1 << 20
Figures = dict[str, float | None]


def main() -> None:
    options = _options()
    wanted = [model for model in MODELS if any(part in model.name for part in options.models.split(","))]
    report: dict[str, dict[str, Figures]] = {}
    for threads in map(int, options.threads.split(",")):
        print(_head(threads), flush=True)
        for model in wanted:
            figures = _measure(model, threads, options)
            report.setdefault(model.name, {})[str(threads)] = figures
            print(_row(model.name, figures), flush=True)
        ratios = [rows[str(threads)]["ratio"] for rows in report.values()]
        known = [ratio for ratio in ratios if ratio is not None]
        if known:
            print(f"\nmedian of the ratios, threads: {threads}: {statistics.median(known):.2f}\n")
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="ONNX models, ours and others'.")
    parser.add_argument("--models", default="", help="parts of names with commas; without it all")
    parser.add_argument("--threads", default="1,2", help="numbers with commas")
    parser.add_argument("--turns", type=int, default=5, help="of each engine")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    return parser.parse_args()


def _measure(model: Model, threads: int, options: argparse.Namespace) -> Figures:
    path, inputs = model.fetch(), model.inputs(model.sizes)
    runs: dict[str, engines.Run] = {}
    for name, load in engines.ENGINES.items():
        try:
            runs[name] = load(path, inputs, threads)
            runs[name]()
        except RuntimeError as error:  # OpenVINO does not read all models
            runs.pop(name, None)
            print(f"{model.name}: {name} is left out: {str(error).strip().splitlines()[-1]}", file=sys.stderr)
    figures: Figures = {"error": _error(model, runs)}
    seconds = _latency(runs, options.turns)
    others = [seconds[name] for name in seconds if name != engines.OURS]
    figures["ratio"] = seconds[engines.OURS] / min(others) if others else None
    memory = lastuse.compile(path, inputs=inputs, threads=threads).memory
    figures |= {"arena": memory.arena_bytes, "weights": memory.weight_bytes, "packed": memory.packed_bytes}
    for name in engines.ENGINES:
        figures[f"{name} ms"] = seconds[name] * 1e3 if name in seconds else None
    return figures


def _error(model: Model, runs: dict[str, engines.Run]) -> float | None:
    """The largest difference from onnxruntime, relative to the largest element of the result."""
    if engines.REFERENCE not in runs:
        return None
    error = 0.0
    for ours, theirs in zip(runs[engines.OURS](), runs[engines.REFERENCE](), strict=True):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            sys.exit(f"{model.name}: a result is {ours.dtype}{ours.shape}, not {theirs.dtype}{theirs.shape}")
        error = max(error, float(np.abs(ours.astype(np.float64) - theirs).max() / np.abs(theirs).max()))
    if not error <= model.tolerance:
        sys.exit(f"{model.name}: results differ from onnxruntime's by {error:.1e}")
    return error


def _latency(runs: dict[str, engines.Run], turns: int) -> dict[str, float]:
    """Seconds of the fastest run of each engine."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(turns):
        for name, run in runs.items():
            ends = time.perf_counter() + TURN
            while (started := time.perf_counter()) < ends:
                run()
                best[name] = min(best[name], time.perf_counter() - started)
    return best


def _head(threads: int) -> str:
    columns = ["model", "error", f"ms: {' / '.join(engines.ENGINES)}", "ratio", "arena MiB", "weights + packed MiB"]
    return f"threads: {threads}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}"


def _row(name: str, figures: Figures) -> str:
    def number(key: str, form: str, unit: float = 1) -> str:
        figure = figures[key]
        return "–" if figure is None else format(figure / unit, form)

    cells = [
        name,
        number("error", ".0e"),
        " / ".join(number(f"{engine} ms", ".2f") for engine in engines.ENGINES),
        number("ratio", ".2f"),
        number("arena", ".3f", MIB),
        f"{number('weights', '.1f', MIB)} + {number('packed', '.1f', MIB)}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
