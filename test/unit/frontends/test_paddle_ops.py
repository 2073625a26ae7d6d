"""Paddle's ops as dnn ops, each against numpy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paddle_run import evaluate, normal, sigmoid
from paddle_writer import Model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.paddle import read

X = normal(5, 4)
DEEP = normal(2, 3, 4)
IMAGE = normal(2, 3, 4, 5)
CHANNELS = [normal(3), normal(3), normal(3), np.abs(normal(3)) + 0.5]


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
    module = read(Context(), model.write(folder))
    module.verify()
    return module


def first(inputs: dict[str, Any]) -> dict[str, np.ndarray]:
    slot, arrays = next(iter(inputs.items()))
    return {f"{slot.lower()}0": arrays[0] if isinstance(arrays, list) else arrays}


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
def test_op_computes_the_result_of_numpy(tmp_path: Path, name: str) -> None:
    kind, inputs, attrs, expected = CASES[name]
    module = one_op(tmp_path, kind, inputs, **attrs)
    want = LATER.get(name, expected)()
    got = evaluate(module, first(inputs))["out.Out"]
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("begin", [1, 2])
def test_layer_norm_computes_the_result_of_numpy(tmp_path: Path, begin: int, affine: bool) -> None:
    width = int(np.prod(DEEP.shape[begin:]))
    scale, bias = normal(width), normal(width)
    given = {"Scale": scale, "Bias": bias} if affine else {}
    module = one_op(tmp_path, "layer_norm", {"X": DEEP, **given}, ("Y",), begin_norm_axis=begin, epsilon=1e-3)
    want = layer_norm(DEEP, tuple(range(begin, 3)), 1e-3)
    if affine:
        want = want * scale.reshape(DEEP.shape[begin:]) + bias.reshape(DEEP.shape[begin:])
    np.testing.assert_allclose(evaluate(module, {"x0": DEEP})["out.Y"], want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("x", [IMAGE, normal(4, 3)], ids=["image", "rows"])
def test_batch_norm_computes_the_result_of_numpy(tmp_path: Path, x: np.ndarray) -> None:
    inputs = {"X": x, **dict(zip(("Scale", "Bias", "Mean", "Variance"), CHANNELS, strict=True))}
    module = one_op(tmp_path, "batch_norm", inputs, ("Y",), is_test=True)
    np.testing.assert_allclose(evaluate(module, {"x0": x})["out.Y"], batch_norm(x, *CHANNELS), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["top_k", "top_k_v2"])
def test_top_k_computes_the_result_of_numpy(tmp_path: Path, kind: str) -> None:
    got = evaluate(one_op(tmp_path, kind, {"X": X}, ("Out", "Indices"), k=2), {"x0": X})
    order = np.argsort(-X, axis=-1)[:, :2]
    np.testing.assert_array_equal(got["out.Indices"], order)
    np.testing.assert_array_equal(got["out.Out"], np.take_along_axis(X, order, -1))


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
def test_wrong_op_is_an_error_with_location(tmp_path: Path, name: str) -> None:
    kind, inputs, attrs, expected = WRONG[name]
    with pytest.raises(LastuseError) as caught:
        one_op(tmp_path, kind, inputs, ("Hidden",) if kind == "gru" else ("Out",), **attrs)
    assert expected in str(caught.value)
    assert caught.value.location is not None
    assert caught.value.location.line == 2


def test_the_flag_of_an_op_keeps_the_others_from_onednn(tmp_path: Path) -> None:
    for flags, expected in (
        ((True, False), [None, "cpu"]),
        ((False, False), [None, None]),
        ((True, True), [None, None]),
    ):
        model = Model()
        model.feed("x", "float32", [2, 3])
        model.op("relu", {"X": ["x"]}, {"Out": ["y"]}, use_mkldnn=flags[0])
        model.op("tanh", {"X": ["y"]}, {"Out": ["z"]}, use_mkldnn=flags[1])
        model.fetch("z")
        ops = [op for op in read(Context(), model.write(tmp_path)).walk() if op.name in ("dnn.relu", "dnn.tanh")]
        engines = [op.attributes.get("dnn.engine") for op in ops]
        assert [None if engine is None else engine.data for engine in engines] == expected  # pyright: ignore
