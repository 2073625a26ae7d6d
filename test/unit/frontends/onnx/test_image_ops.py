"""Ops whose channels are last, as onnxruntime writes them: results are those of the definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from node_models import Array, NodeModel, check

ort = pytest.importorskip("onnxruntime")
RNG = np.random.default_rng(4)


def normal(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


X, SCALE, SHIFT = normal(2, 3, 5, 8), normal(8), normal(8)


def normalised(x: Array, groups: int, silu: bool) -> Array:
    """x [batch, height, width, channels]"""
    parts = x.astype(np.float64).reshape(2, 15, groups, -1)
    centred = parts - parts.mean((1, 3), keepdims=True)
    made = (centred / np.sqrt((centred**2).mean((1, 3), keepdims=True) + 1e-5)).reshape(x.shape) * SCALE + SHIFT
    return made / (1 + np.exp(-made)) if silu else made


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("silu", [True, False])
def test_group_norm(last: bool, silu: bool) -> None:
    def placed(x: Array) -> Array:
        return x if last else np.ascontiguousarray(x.transpose(0, 3, 1, 2))

    kind = {"groups": 4, "activation": int(silu), "channels_last": int(last)}
    inputs = {"x": placed(X), "scale": SCALE, "shift": SHIFT}
    check(NodeModel("GroupNorm", inputs, kind), {"y": placed(normalised(X, 4, silu))}, atol=1e-5)
    skips = (normal(2, 8), normal(2, 3, 5, 8))
    for skip, whole in zip(skips, (skips[0][:, None, None], skips[1]), strict=True):
        bias = normal(8)
        total = X + whole + bias
        given = {**inputs, "skip": skip if skip.ndim == 2 else placed(skip), "bias": bias}
        wanted = {"y": placed(normalised(total, 4, silu)), "sum": placed(total)}
        check(NodeModel("SkipGroupNorm", given, kind, ["y", "sum"]), wanted, atol=1e-5)


def test_biases() -> None:
    x, skip = normal(2, 5, 8), normal(2, 5, 8)
    check(NodeModel("BiasAdd", {"x": x, "bias": SHIFT, "skip": skip}, {}), {"y": x + SHIFT + skip})
    left, right = np.split((x + SHIFT).astype(np.float64), 2, -1)
    gelu = right / 2 * (1 + np.vectorize(math.erf)(right / 2**0.5))
    check(NodeModel("BiasSplitGelu", {"x": x, "bias": SHIFT}, {}), {"y": left * gelu})


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_pools_of_bytes(dtype: type) -> None:
    x = RNG.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (1, 6, 7, 3), dtype)
    kind = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}
    model = NodeModel("NhwcMaxPool", {"x": x}, kind)
    check(model, model.results_of_onnxruntime())


def test_convolutions() -> None:
    w, bias, added = normal(4, 8, 3, 3), normal(4), normal(2, 3, 5, 4)
    inputs = {"x": X, "w": w, "bias": bias, "added": added}
    kind = {"activation": "Relu", "pads": [1, 1, 1, 1]}
    padded = np.pad(X.astype(np.float64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    sums = sum(padded[:, i : i + 3, j : j + 5] @ w[:, :, i, j].T for i in range(3) for j in range(3))
    wanted = np.maximum(sums + bias + added, 0)
    check(NodeModel("NhwcFusedConv", inputs, kind, ["y"], ("w", "bias")), {"y": wanted}, atol=2e-5)
