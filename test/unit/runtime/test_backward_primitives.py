"""Steps of training: numbers against numpy in f64, and in place the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from steps import run_step
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, f32, i64
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.convolution_weights_grad import OneDnnConvolutionWeightsGradOp
from lastuse.dialect.onednn.primitives.eltwise import ELTWISE, OneDnnEltwiseOp
from lastuse.dialect.onednn.primitives.eltwise_backward import (
    FROM_RESULT,
    WITHOUT_GRADIENT,
    OneDnnEltwiseBackwardOp,
)
from lastuse.dialect.onednn.primitives.pooling_backward import OneDnnMaxPoolingOp, OneDnnPoolingBackwardOp
from lastuse.dialect.onednn.primitives.softmax_backward import OneDnnSoftmaxBackwardOp
from lastuse.runtime import _core

Array = np.ndarray
NUMBERS = {
    "clip": (-1.0, 1.5),
    "elu": (0.25, 0.0),
    "hardsigmoid": (1 / 6, 0.5),
    "hardswish": (1 / 6, 0.5),
    "linear": (2.5, -0.5),
    "pow": (2.0, 1.5),
    "relu": (0.25, 0.0),
    "soft_relu": (1.0, 0.0),
    "swish": (1.5, 0.0),
}
"""alpha and beta of algorithms that have them."""


def sample(*shape: int, low: float = -3.0) -> Array:
    return np.random.default_rng(sum(shape)).uniform(low, 3, shape).astype(np.float32)


def _stated(alg: str, from_dst: bool) -> dict[str, Attribute]:
    alpha, beta = NUMBERS.get(alg, (0.0, 0.0))
    stated: dict[str, Attribute] = {
        "alg": StringAttr(alg),
        "alpha": FloatAttr(alpha, f32),
        "beta": FloatAttr(beta, f32),
    }
    return {**stated, "from_dst": BoolAttr.from_bool(True)} if from_dst else stated


def _forward(alg: str, x: Array) -> Array:
    """What oneDNN's forward primitive computes, in the core itself: the gradient is held against its differences."""
    (y,) = run_step(OneDnnEltwiseOp, [x], [x], _stated(alg, False))
    return y


@pytest.mark.parametrize("from_dst", [False, True], ids=["from src", "from dst"])
@pytest.mark.parametrize("alg", sorted(ELTWISE - WITHOUT_GRADIENT))
def test_eltwise_gradients_are_the_differences(alg: str, from_dst: bool) -> None:
    if from_dst and alg not in FROM_RESULT:
        with pytest.raises(_core.Error, match="no gradient of eltwise"):
            desc = _core.Desc(np.dtype(np.float32), (4,), (1,))
            _core.eltwise_backward(alg, True, 0.0, 0.0, desc, desc, desc)
        return
    x, dy = sample(5, 37, low=0.2 if alg in ("sqrt", "log", "pow") else -3.0), sample(5, 37) + 1
    step = np.float32(1e-2)
    x = x[(np.abs(x) > 2e-2) & (np.abs(np.abs(x) - 1) > 2e-2) & (np.abs(x - 1.5) > 2e-2)][:96].reshape(4, 24)
    dy = dy[:4, :24]
    want = dy * (_forward(alg, x + step) - _forward(alg, x - step)) / (2 * step)
    data = _forward(alg, x) if from_dst else x
    attributes = _stated(alg, from_dst)
    (plain,) = run_step(OneDnnEltwiseBackwardOp, [data, dy], [x], attributes)
    np.testing.assert_allclose(plain, want, rtol=2e-3, atol=2e-3)
    (over,) = run_step(OneDnnEltwiseBackwardOp, [data, dy], [x], attributes, 1)
    assert plain.tobytes() == over.tobytes()
    with pytest.raises(VerifyException, match="may not be written over"):
        run_step(OneDnnEltwiseBackwardOp, [data, dy], [x], attributes, 0)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_softmax(axis: int, log: bool) -> None:
    x, dy = sample(4, 7, 5).astype(np.float64), sample(4, 7, 5)
    y = np.exp(x - x.max(axis, keepdims=True))
    y /= y.sum(axis, keepdims=True)
    share = dy.sum(axis, keepdims=True) if log else (dy * y).sum(axis, keepdims=True)
    want = dy - y * share if log else y * (dy - share)
    given = (np.log(y) if log else y).astype(np.float32)
    attributes: dict[str, Attribute] = {"axis": IntegerAttr(axis, i64), "log": BoolAttr.from_bool(log)}
    (plain,) = run_step(OneDnnSoftmaxBackwardOp, [given, dy], [dy], attributes)
    np.testing.assert_allclose(plain, want, rtol=1e-5, atol=1e-5)
    (over,) = run_step(OneDnnSoftmaxBackwardOp, [given, dy], [dy], attributes, 1)
    assert plain.tobytes() == over.tobytes()
    with pytest.raises(VerifyException, match="may not be written over"):
        run_step(OneDnnSoftmaxBackwardOp, [given, dy], [dy], attributes, 0)


def _movement(strides: int, begins: int, ends: int) -> dict[str, Attribute]:
    entries = {"strides": strides, "dilations": 1, "begins": begins, "ends": ends}
    return {name: DenseArrayBase.from_list(i64, [value, value]) for name, value in entries.items()}


@pytest.mark.parametrize(("groups", "stride"), [(1, 1), (1, 2), (3, 1), (3, 2)])
def test_gradients_of_weights(groups: int, stride: int) -> None:
    x, dy = sample(2, 6, 7, 7), sample(2, 9, 7 if stride == 1 else 4, 7 if stride == 1 else 4)
    inside = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    want = np.zeros((groups, 9 // groups, 6 // groups, 3, 3))
    for g, (i, j) in ((g, at) for g in range(groups) for at in np.ndindex(3, 3)):
        under = inside[:, :, i : i + 7 : stride, j : j + 7 : stride].reshape(2, groups, 6 // groups, *dy.shape[2:])
        rows = dy.astype(np.float64).reshape(2, groups, 9 // groups, *dy.shape[2:])
        want[g, :, :, i, j] = np.einsum("nchw,nohw->oc", under[:, g], rows[:, g])
    out = (want if groups > 1 else want[0]).astype(np.float32)
    (have,) = run_step(OneDnnConvolutionWeightsGradOp, [x, dy], [out], _movement(stride, 1, 1))
    np.testing.assert_allclose(have, out, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("window", [2, 3])
def test_max_pooling_numbers_the_first_of_the_largest(window: int) -> None:
    """The workspace of oneDNN's max pooling is documented as opaque; the op's own kernel makes the same numbers."""
    x = np.round(sample(2, 19, 9, 9))
    places = (9 + 1 - window) // 2 + 1
    attributes = {**_movement(2, 1, 0), "kernel": DenseArrayBase.from_list(i64, [window, window])}
    y, numbers = np.empty((2, 19, places, places), np.float32), np.empty((2, 19, places, places), np.uint8)
    inside = np.pad(x, ((0, 0), (0, 0), (1, 0), (1, 0)), constant_values=-np.inf)
    for i, j in np.ndindex(places, places):
        under = inside[:, :, 2 * i : 2 * i + window, 2 * j : 2 * j + window].reshape(2, 19, -1)
        y[:, :, i, j], numbers[:, :, i, j] = under.max(-1), under.argmax(-1)
    have, chosen = run_step(OneDnnMaxPoolingOp, [x], [y, numbers], attributes)
    np.testing.assert_array_equal(have, y)
    np.testing.assert_array_equal(chosen, numbers)
    dy = sample(*y.shape)
    want = np.zeros_like(inside)
    for i, j in np.ndindex(places, places):
        for k, (a, b) in enumerate(np.ndindex(window, window)):
            want[:, :, 2 * i + a, 2 * j + b] += np.where(numbers[:, :, i, j] == k, dy[:, :, i, j], 0)
    stated = {**attributes, "alg": StringAttr("max")}
    (dx,) = run_step(OneDnnPoolingBackwardOp, [dy, numbers], [x], stated)
    np.testing.assert_allclose(dx, want[:, :, 1:, 1:], rtol=1e-5, atol=1e-5)
