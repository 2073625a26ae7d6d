"""Handlers of matrix products, reductions, normalisations and quantised ops: what they emit, results as those of
onnxruntime or numpy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.loader import load

Array = np.ndarray


def model_of(
    op: str, inputs: Mapping[str, Array], weights: Mapping[str, Array], results: int = 1, opset: int = 20, **more: Any
) -> bytes:
    """A model of one node on the inputs and then the weights."""
    node = helper.make_node(op, [*inputs, *weights], outputs(results), **more)
    graph = helper.make_graph(
        [node],
        "g",
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for name, a in inputs.items()
        ],
        [onnx.ValueInfoProto(name=name) for name in outputs(results)],
        [numpy_helper.from_array(a, name) for name, a in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    return model.SerializeToString()


def outputs(count: int) -> list[str]:
    return [f"y{k}" for k in range(count)]


def run(model: bytes, inputs: Mapping[str, Array]) -> list[Array]:
    return list(lastuse.compile(model).run(dict(inputs)).values())


def kinds(model: bytes, path: Path) -> list[str]:
    """The names of the dnn ops of a model that compute, in order."""
    file = path / "model.onnx"
    file.write_bytes(model)
    module = load(context(), file)
    assert isinstance(module, ModuleOp)
    names = [op.name[4:] for op in module.walk() if isinstance(op, DnnOp)]
    return [name for name in names if name != "constant"]


def sample(*shape: int, dtype: Any = np.float32) -> Array:
    return (np.random.default_rng(len(shape)).normal(size=shape) * 3).astype(dtype)


SIZES = dict(zip("bghijkt", (2, 3, 4, 5, 6, 7, 8), strict=True))


@pytest.mark.parametrize(
    "equation",
    [
        "btgi,gih->btgh",
        "bij,bjk->bik",
        "ij,jk",
        "ij,kj->ki",
        "bhi,bij->jbh",
        "i,j->ij",
        "i,i->",
        "ij,j->i",
        "ij,ij->ij",
        "ijk,j->k",
        "bij,gj->gbi",
        "ijk->ki",
        "ij->",
        "ij->ij",
        "ii->i",
        "ij,jk,kh->ih",
        "bi j, bjk -> b ik",
    ],
)
def test_einsum_equals_that_of_numpy(equation: str, tmp_path: Path) -> None:
    terms = equation.replace(" ", "").split("->")[0].split(",")
    inputs = {f"x{k}": sample(*(SIZES[name] for name in term)) for k, term in enumerate(terms)}
    model = model_of("Einsum", inputs, {}, equation=equation)
    (got,) = run(model, inputs)
    want = np.einsum(equation.replace(" ", ""), *(x.astype(np.float64) for x in inputs.values()))
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-4)
    plain = len(terms) < 3 and equation not in ("ii->i", "ij,ij->ij")
    assert ("einsum" in kinds(model, tmp_path)) != plain


@pytest.mark.parametrize("equation", ["...ij,...jk->...ik", "b...i,i...->b...", "...i->...", "...ij,jk"])
def test_einsum_with_an_ellipsis_equals_that_of_numpy(equation: str) -> None:
    shapes = {
        "...ij,...jk->...ik": ((2, 1, 3, 4), (5, 4, 6)),
        "b...i,i...->b...": ((2, 3, 4), (4, 3)),
        "...i->...": ((2, 3, 4),),
        "...ij,jk": ((2, 5, 3, 4), (4, 6)),
    }[equation]
    inputs = {f"x{k}": sample(*shape) for k, shape in enumerate(shapes)}
    (got,) = run(model_of("Einsum", inputs, {}, equation=equation), inputs)
    want = np.einsum(equation, *(x.astype(np.float64) for x in inputs.values()))
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-4)


def test_einsum_that_is_a_product_runs_on_onednn(tmp_path: Path) -> None:
    inputs = {"x": sample(1, 8, 4, 16), "w": sample(4, 16, 8)}
    assert kinds(model_of("Einsum", inputs, {}, equation="btgi,gih->btgh"), tmp_path) == [
        "transpose",
        "reshape",
        "matmul",
        "reshape",
        "transpose",
    ]


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((3,), (2, 3, 4)), ((2, 1, 4, 3), (3,)), ((2, 1, 4, 3), (5, 3, 2))])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32"])
def test_matmul_equals_that_of_numpy(shapes: tuple[tuple[int, ...], ...], dtype: str) -> None:
    inputs = {f"x{k}": np.abs(sample(*shape)).astype(dtype) for k, shape in enumerate(shapes)}
    (got,) = run(model_of("MatMul", inputs, {}), inputs)
    want = np.matmul(*inputs.values())
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got, want, rtol=1e-6)


REDUCTIONS = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_reductions_equal_those_of_onnxruntime(kind: str) -> None:
    x = np.abs(sample(2, 3, 4)) + np.float32(0.5)
    for axes in ([1], [-1, 0], [0, 1, 2], []):
        for keepdims in (0, 1):
            for noop in (0, 1):
                weights = {"axes": np.array(axes, np.int64)}
                model = model_of(f"Reduce{kind}", {"x": x}, weights, keepdims=keepdims, noop_with_empty_axes=noop)
                (got,) = run(model, {"x": x})
                if noop and not axes:  # onnxruntime returns x itself; ONNX reduces over no axes
                    want: Any = {"L2": x, "LogSum": np.log(x), "SumSquare": x * x}.get(kind, x)
                else:
                    want: Any = onnxruntime.InferenceSession(model).run(None, {"x": x})[0]
                assert got.shape == want.shape
                np.testing.assert_allclose(got, want, rtol=1e-5)


def test_axes_that_are_an_input_are_bound() -> None:
    x, axes = sample(2, 3, 4), np.array([2, 0], np.int64)
    model = model_of("ReduceSum", {"x": x, "axes": axes}, {}, keepdims=0)
    program = lastuse.compile(model)
    np.testing.assert_allclose(next(iter(program.run({"x": x, "axes": axes}).values())), x.sum((0, 2)), rtol=1e-5)
    other = np.array([1, -1], np.int64)
    np.testing.assert_allclose(next(iter(program.run({"x": x, "axes": other}).values())), x.sum((1, 2)), rtol=1e-5)


def test_normalisation_of_f16_is_computed_in_f32(tmp_path: Path) -> None:
    """Squares of 300 are infinite in f16."""
    x, ones = np.array([[300.0, -300.0, 100.0, 0.0]], np.float16), np.ones(4, np.float16)
    model = model_of("LayerNormalization", {"x": x}, {"scale": ones, "bias": ones}, results=3)
    y, mean, inverse = run(model, {"x": x})
    wide = x.astype(np.float64)
    np.testing.assert_allclose(y, (wide - wide.mean()) / wide.std() + 1, rtol=2e-3)
    assert (y.dtype, mean.dtype, inverse.dtype) == (np.float16, np.float32, np.float32)
    assert "cast" in kinds(model, tmp_path)


def test_scale_of_a_layer_normalisation_is_broadcast() -> None:
    x = sample(2, 3, 4)
    model = model_of("LayerNormalization", {"x": x}, {"scale": np.full(1, 2, np.float32)}, axis=1)
    wide = x.astype(np.float64)
    want = (wide - wide.mean((1, 2), keepdims=True)) / np.sqrt(wide.var((1, 2), keepdims=True) + 1e-5) * 2
    np.testing.assert_allclose(run(model, {"x": x})[0], want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("channels", [0, 1])
def test_quantised_convolution_equals_that_of_onnxruntime(channels: int) -> None:
    chance = np.random.default_rng(1)
    # Without VNNI onnxruntime adds pairs of products in 16 bits, where larger weights saturate.
    x, w = chance.integers(0, 256, (2, 4, 9, 8), np.uint8), chance.integers(-64, 64, (6, 2, 3, 3), np.int8)
    scale = np.linspace(0.01, 0.03, 6).astype(np.float32) if channels else np.full((), 0.02, np.float32)
    zero = np.zeros(6, np.int8) if channels else np.zeros((), np.int8)
    weights = {
        "x_scale": np.full((), 0.05, np.float32),
        "x_zero": np.full((), 120, np.uint8),
        "w": w,
        "w_scale": scale,
        "w_zero": zero,
        "y_scale": np.full((), 0.7, np.float32),
        "y_zero": np.full((), 117, np.uint8),
        "bias": chance.integers(-5000, 5000, 6, np.int32),
    }
    model = model_of("QLinearConv", {"x": x}, weights, group=2, pads=[1, 0, 2, 1], strides=[2, 1])
    want: Any = onnxruntime.InferenceSession(model).run(None, {"x": x})[0]
    (got,) = run(model, {"x": x})
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    # Half of a step may be rounded apart: onnxruntime multiplies in f32.
    assert np.abs(got.astype(int) - want.astype(int)).max() <= 1
    assert (got != want).mean() < 0.01


@pytest.mark.parametrize("channels", [960, 1600])
@pytest.mark.parametrize("pads", [[0, 0, 0, 0], [0, 0, 0, 1]])
def test_quantised_convolution_of_many_channels_and_one_element(channels: int, pads: list[int]) -> None:
    """Scratch is counted before places are known: windows are lines of x only where padding follows them."""
    chance = np.random.default_rng(channels)
    x = chance.integers(0, 256, (1, channels, 8, 8), np.uint8)
    w = chance.integers(-64, 64, (160, channels, 1, 1), np.int8)
    weights = {
        "x_scale": np.ones((), np.float32),
        "x_zero": np.full((), 120, np.uint8),
        "w": w,
        "w_scale": np.ones((), np.float32),
        "w_zero": np.zeros((), np.int8),
        "y_scale": np.full((), 2.0**12, np.float32),
        "y_zero": np.full((), 117, np.uint8),
    }
    around = np.pad(x.astype(np.int64) - 120, ((0, 0), (0, 0), (0, pads[2]), (0, pads[3])))
    want = np.clip(np.rint(np.einsum("oc,nchw->nohw", w[..., 0, 0].astype(np.int64), around) / 2**12) + 117, 0, 255)
    program = lastuse.compile(model_of("QLinearConv", {"x": x}, weights, pads=pads), threads=1)
    np.testing.assert_array_equal(program.run({"x": x})["y0"], want)


def test_quantised_type_that_is_not_supported_is_refused() -> None:
    x = sample(3)
    model = model_of(
        "QuantizeLinear", {"x": x}, {"s": np.ones((), np.float32)}, opset=21, output_dtype=TensorProto.UINT4
    )
    with pytest.raises((LastuseError, ValueError), match=r"(?i)uint4|not supported"):
        lastuse.compile(model).run({"x": x})


def test_scale_and_zero_point_without_axes_or_with_one_axis_of_size_1() -> None:
    """The quantizer of onnxruntime gives a bias a scale of shape [1] and a zero point of shape []."""
    x = np.arange(-3, 4, dtype=np.int32)
    weights = {"scale": np.array([0.25], np.float32), "zero": np.array(2, np.int32)}
    model = model_of("DequantizeLinear", {"x": x}, weights, axis=0)
    (want,) = onnxruntime.InferenceSession(model).run(None, {"x": x})
    np.testing.assert_array_equal(run(model, {"x": x})[0], want)


@pytest.mark.parametrize("batch", [1, 3])
def test_signal_of_a_fourier_transform_without_its_last_axis(batch: int) -> None:
    """PyTorch exports a real signal as [batch, length]."""
    x = {"x": sample(batch, 40)}
    weights = {"step": np.array(4), "window": np.hanning(16).astype(np.float32), "length": np.array(16)}
    model = model_of("STFT", x, weights, opset=17, onesided=1)
    want = np.asarray(onnxruntime.InferenceSession(model).run(None, x)[0])
    (got,) = run(model, x)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, atol=1e-4)
