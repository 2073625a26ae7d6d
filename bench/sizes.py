"""
What a new size of input costs: a model with an unknown size is compiled for sizes one after the other, none of them
twice, and then runs a stream of a few sizes at random against one size over and over.

    python bench/sizes.py [--model ocr-recogniser] [--axis 3] [--low 64] [--high 960] [--sizes 200] [--stream 64]
                          [--runs 200] [--threads 1] [--json OUT]
    python bench/sizes.py --streams [--model ocr-recogniser] [--axis 3] [--low 96] [--high 1280] [--threads 1]

Times of a new size are those of compiling alone, by the clock and of the process, after the first `--first` sizes,
which decide for all others. In the stream all sizes are compiled and kept beforehand. It is compared by the time of the
process that a run takes for an element of the input, as larger sizes take longer; turns alternate.

`--streams` measures three streams of 1,000 runs in fresh processes, of lastuse and of onnxruntime, which
`bench/models.py --install` installs: of `--stream` sizes at random, of the one in the middle over and over, and of
1,000 sizes at random, none of them twice. Nothing is compiled beforehand, and options are those by default. Times of
the first two are of the runs after the first 200; the heap's growth is of those after the first 100, to its peak.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time

import numpy as np

SIDES = Path(__file__).resolve().parent / "model_sides"
sys.path[:0] = [str(SIDES), str(SIDES.parent)]

import peers  # noqa: E402
from model_table import MODELS, Model  # noqa: E402

import lastuse  # noqa: E402
from lastuse.compiler.program import Program  # noqa: E402

TURNS = 4
"""Of the stream and of the single size."""
RUNS, SETTLED, FLAT = 1000, 200, 100
"""Of a stream by `--streams`: all, those after which times count, and those after which the heap's growth does."""

Inputs = dict[str, np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description="What a new size of input costs.")
    parser.add_argument("--model", default="ocr-recogniser", help="a name of bench/model_sides/model_table.py")
    parser.add_argument("--axis", type=int, default=3, help="the axis of the first input whose size changes")
    parser.add_argument("--low", type=int, default=64, help="the smallest size")
    parser.add_argument("--high", type=int, default=960, help="the largest size")
    parser.add_argument("--sizes", type=int, default=200, help="how many sizes are compiled")
    parser.add_argument("--first", type=int, default=4, help="how many of them are not counted")
    parser.add_argument("--stream", type=int, default=64, help="how many sizes the stream has")
    parser.add_argument("--runs", type=int, default=200, help="of the stream in each of its turns")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--streams", action="store_true", help="streams in fresh processes, ours and onnxruntime's")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    options = parser.parse_args()
    model = next((model for model in MODELS if model.name == options.model), None)
    if model is None:
        parser.error(f"no model is called {options.model}; there are {', '.join(m.name for m in MODELS)}")
    if options.streams:
        report = streams(model, options)
        if options.json:
            Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
        return
    many = min(options.sizes, options.high - options.low + 1)
    if not 0 < options.first < many - 1 or not 0 < options.stream <= many:
        parser.error("--sizes has to be larger than --first and one more, and no smaller than --stream")
    base = model.inputs(model.sizes)
    name = next(iter(base))

    def inputs(size: int) -> Inputs:
        shape = list(base[name].shape)
        shape[options.axis] = size
        return {**base, name: np.resize(base[name], shape)}

    sizes = random.Random(0).sample(range(options.low, options.high + 1), many)
    program = lastuse.compile(model.fetch(), threads=options.threads, kept_sizes=options.stream)
    report = {
        "model": model.name,
        "threads": options.threads,
        "new_size": new_sizes(program, [inputs(size) for size in sizes], options.first),
        "stream": stream(program, [inputs(size) for size in sorted(sizes[: options.stream])], options.runs),
    }
    print(text(report["new_size"], report["stream"]))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def streams(model: Model, options: argparse.Namespace) -> dict[str, dict[str, dict[str, float]]]:
    """Prints, and returns by engine and stream, milliseconds of a run in the middle and on average, nanoseconds for an
    element, and by how many bytes the heap grows."""
    chance = random.Random(0)
    every = range(options.low, options.high + 1)
    few = sorted(chance.sample(every, options.stream))
    drawn = {
        "some": chance.choices(few, k=RUNS),
        "one": [few[len(few) // 2]] * RUNS,
        "new": chance.sample(every, min(RUNS, len(every))),
    }
    first = next(iter(model.sizes))
    report: dict[str, dict[str, dict[str, float]]] = {}
    print(peers.table_head("stream", "engine", "ms: median", "ms: mean", "ns an element", "heap's growth, KiB"))
    for name, sizes in drawn.items():
        for engine in (peers.OURS, "onnxruntime"):
            figures = _stream_figures(engine, model, first, sizes, options, 0 if name == "new" else SETTLED)
            report.setdefault(engine, {})[name] = figures
            shown = (f"{figures[n]:.2f}" for n in ("median_ms", "mean_ms", "element_ns"))
            print(peers.table_row(name, engine, *shown, f"{figures['growth'] / 1024:.0f}"), flush=True)
    return report


def _stream_figures(
    engine: str, model: Model, first: str, sizes: Sequence[int], options: argparse.Namespace, settled: int
) -> dict[str, float]:
    python = Path(sys.executable) if engine == peers.OURS else peers.interpreter(engine)
    if python is None:
        sys.exit(f"{engine} is not installed: python bench/models.py --install")
    base = model.inputs(model.sizes)
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs.npz"
        np.savez(inputs, **base)  # pyright: ignore[reportArgumentType]
        listed = ",".join(map(str, sizes))
        numbers = [str(options.threads), str(options.axis), listed]
        command = [python, SIDES / "stream_process.py", engine, model.fetch(), inputs, *numbers]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    taken = json.loads(done.stdout)
    seconds, heap = taken["seconds"][settled:], taken["heap"][FLAT:]
    each = base[first].size // base[first].shape[options.axis]
    return {
        "median_ms": 1e3 * median(seconds),
        "mean_ms": 1e3 * sum(seconds) / len(seconds),
        "element_ns": 1e9 * sum(seconds) / (each * sum(sizes[settled:])),
        "growth": max(heap) - heap[0],
    }


def new_sizes(program: Program, inputs: Sequence[Inputs], first: int) -> dict[str, float]:
    """Milliseconds that compiling takes for each of the inputs but the `first`: median and 90th percentile, by the
    clock and of the process."""
    clock, process = list[float](), list[float]()
    for each in inputs:
        started, worked = perf_counter(), process_time()
        program.compile_for(each)
        clock.append(1e3 * (perf_counter() - started))
        process.append(1e3 * (process_time() - worked))
    result: dict[str, float] = {"sizes": len(clock) - first}
    for kind, taken in (("clock", clock[first:]), ("process", process[first:])):
        result |= {f"{kind}_median_ms": median(taken), f"{kind}_p90_ms": quantiles(taken, n=10)[-1]}
    return result


def stream(program: Program, inputs: Sequence[Inputs], runs: int) -> dict[str, float]:
    """Nanoseconds of the process for an element of the inputs: of inputs at random, and of the one in the middle over
    and over. All are compiled before."""
    for each in inputs:
        program.run(each)
    chance = random.Random(1)
    drawn = [chance.choice(inputs) for _ in range(runs)]
    middle = inputs[len(inputs) // 2]

    def taken(batches: Sequence[Inputs]) -> float:
        started = process_time()
        for each in batches:
            program.run(each)
        return 1e9 * (process_time() - started) / sum(array.size for each in batches for array in each.values())

    sides: tuple[Callable[[], float], ...] = (lambda: taken(drawn), lambda: taken([middle] * runs))
    turns = [[side() for side in sides] for _ in range(TURNS)]
    mixed, single = (min(times) for times in zip(*turns, strict=True))
    return {"sizes": len(inputs), "random_ns": mixed, "single_ns": single, "ratio": mixed / single}


def text(new: dict[str, float], mixed: dict[str, float]) -> str:
    """The figures in words."""
    kinds = ("clock", "process")
    times = ", ".join(f"{kind} {new[f'{kind}_median_ms']:.0f} (p90 {new[f'{kind}_p90_ms']:.0f})" for kind in kinds)
    rates = f"{mixed['random_ns']:.2f} ns an element, one {mixed['single_ns']:.2f}: ratio {mixed['ratio']:.2f}"
    return f"{new['sizes']:.0f} new sizes, ms in the median: {times}\n{mixed['sizes']:.0f} sizes at random {rates}"


if __name__ == "__main__":
    main()
