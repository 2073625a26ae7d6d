"""Ops that onnxruntime's optimizer fuses: results are those of onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from onnx import helper, numpy_helper

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

ort = pytest.importorskip("onnxruntime")
Array = np.ndarray
RNG = np.random.default_rng(0)


def normal(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


class Node(NamedTuple):
    """A node of one op; the first input is the model's, the others are constants, or left out."""

    op_type: str
    inputs: Sequence[Array | None]
    attributes: Mapping[str, Any] = {}
    outputs: Sequence[str] = ("y",)


X, W = normal(1, 4, 7, 6), normal(6, 4, 3, 3)
ROWS, SCALE, SHIFT, BIAS = normal(2, 5, 8), normal(8), normal(8), normal(8)
NODES = {
    "conv relu": Node("FusedConv", [X, W, normal(6)], {"activation": "Relu", "pads": [1, 1, 1, 1]}),
    "conv without activation": Node("FusedConv", [X, W, None, normal(1, 6, 5, 4)]),
    "conv sum leaky": Node(
        "FusedConv",
        [X, normal(8, 2, 3, 3), normal(8), normal(1, 8, 3, 2)],
        {"activation": "LeakyRelu", "activation_params": [0.3], "group": 2, "strides": [2, 2]},
    ),
    "conv clip": Node("FusedConv", [X, W], {"activation": "Clip", "activation_params": [-0.5, 0.5]}),
    "conv hard sigmoid": Node("FusedConv", [X, W], {"activation": "HardSigmoid", "activation_params": [0.3, 0.4]}),
    "conv tanh": Node("FusedConv", [X, W], {"activation": "Tanh", "dilations": [2, 2]}),
    "gemm relu": Node("FusedGemm", [normal(3, 4), normal(5, 4), normal(5)], {"activation": "Relu", "transB": 1}),
    "gemm leaky": Node(
        "FusedGemm",
        [normal(3, 4), normal(4, 5)],
        {"activation": "LeakyRelu", "activation_alpha": 0.2, "alpha": 0.5},
    ),
    "matmul": Node("FusedMatMul", [normal(2, 3, 4, 5), normal(2, 3, 4, 6)], {"transA": 1, "alpha": 0.25}),
    "matmul of both": Node("FusedMatMul", [normal(4, 5), normal(6, 4)], {"transA": 1, "transB": 1}),
    "matmul of batches": Node(
        "FusedMatMul", [normal(4, 2, 3, 5), normal(5, 2, 3, 6)], {"transBatchA": 1, "transBatchB": 1}
    ),
    "matmul of one batch": Node("FusedMatMul", [normal(4, 2, 5), normal(2, 5, 6)], {"transBatchA": 1, "alpha": 0.5}),
    "matmul of both batches": Node(
        "FusedMatMul",
        [normal(5, 2, 3, 4), normal(6, 2, 3, 5)],
        {"transBatchA": 1, "transBatchB": 1, "transA": 1, "transB": 1},
    ),
    "gelu": Node("Gelu", [ROWS]),
    "bias gelu": Node("BiasGelu", [ROWS, BIAS]),
    "fast gelu": Node("FastGelu", [ROWS, BIAS]),
    "fast gelu without bias": Node("FastGelu", [ROWS]),
    "quick gelu": Node("QuickGelu", [ROWS], {"alpha": 1.5}),
    "skip norm": Node("SkipLayerNormalization", [ROWS, normal(2, 5, 8), SCALE, SHIFT, BIAS], {"epsilon": 1e-5}),
    "skip norm with sum": Node(
        "SkipLayerNormalization", [ROWS, normal(2, 5, 8), SCALE], {"epsilon": 1e-5}, ("y", "", "", "sum")
    ),
    "skip rms norm": Node(
        "SkipSimplifiedLayerNormalization",
        [ROWS, normal(2, 5, 8), SCALE, BIAS],
        {"epsilon": 1e-5},
        ("y", "", "", "sum"),
    ),
}


def model_of(node: Node, domain: str = "com.microsoft", opset: int = 17) -> bytes:
    names = ["x", *(f"i{number}" if a is not None else "" for number, a in enumerate(node.inputs[1:]))]
    first = node.inputs[0]
    assert first is not None
    weights = [numpy_helper.from_array(a, n) for n, a in zip(names[1:], node.inputs[1:], strict=True) if a is not None]
    graph = helper.make_graph(
        [helper.make_node(node.op_type, names, node.outputs, name="fused", domain=domain, **node.attributes)],
        "g",
        [helper.make_tensor_value_info("x", 1, first.shape)],
        [helper.make_tensor_value_info(name, 1, None) for name in node.outputs if name],
        weights,
    )
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def check(model: bytes, x: Array) -> None:
    session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    wanted = session.run(None, {"x": x})
    got = lastuse.compile(model, threads=1).run({"x": x})
    for output, want in zip(session.get_outputs(), wanted, strict=True):
        np.testing.assert_allclose(got[output.name], want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", NODES)
def test_results_are_those_of_onnxruntime(name: str) -> None:
    x = NODES[name].inputs[0]
    assert x is not None
    check(model_of(NODES[name]), x)


def test_a_layer_norm_may_be_in_a_model_of_an_older_opset() -> None:
    """onnxruntime's optimizer writes it there, and one that ONNX has under another name."""
    check(model_of(Node("LayerNormalization", [ROWS, SCALE, SHIFT], {"axis": -1}), domain="", opset=12), ROWS)
    norm = Node("SimplifiedLayerNormalization", [ROWS, SCALE], {"axis": -1, "epsilon": 1e-6, "stash_type": 1})
    check(model_of(norm, domain="", opset=12), ROWS)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (Node("FusedConv", [X, W], {"activation": "Swish"}), "the activation 'Swish' is not supported"),
        (Node("FusedConv", [X, W], {"activation": "Clip"}), "takes a least and a largest number"),
        (
            Node("FusedConv", [X, W], {"activation": "Relu", "activation_params": [1.0]}),
            "the activation Relu has 0 parameters, not 1",
        ),
        (Node("FusedConv", [X, W], {"activation": 3}), "the attribute 'activation' has another type"),
        (Node("FusedGemm", [normal(3, 4), normal(4, 5)], {"activation_alpha": [1.0]}), "has another type"),
        (Node("QuickGelu", [ROWS, BIAS]), "it has 1 to 1 inputs, this node 2"),
        (
            Node("SkipLayerNormalization", [ROWS, normal(2, 5, 8), SCALE], {}, ("y", "mean")),
            "means and deviations are not supported",
        ),
    ],
    ids=lambda part: "" if isinstance(part, Node) else part.split()[-1],
)
def test_what_is_not_read_is_one_error(node: Node, said: str) -> None:
    with pytest.raises(LastuseError, match=said) as caught:
        lastuse.compile(model_of(node))
    assert str(caught.value).startswith("<bytes>:1:1: error: ")


def test_a_model_that_onnxruntime_saved_optimized(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Flatten", ["r"], ["f"]),
        helper.make_node("MatMul", ["f", "v"], ["m"]),
        helper.make_node("Add", ["m", "u"], ["a"]),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    arrays = {"w": W, "b": normal(6), "v": normal(120, 3), "u": normal(3)}
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, X.shape)],
        [helper.make_tensor_value_info("y", 1, None)],
        [numpy_helper.from_array(a, name) for name, a in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)], ir_version=8)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(tmp_path / "fused.onnx")
    ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    fused = (tmp_path / "fused.onnx").read_bytes()
    assert b"FusedConv" in fused and b"FusedGemm" in fused
    check(fused, X)
