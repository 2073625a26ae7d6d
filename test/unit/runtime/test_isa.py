"""In-place promises hold on SSE4.1, AVX2 and the machine's own instruction set; oneDNN reads its limit once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# A machine of AVX2 runs test_primitives.py on that anyway.
CPU = Path("/proc/cpuinfo")
OTHERS = ["SSE41", *["AVX2"] * (CPU.is_file() and "avx512f" in CPU.read_text())]


@pytest.mark.parametrize("isa", OTHERS)
def test_primitives_are_right_on_other_instruction_sets(isa: str) -> None:
    """test_primitives.py covers the machine's own instruction set."""
    run("test_primitives.py", isa, "-k", "in_place")


def test_recurrent_layers_are_right_with_avx2_and_refused_without() -> None:
    if "AVX2" in OTHERS:
        run("test_recurrent_layers.py", "AVX2", "-k", "not refused")
    run("test_recurrent_layers.py", "SSE41", "-k", "refused")


def test_generic_gru_kernels_are_right() -> None:
    """The kernels that need no special instructions."""
    run("test_cell.py", "SSE41")


def run(file: str, isa: str, *options: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(Path(__file__).with_name(file))],
        env={**os.environ, "ONEDNN_MAX_CPU_ISA": isa, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
