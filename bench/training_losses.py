"""
Compares the losses of the examples of training with those of PyTorch from the same start, step by step.

    python bench/training_steps.py --install     makes PyTorch's environment under build/peers, with pip
    python bench/training_losses.py [--steps 100] [--threads 1]

The tagger is compared with the same cell, written out in PyTorch. Ends with status 1 where a loss differs by more than
1e-4, relative to the larger of the loss and 1e-3.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import peers

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ("digits", "tagger")
TOLERANCE, LEAST = 1e-4, 1e-3


def main() -> None:
    parser = argparse.ArgumentParser(description="Losses of the examples of training, ours and PyTorch's.")
    parser.add_argument("--steps", type=int, default=100, help="of each example")
    parser.add_argument("--threads", type=int, default=1, help="of our steps")
    chosen = parser.parse_args()
    python = peers.interpreter("torch")
    if python is None:
        sys.exit("PyTorch is not installed under build/peers: python bench/training_steps.py --install")
    print(peers.table_head("example", "steps", "loss, first to last", "largest difference"))
    errors: list[float] = []
    for name in EXAMPLES:
        ours, theirs = losses(name, chosen.steps, chosen.threads, python)
        errors.append(difference(ours, theirs))
        spread = f"{ours[0]:.4f} to {ours[-1]:.4f}"
        print(peers.table_row(name, str(len(ours)), spread, f"{errors[-1]:.0e}"), flush=True)
    sys.exit(not max(errors) <= TOLERANCE)


def losses(name: str, steps: int, threads: int, python: Path) -> tuple[list[float], list[float]]:
    """The losses of an example, ours and PyTorch's.

    Args:
        python: the interpreter that has PyTorch.
    """
    with tempfile.TemporaryDirectory() as folder:
        init, data, ours, theirs = (
            Path(folder) / file for file in ("init.npz", "data.npz", "ours.json", "theirs.json")
        )
        options = ["--init", init, "--data", data, "--losses", ours, "--steps", str(steps), "--threads", str(threads)]
        example = [sys.executable, ROOT / "examples" / "training" / f"{name}.py", *options]
        subprocess.run(example, check=True, stdout=subprocess.DEVNULL)
        script = ROOT / "bench" / "training_sides" / "torch_examples.py"
        subprocess.run([python, script, name, init, data, theirs], check=True)
        return json.loads(ours.read_text()), json.loads(theirs.read_text())


def difference(ours: list[float], theirs: list[float]) -> float:
    """The largest difference of two losses of a step, relative to the larger of theirs and 1e-3; infinite where one is
    no number."""
    differences = (abs(a - b) / max(abs(b), LEAST) for a, b in zip(ours, theirs, strict=True))
    return max(each if each >= 0 else float("inf") for each in differences)


if __name__ == "__main__":
    main()
