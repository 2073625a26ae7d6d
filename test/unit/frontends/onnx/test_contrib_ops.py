"""Quantised ops of onnxruntime's own domain: results are those of onnxruntime, but for one step of the scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

DOMAIN = "com.microsoft"
Array = np.ndarray
RNG = np.random.default_rng(0)


class Node(NamedTuple):
    """A node of one op.

    Attributes:
        inputs: arrays, None for those that are left out; the first ones are inputs of the model, the others constants.
        given: how many are inputs.
        result: the element type of the result.
    """

    op_type: str
    inputs: Sequence[Array | None]
    attributes: Mapping[str, Any]
    result: type = np.uint8
    given: int = 1


def scale(value: float) -> Array:
    return np.float32(value).reshape(())


def zero(value: int, dtype: type = np.uint8) -> Array:
    return np.asarray(value, dtype)


def integers(shape: Sequence[int], dtype: type = np.uint8) -> Array:
    limits = np.iinfo(dtype)
    return RNG.integers(limits.min, limits.max + 1, shape).astype(dtype)


U8, I8 = np.uint8, np.int8
NODES = {
    "add": Node(
        "QLinearAdd",
        [
            integers((2, 3, 17)),
            scale(0.1),
            zero(7),
            integers((2, 3, 17)),
            scale(0.03),
            zero(200),
            scale(0.11),
            zero(90),
        ],
        {},
    ),
    "add of i8 and a row": Node(
        "QLinearAdd",
        [integers((2, 5), I8), scale(0.1), zero(-7, I8), integers((5,), I8), scale(0.2), zero(9, I8), scale(0.3)],
        {},
        I8,
    ),
    "add of one number": Node(
        "QLinearAdd",
        [integers((3, 70)), scale(0.1), zero(7), integers(()), scale(0.05), zero(3), scale(0.11), zero(90)],
        {},
    ),
    "add along a middle axis": Node(
        "QLinearAdd",
        [
            integers((3, 4, 2, 5)),
            scale(0.1),
            zero(7),
            integers((3, 1, 1, 5)),
            scale(0.05),
            zero(3),
            scale(0.11),
            zero(9),
        ],
        {},
    ),
    "mul": Node(
        "QLinearMul",
        [integers((2, 3, 4)), scale(0.1), zero(7), integers((3, 1)), scale(0.05), zero(90), scale(0.4), zero(128)],
        {},
    ),
    "sigmoid": Node("QLinearSigmoid", [integers((5, 60)), scale(0.05), zero(128), scale(1 / 256), zero(0)], {}),
    "sigmoid of i8": Node(
        "QLinearSigmoid", [integers((5, 6), I8), scale(0.05), None, scale(1 / 256), zero(-128, I8)], {}, I8
    ),
    "leaky relu": Node(
        "QLinearLeakyRelu", [integers((5, 60)), scale(0.05), zero(100), scale(0.04), zero(60)], {"alpha": 0.25}
    ),
    "softmax": Node(
        "QLinearSoftmax",
        [integers((2, 3, 9)), scale(0.02), zero(128), scale(1 / 256), zero(0)],
        {"opset": 13, "axis": 1},
    ),
    "softmax of rows": Node(
        "QLinearSoftmax",
        [integers((2, 3, 5)), scale(0.02), zero(128), scale(1 / 256), zero(0)],
        {"opset": 11, "axis": 1},
    ),
    "concat": Node(
        "QLinearConcat",
        [scale(0.1), zero(100), integers((2, 3)), scale(0.1), zero(100), integers((2, 4)), scale(0.05), zero(30)],
        {"axis": 1},
        given=0,
    ),
    "average pool": Node(
        "QLinearAveragePool",
        [integers((1, 3, 9, 8)), scale(0.1), zero(7), scale(0.08), zero(9)],
        {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1], "count_include_pad": 0},
    ),
    "average pool, padding counted": Node(
        "QLinearAveragePool",
        [integers((1, 3, 9, 8)), scale(0.1), zero(7), scale(0.08), zero(9)],
        {"kernel_shape": [3, 2], "pads": [1, 0, 1, 1], "count_include_pad": 1},
    ),
    "average pool, channels last": Node(
        "QLinearAveragePool",
        [integers((1, 9, 8, 3)), scale(0.1), zero(7), scale(0.08), zero(9)],
        {"kernel_shape": [2, 2], "channels_last": 1},
    ),
    "global average pool": Node(
        "QLinearGlobalAveragePool", [integers((2, 5, 7, 6)), scale(0.1), zero(120), scale(0.02), zero(100)], {}
    ),
    "global average pool, channels last": Node(
        "QLinearGlobalAveragePool",
        [integers((2, 7, 6, 5)), scale(0.1), zero(120), scale(0.02), zero(100)],
        {"channels_last": 1},
    ),
    "gemm": Node(
        "QGemm",
        [
            *(integers((4, 6)), scale(0.1), zero(7), integers((6, 5), I8), scale(0.02), zero(0, I8)),
            *(RNG.integers(-5000, 5000, 5).astype(np.int32), scale(0.4), zero(120)),
        ],
        {},
    ),
    "gemm of turned weights with a scale for each column": Node(
        "QGemm",
        [
            *(integers((4, 6)), scale(0.1), zero(7), integers((5, 6), I8), RNG.random(5).astype(np.float32) / 50),
            *(np.zeros(5, I8), RNG.integers(-5000, 5000, 5).astype(np.int32), scale(0.4), zero(120)),
        ],
        {"transB": 1, "alpha": 0.5},
    ),
    "gemm to f32": Node(
        "QGemm",
        [integers((4, 6)), scale(0.1), zero(7), integers((6, 5)), scale(0.02), zero(100)],
        {"alpha": 2.0},
        np.float32,
    ),
    "where": Node(
        "QLinearWhere",
        [
            *(RNG.random((3, 4)) > 0.5, integers((3, 4)), scale(0.1), zero(7), integers((1, 4)), scale(0.2), zero(9)),
            *(scale(0.2), zero(60)),
        ],
        {},
    ),
    "matmul to f32": Node(
        "MatMulIntegerToFloat",
        [
            *(integers((2, 4, 6)), integers((6, 5), I8), scale(0.1), RNG.random(5).astype(np.float32)),
            *(zero(100), RNG.integers(-9, 9, 5).astype(I8), RNG.normal(size=5).astype(np.float32)),
        ],
        {},
        np.float32,
    ),
    "dynamic matmul": Node(
        "DynamicQuantizeMatMul",
        [
            *(RNG.normal(size=(2, 4, 6)).astype(np.float32), integers((6, 5), I8)),
            *(RNG.random(5).astype(np.float32), None, RNG.normal(size=5).astype(np.float32)),
        ],
        {},
        np.float32,
    ),
}


def model_of(node: Node, domain: str = DOMAIN) -> onnx.ModelProto:
    """A model of one node. The names of inputs are their numbers."""
    names = ["" if array is None else f"i{k}" for k, array in enumerate(node.inputs)]
    while names and not names[-1]:
        names.pop()
    made = helper.make_node(node.op_type, names, ["y"], domain=domain, **node.attributes)
    element = helper.np_dtype_to_tensor_dtype(np.dtype(node.result))
    inputs = [
        helper.make_tensor_value_info(f"i{k}", helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for k, array in enumerate(node.inputs[: node.given])
        if array is not None
    ]
    constants = [
        numpy_helper.from_array(array, f"i{k}")
        for k, array in enumerate(node.inputs)
        if k >= node.given and array is not None
    ]
    outputs = [helper.make_tensor_value_info("y", element, None)]
    graph = helper.make_graph([made], "graph", inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def feeds_of(node: Node) -> dict[str, Array]:
    return {f"i{k}": array for k, array in enumerate(node.inputs[: node.given]) if array is not None}


@pytest.mark.parametrize("quantized", ["integers", "model"])
@pytest.mark.parametrize("name", NODES)
def test_results_are_those_of_onnxruntime(name: str, quantized: str) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    node = NODES[name]
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    data = model_of(node).SerializeToString()
    session = onnxruntime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
    want = np.asarray(session.run(None, feeds_of(node))[0])
    (got,) = lastuse.compile(data, quantized=quantized).run(feeds_of(node)).values()
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    if want.dtype == np.float32:
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
        return
    steps = np.abs(got.astype(np.int64) - want)
    assert steps.max() <= 1
    assert np.ptp(want.astype(np.int64)) > 4, "the case tells little"


def test_elements_are_looked_up_where_one_value_decides_them() -> None:
    for name in ("sigmoid", "leaky relu"):
        program = lastuse.compile(model_of(NODES[name]).SerializeToString())
        program.run(feeds_of(NODES[name]))
        assert program.latest.engines == {"native": 1}


@pytest.mark.parametrize(
    "node, message",
    [
        (NODES["add"]._replace(inputs=NODES["add"].inputs[:6]), "it has 7 to 8 inputs, this node 6"),
        (NODES["leaky relu"]._replace(attributes={"beta": 1.0}), "there is no attribute 'beta'"),
        (NODES["leaky relu"]._replace(attributes={"alpha": 1}), "the attribute 'alpha' has another type"),
        (NODES["concat"]._replace(attributes={}), "the attribute 'axis' is missing"),
        (NODES["concat"]._replace(inputs=NODES["concat"].inputs[:7]), "each with its scale and zero point"),
        (NODES["softmax"]._replace(attributes={"opset": 13, "axis": 3}), "axis 3 is outside of 3 axes"),
        (
            NODES["mul"]._replace(inputs=[np.zeros((2, 3, 4), np.float32), *NODES["mul"].inputs[1:]]),
            "input 0 has element type f32, not i8 or ui8",
        ),
        (
            NODES["sigmoid"]._replace(inputs=[*NODES["sigmoid"].inputs[:3], np.ones(60, np.float32), zero(0)]),
            "input 3 must be one number",
        ),
    ],
)
def test_a_wrong_node_is_one_error(node: Node, message: str) -> None:
    with pytest.raises(LastuseError, match=message):
        lastuse.compile(model_of(node).SerializeToString()).run(feeds_of(node))


def test_an_op_of_another_domain_is_not_taken_for_one_of_onnxruntime() -> None:
    with pytest.raises(LastuseError, match=r"unsupported ops: other\.QLinearAdd"):
        lastuse.compile(model_of(NODES["add"], "other").SerializeToString()).run(feeds_of(NODES["add"]))
