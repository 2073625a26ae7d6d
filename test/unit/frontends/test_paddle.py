"""Paddle models to dnn modules: names, sequences, parameters, wrong models."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paddle_run import evaluate, main_function, normal, sigmoid
from paddle_writer import Model, record
from xdsl.context import Context

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, location_of
from lastuse.dialect.storage import attrs
from lastuse.frontends.paddle import read


def ragged_model(reverse: bool = False, origin: bool = False, h0: bool = False) -> Model:
    """words -> gru -> crf_decoding, 3 channels, 3 tags."""
    model = Model()
    model.feed("words", "float32", [-1, 9], lod=1)
    inputs = {"Input": ["words"], "Weight": ["w.0"], "Bias": ["b.0"], "H0": []}
    if h0:
        model.feed("start", "float32", [-1, 3], col=1)
        inputs["H0"] = ["start"]
    model.parameter("w.0", normal(3, 9))
    model.parameter("b.0", normal(1, 9))
    model.parameter("crfw", normal(5, 3))
    outputs = {"Hidden": ["hidden"], "BatchGate": ["scratch"]}
    model.op("gru", inputs, outputs, is_reverse=reverse, origin_mode=origin)
    model.op("relu", {"X": ["hidden"]}, {"Out": ["positive"]})
    model.op("crf_decoding", {"Emission": ["positive"], "Transition": ["crfw"]}, {"ViterbiPath": ["path"]})
    model.fetch("path", 1)
    model.fetch("hidden", 0)
    return model


@pytest.mark.parametrize(("reverse", "origin", "h0"), [(False, False, False), (True, True, True)])
def test_ragged_model_computes_the_result_of_numpy(tmp_path: Path, reverse: bool, origin: bool, h0: bool) -> None:
    model = ragged_model(reverse, origin, h0)
    module = read(Context(), model.write(tmp_path))
    module.verify()
    func = main_function(module)
    assert [attrs.source_name(a) for a in func.args] == ["words", *["start"] * h0, "words.lod"]
    lod, words, start = np.array([0, 3, 3, 7]), normal(7, 9), normal(3, 3)
    got = evaluate(module, {"words": words, "words.lod": lod, "start": start})
    assert list(got) == ["hidden", "path"], "in the order of the fetch columns"

    flat, x = model.parameters["w.0"].reshape(-1), words + model.parameters["b.0"]
    w_ur, w_c = flat[:18].reshape(3, 6), flat[18:].reshape(3, 3)
    for i, (a, b) in enumerate(pairwise(lod)):
        h = start[i] if h0 else np.zeros(3, np.float32)
        for row in range(b - 1, a - 1, -1) if reverse else range(a, b):
            u, r = np.split(sigmoid(x[row, :6] + h @ w_ur), 2)
            c = np.tanh(x[row, 6:] + (r * h) @ w_c)
            h = u * h + (1 - u) * c if origin else (1 - u) * h + u * c
            np.testing.assert_allclose(got["hidden"][row], h, rtol=1e-5, atol=1e-6)
    assert got["path"].dtype == np.int64
    assert got["path"].shape == (7, 1)


def test_ops_have_names_and_locations(tmp_path: Path) -> None:
    module = read(Context(), ragged_model().write(tmp_path))
    ops = [op for op in main_function(module).body.block.ops if isinstance(op, DnnOp)]
    assert all("dnn.names" in op.attributes for op in ops)
    relu = next(op for op in ops if op.name == "dnn.relu")
    place = location_of(relu)
    assert place is not None
    assert (place.file, place.line, place.name) == (str(tmp_path / "__model__"), 3, "positive")
    assert set(resources.of(module)) == {"w.0", "b.0", "crfw"}
    assert not any(array.flags.writeable for array in resources.of(module).values())


def test_combined_parameters_are_read(tmp_path: Path) -> None:
    model = ragged_model()
    module = read(Context(), model.write_combined(tmp_path))
    for name, array in model.parameters.items():
        np.testing.assert_array_equal(resources.of(module)[name], array)
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "inference.pdmodel").rename(other / "net.pdmodel")
    (tmp_path / "inference.pdiparams").rename(other / "net.pdiparams")
    assert len(resources.of(read(Context(), other))) == len(resources.of(read(Context(), other / "net.pdmodel"))) == 3


def refused(folder: Path) -> str:
    with pytest.raises(LastuseError) as caught:
        read(Context(), folder)
    assert caught.value.location is not None
    assert str(folder) in caught.value.location.file
    return str(caught.value)


@pytest.mark.parametrize("kept", [0, 3, 11, 19, 23, 30, -1])
def test_truncated_parameter_is_an_error(tmp_path: Path, kept: int) -> None:
    ragged_model().write(tmp_path)
    file = tmp_path / "w.0"
    file.write_bytes(file.read_bytes()[:kept])
    assert "cut off" in (message := refused(tmp_path))
    assert message.startswith(f"{file}:1:1: error: ")


def test_wrong_parameters_are_errors(tmp_path: Path) -> None:
    model = ragged_model()
    file = model.write(tmp_path) / "crfw"
    whole = file.read_bytes()
    file.write_bytes(whole + b"more")
    assert "4 bytes follow" in refused(tmp_path)
    file.write_bytes(record(normal(4, 3)))
    assert "sizes [4, 3], the program says [5, 3]" in refused(tmp_path)
    file.write_bytes(record(normal(5, 3).astype(np.float64)))
    assert "element type f64, the program says f32" in refused(tmp_path)
    file.write_bytes(struct.pack("<I", 7) + whole[4:])
    assert "version 7" in refused(tmp_path)
    file.write_bytes(whole[:4] + struct.pack("<Q", 1 << 60) + whole[12:])
    assert "cut off" in refused(tmp_path)
    file.write_bytes(whole[:16] + struct.pack("<i", -5) + whole[20:])
    assert "-5 bytes is not possible" in refused(tmp_path)
    file.unlink()
    assert "missing" in refused(tmp_path)
    file.mkdir()
    assert "cannot be read" in refused(tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [("../secret", "leads out of the model's folder"), ("w\0", r"no file can have the parameter name 'w\x00'")],
)
def test_parameter_name_outside_the_folder_is_an_error(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "secret").write_bytes(record(normal(2)))
    inner = tmp_path / "model"
    inner.mkdir()
    model = Model()
    model.feed("x", "float32", [-1, 2])
    model.variable(name, "float32", [2], persistable=True)
    model.op("elementwise_add", {"X": ["x"], "Y": [name]}, {"Out": ["y"]})
    model.fetch("y")
    assert message in refused(model.write(inner))


def test_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    assert "it holds none of __model__" in refused(tmp_path)
    file = tmp_path / "__model__"
    file.write_bytes(b"")
    assert "it has no blocks" in refused(tmp_path)
    file.write_bytes(b"\xff" * 40)
    assert "does not parse" in refused(tmp_path)
    file.write_bytes(ragged_model().program()[:-30])
    assert "cut off" in refused(tmp_path)


def test_unsupported_ops_are_listed(tmp_path: Path) -> None:
    model = Model()
    model.feed("x", "float32", [-1, 2])
    model.op("lstm", {"X": ["x"]}, {"Hidden": ["h"]})
    model.op("relu", {"X": ["h"]}, {"Out": ["r"]})
    model.op("arg_max", {"X": ["r"]}, {"Out": ["a"]})
    model.op("lstm", {"X": ["r"]}, {"Hidden": ["i"]})
    model.fetch("a")
    assert refused(model.write(tmp_path)).endswith(":2:1: error: unsupported ops: lstm (x2, 'h'), arg_max (x1, 'a')")


def test_wrong_programs_are_errors(tmp_path: Path) -> None:
    model = Model()
    model.feed("x", "float32", [-1, 2])
    model.op("relu", {"X": ["nowhere"]}, {"Out": ["y"]})
    assert "no outputs" in refused(model.write(tmp_path))
    model.fetch("y")
    assert "'nowhere' is read, but nothing before computes it" in refused(model.write(tmp_path))
    deep = Model()
    deep.feed("x", "float32", [-1, 2], lod=2)
    deep.fetch("x")
    assert "2 levels of sequences" in refused(deep.write(tmp_path))
    unknown = Model()
    unknown.op("feed", {"X": ["feed"]}, {"Out": ["ghost"]}, col=0)
    unknown.fetch("ghost")
    assert "'ghost' is no array variable" in refused(unknown.write(tmp_path))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_files_never_crash(tmp_path: Path, data: st.DataObject) -> None:
    ragged_model().write(tmp_path)
    file = tmp_path / data.draw(st.sampled_from(["__model__", "w.0", "crfw"]))
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(content) - 1))
        match data.draw(st.sampled_from(["set", "cut", "insert"])):
            case "set":
                content[position] = data.draw(st.integers(0, 255))
            case "cut":
                del content[position : position + data.draw(st.integers(1, 9))]
            case _:
                content[position:position] = data.draw(st.binary(max_size=12))
        content = content or bytearray(1)
    file.write_bytes(content)
    try:
        read(Context(), tmp_path).verify()
    except LastuseError as error:
        assert error.location is not None
