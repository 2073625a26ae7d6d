"""
A stream of runs of one model in one engine, each with a size of its own. Prints a line of JSON.

    python stream_process.py ENGINE MODEL INPUTS.npz THREADS AXIS SIZES

SIZES: of axis AXIS of the first input, with commas. {"seconds": of each run, "heap": bytes after each run, as glibc
counts them; those that it has mapped are counted too}. An engine compiles what it has to in the run that needs it.
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module

import numpy as np

Run = Callable[[Mapping[str, np.ndarray]], object]


class Mallinfo(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def main() -> None:
    engine, model, file, threads, axis, sizes = sys.argv[1:]
    with np.load(file) as arrays:
        base = dict(arrays)
    name = next(iter(base))
    run = RUNS[engine](model, int(threads))
    allocated = ctypes.CDLL(None).mallinfo2
    allocated.restype = Mallinfo
    seconds, heap = list[float](), list[int]()
    for size in map(int, sizes.split(",")):
        shape = list(base[name].shape)
        shape[int(axis)] = size
        inputs = {**base, name: np.resize(base[name], shape)}
        started = time.perf_counter()
        run(inputs)
        seconds.append(time.perf_counter() - started)
        del inputs
        now = allocated()
        heap.append(now.uordblks + now.hblkhd)
    print(json.dumps({"seconds": seconds, "heap": heap}))


def _lastuse(model: str, threads: int) -> Run:
    import lastuse

    return lastuse.compile(model, threads=threads).run


def _onnxruntime(model: str, threads: int) -> Run:
    ort = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(None, dict(inputs))


RUNS: Mapping[str, Callable[[str, int], Run]] = {"lastuse": _lastuse, "onnxruntime": _onnxruntime}


if __name__ == "__main__":
    main()
