"""Convolutions of bytes as `quantize_dynamic` writes them: one op whose results are those of the nodes, to the bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save

import lastuse

Array = np.ndarray
F32 = np.float32


class Layer(NamedTuple):
    """A convolution of bytes and what is behind it.

    Attributes:
        x, w: bytes; w [O, C/group, kernel…].
        x_zero, w_zero: zero points, w_zero of one number or one for each output.
        scale, scales: of all sums, and of each output (or one number).
        bias: one number for each output.
        bounds: of Clip; Relu for (0, inf), none of the two for (-inf, inf).
        statistics: scale, bias, mean and variance of BatchNormalization in front of the bounds; None: there is none.
    """

    x: Array
    w: Array
    x_zero: Array
    w_zero: Array
    scale: Array
    scales: Array
    bias: Array | None
    bounds: tuple[float, float]
    attributes: Mapping[str, Any]
    statistics: Sequence[Array] | None = None

    @property
    def rank(self) -> int:
        return self.x.ndim - 2

    def of_channels(self, parameter: Array) -> Array:
        return parameter.reshape(()) if parameter.size == 1 else parameter.reshape(-1, *(1,) * self.rank)

    def pads(self) -> tuple[Sequence[int], Sequence[int]]:
        pads = self.attributes["pads"]
        return pads[: self.rank], pads[self.rank :]

    def expected(self) -> Array:
        """Sums in int64 over each element of the window, then f32 as the nodes round."""
        strides, dilations = self.attributes["strides"], self.attributes["dilations"]
        (outputs, depth, *kernel), groups = self.w.shape, self.attributes["group"]
        around = [(0, 0), (0, 0), *zip(*self.pads(), strict=True)]
        x = np.pad(self.x.astype(np.int64) - int(self.x_zero), around)
        zeros = np.broadcast_to(self.w_zero.reshape(-1, *(1,) * (self.w.ndim - 1)), self.w.shape)
        w = self.w.astype(np.int64) - zeros
        windows = zip(x.shape[2:], kernel, strides, dilations, strict=True)
        places = [(size - (k - 1) * d - 1) // s + 1 for size, k, s, d in windows]
        sums = np.zeros((len(x), outputs, *places), np.int64)
        for output, channel in itertools.product(range(outputs), range(depth)):
            source = x[:, output // (outputs // groups) * depth + channel]
            for tap in itertools.product(*map(range, kernel)):
                cut = zip(tap, dilations, strides, places, strict=True)
                steps = tuple(slice(t * d, t * d + (p - 1) * s + 1, s) for t, d, s, p in cut)
                sums[:, output] += source[(slice(None), *steps)] * w[(output, channel, *tap)]
        y = sums.astype(np.int32).astype(F32) * (self.scale * self.of_channels(self.scales))
        y = y if self.bias is None else y + self.of_channels(self.bias)
        if self.statistics is not None:
            scale, bias, mean, variance = (self.of_channels(array.astype(np.float64)) for array in self.statistics)
            y = ((y - mean) / np.sqrt(variance + 1e-5) * scale + bias).astype(F32)
        low, high = self.bounds
        return np.minimum(np.maximum(y, F32(low)), F32(high))

    def write(self, path: str, free_sizes: bool) -> None:
        """The nodes as a model of x, its scale and its zero point."""
        ends: list[Any] = [("x", self.x), ("scale", self.scale), ("x_zero", self.x_zero)]
        constants = {"w": self.w, "w_zero": self.w_zero, "scales": self.of_channels(self.scales)}
        nodes = [
            helper.make_node("ConvInteger", ["x", "w", "x_zero", "w_zero"], ["sums"], **self.attributes),
            helper.make_node("Cast", ["sums"], ["wide"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["scale", "scales"], ["both"]),
            helper.make_node("Mul", ["wide", "both"], ["scaled"]),
        ]
        if self.bias is not None:
            constants["bias"] = self.bias.reshape(1, -1, *(1,) * self.rank)
            nodes.append(helper.make_node("Add", ["scaled", "bias"], ["biased"]))
        if self.statistics is not None:
            names = ["norm_scale", "norm_bias", "mean", "variance"]
            constants |= dict(zip(names, self.statistics, strict=True))
            nodes.append(helper.make_node("BatchNormalization", [nodes[-1].output[0], *names], ["normalised"]))
        if self.bounds == (0, math.inf):
            nodes.append(helper.make_node("Relu", [nodes[-1].output[0]], ["bounded"]))
        elif self.bounds != (-math.inf, math.inf):
            constants |= {"low": np.asarray(self.bounds[0], F32), "high": np.asarray(self.bounds[1], F32)}
            nodes.append(helper.make_node("Clip", [nodes[-1].output[0], "low", "high"], ["bounded"]))
        nodes[-1].output[0] = "y"
        inputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), list(array.shape))
            for name, array in ends
        ]
        if free_sizes:
            shape = inputs[0].type.tensor_type.shape
            for axis in (0, *range(2, self.x.ndim)):
                shape.dim[axis].dim_param = f"d{axis}"
        output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        held = [numpy_helper.from_array(array, name) for name, array in constants.items()]
        graph = helper.make_graph(nodes, "layer", inputs, [output], held)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)


def layer_of(seed: int, is_long: bool = False) -> Layer:
    """A layer of random sizes, types, zero points and windows; `is_long`: of few outputs, with a long window in a long
    line along the last axis."""
    rng = np.random.default_rng(seed)

    def one(*choices: Any) -> Any:
        return choices[rng.integers(len(choices))]

    rank, groups = one(1, 2, 2, 2, 3), one(1, 1, 1, 2, 5)
    depth, per_group = one(1, 3, 4, 17), one(1, 2, 7, 16, 33)
    if seed % 5 == 0:
        groups, depth, per_group = one(8, 19, 40), 1, 1
    kernel, dilations, strides, pads = (
        [int(n) for n in rng.integers(*bounds, size)]
        for bounds, size in (((1, 4), rank), ((1, 3), rank), ((1, 3), rank), ((0, 3), 2 * rank))
    )
    if is_long:
        groups, depth, per_group = 1, one(1, 1, 3, 8), one(1, 1, 2, 3, 8)
        kernel[-1], dilations[-1], pads[-1] = int(rng.integers(5, 40)), 1, int(rng.integers(0, 20))
    sizes = [(k - 1) * d + 1 + int(rng.integers(0, 6)) for k, d in zip(kernel, dilations, strict=True)]
    sizes[-1] += int(rng.integers(20, 300)) if is_long else 0
    outputs, (x_type, w_type) = groups * per_group, one((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8))

    def numbers(dtype: type, *shape: int) -> Array:
        limits = np.iinfo(dtype)
        return np.asarray(rng.integers(limits.min, limits.max + 1, shape)).astype(dtype)

    return Layer(
        numbers(x_type, one(1, 1, 3), groups * depth, *sizes),
        numbers(w_type, outputs, depth, *kernel),
        numbers(x_type),
        one(np.zeros((), w_type), numbers(w_type), numbers(w_type, outputs)),
        np.asarray(rng.uniform(0.001, 0.02), F32),
        one(np.asarray(0.013, F32), rng.uniform(0.01, 0.02, outputs).astype(F32)),
        one(None, rng.normal(size=outputs).astype(F32)),
        one((0.0, math.inf), (-1.5, 2.5), (-math.inf, math.inf)),
        {"group": groups, "strides": strides, "dilations": dilations, "pads": pads},
    )


@pytest.mark.parametrize(("seed", "is_long"), [*((n, False) for n in range(40)), *((n, True) for n in range(16))])
def test_layers_are_exact_in_every_way_to_compile_them(seed: int, is_long: bool, tmp_path: Any) -> None:
    layer, path = layer_of(seed, is_long), str(tmp_path / "layer.onnx")
    layer.write(path, free_sizes=seed % 3 == 0)
    inputs = {"x": layer.x, "scale": layer.scale, "x_zero": layer.x_zero}
    want = layer.expected()
    ways: list[dict[str, Any]] = [
        {"threads": 1},
        {"threads": 2},
        {"plan": False, "inplace": False},
        {"layout": "first"},
    ]
    for way in ways if seed % 4 == 0 else ways[:2]:
        (y,) = lastuse.compile(path, **way).run(inputs).values()
        np.testing.assert_array_equal(y, want, err_msg=str(way))


@pytest.mark.parametrize("seed", range(16))
def test_a_normalisation_is_in_the_scales_and_the_bias(seed: int, tmp_path: Any) -> None:
    """Results with and without it there are those of the nodes but for rounding."""
    rng, layer, path = np.random.default_rng(seed), layer_of(seed), str(tmp_path / "layer.onnx")
    statistics = [rng.normal(size=len(layer.w)).astype(F32) for _ in range(3)]
    layer = layer._replace(statistics=[*statistics, rng.uniform(0.5, 2, len(layer.w)).astype(F32)])
    layer.write(path, free_sizes=seed % 3 == 0)
    inputs, want = {"x": layer.x, "scale": layer.scale, "x_zero": layer.x_zero}, layer.expected()
    for post_ops in (True, False):
        (y,) = lastuse.compile(path, threads=1, post_ops=post_ops).run(inputs).values()
        np.testing.assert_allclose(y, want, rtol=1e-6, atol=2e-6 * float(np.abs(want).max()))
