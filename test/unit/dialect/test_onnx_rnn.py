"""ONNX's GRU and LSTM: word by word in float64 as the specification writes them, and against onnxruntime."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from op_cases import build, empty, run

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.gathers import IndicesError

STEPS, BATCH, INPUTS, HIDDEN = 5, 3, 4, 2
LENGTHS = np.array([5, 0, 2], np.int32)
NAMES = {
    "gru": ("x", "w", "r", "b", "sequence_lens", "initial_h"),
    "lstm": ("x", "w", "r", "b", "sequence_lens", "initial_h", "initial_c", "p"),
}


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def arrays_of(kind: str, directions: int, optional: bool, layout: int, dtype: Any = np.float64) -> dict[str, Array]:
    rng, rows = np.random.default_rng(directions), (3 if kind == "gru" else 4) * HIDDEN
    state = (BATCH, directions, HIDDEN) if layout else (directions, BATCH, HIDDEN)
    shapes: dict[str, tuple[int, ...]] = {
        "x": (BATCH, STEPS, INPUTS) if layout else (STEPS, BATCH, INPUTS),
        "w": (directions, rows, INPUTS),
        "r": (directions, rows, HIDDEN),
    }
    if optional:
        shapes |= {"b": (directions, 2 * rows), "sequence_lens": (BATCH,), "initial_h": state}
        if kind == "lstm":
            shapes |= {"initial_c": state, "p": (directions, 3 * HIDDEN)}
    made = {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}
    return made | ({"sequence_lens": LENGTHS} if optional else {})


def op_of(kind: str, arrays: dict[str, Array], directions: int, layout: int, attributes: str) -> DnnOp:
    code = {"f": "f64" if arrays["x"].dtype == np.float64 else "f32", "i": "i32"}
    types = ", ".join("x".join([*map(str, a.shape), code[a.dtype.kind]]) for a in arrays.values())
    segments = ", ".join(str(int(name in arrays)) for name in NAMES[kind])
    y = (BATCH, STEPS, directions, HIDDEN) if layout else (STEPS, directions, BATCH, HIDDEN)
    state = (BATCH, directions, HIDDEN) if layout else (directions, BATCH, HIDDEN)
    results = [y, *[state] * (1 if kind == "gru" else 2)]
    made = ", ".join("x".join([*map(str, shape), code["f"]]) for shape in results)
    return build(f"onnx_{kind}({types}) {{{attributes}, operandSegmentSizes = array<i32: {segments}>}} -> {made}")


def spec(kind: str, arrays: dict[str, Array], reverse: tuple[bool, ...], layout: int, flag: int) -> list[Array]:
    """The specification, one word at a time."""
    turn = (lambda a: a.transpose(1, 0, 2)) if layout else (lambda a: a)
    x, w, r, count = turn(arrays["x"]), arrays["w"], arrays["r"], len(reverse)
    rows = w.shape[1]
    b = arrays.get("b", np.zeros((count, 2 * rows)))
    p = arrays.get("p", np.zeros((count, 3 * HIDDEN)))
    lengths = arrays.get("sequence_lens", np.full(BATCH, STEPS))
    y = np.zeros((STEPS, count, BATCH, HIDDEN))
    ends = np.zeros((2, count, BATCH, HIDDEN))
    for d, n in product(range(count), range(BATCH)):
        h, c = (turn(arrays[name])[d, n] if name in arrays else np.zeros(HIDDEN) for name in ("initial_h", "initial_c"))
        order = range(lengths[n])
        for t in reversed(order) if reverse[d] else order:
            xs = np.split(w[d] @ x[t, n] + b[d, :rows], rows // HIDDEN)
            rs, bs = np.split(r[d], rows // HIDDEN), np.split(b[d, rows:], rows // HIDDEN)
            if kind == "gru":
                z, gate = sigmoid(xs[0] + rs[0] @ h + bs[0]), sigmoid(xs[1] + rs[1] @ h + bs[1])
                inner = gate * (rs[2] @ h + bs[2]) if flag else rs[2] @ (gate * h) + bs[2]
                h = (1 - z) * np.tanh(xs[2] + inner) + z * h
            else:
                p_i, p_o, p_f = np.split(p[d], 3)
                i = sigmoid(xs[0] + rs[0] @ h + bs[0] + p_i * c)
                f = 1 - i if flag else sigmoid(xs[2] + rs[2] @ h + bs[2] + p_f * c)
                c = f * c + i * np.tanh(xs[3] + rs[3] @ h + bs[3])
                h = sigmoid(xs[1] + rs[1] @ h + bs[1] + p_o * c) * np.tanh(c)
            y[t, d, n] = h
        ends[:, d, n] = (h, c) if lengths[n] else 0
    results = [y, *ends[: 1 if kind == "gru" else 2]]
    return [results[0].transpose(2, 0, 1, 3), *(e.transpose(1, 0, 2) for e in results[1:])] if layout else results


DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
FLAGS = {"gru": "linear_before_reset", "lstm": "input_forget"}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_kernel_equals_the_specification(kind: str, direction: str) -> None:
    reverse = DIRECTIONS[direction]
    for optional, layout, flag in product((False, True), (0, 1), (0, 1)):
        arrays = arrays_of(kind, len(reverse), optional, layout)
        attributes = f'direction = "{direction}", layout = {layout} : i64, {FLAGS[kind]} = {flag} : i64'
        op = op_of(kind, arrays, len(reverse), layout, attributes)
        results = empty(op)
        run(op, list(arrays.values()), results)
        for got, want in zip(results, spec(kind, arrays, reverse, layout, flag), strict=True):
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_kernel_equals_onnxruntime(kind: str, direction: str) -> None:
    ort, helper = pytest.importorskip("onnxruntime"), pytest.importorskip("onnx.helper")
    count, float_ = len(DIRECTIONS[direction]), 1
    for optional, flag in product((False, True), (0, 1)):
        arrays = arrays_of(kind, count, optional, 0, np.float32)
        if optional:
            arrays["sequence_lens"] = np.array([5, 0, 2], np.int32)
        attributes = f'direction = "{direction}", {FLAGS[kind]} = {flag} : i64, hidden_size = {HIDDEN} : i64'
        op = op_of(kind, arrays, count, 0, attributes)
        names = [name if name in arrays else "" for name in NAMES[kind]]
        outputs = ["y", "y_h", "y_c"][: len(op.results)]
        settings = {"direction": direction, FLAGS[kind]: flag, "hidden_size": HIDDEN}
        node = helper.make_node(kind.upper(), names, outputs, **settings)
        given = [
            helper.make_tensor_value_info(name, 6 if a.dtype == np.int32 else float_, a.shape)
            for name, a in arrays.items()
        ]
        made = [helper.make_tensor_value_info(name, float_, None) for name in outputs]
        graph = helper.make_graph([node], "rnn", given, made)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
        session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        results = empty(op)
        run(op, list(arrays.values()), results)
        for got, want in zip(results, session.run(None, arrays), strict=True):
            np.testing.assert_allclose(got, want, rtol=0, atol=2e-6)


def test_activations_and_clip_are_applied() -> None:
    arrays = arrays_of("gru", 1, False, 0)
    plain = op_of("gru", arrays, 1, 0, 'activations = ["Sigmoid", "Tanh"], clip = 100.0 : f32')
    linear = op_of("gru", arrays, 1, 0, 'activations = ["Relu", "Identity"]')
    limited = op_of("gru", arrays, 1, 0, "clip = 0.0 : f32")
    want = spec("gru", arrays, (False,), 0, 0)[0]
    np.testing.assert_allclose(plain.reference(*arrays.values())[0], want, rtol=0, atol=1e-13)
    assert np.abs(linear.reference(*arrays.values())[0] - want).max() > 0.1
    np.testing.assert_array_equal(limited.reference(*arrays.values())[0], 0)  # a candidate of tanh(0)


@pytest.mark.parametrize("length", [-1, STEPS + 1])
def test_wrong_sequence_lengths_are_an_error(length: int) -> None:
    arrays = arrays_of("gru", 1, True, 0)
    arrays["sequence_lens"] = np.array([1, length, 0], np.int32)
    op = op_of("gru", arrays, 1, 0, 'direction = "forward"')
    with pytest.raises(IndicesError, match=f"sequence 1 has length {length}, there are 5 steps"):
        run(op, list(arrays.values()), empty(op))
