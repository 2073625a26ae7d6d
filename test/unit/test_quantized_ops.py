"""What `--quantized-ops-pass` makes of quantised models, run: against integers in numpy and against onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import lastuse

Array = np.ndarray
RNG = np.random.default_rng(7)


def constant(name: str, value: Any, dtype: type) -> onnx.TensorProto:
    return numpy_helper.from_array(np.asarray(value, dtype), name)


def network(kind: type, least: int) -> tuple[onnx.ModelProto, list[onnx.TensorProto]]:
    """Two convolutions with a residual and a pool between them, and a Gemm, each between quantised values of a type,
    whose smallest number is `least`."""
    zero = least + 128
    given = [
        constant("s", 0.05, np.float32),
        constant("z", zero, kind),
        constant("w", RNG.integers(-127, 128, (8, 4, 3, 3)), np.int8),
        constant("ws", RNG.uniform(0.001, 0.01, 8), np.float32),
        constant("wz", np.zeros(8), np.int8),
        constant("b", RNG.integers(-4000, 4000, 8), np.int32),
        constant("v", RNG.integers(-127, 128, (8, 4, 1, 1)), np.int8),
        constant("vs", 0.004, np.float32),
        constant("vz", 3, np.int8),
        constant("g", RNG.integers(-127, 128, (5, 72)), np.int8),
        constant("gs", RNG.uniform(0.00005, 0.0002, 5), np.float32),
        constant("gz", np.zeros(5), np.int8),
        constant("h", RNG.normal(size=5), np.float32),
        constant("shape", [1, -1], np.int64),
    ]
    given.append(constant("bs", np.float32(0.05) * numpy_helper.to_array(given[3]), np.float32))
    nodes: list[onnx.NodeProto] = []

    def node(op_type: str, operands: str, result: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(op_type, operands.split(), [result], **attributes))
        return result

    def requantized(value: str) -> str:
        node("QuantizeLinear", f"{value} s z", f"{value}_q")
        return node("DequantizeLinear", f"{value}_q s z", f"{value}_d")

    x = requantized("x")
    node("DequantizeLinear", "w ws wz", "w_d", axis=0)
    node("DequantizeLinear", "b bs", "b_d", axis=0)
    node("DequantizeLinear", "v vs vz", "v_d")
    node("DequantizeLinear", "g gs gz", "g_d", axis=0)
    node("Conv", f"{x} w_d b_d", "conv", pads=[1, 1, 1, 1], strides=[2, 2])
    first = requantized(node("Relu", "conv", "relu"))
    second = requantized(node("Conv", f"{x} v_d", "pointwise", strides=[2, 2]))
    added = requantized(node("Add", f"{first} {second}", "added"))
    pooled = requantized(node("MaxPool", added, "pooled", kernel_shape=[3, 3], strides=[1, 1]))
    flat = requantized(node("Reshape", f"{pooled} shape", "flat"))
    requantized(node("Clip", node("Gemm", f"{flat} g_d h", "gemm", transB=1) + " low high", "clipped"))
    given += [constant("low", -1.0, np.float32), constant("high", 3.0, np.float32)]
    values = [
        helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 4, 10, 10]),
        helper.make_tensor_value_info("clipped_d", onnx.TensorProto.FLOAT, [1, 5]),
    ]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], given)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), given


@pytest.mark.parametrize("kind, least", [(np.uint8, 0), (np.int8, -128)])
@pytest.mark.parametrize(
    "options", [{}, {"layout": "first"}, {"threads": 2}, {"inplace": False, "plan": False}], ids=str
)
def test_a_network_in_integers_equals_the_model(kind: type, least: int, options: dict[str, Any]) -> None:
    """onnx.reference computes the model in f32: a result may be a step away where its sums are rounded otherwise."""
    model, _ = network(kind, least)
    x = RNG.normal(size=(1, 4, 10, 10)).astype(np.float32) * 3
    (want,) = ReferenceEvaluator(model).run(None, {"x": x})  # pyright: ignore
    program = lastuse.compile(model.SerializeToString(), **options)
    result = program(x)
    assert len(np.unique(result)) > 2  # not all at a bound
    np.testing.assert_allclose(result, np.asarray(want), atol=0.051)
    as_stated = lastuse.compile(model.SerializeToString(), quantized="model", **options)(x)
    np.testing.assert_allclose(as_stated, np.asarray(want), atol=0.051)


def test_a_network_in_f32_is_near_the_model() -> None:
    """Its sums and its weights are those of the model, its values are not rounded."""
    model, _ = network(np.uint8, 0)
    x = RNG.normal(size=(1, 4, 10, 10)).astype(np.float32) * 3
    (want,) = ReferenceEvaluator(model).run(None, {"x": x})  # pyright: ignore
    program = lastuse.compile(model.SerializeToString(), quantized="dequantize")
    steps = program(x) / np.float32(0.05)
    np.testing.assert_allclose(steps, np.asarray(want) / np.float32(0.05), atol=2)
    assert np.abs(steps - np.rint(steps)).max() > 0.01


def test_weights_stay_integers() -> None:
    model, given = network(np.uint8, 0)
    nbytes = sum(numpy_helper.to_array(value).nbytes for value in given)
    program = lastuse.compile(model.SerializeToString(), inputs=(1, 4, 10, 10))
    assert program.memory.weight_bytes < 2 * nbytes
    wide = lastuse.compile(model.SerializeToString(), inputs=(1, 4, 10, 10), quantized="model")
    assert wide.memory.weight_bytes > program.memory.weight_bytes


CONV = """
func.func @main(%x: tensor<1x3x9x9xui8>) -> tensor<1x4x9x9xui8> {{
  %s = "dnn.constant"() {{value = dense<0.5> : tensor<f32>}} : () -> tensor<f32>
  %z = "dnn.constant"() {{value = dense<{zero}> : tensor<ui8>}} : () -> tensor<ui8>
  %t = "dnn.constant"() {{value = dense<0.25> : tensor<f32>}} : () -> tensor<f32>
  %o = "dnn.constant"() {{value = dense<{step}> : tensor<f32>}} : () -> tensor<f32>
  %q = "dnn.constant"() {{value = dense<{weights}> : tensor<4x3x3x3xi8>}} : () -> tensor<4x3x3x3xi8>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<1x3x9x9xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x9x9xf32>
  %w = "dnn.dequantize_linear"(%q, %t) : (tensor<4x3x3x3xi8>, tensor<f32>) -> tensor<4x3x3x3xf32>
  %c = "dnn.conv"(%a, %w) {{pads = array<i64: 1, 1, 1, 1>}}
    : (tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x9xf32>
  %k = "dnn.clip"(%c) {{min = -40.0 : f32, max = 60.0 : f32}} : (tensor<1x4x9x9xf32>) -> tensor<1x4x9x9xf32>
  %y = "dnn.quantize_linear"(%k, %o, %z) : (tensor<1x4x9x9xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4x9x9xui8>
  func.return %y : tensor<1x4x9x9xui8>
}}"""


def convolved(x: Array, w: Array) -> Iterator[Array]:
    """The sums of each channel of a window of 3 by 3, in i64."""
    wide = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    for channel in w:
        sums = np.zeros((x.shape[0], *x.shape[2:]), np.int64)
        for c, i, j in np.ndindex(channel.shape):
            sums += wide[:, c, i : i + x.shape[2], j : j + x.shape[3]] * channel[c, i, j]
        yield sums


@pytest.mark.parametrize("zero", [0, 100, 255])
@pytest.mark.parametrize("step", [0.5, 3.0, 40.0])
def test_a_convolution_is_that_of_the_integers(zero: int, step: float) -> None:
    """Scales are powers of 2 but for the result's, so the exact quotient tells the rounding."""
    w = RNG.integers(-128, 128, (4, 3, 3, 3))
    x = RNG.choice([0, 255, zero, 17], (1, 3, 9, 9)).astype(np.uint8)
    program = lastuse.compile(CONV.format(zero=zero, step=step, weights=w.tolist()).encode(), threads=1)
    sums = np.stack(list(convolved(x.astype(np.int64) - zero, w)), 1)
    factor = np.float32(0.5) * np.float32(0.25) / np.float32(step)
    steps = np.rint(sums * np.float64(factor)) + zero
    low, high = (np.clip(np.rint(np.float32(bound) / np.float32(step)) + zero, 0, 255) for bound in (-40, 60))
    np.testing.assert_array_equal(program(x), np.clip(np.clip(steps, 0, 255), low, high).astype(np.uint8))
    assert program.latest.engines.get("cpu", 0) == 0


@pytest.mark.parametrize("dtype, kind", [("ui8", np.uint8), ("i8", np.int8)])
@pytest.mark.parametrize("layout", ["auto", "first"])
def test_pools_of_bytes_have_their_largest_elements(dtype: str, kind: type, layout: str) -> None:
    """Padding is below all bytes, also below those that are the smallest."""
    x = RNG.choice([np.iinfo(kind).min, np.iinfo(kind).min + 1, 3], (2, 20, 9, 7), p=[0.8, 0.1, 0.1]).astype(kind)
    text = f"""func.func @main(%x: tensor<2x20x9x7x{dtype}>) -> tensor<2x20x5x4x{dtype}> {{
      %y = "dnn.max_pool"(%x)
        {{kernel_shape = array<i64: 3, 2>, pads = array<i64: 1, 1, 1, 0>, strides = array<i64: 2, 2>}}
        : (tensor<2x20x9x7x{dtype}>) -> tensor<2x20x5x4x{dtype}>
      func.return %y : tensor<2x20x5x4x{dtype}>
    }}"""
    program = lastuse.compile(text.encode(), layout=layout)
    wide = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 0)], constant_values=np.iinfo(kind).min)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 2), (2, 3))[:, :, ::2, ::2]
    np.testing.assert_array_equal(program(x), windows.max((-2, -1)))
    assert program.latest.engines == {"onednn": 1}


def test_a_model_of_onnxruntime_has_its_results(tmp_path: Path) -> None:
    """onnxruntime quantises a network, and runs it: its integers are ours, but for one step."""
    model, _ = float_network()
    data = [RNG.normal(size=(1, 3, 16, 16)).astype(np.float32) for _ in range(3)]
    for form in ("QDQ", "QOperator"):
        for got, want in results_of_onnxruntime(model, form, data, tmp_path, op_types_to_quantize=["Conv", "MatMul"]):
            np.testing.assert_allclose(got, want, atol=np.ptp(want) / 100)


def results_of_onnxruntime(
    model: onnx.ModelProto, form: str, data: Sequence[Array], folder: Path, **options: Any
) -> Iterator[tuple[Array, Array]]:
    """Our result and onnxruntime's, without its optimizations, of a model that it quantises, for each x."""
    quantization = pytest.importorskip("onnxruntime.quantization")
    import onnxruntime

    class Reader(quantization.CalibrationDataReader):  # pyright: ignore
        def __init__(self) -> None:
            self.left = list(data)

        def get_next(self) -> Any:
            return {"x": self.left.pop()} if self.left else None

    given, path = str(folder / "float.onnx"), str(folder / f"{form}.onnx")
    onnx.save(model, given)
    quantization.quantize_static(given, path, Reader(), quantization.QuantFormat[form], per_channel=True, **options)
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    program = lastuse.compile(path)
    for x in data:
        (want,) = session.run(None, {"x": x})
        yield program(x), np.asarray(want)


def float_network() -> tuple[onnx.ModelProto, list[onnx.TensorProto]]:
    given = [
        constant("w", RNG.normal(size=(8, 3, 3, 3)) / 5, np.float32),
        constant("b", RNG.normal(size=8), np.float32),
        constant("v", RNG.normal(size=(8, 1, 3, 3)), np.float32),
        constant("g", RNG.normal(size=(8 * 49, 6)) / 20, np.float32),
        constant("shape", [1, -1], np.int64),
    ]
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Conv", ["r", "v"], ["d"], group=8, pads=[1, 1, 1, 1]),
        helper.make_node("MaxPool", ["d"], ["m"], kernel_shape=[2, 2]),
        helper.make_node("Reshape", ["m", "shape"], ["f"]),
        helper.make_node("MatMul", ["f", "g"], ["y"]),
    ]
    values = [
        helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 3, 16, 16]),
        helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 6]),
    ]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], given)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), given


@pytest.mark.parametrize("channels", [1, 3, 256])
def test_a_row_that_makes_channels_of_one_is_added(channels: int) -> None:
    """256 of them are as many as a table has bytes."""
    given = [constant("s", 0.1, np.float32), constant("z", 128, np.uint8)]
    given.append(constant("row", RNG.normal(size=(1, channels, 1, 1)), np.float32))
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
        helper.make_node("Add", ["d", "row"], ["a"]),
        helper.make_node("QuantizeLinear", ["a", "s", "z"], ["y"]),
    ]
    values = [
        helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 1, 16, 16]),
        helper.make_tensor_value_info("y", onnx.TensorProto.UINT8, [1, channels, 16, 16]),
    ]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    x = (RNG.normal(size=(1, 1, 16, 16)) * 5).astype(np.float32)
    (want,) = ReferenceEvaluator(model).run(None, {"x": x})  # pyright: ignore
    np.testing.assert_array_equal(lastuse.compile(model.SerializeToString())(x), want)


def test_a_bias_that_long_chains_compute_is_left_as_it_is() -> None:
    """Each of 40 values reads the one before twice: the paths to the first one are 2 to the power of 40."""
    given = [
        constant("s", 0.1, np.float32),
        constant("z", 128, np.uint8),
        constant("w", np.ones((4, 3, 1, 1)), np.int8),
    ]
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
        helper.make_node("DequantizeLinear", ["w", "s"], ["v"]),
        *(helper.make_node("Mul", [f"b{k}", f"b{k}"], [f"b{k + 1}"]) for k in range(40)),
        helper.make_node("Conv", ["d", "v", "b40"], ["y"]),
        helper.make_node("QuantizeLinear", ["y", "s", "z"], ["r"]),
    ]
    values = [
        helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 3, 2, 2]),
        helper.make_tensor_value_info("b0", onnx.TensorProto.FLOAT, [4]),
        helper.make_tensor_value_info("r", onnx.TensorProto.UINT8, [1, 4, 2, 2]),
    ]
    graph = helper.make_graph(nodes, "net", values[:2], values[2:], given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    x = RNG.integers(-100, 100, (1, 3, 2, 2)).astype(np.float32) / 8
    inputs = {"x": x, "b0": np.ones(4, np.float32)}
    (want,) = ReferenceEvaluator(model).run(None, inputs)  # pyright: ignore
    np.testing.assert_array_equal(lastuse.compile(model.SerializeToString()).run(inputs)["r"], want)


def test_an_activation_in_qlinear_ops_is_that_of_onnxruntime(tmp_path: Path) -> None:
    """A GELU by Erf and a residual: steps of erf are 2 / 255, those of the 1 that is added 1 / 255, so all sums are
    ties."""
    given = [
        constant("w", RNG.normal(size=(24, 96)), np.float32),
        constant("v", RNG.normal(size=(96, 24)) / 10, np.float32),
        *(constant(name, value, np.float32) for name, value in (("root", 2**0.5), ("one", 1), ("half", 0.5))),
    ]
    nodes = [
        helper.make_node(kind, operands.split(), [result])
        for kind, operands, result in (
            ("MatMul", "x w", "h"),
            ("Div", "h root", "d"),
            ("Erf", "d", "e"),
            ("Add", "e one", "f"),
            ("Mul", "h f", "g"),
            ("Mul", "g half", "k"),
            ("MatMul", "k v", "m"),
            ("Add", "m x", "y"),
        )
    ]
    values = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 40, 24]) for name in "xy"]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data = [RNG.normal(size=(1, 40, 24)).astype(np.float32) for _ in range(3)]
    for got, want in results_of_onnxruntime(model, "QOperator", data, tmp_path):
        np.testing.assert_array_equal(got, want)


ADD = """
func.func @main(%a: tensor<{count}x{a}>, %b: tensor<{count}x{b}>, %s: tensor<f32>, %t: tensor<f32>, %u: tensor<f32>)
    -> tensor<{count}x{y}> {{
  %z = "dnn.constant"() {{value = dense<{zero}> : tensor<{a}>}} : () -> tensor<{a}>
  %o = "dnn.constant"() {{value = dense<{other}> : tensor<{b}>}} : () -> tensor<{b}>
  %n = "dnn.constant"() {{value = dense<{shift}> : tensor<{y}>}} : () -> tensor<{y}>
  %r = "dnn.qlinear_add"(%a, %s, %z, %b, %t, %o, %u, %n) {{in_steps = {in_steps}}} : (tensor<{count}x{a}>, tensor<f32>,
    tensor<{a}>, tensor<{count}x{b}>, tensor<f32>, tensor<{b}>, tensor<f32>, tensor<{y}>) -> tensor<{count}x{y}>
  func.return %r : tensor<{count}x{y}>
}}"""


@pytest.mark.parametrize("in_steps", ["false", "true"])
@pytest.mark.parametrize(
    "a, b, y", [("ui8", "ui8", "ui8"), ("i8", "i8", "i8"), ("ui8", "i8", "i8"), ("i8", "ui8", "ui8")]
)
def test_sums_of_bytes_are_those_of_f32_in_numpy(a: str, b: str, y: str, in_steps: str) -> None:
    """Lengths around the sixteen of a loop, and scales that overflow, cancel, or are no numbers."""
    kinds = [np.dtype(np.uint8 if dtype == "ui8" else np.int8) for dtype in (a, b, y)]
    bounds = [np.iinfo(kind) for kind in kinds]
    for count in (1, 15, 16, 17, 31, 33, 256):
        left, right = (RNG.integers(of.min, of.max + 1, count).astype(of.dtype) for of in bounds[:2])
        zeros = [int(RNG.choice([of.min, of.max, 3])) for of in bounds]
        text = ADD.format(count=count, a=a, b=b, y=y, zero=zeros[0], other=zeros[1], shift=zeros[2], in_steps=in_steps)
        program = lastuse.compile(text.encode(), threads=1)
        extremes = (1e30, 1e30, 1e-9), (1e38, -1e38, 1), (np.nan, 1, 1), (1e-40, 1, 1)
        for scales in ((0.1, 0.05, 0.2), (1, 2, 4), *extremes):
            s, t, u = np.asarray(scales, np.float32)
            with np.errstate(all="ignore"):
                s_used, t_used = (s / u, t / u) if in_steps == "true" else (s, t)
                sums = (left.astype(np.float32) - np.float32(zeros[0])) * s_used
                sums = sums + (right.astype(np.float32) - np.float32(zeros[1])) * t_used
                steps = np.rint(sums + np.float32(zeros[2])) if in_steps == "true" else np.rint(sums / u) + zeros[2]
                want = np.clip(np.where(np.isnan(steps), bounds[2].min, steps), bounds[2].min, bounds[2].max)
            got = program(left, right, *map(np.asarray, (s, t, u)))
            np.testing.assert_array_equal(got, want.astype(kinds[2]), err_msg=f"{count} {s} {t} {u} {zeros}")


@pytest.mark.parametrize("layout", ["auto", "first"])
@pytest.mark.parametrize("sizes", [(2, 24, 9, 11), (1, 70, 20, 20), (3, 5, 40)])
def test_a_normalisation_of_bytes_is_that_of_onnx(sizes: tuple[int, ...], layout: str) -> None:
    """A table for each channel, behind a pool that brings channels to the end, or not."""
    channels, rank, kind = sizes[1], len(sizes) - 2, np.uint8
    given = [
        *(constant(f"p{k}", RNG.uniform(0.5, 1.5, channels), np.float32) for k in range(4)),
        constant("m", RNG.uniform(-1, 1, (1, channels, *(1,) * rank)), np.float32),
        *(constant("s", 0.02, np.float32), constant("z", 131, kind), constant("t", 0.015, np.float32)),
    ]
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["a"]),
        helper.make_node("BatchNormalization", ["a", "p0", "p1", "p2", "p3"], ["b"]),
        helper.make_node("Mul", ["m", "b"], ["c"]),
        helper.make_node("HardSwish", ["c"], ["d"]),
        helper.make_node("QuantizeLinear", ["d", "t", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "t", "z"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["u"], kernel_shape=[2] * rank),
        helper.make_node("QuantizeLinear", ["u", "t", "z"], ["y"]),
    ]
    values = [
        helper.make_tensor_value_info("x", onnx.TensorProto.UINT8, sizes),
        helper.make_tensor_value_info("y", onnx.TensorProto.UINT8, None),
    ]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    x = RNG.integers(0, 256, sizes, kind)
    (want,) = ReferenceEvaluator(model).run(None, {"x": x})  # pyright: ignore
    program = lastuse.compile(model.SerializeToString(), layout=layout, profile=True)
    off = np.abs(program(x).astype(int) - np.asarray(want).astype(int))
    assert off.max() <= 1 and off.mean() < 0.001
    assert "byte_table" in {step.kernel for step in program.profile()}
    assert not {"batch_norm", "map"} & {step.kernel for step in program.profile()}
