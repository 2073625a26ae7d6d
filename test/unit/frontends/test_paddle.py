"""Paddle models to dnn modules: every op against numpy, names, sequences, parameters, wrong models."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paddle_writer import Model, record
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from lastuse.dialect import decisions, resources
from lastuse.dialect.base import DnnOp
from lastuse.dialect.diagnostics import LastuseError, location_of
from lastuse.frontends.paddle import read

RNG = np.random.default_rng(5)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


X = normal(5, 4)
DEEP = normal(2, 3, 4)
IMAGE = normal(2, 3, 4, 5)
CHANNELS = [normal(3), normal(3), normal(3), np.abs(normal(3)) + 0.5]


def main_function(module: ModuleOp) -> FuncOp:
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return func


def evaluate(module: ModuleOp, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The function's results by name, each op by its own reference."""
    func = main_function(module)
    values: dict[SSAValue, np.ndarray] = {a: inputs[decisions.source_name(a) or ""] for a in func.args}
    for op in func.body.block.ops:
        if isinstance(op, DnnOp):
            results = op.reference(*(values[o] for o in op.operands))
            for value, array in zip(op.results, results, strict=True):
                stated = op.result_type(value.index)
                assert all(d in (None, n) for d, n in zip(stated.shape, array.shape, strict=True))
                values[value] = array
        elif isinstance(op, ReturnOp):
            names = [decisions.result_attributes(func, i)["dnn.name"] for i in range(len(op.operands))]
            return {name.data: values[v] for name, v in zip(names, op.operands, strict=True)}  # pyright: ignore
    raise AssertionError("no return")


def one_op(
    folder: Path, kind: str, inputs: dict[str, Any], out: tuple[str, ...] = ("Out",), rows: bool = True, **attrs: Any
) -> ModuleOp:
    """A model of one op. The first input is fed, with an unknown first size if `rows`; the others are parameters."""
    model, slots = Model(), dict[str, list[str]]()
    for number, (slot, arrays) in enumerate(inputs.items()):
        for index, array in enumerate(arrays if isinstance(arrays, list) else [arrays]):
            name = f"{slot.lower()}{index}"
            slots.setdefault(slot, []).append(name)
            if number == 0 and index == 0:
                model.feed(name, array.dtype.name, [-1 if rows else array.shape[0], *array.shape[1:]])
            else:
                model.parameter(name, array)
    model.op(kind, slots, {slot: [f"out.{slot}"] for slot in out}, **attrs)
    for col, slot in enumerate(out):
        model.variable(f"out.{slot}", "float32", [1] if kind == "mean" else [-1])
        model.fetch(f"out.{slot}", col)
    module = read(model.write(folder))
    module.verify()
    return module


def first(inputs: dict[str, Any]) -> dict[str, np.ndarray]:
    slot, arrays = next(iter(inputs.items()))
    return {f"{slot.lower()}0": arrays[0] if isinstance(arrays, list) else arrays}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def layer_norm(x: np.ndarray, axes: tuple[int, ...], epsilon: float) -> np.ndarray:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def batch_norm(x: np.ndarray, scale: np.ndarray, bias: np.ndarray, mean: np.ndarray, var: np.ndarray) -> np.ndarray:
    by = [c.reshape(3, *[1] * (x.ndim - 2)) for c in (scale, bias, mean, var)]
    return by[0] * (x - by[2]) / np.sqrt(by[3] + 1e-5) + by[1]


IDS = np.array([[3], [0], [3]], np.int64)
TABLE, B4, MATRIX, CUBE = normal(5, 4), normal(4), normal(4, 6), normal(3, 4, 2)
PADDED = TABLE * (np.arange(5) != 3)[:, None]

Expected = Callable[[], np.ndarray]
CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any], Expected]] = {
    "relu": ("relu", {"X": X}, {}, lambda: np.maximum(X, 0)),
    "tanh": ("tanh", {"X": X}, {}, lambda: np.tanh(X)),
    "sigmoid": ("sigmoid", {"X": X}, {}, lambda: sigmoid(X)),
    "sqrt": ("sqrt", {"X": np.abs(X)}, {}, lambda: np.sqrt(np.abs(X))),
    "abs": ("abs", {"X": X}, {}, lambda: np.abs(X)),
    "exp": ("exp", {"X": X}, {}, lambda: np.exp(X)),
    "silu": ("silu", {"X": X}, {}, lambda: X * sigmoid(X)),
    "assign": ("assign", {"X": X}, {}, lambda: X),
    "leaky_relu": ("leaky_relu", {"X": X}, {}, lambda: np.where(X > 0, X, 0.02 * X)),
    "leaky_relu alpha": ("leaky_relu", {"X": X}, {"alpha": 0.25}, lambda: np.where(X > 0, X, 0.25 * X)),
    "elu": ("elu", {"X": X}, {"alpha": 0.5}, lambda: np.where(X > 0, X, 0.5 * np.expm1(X))),
    "gelu": (
        "gelu",
        {"X": X},
        {"approximate": True},
        lambda: 0.5 * X * (1 + np.tanh(float(np.sqrt(2 / np.pi)) * (X + 0.044715 * X**3))),
    ),
    "swish": ("swish", {"X": X}, {}, lambda: X * sigmoid(X)),
    "swish beta": ("swish", {"X": X}, {"beta": 2.0}, lambda: X * sigmoid(2 * X)),
    "clip": ("clip", {"X": X}, {"min": -0.5, "max": 0.25}, lambda: np.clip(X, -0.5, 0.25)),
    "relu6": ("relu6", {"X": 9 * X}, {}, lambda: np.clip(9 * X, 0, 6)),
    "square": ("square", {"X": X}, {}, lambda: X * X),
    "pow": ("pow", {"X": X}, {"factor": 3.0}, lambda: X**3),
    "scale": ("scale", {"X": X}, {"scale": 2.0, "bias": 1.0}, lambda: 2 * X + 1),
    "scale before": (
        "scale",
        {"X": X},
        {"scale": 2.0, "bias": 1.0, "bias_after_scale": False},
        lambda: 2 * (X + 1),
    ),
    "scale integers": ("scale", {"X": IDS}, {"scale": 2.0, "bias": -1.0}, lambda: 2 * IDS - 1),
    "scale nothing": ("scale", {"X": IDS}, {"scale": 1.0, "bias": 0.0}, lambda: IDS),
    "cast": ("cast", {"X": X}, {"in_dtype": 5, "out_dtype": 2}, lambda: X.astype(np.int32)),
    "dropout": ("dropout", {"X": X}, {"is_test": True, "dropout_prob": 0.25}, lambda: X * 0.75),
    "dropout upscale": (
        "dropout",
        {"X": X},
        {"is_test": True, "dropout_prob": 0.25, "dropout_implementation": "upscale_in_train"},
        lambda: X,
    ),
    "add": ("elementwise_add", {"X": X, "Y": B4}, {"axis": -1}, lambda: X + B4),
    "add axis 1": ("elementwise_add", {"X": X, "Y": B4}, {"axis": 1}, lambda: X + B4),
    "add axis 1 of 4": (
        "elementwise_add",
        {"X": IMAGE, "Y": CHANNELS[0]},
        {"axis": 1},
        lambda: IMAGE + CHANNELS[0][:, None, None],
    ),
    "add trailing ones": (
        "elementwise_add",
        {"X": IMAGE, "Y": normal(3, 1)},
        {"axis": 1},
        lambda: np.array(0),  # replaced below, where the parameter is at hand
    ),
    "sub": ("elementwise_sub", {"X": X, "Y": B4}, {}, lambda: X - B4),
    "mul elements": ("elementwise_mul", {"X": X, "Y": B4}, {}, lambda: X * B4),
    "div": ("elementwise_div", {"X": X, "Y": B4}, {}, lambda: X / B4),
    "max": ("elementwise_max", {"X": X, "Y": B4}, {}, lambda: np.maximum(X, B4)),
    "min": ("elementwise_min", {"X": X, "Y": B4}, {}, lambda: np.minimum(X, B4)),
    "power": ("elementwise_pow", {"X": np.abs(X), "Y": B4}, {}, lambda: np.abs(X) ** B4),
    "sum": ("sum", {"X": [X, B4 + 0 * X, X]}, {}, lambda: X + (B4 + 0 * X) + X),
    "reshape": ("reshape2", {"X": DEEP}, {"shape": [0, -1]}, lambda: DEEP.reshape(2, 12)),
    "reshape split": ("reshape2", {"X": X}, {"shape": [-1, 2, 2]}, lambda: X.reshape(5, 2, 2)),
    "flatten": ("flatten2", {"X": DEEP}, {"axis": 1}, lambda: DEEP.reshape(2, 12)),
    "flatten range": (
        "flatten_contiguous_range",
        {"X": IMAGE},
        {"start_axis": 1, "stop_axis": 2},
        lambda: IMAGE.reshape(2, 12, 5),
    ),
    "squeeze": ("squeeze2", {"X": IDS}, {"axes": [1]}, lambda: IDS[:, 0]),
    "unsqueeze": ("unsqueeze2", {"X": X}, {"axes": [1, -1]}, lambda: X[:, None, :, None]),
    "transpose": ("transpose2", {"X": DEEP}, {"axis": [0, 2, 1]}, lambda: DEEP.transpose(0, 2, 1)),
    "concat": ("concat", {"X": [IMAGE, IMAGE]}, {"axis": 1}, lambda: np.concatenate([IMAGE, IMAGE], 1)),
    "lookup": ("lookup_table", {"Ids": IDS, "W": TABLE}, {"padding_idx": -1}, lambda: TABLE[IDS[:, 0]]),
    "lookup padded": ("lookup_table", {"Ids": IDS, "W": TABLE}, {"padding_idx": 3}, lambda: PADDED[IDS[:, 0]]),
    "lookup v2": ("lookup_table_v2", {"Ids": IDS, "W": TABLE}, {}, lambda: TABLE[IDS]),
    "mul": ("mul", {"X": X, "Y": MATRIX}, {}, lambda: X @ MATRIX),
    "mul rows": ("mul", {"X": DEEP, "Y": MATRIX}, {"x_num_col_dims": 2}, lambda: DEEP @ MATRIX),
    "mul flat": ("mul", {"X": DEEP, "Y": normal(12, 2)}, {"x_num_col_dims": 1}, lambda: np.array(0)),
    "mul deep": (
        "mul",
        {"X": normal(5, 12), "Y": CUBE},
        {"x_num_col_dims": 1, "y_num_col_dims": 2},
        lambda: np.array(0),
    ),
    "fc": (
        "fc",
        {"Input": X, "W": MATRIX, "Bias": normal(1, 6)},
        {"in_num_col_dims": 1, "activation_type": "relu"},
        lambda: np.array(0),
    ),
    "matmul": ("matmul", {"X": X, "Y": MATRIX}, {"alpha": 0.5}, lambda: X @ MATRIX * 0.5),
    "matmul transposed": ("matmul_v2", {"X": X, "Y": TABLE}, {"trans_y": True}, lambda: X @ TABLE.T),
    "softmax": (
        "softmax",
        {"X": X},
        {"axis": -1},
        lambda: np.exp(X) / np.exp(X).sum(-1, keepdims=True),
    ),
    "log_softmax": ("log_softmax", {"X": X}, {}, lambda: X - np.log(np.exp(X).sum(-1, keepdims=True))),
    "reduce_mean": ("reduce_mean", {"X": DEEP}, {"dim": [1]}, lambda: DEEP.mean(1)),
    "reduce_sum": ("reduce_sum", {"X": DEEP}, {"dim": [-1], "keep_dim": True}, lambda: DEEP.sum(-1, keepdims=True)),
    "reduce all": (
        "reduce_mean",
        {"X": DEEP},
        {"reduce_all": True, "keep_dim": True},
        lambda: DEEP.mean(keepdims=True),
    ),
    "mean": ("mean", {"X": DEEP}, {}, lambda: DEEP.mean().reshape(1)),
}
_TRAILING, _FLAT = CASES["add trailing ones"][1]["Y"], CASES["mul flat"][1]["Y"]
_LEFT, _FC_BIAS = CASES["mul deep"][1]["X"], CASES["fc"][1]["Bias"]
LATER: dict[str, Expected] = {
    "add trailing ones": lambda: IMAGE + _TRAILING.reshape(3, 1, 1),
    "mul flat": lambda: DEEP.reshape(2, 12) @ _FLAT,
    "mul deep": lambda: _LEFT @ CUBE.reshape(12, 2),
    "fc": lambda: np.maximum(X @ MATRIX + _FC_BIAS, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_op(tmp_path: Path, name: str) -> None:
    kind, inputs, attrs, expected = CASES[name]
    module = one_op(tmp_path, kind, inputs, **attrs)
    want = LATER.get(name, expected)()
    got = evaluate(module, first(inputs))["out.Out"]
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("begin", [1, 2])
def test_layer_norm(tmp_path: Path, begin: int, affine: bool) -> None:
    width = int(np.prod(DEEP.shape[begin:]))
    scale, bias = normal(width), normal(width)
    given = {"Scale": scale, "Bias": bias} if affine else {}
    module = one_op(tmp_path, "layer_norm", {"X": DEEP, **given}, ("Y",), begin_norm_axis=begin, epsilon=1e-3)
    want = layer_norm(DEEP, tuple(range(begin, 3)), 1e-3)
    if affine:
        want = want * scale.reshape(DEEP.shape[begin:]) + bias.reshape(DEEP.shape[begin:])
    np.testing.assert_allclose(evaluate(module, {"x0": DEEP})["out.Y"], want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("x", [IMAGE, normal(4, 3)], ids=["image", "rows"])
def test_batch_norm(tmp_path: Path, x: np.ndarray) -> None:
    inputs = {"X": x, **dict(zip(("Scale", "Bias", "Mean", "Variance"), CHANNELS, strict=True))}
    module = one_op(tmp_path, "batch_norm", inputs, ("Y",), is_test=True)
    np.testing.assert_allclose(evaluate(module, {"x0": x})["out.Y"], batch_norm(x, *CHANNELS), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["top_k", "top_k_v2"])
def test_top_k(tmp_path: Path, kind: str) -> None:
    got = evaluate(one_op(tmp_path, kind, {"X": X}, ("Out", "Indices"), k=2), {"x0": X})
    order = np.argsort(-X, axis=-1)[:, :2]
    np.testing.assert_array_equal(got["out.Indices"], order)
    np.testing.assert_array_equal(got["out.Out"], np.take_along_axis(X, order, -1))


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
def test_sequences(tmp_path: Path, reverse: bool, origin: bool, h0: bool) -> None:
    model = ragged_model(reverse, origin, h0)
    module = read(model.write(tmp_path))
    module.verify()
    func = main_function(module)
    assert [decisions.source_name(a) for a in func.args] == ["words", *["start"] * h0, "words.lod"]
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


def test_names_and_places(tmp_path: Path) -> None:
    module = read(ragged_model().write(tmp_path))
    ops = [op for op in main_function(module).body.block.ops if isinstance(op, DnnOp)]
    assert all("dnn.names" in op.attributes for op in ops)
    relu = next(op for op in ops if op.name == "dnn.relu")
    place = location_of(relu)
    assert place is not None
    assert (place.file, place.line, place.name) == (str(tmp_path / "__model__"), 3, "positive")
    assert set(resources.of(module)) == {"w.0", "b.0", "crfw"}
    assert not any(array.flags.writeable for array in resources.of(module).values())


def test_combined_parameters(tmp_path: Path) -> None:
    model = ragged_model()
    module = read(model.write_combined(tmp_path))
    for name, array in model.parameters.items():
        np.testing.assert_array_equal(resources.of(module)[name], array)
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "inference.pdmodel").rename(other / "net.pdmodel")
    (tmp_path / "inference.pdiparams").rename(other / "net.pdiparams")
    assert len(resources.of(read(other))) == len(resources.of(read(other / "net.pdmodel"))) == 3


def refused(folder: Path) -> str:
    with pytest.raises(LastuseError) as caught:
        read(folder)
    assert caught.value.location is not None
    assert str(folder) in caught.value.location.file
    return str(caught.value)


@pytest.mark.parametrize("kept", [0, 3, 11, 19, 23, 30, -1])
def test_truncated_parameter(tmp_path: Path, kept: int) -> None:
    ragged_model().write(tmp_path)
    file = tmp_path / "w.0"
    file.write_bytes(file.read_bytes()[:kept])
    assert "cut off" in (message := refused(tmp_path))
    assert message.startswith(f"{file}:1:1: error: ")


def test_wrong_parameters(tmp_path: Path) -> None:
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
def test_parameter_named_as_no_file_in_the_folder(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "secret").write_bytes(record(normal(2)))
    inner = tmp_path / "model"
    inner.mkdir()
    model = Model()
    model.feed("x", "float32", [-1, 2])
    model.variable(name, "float32", [2], persistable=True)
    model.op("elementwise_add", {"X": ["x"], "Y": [name]}, {"Out": ["y"]})
    model.fetch("y")
    assert message in refused(model.write(inner))


def test_no_model(tmp_path: Path) -> None:
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


WRONG: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "sizes": ("elementwise_add", {"X": X, "Y": normal(3)}, {}, "sizes 4 and 3 do not broadcast"),
    "axis": ("elementwise_add", {"X": X, "Y": MATRIX}, {"axis": 1}, "does not line up"),
    "columns": ("mul", {"X": X, "Y": MATRIX}, {"x_num_col_dims": 2}, "cannot be split"),
    "inner size": ("mul", {"X": X, "Y": TABLE}, {}, ""),
    "kind of attribute": (
        "softmax",
        {"X": X},
        {"axis": "last"},
        "the attribute axis is 'last', an integer is expected",
    ),
    "training dropout": ("dropout", {"X": X}, {"is_test": False}, "training mode"),
    "no input": ("relu", {"Z": X}, {}, "the input X is missing"),
    "not ragged": ("gru", {"Input": normal(5, 9), "Weight": normal(3, 9)}, {}, "is not ragged"),
    "padding": ("lookup_table", {"Ids": IDS, "W": TABLE}, {"padding_idx": 9}, "padding_idx 9"),
    "reshape": ("reshape2", {"X": X}, {"shape": [-1, 3]}, "does not follow"),
    "two unknown": ("reshape2", {"X": X}, {"shape": [-1, -1]}, "more than one unknown size"),
    "activation": ("fc", {"Input": X, "W": MATRIX}, {"activation_type": "gelu"}, "'gelu' is not supported"),
    "element type": ("cast", {"X": X}, {"out_dtype": 23}, "element type number 23"),
    "fraction of integers": ("scale", {"X": IDS}, {"scale": 0.5}, "0.5 is no value"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_op(tmp_path: Path, name: str) -> None:
    kind, inputs, attrs, expected = WRONG[name]
    with pytest.raises(LastuseError) as caught:
        one_op(tmp_path, kind, inputs, ("Hidden",) if kind == "gru" else ("Out",), **attrs)
    assert expected in str(caught.value)
    assert caught.value.location is not None
    assert caught.value.location.line == 2


def test_wrong_programs(tmp_path: Path) -> None:
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
        read(tmp_path).verify()
    except LastuseError as error:
        assert error.location is not None
