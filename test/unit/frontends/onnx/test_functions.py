"""Functions of a model and bodies of ops, in place of their calls."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import FunctionProto, ModelProto, NodeProto, helper
from onnx.reference import ReferenceEvaluator
from test_load import model, rebuilt, refused, value

from lastuse.dialect.ir.diagnostics import Location
from lastuse.frontends.onnx.functions import expand
from lastuse.frontends.onnx.model import load_model
from lastuse.frontends.onnx.opsets import NEWEST
from lastuse.frontends.onnx.scopes import Names, all_graphs

X = np.random.default_rng(2).standard_normal((3, 4)).astype(np.float32)
DOMAIN = "my.functions"


def function(name: str, nodes: list[NodeProto], opset: int = NEWEST, **parts: object) -> FunctionProto:
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, 1)]
    made = helper.make_function(DOMAIN, name, ["a", "b"], ["r"], nodes, imports)
    for key, part in parts.items():
        getattr(made, key).extend(part) if isinstance(part, list) else setattr(made, key, part)
    return made


def call(name: str, inputs: list[str], outputs: list[str], **attributes: object) -> NodeProto:
    return helper.make_node(name, inputs, outputs, domain=DOMAIN, name=f"call of {name}", **attributes)


def calling(nodes: list[NodeProto], functions: list[FunctionProto], opset: int = NEWEST) -> ModelProto:
    graph = helper.make_graph(nodes, "g", [value("x", [3, 4])], [value("y")])
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, 1)]
    return model(graph, opset_imports=imports, functions=functions)


def run(proto: ModelProto) -> np.ndarray:
    loaded = load_model(proto.SerializeToString())
    assert not any(node.domain for graph in all_graphs(loaded.graph) for node in graph.node)
    (got,) = ReferenceEvaluator(rebuilt(loaded)).run(None, {"x": X})  # pyright: ignore
    return np.asarray(got)


def reference(node: NodeProto, attribute: str, name: str, kind: int) -> NodeProto:
    """The node with an attribute that stands for one of its function."""
    node.attribute.append(onnx.AttributeProto(name=attribute, ref_attr_name=name, type=kind))
    return node


def test_calls_within_calls_are_replaced() -> None:
    inner = function("inner", [helper.make_node("Mul", ["a", "b"], ["t"]), helper.make_node("Neg", ["t"], ["r"])])
    outer = function("outer", [call("inner", ["a", "b"], ["t"]), call("inner", ["t", "a"], ["r"])])
    nodes = [helper.make_node("Abs", ["x"], ["t"]), call("outer", ["x", "t"], ["z"]), call("inner", ["z", "t"], ["y"])]
    proto = calling(nodes, [outer, inner])
    np.testing.assert_allclose(run(proto), -X * X * abs(X) * abs(X), rtol=1e-6)
    loaded = load_model(proto.SerializeToString())
    assert [loaded.location(node).line for node in loaded.graph.node] == [1, 2, 2, 2, 2, 3, 3]
    assert loaded.location(loaded.graph.node[-1]).col == 2


def test_attributes_of_calls_and_defaults_reach_the_body() -> None:
    node = reference(helper.make_node("LeakyRelu", ["a"], ["r"]), "alpha", "slope", onnx.AttributeProto.FLOAT)
    leaky = function("leaky", [node], attribute_proto=[helper.make_attribute("slope", 0.5)])
    stated, default = call("leaky", ["x"], ["y"], slope=0.125), call("leaky", ["x"], ["y"])
    for proto, slope in ((calling([stated], [leaky]), 0.125), (calling([default], [leaky]), 0.5)):
        np.testing.assert_allclose(run(proto), np.where(X < 0, X * slope, X), rtol=1e-6)


def test_a_missing_input_of_a_call_is_missing_in_the_body() -> None:
    clip = function("clip", [helper.make_node("Clip", ["a", "", "b"], ["r"])])
    np.testing.assert_array_equal(run(calling([call("clip", ["x"], ["y"])], [clip])), X)


def test_a_function_has_an_opset_of_its_own() -> None:
    """ReduceSum took its axes as an attribute until opset 13."""
    nodes = [helper.make_node("ReduceSum", ["a"], ["r"], axes=[1], keepdims=0)]
    old = function("total", nodes, opset=11)
    np.testing.assert_allclose(run(calling([call("total", ["x"], ["y"])], [old])), X.sum(1), rtol=1e-5)


def test_overloads_are_told_apart() -> None:
    one = function("f", [helper.make_node("Neg", ["a"], ["r"])], overload="one")
    two = function("f", [helper.make_node("Abs", ["a"], ["r"])], overload="two")
    node = call("f", ["x"], ["y"])
    node.overload = "two"
    np.testing.assert_array_equal(run(calling([node], [one, two])), abs(X))


def test_functions_that_do_not_end_are_refused() -> None:
    circle = [function("f", [call("g", ["a"], ["r"])]), function("g", [call("f", ["a"], ["r"])])]
    assert "calls itself" in refused(calling([call("f", ["x"], ["y"])], circle).SerializeToString()).message
    doubling = [
        function(f"f{n}", [call(f"f{n + 1}", ["a"], ["t"]), call(f"f{n + 1}", ["t"], ["r"])]) for n in range(30)
    ]
    doubling.append(function("f30", [helper.make_node("Neg", ["a"], ["r"])]))
    proto = calling([call("f0", ["x"], ["y"])], doubling)
    assert "more than 100,000 nodes" in refused(proto.SerializeToString()).message
    chain = [function(f"f{n}", [call(f"f{n + 1}", ["a"], ["r"])]) for n in range(5000)]
    chain.append(function("f5000", [helper.make_node("Neg", ["a"], ["r"])]))
    error = refused(
        calling([helper.make_node("Abs", ["x"], ["z"]), call("f0", ["z"], ["y"])], chain).SerializeToString()
    )
    assert "5001 deep" in error.message and error.location is not None and error.location.line == 2


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        ([function("f", []), function("f", [])], "is there twice"),
        ([helper.make_function("", "f", [], [], [], [])], "in ONNX's own domain"),
        ([function("f", [helper.make_node("Neg", ["missing"], ["r"])])], "which nothing makes"),
        (
            [helper.make_function(DOMAIN, "f", [], ["r"], [], [helper.make_opsetid("", NEWEST)])],
            "has 0 inputs, a call of it 1",
        ),
    ],
)
def test_wrong_functions_are_refused(functions: list[FunctionProto], message: str) -> None:
    assert message in refused(calling([call("f", ["x"], ["y"])], functions).SerializeToString()).message


EXPANDED = {
    "Gelu": (helper.make_node("Gelu", ["x"], ["y"], approximate="tanh"), [X]),
    "Celu": (helper.make_node("Celu", ["x"], ["y"]), [X]),
    "LayerNormalization": (helper.make_node("LayerNormalization", ["x", "s"], ["y"]), [X, X[0]]),
    "MeanVarianceNormalization": (helper.make_node("MeanVarianceNormalization", ["x"], ["y"], axes=[0]), [X]),
    "HannWindow": (helper.make_node("HannWindow", ["n"], ["y"]), [np.array(6)]),
}


@pytest.mark.parametrize("op", EXPANDED)
def test_the_body_of_an_op_means_the_op(op: str) -> None:
    node, arrays = EXPANDED[op]
    feed = dict(zip(node.input, arrays, strict=True))
    types = [helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for a in arrays]
    nodes = expand(node, NEWEST, types, Names([*node.input, "y"]), Location("m.onnx"))
    assert nodes is not None and all(new.op_type != op for new in nodes)
    assert {name for new in nodes for name in new.output if not name.startswith("y/")} == {"y"}
    inputs = [helper.make_value_info(name, type_) for name, type_ in zip(node.input, types, strict=True)]
    graphs = [helper.make_graph(body, "g", inputs, [value("y")]) for body in ([node], nodes)]
    expected, got = (ReferenceEvaluator(model(graph)).run(None, feed) for graph in graphs)
    np.testing.assert_allclose(got[0], expected[0], rtol=1e-4, atol=1e-6)  # pyright: ignore


def test_an_op_without_a_body_is_not_expanded() -> None:
    for node in (helper.make_node("Conv", ["x", "w"], ["y"]), helper.make_node("Conv", ["x"], ["y"], domain="foo")):
        assert expand(node, NEWEST, [None, None], Names(), Location("m.onnx")) is None
