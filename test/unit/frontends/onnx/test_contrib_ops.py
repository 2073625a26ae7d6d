"""Quantised ops of onnxruntime's own domain: results are those of onnxruntime, to the bit where scales are a power of
two times each other, else but for one step of the scale."""

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


HALF = 0.5 / 255
TIES = {
    **{
        f"{name} with ties": NODES[name]
        for name in (
            *("add of i8 and a row", "add along a middle axis", "mul", "sigmoid", "leaky relu", "softmax"),
            *("softmax of rows", "concat", "average pool", "average pool, padding counted", "where"),
        )
    },
    "add": NODES["add"]._replace(inputs=[integers((70, 90)), *NODES["add"].inputs[1:3], integers((70, 90))]),
    "add to one axis": Node(
        "QLinearAdd", [integers((70,)), scale(1), zero(7), integers(()), scale(1), zero(3), scale(1), zero(90)], {}
    ),
    "add of every byte to one number": Node(
        "QLinearAdd",
        [np.arange(256).astype(U8), scale(1), zero(7), zero(255), scale(1), zero(0), scale(1), zero(90)],
        {},
    ),
    "add of i8 to every byte": Node(
        "QLinearAdd",
        [
            *(np.arange(-128, 128).astype(I8).repeat(256), scale(1), zero(7, I8)),
            *(np.tile(np.arange(-128, 128).astype(I8), 256), scale(1), zero(3, I8), scale(1), zero(9, I8)),
        ],
        {},
        I8,
    ),
    "mul of every byte": Node(
        "QLinearMul",
        [
            *(np.arange(256).astype(U8).repeat(256), scale(1), zero(7)),
            *(np.tile(np.arange(256).astype(U8), 256), scale(1), zero(3), scale(1), zero(9)),
        ],
        {},
    ),
    "global average pool": Node(
        "QLinearGlobalAveragePool", [integers((2, 90, 8, 4)), scale(1), zero(120), scale(1), zero(100)], {}
    ),
    "global average pool of 98": Node(
        "QLinearGlobalAveragePool", [integers((1, 900, 7, 14)), scale(1), zero(120), scale(1), zero(100)], {}
    ),
    "global average pool, channels last": Node(
        "QLinearGlobalAveragePool",
        [integers((2, 8, 8, 90)), scale(1), zero(120), scale(1), zero(100)],
        {"channels_last": 1},
    ),
    "average pool of i8": Node(
        "QLinearAveragePool",
        [integers((1, 3, 19, 18), I8), scale(1), zero(7, I8), scale(1), zero(9, I8)],
        {"kernel_shape": [2, 2]},
        I8,
    ),
}
"""Nodes whose scales and zero points are drawn: all scales are one number times powers of two."""
TIES["add"] = TIES["add"]._replace(inputs=[*TIES["add"].inputs, *NODES["add"].inputs[4:]])


def drawn(node: Node, rng: np.random.Generator) -> Node:
    """The node with scales that make ties, and zero points at the bounds, near them, and odd."""
    step = np.float32(rng.uniform(0.01, 0.1))
    made: list[Array | None] = []
    for number, array in enumerate(node.inputs):
        if array is None or number < node.given or array.size > 8:
            made.append(array)
        elif array.dtype == np.float32:
            made.append((step * np.float32(2) ** rng.integers(-2, 2, array.shape)).astype(np.float32))
        elif array.shape == () and array.dtype.itemsize == 1:
            limits = np.iinfo(array.dtype)
            made.append(np.asarray(rng.choice([limits.min, limits.max, 3, 64, 77]), array.dtype))
        else:
            made.append(array)
    return node._replace(inputs=made)


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


def both_results(node: Node, quantized: str, domain: str = DOMAIN) -> tuple[Array, Array]:
    """What onnxruntime computes without optimizations, and what the compiled model does."""
    onnxruntime = pytest.importorskip("onnxruntime")
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    data = model_of(node, domain).SerializeToString()
    session = onnxruntime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
    want = np.asarray(session.run(None, feeds_of(node))[0])
    (got,) = lastuse.compile(data, quantized=quantized).run(feeds_of(node)).values()
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    return want, got


@pytest.mark.parametrize("quantized", ["integers", "model"])
@pytest.mark.parametrize("name", TIES)
def test_ties_are_rounded_as_in_onnxruntime(name: str, quantized: str) -> None:
    rng = np.random.default_rng(len(name))
    inner = 0
    for _ in range(6):
        node = drawn(TIES[name], rng)
        want, got = both_results(node, quantized)
        np.testing.assert_array_equal(got, want)
        inner += len(np.unique(want)) > 4
    assert inner, "all results are at the bounds"


@pytest.mark.parametrize("quantized", ["integers", "model"])
def test_a_product_with_a_constant_half_is_that_of_onnxruntime(quantized: str) -> None:
    """The scale of one number, 255 steps, is no power of two times the others; half of the products are ties."""
    every = np.arange(256).astype(U8)
    for step in RNG.uniform(0.01, 0.1, 5):
        scales = scale(step), zero(98), zero(255), scale(HALF), zero(0), scale(step)
        node = Node("QLinearMul", [every, *scales, zero(77)], {})
        want, got = both_results(node, quantized)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("quantized", ["integers", "model"])
@pytest.mark.parametrize("bytes_of_x", [U8, I8])
@pytest.mark.parametrize("op_type", ["QGemm", "QLinearConv", "QLinearMatMul"])
def test_ties_of_products_are_rounded_as_in_onnxruntime(op_type: str, bytes_of_x: type, quantized: str) -> None:
    """The weights' scales are powers of two, for each column where the op allows it."""
    rng = np.random.default_rng(3)
    for step, at in zip(rng.uniform(0.01, 0.1, 3), (0, 255, 3), strict=True):
        start = zero(np.iinfo(bytes_of_x).min + at, bytes_of_x)
        columns = np.float32(2) ** rng.integers(-11, -7, 9).astype(np.float32)
        x = integers((1, 40, 7, 5) if op_type == "QLinearConv" else (40, 40), bytes_of_x)
        weights = integers((9, 40, 3, 1) if op_type == "QLinearConv" else (40, 9), I8)
        bias, result = rng.integers(-5000, 5000, 9).astype(np.int32), (scale(step * 2), start)
        operands = [x, scale(step), start, weights, columns, np.zeros(9, I8)]
        ends = {"QGemm": [bias, *result], "QLinearConv": [*result, bias], "QLinearMatMul": [*result]}
        node = Node(op_type, [*operands, *ends[op_type]], {}, bytes_of_x)
        want, got = both_results(node, quantized, DOMAIN if op_type == "QGemm" else "")
        assert len(np.unique(want)) > 20
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("quantized", ["integers", "model"])
@pytest.mark.parametrize("name", NODES)
def test_results_are_those_of_onnxruntime(name: str, quantized: str) -> None:
    want, got = both_results(NODES[name], quantized)
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
