"""Streams and files of every tool: `-` as a file; standard output that is full, closed or not read to the end; arrays
beside text."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import call, opt_tool

IDENTITY = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
"""
WEIGHTS = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "dnn.add"(%x, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
{-# dialect_resources: {builtin: {w: "0x400000000000803f00000040"}} #-}
"""
TABLE = "id,lower,upper,size\na,0,3,4\nb,1,4,8\n"
GRAPH = '{"buffers": [{"id": "a", "bytes": 1}], "ops": [{"id": "f", "writes": ["a"]}]}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.mlir").write_text(IDENTITY)
    (tmp_path / "table.csv").write_text(TABLE)
    np.savez(tmp_path / "in.npz", x=np.zeros(2, np.float32))
    return tmp_path


def archive(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # pyright: ignore[reportArgumentType]
    return stream.getvalue()


class TestDash:
    def test_opt_tool_reads_and_writes(self) -> None:
        done = opt_tool("--inplace-pass", "-", "-o", "-", stdin=IDENTITY)
        assert done.status == 0
        assert '"dnn.exp"(%x)' in done.out

    def test_arrays_go_through_a_pipe(self) -> None:
        text = opt_tool("-", "-o", "-", stdin=WEIGHTS).out
        assert "dialect_resources" in text
        done = call(["run-tool", "-"], text.encode())
        assert done.out == "out0 = float32[2]\n[1. 2.]\n"

    def test_arrays_of_a_file_go_through_a_pipe(self, folder: Path) -> None:
        assert opt_tool("-", "-o", str(folder / "weights.mlir"), stdin=WEIGHTS).status == 0
        assert "dnn.weights" in (folder / "weights.mlir").read_text()
        text = opt_tool(str(folder / "weights.mlir"), "-o", "-").out
        assert "dnn.weights" not in text
        assert call(["run-tool", "-"], text.encode()).out == "out0 = float32[2]\n[1. 2.]\n"

    def test_parts_of_a_split_input_have_their_arrays(self) -> None:
        text = opt_tool("-", "-o", "-", "--split-input-file", stdin=f"{WEIGHTS}// -----\n{WEIGHTS}").out
        first, second = text.split("// -----\n")
        assert first == second and first.count("dialect_resources") == 1

    def test_run_tool_reads_the_model(self) -> None:
        assert call(["run-tool", "-"], IDENTITY.encode()).out == "out0 = float32[2]\n[1. 1.]\n"
        wrong = call(["run-tool", "-"], IDENTITY.replace("dnn.exp", "dnn.expo").encode())
        assert wrong.status == 1
        first, line, caret = wrong.err.splitlines()
        assert first.startswith("<stdin>:2:8: error: ") and "dnn.expo" in line and caret.strip() == "^"

    def test_run_tool_reads_and_writes_arrays(self, folder: Path) -> None:
        command = [sys.executable, "-m", "lastuse.tools.run_tool", str(folder / "model.mlir")]
        given = archive(x=np.zeros(2, np.float32))
        done = subprocess.run(
            [*command, "--inputs", "-", "--outputs", "-"], input=given, capture_output=True, check=True
        )
        with np.load(io.BytesIO(done.stdout)) as found:
            np.testing.assert_array_equal(found["out0"], [1, 1])

    def test_wrong_arrays_of_standard_input(self, folder: Path) -> None:
        model = str(folder / "model.mlir")
        done = call(["run-tool", model, "--inputs", "-"], archive(x=np.zeros(3, np.float32)))
        assert (done.status, done.err.splitlines()[0]) == (
            1,
            "<stdin>:1:1: error: 'x' has shape [3], the program wants [2]",
        )
        assert call(["run-tool", model, "--inputs", "-"], b"no").err.startswith("<stdin>:1:1: error: is no whole .npz")

    def test_plan_tool_reads_and_writes(self) -> None:
        done = call(["plan-tool", "-", "--output", "-"], TABLE.encode())
        assert (done.status, done.out) == (0, "id,lower,upper,size,offset\na,0,3,4,8\nb,1,4,8,0\n")
        assert call(["plan-tool", "-"], f" {GRAPH}".encode()).out.splitlines()[-1] == "f"
        assert call(["plan-tool", "-"], b"id\n").err.startswith("<stdin>:1:1: error: no column lower, upper, size")

    @pytest.mark.parametrize(
        "words",
        [
            "run-tool - --inputs -",
            "run-tool - --calibrate -",
            "run-tool x.mlir --inputs - --calibrate -",
            "run-tool x.mlir --outputs - --json",
            "run-tool x.mlir --outputs - --memory",
            "run-tool x.mlir --outputs - --profile",
            "plan-tool x.csv --output - --json",
            "plan-tool x.csv --output - -t svg",
        ],
    )
    def test_one_stream_for_two_files_is_an_error(self, words: str) -> None:
        done = call(words.split())
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def run(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A shell's command line, in which `lastuse` is the tools."""
    tools = f'lastuse() {{ "{sys.executable}" -m lastuse "$@"; }}; set -o pipefail; '
    return subprocess.run(["bash", "-c", tools + line], cwd=folder, capture_output=True, text=True, check=False)


COMMANDS = {
    "opt": "lastuse opt model.mlir",
    "opt --help": "lastuse opt --help",
    "opt --print-between-passes": "lastuse opt --cse --canonicalize --print-between-passes model.mlir",
    "opt --verify-diagnostics": "lastuse opt --verify-diagnostics table.csv",
    "run": "lastuse run model.mlir --inputs in.npz",
    "run --json": "lastuse run model.mlir --json",
    "run --memory": "lastuse run model.mlir --memory --profile",
    "run --outputs -": "lastuse run model.mlir --outputs -",
    "run --version": "lastuse run --version",
    "plan": "lastuse plan table.csv",
    "plan --output -": "lastuse plan table.csv --output -",
    "python -m lastuse": "lastuse --help",
}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("name", COMMANDS)
def test_full_or_closed_standard_output_is_an_error(folder: Path, name: str) -> None:
    """One line, exit status 1."""
    full = run(folder, f"{COMMANDS[name]} > /dev/full")
    assert full.returncode == 1, full.stderr
    assert full.stderr.splitlines()[-1].endswith(": error: standard output cannot be written: No space left on device")
    closed = run(folder, f"{COMMANDS[name]} >&-")
    assert closed.returncode == 1, closed.stderr
    assert closed.stderr.splitlines()[-1].endswith(": error: standard output cannot be written: Bad file descriptor")
    assert "Traceback" not in full.stderr + closed.stderr and "Exception" not in full.stderr + closed.stderr


def test_closed_pipe_ends_without_a_message(folder: Path) -> None:
    """Exit status 1: a reader that stops early is no error."""
    for command in COMMANDS.values():
        done = run(folder, f"{command} | true; echo ${{PIPESTATUS[0]}}")
        assert (done.stdout, done.stderr) == ("1\n", ""), command


def test_closed_standard_input_is_an_error(folder: Path) -> None:
    done = run(folder, "lastuse opt - <&-")
    assert (done.returncode, done.stderr) == (1, "<stdin>:1:1: error: cannot be read: Bad file descriptor\n")
    done = run(folder, "lastuse plan - <&-")
    assert (done.returncode, done.stderr) == (1, "<stdin>:1:1: error: cannot be read: Bad file descriptor\n")
    done = run(folder, "lastuse run model.mlir --inputs - <&-")
    assert (done.returncode, done.stderr) == (1, "<stdin>:1:1: error: cannot be read: Bad file descriptor\n")
    assert run(folder, "lastuse opt model.mlir 2>&-").returncode == 0
    assert run(folder, "lastuse opt missing.mlir 2>&-").returncode == 1
    assert run(folder, "lastuse opt model.mlir -o out.mlir >&- && lastuse opt out.mlir").returncode == 0


def test_console_with_a_small_character_set_is_written(folder: Path) -> None:
    (folder / "model.mlir").write_text(IDENTITY.replace("main", '"größe"'))
    done = run(folder, "PYTHONIOENCODING=ascii lastuse opt model.mlir")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


def test_json_output_is_complete(folder: Path) -> None:
    assert json.loads(run(folder, "lastuse run model.mlir --json").stdout)["arena_bytes"] >= 0


def test_arrays_are_not_written_without_the_text(tmp_path: Path) -> None:
    wrong = 'func.func @main() {\n  "dnn.nothing"() : () -> ()\n}\n'
    (tmp_path / "folder.mlir").mkdir()
    for output, text in (("folder.mlir", WEIGHTS), ("two.mlir", f"{WEIGHTS}// -----\n{wrong}")):
        done = opt_tool("-", "--split-input-file", "-o", str(tmp_path / output), stdin=text)
        assert (done.status, done.out) == (1, "")
    assert opt_tool("-", "-o", os.devnull, stdin=WEIGHTS).status == 0
    assert not Path(f"{os.devnull}.npz").exists()
    assert os.listdir(tmp_path) == ["folder.mlir"]


def test_arrays_of_a_calibrated_model_are_not_written_over_those_that_are_read(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(WEIGHTS)
    np.savez(tmp_path / "data.npz", x=np.zeros(2, np.float32))
    words = [str(tmp_path / "model.mlir"), "--calibrate", str(tmp_path / "data.npz"), "-o"]
    done = call(["run-tool", *words, str(tmp_path / "data.mlir")])
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert call(["run-tool", *words, str(tmp_path / "other.mlir")]).status == 0
    assert sorted(os.listdir(tmp_path)) == ["data.npz", "model.mlir", "other.mlir", "other.npz"]
