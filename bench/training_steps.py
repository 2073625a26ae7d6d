"""
Measures steps of training with momentum, lastuse's and PyTorch's: time, and the heap that a step takes.

    python bench/training_steps.py --install     makes PyTorch's environment under build/peers, with pip
    python bench/training_steps.py [--networks lenet,resnet18] [--threads 1,2] [--turns 9] [--json OUT]
    python bench/training_steps.py --heap        activations and gradients on the heap, at one thread

Losses of the first steps are compared first, where both compute the same. A time is that of the fastest step of turns
that both take one after the other. `--heap` needs the folder ../shared: its memruler counts what a step allocates.

With STEP_LIMIT=0.65 in the environment lastuse's step fits into this part of its arena, and computes values again for
that: any, or with STEP_RECOMPUTE=cheap those of cheap ops.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SIDES = ROOT / "bench" / "training_sides"
EXAMPLES = ROOT / "examples" / "training"
sys.path[:0] = [str(SIDES), str(EXAMPLES)]

import digits  # noqa: E402
import peers  # noqa: E402
import tagger  # noqa: E402
from peers import OURS  # noqa: E402
from trainers import BATCH, ENGINES  # noqa: E402

import lastuse  # noqa: E402

PACKAGES = {"torch": ["torch", "numpy"]}
PEER = "torch"
CLASSES = 10
STEPS, TOLERANCE = 5, 1e-3
"""Losses that are compared, and how much they may differ, relative to the larger one of theirs and 1e-3."""
Arrays = Mapping[str, np.ndarray]


class Network(NamedTuple):
    """A network that is trained.

    Attributes:
        path: of the model; its stem is its name.
        arrays: makes the parameters, and the arrays of a batch.
        same: whether both compute the same losses.
    """

    path: Path
    arrays: Callable[[], tuple[Arrays, Arrays]]
    same: bool = True


def _digits() -> tuple[Arrays, Arrays]:
    x, y = digits.pictures(1)
    return digits.initial(), {"x": x[0], "y": y[0]}


def _tagger() -> tuple[Arrays, Arrays]:
    return tagger.initial(), tagger.sentences(1)[0]


def _drawn(path: Path) -> tuple[Arrays, Arrays]:
    """Parameters as wide as He et al. 2015 make them, scales and variances of 1, biases of 0; a batch from random
    numbers."""
    rng = np.random.default_rng(0)
    parameters: dict[str, np.ndarray] = {}
    batch: dict[str, np.ndarray] = {}
    for name, spec in lastuse.compile(path).inputs.items():
        shape = [int(size) for size in spec.shape]
        if spec.dtype.kind == "i":
            batch[name] = rng.integers(0, CLASSES, shape)
        elif name in ("x", "target"):
            batch[name] = rng.normal(size=shape).astype(np.float32)
        elif len(shape) > 1:
            parameters[name] = rng.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape).astype(np.float32)
        else:
            parameters[name] = np.full(shape, not name.endswith(("bias", "mean")), np.float32)
    return parameters, batch


def _networks() -> tuple[Network, ...]:
    paths = [EXAMPLES / "networks" / f"{name}.mlir" for name in ("lenet", "resnet18", "transformer")]
    drawn = (Network(path, partial(_drawn, path)) for path in paths)
    return Network(digits.MODEL, _digits), Network(tagger.MODEL, _tagger, same=False), *drawn


NETWORKS = _networks()


def main() -> None:
    options = peers.option_parser("Steps of training, ours and PyTorch's.", "networks", 9).parse_args()
    if options.install:
        peers.install(PACKAGES)
    networks = [each for each in NETWORKS if any(part in each.path.stem for part in options.chosen)]
    with tempfile.TemporaryDirectory() as folder:
        report = _heaps(networks, Path(folder)) if options.heap else _times(networks, options, Path(folder))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def write_inputs(network: Network, folder: Path) -> Path:
    """The file of the network's parameters and a batch, for `trainers.py`."""
    inputs = folder / f"{network.path.stem}.npz"
    parameters, batch = network.arrays()
    arrays = {**parameters, **{BATCH + name: array for name, array in batch.items()}}
    np.savez(inputs, **arrays)  # pyright: ignore[reportArgumentType]
    return inputs


def _systems(
    network: Network, threads: int, folder: Path, ruler: Path | None = None
) -> AbstractContextManager[dict[str, peers.EngineProcess]]:
    """Both systems with this network, as far as they are installed."""
    inputs = write_inputs(network, folder)
    return peers.engine_processes(SIDES / "trainers.py", ENGINES, network.path, inputs, threads, ruler)


def _times(networks: list[Network], options: argparse.Namespace, folder: Path) -> dict[str, dict[str, object]]:
    report: dict[str, dict[str, object]] = {}
    for threads in options.threads:
        head = peers.table_head("network", "error of losses", f"ms: {' / '.join(ENGINES)}", "ratio")
        print(f"\nthreads: {threads}\n\n{head}", flush=True)
        ratios: list[float] = []
        for network in networks:
            name = network.path.stem
            with _systems(network, threads, folder) as running:
                error = _error(network, running, folder)
                seconds = peers.latencies(running, options.turns)
            ratio = seconds[OURS] / seconds[PEER] if PEER in seconds else None
            ratios += [] if ratio is None else [ratio]
            milliseconds = {system: s * 1e3 for system, s in seconds.items()}
            report.setdefault(name, {})[str(threads)] = {"error": error, "ratio": ratio, **milliseconds}
            shown = " / ".join(peers.number(milliseconds.get(system), ".3g") for system in ENGINES)
            print(peers.table_row(name, peers.number(error, ".0e"), shown, peers.number(ratio, ".2f")), flush=True)
        if ratios:
            print(f"\nmedian of the ratios: {statistics.median(ratios):.2f}")
    return report


def _error(network: Network, running: Mapping[str, peers.EngineProcess], folder: Path) -> float | None:
    """The largest difference of the losses of the first steps."""
    if PEER not in running or not network.same:
        return None
    losses: dict[str, list[float]] = {OURS: [], PEER: []}
    for _ in range(STEPS):
        for system, values in losses.items():
            path = folder / f"{system}.npz"
            running[system].ask(f"results {path}")
            with np.load(path) as file:
                values.append(float(next(iter(file.values()))))
    pairs = zip(losses[OURS], losses[PEER], strict=True)
    error = max(abs(ours - theirs) / max(abs(theirs), 1e-3) for ours, theirs in pairs)
    if not error <= TOLERANCE:
        sys.exit(f"{network.path.stem}: losses differ from PyTorch's by {error:.1e}")
    return error


def _heaps(networks: list[Network], folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    ruler = peers.memruler(folder)
    print(peers.table_head("network", f"KiB: {' / '.join(ENGINES)}", "ratio", "objects KiB"))
    report: dict[str, dict[str, dict[str, float]]] = {}
    for network in networks:
        with _systems(network, 1, folder, ruler) as running:
            figures = {name: system.ask("heap") for name, system in running.items()}
        report[network.path.stem] = figures
        heap = {name: figure["activations"] for name, figure in figures.items()}
        shown = " / ".join(peers.number(heap[name] / 1024 if name in heap else None, ".1f") for name in ENGINES)
        ratio = heap[OURS] / heap[PEER] if PEER in heap else None
        objects = peers.number(figures[OURS]["objects"] / 1024, ".0f")
        print(peers.table_row(network.path.stem, shown, peers.number(ratio, ".2f"), objects), flush=True)
    return report


if __name__ == "__main__":
    main()
