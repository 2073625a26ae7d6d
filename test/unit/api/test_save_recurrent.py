"""Packed weights of recurrent layers in a saved program: used where they are, and nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import lastuse
from lastuse.compiler import load as loading
from lastuse.compiler import saved_program
from lastuse.compiler.archive import Archive, write_archive
from lastuse.runtime import _core
from lastuse.runtime.recurrent_layers import RecurrentArrays

HIDDEN = 12
GATES = {"LSTM": 4, "GRU": 3}
X = np.random.default_rng(1).standard_normal((5, 2, 8)).astype(np.float32)


def model(op: str) -> bytes:
    """One layer; the GRU applies the reset after the product, as oneDNN's `lbr_gru` does."""
    rng, rows = np.random.default_rng(0), GATES[op] * HIDDEN
    weights = {"w": (1, rows, 8), "r": (1, rows, HIDDEN), "b": (1, 2 * rows)}
    initializers = [
        numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32) * np.float32(0.3), name)
        for name, shape in weights.items()
    ]
    attributes = {"linear_before_reset": 1} if op == "GRU" else {}
    node = helper.make_node(op, ["x", *weights], ["y"], hidden_size=HIDDEN, **attributes)
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["steps", 2, 8])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph([node], "layer", inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=9).SerializeToString()


@pytest.fixture(scope="module", params=sorted(GATES))
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray]:
    """A program, and its result."""
    path = tmp_path_factory.mktemp("saved") / "layer.lastuse"
    program = lastuse.compile(model(request.param), threads=1)
    result = program.run({"x": X})["y"]
    program.save(path)
    return path, result


def edited(path: Path, folder: Path, edit: Callable[[dict[str, Any], dict[str, bytes]], object]) -> Path:
    """The file with an edit, and hashes that are right again."""
    archive = Archive(path)
    header = json.loads(json.dumps({k: v for k, v in archive.header.items() if k != "parts"}))
    parts = {name: bytes(archive.member(name)) for name in archive.header["parts"]}
    edit(header, parts)
    write_archive(folder / "edited.lastuse", header, parts)
    return folder / "edited.lastuse"


def count_packs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From here on has the cell of each layer that is packed."""
    cells: list[str] = []
    pack = RecurrentArrays.packed

    def counted(arrays: RecurrentArrays, cell: str) -> np.ndarray:
        cells.append(cell)
        return pack(arrays, cell)

    monkeypatch.setattr(RecurrentArrays, "packed", counted)
    return cells


def test_packed_layers_are_not_packed_again(
    saved: tuple[Path, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, result = saved
    packs = count_packs(monkeypatch)
    for file in (path, tmp_path / "again.lastuse"):
        program = lastuse.load(file)
        np.testing.assert_array_equal(program.run({"x": X})["y"], result)
        assert not packs
        assert program.memory.packed_bytes > 0
        program.save(tmp_path / "again.lastuse")


def test_layers_are_packed_anew_on_another_machine(
    saved: tuple[Path, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, result = saved
    monkeypatch.setattr(loading, "this_machine", lambda: saved_program.Machine(1, "9.9.9"))
    packs = count_packs(monkeypatch)
    np.testing.assert_array_equal(lastuse.load(path).run({"x": X})["y"], result)
    assert len(packs) == 1


PACKED_FOR_AVX2 = """
import sys, numpy as np, lastuse
from lastuse.compiler.saved_program import this_machine
from lastuse.runtime import _core
model, x, path = sys.argv[1:]
program = lastuse.compile(model, threads=1)
program.run({"x": np.load(x)})
program.save(path)
print(*this_machine(), _core.RecurrentShape("lstm", 8, 12).layout)
"""


@pytest.mark.parametrize("op", sorted(GATES))
def test_layers_of_another_processor_are_packed_anew(op: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor without AVX-512 packs them for vectors of eight. Their layout tells it, whatever the file says of the
    machine."""
    model_path, x, path = (tmp_path / name for name in ("layer.onnx", "x.npy", "layer.lastuse"))
    model_path.write_bytes(model(op))
    np.save(x, X)
    command = [sys.executable, "-c", PACKED_FOR_AVX2, *map(str, (model_path, x, path))]
    environment = os.environ | {"ONEDNN_MAX_CPU_ISA": "AVX2"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    isa, onednn, layout = done.stdout.split()
    monkeypatch.setattr(loading, "this_machine", lambda: saved_program.Machine(int(isa), onednn))
    want = lastuse.compile(model(op), threads=1).run({"x": X})["y"]
    packs = count_packs(monkeypatch)
    np.testing.assert_array_equal(lastuse.load(path).run({"x": X})["y"], want)
    assert len(packs) == (layout != _core.RecurrentShape("lstm", 8, HIDDEN).layout)


def test_layout_of_a_layer_that_is_not_wanted_is_not_used(saved: tuple[Path, np.ndarray], tmp_path: Path) -> None:
    path, result = saved

    def edit(header: dict[str, Any], parts: dict[str, bytes]) -> None:
        packed = header["recurrent_layers"][0]["packed"]
        packed["layout"] += ":1"
        parts[packed["part"]] = bytes(len(parts[packed["part"]]))

    np.testing.assert_array_equal(lastuse.load(edited(path, tmp_path, edit)).run({"x": X})["y"], result)


def test_packed_bytes_are_those_of_the_file(saved: tuple[Path, np.ndarray], tmp_path: Path) -> None:
    """Other bytes of the weights are another result: they were not packed again."""
    path, result = saved

    def edit(header: dict[str, Any], parts: dict[str, bytes]) -> None:
        packed = header["recurrent_layers"][0]["packed"]
        parts[packed["part"]] = bytes(len(parts[packed["part"]]))

    other = lastuse.load(edited(path, tmp_path, edit)).run({"x": X})["y"]
    assert np.isfinite(other).all() and not np.array_equal(other, result)


def test_layers_of_an_earlier_version_are_packed_anew(saved: tuple[Path, np.ndarray], tmp_path: Path) -> None:
    path, result = saved
    file = edited(path, tmp_path, lambda header, _: header.update(layers=header.pop("recurrent_layers")))
    np.testing.assert_array_equal(lastuse.load(file).run({"x": X})["y"], result)


@pytest.mark.parametrize(
    ("key", "value"),
    [("arrays", [None] * 4), ("arrays", []), ("packed", 1), ("packed", {"layout": "f32"}), ("cell", None)],
)
def test_wrong_record_of_a_layer_is_an_error_or_unused(
    saved: tuple[Path, np.ndarray], tmp_path: Path, key: str, value: object
) -> None:
    path, result = saved
    file = edited(path, tmp_path, lambda header, _: header["recurrent_layers"][0].update({key: value}))
    if key == "cell":  # of no layer there is
        np.testing.assert_array_equal(lastuse.load(file).run({"x": X})["y"], result)
        return
    with pytest.raises(lastuse.LastuseError, match="is no file of a saved program") as caught:
        lastuse.load(file)
    assert "\n" not in str(caught.value)
