"""Gradients of ONNX's GRU and LSTM against central differences, with and without each operand."""

from __future__ import annotations

import numpy as np
import pytest
from test_gradients import gradients, numeric
from test_onnx_rnn import LENGTHS, arrays_of, op_of
from xdsl.ir import Block

from lastuse.dialect.dnn.base import DnnOp

DIRECTIONS = {1: "reverse", 2: "bidirectional"}


def standing_alone(op: DnnOp) -> DnnOp:
    """The op in a block of its own, to which its gradient may be added."""
    block = Block(arg_types=[operand.type for operand in op.operands])
    types = [result.type for result in op.results]
    alone = type(op).create(operands=block.args, result_types=types, attributes=op.attributes)
    block.add_op(alone)
    return alone


def check(kind: str, directions: int, optional: bool, layout: int, more: str, present: tuple[bool, ...]) -> None:
    arrays = arrays_of(kind, directions, optional, layout)
    attributes = f'direction = "{DIRECTIONS[directions]}", layout = {layout} : i64{more}'
    op = standing_alone(op_of(kind, arrays, directions, layout, attributes))
    operands = list(arrays.values())
    rng = np.random.default_rng(3)
    weights = [
        rng.normal(size=result.shape) if there else None
        for result, there in zip(op.reference(*operands), present, strict=True)
    ]
    for number, (name, gradient) in enumerate(zip(arrays, gradients(op, operands, weights), strict=True)):
        assert (gradient is None) == (name == "sequence_lens")
        if gradient is not None:
            want = numeric(op, operands, weights, number)
            np.testing.assert_allclose(gradient, want, rtol=1e-4, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(("directions", "layout"), [(1, 0), (2, 1)])
@pytest.mark.parametrize("linear", [0, 1])
def test_gradients_of_a_gru(directions: int, layout: int, optional: bool, linear: int) -> None:
    assert 0 in LENGTHS, "a sequence without steps is among them"
    check("gru", directions, optional, layout, f", linear_before_reset = {linear} : i64", (True, True))


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(("directions", "layout"), [(1, 0), (2, 1)])
def test_gradients_of_an_lstm(directions: int, layout: int, optional: bool) -> None:
    check("lstm", directions, optional, layout, "", (True, True, True))


@pytest.mark.parametrize("present", [(True, False, False), (False, True, False), (False, False, True)])
def test_gradients_of_one_result_of_an_lstm(present: tuple[bool, ...]) -> None:
    check("lstm", 1, True, 0, "", present)


@pytest.mark.parametrize(
    ("kind", "names"), [("gru", ("Tanh", "Sigmoid")), ("lstm", ("Sigmoid", "Sigmoid", "Identity"))]
)
def test_other_activations(kind: str, names: tuple[str, ...]) -> None:
    stated = ", ".join(f'"{name}"' for name in names)
    check(kind, 1, True, 0, f", activations = [{stated}]", (True,) * (2 if kind == "gru" else 3))


NUMBERS = "activation_alpha = array<f64: 0.75, 0.5>, activation_beta = array<f64: 0.25, 1.5>"


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("gru", "clip = 0.5 : f64"),
        ("gru", "clip = 0.75 : f64, linear_before_reset = 1 : i64"),
        ("gru", 'activations = ["HardSigmoid", "Softsign"]'),
        ("gru", f'activations = ["Affine", "ScaledTanh"], {NUMBERS}'),
        ("gru", 'activations = ["Softplus", "Elu"], activation_alpha = array<f64: 0.5>, clip = 2.0 : f64'),
        ("lstm", "clip = 0.5 : f64"),
        ("lstm", "input_forget = 1 : i64"),
        ("lstm", "input_forget = 1 : i64, clip = 0.75 : f64"),
        ("lstm", 'activations = ["HardSigmoid", "LeakyRelu", "ThresholdedRelu"], activation_alpha = array<f64: 0.2>'),
    ],
)
@pytest.mark.parametrize("optional", [False, True])
def test_clip_and_all_activations(kind: str, more: str, optional: bool) -> None:
    check(kind, 1, optional, 0, f", {more}", (True,) * (2 if kind == "gru" else 3))
