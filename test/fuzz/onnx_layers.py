"""Random convolutional networks, by number: channels as many as the kernels with packed weights take, sizes down to one
element, and the functions and sums that these kernels take along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx_cases import Case
from onnx_draw import F32, Graph, Refused
from onnx_graphs import model_of

CHANNELS = (1, 3, 8, 9, 16, 17, 24, 32, 33, 64)
SIZES = (1, 1, 2, 3, 5, 8, 13)


def random_layers(seed: int) -> Case:
    """Network number `seed`, of one to three convolutions, each with what follows it."""
    graph = Graph(seed)
    rank = graph.pick(1, 2, 2)
    x = graph.fresh(
        graph.array((graph.pick(1, 2, 3), graph.pick(*CHANNELS), *(graph.pick(*SIZES) for _ in range(rank)))), 0
    )
    drawn: list[str] = []
    for _ in range(graph.pick(1, 2, 3)):
        for _ in range(50):
            if graph.attempt(lambda g, x=x: _layer(g, x)):
                x = graph.results[-1]
                drawn.append("conv")
                break
    return Case(" ".join(drawn), model_of(graph), graph.inputs)


def _layer(g: Graph, x: str) -> None:
    """A convolution, and up to two functions or sums of its result. What it makes is the last result."""
    made = _conv(g, x)
    for _ in range(g.pick(0, 1, 1, 2)):
        made = g.pick(drawn_function, drawn_function, _sum, _scale)(g, made)


def _conv(g: Graph, x: str) -> str:
    _, channels, *sizes = g.arrays[x].shape
    groups, outputs = drawn_channels(g, channels)
    kernel, window = drawn_window(g, sizes)
    weights = g.array((outputs, channels // groups, *kernel)) / np.sqrt(channels // groups * np.prod(kernel))
    operands = [x, g.fresh(weights.astype(F32), 1.0)]
    if g.pick(False, True):
        operands.append(g.fresh(g.array((outputs,)), 1.0))
    return g.add("Conv", operands, group=groups, **window)[0]


def drawn_channels(g: Graph, channels: int) -> tuple[int, int]:
    """Groups, and the channels of the result: a convolution of all channels, or of each by itself."""
    alone = g.pick(False, False, False, True)
    return (channels, channels * g.pick(1, 1, 2)) if alone else (1, g.pick(channels, *CHANNELS))


def drawn_window(g: Graph, sizes: Sequence[int]) -> tuple[list[int], dict[str, Any]]:
    """The sizes of a window that fits, and its other attributes by their names in ONNX."""
    kernel = [g.pick(1, 1, 2, 3, 3, 5) for _ in sizes]
    dilations = [g.pick(1, 1, 2) for _ in sizes]
    steps = [g.pick(1, 1, 1, 2, 3) for _ in sizes]
    if g.pick(False, True):  # results of the operand's sizes
        kernel, steps = [size | 1 for size in kernel], [1] * len(sizes)
        pads = [(size - 1) * d // 2 for size, d in zip(kernel, dilations, strict=True)] * 2
    else:
        pads = [g.pick(0, 0, 1, 2) for _ in range(2 * len(sizes))]
    padded = [size + begin + end for size, begin, end in zip(sizes, pads, pads[len(sizes) :], strict=False)]
    if any((k - 1) * d >= size for k, d, size in zip(kernel, dilations, padded, strict=True)):
        raise Refused  # a window longer than the axis
    return kernel, {"strides": steps, "dilations": dilations, "pads": pads}


def drawn_function(g: Graph, x: str) -> str:
    """A function of each element."""
    kind = g.pick("Relu", "LeakyRelu", "Clip", "HardSwish", "Sigmoid", "Tanh", "silu", "gelu", "line")
    if kind == "Clip":
        return g.add(kind, [x, _number(g, -1), _number(g, 2)])[0]
    if kind == "silu":
        return g.add("Mul", [x, g.add("Sigmoid", [x])[0]])[0]
    if kind == "gelu":
        inner = g.add("Erf", [g.add("Mul", [x, _number(g, 0.70710678)])[0]])[0]
        half = g.add("Mul", [x, _number(g, 0.5)])[0]
        return g.add("Mul", [half, g.add("Add", [inner, _number(g, 1)])[0]])[0]
    if kind == "line":
        return g.add("Add", [g.add("Mul", [x, _number(g, 0.7)])[0], _number(g, 0.2)])[0]
    return g.add(kind, [x])[0]


def _sum(g: Graph, x: str) -> str:
    """A residual: a value of the same shape, whatever computed it."""
    alike = g.candidates(lambda a: a.shape == g.arrays[x].shape and a.dtype == F32)
    other = g.pick(*alike)
    return g.add("Add", g.pick([x, other], [other, x]))[0]


def _scale(g: Graph, x: str) -> str:
    shape = (1, g.arrays[x].shape[1], *[1] * (g.arrays[x].ndim - 2))
    return g.add(g.pick("Mul", "Add"), [x, g.fresh(g.array(shape), 1.0)])[0]


def _number(g: Graph, number: float) -> str:
    return g.fresh(np.asarray(number, F32), 1.0)
