"""
Ops of old opsets, brought to the newest.

The model as it is runs in onnxruntime, which knows all old forms; the loaded one in ONNX's reference evaluator.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from test_load import model, rebuilt, refused, value

from lastuse.dialect.ir.diagnostics import UnsupportedError
from lastuse.frontends.onnx.model import load_model

RANDOM = np.random.default_rng(5)
X = RANDOM.standard_normal((2, 6, 4, 5)).astype(np.float32)
ROWS = RANDOM.standard_normal((3, 7)).astype(np.float32)

CASES: dict[str, tuple[int, str, list[Any], dict[str, Any]]] = {
    "clip both": (10, "Clip", [X], {"min": -0.5, "max": 0.25}),
    "clip max": (7, "Clip", [X], {"max": 0.25}),
    "clip none": (6 + 1, "Clip", [X], {}),
    "clip f16": (9, "Clip", [X.astype(np.float16)], {"min": -0.5, "max": 0.25}),
    "pad constant": (9, "Pad", [ROWS], {"pads": [1, 0, 2, 3], "value": 1.5}),
    "pad f64": (10, "Pad", [ROWS.astype(np.float64)], {"pads": [1, 0, 2, 3], "value": 1.5}),
    "pad reflect": (10, "Pad", [ROWS], {"pads": [1, 0, 1, 3], "mode": "reflect", "value": 1.5}),
    "pad edge": (7, "Pad", [ROWS], {"pads": [1, 2, 0, 3], "mode": "edge"}),
    "slice": (9, "Slice", [X], {"starts": [1, -3], "ends": [4, 1000], "axes": [1, 3]}),
    "slice no axes": (7, "Slice", [X], {"starts": [0, 1], "ends": [2, -1]}),
    "softmax default": (7, "Softmax", [X], {}),
    "softmax 0": (11, "Softmax", [X], {"axis": 0}),
    "softmax 2": (12, "Softmax", [X], {"axis": 2}),
    "softmax last": (12, "Softmax", [X], {"axis": 3}),
    "softmax -1": (11, "Softmax", [X], {"axis": -1}),
    "softmax -2": (11, "Softmax", [X], {"axis": -2}),
    "softmax rows": (7, "Softmax", [ROWS], {}),
    "logsoftmax": (9, "LogSoftmax", [X], {"axis": 2}),
    "hardmax": (11, "Hardmax", [X], {"axis": 1}),
    "dropout": (7, "Dropout", [X], {"ratio": 0.3}),
    "dropout 10": (10, "Dropout", [X], {}),
    "batch norm": (7, "BatchNormalization", [X, *(np.abs(RANDOM.standard_normal((4, 6))).astype(np.float32))], {}),
    "batch norm 9": (9, "BatchNormalization", [X, *np.ones((4, 6), np.float32)], {"epsilon": 0.1}),
    "upsample": (7, "Upsample", [X], {"scales": [1.0, 1.0, 2.0, 3.0]}),
    "upsample linear": (8, "Upsample", [X], {"scales": [1.0, 1.0, 2.0, 2.0], "mode": "linear"}),
    "upsample part": (8, "Upsample", [X], {"scales": [1.0, 1.0, 1.5, 2.5]}),
    "upsample 9": (9, "Upsample", [X, np.array([1, 1, 2, 1.6], np.float32)], {"mode": "linear"}),
    "resize": (10, "Resize", [X, np.array([1, 1, 2, 1.5], np.float32)], {}),
    "resize down": (10, "Resize", [X, np.array([1, 1, 0.5, 0.75], np.float32)], {}),
    "resize linear": (10, "Resize", [X, np.array([1, 1, 0.6, 2.4], np.float32)], {"mode": "linear"}),
    "topk": (9, "TopK", [ROWS], {"k": 3}),
    "topk axis": (7, "TopK", [X], {"k": 2, "axis": 1}),
    "topk 10": (10, "TopK", [ROWS, np.array([2], np.int64)], {"axis": 0}),
    "squeeze": (11, "Squeeze", [X[:, :1, :, :1]], {"axes": [1, 3]}),
    "squeeze all": (12, "Squeeze", [X[:, :1, :, :1]], {}),
    "unsqueeze": (7, "Unsqueeze", [ROWS], {"axes": [0, 3]}),
    "reduce sum": (12, "ReduceSum", [X], {"axes": [1, 3], "keepdims": 0}),
    "reduce sum all": (11, "ReduceSum", [X], {}),
    "reduce mean": (17, "ReduceMean", [X], {"axes": [-1]}),
    "reduce max": (11, "ReduceMax", [X], {"axes": [2], "keepdims": 0}),
    "reduce l2": (7, "ReduceL2", [X], {"axes": [0]}),
    "reduce log sum exp": (13, "ReduceLogSumExp", [X], {"axes": [0, 1]}),
    "split": (11, "Split", [X], {"axis": 1, "split": [1, 3, 2]}),
    "split even": (7, "Split", [X], {"axis": 1}),
    "split 13": (13, "Split", [X], {"axis": 1}),
    "split 13 sizes": (13, "Split", [X, np.array([4, 1, 1], np.int64)], {"axis": 1}),
    "arg max": (11, "ArgMax", [X], {"axis": 2}),
    "arg min": (7, "ArgMin", [X], {"keepdims": 0}),
    "scatter": (9, "Scatter", [ROWS, np.array([[1, 0, 2]]), np.array([[8, 9, 7]], np.float32)], {}),
    "depth to space": (10, "DepthToSpace", [X[:, :4]], {"blocksize": 2}),
    "flatten": (8, "Flatten", [X], {"axis": 2}),
    "gemm": (7, "Gemm", [ROWS, ROWS, np.ones(3, np.float32)], {"transB": 1, "alpha": 2.0}),
    "cast": (7, "Cast", [X], {"to": TensorProto.INT32}),
    "max": (7, "Max", [X, X * -1], {}),
    "sum": (7, "Sum", [X, X, X], {}),
    "average pool": (7, "AveragePool", [X], {"kernel_shape": [3, 2], "pads": [1, 1, 1, 0]}),
    "average pool 10": (10, "AveragePool", [X], {"kernel_shape": [3, 2], "ceil_mode": 1, "strides": [2, 2]}),
    "max pool": (8, "MaxPool", [X], {"kernel_shape": [2, 2], "strides": [1, 2]}),
    "conv": (7, "Conv", [X, RANDOM.standard_normal((3, 6, 2, 2)).astype(np.float32)], {"pads": [1, 0, 0, 1]}),
    "equal": (7, "Equal", [np.arange(4), np.array([0, 2, 2, 5])], {}),
    "one hot": (9, "OneHot", [np.array([0, 2]), np.array(3), np.array([0.0, 1.0], np.float32)], {}),
    "group norm": (18, "GroupNormalization", [X, *np.array([[1, 2, 3], [0, 1, 4]], np.float32)], {"num_groups": 3}),
    "grid sample": (16, "GridSample", [X, RANDOM.uniform(-1, 1, (2, 3, 3, 2)).astype(np.float32)],
                    {"mode": "bilinear", "align_corners": 1}),
    "dft": (17, "DFT", [X[..., :1]], {"axis": 2}),
    "mean variance": (9, "MeanVarianceNormalization", [X], {"axes": [0, 2]}),
    "cumsum": (11, "CumSum", [X, np.array(1)], {"reverse": 1}),
    "gru": (7, "GRU", [RANDOM.standard_normal(s).astype(np.float32) for s in ((5, 2, 3), (1, 12, 3), (1, 12, 4))],
            {"hidden_size": 4, "linear_before_reset": 1}),
    "lstm": (7, "LSTM", [RANDOM.standard_normal(s).astype(np.float32) for s in ((5, 2, 3), (1, 16, 3), (1, 16, 4))],
             {"hidden_size": 4}),
}  # fmt: skip
RESULTS = {"Split": 3, "TopK": 2, "LSTM": 3, "GRU": 2}


def old_model(case: str, ranked: bool) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """The model of a case, its first operand as an input; with the shape of inputs stated, or not."""
    opset, op, operands, attributes = CASES[case]
    arrays = [np.asarray(operand) for operand in operands]
    names = [f"x{place}" for place in range(len(arrays))]
    results = [f"y{place}" for place in range(RESULTS.get(op, 1))]
    # A node in between: its result is ranked only by inference.
    nodes = [
        helper.make_node("Identity", ["x0"], ["x"]),
        helper.make_node(op, ["x", *names[1:]], results, **attributes),
    ]
    dtype = helper.np_dtype_to_tensor_dtype(arrays[0].dtype)
    shape = list(arrays[0].shape) if ranked else None
    weights = [numpy_helper.from_array(array, name) for array, name in zip(arrays[1:], names[1:], strict=True)]
    graph = helper.make_graph(nodes, case, [value("x0", shape, dtype)], [value(name) for name in results], weights)
    for output in graph.output:
        output.ClearField("type")
    return model(graph, opset), {"x0": arrays[0]}


def outputs_of_original(proto: onnx.ModelProto, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
    inferred = onnx.shape_inference.infer_shapes(proto)
    types = {v.name: v.type for v in inferred.graph.output}
    for output in proto.graph.output:
        output.type.CopyFrom(types[output.name])
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return [np.asarray(result) for result in session.run(None, feed)]


@pytest.mark.parametrize("ranked", [True, False], ids=["ranked", "unranked"])
@pytest.mark.parametrize("case", CASES)
def test_newest_form_means_the_same(case: str, ranked: bool) -> None:
    proto, feed = old_model(case, ranked)
    loaded = load_model(proto.SerializeToString())
    expected = outputs_of_original(proto, feed)
    got = ReferenceEvaluator(rebuilt(loaded)).run(None, feed)
    assert isinstance(got, list)
    for a, b in zip(got, expected, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=2e-3 if a.dtype == np.float16 else 1e-4, atol=1e-5)
    assert {loaded.location(node).line for node in loaded.graph.node} <= {1, 2}


@pytest.mark.parametrize(
    ("node", "opset", "message"),
    [
        (helper.make_node("Dropout", ["x"], ["y", "mask"]), 9, "the mask of Dropout"),
        (helper.make_node("BatchNormalization", ["x"] * 5, ["y", "mean", "var"]), 9, "training"),
        (helper.make_node("BatchNormalization", ["x"] * 5, ["y"], spatial=0), 8, "cannot be brought to opset"),
        (helper.make_node("Gelu", ["x"], ["y"]), 13, "opset 13 has no Gelu"),
        (helper.make_node("Upsample", ["x", "x"], ["y"]), 13, "opset 13 has no Upsample any more"),
        (helper.make_node("Relu", ["x"], ["y"], alpha=1.0), 13, "no attribute 'alpha'"),
        (helper.make_node("Relu", ["x", "x"], ["y"]), 13, "has 1 inputs, this node 2"),
        (helper.make_node("Concat", ["x", "x"], ["y"]), 13, "'axis' is missing"),
        (helper.make_node("Concat", ["x", "x"], ["y"], axis=1.5), 13, "is of type FLOAT, not INT"),
        (helper.make_node("Relu", ["x"], ["y"]), 6, "opset 6 is not supported; 7 to"),
        (helper.make_node("Relu", ["x"], ["y"]), 1000, "opset 1000 is not supported"),
    ],
)
def test_what_has_no_newest_form_is_refused(node: onnx.NodeProto, opset: int, message: str) -> None:
    graph = helper.make_graph([node], "g", [value("x", [2, 3])], [value(name) for name in node.output])
    assert message in (error := refused(model(graph, opset).SerializeToString())).message
    assert error.location is not None and error.location.line == 1


@pytest.mark.parametrize("opset", [7, 9])
def test_a_mask_of_dropout_that_nothing_reads_is_left_out(opset: int) -> None:
    nodes = [helper.make_node("Dropout", ["x"], ["a", "mask"], ratio=0.5), helper.make_node("Neg", ["a"], ["y"])]
    graph = helper.make_graph(nodes, "g", [value("x", [2, 3])], [value("y")])
    loaded = load_model(model(graph, opset).SerializeToString())
    (y,) = ReferenceEvaluator(rebuilt(loaded)).run(None, {"x": np.ones((2, 3), np.float32)})
    np.testing.assert_array_equal(y, -np.ones((2, 3), np.float32))


def test_scan_of_opset_8_is_not_supported() -> None:
    body = helper.make_graph([helper.make_node("Neg", ["a"], ["b"])], "body", [value("a")], [value("b")])
    node = helper.make_node("Scan", ["", "x"], ["y"], body=body, num_scan_inputs=1)
    graph = helper.make_graph([node], "g", [value("x", [1, 2, 3])], [value("y")])
    error = refused(model(graph, 8).SerializeToString())
    assert isinstance(error, UnsupportedError) and "Scan of opset 8" in error.message


def test_an_unchanged_node_stays_as_it_is() -> None:
    """Attributes and names of ops that the newest opset has as they were, in ONNX's domain and others."""
    nodes = [
        helper.make_node("LeakyRelu", ["x"], ["a"], alpha=0.25, name="kept"),
        helper.make_node("FastGelu", ["a"], ["b"], domain="com.microsoft", name="other", foo=[1, 2]),
        helper.make_node("Scaler", ["b"], ["y"], domain="ai.onnx.ml", scale=[2.0]),
    ]
    graph = helper.make_graph(nodes, "g", [value("x", [2])], [value("y")])
    imports = [helper.make_opsetid(d, v) for d, v in (("ai.onnx", 16), ("com.microsoft", 1), ("ai.onnx.ml", 3))]
    loaded = load_model(model(graph, opset_imports=imports).SerializeToString())
    assert list(loaded.graph.node) == nodes
    assert {k: v for k, v in loaded.opsets.items() if k} == {"com.microsoft": 1, "ai.onnx.ml": 3}
