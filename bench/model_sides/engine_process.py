"""
One engine with one model, in a process of its own. Answers each line of input with a line of JSON.

    python engine_process.py ENGINES.py ENGINE MODEL INPUTS.npz THREADS

    results FILE    runs, and saves the results as FILE (.npz)
    time SECONDS    runs for so long: {"seconds": of the fastest run, "median": of the one in the middle}
    heap            {"activations": bytes, ...}; needs a library with memruler_mark preloaded
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from statistics import median

import engines
import numpy as np

DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def main() -> None:
    _end_with(os.getppid())
    module, name, path, inputs, threads = sys.argv[1:]
    with np.load(inputs) as file:
        arrays = dict(file)
    try:
        engine = _table(Path(module))[name](Path(path), arrays, int(threads))
        engine.run()
    except RuntimeError as error:  # OpenVINO does not read all models
        _answer({"error": str(error).strip().splitlines()[-1]})
        return
    _answer({})
    for line in sys.stdin:
        command, _, argument = line.strip().partition(" ")
        if command == "results":
            np.savez(argument, *engine.run())
            _answer({})
        elif command == "time":
            taken = _times(engine, float(argument))
            _answer({"seconds": min(taken), "median": median(taken)})
        else:
            _answer(engine.activation_bytes(growth))


def _end_with(parent: int) -> None:
    """Ends this process with the one that started it, however that ends, and what it forks with itself. Only Linux has
    that; elsewhere the end of the input is what there is."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is None:
        return
    prctl(DEATH_SIGNAL, signal.SIGKILL)
    os.register_at_fork(after_in_child=lambda: prctl(DEATH_SIGNAL, signal.SIGKILL))
    if os.getppid() != parent:  # it has ended meanwhile
        sys.exit(1)


def _table(module: Path) -> Mapping[str, Callable[[Path, engines.Arrays, int], engines.Engine]]:
    sys.path.insert(0, str(module.parent))
    return import_module(module.stem).ENGINES


def _answer(figures: object) -> None:
    print(json.dumps(figures), flush=True)


def _times(engine: engines.Engine, seconds: float) -> list[float]:
    """Seconds of each run, of which the last one starts in time."""
    taken, ends = list[float](), time.perf_counter() + seconds
    while not taken or time.perf_counter() < ends:
        started = time.perf_counter()
        engine.run()
        taken.append(time.perf_counter() - started)
    return taken


def growth(call: Callable[[], object]) -> engines.Growth:
    """By how much the heap of this process grows in a call, as the preloaded library counts it."""
    ruler = ctypes.CDLL(None)
    ruler.memruler_peak.restype = ruler.memruler_net.restype = ctypes.c_long
    gc.collect()
    ruler.memruler_mark()
    result = call()
    peak = ruler.memruler_peak()
    del result
    gc.collect()
    return engines.Growth(peak, ruler.memruler_net())


if __name__ == "__main__":
    main()
