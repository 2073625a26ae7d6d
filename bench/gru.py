"""
Measures ragged GRUs: rows (words) a second of lastuse, of other systems, and of a large matmul on the machine.

    python bench/gru.py --install                   makes the others' environments under build/peers, with pip
    python bench/gru.py --pairs 9 --json out.json

Workloads: a (64 sequences of 19.4 rows on average, the longest 100), b (1 x 100), c (16 x 32), one layer of 256
channels over 256 inputs each; d is all of LAC on a's lengths. In each round every side runs once, in a fresh process on
the same cores, after it has checked its result; a ratio is the median over the rounds of the ratio to the other side.
Sides without an environment are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SIDES = ROOT / "bench" / "gru_sides"
sys.path.insert(0, str(SIDES))

import peers  # noqa: E402
import workload  # noqa: E402

PACKAGES = {
    "onnxruntime": ["onnxruntime", "onnx", "numpy"],
    "openvino": ["openvino", "onnx", "numpy"],
    "paddle": peers.PADDLE,
    "torch": ["torch", "numpy"],
}
OURS, MACHINE = "lastuse", "matmul"
LAYER = (
    "numpy",
    "torch",
    "onnxruntime",
    "onnxruntime:groups",
    "openvino",
    "openvino:groups",
    "paddle",
    "paddle:onednn",
)
LAC = ("paddle:plain", "paddle:native", "paddle:onednn")


class Case(NamedTuple):
    """One workload with so many threads."""

    kind: str
    threads: int


def main() -> None:
    options = _options()
    if options.install:
        peers.install(PACKAGES)
    report: dict[str, dict[str, dict[str, float]]] = {}
    for case in _cases(options):
        report[f"{case.kind}{case.threads}"] = _summary(_rounds(case, options))
        _print(case, report[f"{case.kind}{case.threads}"])
    if options.json:
        Path(options.json).write_text(json.dumps({"pairs": options.pairs, "cases": report}, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Ragged GRUs, ours and others'.")
    parser.add_argument("--install", action="store_true", help="make the environments of the other sides")
    parser.add_argument("--workloads", default="abc", help="letters of a, b, c, d")
    parser.add_argument("--threads", default="1,2", help="numbers with commas")
    parser.add_argument("--pairs", type=int, default=3, help="rounds")
    parser.add_argument("--seconds", type=float, default=1.0, help="time of one side in one round")
    parser.add_argument("--sides", help="names with commas; without it all that are installed")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    return parser.parse_args()


def _cases(options: argparse.Namespace) -> list[Case]:
    cores = len(os.sched_getaffinity(0))
    threads = [int(text) for text in options.threads.split(",")]
    return [Case(kind, count) for kind in options.workloads for count in threads if count <= cores]


def _python(side: str) -> Path | None:
    """The interpreter of a side; None where there is none."""
    name = side.partition(":")[0]
    if name not in PACKAGES:
        return Path(sys.executable)
    return peers.interpreter(name)


def _rounds(case: Case, options: argparse.Namespace) -> dict[str, list[dict[str, float]]]:
    """What each side measured in each round; a side that fails once is left out from then on."""
    others: Iterable[str] = LAC if case.kind == "d" else LAYER
    if options.sides:
        others = options.sides.split(",")
    sides = [OURS, MACHINE, *(side for side in others if _python(side))]
    with tempfile.TemporaryDirectory() as folder:
        data = _data(case.kind, Path(folder))
        figures: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
        for _ in range(options.pairs):
            for side in list(figures):
                measured = _run(side, case, data, options.seconds)
                if measured is None:
                    del figures[side]
                else:
                    figures[side].append(measured)
    return figures


def _data(kind: str, folder: Path) -> Path:
    """The file a side reads."""
    import numpy as np

    path = folder / f"{kind}.npz"
    if kind != "d":
        workload.save(workload.make(kind), path)
        return path
    sys.path.insert(0, str(ROOT / "examples" / "lac"))
    import fetch

    (folder / "lac_model").symlink_to(fetch.fetch(quiet=True) / "lac_model" / "model")
    words, offsets = workload.ids(kind)
    np.savez(path, words=words, offsets=offsets)
    # Ours says which tags the others must have: the tests hold them to LAC's own.
    import lastuse

    (tags,) = lastuse.compile(folder / "lac_model").run({"words": words, "words.lod": offsets}).values()
    np.savez(path, words=words, offsets=offsets, tags=tags)
    return path


def _run(side: str, case: Case, data: Path, seconds: float) -> dict[str, float] | None:
    cores = sorted(os.sched_getaffinity(0))[: case.threads]
    count = str(case.threads)
    settings = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), count)
    given = data
    if side == MACHINE and case.kind == "d":
        given = data.parent / "a.npz"
        if not given.exists():
            workload.save(workload.make("a"), given)
    kind = "a" if side == MACHINE else case.kind
    done = subprocess.run(
        [_python(side) or sys.executable, SIDES / "side.py", side, kind, given, count, str(seconds)],
        env={**os.environ, **settings},
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        print(f"{side} does not run {case.kind}: {(done.stderr.strip() or 'no word').splitlines()[-1]}", flush=True)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def _summary(rounds: dict[str, list[dict[str, float]]]) -> dict[str, dict[str, float]]:
    """For each side: median words a second, and ours against it, round by round."""
    summary: dict[str, dict[str, float]] = {}
    for side, figures in rounds.items():
        ours = rounds[OURS]
        key = "gflops" if side == MACHINE else "words_per_s"
        ratios = [a[key] / b[key] for a, b in zip(ours, figures, strict=True)]
        summary[side] = {
            "words_per_s": statistics.median(f["words_per_s"] for f in figures),
            "gflops": statistics.median(f["gflops"] for f in figures),
            "ratio": statistics.median(ratios),
            "worst_error": max(f["error"] for f in figures),
        }
    return summary


def _print(case: Case, sides: dict[str, dict[str, float]]) -> None:
    print(f"\n{case.kind}, {case.threads} thread{'s' * (case.threads > 1)}")
    print(f"  {'side':22}{'k words/s':>10}{'Gflop/s':>9}{'ours/it':>9}{'error':>10}")
    for side, figures in sides.items():
        words = "" if side == MACHINE else f"{figures['words_per_s'] / 1e3:.1f}"
        numbers = (words, f"{figures['gflops']:.1f}", f"{figures['ratio']:.2f}")
        print(f"  {side:22}{numbers[0]:>10}{numbers[1]:>9}{numbers[2]:>9}{figures['worst_error']:>10.1e}", flush=True)


if __name__ == "__main__":
    main()
