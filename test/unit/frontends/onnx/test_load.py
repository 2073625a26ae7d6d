"""ONNX files to graphs of the newest opset with weights beside them: what is loaded means what the file means."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import GraphProto, ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.onnx.model import OnnxModel, load_model
from lastuse.frontends.onnx.opsets import NEWEST
from lastuse.frontends.onnx.scopes import all_graphs

F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def model(graph: GraphProto, opset: int = NEWEST, **parts: object) -> ModelProto:
    """A model of one opset."""
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, **{"opset_imports": imports, "ir_version": 10, **parts})  # pyright: ignore


def rebuilt(loaded: OnnxModel) -> ModelProto:
    """The loaded model with its weights back in it."""
    graph = GraphProto()
    graph.CopyFrom(loaded.graph)
    del graph.initializer[:]
    graph.initializer.extend(numpy_helper.from_array(np.array(a), name) for name, a in loaded.weights.items())
    imports = [helper.make_opsetid(domain, version) for domain, version in loaded.opsets.items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def value(name: str, shape: list[int | str] | None = None, dtype: int = F32) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def refused(source: bytes | Path) -> LastuseError:
    with pytest.raises(LastuseError) as caught:
        load_model(source)
    assert caught.value.location is not None
    return caught.value


def test_file_and_bytes_give_one_model(tmp_path: Path) -> None:
    weight = np.random.default_rng(1).standard_normal((40, 30)).astype(np.float32)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], name="product")]
    graph = helper.make_graph(nodes, "g", [value("x", [2, 40])], [value("y")], [numpy_helper.from_array(weight, "w")])
    file = tmp_path / "m.onnx"
    file.write_bytes(model(graph).SerializeToString())
    for source in (file, file.read_bytes()):
        loaded = load_model(source)
        np.testing.assert_array_equal(loaded.weights["w"], weight)
        assert not loaded.weights["w"].flags.writeable
        assert [i.name for i in loaded.graph.initializer] == ["w"] and not loaded.graph.initializer[0].raw_data
        assert loaded.opsets == {"": NEWEST}
    place = load_model(file).location(graph.node[0])
    assert (place.file, place.line, place.col, place.name) == (str(file), 1, 1, "product")


def test_old_opset_is_brought_to_the_newest_also_in_arms() -> None:
    def arm(name: str, op: str) -> GraphProto:
        nodes = [helper.make_node(op, ["x"], ["s"], axes=[1], keepdims=0), helper.make_node("Neg", ["s"], ["t"])]
        return helper.make_graph(nodes, name, [], [value("t")])

    nodes = [
        helper.make_node("Clip", ["x"], ["c"], min=-0.5, max=0.5, name="clip"),
        helper.make_node(
            "If", ["b"], ["r"], then_branch=arm("then", "ReduceMax"), else_branch=arm("else", "ReduceMean")
        ),
        helper.make_node("Unsqueeze", ["r"], ["u"], axes=[0, 2]),
        helper.make_node("Add", ["u", "c"], ["y"]),
    ]
    inputs = [value("x", [2, 3]), value("b", [], TensorProto.BOOL)]
    old = model(helper.make_graph(nodes, "g", inputs, [value("y")]), opset=10)
    loaded = load_model(old.SerializeToString())
    names = [name for graph in all_graphs(loaded.graph) for node in graph.node for name in node.output]
    assert len(names) == len(set(names))
    assert {loaded.location(node).line for node in loaded.graph.node} == {1, 2, 3, 4}
    x = np.random.default_rng(0).standard_normal((2, 3)).astype(np.float32)
    for flag in (True, False):
        reduced = -(x.max(1) if flag else x.mean(1, dtype=np.float32))
        expected = reduced[None, :, None] + np.clip(x, -0.5, 0.5)
        (got,) = ReferenceEvaluator(rebuilt(loaded)).run(None, {"x": x, "b": np.array(flag)})
        np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_nodes_are_sorted(order: tuple[int, ...]) -> None:
    """Also those in an arm, and those that only an arm reads. A location has the node's number in the file."""
    arm = [helper.make_node("Add", ["double", "a"], ["sum"]), helper.make_node("Neg", ["b"], ["double"])]
    arms = [
        helper.make_graph(arm, "then", [], [value("sum")]),
        helper.make_graph([helper.make_node("Identity", ["a"], ["same"])], "else", [], [value("same")]),
    ]
    nodes = [
        helper.make_node("Exp", ["x"], ["a"]),
        helper.make_node("Abs", ["a"], ["b"]),
        helper.make_node("If", ["flag"], ["c"], then_branch=arms[0], else_branch=arms[1]),
        helper.make_node("Mul", ["c", "b"], ["y"]),
    ]
    inputs = [value("x", [2]), value("flag", [], TensorProto.BOOL)]
    graph = helper.make_graph([nodes[number] for number in order], "g", inputs, [value("y")])
    loaded = load_model(model(graph).SerializeToString())
    names = [node.output[0] for node in loaded.graph.node]
    assert names == ["a", "b", "c", "y"]
    assert [loaded.location(node).line - 1 for node in loaded.graph.node] == [order.index(n) for n in range(4)]
    x = np.array([-1.0, 2.0], np.float32)
    for flag in (True, False):
        (got,) = ReferenceEvaluator(rebuilt(loaded)).run(None, {"x": x, "flag": np.array(flag)})
        np.testing.assert_allclose(got, 0 * x if flag else np.exp(x) ** 2, rtol=1e-6)


def test_names_in_a_circle_and_used_twice_are_refused() -> None:
    def of(*nodes: onnx.NodeProto) -> LastuseError:
        graph = helper.make_graph(list(nodes), "g", [value("x", [2])], [value("y")])
        return refused(model(graph).SerializeToString())

    error = of(helper.make_node("Neg", ["a"], ["b"], name="first"), helper.make_node("Neg", ["b"], ["a"]))
    assert "'a' before it is there" in error.message
    assert str(error).startswith("<bytes>:1:1: error: ") and error.location.name == "first"  # pyright: ignore
    assert "which nothing makes" in of(helper.make_node("Neg", ["z"], ["y"])).message
    twice = of(helper.make_node("Neg", ["x"], ["y"]), helper.make_node("Abs", ["x"], ["y"]))
    assert "'y' is used twice" in twice.message and twice.location.line == 2  # pyright: ignore
