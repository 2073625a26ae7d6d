"""GridSample, RoiAlign and DeformConv on the runtime's kernels, against onnxruntime and `onnx.reference`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest
from onnx import helper, load_from_string
from onnx.reference import ReferenceEvaluator

import lastuse
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gathers import IndicesError
from support import swept

TOLERANCE = 1e-5


def model_of(kind: str, feeds: Mapping[str, Array], optional: tuple[str, ...] = (), opset: int = 20, **attributes: Any):
    """A node on these arrays; `optional`: names of inputs before the last one, which may be left out."""
    names = [*feeds] if not optional else [*list(feeds)[:3], *(name if name in feeds else "" for name in optional)]
    node = helper.make_node(kind, names, ["y"], **attributes)
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in feeds.items()
    ]
    outputs = [helper.make_tensor_value_info("y", inputs[0].type.tensor_type.elem_type, None)]
    graph = helper.make_graph([node], "node", inputs, outputs)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return made.SerializeToString()


def native_result(model: bytes, feeds: Mapping[str, Array], threads: int = 1) -> Array:
    """Of a run in which no step is numpy's."""
    program = lastuse.compile(model, threads=threads, profile=True, poison=True)
    y = program.run(feeds)["y"]
    assert "cpu" not in {time.engine for time in program.profile()}
    return y


def reference_of(model: bytes, feeds: Mapping[str, Array]) -> Array:
    with np.errstate(all="ignore"):
        (y,) = ReferenceEvaluator(load_from_string(model)).run(None, dict(feeds))
    return np.asarray(y)


def onnxruntime_of(model: bytes, feeds: Mapping[str, Array]) -> Array:
    ort = pytest.importorskip("onnxruntime")
    (y,) = ort.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, dict(feeds))
    return y


def sampled_feeds(seed: int, rank: int, least: int = 1, reach: float = 2.5) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    batch, channels = rng.integers(1, 4, 2)
    sizes, places = rng.integers(least, 8, rank), rng.integers(1, 20 if rank == 2 else 6, rank)
    x = rng.normal(size=(batch, channels, *sizes)).astype(np.float32)
    return {"x": x, "grid": rng.uniform(-reach, reach, (batch, *places, rank)).astype(np.float32)}


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("aligned", [0, 1])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_grid_samples(mode: str, padding: str, aligned: int, rank: int) -> None:
    """onnxruntime has no cubic mode of volumes. With border it clamps a position along both axes where one is outside,
    which is not the same for cubic. Reflection at corners has no meaning in ONNX along an axis of one element."""
    for seed in range(3):
        feeds = sampled_feeds(seed, rank, least=2 if aligned and padding == "reflection" else 1)
        model = model_of("GridSample", feeds, mode=mode, padding_mode=padding, align_corners=aligned)
        y = native_result(model, feeds)
        np.testing.assert_array_equal(y, native_result(model, feeds, threads=3))
        if seed == 0 or mode == "cubic":
            np.testing.assert_allclose(y, reference_of(model, feeds), rtol=0, atol=TOLERANCE)
        if mode != "cubic" or (rank == 2 and padding != "border"):
            np.testing.assert_allclose(y, onnxruntime_of(model, feeds), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_grid_samples_of_opset_16(mode: str) -> None:
    feeds = sampled_feeds(7, 2)
    model = model_of("GridSample", feeds, opset=16, mode=mode)
    np.testing.assert_allclose(native_result(model, feeds), onnxruntime_of(model, feeds), rtol=0, atol=TOLERANCE)


FAR = (np.nan, np.inf, -np.inf, 1e30, -1e30, 1e9, -1e9, 65504.0)


@pytest.mark.parametrize("aligned", [0, 1])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_positions_far_away_and_no_numbers(mode: str, padding: str, aligned: int) -> None:
    """Finite positions read an element or 0, others make NaN where they are interpolated."""
    x = np.arange(1, 13, dtype=np.float32).reshape(1, 1, 3, 4)
    grid = np.zeros((1, len(FAR), 2, 2), np.float32)
    grid[0, :, 0, 0] = grid[0, :, 1, 1] = FAR
    feeds = {"x": x, "grid": grid}
    y = native_result(model_of("GridSample", feeds, mode=mode, padding_mode=padding, align_corners=aligned), feeds)[
        0, 0
    ]
    no_number = np.isnan(FAR) if padding == "border" else ~np.isfinite(FAR)
    if mode == "nearest":
        assert np.all(np.isin(y, x) if padding != "zeros" else y == 0)
    else:
        assert np.all(np.isnan(y[no_number]))
        assert np.all(np.isfinite(y[~no_number]))
        assert padding != "zeros" or np.all(y[~no_number] == 0)


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_elements_outside_are_0_beside_a_first_element_that_is_no_number(odd: float) -> None:
    x = np.ones((1, 3, 4, 5), np.float32)
    x[0, 1, 0, 0] = odd
    feeds = {"x": x, "grid": np.full((1, 1, 2, 2), 1.05, np.float32)}
    feeds["grid"][0, 0, 1] = 5
    y = native_result(model_of("GridSample", feeds, align_corners=0, padding_mode="zeros"), feeds)
    assert np.all(np.isfinite(y))
    assert np.all(y == y[:, :1])
    assert np.all(y[..., 1] == 0)


def test_one_element_is_read_for_every_reflection() -> None:
    x = np.full((1, 2, 1, 1), 3, np.float32)
    feeds = {"x": x, "grid": np.random.default_rng(0).uniform(-9, 9, (1, 4, 5, 2)).astype(np.float32)}
    for mode in ("linear", "nearest", "cubic"):
        model = model_of("GridSample", feeds, mode=mode, padding_mode="reflection", align_corners=1)
        np.testing.assert_allclose(native_result(model, feeds), 3, rtol=1e-6)


def test_integers_are_left_to_the_reference() -> None:
    feeds = {"x": np.arange(12).reshape(1, 1, 3, 4), "grid": sampled_feeds(0, 2)["grid"][:1]}
    model = model_of("GridSample", feeds, mode="nearest")
    y = lastuse.compile(model).run(feeds)["y"]
    np.testing.assert_array_equal(y, reference_of(model, feeds))


def box_feeds(seed: int) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    batch, channels, boxes = int(rng.integers(1, 4)), int(rng.integers(1, 5)), int(rng.integers(0, 6))
    x = rng.normal(size=(batch, channels, *rng.integers(1, 12, 2))).astype(np.float32)
    rois = rng.uniform(-3, 14, (boxes, 4)).astype(np.float32)
    rois[:, 2:] = rois[:, :2] + rng.uniform(0, 8, (boxes, 2))
    rois[:1, 2:] = rois[:1, :2]  # of size 0
    return {"x": x, "rois": rois, "images": rng.integers(0, batch, boxes)}


@pytest.mark.parametrize("ratio", [0, 1, 3])
@pytest.mark.parametrize("coordinates", ["half_pixel", "output_half_pixel"])
@pytest.mark.parametrize("mode", ["avg", "max"])
def test_boxes(mode: str, coordinates: str, ratio: int) -> None:
    for seed in range(6):
        feeds, rng = box_feeds(seed), np.random.default_rng(seed)
        sizes = dict(zip(("output_height", "output_width"), rng.integers(1, 6, 2).tolist(), strict=True))
        scale = float(rng.choice([1.0, 0.5]))
        attributes: dict[str, Any] = {"mode": mode, "sampling_ratio": ratio, **sizes}
        attributes["coordinate_transformation_mode"] = coordinates
        model = model_of("RoiAlign", feeds, opset=16, spatial_scale=scale, **attributes)
        y = native_result(model, feeds)
        np.testing.assert_array_equal(y, native_result(model, feeds, threads=3))
        np.testing.assert_allclose(y, reference_of(model, feeds), rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(y, onnxruntime_of(model, feeds), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("mode", ["avg", "max"])
def test_boxes_far_away_large_and_no_numbers(mode: str) -> None:
    """A box of 10^9 elements takes no time for samples outside, and a box that is no number is 0."""
    x = np.full((1, 2, 4, 5), -2, np.float32)
    rois = np.array(
        [[0, 0, 1e9, 1e9], [np.nan, 0, 2, 2], [-np.inf, 0, np.inf, 2], [1e20, 0, 1e20, 1], [3, 3, 1, 1], [0, 0, 3, 3]],
        "f",
    )
    feeds = {"x": x, "rois": rois, "images": np.zeros(len(rois), np.int64)}
    y = native_result(model_of("RoiAlign", feeds, opset=16, mode=mode, output_height=2, output_width=2), feeds)
    assert np.all(np.abs(y[0]) < 1e-6)
    assert np.all(y[1:5] == 0)
    assert np.all(y[5] == (-2 if mode == "avg" else y[5]))


@pytest.mark.parametrize("index", [-1, 2])
def test_an_image_there_is_not_is_a_located_error(index: int) -> None:
    feeds = {"x": np.ones((2, 1, 3, 3), "f"), "rois": np.ones((2, 4), "f"), "images": np.array([0, index])}
    program = lastuse.compile(model_of("RoiAlign", feeds, opset=16))
    with pytest.raises(IndicesError, match=f"index {index} is outside the axis of size 2") as error:
        program.run(feeds)
    assert error.value.location is not None


def deformed_feeds(seed: int) -> tuple[dict[str, Array], dict[str, Any]]:
    rng = np.random.default_rng(seed)
    n, offsets, groups, each, filters = (int(rng.integers(1, 3)) for _ in range(5))
    channels, outputs = offsets * groups * each, groups * filters
    window, strides, dilations = rng.integers(1, 4, 2), rng.integers(1, 3, 2), rng.integers(1, 3, 2)
    pads, sizes = rng.integers(0, 3, 4), rng.integers(5, 9, 2)
    places = (sizes + pads[:2] + pads[2:] - dilations * (window - 1) - 1) // strides + 1
    taps = offsets * int(np.prod(window))
    arrays = {
        "x": rng.normal(size=(n, channels, *sizes)),
        "w": rng.normal(size=(outputs, channels // groups, *window)),
        "offset": 1.5 * rng.normal(size=(n, 2 * taps, *places)),
        "bias": rng.normal(size=outputs),
        "mask": rng.uniform(size=(n, taps, *places)),
    }
    kept = {k: v.astype(np.float32) for k, v in arrays.items() if k not in ("bias", "mask") or rng.random() < 0.5}
    numbers = {"strides": strides, "dilations": dilations, "pads": pads, "kernel_shape": window}
    attributes = {"group": groups, "offset_group": offsets, **{k: v.tolist() for k, v in numbers.items()}}
    return kept, attributes


@pytest.mark.parametrize("seed", range(12))
def test_deformable_convolutions(seed: int) -> None:
    feeds, attributes = deformed_feeds(seed)
    model = model_of("DeformConv", feeds, ("bias", "mask"), opset=19, **attributes)
    y = native_result(model, feeds)
    np.testing.assert_allclose(y, reference_of(model, feeds), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("kind", ["DeformConv", "GridSample", "RoiAlign"])
def test_sizes_that_are_not_known_yet(kind: str) -> None:
    rng = np.random.default_rng(0)

    def feeds_of(batch: int, height: int, width: int) -> dict[str, Array]:
        x = rng.normal(size=(batch, 2, height, width)).astype(np.float32)
        if kind == "GridSample":
            return {"x": x, "grid": rng.uniform(-1, 1, (batch, 3, width, 2)).astype(np.float32)}
        if kind == "RoiAlign":
            rois = rng.uniform(0, 5, (height, 4)).astype(np.float32)
            return {"x": x, "rois": rois, "images": rng.integers(0, batch, height)}
        offset = rng.normal(size=(batch, 8, height - 1, width - 1)).astype(np.float32)
        return {"x": x, "w": np.ones((3, 2, 2, 2), np.float32), "offset": offset}

    stated = {"DeformConv": {"kernel_shape": [2, 2]}, "GridSample": {}, "RoiAlign": {"output_width": 2}}
    attributes: dict[str, Any] = stated[kind]
    model = load_from_string(model_of(kind, feeds_of(1, 5, 6), opset=16 if kind == "RoiAlign" else 20, **attributes))
    for value in model.graph.input:
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if value.name != "w" and axis != (3 if value.name == "grid" else 1):
                dim.dim_param = f"{value.name}{axis}"
    text = model.SerializeToString()
    program = lastuse.compile(text, profile=True)
    for sizes in ((1, 5, 6), (2, 4, 3)):
        feeds = feeds_of(*sizes)
        np.testing.assert_allclose(program.run(feeds)["y"], reference_of(text, feeds), rtol=0, atol=TOLERANCE)
    assert "cpu" not in {time.engine for time in program.profile()}


def test_offsets_far_away_read_0() -> None:
    x, w = np.ones((1, 2, 4, 4), "f"), np.ones((1, 2, 1, 1), "f")
    offset = np.full((1, 2, 4, 4), 1e30, "f")
    feeds = {"x": x, "w": w, "offset": offset}
    assert np.all(native_result(model_of("DeformConv", feeds, opset=19), feeds) == 0)


@pytest.mark.parametrize(
    ("kind", "shapes", "attributes"),
    [
        ("GridSample", {"x": (0, 2, 3, 4), "grid": (0, 2, 2, 2)}, {}),
        ("GridSample", {"x": (1, 2, 3, 4), "grid": (1, 0, 2, 2)}, {}),
        ("GridSample", {"x": (1, 0, 3, 4), "grid": (1, 2, 2, 2)}, {}),
        ("RoiAlign", {"x": (1, 2, 3, 4), "rois": (0, 4), "images": (0,)}, {"output_height": 2}),
        ("RoiAlign", {"x": (1, 0, 3, 4), "rois": (2, 4), "images": (2,)}, {"output_height": 2}),
        ("DeformConv", {"x": (0, 2, 3, 4), "w": (3, 2, 1, 1), "offset": (0, 2, 3, 4)}, {}),
    ],
)
def test_no_elements(kind: str, shapes: dict[str, tuple[int, ...]], attributes: dict[str, Any]) -> None:
    feeds = {name: np.zeros(s, np.int64 if name == "images" else np.float32) for name, s in shapes.items()}
    assert lastuse.compile(model_of(kind, feeds, opset=19, **attributes)).run(feeds)["y"].size == 0


@pytest.mark.parametrize("isa", swept(["SSE41", "AVX2"]))
def test_f64_and_strides_agree_with_the_kernels(isa: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy computes f64, and operands at strides are brought together first."""
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", isa)
    rng = np.random.default_rng(3)
    x, grid = rng.normal(size=(2, 6, 5, 3)).astype("f"), rng.uniform(-1.5, 1.5, (2, 4, 4, 2)).astype("f")
    for mode, padding in product(("linear", "cubic"), ("zeros", "reflection")):
        texts = [
            f"func.func @main(%x: tensor<2x6x5x3x{t}>, %g: tensor<2x4x4x2x{t}>) -> tensor<2x3x4x4x{t}> {{\n"
            f'  %p = "dnn.transpose"(%x) {{perm = array<i64: 0, 3, 1, 2>}} : (tensor<2x6x5x3x{t}>) -> '
            f"tensor<2x3x6x5x{t}>\n"
            f'  %y = "dnn.grid_sample"(%p, %g) {{mode = "{mode}", padding_mode = "{padding}"}} : '
            f"(tensor<2x3x6x5x{t}>, tensor<2x4x4x2x{t}>) -> tensor<2x3x4x4x{t}>\n"
            f"  func.return %y : tensor<2x3x4x4x{t}>\n}}"
            for t in ("f32", "f64")
        ]
        single = lastuse.compile(texts[0].encode())(x, grid)
        double = lastuse.compile(texts[1].encode())(x.astype("d"), grid.astype("d"))
        np.testing.assert_allclose(single, double, rtol=0, atol=TOLERANCE)
