"""
Times the convolutions of ONNX models in three layouts: the one that oneDNN chooses (`any`), channels last, and channels
second (nchw). Weights are packed as oneDNN wants them in all three, and nothing is transposed.

    python -m bench.layouts [--models open-nsfw,ocr] [--threads 1] [--turns 9] [--json OUT]

Each convolution is a program of its own. Programs take turns, and the best turn of each counts. The ratios are to
channels last: above 1 that one is faster.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from math import prod
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "model_sides"))

from model_table import MODELS, Model

import lastuse
from lastuse.dialect.dnn.spatial.convolution import ConvOp
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.runtime import _core

F32 = np.dtype(np.float32)
LAYOUTS = ("any", "last", "nchw")
CACHE_LINE = 64
Shape = tuple[int, ...]


class Convolution(NamedTuple):
    """One shape of convolution: x [N, C, H, W], weights [O, C/group, …] and y, and how the window moves."""

    x: Shape
    w: Shape
    y: Shape
    groups: int
    strides: Shape
    dilations: Shape
    begins: Shape
    ends: Shape

    @property
    def text(self) -> str:
        """The sizes, the group and the stride."""
        kernel = "x".join(map(str, self.w[2:]))
        sizes = "x".join(map(str, self.x))
        return f"{sizes} to {self.y[1]}, {kernel}, group {self.groups}, stride {'x'.join(map(str, self.strides))}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Convolutions in three layouts.")
    parser.add_argument("--models", default="", help="parts of names with commas; without it all")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=9, help="of each layout")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    options = parser.parse_args()
    report: dict[str, dict[str, dict[str, float]]] = {}
    for model in MODELS:
        if any(part in model.name for part in options.models.split(",")):
            report[model.name] = _report(model, options.threads, options.turns)
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def _report(model: Model, threads: int, turns: int) -> dict[str, dict[str, float]]:
    """Prints a table of the convolutions of a model, and returns their milliseconds."""
    counts = convolutions(model)
    if not counts:
        return {}
    print(f"\n{model.name}, threads: {threads}\n\n| convolution | number | ms: any | last | nchw | any | nchw |")
    print("|---|---|---|---|---|---|---|")
    report: dict[str, dict[str, float]] = {}
    total = dict.fromkeys(LAYOUTS, 0.0)
    for convolution, count in counts.items():
        best = timed(convolution, threads, turns)
        for layout, milliseconds in best.items():
            total[layout] += count * milliseconds
        report[convolution.text] = {**best, "number": count}
        _print_row(convolution.text, count, best)
    _print_row("all", sum(counts.values()), total)
    return report


def _print_row(name: str, count: int, best: dict[str, float]) -> None:
    shown = " | ".join(f"{best[layout]:.4g}" for layout in LAYOUTS)
    print(
        f"| {name} | {count} | {shown} | {best['any'] / best['last']:.2f} | {best['nchw'] / best['last']:.2f} |",
        flush=True,
    )


def convolutions(model: Model) -> Counter[Convolution]:
    """The convolutions of a model at the first of its sizes that oneDNN runs, and how often it has each."""
    program = lastuse.compile(model.fetch(), inputs=model.inputs(model.sizes), layout="first", threads=1)
    found: Counter[Convolution] = Counter()
    for op in program.latest.module.walk():
        if isinstance(op, ConvOp) and op.primitive() is not None:
            x, w, y = (tuple(d for d in static_shape(v.type) if d is not None) for v in (op.x, op.w, op.y))
            window = op.rule(w[2:]).window(x[2:])
            wide = len(x) == 3  # one spatial axis is the last of two, as the lowering has it
            moves = [(*((fill,) if wide else ()), *entry) for fill, entry in _entries(window)]
            shapes = [(*shape[:2], 1, *shape[2:]) if wide else shape for shape in (x, w, y)]
            found[Convolution(*shapes, op.groups, *moves)] += 1
    return found


def _entries(window: object) -> list[tuple[int, Shape]]:
    names = {"strides": 1, "dilations": 1, "begins": 0, "ends": 0}
    return [(fill, tuple(getattr(window, name))) for name, fill in names.items()]


def timed(convolution: Convolution, threads: int, turns: int) -> dict[str, float]:
    """The best milliseconds of each layout."""
    contexts = {layout: _context(convolution, layout, threads) for layout in LAYOUTS}
    best = dict.fromkeys(LAYOUTS, float("inf"))
    for _ in range(turns + 1):
        for layout, context in contexts.items():
            start = perf_counter()
            context.run([])
            best[layout] = min(best[layout], (perf_counter() - start) * 1e3)
    return best


def _context(convolution: Convolution, layout: str, threads: int) -> _core.Context:
    groups, w = convolution.groups, convolution.w
    grouped = w if groups == 1 else (groups, w[0] // groups, *w[1:])
    window = _core.Window(convolution.strides, convolution.dilations, convolution.begins, convolution.ends)
    src, dst = (_described(shape, layout) for shape in (convolution.x, convolution.y))
    primitive = _core.convolution(src, _core.Desc.any_layout(F32, grouped), None, dst, window, threads=threads)
    descs = (*primitive.ins, *primitive.outs)
    sizes = [-(-desc.nbytes // CACHE_LINE) * CACHE_LINE for desc in descs]
    program = _core.StepProgram(sum(sizes), threads)
    arena = _core.StepProgram.ARENA
    views = [program.add_layout(arena, sum(sizes[:number]), desc) for number, desc in enumerate(descs)]
    program.add_primitive("convolution", primitive, views[:-1], views[-1:])
    return _core.Context(program)


def _described(shape: Shape, layout: str) -> _core.Desc:
    """A layout of values [N, C, spatial…]."""
    if layout == "any":
        return _core.Desc.any_layout(F32, shape)
    order = range(len(shape)) if layout == "nchw" else [0, *range(2, len(shape)), 1]
    return _core.Desc(F32, shape, _strides(shape, list(order)), exact=True)


def _strides(shape: Shape, order: Sequence[int]) -> list[int]:
    """Strides in elements of axes that lie in this order, from the slowest to the fastest."""
    return [prod(shape[after] for after in order[order.index(axis) + 1 :]) for axis in range(len(shape))]


if __name__ == "__main__":
    main()
