"""What both examples share: options, the loop over steps with its progress, and what is written of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.progress import track

import lastuse
from lastuse.dialect.ir.files import write_whole

Arrays = Mapping[str, np.ndarray]


def options(description: str, steps: int) -> argparse.Namespace:
    """The options of the command line; `steps` is the default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=steps, help=f"steps of training (default {steps})")
    parser.add_argument("--threads", type=int, default=0, help="threads of a step (default: all)")
    parser.add_argument("--limit", help="bytes of the arena of a step, such as 64KiB: values are computed again")
    parser.add_argument("--losses", type=Path, help="write the loss of each step to this JSON file")
    parser.add_argument("--init", type=Path, help="write the initial parameters to this npz file")
    parser.add_argument("--data", type=Path, help="write the batches to this npz file")
    parser.add_argument("--pictures", type=Path, help="write loss.svg and memory.svg to this folder")
    chosen = parser.parse_args()
    if chosen.steps < 1:
        parser.error("--steps is a number from 1 on")
    return chosen


def exit_on_error(work: Callable[[], None]) -> None:
    """Does the work; what is wrong with the model, its inputs or the limit is one line, and status 1."""
    try:
        work()
    except lastuse.LastuseError as error:
        sys.exit(str(error))


def save_arrays(path: Path | None, arrays: Arrays) -> None:
    """Writes arrays to an npz file, if there is to be one."""
    if path is not None:
        write_whole(path, lambda file: np.savez(file, **arrays))  # pyright: ignore[reportArgumentType]


def train(
    program: lastuse.Program, parameters: Arrays, batches: Sequence[Arrays], chosen: argparse.Namespace
) -> list[float]:
    """Runs a step for each batch. Every step updates the arrays `parameters`. Returns the losses."""
    losses: list[float] = []
    for batch in track(batches, description="training", transient=True):
        losses.append(float(program.run({**parameters, **batch})["loss"]))
    if chosen.losses is not None:
        text = json.dumps(losses)
        write_whole(chosen.losses, lambda file: file.write(text.encode()))
    if chosen.pictures is not None:
        _draw(program, losses, chosen.pictures)
    memory = program.memory
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f} in {len(losses)} steps")
    print(f"arena of a step: {memory.arena_bytes:,} bytes; without sharing {memory.naive_bytes:,}")
    return losses


def _draw(program: lastuse.Program, losses: Sequence[float], folder: Path) -> None:
    """The loss of each step, and where each value of a step lies over time."""
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(range(1, len(losses) + 1), losses)
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    write_whole(folder / "loss.svg", lambda file: figure.savefig(file, format="svg"))
    picture = program.memory._repr_svg_()  # pyright: ignore[reportPrivateUsage]  # what a notebook shows
    write_whole(folder / "memory.svg", lambda file: file.write(picture.encode()))
