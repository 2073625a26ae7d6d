"""Recurrent layers with activations, clip and forget gates of other formulas, and with weights that change, against
onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest
from test_recurrent_layers import GATES, Layer, engine, layer, onnxruntime_of

import lastuse
from lastuse.runtime import _core

NUMBERS = {
    **dict.fromkeys(("Sigmoid", "Tanh", "Relu", "Softsign", "Softplus"), 0),
    **dict.fromkeys(("LeakyRelu", "ThresholdedRelu", "Elu"), 1),
    **dict.fromkeys(("Affine", "ScaledTanh", "HardSigmoid"), 2),
}
"""How many numbers each activation takes."""
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}
TOLERANCE = 1e-5


def random_layer(seed: int) -> Layer:
    """Any formula on any small sizes, weights constants or not."""
    rng = np.random.default_rng(seed)
    kind, direction = str(rng.choice(list(FUNCTIONS))), str(rng.choice(["forward", "reverse", "bidirectional"]))
    settings: dict[str, Any] = {}
    if rng.random() < 0.8:
        count = FUNCTIONS[kind] * (1 + (direction == "bidirectional"))
        settings |= stated([str(rng.choice(list(NUMBERS))) for _ in range(count)], rng)
    if rng.random() < 0.5:
        settings["clip"] = float(rng.uniform(0.05, 0.8))
    if kind == "GRU":
        settings["linear_before_reset"] = int(rng.integers(2))
    if kind == "LSTM":
        settings["input_forget"] = int(rng.integers(2))
    optional = "".join(name for name in ("bhp" if kind == "LSTM" else "bh") if rng.random() < 0.6)
    steps, batch, inputs, hidden = (int(rng.integers(1, end)) for end in (8, 6, 20, 71))
    lengths = rng.integers(0, steps + 1, batch).astype(np.int32) if rng.random() < 0.4 else None
    constant = bool(rng.random() < 0.5)
    return layer(kind, (steps, batch, inputs, hidden), direction, optional, constant, lengths=lengths, **settings)


def stated(names: list[str], rng: np.random.Generator) -> dict[str, Any]:
    """The attributes of these activations, with random numbers for those that take some."""
    alphas, betas = ([float(rng.uniform(0.1, 0.9)) for n in names if NUMBERS[n] >= least] for least in (1, 2))
    numbers = {"activation_alpha": alphas, "activation_beta": betas}
    return {"activations": names, **{name: values for name, values in numbers.items() if values}}


def check(case: Layer, threads: int = 1) -> None:
    """Native, planned as naive, and as onnxruntime."""
    planned = lastuse.compile(case.model, threads=threads, profile=True, poison=True)
    plain = lastuse.compile(case.model, threads=threads, inplace=False, plan=False).run(case.feeds)
    results = planned.run(case.feeds)
    assert engine(planned) == "native"
    for name, want in zip(case.results, onnxruntime_of(case), strict=True):
        np.testing.assert_allclose(results[name], want, rtol=0, atol=TOLERANCE)
        np.testing.assert_array_equal(results[name], plain[name])


@pytest.mark.parametrize("seed", range(40))
def test_random_formulas(seed: int) -> None:
    check(random_layer(seed))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_each_function_in_each_place(kind: str, name: str) -> None:
    usual = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}[kind]
    for place in range(len(usual)):
        names = [*usual[:place], name, *usual[place + 1 :]]
        check(layer(kind, (4, 3, 5, 11), **stated(names, np.random.default_rng(place))))


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize("sizes", [(5, 1, 40, 200), (6, 33, 8, 64)])
def test_weights_that_change_have_the_bits_of_constants(kind: str, sizes: tuple[int, int, int, int]) -> None:
    """On one thread, and where columns or sequences are shared."""
    optional = "bhp" if kind == "LSTM" else "bh"
    fixed, fed = (layer(kind, sizes, "bidirectional", optional, constant) for constant in (True, False))
    model = onnx.load_from_string(fixed.model)
    weights = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    feeds = {**fed.feeds, **weights, **fixed.feeds}
    for threads in (1, 2):
        want = lastuse.compile(fixed.model, threads=threads).run(fixed.feeds)
        program = lastuse.compile(fed.model, threads=threads, poison=True)
        results = program.run(feeds)
        assert program.memory.packed_bytes == 0
        for name in fixed.results:
            np.testing.assert_array_equal(results[name], want[name])


@pytest.mark.parametrize("kind", GATES)
def test_other_weights_in_the_next_run(kind: str) -> None:
    case = layer(kind, (3, 2, 4, 5), constant=False)
    program = lastuse.compile(case.model)
    program.run(case.feeds)
    other = {name: 0.5 * array for name, array in case.feeds.items()}
    results = program.run(other)
    for name, want in zip(case.results, onnxruntime_of(case._replace(feeds=other)), strict=True):
        np.testing.assert_allclose(results[name], want, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("constant", [True, False])
def test_weights_of_which_one_is_computed(constant: bool) -> None:
    case = layer("LSTM", (3, 2, 4, 5), "bidirectional", constant=constant)
    model = onnx.load_from_string(case.model)
    (node,) = model.graph.node
    node.input[2] = "r0"
    model.graph.node.insert(0, onnx.helper.make_node("Mul", ["r", "x0"], ["r0"]))
    model.graph.input.append(onnx.helper.make_tensor_value_info("x0", onnx.TensorProto.FLOAT, [1]))
    case = case._replace(model=model.SerializeToString(), feeds={**case.feeds, "x0": np.array([0.5], "f")})
    program = lastuse.compile(case.model, profile=True)
    results = program.run(case.feeds)
    assert "cpu" not in {time.engine for time in program.profile()}
    for name, want in zip(case.results, onnxruntime_of(case), strict=True):
        np.testing.assert_allclose(results[name], want, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("left_out", ["h", "c"])
def test_one_state_of_an_lstm(left_out: str, direction: str) -> None:
    case = layer("LSTM", (4, 3, 5, 6), direction)
    model = onnx.load_from_string(case.model)
    (node,) = model.graph.node
    node.input[list(node.input).index(left_out)] = ""
    model.graph.input.remove(next(value for value in model.graph.input if value.name == left_out))
    feeds = {name: array for name, array in case.feeds.items() if name != left_out}
    check(case._replace(model=model.SerializeToString(), feeds=feeds))


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize("constant", [True, False])
def test_formulas_with_the_batch_first(kind: str, constant: bool) -> None:
    """onnxruntime has no such layers."""
    names = ["Elu", "Softsign", "HardSigmoid"][: FUNCTIONS[kind]] * 2
    settings: dict[str, Any] = {"activations": names, "clip": 0.4, "constant": constant}
    first, second = (layer(kind, (4, 3, 5, 6), "bidirectional", layout=k, **settings) for k in (1, 0))
    shared = {name: array for name, array in first.feeds.items() if name in "wrb"}
    turned = {name: np.ascontiguousarray(a.transpose(1, 0, 2)) for name, a in first.feeds.items() if name in "xhc"}
    program = lastuse.compile(first.model, profile=True)
    results = program.run(first.feeds)
    assert engine(program) == "native"
    want = onnxruntime_of(second._replace(feeds={**turned, **shared}))
    np.testing.assert_allclose(results["y"].transpose(1, 2, 0, 3), want[0], rtol=0, atol=TOLERANCE)
    for name, end in zip(first.results[1:], want[1:], strict=True):
        np.testing.assert_allclose(results[name].transpose(1, 0, 2), end, rtol=0, atol=TOLERANCE)


FAR: dict[str, Callable[[np.float64], Any]] = {
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Softplus": lambda x: np.logaddexp(x, 0),
    "Softsign": lambda x: x / (1 + np.abs(x)),
    "Elu": lambda x: np.where(x < 0, np.expm1(x), x),
    "HardSigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "ThresholdedRelu": lambda x: np.where(x <= 1, 0, x),
}


@pytest.mark.parametrize("name", FAR)
def test_sums_that_are_no_numbers_or_far_away(name: str) -> None:
    """NaN stays NaN, and infinities and large sums have the function's limits."""
    case = layer("RNN", (1, 1, 1, 1), optional="", constant=False, activations=[name])
    program = lastuse.compile(case.model)
    for sum_ in (np.nan, np.inf, -np.inf, 1e30, -1e30, 90.0, -90.0, 0.0):
        feeds = {"x": np.full((1, 1, 1), sum_, "f"), "w": np.ones((1, 1, 1), "f"), "r": np.zeros((1, 1, 1), "f")}
        with np.errstate(all="ignore"):
            want = FAR[name](np.float64(sum_))
        np.testing.assert_allclose(program.run(feeds)["y"].ravel(), want, rtol=1e-6, atol=1e-6, err_msg=str(sum_))


def test_layers_of_f64_run_on_the_cpu() -> None:
    text = (
        "func.func @main(%x: tensor<3x2x4xf64>, %w: tensor<1x5x4xf64>, %r: tensor<1x5x5xf64>) -> tensor<1x2x5xf64> {\n"
        '  %y, %h = "dnn.onnx_rnn"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : '
        "(tensor<3x2x4xf64>, tensor<1x5x4xf64>, tensor<1x5x5xf64>) -> (tensor<3x1x2x5xf64>, tensor<1x2x5xf64>)\n"
        "  func.return %h : tensor<1x2x5xf64>\n}"
    )
    program = lastuse.compile(text.encode(), profile=True)
    rng = np.random.default_rng(0)
    x, w, r = (rng.uniform(-1, 1, shape) for shape in ((3, 2, 4), (1, 5, 4), (1, 5, 5)))
    h = np.zeros((2, 5))
    for step in x:
        h = np.tanh(step @ w[0].T + h @ r[0].T)
    np.testing.assert_allclose(program(x, w, r)[0], h, rtol=0, atol=1e-12)
    assert engine(program) == "cpu"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rnn", [], [], np.inf, False), "no function ''"),
        (("lstm", ["Tanh"], [0.0, 0.0], np.inf, False), "has 3 functions"),
        (("gru", ["Tanh", "Tanh"], [0.0], np.inf, False), "has 2 functions of two numbers"),
        (("rnn", ["Swish"], [0.0, 0.0], np.inf, False), "no function 'Swish'"),
        (("sru", ["Tanh"], [0.0, 0.0], np.inf, False), "no recurrent cell 'sru'"),
    ],
)
def test_formulas_there_are_not_are_errors(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(_core.Error, match=message):
        _core.RecurrentFormula(*arguments)
