"""Arms and loops whose values of one element have other axes than their graphs state, as of Paddle's exporter."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

import lastuse

FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def model_of(nodes: list[NodeProto], inputs: dict[str, tuple[int, list[int]]], outputs: list[str]) -> bytes:
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.ones(1, np.float32), "one")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def arm(name: str, op_type: str, inputs: list[str], stated: list[int]) -> GraphProto:
    output = helper.make_tensor_value_info(f"{name}_y", FLOAT, stated)
    return helper.make_graph([helper.make_node(op_type, inputs, [f"{name}_y"])], name, [], [output])


def choice(then: GraphProto, otherwise: GraphProto) -> NodeProto:
    return helper.make_node("If", ["b"], ["y"], then_branch=then, else_branch=otherwise)


@pytest.mark.parametrize("stated", [[], [1]])
def test_arms_with_other_axes_are_of_the_type_that_both_state(stated: list[int]) -> None:
    arms = [arm("then", "Neg", ["x"], stated), arm("else", "Add", ["x", "one"], stated)]
    data = model_of([choice(*arms)], {"x": (FLOAT, []), "b": (BOOL, [])}, ["y"])
    program = lastuse.compile(data)
    for flag, want in ((True, -2.0), (False, 3.0)):
        (y,) = program.run({"x": np.array(2, np.float32), "b": np.array(flag)}).values()
        assert (y.shape, y.item()) == (tuple(stated), want)


def test_arms_of_several_elements_keep_their_axes() -> None:
    arms = [arm("then", "Neg", ["x"], [2]), arm("else", "Add", ["x", "one"], [])]
    data = model_of([choice(*arms)], {"x": (FLOAT, [2]), "b": (BOOL, [])}, ["y"])
    program = lastuse.compile(data)
    (y,) = program.run({"x": np.array([2, 3], np.float32), "b": np.array(False)}).values()
    np.testing.assert_array_equal(y, [3, 4])


def loop_of(shape: list[int]) -> bytes:
    """Doubles y until it is 100 or more; each product has one axis."""
    body = helper.make_graph(
        [
            helper.make_node("Add", ["c", "c"], ["sum"]),
            helper.make_node("Mul", ["sum", "one"], ["next"]),
            helper.make_node("Less", ["next", "limit"], ["again"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", INT64, []),
            helper.make_tensor_value_info("going", BOOL, []),
            helper.make_tensor_value_info("c", FLOAT, shape),
        ],
        [helper.make_tensor_value_info("again", BOOL, []), helper.make_tensor_value_info("next", FLOAT, shape)],
    )
    nodes = [
        helper.make_node("Constant", [], ["limit"], value_float=100.0),
        helper.make_node("Loop", ["", "start", "x"], ["y"], body=body),
    ]
    return model_of(nodes, {"x": (FLOAT, shape), "start": (BOOL, [])}, ["y"])


def test_a_loop_carries_a_number_that_its_body_makes_with_one_axis() -> None:
    program = lastuse.compile(loop_of([]))
    (y,) = program.run({"x": np.array(3, np.float32), "start": np.array(True)}).values()
    assert (y.shape, y.item()) == ((), 192.0)
