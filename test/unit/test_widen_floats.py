"""`--widen-floats-pass`: models of f16 compute what they compute in f32, but for the rounding of what they return."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import lastuse

Array = np.ndarray
F16, F32 = TensorProto.FLOAT16, TensorProto.FLOAT


def source(
    nodes: Sequence[NodeProto],
    given: dict[str, Array],
    weights: dict[str, Array],
    results: Sequence[str],
    dtype: int = F16,
) -> bytes:
    """A model whose floating-point inputs and weights have this type."""
    kind = np.float16 if dtype == F16 else np.float32
    inputs = [helper.make_tensor_value_info(name, dtype, a.shape) for name, a in given.items()]
    outputs = [helper.make_tensor_value_info(name, dtype, None) for name in results]
    arrays = [numpy_helper.from_array(a.astype(kind) if a.dtype.kind == "f" else a, n) for n, a in weights.items()]
    graph = helper.make_graph(nodes, "g", inputs, outputs, arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def cases() -> dict[str, tuple[list[NodeProto], dict[str, Array], dict[str, Array], list[str]]]:
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> Array:
        return rng.normal(size=shape).astype(np.float16).astype(np.float32)

    node = helper.make_node
    convolution = [
        node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        node("Relu", ["c"], ["r"]),
        node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", ["p", "v"], ["d"]),
        node("Concat", ["d", "p"], ["j"], axis=1),
        node("Sigmoid", ["j"], ["y"]),
    ]
    attention = [
        node("MatMul", ["x", "w"], ["q"]),
        node("Transpose", ["q"], ["k"], perm=[0, 2, 1]),
        node("MatMul", ["q", "k"], ["s"]),
        node("Softmax", ["s"], ["a"], axis=-1),
        node("MatMul", ["a", "q"], ["o"]),
        node("LayerNormalization", ["o", "g", "b"], ["n"], axis=-1),
        node("Add", ["n", "x"], ["y"]),
    ]
    moved = [
        node("Gather", ["x", "i"], ["t"], axis=0),
        node("Identity", ["t"], ["z"]),
        node("ReduceMean", ["t"], ["y"], axes=[1], keepdims=0),
    ]
    recurrent = [
        node("GRU", ["x", "w", "r"], ["g"], hidden_size=3),
        node("Squeeze", ["g", "axes"], ["h"]),
        node("LSTM", ["h", "v", "u", "", "lengths"], ["y", "z", ""], hidden_size=2),
    ]
    weights = {"w": normal(1, 9, 4), "r": normal(1, 9, 3), "v": normal(1, 8, 3), "u": normal(1, 8, 2)}
    integers = {"axes": np.array([1]), "lengths": np.array([5, 5], np.int32)}
    return {
        "recurrent": (recurrent, {"x": normal(5, 2, 4)}, weights | integers, ["y", "z"]),
        "convolution": (
            convolution,
            {"x": normal(1, 3, 8, 8)},
            {"w": normal(4, 3, 3, 3), "v": normal(6, 4, 1, 1)},
            ["y"],
        ),
        "attention": (attention, {"x": normal(2, 5, 8)}, {"w": normal(8, 8), "g": normal(8), "b": normal(8)}, ["y"]),
        "moved": (moved, {"x": normal(6, 4)}, {"i": np.array([3, 0, 5])}, ["z", "y"]),
    }


@pytest.mark.parametrize("name", cases())
def test_results_are_those_of_f32_rounded_once(name: str) -> None:
    nodes, given, weights, results = cases()[name]
    wanted = ReferenceEvaluator(source(nodes, given, weights, results, F32)).run(None, given)
    model = source(nodes, given, weights, results)
    halves = {key: a.astype(np.float16) for key, a in given.items()}
    planned = lastuse.compile(model, threads=1).run(halves)
    naive = lastuse.compile(model, threads=1, inplace=False, plan=False).run(halves)
    for key, want in zip(results, wanted, strict=True):
        got = planned[key]
        assert got.dtype == np.float16 and got.tobytes() == naive[key].tobytes()
        np.testing.assert_allclose(got.astype(np.float32), want, rtol=2**-10, atol=2**-14)


def test_a_model_may_round_each_result() -> None:
    """In f16, 2049 is no number: 2048 + 1 is 2048, and less 2048 it is 0."""
    nodes = [helper.make_node("Add", ["x", "one"], ["s"]), helper.make_node("Sub", ["s", "big"], ["y"])]
    given = {"x": np.full((3,), 2048, np.float16)}
    weights = {"one": np.ones(1, np.float32), "big": np.full(1, 2048, np.float32)}
    model = source(nodes, given, weights, ["y"])
    assert lastuse.compile(model).run(given)["y"].tolist() == [1, 1, 1]
    assert lastuse.compile(model, halves="model").run(given)["y"].tolist() == [0, 0, 0]
    with pytest.raises(lastuse.LastuseError, match="no way 'f8' to compute f16"):
        lastuse.compile(model, halves="f8")


def test_no_step_of_a_model_in_f16_is_numpys() -> None:
    nodes, given, weights, results = cases()["convolution"]
    program = lastuse.compile(source(nodes, given, weights, results), threads=1, profile=True)
    program.run({key: a.astype(np.float16) for key, a in given.items()})
    assert {step.engine for step in program.profile()} <= {"onednn", "native", "runtime"}


@pytest.mark.parametrize("dtype", [F16, F32])
def test_numbers_of_activations_are_rounded_as_the_model_is(dtype: int) -> None:
    """Gelu divides by sqrt 2, which is 1.4140625 in f16: in f32 that is another function."""
    nodes = [
        helper.make_node("Div", ["x", "root"], ["d"]),
        helper.make_node("Erf", ["d"], ["e"]),
        helper.make_node("Add", ["e", "one"], ["a"]),
        helper.make_node("Mul", ["x", "a"], ["m"]),
        helper.make_node("Mul", ["m", "half"], ["y"]),
    ]
    x = np.linspace(-4, 4, 97, dtype=np.float16)
    weights = {"root": np.array(1.4140625, np.float32), "one": np.ones((), np.float32), "half": np.array(0.5, "f")}
    given = {"x": x if dtype == F16 else x.astype(np.float32)}
    program = lastuse.compile(source(nodes, given, weights, ["y"], dtype), threads=1)
    assert any("gelu" in line.message for line in program.remarks) == (dtype == F16)
    root = math.sqrt(2) if dtype == F16 else 1.4140625
    want = [0.5 * value * (1 + math.erf(value / root)) for value in x.astype(float)]
    close = 2**-10 if dtype == F16 else 1e-6
    np.testing.assert_allclose(program.run(given)["y"].astype(float), want, rtol=close, atol=close / 16)


def test_each_op_is_erased_once() -> None:
    """Paths from the last of 60 residual blocks to the first one are 2^60."""
    nodes, last = list[NodeProto](), "x"
    for number in range(60):
        inner, result = f"r{number}", f"s{number}"
        nodes.append(helper.make_node("Tanh", [last], [inner]))
        nodes.append(helper.make_node("Add", [inner, last], [result]))
        last = result
    given = {"x": np.zeros((2,), np.float16)}
    model = source(nodes, given, {}, [last])
    assert lastuse.compile(model).run(given)[last].tolist() == [0, 0]
