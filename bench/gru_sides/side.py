"""One side of a comparison in a process of its own: checks its result, then times itself, and prints one JSON object.

python side.py SIDE WORKLOAD FILE THREADS SECONDS
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import workload

TOLERANCE = 1e-5
WARM, LEAST = 3, 7


class Prepared(NamedTuple):
    """What a side made of a workload.

    Attributes:
        run: one batch, from the caller's arrays to the caller's: what is timed.
        result: the result of the last run, in the order of the words; not timed.
        after: it computes the formula with the reset after the product.
        flops: of one run, where it is no GRU.
    """

    run: Callable[[], object]
    result: Callable[[], np.ndarray]
    after: bool = False
    flops: float = 0.0


def main() -> None:
    name, kind, path, threads, seconds = (
        sys.argv[1],
        sys.argv[2],
        Path(sys.argv[3]),
        int(sys.argv[4]),
        float(sys.argv[5]),
    )
    module, _, variant = name.partition(":")
    side = import_module(f"{module}_side")
    if kind == "d":
        prepared: Prepared = side.prepare_lac(path, threads, variant)
        error = 0.0  # prepare_lac compares its tags
    else:
        given = workload.load(path)
        prepared = side.prepare(given, threads, variant)
        prepared.run()
        error = 0.0
        if not prepared.flops:
            want = given.want_after if prepared.after else given.want
            error = float(np.abs(prepared.result() - want).max())
            if not error < TOLERANCE:
                raise SystemExit(f"{name} is wrong by {error}")
    for _ in range(WARM):
        prepared.run()
    times: list[float] = []
    started = time.perf_counter()
    while time.perf_counter() - started < seconds or len(times) < LEAST:
        before = time.perf_counter()
        prepared.run()
        times.append(time.perf_counter() - before)
    took = statistics.median(times)
    words = sum(workload.LENGTHS[kind])
    flops = prepared.flops or 2.0 * words * 2 * workload.CHANNELS * 3 * workload.CHANNELS
    print(json.dumps({"seconds": took, "words_per_s": words / took, "gflops": flops / took / 1e9, "error": error}))


if __name__ == "__main__":
    main()
