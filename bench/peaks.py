"""
The op at the peak of each ONNX model, what is live there, and how far the peak would fall without it.

    python -m bench.peaks [--models open-nsfw,ocr] [--most 3] [--json OUT]

The rows are those of docs/performance.md. Bytes are those of the arena, activations and scratch, at the sizes that
models are measured with and at one thread.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent / "model_sides"))

from model_table import MODELS, Model

import lastuse
from lastuse.tools.visualize.memory import Box, BoxKind, MemoryMap


class Held(NamedTuple):
    """A box that is live at the peak.

    Attributes:
        nbytes: what it takes there.
        made, read: the node of the model, `op:line`, that makes its first value, and the last one that uses it.
        is_scratch: whether it is what the op at the peak needs while it runs.
        peak_without: the most bytes that would be live at an op if the box were not there.
    """

    nbytes: int
    made: str
    read: str
    is_scratch: bool
    peak_without: int


class Peak(NamedTuple):
    """Where most bytes are live.

    Attributes:
        node: `op:line` of the model.
        nbytes: what is live there.
        arena: what is allocated; equal to `nbytes` where the plan is the least for its order and decisions.
        held: the boxes that are live there, first those without which the peak would fall furthest.
    """

    node: str
    nbytes: int
    arena: int
    held: tuple[Held, ...]


def peak_of(picture: MemoryMap) -> Peak | None:
    """The peak of a map; None where nothing is in the arena."""
    step = picture.peak
    if step is None:
        return None
    held = [_held(picture, box, step) for box in picture.boxes if _bytes_at(picture, box, step)]
    held.sort(key=lambda one: (one.peak_without, -one.nbytes))
    return Peak(_node(picture, step), picture.live[step], picture.arena, tuple(held))


def _held(picture: MemoryMap, box: Box, step: int) -> Held:
    without = max(live - _bytes_at(picture, box, k) for k, live in enumerate(picture.live))
    is_scratch = box.kind is BoxKind.SCRATCH
    return Held(_bytes_at(picture, box, step), _node(picture, box.first), _node(picture, box.last), is_scratch, without)


def _bytes_at(picture: MemoryMap, box: Box, step: int) -> int:
    unit = picture.alignment
    return sum(-(-(p.end - p.begin) // unit) * unit for p in box.pieces if p.first <= step <= p.last)


def _node(picture: MemoryMap, step: int) -> str:
    column = picture.steps[step]
    return ":".join([column.name, *column.line.rsplit(":", 2)[1:2]])


def main() -> None:
    parser = argparse.ArgumentParser(description="What is live at the peak of ONNX models.")
    parser.add_argument("--models", default="", help="parts of names with commas; without it all")
    parser.add_argument("--most", type=int, default=3, help="boxes that are shown of each")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    options = parser.parse_args()
    report: dict[str, dict[str, object]] = {}
    print("| model | arena | op at the peak | live there: bytes, made, last used, peak without it |\n|---|---|---|---|")
    for model in MODELS:
        if any(part in model.name for part in options.models.split(",")):
            peak = measured(model)
            if peak is not None:
                print(_row(model.name, peak, options.most), flush=True)
                report[model.name] = {**peak._asdict(), "held": [one._asdict() for one in peak.held]}
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def measured(model: Model) -> Peak | None:
    """The peak of a model at the sizes that it is measured with."""
    program = lastuse.compile(model.fetch(), inputs=model.inputs(model.sizes), threads=1)
    peaks: Sequence[Peak | None] = [peak_of(picture) for picture in program.memory.maps]
    return max((peak for peak in peaks if peak is not None), key=lambda peak: peak.nbytes, default=None)


def _row(name: str, peak: Peak, most: int) -> str:
    shown = [
        f"{one.nbytes:,} {'scratch' if one.is_scratch else f'`{one.made}` to `{one.read}`'}, {one.peak_without:,}"
        for one in peak.held[:most]
    ]
    return f"| {name} | {peak.arena:,} | `{peak.node}` | {'<br>'.join(shown)} |"


if __name__ == "__main__":
    main()
