"""The memory of a run of LAC: what a limit accepts, and what the heap shows from outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastuse
from support import ROOT, opt_tool, shared

sys.path.insert(0, str(ROOT / "examples" / "lac"))

import fetch

SIZES = {"words": 1244, "words.lod": 65}
BOUND = "--specialize-pass=" + ",".join(f"{name}={size}" for name, size in SIZES.items())
PREPARED = ["--gru-fusion-pass", "--weight-reorder-pass"]
SLACK = 64 << 10
PRIMITIVE = 80 << 10
"""What oneDNN's GRU allocates of its own on each thread while it runs, at most."""

RULED = """
import ctypes, sys
import numpy as np
import lastuse

ruler = ctypes.CDLL(None)
ruler.memruler_peak.restype = ctypes.c_long
folder, threads, gru = sys.argv[1], int(sys.argv[2]), sys.argv[3] or None
program = lastuse.compile(folder, threads=threads, gru=gru)
offsets = np.linspace(0, 1244, 65).astype(np.int64)
inputs = {"words": np.zeros((1244, 1), np.int64), "words.lod": offsets}
program.run(inputs)
runner = program.latest.runner
for _ in range(2):
    out = {name: np.empty(a.shape, a.dtype) for name, a in runner.results.items()}
    ruler.memruler_mark()
    runner.context().run(inputs, out)
    print(ruler.memruler_peak() - program.memory.arena_bytes)
"""


@pytest.fixture(scope="module")
def lac() -> Path:
    try:
        return fetch.fetch(quiet=True) / "lac_model" / "model"
    except fetch.FetchError as error:
        pytest.skip(f"LAC is not here: {error}")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("gru", [None, "native", "onednn"])
def test_smallest_accepted_limit_is_the_arena_of_a_run(lac: Path, threads: int, gru: str | None) -> None:
    memory = lastuse.compile(lac, threads=threads, gru=gru).specialized(SIZES).memory
    placed = "--placement-pass" if gru is None else f"--placement-pass=gru={gru}"
    given = [*PREPARED, placed, BOUND]
    for plan in (["--plan-pass={}"], ["--inplace-pass", "--memory-plan-pass={}"]):
        accepted, refused = (
            opt_tool(*given, *plan[:-1], plan[-1].format(f"threads={threads},limit={limit}"), str(lac))
            for limit in (memory.arena_bytes, memory.arena_bytes - 1)
        )
        assert accepted.status == 0, accepted.err
        assert refused.status == 1
        assert f"the arena has {memory.arena_bytes:,} bytes, the limit is {memory.arena_bytes - 1:,}" in refused.err
    assert memory.live_peak_bytes <= memory.arena_bytes <= memory.naive_bytes


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("gru", ["native", ""])
def test_the_heap_grows_by_the_arena(lac: Path, tmp_path: Path, threads: int, gru: str) -> None:
    """Measures a warm run from outside, with a wrapper around malloc."""
    folder = tmp_path / "memruler"
    shutil.copytree(shared() / "tools", folder)
    subprocess.run(["sh", "build.sh"], cwd=folder, check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-c", RULED, str(lac), str(threads), gru],
        env={**os.environ, "LD_PRELOAD": str(folder / "libmemruler.so")},
        check=True,
        capture_output=True,
        text=True,
    )
    own = 0 if gru == "native" else threads * PRIMITIVE
    for beyond in map(int, done.stdout.split()):
        assert 0 <= beyond <= SLACK + own


@pytest.mark.parametrize("options", [{}, {"gru": "onednn"}, {"types": "bf16"}, {"round_sizes": True}], ids=str)
def test_memory_for_is_the_memory_of_a_run(lac: Path, options: dict[str, Any]) -> None:
    """Asked before weights are packed; LAC has megabytes of packed weights with native GRU kernels."""
    program = lastuse.compile(lac, threads=1, **options)
    asked = program.memory_for(SIZES)
    assert program.weights.nbytes == 0
    offsets = np.linspace(0, 1244, 65).astype(np.int64)
    program.run({"words": np.zeros((1244, 1), np.int64), "words.lod": offsets})
    assert asked == program.memory
    assert asked.packed_bytes == program.weights.nbytes
    # oneDNN reads weights of GRUs as they are where it has no AVX-512.
    assert asked.packed_bytes > 0 or options.get("gru") == "onednn"
