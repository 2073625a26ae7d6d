"""What a run of an ONNX model takes from the heap, counted from outside: its arena, its results, and little more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from heap_growth import activation_bytes, built_ruler
from packaged_models import fetched, model_table

import lastuse
from support import ROOT, swept

SIDES = ROOT / "bench" / "model_sides"
BESIDE = 128 << 10
"""Bytes of temporaries: blocks of numpy kernels, and what oneDNN's products of matrices take by themselves."""
NAMES = ("gtcrn", "dfn3-erb_dec", "ocr-classifier", "minilm-l3")


@pytest.fixture(scope="module")
def ruler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that counts the heap."""
    return built_ruler(tmp_path_factory)


@pytest.mark.parametrize("name", swept(NAMES))
def test_a_run_takes_its_arena_and_its_results(name: str, ruler: Path, tmp_path: Path) -> None:
    (model,) = (model for model in model_table.MODELS if model.name == name)
    path = fetched(model)
    inputs = model.inputs(model.sizes)
    np.savez(tmp_path / "inputs.npz", **inputs)  # pyright: ignore[reportArgumentType]
    memory = lastuse.compile(path, inputs=inputs, threads=1).memory
    known = memory.arena_bytes + memory.result_bytes
    grown = activation_bytes(SIDES / "engines.py", path, tmp_path / "inputs.npz", ruler)
    assert known <= grown <= known + BESIDE
