"""
Prints by how many bytes the memory of this process grows in the first run of one model in one engine.

    python bench/model_sides/peak.py ENGINE MODEL THREADS

The model ran in the engine before, so that what an engine makes once in a process, its kernels, is not counted.
Counts the heap where a library with `memruler_mark` and `memruler_peak` is preloaded, and else the pages of the
process: the largest resident set during the run, after the free pages of the heap went back to the system.
"""

from __future__ import annotations

import ctypes
import gc
import re
import sys
from pathlib import Path

import engines
from model_table import MODELS

PROCESS = Path("/proc/self")
RESET_PEAK = "5"
"""Written to clear_refs: the peak of the resident set begins anew."""


def main() -> None:
    engine, name, threads = sys.argv[1:]
    model = next(model for model in MODELS if model.name == name)
    path, inputs, load = model.fetch(), model.inputs(model.sizes), engines.ENGINES[engine]
    load(path, inputs, int(threads))()
    gc.collect()
    run = load(path, inputs, int(threads))
    library = ctypes.CDLL(None)
    if hasattr(library, "memruler_peak"):
        library.memruler_peak.restype = ctypes.c_long
        library.memruler_mark()
        run()
        print(library.memruler_peak())
        return
    library.malloc_trim(0)
    (PROCESS / "clear_refs").write_text(RESET_PEAK)
    before = _kilobytes("VmRSS")
    run()
    print((_kilobytes("VmHWM") - before) << 10)


def _kilobytes(field: str) -> int:
    """A field of the process's status."""
    match = re.search(rf"^{field}:\s*(\d+) kB", (PROCESS / "status").read_text(), re.MULTILINE)
    assert match is not None
    return int(match[1])


if __name__ == "__main__":
    main()
