"""DFT and STFT as products with constant matrices, against numpy's transforms in f64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import lastuse

FLOAT = TensorProto.FLOAT


def model_of(kind: str, shape: tuple[int | str, ...], inputs: dict[str, np.ndarray | None], **attributes: Any) -> bytes:
    """A model of one op on x, whose other inputs are constants, or left out."""
    names = ["x", *(name if array is not None else "" for name, array in inputs.items())]
    graph = helper.make_graph(
        [helper.make_node(kind, names, ["y"], **attributes)],
        "spectrum",
        [helper.make_tensor_value_info("x", FLOAT, shape)],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in inputs.items() if array is not None],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9).SerializeToString()


def result_of(model: bytes, x: np.ndarray) -> np.ndarray:
    program = lastuse.compile(model, profile=True)
    (y,) = program.run({"x": x}).values()
    assert "cpu" not in {time.engine for time in program.profile()}
    return y[..., 0] if y.shape[-1] == 1 else y[..., 0] + 1j * y[..., 1]


@pytest.mark.parametrize("axis", [1, 2, -2])
@pytest.mark.parametrize("length", [None, 5, 9])
@pytest.mark.parametrize(("parts", "onesided"), [(1, 0), (1, 1), (2, 0)])
def test_dft_of_numpy(parts: int, onesided: int, length: int | None, axis: int) -> None:
    x = np.random.default_rng(0).normal(size=(3, 7, 8, parts)).astype(np.float32)
    numbers = x[..., 0] + 1j * x[..., 1] if parts == 2 else x[..., 0].astype(np.float64)
    at = axis - 4 if axis > 0 else axis
    want = (np.fft.rfft if onesided else np.fft.fft)(numbers, n=length, axis=at + 1)
    inputs = {"n": None if length is None else np.array(length), "axis": np.array(axis)}
    for shape in (x.shape, ("B", 7, 8, parts)):
        model = model_of("DFT", shape, inputs, onesided=onesided)
        np.testing.assert_allclose(result_of(model, x), want, rtol=0, atol=2e-5)


@pytest.mark.parametrize("is_column", [False, True])
@pytest.mark.parametrize("states_length", [False, True])
@pytest.mark.parametrize("onesided", [0, 1])
@pytest.mark.parametrize(("length", "step", "has_window"), [(16, 4, True), (15, 7, True), (9, 9, False), (1, 1, True)])
def test_stft_of_numpy(
    length: int, step: int, has_window: bool, onesided: int, states_length: bool, is_column: bool
) -> None:
    rng = np.random.default_rng(1)
    x, window = rng.normal(size=(2, 100)).astype(np.float32), rng.uniform(size=length).astype(np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), length, axis=1)[:, ::step]
    weighed = frames * window if has_window else frames
    want = (np.fft.rfft if onesided else np.fft.fft)(weighed)
    states_length = states_length or not has_window
    inputs = {
        "step": np.array(step),
        "window": window if has_window else None,
        "length": np.array(length) if states_length else None,
    }
    given = x[..., None] if is_column else x
    for shape in (given.shape, ("B", "L", 1)[: given.ndim]):
        y = result_of(model_of("STFT", shape, inputs, onesided=onesided), given)
        np.testing.assert_allclose(y, want, rtol=0, atol=2e-5)


@pytest.mark.parametrize(("size", "inverse"), [(4096, 0), (7, 1)])
def test_long_and_inverse_transforms_are_those_of_the_reference(size: int, inverse: int) -> None:
    """The matrix of a long one would have more than 2^23 elements."""
    x = np.random.default_rng(2).normal(size=(1, size, 1)).astype(np.float32)
    program = lastuse.compile(model_of("DFT", x.shape, {"n": None, "axis": np.array(1)}, inverse=inverse), profile=True)
    (y,) = program.run({"x": x}).values()
    want = (np.fft.ifft if inverse else np.fft.fft)(x[..., 0].astype(np.float64))
    np.testing.assert_allclose(y[..., 0] + 1j * y[..., 1], want, rtol=0, atol=1e-3)
    assert "cpu" in {time.engine for time in program.profile()}
