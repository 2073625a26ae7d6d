"""How long ONNX models of packages take to be read, compiled and loaded, each in a process of its own.

Processor time, so that other processes on the machine do not count, and bounds of about four times what is aimed at.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from packaged_models import EVERY_MODEL, fetched, model_table

import lastuse

LARGE = [model for model in model_table.MODELS if model.name in ("minilm-l3", "open-nsfw")]
READ, READ_LARGE, COMPILE, LOAD = 4.0, 6.0, 8.0, 1.2
"""Seconds: `opt-tool` on a model, on one of 69 MB, compiling beyond reading, `load` with the first result."""

PRINT = """
import sys, time
from lastuse.tools.opt_tool import main
start = time.process_time()
status = main(sys.argv[1:])
print(time.process_time() - start)
sys.exit(status)
"""
COMPILED = """
import sys, time
import numpy as np
import lastuse
import lastuse.frontends.onnx
inputs = dict(np.load(sys.argv[2]))
program = lastuse.compile(sys.argv[1], threads=1)
start = time.process_time()
program.compile_for(inputs)
print(time.process_time() - start)
program.run(inputs)
program.save(sys.argv[3])
"""
LOADED = """
import sys, time
import numpy as np
import lastuse
import lastuse.frontends.text.mlir_parser
from lastuse import load
inputs = dict(np.load(sys.argv[2]))
start = time.process_time()
load(sys.argv[1]).run(inputs)
print(time.process_time() - start)
"""


def seconds(script: str, *arguments: object) -> float:
    """What a script prints last."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return float(done.stdout.splitlines()[-1])


@EVERY_MODEL
def test_the_tool_prints_a_model_soon(model: model_table.Model, tmp_path: Path) -> None:
    path = fetched(model)
    bound: list[str] = []
    for name, size in model.sizes.items():
        is_number = isinstance(size, int)
        bound += ["--value", f"{name}={size}"] if is_number else ["--shape", f"{name}={'x'.join(map(str, size))}"]
    taken = seconds(PRINT, *bound, "-o", tmp_path / "model.mlir", path)
    assert taken < (READ_LARGE if path.stat().st_size > 50e6 else READ)


@pytest.mark.parametrize("model", LARGE, ids=lambda model: model.name)
def test_a_large_model_compiles_and_loads_soon(model: model_table.Model, tmp_path: Path) -> None:
    path = fetched(model)
    np.savez(tmp_path / "inputs.npz", **model.inputs(model.sizes))
    saved = tmp_path / "model.lastuse"
    assert seconds(COMPILED, path, tmp_path / "inputs.npz", saved) < COMPILE
    assert seconds(LOADED, saved, tmp_path / "inputs.npz") < LOAD


def test_eight_threads_run_one_program() -> None:
    """Threads run the same sizes and others at the same time: results are bit for bit those of one thread."""
    model = next(model for model in model_table.MODELS if model.name == "ocr-classifier")
    program = lastuse.compile(fetched(model), threads=1)
    rng = np.random.default_rng(0)
    name = next(iter(model.sizes))
    batches = [
        rng.standard_normal((1 + k % 3, *model.inputs(model.sizes)[name].shape[1:]), np.float32) for k in range(8)
    ]
    expected = [program(batch) for batch in batches]
    results: dict[tuple[int, int], np.ndarray] = {}

    def work(number: int) -> None:
        for turn in range(6):
            results[number, turn] = np.asarray(program(batches[(number + turn) % 8]))

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 48
    for (number, turn), result in results.items():
        assert result.tobytes() == np.asarray(expected[(number + turn) % 8]).tobytes()
