"""A saved program of a model that can only be read for known sizes: it runs with those it has, and names them else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

import lastuse


def model() -> bytes:
    """The arms of an If differ in rank, and a size says which one it is."""

    def arm(name: str, op: str) -> object:
        node = helper.make_node(op, ["x", "axis"] if op == "Squeeze" else ["x"], [name])
        return helper.make_graph([node], name, [], [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)])

    nodes = [
        helper.make_node("Constant", [], ["axis"], value_ints=[0]),
        helper.make_node("Constant", [], ["one"], value_int=1),
        helper.make_node("Shape", ["x"], ["sizes"]),
        helper.make_node("Gather", ["sizes", "first"], ["rows"]),
        helper.make_node("Equal", ["rows", "one"], ["is_one"]),
        helper.make_node("If", ["is_one"], ["y"], then_branch=arm("a", "Squeeze"), else_branch=arm("b", "Identity")),
        helper.make_node("Exp", ["y"], ["z"]),
    ]
    nodes.insert(0, helper.make_node("Constant", [], ["first"], value_int=0))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])
    z = helper.make_tensor_value_info("z", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "arms", [x], [z])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString()


def test_sizes_that_were_not_saved_are_an_error_of_one_line(tmp_path: Path) -> None:
    path, program = tmp_path / "arms.lastuse", lastuse.compile(model(), threads=1)
    for rows in (1, 3):
        program.run({"x": np.zeros((rows, 4), np.float32)})
    program.save(path)
    loaded = lastuse.load(path)
    for rows in (3, 1):
        x = np.full((rows, 4), 0.5, np.float32)
        result = loaded.run({"x": x})["z"]
        assert result.ndim == (1 if rows == 1 else 2)
        np.testing.assert_array_equal(result, program.run({"x": x})["z"])
    for use in (lambda: loaded.run({"x": np.zeros((2, 4), np.float32)}), lambda: loaded.memory_for(n=2)):
        with pytest.raises(lastuse.LastuseError) as caught:
            use()
        assert str(caught.value) == (
            f"{path}:1:1: error: has no program for these sizes: its model can only be read for known sizes and "
            "values, and it has n = 1; n = 3"
        )
