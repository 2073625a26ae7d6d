"""In-place promises hold on SSE4.1, AVX2 and the machine's own instruction set; oneDNN reads its limit once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import swept

# A machine of AVX2 runs test_primitives.py on that anyway.
CPU = Path("/proc/cpuinfo")
OTHERS = ["SSE41", *["AVX2"] * (CPU.is_file() and "avx512f" in CPU.read_text())]


@pytest.mark.parametrize("isa", swept(OTHERS))
def test_primitives_are_right_on_other_instruction_sets(isa: str) -> None:
    """test_primitives.py covers the machine's own instruction set."""
    run("test_primitives.py", isa, "-k", "in_place")


@pytest.mark.parametrize("isa", swept(OTHERS))
def test_recurrent_layers_are_right_on_other_instruction_sets(isa: str) -> None:
    run("test_recurrent_layers.py", isa, "-k", "not instruction_set")


def test_generic_gru_kernels_are_right() -> None:
    """The kernels that need no special instructions."""
    run("test_cell.py", "SSE41")


@pytest.mark.parametrize("isa", swept(OTHERS))
def test_products_of_bytes_are_exact_on_other_instruction_sets(isa: str) -> None:
    """oneDNN's own saturate at 16 bits without VNNI."""
    run("../dialect/test_quantized_extremes.py", isa)
    run(
        "../dialect/test_native_ops.py",
        isa,
        "-k",
        "numpy and (qlinear or matmul_integer or conv_integer or dynamic_quantize)",
    )


FUSED_GRU = """
import lastuse
text = '''func.func @main(%x: tensor<80x4xf32>, %offsets: tensor<41xi64>) -> tensor<80x8xf32> {
  %w = "dnn.constant"() {value = dense<0.1> : tensor<4x24xf32>} : () -> tensor<4x24xf32>
  %h = "dnn.constant"() {value = dense<0.2> : tensor<8x24xf32>} : () -> tensor<8x24xf32>
  %b = "dnn.constant"() {value = dense<0.5> : tensor<1x24xf32>} : () -> tensor<1x24xf32>
  %y = "dnn.fused_gru"(%x, %w, %h, %b, %offsets)
    {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true}
    : (tensor<80x4xf32>, tensor<4x24xf32>, tensor<8x24xf32>, tensor<1x24xf32>, tensor<41xi64>) -> tensor<80x8xf32>
  func.return %y : tensor<80x8xf32>
}'''
program = lastuse.compile(text.encode(), gru="onednn", threads=1)
print(sorted(program.latest.engines))
"""


@pytest.mark.parametrize("isa, engines", [("SSE41", ["native"]), *[("AVX2", ["onednn"])] * ("AVX2" in OTHERS)])
def test_ragged_grus_are_our_own_without_avx2(isa: str, engines: list[str]) -> None:
    """oneDNN packs their weights beyond their size there."""
    environment = {**os.environ, "ONEDNN_MAX_CPU_ISA": isa}
    done = subprocess.run(
        [sys.executable, "-c", FUSED_GRU], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == str(engines).split()


def run(file: str, isa: str, *options: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(Path(__file__).parent / file)],
        env={**os.environ, "ONEDNN_MAX_CPU_ISA": isa, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
