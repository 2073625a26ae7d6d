"""Mutants, random graphs and random networks of ONNX:  python test/fuzz/run_onnx_fuzz.py mutants 20000 --seed 1

Each case is compiled and run, and held against onnxruntime and `onnx.reference`. A process runs the cases and says what
it is about to do, so that the end of the process is laid to us or to the others.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path[:0] = [str(Path(__file__).resolve().parent)]

import onnx_bytes  # noqa: E402
import onnx_graphs  # noqa: E402
import onnx_layers  # noqa: E402
import onnx_mutants  # noqa: E402
from onnx_cases import Case, Outcome, check  # noqa: E402

KINDS: dict[str, Callable[[int], Case]] = {
    "mutants": onnx_mutants.mutant,
    "graphs": onnx_graphs.random_graph,
    "layers": onnx_layers.random_layers,
    "bytes": onnx_bytes.random_bytes,
}
SECONDS = 120
"""Until a case that says nothing is a hang."""


def work(kind: str, first: int, last: int, results: Connection) -> None:
    """Sends `(number, name, outcome)` for each case; `(number, "", None)` before it."""
    for number in range(first, last):
        results.send((number, "", None))
        case = KINDS[kind](number)
        results.send((number, case.name, check(case)))


def outcomes(kind: str, first: int, last: int):
    """Yields `(number, name, outcome)` of each case; a worker that dies or hangs is an outcome too."""
    context = multiprocessing.get_context("fork")
    number = first
    while number < last:
        receiving, sending = context.Pipe(duplex=False)
        worker = context.Process(target=work, args=(kind, number, last, sending))
        worker.start()
        sending.close()
        try:
            while receiving.poll(SECONDS):
                number, name, outcome = receiving.recv()
                if outcome is not None:
                    yield number, name, outcome
                    number += 1
            worker.kill()
            yield number, KINDS[kind](number).name, Outcome("hang")
            number += 1
        except EOFError:
            worker.join()
            if worker.exitcode:
                yield number, KINDS[kind](number).name, Outcome("died", f"with status {worker.exitcode}")
                number += 1


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1, help="number of the first case")
    parser.add_argument("--refusals", action="store_true", help="print what is refused")
    options = parser.parse_args(arguments)
    counts = Counter[str]()
    start = time.monotonic()
    for number, name, outcome in outcomes(options.kind, options.seed, options.seed + options.count):
        counts[outcome.kind] += 1
        if outcome.is_mistake or outcome.kind in ("died", "unsure") or (options.refusals and outcome.kind == "refused"):
            print(f"{number} {name}: {outcome.kind} {outcome.words[:400]}", flush=True)
        if number % 500 == 0:
            print(f"# {number} {dict(counts)} {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    print(dict(counts))
    return int(any(Outcome(kind).is_mistake for kind in counts))


if __name__ == "__main__":
    sys.exit(main())
