"""The heap of a process that runs one program at ever new sizes, measured from outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from support import shared

RULED = """
import ctypes, gc
import numpy as np
import lastuse

ruler = ctypes.CDLL(None)
ruler.memruler_net.restype = ctypes.c_long
# Each size has a primitive for each op: the caches of primitives are full before the first figure.
kinds = ["exp", "tanh", "relu", "sigmoid", "abs", "sqrt", "tanh", "exp", "softmax", "log", "softmax", "add", "mul"]
lines = ["func.func @main(%v0: tensor<?x32xf32>) -> tensor<?x32xf32> {"]
for n, kind in enumerate(kinds):
    operands, more = ("%v0, ", "tensor<?x32xf32>, ") if kind in ("add", "mul") else ("", "")
    axis = f"{{axis = {n // 2 % 2} : i64}} " if kind == "softmax" else ""
    lines.append(f'%v{n + 1} = "dnn.{kind}"({operands}%v{n}) {axis}: ({more}tensor<?x32xf32>) -> tensor<?x32xf32>')
lines.append(f"func.return %v{len(kinds)} : tensor<?x32xf32> }}")
program = lastuse.compile("\\n".join(lines).encode(), threads=1)
ruler.memruler_mark()
for size in range(1, 301):
    program(np.ones((size, 32), np.float32))
    if size in (150, 300):
        gc.collect()
        resident = int(open("/proc/self/statm").read().split()[1]) * 4096
        print(ruler.memruler_net(), resident)
"""
GROWTH = (1 / 24, 1 / 12)
"""What 150 further sizes may add to what the first 150 take, on the heap and in resident pages: larger inputs, and
caches of small things; pages are also those that malloc keeps."""


def test_the_heap_is_flat_over_300_sizes(tmp_path: Path) -> None:
    folder = tmp_path / "memruler"
    shutil.copytree(shared() / "tools", folder)
    subprocess.run(["sh", "build.sh"], cwd=folder, check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-c", RULED],
        env={**os.environ, "LD_PRELOAD": str(folder / "libmemruler.so")},
        check=True,
        capture_output=True,
        text=True,
    )
    warm, last = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    for before, after, growth in zip(warm, last, GROWTH, strict=True):
        assert after - before <= before * growth, done.stdout
