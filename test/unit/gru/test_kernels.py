"""The kernels of a GRU can be chosen on every machine, and have one name everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from test_quantized import FORMS, made

import lastuse
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.runtime.engines import engines_of_step
from lastuse.tools.run_tool import main as run_tool


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("constant", [True, False], ids=["constants", "arguments"])
@pytest.mark.parametrize(("layers", "mode", "states", "marks"), FORMS)
def test_both_kernels_compute_the_reference(
    layers: int, mode: str | None, states: bool, marks: str, constant: bool, threads: int
) -> None:
    """Forward, reverse, in both directions and in layers."""
    model = made(layers, mode, states, constant, marks)
    want = lastuse.compile(model.module, fuse=False).run(model.inputs)["y"]
    for gru in ("onednn", "native"):
        program = lastuse.compile(model.module, gru=gru, threads=threads, poison=True, profile=True)
        np.testing.assert_allclose(program.run(model.inputs)["y"], want, atol=1e-5)
        steps = [op for op in program.latest.lowered.walk() if isinstance(op, OneDnnGruOp)]
        assert steps and all(engines_of_step(step) == (gru,) for step in steps)
        assert program.latest.engines[gru] >= len(steps)
        profile = program.latest.runner.profile()
        assert {step.engine for step in profile if "onednn.gru" in step.name} == {gru}
        assert program.memory.arena_bytes == program.latest.runner.memory.arena


def test_both_kernels_have_their_own_packed_weights() -> None:
    """Programs of one model with different kernels run side by side."""
    model = made(1, "concat")
    programs = [lastuse.compile(model.module, gru=gru) for gru in ("native", "onednn", "native")]
    results = [program.run(model.inputs)["y"] for program in programs]
    np.testing.assert_array_equal(results[0], results[2])
    np.testing.assert_allclose(results[0], results[1], atol=1e-5)


def test_unknown_kernel_is_an_error() -> None:
    with pytest.raises(lastuse.LastuseError, match="no kernels 'cpu' of GRUs; there are onednn, native"):
        lastuse.compile(made(1, None).module, gru="cpu")


CRF = """
func.func @main(%e: tensor<5x3xf32>, %t: tensor<5x3xf32>, %o: tensor<2xi64>) -> tensor<5x1xi64> {
  %s = "dnn.exp"(%e) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %g = "dnn.mean_variance_normalization"(%s) {axes = array<i64: -1>} : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %y = "dnn.crf_decoding"(%g, %t, %o) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<2xi64>) -> tensor<5x1xi64>
  func.return %y : tensor<5x1xi64>
}
"""


@pytest.mark.parametrize(("pinned", "engine"), [("", "native"), ('{dnn.engine = "cpu"} ', "cpu")])
def test_each_engine_has_one_name_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pinned: str, engine: str
) -> None:
    """In `--json`, `--profile`, remarks, the text and the API, a primitive runs on `onednn`, a C++ kernel on `native`,
    a numpy kernel on `cpu`."""
    path = tmp_path / "crf.mlir"
    path.write_text(CRF.replace("(%g, %t, %o) :", f"(%g, %t, %o) {pinned}:"))
    np.savez(tmp_path / "in.npz", e=np.eye(5, 3, dtype="f"), t=np.ones((5, 3), "f"), o=np.array([0, 5]))
    given = ["--inputs", str(tmp_path / "in.npz")]
    assert run_tool([str(path), *given, "--json", "--profile", "--remarks"]) == 0
    said = capsys.readouterr()
    report = json.loads(said.out)
    named = {step["name"].rsplit(" ", 1)[-1]: step["engine"] for step in report["profile"]}
    assert {name.rsplit(".", 1)[-1]: found for name, found in named.items()} == {
        "eltwise": "onednn",
        "mean_variance_normalization": "cpu",
        "crf_decoding": engine,
    }
    counted = {"onednn": 1, "cpu": 1}
    counted[engine] = counted.get(engine, 0) + 1
    assert report["engines"] == counted
    if not pinned:
        assert f'dnn.crf_decoding (y): runs on "{engine}"' in said.err
    program = lastuse.compile(path)
    calls = [op for op in program.latest.lowered.walk() if isinstance(op, KernelCallOp)]
    assert [engines_of_step(op) for op in calls] == [("cpu",), (engine,)]
    assert dict(program.latest.engines) == counted
