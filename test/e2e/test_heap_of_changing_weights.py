"""What a GRU whose weights are arguments takes from the heap, counted from outside: it packs them in its arena."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from heap_growth import activation_bytes, built_ruler

import lastuse
from support import ROOT

CHANNELS, ROWS = 256, 20
PACKED = 4 * 2 * CHANNELS * 3 * CHANNELS
"""Bytes of both matrices of weights."""
BESIDE = 128 << 10
"""Bytes of objects that a run makes and releases."""
MODEL = f"""
func.func @main(%x: tensor<{ROWS}x{CHANNELS}xf32> {{dnn.name = "x"}}, %w: tensor<{CHANNELS}x{3 * CHANNELS}xf32> {{dnn.name = "w"}},
    %u: tensor<{CHANNELS}x3x{CHANNELS}xf32> {{dnn.name = "u"}}, %b: tensor<1x{3 * CHANNELS}xf32> {{dnn.name = "b"}},
    %o: tensor<3xi64> {{dnn.name = "o"}}) -> (tensor<{ROWS}x{CHANNELS}xf32> {{dnn.name = "y"}}) {{
  %y = "dnn.fused_gru"(%x, %w, %u, %b, %o) {{dnn.gru = "native", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true}} : (tensor<{ROWS}x{CHANNELS}xf32>, tensor<{CHANNELS}x{3 * CHANNELS}xf32>, tensor<{CHANNELS}x3x{CHANNELS}xf32>, tensor<1x{3 * CHANNELS}xf32>, tensor<3xi64>) -> tensor<{ROWS}x{CHANNELS}xf32>
  func.return %y : tensor<{ROWS}x{CHANNELS}xf32>
}}
"""  # noqa: E501


def test_a_run_packs_weights_in_its_arena(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    ruler, path = built_ruler(tmp_path_factory), tmp_path / "gru.mlir"
    path.write_text(MODEL)
    rng = np.random.default_rng(0)
    shapes = {
        "x": (ROWS, CHANNELS),
        "w": (CHANNELS, 3 * CHANNELS),
        "u": (CHANNELS, 3, CHANNELS),
        "b": (1, 3 * CHANNELS),
    }
    inputs = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    inputs["o"] = np.array([0, 7, ROWS])
    np.savez(tmp_path / "inputs.npz", **inputs)  # pyright: ignore[reportArgumentType]
    memory = lastuse.compile(path, inputs=inputs, threads=1).memory
    assert memory.packed_bytes == 0 and memory.arena_bytes > PACKED
    known = memory.arena_bytes + memory.result_bytes
    grown = activation_bytes(ROOT / "bench" / "model_sides" / "engines.py", path, tmp_path / "inputs.npz", ruler)
    assert known <= grown <= known + BESIDE
