"""Models whose sizes are counted in the run: what detectors do behind their network, against onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper, load_from_string, numpy_helper
from onnx.reference import ReferenceEvaluator

import lastuse
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.ir.diagnostics import LastuseError

TYPES = {"f": TensorProto.FLOAT, "l": TensorProto.INT64, "?": TensorProto.BOOL}


def model_of(
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, tuple[str, Sequence[int | str]]],
    constants: Mapping[str, Any],
    outputs: Mapping[str, tuple[str, int]],
) -> bytes:
    """A model; inputs have a type and sizes, outputs a type and a rank."""
    graph = helper.make_graph(
        nodes,
        "detector",
        [helper.make_tensor_value_info(name, TYPES[kind], sizes) for name, (kind, sizes) in inputs.items()],
        [helper.make_tensor_value_info(name, TYPES[kind], [None] * rank) for name, (kind, rank) in outputs.items()],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 13)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def expected(model: bytes, feeds: Mapping[str, Array]) -> list[Array]:
    ort = pytest.importorskip("onnxruntime")
    return ort.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, dict(feeds))


def boxes_of(rng: np.random.Generator, *shape: int) -> Array:
    """Corners with many equal ones, some boxes without an area."""
    return (rng.integers(0, 12, (*shape, 4)) / 4).astype(np.float32)


def suppression(batch: int, classes: int, boxes: int, center: int, thresholds: int) -> bytes:
    names = ["boxes", "scores", "most", "overlap", "threshold"][: 3 + thresholds]
    kinds = ("f", (batch, boxes, 4)), ("f", (batch, classes, boxes)), ("l", (1,)), ("f", (1,)), ("f", (1,))
    node = helper.make_node("NonMaxSuppression", names, ["y"], center_point_box=center)
    return model_of([node], dict(zip(names, kinds, strict=False)), {}, {"y": ("l", 2)})


@pytest.mark.parametrize("seed", range(12))
def test_boxes_are_those_of_onnxruntime(seed: int) -> None:
    rng = np.random.default_rng(seed)
    batch, classes, boxes = (
        int(rng.integers(1, 4)),
        int(rng.integers(1, 5)),
        int(rng.integers(0 if seed == 3 else 1, 90)),
    )
    thresholds = 1 + seed % 2
    model = suppression(batch, classes, boxes, seed // 2 % 2, thresholds)
    program = lastuse.compile(model, threads=1 + seed % 2, profile=True, poison=True)
    for most in (0, 1, 5, 2**62, -1):
        feeds = {
            "boxes": boxes_of(rng, batch, boxes),
            "scores": (rng.integers(0, 5, (batch, classes, boxes)) / 4).astype(np.float32),
            "most": np.array([most]),
            "overlap": np.array([rng.choice([0, 0.3, 0.5, 1])], np.float32),
            "threshold": np.array([rng.choice([-1, 0, 0.25, 0.5])], np.float32),
        }
        if boxes and most == 5:
            feeds["boxes"].ravel()[rng.integers(0, boxes, 3)] = np.nan, np.inf, -np.inf
        given = dict(list(feeds.items())[: 3 + thresholds])
        np.testing.assert_array_equal(program.run(given)["y"], expected(model, given)[0])
    assert not boxes or {step.engine for step in program.profile()} == {"native"}


def test_scores_that_are_no_numbers_are_below_all_others() -> None:
    model = suppression(1, 1, 4, 0, 1)
    feeds = {
        "boxes": np.array([[[0, k, 1, k + 1] for k in range(4)]], np.float32),
        "scores": np.array([[[np.nan, -np.inf, 2, np.nan]]], np.float32),
        "most": np.array([9]),
        "overlap": np.array([0.5], np.float32),
    }
    assert lastuse.compile(model).run(feeds)["y"][:, 2].tolist() == [2, 1, 0, 3]
    with_threshold = suppression(1, 1, 4, 0, 2)
    assert lastuse.compile(with_threshold).run({**feeds, "threshold": np.array([-np.inf], np.float32)})["y"][
        :, 2
    ].tolist() == [2]


def torchvision(boxes: int | str) -> bytes:
    """What `torchvision` exports: scores above a threshold, `batched_nms`, the best ones."""
    node = helper.make_node
    nodes = [
        node("Greater", ["scores", "least"], ["mask"]),
        node("NonZero", ["mask"], ["places"]),
        node("Transpose", ["places"], ["rows"], perm=[1, 0]),
        node("Squeeze", ["rows", "axis1"], ["found"]),
        node("Gather", ["boxes", "found"], ["near"]),
        node("Gather", ["scores", "found"], ["sure"]),
        node("Gather", ["labels", "found"], ["kinds"]),
        node("ReduceMax", ["near"], ["largest"], keepdims=0),
        node("Add", ["largest", "one"], ["apart"]),
        node("Cast", ["kinds"], ["numbers"], to=TensorProto.FLOAT),
        node("Mul", ["numbers", "apart"], ["moves"]),
        node("Unsqueeze", ["moves", "axis1"], ["column"]),
        node("Add", ["near", "column"], ["moved"]),
        node("Unsqueeze", ["moved", "axis0"], ["batch"]),
        node("Unsqueeze", ["sure", "axes"], ["classes"]),
        node("NonMaxSuppression", ["batch", "classes", "many", "overlap"], ["selected"]),
        node("Gather", ["selected", "two"], ["column2"], axis=1),
        node("Squeeze", ["column2", "axis1"], ["all"]),
        node("Slice", ["all", "zero", "few"], ["kept"]),
        node("Gather", ["near", "kept"], ["out_boxes"]),
        node("Gather", ["sure", "kept"], ["out_scores"]),
        node("Gather", ["kinds", "kept"], ["out_labels"]),
    ]
    constants = {
        "least": np.float32(0.2),
        "one": np.float32(1),
        "axis0": np.array([0]),
        "axis1": np.array([1]),
        "axes": np.array([0, 1]),
        "many": np.array([2**60]),
        "overlap": np.array([0.4], np.float32),
        "two": np.array([2]),
        "zero": np.array([0]),
        "few": np.array([20]),
    }
    inputs = {"boxes": ("f", [boxes, 4]), "scores": ("f", [boxes]), "labels": ("l", [boxes])}
    return model_of(nodes, inputs, constants, {"out_boxes": ("f", 2), "out_scores": ("f", 1), "out_labels": ("l", 1)})


def detected(rng: np.random.Generator, count: int) -> dict[str, Array]:
    scores = (rng.integers(0, 9, count) / 8).astype(np.float32)
    return {"boxes": boxes_of(rng, count), "scores": scores, "labels": rng.integers(0, 3, count)}


@pytest.mark.parametrize("size", [70, "n"])
def test_postprocessing_of_torchvision(size: int | str) -> None:
    model = torchvision(size)
    program = lastuse.compile(model, threads=1, profile=True, poison=True)
    rng = np.random.default_rng(5)
    for count in (70, 70, 70) if size == 70 else (70, 3, 200):
        feeds = detected(rng, count)
        results = program.run(feeds)
        for name, want in zip(("out_boxes", "out_scores", "out_labels"), expected(model, feeds), strict=True):
            np.testing.assert_array_equal(results[name], want)
        assert {step.engine for step in program.profile()} <= {"native", "onednn", "runtime"}
    assert program.outputs["out_boxes"].shape[1] == 4
    assert program.memory.arena_bytes > 0


def test_results_are_written_where_the_caller_says() -> None:
    model = torchvision(70)
    program = lastuse.compile(model, threads=1)
    feeds = detected(np.random.default_rng(1), 70)
    (want, *_) = expected(model, feeds)
    out = np.zeros_like(want)
    assert program.run(feeds, {"out_boxes": out})["out_boxes"] is out
    np.testing.assert_array_equal(out, want)
    with pytest.raises(LastuseError, match="unknown strange"):
        program.run({**feeds, "strange": out})


def test_threads_run_one_program() -> None:
    model = torchvision(70)
    program = lastuse.compile(model, threads=1)
    rng = np.random.default_rng(2)
    feeds = [detected(rng, 70) for _ in range(8)]
    results: dict[int, Array] = {}

    def work(first: int) -> None:
        for k in range(first, 8, 2):
            results[k] = program.run(feeds[k])["out_boxes"]

    threads = [Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, given in enumerate(feeds):
        np.testing.assert_array_equal(results[k], expected(model, given)[0])


@pytest.mark.parametrize("shape", [(), (0,), (300,), (5, 0, 2), (9, 3, 11)])
@pytest.mark.parametrize("dtype", ["f", "?", "l"])
def test_places_of_elements(shape: tuple[int, ...], dtype: str) -> None:
    """Of large inputs, whose elements cannot be bound, as of small ones."""
    nodes = [
        helper.make_node("Add" if dtype != "?" else "Or", ["x", "x"], ["z"]),
        helper.make_node("NonZero", ["z"], ["y"]),
    ]
    model = model_of(nodes, {"x": (dtype, shape)}, {}, {"y": ("l", 2)})
    program = lastuse.compile(model)
    rng = np.random.default_rng(3)
    for _ in range(2):
        x = np.asarray(rng.integers(-1, 2, shape) if dtype != "?" else rng.integers(0, 2, shape)).astype(dtype)
        if dtype == "f" and x.size > 2:
            x.ravel()[:2] = -0.0, np.nan
        y = program.run({"x": x})["y"]
        np.testing.assert_array_equal(y, np.stack(np.nonzero(np.atleast_1d(x))))


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_elements_of_a_mask_that_is_computed(axis: int | None) -> None:
    attributes: dict[str, Any] = {} if axis is None else {"axis": axis}
    nodes = [
        helper.make_node("Greater", ["mask", "zero"], ["condition"]),
        helper.make_node("Compress", ["x", "condition"], ["y"], **attributes),
        helper.make_node("Sum", ["y", "y"], ["z"]),
    ]
    length = {None: 100, 0: 12, 1: 80, -1: 80}[axis]
    inputs = {"x": ("f", (12, 80)), "mask": ("f", (length,))}
    model = model_of(nodes, inputs, {"zero": np.float32(0)}, {"z": ("f", 2 if axis is not None else 1)})
    program = lastuse.compile(model)
    rng = np.random.default_rng(4)
    for _ in range(3):
        feeds = {name: rng.normal(size=sizes).astype(np.float32) for name, (_, sizes) in inputs.items()}
        (want,) = ReferenceEvaluator(load_from_string(model)).run(None, feeds)
        np.testing.assert_array_equal(program.run(feeds)["z"], want)


def test_what_a_program_of_stages_does_not_do_is_an_error(tmp_path: Any) -> None:
    model = torchvision(70)
    program = lastuse.compile(model)
    with pytest.raises(LastuseError, match="cannot be saved"):
        program.save(tmp_path / "detector.lastuse")
    with pytest.raises(LastuseError, match="counted in each run"):
        program.context().run(detected(np.random.default_rng(0), 70))
    with pytest.raises(LastuseError, match="counted in each run"):
        lastuse.compile(model, arena=bytearray(1 << 20))


STAGES = """
func.func @main(%x: tensor<100xf32> {{dnn.donated, dnn.name = "x"}})
    -> (tensor<100xf32> {{dnn.name = "y"{tied}}}, tensor<?x1xi64> {{dnn.name = "places"}},
        tensor<100xf32> {{dnn.name = "z"}},
        tensor<100xf32> {{dnn.name = "same"}}, tensor<100xf32> {{dnn.name = "again"}}) {{
  %y = "dnn.relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
  %i, %n = "dnn.non_zero"(%y) : (tensor<100xf32>) -> (tensor<100x1xi64>, tensor<i64>)
  %r = "dnn.leading_rows"(%i, %n) : (tensor<100x1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %f = "dnn.cast"(%r) : (tensor<?x1xi64>) -> tensor<?x1xf32>
  %s = "dnn.reduce_max"(%f) {{axes = array<i64: 0, 1>, keepdims = false}} : (tensor<?x1xf32>) -> tensor<f32>
  %z = "dnn.add"(%x, %s) : (tensor<100xf32>, tensor<f32>) -> tensor<100xf32>
  func.return %y, %r, %z, %x, %y : tensor<100xf32>, tensor<?x1xi64>, tensor<100xf32>, tensor<100xf32>, tensor<100xf32>
}}
"""
"""A donated input that the first stage could write, and the next one reads."""


def stages_program(folder: Path, tied: str = "") -> lastuse.Program:
    (folder / "stages.mlir").write_text(STAGES.format(tied=tied))
    return lastuse.compile(folder / "stages.mlir", threads=1)


def test_an_input_that_a_later_stage_reads_is_kept(tmp_path: Path) -> None:
    x = np.random.default_rng(5).normal(size=100).astype(np.float32)
    before = x.copy()
    results = stages_program(tmp_path).run({"x": x})
    (places,) = np.nonzero(before > 0)
    np.testing.assert_array_equal(results["places"][:, 0], places)
    np.testing.assert_array_equal(results["z"], before + np.float32(places.max()))
    np.testing.assert_array_equal(results["same"], before)


def test_results_share_no_memory(tmp_path: Path) -> None:
    x = np.random.default_rng(6).normal(size=100).astype(np.float32)
    arrays = [x, *stages_program(tmp_path).run({"x": x}).values()]
    assert not any(np.may_share_memory(a, b) for n, a in enumerate(arrays) for b in arrays[:n])


def test_memory_for_results_is_as_the_program_wants_it(tmp_path: Path) -> None:
    program = stages_program(tmp_path)
    x = np.random.default_rng(7).normal(size=100).astype(np.float32)
    count = int(np.count_nonzero(x > 0))
    with pytest.raises(LastuseError, match="'y' and 'x' overlap"):
        program.run({"x": x}, {"y": x})
    both = np.zeros(100, np.float32)
    with pytest.raises(LastuseError, match="'y' and 'z' overlap"):
        program.run({"x": x}, {"y": both, "z": both})
    with pytest.raises(LastuseError, match="'places' is int64"):
        program.run({"x": x}, {"places": np.zeros((100, 1), np.int64)})  # one row would fill it
    with pytest.raises(LastuseError, match="'places' is int32"):
        program.run({"x": x}, {"places": np.zeros((count, 1), np.int32)})
    fixed = np.zeros((count, 1), np.int64)
    fixed.flags.writeable = False
    with pytest.raises(LastuseError, match="read-only"):
        program.run({"x": x}, {"places": fixed})


def test_a_tied_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LastuseError, match="result 0 of @main is tied"):
        stages_program(tmp_path, ", dnn.tied = 0 : i32")
