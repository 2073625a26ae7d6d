"""Wrong files: one located line, soon, and with little memory."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from onnx import numpy_helper
from wrong_models import RIGHT, flipped, write_data, wrong_models
from wrong_nodes import wrong_nodes

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.onnx.model import load_model
from support import opt_tool

WRONG = {name: (data, words) for name, data, words in wrong_models()}
WRONG_NODES = {name: (data, words) for name, data, words in wrong_nodes()}
SECONDS = 2.0
"""Of processor time."""


def error_of(file: Path) -> str | None:
    """The error of loading a model, None where there is none; with the time that it takes."""
    start = time.process_time()
    try:
        load_model(file)
        message = None
    except LastuseError as error:
        assert error.location is not None
        message = str(error)
        assert message.startswith(f"{file}:{error.location.line}:{error.location.col}: error: ")
        assert "\n" not in message and len(message) < 1000
    assert time.process_time() - start < SECONDS
    return message


def test_right_models_are_read(tmp_path: Path) -> None:
    for name, make in RIGHT.items():
        (tmp_path / name).write_bytes(make().SerializeToString())
        assert error_of(tmp_path / name) is None, name


def test_there_are_many() -> None:
    assert len(WRONG) >= 150
    assert len(WRONG) + len(WRONG_NODES) >= 280


@pytest.mark.parametrize("name", WRONG)
def test_wrong_model_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    write_data(folder)
    data, words = WRONG[name]
    (folder / "m.onnx").write_bytes(data)
    message = error_of(folder / "m.onnx")
    assert message is not None and words in message


@pytest.mark.parametrize("name", WRONG_NODES)
def test_wrong_node_is_refused(tmp_path: Path, name: str) -> None:
    """By reading, by compiling for the sizes of the inputs, or by a run on them."""
    data, words = WRONG_NODES[name]
    file = tmp_path / "m.onnx"
    file.write_bytes(data)
    start = time.process_time()
    with pytest.raises(LastuseError) as caught:
        lastuse.compile(file, threads=1)(np.ones((2, 8), np.float32))
    assert time.process_time() - start < SECONDS
    message = str(caught.value)
    assert words in message
    assert "\n" not in message and len(message) < 1000
    if caught.value.location is not None:
        assert message.startswith(f"{file}:1:")


def test_flipped_bits_are_an_error_or_a_model(tmp_path: Path) -> None:
    refused = 0
    for seed in range(400):
        _, data = flipped(seed)
        (tmp_path / "m.onnx").write_bytes(data)
        refused += error_of(tmp_path / "m.onnx") is not None
    assert 100 < refused < 390


MEGABYTES = 512
HEAVY = [
    "10,000 nested Ifs",
    "200,000 nodes",
    "2^40 elements",
    "external at /etc/passwd",
    "sparse [1048576, 4096] [3, 4]",
]


@pytest.mark.parametrize("name", HEAVY)
def test_the_tool_needs_little_memory_to_refuse(tmp_path: Path, name: str) -> None:
    """In a process of its own; all that it ever had in memory, libraries included. `ru_maxrss` is that of the process
    that started it, where that had more."""
    (tmp_path / "m.onnx").write_bytes(WRONG[name][0])
    script = "import re, sys; from lastuse.tools.opt_tool import main; status = main(sys.argv[1:]); "
    script += "print(re.search('VmHWM:(.*)kB', open('/proc/self/status').read())[1]); sys.exit(status)"
    command = [sys.executable, "-c", script, str(tmp_path / "m.onnx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert int(done.stdout) < MEGABYTES << 10
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{tmp_path}/m.onnx:1:1: error: ")


@pytest.mark.parametrize("kind", ["wrong", "flipped"])
def test_the_tool_prints_one_line(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    write_data(folder)
    file = folder / "m.onnx"
    models = [data for data, _ in WRONG.values()][::4] if kind == "wrong" else [flipped(seed)[1] for seed in range(60)]
    for data in models:
        file.write_bytes(data)
        done = opt_tool(str(file), "-o", str(tmp_path / "out.mlir"))
        if done.status == 0 and kind == "flipped":
            continue
        assert done.status == 1, done.err
        lines = done.err.splitlines()
        assert lines[0].startswith(f"{file}:") and ": error: " in lines[0]
        assert len(lines) == 1


@pytest.mark.parametrize("collects", [False, True])
def test_a_long_loop_is_not_unrolled(tmp_path: Path, collects: bool) -> None:
    """2^40 trips are a loop; what they collect has no end."""
    proto = RIGHT["loop"]()
    proto.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.array(2**40), "n"))
    if collects:
        proto.graph.node[0].output.append("all")
        body = proto.graph.node[0].attribute[0].g
        body.output.add().CopyFrom(body.output[1])
    file = tmp_path / "m.onnx"
    file.write_bytes(proto.SerializeToString())
    start = time.process_time()
    done = opt_tool(str(file))
    assert time.process_time() - start < SECONDS
    if collects:
        assert done.status == 1
        assert f"{file}:1:1: error: Loop (output 'y'): a loop collects values of 1,099,511,627,776" in done.err
    else:
        assert "scf.while" in done.out
