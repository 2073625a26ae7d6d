"""Random quantised networks, by number: QDQ pairs around float ops, or the ops on integers that ONNX has.

Sums of products are exact, and rounding them to bytes is not where two implementations multiply by a scale in another
order: a byte may be the next one. Behind further layers it may be a few others (`Case.slack`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from onnx_cases import Case, Slack
from onnx_draw import F32, I8, U8, Graph, Refused
from onnx_graphs import model_of
from onnx_layers import CHANNELS, SIZES, drawn_channels, drawn_function, drawn_window

CHAINED = 4
"""By how many steps each rounding may move a result behind two layers; behind one it is one step."""


class _Scale(NamedTuple):
    """Names of a scale and a zero point."""

    scale: str
    zero: str


def random_bytes(seed: int) -> Case:
    """Network number `seed`, of one or two layers."""
    graph = Graph(seed)
    graph.opset = graph.random.randrange(19, 24)  # those that `onnx.reference` has the ops of
    layers = graph.pick(1, 1, 2)
    in_integers = graph.pick(False, False, True)
    scales = _drawn(graph, _start)
    drawn: list[str] = []
    for _ in range(layers):
        draw = partial(_layer, x=graph.results[-1], before=scales[-1], in_integers=in_integers)
        if found := _drawn(graph, draw):
            scales += found
            drawn.append("integers" if in_integers else "pairs")
    if not in_integers or graph.pick(False, True):
        _drawn(graph, partial(_end, x=graph.results[-1], scale=scales[-1]))
    # The first one rounds the same numbers in all implementations.
    steps = (len(scales) - 1) * (CHAINED if len(drawn) > 1 else 1)
    largest = max(float(graph.arrays[each.scale].max()) for each in scales)
    return Case(" ".join(drawn), model_of(graph), graph.inputs, Slack(steps, largest))


def _drawn(graph: Graph, draw: Callable[[Graph], list[_Scale]]) -> list[_Scale]:
    """What a draw returns that fits, the first of 50; none where none does."""
    found: list[_Scale] = []
    for _ in range(50):
        if graph.attempt(lambda g: found.extend(draw(g))):
            break
    return found


def _start(g: Graph) -> list[_Scale]:
    rank = g.pick(0, 1, 2, 2)
    shape = (g.pick(1, 2, 3), g.pick(*CHANNELS), *(g.pick(*SIZES) for _ in range(rank)))
    x = g.fresh(g.array(shape), 0)
    scale = _scale_of(g, x)
    g.add("QuantizeLinear", [x, *scale])
    return [scale]


def _end(g: Graph, x: str, scale: _Scale) -> list[_Scale]:
    g.add("DequantizeLinear", [x, *scale])
    return []


def _scale_of(g: Graph, name: str, before: Sequence[_Scale] = ()) -> _Scale:
    """A scale for the elements of a value, of which some may be out of range. Steps are not much smaller than those
    that the value was rounded to `before`: one of these would be many."""
    array = g.arrays[name]
    low, high = (float(bound) for bound in (min(array.min(initial=0), 0), max(array.max(initial=0), 0)))
    dtype = g.pick(U8, U8, I8)
    scale = max(high - low, 1e-3) / 255 * g.pick(0.6, 1.0, 1.0, 1.5)
    scale = max([scale, *(float(g.arrays[each.scale]) / 2 for each in before[-1:])])
    zero = np.iinfo(dtype).min + round(-low / scale)
    zero = int(np.clip(zero, np.iinfo(dtype).min, np.iinfo(dtype).max))
    return _Scale(g.fresh(np.asarray(scale, F32), 1), g.fresh(np.asarray(zero, dtype), 1))


def _layer(g: Graph, x: str, before: _Scale, in_integers: bool) -> list[_Scale]:
    """A product or convolution of a quantised value, and what follows. The quantised result is the last one. Returns
    the scales of all that is quantised."""
    if in_integers:
        return [_integer_layer(g, x, before)]
    wide = g.add("DequantizeLinear", [x, *before])[0]
    y = _product(g, wide, g.arrays[before.scale])
    scales: list[_Scale] = []
    for _ in range(g.pick(0, 1, 1, 2)):
        if g.pick(False, True):  # pairs between ops too
            scales.append(_scale_of(g, y, scales))
            y = g.add("DequantizeLinear", [g.add("QuantizeLinear", [y, *scales[-1]])[0], *scales[-1]])[0]
        y = g.pick(drawn_function, drawn_function, _norm, _row, _sum)(g, y)
    scales.append(_scale_of(g, y, scales))
    g.add("QuantizeLinear", [y, *scales[-1]])
    return scales


def _weights(g: Graph, shape: tuple[int, ...], axis: int, reduced: int) -> tuple[str, _Scale]:
    """Integers, and their scale for the whole or for each channel."""
    dtype = g.pick(I8, I8, I8, U8)
    info = np.iinfo(dtype)
    values = g.numbers.integers(int(info.min), int(info.max) + 1, shape).astype(dtype)
    if g.pick(False, False, True):
        values[...] = np.where(g.numbers.random(shape) < 0.5, info.min, info.max)  # sums as large as they can be
    scales = shape[axis : axis + 1] if g.pick(False, True) else ()
    scale = (0.5 + g.numbers.random(scales)) / (100 * np.sqrt(max(reduced, 1)))
    zero = np.full(
        scales, 0 if dtype is I8 and g.pick(True, True, False) else g.numbers.integers(-3, 4) + (dtype is U8) * 128
    )
    return g.fresh(values, 1), _Scale(g.fresh(np.asarray(scale, F32), 1), g.fresh(zero.astype(dtype), 1))


def _product(g: Graph, x: str, scale: np.ndarray) -> str:
    _, channels, *sizes = g.arrays[x].shape
    if not sizes:
        outputs = g.pick(*CHANNELS)
        weights, of_weights = _weights(g, (channels, outputs), 1, channels)
        wide = g.add("DequantizeLinear", [weights, *of_weights], axis=1)[0]
        y = g.add("MatMul", [x, wide])[0]
        return g.add("Add", [y, g.fresh(g.array((outputs,)), 1.0)])[0] if g.pick(False, True) else y
    groups, outputs = drawn_channels(g, channels)
    kernel, window = drawn_window(g, sizes)
    reduced = channels // groups * int(np.prod(kernel))
    weights, of_weights = _weights(g, (outputs, channels // groups, *kernel), 0, reduced)
    operands = [x, g.add("DequantizeLinear", [weights, *of_weights], axis=0)[0]]
    kind = g.pick("none", "float", "integers")
    if kind == "float":
        operands.append(g.fresh(g.array((outputs,)), 1.0))
    elif kind == "integers":
        steps = g.fresh(np.asarray(scale * g.arrays[of_weights.scale], F32), 1)
        zero = g.fresh(np.zeros(g.arrays[steps].shape, np.int32), 1)
        integers = g.fresh(g.numbers.integers(-500, 500, outputs).astype(np.int32), 1)
        operands.append(g.add("DequantizeLinear", [integers, steps, zero], axis=0)[0])
    return g.add("Conv", operands, group=groups, **window)[0]


def _norm(g: Graph, x: str) -> str:
    channels = g.arrays[x].shape[1]
    scale, bias, mean = (g.fresh(g.array((channels,)), 1) for _ in range(3))
    variance = g.fresh((0.5 + g.numbers.random(channels)).astype(F32), 1)
    return g.add("BatchNormalization", [x, scale, bias, mean, variance])[0]


def _row(g: Graph, x: str) -> str:
    """A number for each channel, which may make several of one."""
    _, channels, *sizes = g.arrays[x].shape
    row = g.array((1, channels if channels > 1 else g.pick(1, 3, 256), *[1] * len(sizes)))
    return g.add(g.pick("Add", "Mul"), [x, g.fresh(row, 1)])[0]


def _sum(g: Graph, x: str) -> str:
    """A residual: a value of the same shape, quantised too."""
    alike = g.candidates(lambda a: a.shape == g.arrays[x].shape and a.dtype == F32)
    return g.add("Add", g.pick([x, g.pick(*alike)], [g.pick(*alike), x]))[0]


def _integer_layer(g: Graph, x: str, before: _Scale) -> _Scale:
    _, channels, *sizes = g.arrays[x].shape
    after = _Scale(
        g.fresh(np.asarray(g.pick(0.01, 0.02, 0.05), F32), 1), g.fresh(np.asarray(g.pick(3, 100, 128), U8), 1)
    )
    if g.arrays[before.zero].dtype != U8:  # the type of both, in onnxruntime
        after = after._replace(zero=g.fresh(np.asarray(g.pick(-100, 0, 5), I8), 1))
    if not sizes:
        weights, of_weights = _weights(g, (channels, g.pick(*CHANNELS)), 1, channels)
        g.add("QLinearMatMul", [x, *before, weights, *of_weights, *after])
        return after
    groups, outputs = drawn_channels(g, channels)
    kernel, window = drawn_window(g, sizes)
    reduced = channels // groups * int(np.prod(kernel))
    weights, of_weights = _weights(g, (outputs, channels // groups, *kernel), 0, reduced)
    bias = [g.fresh(g.numbers.integers(-500, 500, outputs).astype(np.int32), 1)] * g.pick(0, 1)
    y = g.add("QLinearConv", [x, *before, weights, *of_weights, *after, *bias], group=groups, **window)[0]
    if g.arrays[y].ndim != g.arrays[x].ndim:
        raise Refused  # `onnx.reference` broadcasts the zero points of channels to more axes
    return after
