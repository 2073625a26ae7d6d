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
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SIDES = ROOT / "bench" / "model_sides"
sys.path.insert(0, str(SIDES))

import peers  # noqa: E402
from engines import ENGINES, OURS, REFERENCE  # noqa: E402
from model_table import MODELS, Model  # noqa: E402

PACKAGES = {"onnxruntime": ["onnxruntime", "numpy"], "openvino": ["openvino", "numpy"]}
TURN, PAUSE = 0.1, 0.02
"""Seconds of one turn, and before it: threads of the engine before it wait for work for a while."""
MIB, SLACK = 1 << 20, 1 << 16
Figures = dict[str, float | None]


class EngineProcess:
    """One engine with one model, in a process of its own; raises RuntimeError where it does not read the model."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._receive()

    def ask(self, command: str) -> dict[str, float]:
        """The answer to a command of `engine_process.py`."""
        assert self._process.stdin is not None
        print(command, file=self._process.stdin, flush=True)
        return self._receive()

    def _receive(self) -> dict[str, float]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"it ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


def main() -> None:
    options = _options()
    if options.install:
        peers.install(PACKAGES)
    models = [model for model in MODELS if any(part in model.name for part in options.models.split(","))]
    with tempfile.TemporaryDirectory() as folder:
        report = _heaps(models, Path(folder)) if options.heap else _latencies(models, options, Path(folder))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="ONNX models, ours and others'.")
    parser.add_argument("--install", action="store_true", help="make the environments of the other engines")
    parser.add_argument("--models", default="", help="parts of names with commas; without it all")
    parser.add_argument("--heap", action="store_true", help="the heap that activations take, and no latency")
    parser.add_argument("--threads", default="1,2", help="numbers with commas")
    parser.add_argument("--turns", type=int, default=5, help="of each engine")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    return parser.parse_args()


@contextmanager
def _engines(
    model: Model, threads: int, folder: Path, ruler: Path | None = None
) -> Generator[dict[str, EngineProcess]]:
    """All engines that are installed and read this model, with it."""
    inputs = folder / f"{model.name}.npz"
    np.savez(inputs, **model.inputs(model.sizes))  # pyright: ignore[reportArgumentType]
    environment = {**os.environ, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))}
    if ruler is not None:
        environment["LD_PRELOAD"] = str(ruler)
    running: dict[str, EngineProcess] = {}
    with ExitStack() as stack:
        for name in ENGINES:
            python = Path(sys.executable) if name == OURS else peers.interpreter(name)
            if python is None:
                continue
            process = subprocess.Popen(
                [python, SIDES / "engine_process.py", name, model.fetch(), inputs, str(threads)],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(process)
            stack.callback(process.terminate)
            try:
                running[name] = EngineProcess(process)
            except RuntimeError as error:
                if name == OURS:
                    raise
                print(f"{model.name}: {name} is left out: {error}", file=sys.stderr)
        yield running


def _latencies(models: list[Model], options: argparse.Namespace, folder: Path) -> dict[str, dict[str, Figures]]:
    report: dict[str, dict[str, Figures]] = {}
    for threads in map(int, options.threads.split(",")):
        head = _head("model", "error", f"ms: {' / '.join(ENGINES)}", "ratio")
        print(f"\nthreads: {threads}\n\n{head}", flush=True)
        ratios: list[float] = []
        for model in models:
            with _engines(model, threads, folder) as running:
                error = _error(model, running, folder)
                seconds = _latency(running, options.turns)
            others = [seconds[name] for name in seconds if name != OURS]
            ratio = seconds[OURS] / min(others) if others else None
            ratios += [] if ratio is None else [ratio]
            milliseconds = {name: seconds[name] * 1e3 if name in seconds else None for name in ENGINES}
            report.setdefault(model.name, {})[str(threads)] = {"error": error, "ratio": ratio, **milliseconds}
            shown = " / ".join(_number(figure, ".3g") for figure in milliseconds.values())
            print(_row(model.name, _number(error, ".0e"), shown, _number(ratio, ".2f")), flush=True)
        if ratios:
            print(f"\nmedian of the ratios: {statistics.median(ratios):.2f}")
    return report


def _error(model: Model, running: Mapping[str, EngineProcess], folder: Path) -> float | None:
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


def _latency(running: Mapping[str, EngineProcess], turns: int) -> dict[str, float]:
    """Seconds of the fastest run of each engine."""
    best = dict.fromkeys(running, float("inf"))
    for _ in range(turns):
        for name, engine in running.items():
            time.sleep(PAUSE)
            best[name] = min(best[name], engine.ask(f"time {TURN}")["seconds"])
    return best


def _heaps(models: list[Model], folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    ruler = _ruler(folder)
    print(_head("model", f"activations KiB: {' / '.join(ENGINES)}", "to the better", "objects KiB", "arena KiB: ort"))
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
        cells = (model.name, " / ".join(shown), _number(ratio, ".2f"), objects, _number(arena, ".0f"))
        print(_row(*cells), flush=True)
    print(f"\nat or below the better one, or within {SLACK >> 10} KiB: {sum(reached)} of {len(reached)} models")
    return report


def _ruler(folder: Path) -> Path:
    """The library that counts the heap."""
    sources = ROOT.parent / "shared" / "tools"
    if not sources.is_dir():
        sys.exit("--heap needs the folder ../shared beside the repository, whose memruler counts the heap")
    built = folder / "memruler"
    built.mkdir()
    for name in ("build.sh", "memruler.c", "memruler_test.c"):
        (built / name).write_bytes((sources / name).read_bytes())
    subprocess.run(["sh", "build.sh"], cwd=built, check=True, capture_output=True)
    return built / "libmemruler.so"


def _head(*columns: str) -> str:
    return f"{_row(*columns)}\n|{'---|' * len(columns)}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _number(figure: float | None, form: str) -> str:
    return "–" if figure is None else format(figure, form)


if __name__ == "__main__":
    main()
