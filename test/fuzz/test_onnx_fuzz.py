"""Random ONNX graphs and mutants of ONNX's node tests: results of onnxruntime or `onnx.reference`, or one error.

`python test/fuzz/run_onnx_fuzz.py` runs as many as asked for.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx_bytes import random_bytes
from onnx_cases import Case, Outcome, Slack, check, differences
from onnx_graphs import random_graph
from onnx_layers import random_layers
from onnx_mutants import mutant

from support import swept

GRAPHS, MUTANTS, PIECES = 120, 240, 4


@pytest.mark.parametrize("made", [random_graph, random_layers, random_bytes])
@pytest.mark.parametrize("piece", swept(range(PIECES)))
def test_random_graphs_have_the_results_of_others(piece: int, made: Callable[[int], Case]) -> None:
    counts = Counter[str]()
    for seed in range(1000 * piece, 1000 * piece + GRAPHS // PIECES):
        case = made(seed)
        outcome = check(case)
        assert not outcome.is_mistake, f"{made.__name__} {seed}, {case.name}: {outcome}"
        counts[outcome.kind] += 1
    assert counts["right"] > GRAPHS // PIECES // 2


@pytest.mark.parametrize("piece", swept(range(PIECES)))
def test_mutants_have_the_results_of_others_or_one_error(piece: int) -> None:
    counts = Counter[str]()
    for seed in range(1000 * piece, 1000 * piece + MUTANTS // PIECES):
        case = mutant(seed)
        outcome = check(case)
        assert not outcome.is_mistake, f"mutant {seed}, {case.name}: {outcome}"
        counts[outcome.kind] += 1
    assert counts["right"] and counts["refused"]


@pytest.mark.parametrize("kind", ["layers", "bytes"])
@pytest.mark.parametrize("isa", swept(["AVX2", "SSE41"]))
def test_random_networks_on_older_instructions(isa: str, kind: str) -> None:
    """Each instruction set has kernels of its own. `ONEDNN_MAX_CPU_ISA` is read once in a process."""
    command = [sys.executable, str(Path(__file__).with_name("run_onnx_fuzz.py")), kind, str(GRAPHS), "--seed", "5000"]
    done = subprocess.run(command, env=os.environ | {"ONEDNN_MAX_CPU_ISA": isa}, capture_output=True, text=True)
    assert not done.returncode, done.stdout
    assert "'right'" in done.stdout


def test_quantised_results_differ_by_the_steps_that_are_allowed() -> None:
    one, slack = [np.array([0, 200], np.uint8)], Slack(1, 0.5)
    for other, is_allowed in (([1, 199], True), ([2, 200], False), ([255, 200], False)):
        assert bool(differences(one, [np.array(other, np.uint8)], slack)) is not is_allowed
        assert differences(one, [np.array(other, np.uint8)])
    assert not differences([np.float32([1, 2])], [np.float32([1.5, 1.5])], slack)
    assert differences([np.float32([1, 2])], [np.float32([1.6, 2])], slack)


def test_a_wrong_result_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where an op computes something else."""
    graph = helper.make_graph(
        [helper.make_node("Floor", ["x"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    case = Case("floor", model, {"x": np.array([0.5, 1.5], np.float32)})
    assert check(case) == Outcome("right")
    monkeypatch.setattr("lastuse.dialect.dnn.elementwise._PROGRAMS", {})  # kept programs have the right meaning
    monkeypatch.setattr("lastuse.dialect.dnn.rounding.FloorOp.UFUNC", np.ceil)
    assert check(case).kind == "wrong"
