"""The start of `run-tool`: the stages of `--profile`, and the modules that are not imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter, sleep

import numpy as np
import pytest

import lastuse
from lastuse.runtime.stage_timer import Stages
from lastuse.tools.run_tool import main
from support import ROOT

sys.path.insert(0, str(ROOT / "examples" / "lac"))

import fetch

RUN = "import sys; from lastuse.tools.run_tool import main; status = main()"
MODEL = """
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %a : tensor<4x4xf32>
}
"""
ONCE = [
    *("front end", "read", "gru-fusion-pass", "plan-pass", "verify-storage-pass"),
    *("lower-to-onednn-pass", "verify-lowering-pass", "libraries", "primitives"),
]
"""Stages of every start, in this order."""
UNUSED = (
    *("xdsl.dialects.arith", "xdsl.dialects.memref", "xdsl.dialects.tensor", "xdsl.dialects.test"),
    *("xdsl.xdsl_opt_main", "importlib.metadata", "email", "html", "hashlib", "rich"),
    *(
        "lastuse.tools.opt_tool",
        "lastuse.tools.visualize",
        "lastuse.compiler.calibration",
        "lastuse.frontends.text.mlir_parser",
    ),
)
"""Modules, some of which take as long to load as a small model to compile, of which LAC needs none."""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return path


@pytest.fixture(scope="module")
def lac() -> Path:
    """The folder of LAC's model."""
    try:
        return fetch.fetch(quiet=True) / "lac_model" / "model"
    except fetch.FetchError as error:
        pytest.skip(f"LAC is not here: {error}")


def test_stages_add_up() -> None:
    stages = Stages()
    started = perf_counter()
    with stages.stage("outer"):
        sleep(0.02)
        for _ in range(2):
            with stages.stage("inner"):
                sleep(0.01)
    took = perf_counter() - started
    with pytest.raises(ValueError, match="wrong"), stages.stage("failed"):
        raise ValueError("wrong")
    outer, inner, failed = stages.times
    assert [outer.name, inner.name, failed.name] == ["outer", "inner", "failed"]
    assert outer.seconds >= 0.02
    assert inner.seconds >= 0.02
    assert outer.seconds + inner.seconds == pytest.approx(took, rel=0.2)


def test_the_stages_of_a_process_are_most_of_its_time(model: Path) -> None:
    started = perf_counter()
    command = [sys.executable, "-c", RUN, str(model), "--profile", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    took = perf_counter() - started
    stages = {stage["name"]: stage["seconds"] for stage in json.loads(done.stdout)["startup"]}
    names = list(stages)
    assert names[0] == "import"
    assert names[-1] == "first run"
    assert [name for name in names if name in ONCE] == ONCE
    assert min(stages.values()) >= 0
    assert took / 2 < sum(stages.values()) < took


def test_main_called_from_python_has_no_import_stage(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(model), "--profile", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["startup"][0]["name"] == "front end"


def test_programs_have_their_stages(model: Path) -> None:
    program = lastuse.compile(model)
    assert [stage.name for stage in program.stages.times if stage.name in ONCE] == ONCE


def test_packing_is_a_stage(lac: Path) -> None:
    program = lastuse.compile(lac)
    assert "packing" not in {stage.name for stage in program.stages.times}
    program.run({"words": np.zeros((3, 1), np.int64), "words.lod": np.array([0, 3])})
    assert {stage.name: stage.seconds for stage in program.stages.times}["packing"] > 0


def test_lac_imports_only_needed_modules(lac: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", words=np.zeros((3, 1), np.int64), **{"words.lod": np.array([0, 3])})
    asked = f"{RUN}; print([name for name in {UNUSED!r} if name in sys.modules]); sys.exit(status)"
    given = ["--inputs", str(tmp_path / "in.npz"), "--outputs", str(tmp_path / "out.npz")]
    done = subprocess.run([sys.executable, "-c", asked, str(lac), *given], capture_output=True, check=True)
    assert done.stdout.decode().split("\n") == ["[]", ""]


def test_a_text_needs_no_protobuf(model: Path) -> None:
    asked = f"{RUN}; print('google.protobuf' in sys.modules); sys.exit(status)"
    done = subprocess.run([sys.executable, "-c", asked, str(model), "--json"], capture_output=True, check=True)
    assert done.stdout.decode().endswith("\nFalse\n")


@pytest.mark.parametrize("threads", [1, 2])
def test_the_steps_of_a_run_are_most_of_its_time(
    lac: Path, tmp_path: Path, threads: int, capsys: pytest.CaptureFixture[str]
) -> None:
    data, offsets = tmp_path / "in.npz", np.arange(0, 1000, 20)
    np.savez(data, words=np.zeros((offsets[-1], 1), np.int64), **{"words.lod": offsets})
    asked = [str(lac), "--inputs", str(data), "--threads", str(threads), "--repeat", "5", "--profile", "--json"]
    assert main(asked) == 0
    said = json.loads(capsys.readouterr().out)
    assert [step["calls"] for step in said["profile"]] == [5] * len(said["profile"])
    whole = sum(said["seconds"])
    assert whole / 2 < sum(step["seconds"] for step in said["profile"]) < whole
