"""`bench/layouts.py` finds the convolutions of a model and runs each in every layout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from support import ROOT

sys.path.insert(0, str(ROOT))

from bench.layouts import LAYOUTS, Convolution, convolutions, timed

TEXT = """
func.func @main(%x: tensor<1x8x12x12xf32>, %w: tensor<16x8x3x3xf32>, %v: tensor<16x1x3x3xf32>) -> tensor<1x16x5x5xf32> {
  %a = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} :
    (tensor<1x8x12x12xf32>, tensor<16x8x3x3xf32>) -> tensor<1x16x12x12xf32>
  %b = "dnn.conv"(%a, %v) {group = 16 : i64, strides = array<i64: 2, 2>} :
    (tensor<1x16x12x12xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x5x5xf32>
  func.return %b : tensor<1x16x5x5xf32>
}
"""
SHAPES = {"x": (1, 8, 12, 12), "w": (16, 8, 3, 3), "v": (16, 1, 3, 3)}


class TextModel(NamedTuple):
    """What `convolutions` asks of a model."""

    file: Path
    sizes: dict[str, tuple[int, ...]]

    def fetch(self) -> Path:
        return self.file

    def inputs(self, sizes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
        return {name: np.ones(shape, np.float32) for name, shape in sizes.items()}


@pytest.fixture
def found(tmp_path: Path) -> list[Convolution]:
    (tmp_path / "convolutions.mlir").write_text(TEXT)
    return list(convolutions(TextModel(tmp_path / "convolutions.mlir", SHAPES)))  # pyright: ignore[reportArgumentType]


def test_each_convolution_of_a_model_is_found_once(found: list[Convolution]) -> None:
    assert [c.text for c in found] == [
        "1x8x12x12 to 16, 3x3, group 1, stride 1x1",
        "1x16x12x12 to 16, 3x3, group 16, stride 2x2",
    ]


def test_each_layout_runs(found: list[Convolution]) -> None:
    for convolution in found:
        best = timed(convolution, threads=1, turns=1)
        assert tuple(best) == LAYOUTS
        assert all(0 < milliseconds < float("inf") for milliseconds in best.values())
