"""Loop and Scan with results that collect values of the iterations, unrolled and as loops, against ONNX's reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.onnx.ops import loops

FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


@pytest.fixture(params=[0, loops.FEW_NODES], ids=["as a loop", "unrolled"])
def few_nodes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "FEW_NODES", request.param)


def info(name: str, kind: int, shape: Sequence[int | str] | None) -> object:
    return helper.make_tensor_value_info(name, kind, shape)


def model_of(nodes: Sequence[object], inputs: Sequence[object], outputs: Sequence[str], **arrays: object) -> ModelProto:
    graph = helper.make_graph(
        nodes,
        "graph",
        inputs,
        [info(name, FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in arrays.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def keras_loop(trips: int | None = None, kept_shape: Sequence[int] = (2,)) -> ModelProto:
    """A loop over the rows of x [steps, 2] as Keras makes one: it counts itself, stops when no row is left, and
    collects sums and twice the last row. What it keeps has `kept_shape` before the first iteration, [2] after it."""
    nodes = [
        helper.make_node("Add", ["at", "one"], ["next_at"]),
        helper.make_node("Gather", ["x", "at"], ["row"], axis=0),
        helper.make_node("Add", ["sum", "row"], ["next_sum"]),
        helper.make_node("Add", ["row", "kept"], ["next_kept"]),
        helper.make_node("Mul", ["row", "two"], ["twice"]),
        helper.make_node("Less", ["next_at", "steps"], ["again"]),
    ]
    body = helper.make_graph(
        nodes,
        "body",
        [info("number", INT64, []), info("going", BOOL, [])]
        + [info("at", INT64, []), info("sum", FLOAT, [2]), info("kept", FLOAT, None)],
        [info("again", BOOL, []), info("next_at", INT64, []), info("next_sum", FLOAT, [2])]
        + [info("next_kept", FLOAT, None), info("next_sum", FLOAT, [2]), info("twice", FLOAT, [2])],
    )
    outer = [
        helper.make_node("Shape", ["x"], ["steps_1"], end=1),
        helper.make_node("Squeeze", ["steps_1"], ["steps"]),
        helper.make_node("Less", ["zero", "steps"], ["start"]),
        helper.make_node(
            "Loop",
            ["" if trips is None else "trips", "start", "zero", "zeros", "first"],
            ["", "y", "kept_last", "sums", "doubles"],
            body=body,
        ),
    ]
    arrays = {"zero": np.array(0), "one": np.array(1), "two": np.float32(2), "zeros": np.zeros(2, np.float32)}
    arrays |= {"first": np.ones(kept_shape, np.float32)} | ({} if trips is None else {"trips": np.array(trips)})
    return model_of(outer, [info("x", FLOAT, ["T", 2])], ["y", "kept_last", "sums", "doubles"], **arrays)


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize("kept_shape", [(2,), ()])
@pytest.mark.parametrize("trips", [None, 3, 50])
@pytest.mark.parametrize("steps", [1, 2, 9])
def test_a_loop_that_counts_itself(steps: int, trips: int | None, kept_shape: Sequence[int]) -> None:
    made = keras_loop(trips, kept_shape)
    x = np.random.default_rng(steps).normal(size=(steps, 2)).astype(np.float32)
    wanted = ReferenceEvaluator(made).run(None, {"x": x})
    planned = lastuse.compile(made.SerializeToString(), poison=True)
    plain = lastuse.compile(made.SerializeToString(), inplace=False, plan=False)
    for ours, naive, theirs in zip(planned.run({"x": x}).values(), plain.run({"x": x}).values(), wanted, strict=True):
        np.testing.assert_array_equal(ours, naive)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)


def test_what_a_loop_collects_is_written_in_place() -> None:
    """Of 200 iterations each writes its part, and no more: as many bytes as the results and a few rows."""
    program = lastuse.compile(keras_loop().SerializeToString())
    program.run({"x": np.ones((200, 2), np.float32)})
    rows = 200 * 2 * 4
    assert program.memory.arena_bytes < 3 * rows


def test_a_loop_that_data_ends_collects_nothing() -> None:
    body = helper.make_graph(
        [helper.make_node("Add", ["c", "c"], ["next"]), helper.make_node("Less", ["next", "limit"], ["again"])],
        "body",
        [info("number", INT64, []), info("going", BOOL, []), info("c", FLOAT, [])],
        [info("again", BOOL, []), info("next", FLOAT, []), info("next", FLOAT, [])],
    )
    loop = helper.make_node("Loop", ["", "start", "x"], ["y", "all"], body=body)
    x = np.ones((100, 100), np.float32)
    made = model_of(
        [helper.make_node("ReduceSum", ["x_100"], ["x"], keepdims=0), loop],
        [info("x_100", FLOAT, x.shape)],
        ["y", "all"],
        limit=np.float32(9),
        start=np.array(True),
    )
    with pytest.raises(LastuseError, match="how many results a Loop collects is not known") as error:
        lastuse.compile(made.SerializeToString()).run({"x_100": x})
    assert error.value.location is not None


@pytest.mark.usefixtures("few_nodes")
def test_a_loop_without_a_condition_has_all_its_trips() -> None:
    """ONNX: what the body says of the condition is ignored."""
    body = helper.make_graph(
        [helper.make_node("Add", ["c", "c"], ["next"]), helper.make_node("Less", ["next", "limit"], ["again"])],
        "body",
        [info("number", INT64, []), info("going", BOOL, []), info("c", FLOAT, [])],
        [info("again", BOOL, []), info("next", FLOAT, []), info("next", FLOAT, [])],
    )
    loop = helper.make_node("Loop", ["trips", "", "x"], ["y", "all"], body=body)
    made = model_of([loop], [info("x", FLOAT, [])], ["y", "all"], limit=np.float32(4), trips=np.array(5))
    y, collected = lastuse.compile(made.SerializeToString()).run({"x": np.array(1, np.float32)}).values()
    assert y.item() == 32
    np.testing.assert_array_equal(collected, [2, 4, 8, 16, 32])


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize("directions", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize(("in_axis", "out_axis"), [(0, 0), (1, 1), (-1, -1), (0, 1)])
def test_a_scan_along_any_axis(in_axis: int, out_axis: int, directions: tuple[int, int]) -> None:
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "row"], ["next"]), helper.make_node("Mul", ["next", "row"], ["product"])],
        "body",
        [info("s", FLOAT, [3]), info("row", FLOAT, [3])],
        [info("next", FLOAT, [3]), info("product", FLOAT, [3])],
    )
    settings = {
        "scan_input_axes": [in_axis],
        "scan_output_axes": [out_axis],
        "scan_input_directions": [directions[0]],
        "scan_output_directions": [directions[1]],
    }
    scan = helper.make_node("Scan", ["zeros", "x"], ["last", "y"], num_scan_inputs=1, body=body, **settings)
    shape = (5, 3) if in_axis == 0 else (3, 5)
    made = model_of([scan], [info("x", FLOAT, shape)], ["last", "y"], zeros=np.zeros(3, np.float32))
    x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    rows = np.moveaxis(x, in_axis, 0)[:: -1 if directions[0] else 1]
    sums = np.cumsum(rows, axis=0, dtype=np.float32)
    products = np.moveaxis((sums * rows)[:: -1 if directions[1] else 1], 0, out_axis)
    last, y = lastuse.compile(made.SerializeToString()).run({"x": x}).values()
    np.testing.assert_allclose(last, sums[-1], rtol=0, atol=1e-6)
    np.testing.assert_allclose(y, products, rtol=0, atol=1e-6)
