"""A draw of each op that slides a window, multiplies matrices, quantizes or is recurrent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx_draw import F32, F64, I8, U8, Graph

WINDOW_DRAWS: dict[str, Callable[[Graph], None]] = {}


def _drawn(draw: Callable[[Graph], None]) -> Callable[[Graph], None]:
    WINDOW_DRAWS[draw.__name__.strip("_")] = draw
    return draw


def _window(g: Graph, rank: int) -> dict[str, Any]:
    kernel = [g.pick(1, 2, 3) for _ in range(rank)]
    padded = g.pick("NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
    pads = [g.random.randint(0, kernel[k % rank] - 1) for k in range(2 * rank)]
    return {
        "kernel_shape": kernel,
        "strides": g.maybe([g.pick(1, 1, 2, 3) for _ in range(rank)]),
        "pads": g.maybe(pads) if padded == "NOTSET" else None,
        "auto_pad": None if padded == "NOTSET" else padded,
    }


def _pixels(g: Graph, channels: int, rank: int) -> str:
    def fits(a: np.ndarray) -> bool:
        return a.dtype == F32 and a.ndim == rank + 2 and a.shape[1] == channels and a.size > 0

    names = g.candidates(fits)
    if names and g.pick(0, 1):
        return g.pick(*names)
    return g.fresh(g.array((g.pick(1, 1, 2), channels, *(g.pick(3, 5, 7, 9) for _ in range(rank)))), 0.1)


@_drawn
def _conv(g: Graph) -> None:
    rank, groups, wide = g.pick(1, 2, 2, 2, 3), g.pick(1, 1, 2, 4), g.pick(1, 1, 2, 3)
    inside = g.pick(1, 1, 2, 3)
    window = _window(g, rank)
    window["dilations"] = g.maybe([g.pick(1, 2) for _ in range(rank)]) if not window["auto_pad"] else None
    kernel: list[int] = window["kernel_shape"]
    weights = g.fresh(g.array((groups * wide, inside, *kernel)), g.pick(0.0, 1.0, 1.0))
    bias = [g.fresh(g.array((groups * wide,)), g.pick(0.0, 1.0))] if g.pick(0, 1) else []
    if g.pick(0, 1):
        del window["kernel_shape"]
    g.add("Conv", [_pixels(g, groups * inside, rank), weights, *bias], group=groups, **window)


@_drawn
def _conv_transpose(g: Graph) -> None:
    rank, groups, wide, inside = g.pick(1, 2, 2), g.pick(1, 1, 2, 3), g.pick(1, 2), g.pick(1, 2, 3)
    window = _window(g, rank)
    strides: list[int] = window["strides"] or [1] * rank
    kernel: list[int] = window["kernel_shape"]
    if not window["auto_pad"]:
        window["output_padding"] = g.maybe([g.random.randrange(s) for s in strides], 0.3)
        window["dilations"] = g.maybe([g.pick(1, 2) for _ in range(rank)], 0.3)
    weights = g.fresh(g.array((groups * inside, wide, *kernel)), g.pick(0.0, 1.0, 1.0))
    bias = [g.fresh(g.array((groups * wide,)), g.pick(0.0, 1.0))] if g.pick(0, 1) else []
    g.add("ConvTranspose", [_pixels(g, groups * inside, rank), weights, *bias], group=groups, **window)


@_drawn
def _pool(g: Graph) -> None:
    rank = g.pick(1, 2, 2, 3)
    x, window = _pixels(g, g.pick(1, 2, 3), rank), _window(g, rank)
    ceil = None if window["auto_pad"] else g.maybe(g.pick(0, 1))
    kind = g.pick("MaxPool", "AveragePool", "MaxPool", "AveragePool", "LpPool")
    if kind == "MaxPool":
        dilations = g.maybe([g.pick(1, 2) for _ in range(rank)], 0.3) if not window["auto_pad"] else None
        g.add(kind, [x], g.pick(1, 1, 2), ceil_mode=ceil, dilations=dilations, **window)
    elif kind == "AveragePool":
        g.add(kind, [x], ceil_mode=ceil, count_include_pad=g.maybe(g.pick(0, 1)), **window)
    else:
        g.add(kind, [x], p=g.maybe(g.pick(1, 2, 3)), **window)


@_drawn
def _global_pool(g: Graph) -> None:
    rank = g.pick(1, 2, 2, 3)
    g.add(g.pick("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"), [_pixels(g, g.pick(1, 2, 5), rank)])


@_drawn
def _mat_mul(g: Graph) -> None:
    x = g.operand(1, 4, (F32, F32, F64))
    own = g.arrays[x]
    inner, columns = own.shape[-1], g.pick(1, 2, 5, 16)
    batch = [g.pick(1, n) for n in own.shape[:-2]][g.pick(0, 0, 99) :]
    shape = (inner,) if g.random.random() < 0.1 else (*batch, inner, columns)
    y = g.fresh(g.array(shape, own.dtype.type), g.pick(0.0, 1.0))
    if own.ndim > 1 and g.random.random() < 0.3:
        perm = [*range(own.ndim - 2), own.ndim - 1, own.ndim - 2]
        y = g.add("Transpose", [x], perm=perm)[0]
    g.add("MatMul", [x, y])


@_drawn
def _gemm(g: Graph) -> None:
    rows, inner, columns = g.pick(1, 2, 5), g.pick(1, 3, 8), g.pick(1, 2, 7)
    left, right = g.pick(0, 1), g.pick(0, 1)
    a = g.fresh(g.array((inner, rows) if left else (rows, inner)), 0.2)
    b = g.fresh(g.array((columns, inner) if right else (inner, columns)), 0.6)
    c = g.pick((), (columns,), (1, columns), (rows, columns), (rows, 1), (1, 1))
    more = [g.fresh(g.array(c), 0.5)] if g.pick(0, 1, 1) else []
    scale = g.maybe(g.pick(0.5, 2.0, 0.0))
    g.add("Gemm", [a, b, *more], transA=g.maybe(left) if not left else 1, transB=right, alpha=scale, beta=g.maybe(0.5))


@_drawn
def _einsum(g: Graph) -> None:
    equation = g.pick(
        "ij,jk->ik", "bij,bjk->bik", "ij->ji", "ij,ij->", "bhid,bhjd->bhij", "i,j->ij", "ij->i", "...i,ij->...j"
    )
    sizes = {letter: g.pick(1, 2, 3, 4) for letter in "ijkbhd"}
    terms = equation.split("->")[0].split(",")
    operands = [g.fresh(g.array([sizes[c] for c in term.replace("...", "bh")])) for term in terms]
    g.add("Einsum", operands, equation=equation)


@_drawn
def _quantize(g: Graph) -> None:
    x = g.operand(1, 4, (F32,))
    dtype, axis = g.pick(U8, I8), g.axis(g.arrays[x].ndim)
    shape = () if g.pick(0, 1) else (g.arrays[x].shape[axis],)
    scale = np.asarray(np.abs(g.array(shape)) + 0.05, F32)
    zero = g.array(shape, dtype)
    fields = [g.fresh(scale, 0.7), g.fresh(zero, 0.7)]
    (y,) = g.add("QuantizeLinear", [x, *fields], axis=axis)
    if g.pick(0, 1):
        g.add("DequantizeLinear", [y, *fields], axis=axis)


@_drawn
def _dynamic_quantize(g: Graph) -> None:
    x = g.operand(1, 3, (F32,))
    g.add("DynamicQuantizeLinear", [x], 3)


@_drawn
def _integer_product(g: Graph) -> None:
    rows, inner, columns = g.pick(1, 2, 5), g.pick(1, 3, 8, 33), g.pick(1, 2, 7)
    types = g.pick((U8, I8), (U8, U8), (I8, I8))
    a, b = (g.array(shape, t) for shape, t in zip(((rows, inner), (inner, columns)), types, strict=True))
    zeros = [g.fresh(g.array((), t), 0.7) for t in types]
    g.add("MatMulInteger", [g.fresh(a, 0), g.fresh(b, 0.7), *zeros[: g.pick(0, 1, 2)]])


@_drawn
def _quantized_product(g: Graph) -> None:
    rows, inner, columns = g.pick(1, 2, 5), g.pick(1, 3, 8, 33), g.pick(1, 2, 7)
    operands: list[str] = []
    for shape, dtype in (((rows, inner), U8), ((inner, columns), g.pick(I8, U8))):
        operands += [g.fresh(g.array(shape, dtype), 0.3)]
        operands += [g.fresh(np.asarray(g.pick(0.02, 0.1, 0.5), F32), 0.8), g.fresh(g.array((), dtype), 0.8)]
    operands += [g.fresh(np.asarray(g.pick(0.5, 2.0), F32), 0.8), g.fresh(g.array((), U8), 0.8)]
    g.add("QLinearMatMul", operands)


@_drawn
def _convolution_of_integers(g: Graph) -> None:
    window = _window(g, 2)
    kernel: list[int] = window["kernel_shape"]
    x = g.fresh(g.array((g.pick(1, 2), 2, 5, 7), U8), 0)
    w = g.fresh(g.array((3, 2, *kernel), U8), 0.8)
    g.add("ConvInteger", [x, w, *(g.fresh(g.array((), U8), 0.8) for _ in range(g.pick(0, 1, 2)))], **window)


@_drawn
def _recurrent(g: Graph) -> None:
    kind = g.pick("RNN", "GRU", "LSTM")
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[kind]
    steps, batch, inner, hidden = g.pick(1, 2, 5), g.pick(1, 2, 3), g.pick(1, 3, 8), g.pick(1, 2, 5, 8)
    # The reference has one direction forward alone.
    x, directions = g.fresh(g.array((steps, batch, inner)), 0), 1
    weights = [g.array((directions, gates * hidden, n)) * F32(0.5) for n in (inner, hidden)]
    constant = g.pick(0.0, 1.0, 1.0)
    operands = [x, *(g.fresh(w, constant) for w in weights)]
    if g.pick(0, 1):
        operands.append(g.fresh(g.array((directions, 2 * gates * hidden)), constant))
        if g.pick(0, 1):
            operands += ["", g.fresh(g.array((directions, batch, hidden)), 0)]
    before = {"linear_before_reset": g.maybe(g.pick(0, 1))} if kind == "GRU" else {}
    g.add(kind, operands, g.pick(1, 2), hidden_size=hidden, **before)
