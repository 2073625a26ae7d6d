"""
A stream of batches, every one of new lengths, against one batch over and over: LAC, or one GRU layer.

    python bench/gru_stream.py [--batches 1000] [--threads 1] [--layer]

The first 50 batches are not counted: programs and primitives are made then. Both are taken in turns of ten batches, so
that both see the same machine. Prints words a second of both, their ratio, and what was made on the way.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench" / "gru_sides"), str(ROOT / "examples" / "lac")]

import fetch  # noqa: E402
import lastuse_side  # noqa: E402
import workload  # noqa: E402

import lastuse  # noqa: E402

Inputs = Mapping[str, np.ndarray]
FIRST, TURN = 50, 10


def main() -> None:
    parser = argparse.ArgumentParser(description="A stream of ragged batches.")
    parser.add_argument("--batches", type=int, default=300)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--layer", action="store_true", help="one GRU layer, not LAC")
    options = parser.parse_args()
    program, batch = _layer(options.threads) if options.layer else _lac(options.threads)
    rng = np.random.default_rng(0)

    def lengths() -> np.ndarray:
        """As those of workload a, drawn anew."""
        return np.maximum(1, rng.choice(workload.RAGGED, 64) + rng.integers(-3, 4, 64))

    same, seconds, words = batch(np.array(workload.RAGGED)), {"same": 0.0, "new": 0.0}, {"same": 0, "new": 0}
    for number in range(0, options.batches, TURN):
        turns = {"same": [same] * TURN, "new": [batch(lengths()) for _ in range(TURN)]}
        for kind, inputs in turns.items():
            started = time.perf_counter()
            for given in inputs:
                program.run(given)
            if number >= FIRST:
                seconds[kind] += time.perf_counter() - started
                words[kind] += sum(len(next(iter(given.values()))) for given in inputs)
    speed = {kind: words[kind] / seconds[kind] for kind in words}
    print(
        json.dumps(
            {
                "words_per_s": speed,
                "ratio": speed["new"] / speed["same"],
                "gru_primitives": program.weights.gru_primitives._asdict(),
                "packed_bytes": program.weights.nbytes,
            }
        )
    )


def _lac(threads: int) -> tuple[lastuse.Program, Callable[[np.ndarray], Inputs]]:
    program = lastuse.compile(fetch.fetch() / "lac_model" / "model", threads=threads, round_sizes=True)
    rng = np.random.default_rng(1)

    def batch(lengths: np.ndarray) -> Inputs:
        offsets = np.cumsum([0, *lengths], dtype=np.int64)
        return {"words": rng.integers(0, workload.VOCABULARY, (offsets[-1], 1)), "words.lod": offsets}

    return program, batch


def _layer(threads: int) -> tuple[lastuse.Program, Callable[[np.ndarray], Inputs]]:
    program = lastuse_side.program(workload.make("b"), threads, round_sizes=True)
    rng = np.random.default_rng(1)

    def batch(lengths: np.ndarray) -> Inputs:
        offsets = np.cumsum([0, *lengths], dtype=np.int64)
        return {"x": rng.normal(size=(offsets[-1], workload.CHANNELS)).astype(np.float32), "o": offsets}

    return program, batch


if __name__ == "__main__":
    main()
