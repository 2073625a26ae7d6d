"""What a run of an ONNX model takes from the heap, counted from outside: its arena, its results, and little more."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lastuse
from support import ROOT, shared

sys.path.insert(0, str(ROOT / "bench" / "model_sides"))

import model_table
from fetch_package import FetchError

SIDES = ROOT / "bench" / "model_sides"
BESIDE = 128 << 10
"""Bytes of temporaries: blocks of numpy kernels, and what oneDNN's products of matrices take by themselves."""
NAMES = ("gtcrn", "dfn3-erb_dec", "ocr-classifier", "minilm-l3")


@pytest.fixture(scope="module")
def ruler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that counts the heap."""
    folder = tmp_path_factory.mktemp("ruler") / "memruler"
    shutil.copytree(shared() / "tools", folder)
    subprocess.run(["sh", "build.sh"], cwd=folder, check=True, capture_output=True)
    return folder / "libmemruler.so"


@pytest.mark.parametrize("name", NAMES)
def test_a_run_takes_its_arena_and_its_results(name: str, ruler: Path, tmp_path: Path) -> None:
    (model,) = (model for model in model_table.MODELS if model.name == name)
    try:
        path = model.fetch()
    except FetchError as error:
        pytest.skip(str(error))
    inputs = model.inputs(model.sizes)
    np.savez(tmp_path / "inputs.npz", **inputs)  # pyright: ignore[reportArgumentType]
    memory = lastuse.compile(path, inputs=inputs, threads=1).memory
    command = [sys.executable, SIDES / "engine_process.py", SIDES / "engines.py", "lastuse", path]
    done = subprocess.run(
        [*command, tmp_path / "inputs.npz", "1"],
        input="heap\n",
        env={**os.environ, "LD_PRELOAD": str(ruler), "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    figures = json.loads(done.stdout.splitlines()[-1])
    known = memory.arena_bytes + memory.result_bytes
    assert known <= figures["activations"] <= known + BESIDE
