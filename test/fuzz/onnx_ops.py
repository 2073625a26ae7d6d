"""A draw of each op that computes elements, reduces or normalises: operands and attributes that mostly fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from onnx_draw import BOOL, F32, F64, I8, I32, I64, U8, Graph, Refused

DRAWS: dict[str, Callable[[Graph], None]] = {}
ANY = (F32, F32, F64, I32, I64, I8, U8, BOOL)
NUMBERS = (F32, F32, F64, I32, I64)


def _unary(op: str, dtypes: Sequence[Any] = (F32, F32, F64), **attributes: Callable[[Graph], Any]) -> None:
    def draw(g: Graph) -> None:
        g.add(op, [g.operand(dtypes=dtypes)], **{name: g.maybe(value(g)) for name, value in attributes.items()})

    DRAWS[op] = draw


def _small(g: Graph) -> float:
    return g.pick(0.01, 0.1, 0.5, 1.0, 1.5, -0.5)


for _op in (
    *("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Erf", "Exp", "Log", "Sin", "Sinh", "Tan"),
    *("Tanh", "Ceil", "Floor", "Round", "Reciprocal", "Sigmoid", "Softplus", "Softsign", "Sqrt", "HardSwish", "Mish"),
):
    _unary(_op)
for _op in ("Abs", "Neg", "Sign"):
    _unary(_op, (F32, F64, I32, I64, I8))
_unary("Relu", (F32, F32, F64, I32))
_unary("Not", (BOOL,))
_unary("IsNaN")
_unary("IsInf", detect_negative=lambda g: g.pick(0, 1), detect_positive=lambda g: g.pick(0, 1))
_unary("BitwiseNot", (I32, U8, I64))
_unary("Identity", ANY)
_unary("Elu", alpha=_small)
_unary("Celu", (F32,), alpha=lambda g: g.pick(0.5, 1.0, 2.0))
_unary("Selu", alpha=_small, gamma=lambda g: g.pick(0.5, 1.0, 2.0))
_unary("LeakyRelu", alpha=_small)
_unary("ThresholdedRelu", alpha=_small)
_unary("HardSigmoid", alpha=_small, beta=_small)
_unary("Shrink", (F32, F64, I32), lambd=lambda g: g.pick(0.5, 1.0, 2.0), bias=lambda g: g.pick(0.0, 0.5))
_unary("Gelu", approximate=lambda g: g.pick("none", "tanh"))
_unary("Shape", ANY, start=lambda g: g.pick(-2, -1, 0, 1), end=lambda g: g.pick(-1, 0, 1, 2, 9))
_unary("Size", ANY)
_unary("Flatten", ANY, axis=lambda g: g.pick(-1, 0, 1, 2))


def _drawn(draw: Callable[[Graph], None]) -> Callable[[Graph], None]:
    DRAWS[draw.__name__.strip("_")] = draw
    return draw


def _binary(op: str, dtypes: Sequence[Any], **attributes: Callable[[Graph], Any]) -> None:
    def draw(g: Graph) -> None:
        x = g.operand(dtypes=dtypes)
        pair = [x, x if g.random.random() < 0.05 else g.like(x)]
        if g.random.random() < 0.5:
            pair.reverse()
        g.add(op, pair, **{name: value(g) for name, value in attributes.items()})

    DRAWS[op] = draw


for _op in ("Add", "Sub", "Mul"):
    _binary(_op, NUMBERS)
_binary("Div", (F32, F64))
for _op in ("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual"):
    _binary(_op, NUMBERS)
for _op in ("And", "Or", "Xor"):
    _binary(_op, (BOOL,))
for _op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
    _binary(_op, (I32, U8, I64))
_binary("BitShift", (U8,), direction=lambda g: g.pick("LEFT", "RIGHT"))
_binary("PRelu", (F32, F64))


@_drawn
def _non_zero(g: Graph) -> None:
    """Of a number of rank 0, onnxruntime makes (1, n) and the reference (0, n)."""
    g.add("NonZero", [g.operand(1, 4, ANY)])


@_drawn
def _mod(g: Graph) -> None:
    x = g.operand(dtypes=NUMBERS)
    divisor = g.array(g.arrays[x].shape, g.arrays[x].dtype.type)
    divisor[divisor == 0] = 3
    fmod = 1 if divisor.dtype.kind == "f" else g.pick(0, 1)
    g.add("Mod", [x, g.fresh(divisor)], fmod=fmod)


@_drawn
def _int_div(g: Graph) -> None:
    x = g.operand(dtypes=(I32, I64, U8))
    divisor = g.array(g.arrays[x].shape, g.arrays[x].dtype.type)
    divisor[divisor == 0] = 3
    g.add("Div", [x, g.fresh(divisor)])


@_drawn
def _pow(g: Graph) -> None:
    x = g.operand(dtypes=(F32, F64))
    exponents = np.asarray(g.pick(2, 3, 0.5, 0, 1, -1, 2.5), g.pick(F32, F64, I64))
    g.add("Pow", [x, g.fresh(exponents, 0.7)])


@_drawn
def _many(g: Graph) -> None:
    x = g.operand(dtypes=(F32, F32, F64))
    g.add(g.pick("Sum", "Max", "Min", "Mean"), [x, *(g.like(x) for _ in range(g.pick(0, 1, 1, 2)))])


@_drawn
def _where(g: Graph) -> None:
    x = g.operand(dtypes=NUMBERS)
    condition = g.fresh(g.array([g.pick(1, n) for n in g.arrays[x].shape], BOOL))
    g.add("Where", [condition, x, g.like(x)])


@_drawn
def _cast(g: Graph) -> None:
    g.add("Cast", [g.operand(dtypes=(F32, I32, I64, I8, U8, BOOL, F64))], to=g.pick(1, 6, 7, 9, 11))


@_drawn
def _clip(g: Graph) -> None:
    x = g.operand(dtypes=(F32, F32, F64, I32, I64))
    dtype = g.arrays[x].dtype
    low, high = sorted([g.pick(-3, -1, 0, 0.5), g.pick(0, 0.6, 2, 6)])
    bounds = [g.fresh(np.asarray(low, dtype), 0.7) if g.pick(1, 1, 0) else ""]
    if g.pick(1, 1, 0):
        bounds.append(g.fresh(np.asarray(high, dtype), 0.7))
    g.add("Clip", [x, *bounds])


@_drawn
def _cum_sum(g: Graph) -> None:
    x = g.operand(1, 4, NUMBERS)
    axis = g.parameter(np.asarray(g.axis(g.arrays[x].ndim)), I64)
    g.add("CumSum", [x, axis], exclusive=g.maybe(g.pick(0, 1)), reverse=g.maybe(g.pick(0, 1)))


def _reduction(op: str) -> None:
    as_input = 13 if op == "ReduceSum" else 18

    def draw(g: Graph) -> None:
        x = g.operand(dtypes=(F32, F32, F64, I32, I64))
        keep, axes = g.maybe(g.pick(0, 1)), g.maybe(g.axes(g.arrays[x].ndim), 0.8)
        if g.opset >= as_input:
            noop = g.maybe(g.pick(0, 1), 0.3)
            operands = [x] if axes is None else [x, g.parameter(axes)]
            g.add(op, operands, keepdims=keep, noop_with_empty_axes=noop)
        else:
            g.add(op, [x], axes=axes or None, keepdims=keep)

    DRAWS[op] = draw


for _op in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"):
    _reduction(f"Reduce{_op}")


@_drawn
def _arg(g: Graph) -> None:
    x = g.operand(1, 4, NUMBERS)
    axis = g.maybe(g.axis(g.arrays[x].ndim), 0.8)
    last = g.maybe(g.pick(0, 1))
    g.add(g.pick("ArgMax", "ArgMin"), [x], axis=axis, keepdims=g.maybe(g.pick(0, 1)), select_last_index=last)


@_drawn
def _softmax(g: Graph) -> None:
    x = g.operand(1, 4)
    g.add(g.pick("Softmax", "LogSoftmax", "Hardmax", "Softmax"), [x], axis=g.maybe(g.axis(g.arrays[x].ndim)))


@_drawn
def _top_k(g: Graph) -> None:
    x = g.operand(1, 4, (F32, F32, F64, I64))
    axis = g.axis(g.arrays[x].ndim)
    count = g.parameter([g.random.randint(0, g.arrays[x].shape[axis])])
    g.add("TopK", [x, count], 2, axis=axis, largest=g.maybe(g.pick(0, 1)), sorted=1)


@_drawn
def _constant_of_shape(g: Graph) -> None:
    from onnx import numpy_helper

    value = g.maybe(numpy_helper.from_array(np.asarray([g.pick(0, 1, 7)], g.pick(F32, I64, BOOL))))
    g.add("ConstantOfShape", [g.parameter(list(g.shape()))], value=value)


@_drawn
def _range(g: Graph) -> None:
    dtype = g.pick(F32, I32, I64)
    start, step = g.pick(-3, 0, 2), g.pick(-2, -1, 1, 2, 3)
    bounds = [start, start + step * g.pick(0, 1, 3, 5), step]
    g.add("Range", [g.parameter(np.asarray(n), dtype) for n in bounds])


@_drawn
def _eye_like(g: Graph) -> None:
    g.add("EyeLike", [g.operand(2, 2, NUMBERS)], k=g.maybe(g.pick(-1, 0, 1, 9)), dtype=g.maybe(g.pick(1, 7)))


@_drawn
def _one_hot(g: Graph) -> None:
    indices = g.operand(0, 3, (I64, I32))
    values = g.fresh(np.asarray([0, g.pick(1, 5)], g.pick(F32, I64)), 0.6)
    g.add("OneHot", [indices, g.parameter(np.asarray(g.pick(1, 4, 9))), values], axis=g.maybe(g.pick(-1, 0, 1)))


@_drawn
def _trilu(g: Graph) -> None:
    k = [g.parameter(np.asarray(g.pick(-2, -1, 0, 1, 9)))] if g.pick(0, 1) else []
    g.add("Trilu", [g.operand(2, 4, ANY), *k], upper=g.maybe(g.pick(0, 1)))


@_drawn
def _layer_norm(g: Graph) -> None:
    x = g.operand(1, 4, (F32, F32, F64))
    axis = g.axis(g.arrays[x].ndim)
    shape = g.arrays[x].shape[axis:]
    kind = g.pick("LayerNormalization", "LayerNormalization", "RMSNormalization")
    if g.opset < (17 if kind[0] == "L" else 23):
        raise Refused
    dtype = g.arrays[x].dtype.type
    operands = [x, g.fresh(g.array(shape, dtype))]
    if kind[0] == "L" and g.pick(0, 1):
        operands.append(g.fresh(g.array(shape, dtype)))
    g.add(kind, operands, axis=axis, epsilon=g.maybe(g.pick(1e-3, 0.1)))


@_drawn
def _batch_norm(g: Graph) -> None:
    x = g.operand(2, 4, (F32,))
    channels = g.arrays[x].shape[1]
    fields = [g.array([channels]), g.array([channels]), g.array([channels]), np.abs(g.array([channels])) + F32(0.1)]
    constant = g.pick(0, 1)
    g.add("BatchNormalization", [x, *(g.fresh(f, constant) for f in fields)], epsilon=g.maybe(g.pick(1e-3, 0.1)))


@_drawn
def _channel_norm(g: Graph) -> None:
    x = g.operand(3, 4, (F32,))
    channels = g.arrays[x].shape[1]
    fields = [g.fresh(g.array([channels])) for _ in range(2)]
    if g.opset >= 21 and g.pick(0, 1):
        groups = g.pick(*(n for n in (1, 2, 4, max(channels, 1)) if channels % n == 0))
        g.add("GroupNormalization", [x, *fields], num_groups=groups, epsilon=g.maybe(0.1))
    else:
        g.add("InstanceNormalization", [x, *fields], epsilon=g.maybe(0.1))


@_drawn
def _lrn(g: Graph) -> None:
    size = g.pick(1, 3, 5)
    g.add("LRN", [g.operand(4, 4, (F32,))], size=size, alpha=g.maybe(0.5), beta=g.maybe(0.7), bias=g.maybe(2.0))


@_drawn
def _lp_norm(g: Graph) -> None:
    x = g.operand(1, 4)
    g.add("LpNormalization", [x], axis=g.axis(g.arrays[x].ndim), p=g.pick(1, 2))


@_drawn
def _mean_variance(g: Graph) -> None:
    x = g.operand(4, 4, (F32,))
    g.add("MeanVarianceNormalization", [x], axes=g.maybe(sorted(g.random.sample(range(4), g.pick(1, 2, 3)))))


@_drawn
def _dropout(g: Graph) -> None:
    g.add("Dropout", [g.operand()], g.pick(1, 2))
