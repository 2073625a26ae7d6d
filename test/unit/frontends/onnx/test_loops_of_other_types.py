"""Loops whose values have another type after the first iteration than before it, against ONNX's reference."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def model(trips: int | None = None, start: bool | None = True, reads_before: bool = False) -> ModelProto:
    """A loop that doubles x [3] while an element is below 100, and keeps what it last had added to it: a number before
    the first iteration, [1, 3] after it.

    Args:
        trips: iterations at most, a constant.
        start: whether the first one runs, a constant; None: an input says so.
        reads_before: the body reads what it kept.
    """
    nodes = [
        helper.make_node("Add", ["c", "c"], ["next"]),
        helper.make_node("Add", ["c", "kept" if reads_before else "one"], ["seen"]),
        helper.make_node("Reshape", ["seen", "row"], ["keep"]),
        helper.make_node("ReduceMin", ["next"], ["least"], keepdims=0),
        helper.make_node("Less", ["least", "limit"], ["again"]),
    ]
    body = helper.make_graph(
        nodes,
        "body",
        [
            helper.make_tensor_value_info("number", INT64, []),
            helper.make_tensor_value_info("going", BOOL, []),
            helper.make_tensor_value_info("c", FLOAT, [3]),
            helper.make_tensor_value_info("kept", FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("again", BOOL, []),
            helper.make_tensor_value_info("next", FLOAT, [3]),
            helper.make_tensor_value_info("keep", FLOAT, None),
        ],
    )
    constants = {
        "one": np.ones(1, np.float32),
        "zero": np.zeros((), np.float32),
        "row": np.array([1, 3]),
        "limit": np.array(100, np.float32),
        **({} if start is None else {"start": np.array(start)}),
        **({} if trips is None else {"trips": np.array(trips)}),
    }
    loop = helper.make_node("Loop", ["" if trips is None else "trips", "start", "x", "zero"], ["y", "z"], body=body)
    graph = helper.make_graph(
        [loop],
        "graph",
        [
            helper.make_tensor_value_info("x", FLOAT, [3]),
            *([] if start is not None else [helper.make_tensor_value_info("start", BOOL, [])]),
        ],
        [helper.make_tensor_value_info("y", FLOAT, None), helper.make_tensor_value_info("z", FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("reads_before", [False, True])
@pytest.mark.parametrize("trips", [None, 1, 2, 9])
@pytest.mark.parametrize("smallest", [3.0, 40.0, 60.0])
def test_the_first_iteration_stands_in_front_of_the_loop(
    smallest: float, trips: int | None, reads_before: bool
) -> None:
    made = model(trips, reads_before=reads_before)
    x = np.array([smallest, smallest + 1, smallest + 2], np.float32)
    wanted = ReferenceEvaluator(made).run(None, {"x": x})
    got = lastuse.compile(made.SerializeToString()).run({"x": x})
    for ours, theirs in zip(got.values(), wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("trips", "start"), [(0, True), (-1, True), (5, False), (None, False)])
def test_a_loop_that_never_runs_is_what_it_begins_with(trips: int | None, start: bool) -> None:
    x = np.arange(3, dtype=np.float32)
    y, z = lastuse.compile(model(trips, start).SerializeToString()).run({"x": x}).values()
    np.testing.assert_array_equal(y, x)
    assert (z.shape, z.item()) == ((), 0.0)


def test_a_loop_that_may_not_run_at_all_is_refused() -> None:
    with pytest.raises(LastuseError, match=r"the loop carries tensor<f32> and, .* tensor<1x3xf32>") as error:
        lastuse.compile(model(start=None).SerializeToString())
    assert error.value.location is not None
