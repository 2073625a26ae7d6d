"""Recurrent ops, sequence by sequence and row by row, and the decoding of a CRF, by the formulas in their docs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import given, integer, integers, number, numbers, result_shape, word
from .rounding import LIMITS, Array, Rounding

Activation = Callable[[Array], Array]
Reading = Callable[[Array, Rounding], Array]
ACTIVATIONS: dict[str, Activation] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "identity": lambda x: x,
}
ONNX_ACTIVATIONS: dict[str, tuple[Callable[[float, float], Activation], float | None, float | None]] = {
    "affine": (lambda a, b: lambda x: a * x + b, 1.0, 0.0),
    "leakyrelu": (lambda a, b: lambda x: np.where(x < 0, a * x, x), 0.01, None),
    "thresholdedrelu": (lambda a, b: lambda x: np.where(x > a, x, 0.0), 1.0, None),
    "scaledtanh": (lambda a, b: lambda x: a * np.tanh(b * x), 1.0, 1.0),
    "hardsigmoid": (lambda a, b: lambda x: np.minimum(np.maximum(a * x + b, 0.0), 1.0), 0.2, 0.5),
    "elu": (lambda a, b: lambda x: np.where(x < 0, a * (np.exp(np.minimum(x, 0.0)) - 1.0), x), 1.0, None),
    "softsign": (lambda a, b: lambda x: x / (1.0 + np.abs(x)), None, None),
    "softplus": (lambda a, b: lambda x: np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))), None, None),
}
"""Those with numbers, and the defaults of alpha and beta."""
DOUBLE = np.dtype(np.float64)


class Gru(NamedTuple):
    """One direction of one layer. `weight_x` is None where x holds the gates already."""

    weight_x: Array | None
    weight_h: Array
    bias: Array | None
    h0: Array | None
    reverse: bool
    origin_mode: bool
    gate: Activation
    activation: Activation
    read_x: Reading
    read_h: Reading


def _as_is(x: Array, r: Rounding) -> Array:
    return x


def gates_of(weight_h: Array) -> list[Array]:
    """The recurrent weights of u, r, c: side by side, or in Paddle's memory order."""
    channels, flat = len(weight_h), wide(weight_h).reshape(-1)
    if weight_h.ndim == 3:
        return [wide(weight_h)[:, k] for k in range(3)]
    both = flat[: 2 * channels * channels].reshape(channels, 2 * channels)
    return [both[:, :channels], both[:, channels:], flat[2 * channels * channels :].reshape(channels, channels)]


def _product(x: Array, weights: Array, r: Rounding, dtype: np.dtype) -> tuple[Array, Array]:
    """x @ weights, and the sum of the absolute values of its terms."""
    return x @ weights, np.abs(x) @ np.abs(weights)


def _walked(gru: Gru, x: Array, offsets: Array, r: Rounding, dtype: np.dtype) -> Array:
    """The states [words, OC], float64 numbers that `dtype` holds."""
    weights = gates_of(gru.weight_h)
    channels = len(gru.weight_h)
    read = gru.read_x(x, r)
    gates, size = (x, np.abs(x)) if gru.weight_x is None else _product(read, wide(gru.weight_x), r, dtype)
    if gru.bias is not None:
        gates, size = gates + wide(gru.bias), size + np.abs(wide(gru.bias))
    hidden, terms = np.zeros((len(x), channels)), x.shape[1] + channels
    parts = [slice(k * channels, (k + 1) * channels) for k in range(3)]

    def settled(row: int, part: slice, state: Array, weight: Array) -> Array:
        own, far = _product(gru.read_h(state, r), weight, r, dtype)
        value, size_ = gates[row, part] + own, size[row, part] + far
        return wide(r.settle(value, dtype, size_, terms, multiplied=True))

    for number_, (start, end) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
        h = np.zeros(channels) if gru.h0 is None else wide(gru.h0)[number_]
        for row in reversed(range(start, end)) if gru.reverse else range(start, end):
            u = wide(r.settle(gru.gate(settled(row, parts[0], h, weights[0])), dtype))
            reset = wide(r.settle(gru.gate(settled(row, parts[1], h, weights[1])), dtype))
            candidate = gru.activation(settled(row, parts[2], reset * h, weights[2]))
            # Kernels compute tanh(y) as (exp(2 y) - 1) / (exp(2 y) + 1): right to a rounding of 1, however small it is.
            least = 1.0 if gru.activation is np.tanh else 0.0
            c = wide(r.settle(candidate, dtype, np.maximum(np.abs(candidate), least)))
            new = u * h + (1 - u) * c if gru.origin_mode else (1 - u) * h + u * c
            largest = np.maximum(np.maximum(np.abs(h), np.abs(c)), least)
            h = wide(r.settle(new, dtype, (np.abs(u) + np.abs(1 - u)) * largest))
            hidden[row] = h
    return hidden


def promised(operands: Sequence[Array], hidden: Array, r: Rounding, dtype: np.dtype) -> Sequence[Array]:
    """The result, of which nothing is promised where an operand or a state is not finite."""
    finite = all(np.isfinite(v.astype(np.float64)).all() for v in operands) and np.isfinite(hidden).all()
    return (r.known(hidden.astype(dtype), np.full(hidden.shape, not finite)),)


def _formula(op: Operation) -> tuple[bool, Activation, Activation]:
    gate, activation = word(op, "gate_activation", "sigmoid"), word(op, "activation", "tanh")
    return bool(integer(op, "origin_mode")), ACTIVATIONS[gate], ACTIVATIONS[activation]


def _gru(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    names = "gates weight_h bias h0 offsets" if op.name == "dnn.gru" else "x weight_x weight_h bias h0 offsets"
    args = given(op, names, list(operands))
    x = operands[0]
    h0, reverse = args.get("h0"), bool(integer(op, "is_reverse"))
    gru = Gru(args.get("weight_x"), args["weight_h"], args.get("bias"), h0, reverse, *_formula(op), _as_is, _as_is)
    return promised(operands, _walked(gru, wide(x), args["offsets"], r, x.dtype), r, x.dtype)


def _multi_gru(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, *weights, offsets = operands
    layers = integer(op, "layers", 1)
    states = weights[6 * layers :]
    joined = wide(x)
    for layer in range(layers):
        hidden: list[Array] = []
        for reverse in (False, True):
            place = 2 * layer + reverse
            w_x, w_h, bias = weights[3 * place : 3 * place + 3]
            h0 = states[place] if states else None
            gru = Gru(w_x, w_h, bias, h0, reverse, *_formula(op), _as_is, _as_is)
            hidden.append(_walked(gru, joined, offsets, r, x.dtype))
        joined = _joined(hidden, word(op, "mode", ""), bool(integer(op, "reverse_first")), r, x.dtype)
    return promised(operands, joined, r, x.dtype)


def _joined(hidden: list[Array], mode: str, reverse_first: bool, r: Rounding, dtype: np.dtype) -> Array:
    if mode == "sum":
        return wide(r.settle(sum(hidden[1:], hidden[0]), dtype))
    return np.concatenate(hidden[::-1] if reverse_first else hidden, axis=1)


def _quantized_gru(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, *weights, offsets = operands
    layers, directions = integer(op, "layers", 1), integers(op, "reverse") or []
    narrow = weights[0].dtype != np.int8
    each, count = (3 if narrow else 5), layers * len(directions)
    states, single = weights[each * count :], np.dtype(np.float32)
    scales, shifts = numbers(op, "data_scale") or [], numbers(op, "data_shift") or []

    def reading(place: int) -> Reading:
        if narrow:
            dtype = weights[0].dtype
            return lambda v, rounding: wide(rounding.nudge(v, np.abs(v)).astype(np.float32).astype(dtype))
        scale, shift = (float(np.float32(values[place])) for values in (scales, shifts))

        def read(v: Array, rounding: Rounding) -> Array:
            steps = np.rint(rounding.nudge(v * scale + shift, np.abs(v * scale) + abs(shift)))
            return (np.clip(np.nan_to_num(steps, nan=0.0), 0, 255) - shift) / scale

        return read

    joined = wide(x)
    for layer in range(layers):
        hidden: list[Array] = []
        for turn, reverse in enumerate(directions):
            place = len(directions) * layer + turn
            w_x, w_h, bias, *own = weights[each * place : each * (place + 1)]
            if own:
                w_x, w_h = (wide(w) / wide(s).reshape(w.shape[1:]) for w, s in zip((w_x, w_h), own, strict=True))
            h0 = states[place] if states else None
            formula = (True, ACTIVATIONS["sigmoid"], ACTIVATIONS["tanh"])
            gru = Gru(w_x, w_h, bias, h0, bool(reverse), *formula, reading(2 * layer), reading(2 * layer + 1))
            hidden.append(_walked(gru, joined, offsets, r, single))
        joined = _joined(hidden, word(op, "mode", "concat"), False, r, single)
    return promised(operands, joined, r, single)


def _negate_gate(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    third = ("update", "reset", "candidate").index(word(op, "gate", ""))
    parts = [x[:, k : k + 1] for k in range(3)] if x.ndim == 3 else np.split(x, 3, axis=1)
    return (np.concatenate([-p if k == third else p for k, p in enumerate(parts)], axis=1),)


def _crf_decoding(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Viterbi, in scores that are not brought back to 0 after each step."""
    emission, transition, offsets = operands
    scores, between = wide(emission), wide(transition)
    path = np.zeros((len(emission), 1), np.int64)
    size = np.abs(between).max(initial=0) + np.abs(scores).max(initial=0)
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        if start == end:
            continue
        best, back = r.nudge(between[0] + scores[start], size), list[Array]()
        for row in range(start + 1, end):
            ways = r.nudge(best[:, None] + between[2:], size)
            back.append(np.argmax(ways, axis=0))
            best = r.nudge(np.max(ways, axis=0) + scores[row], size)
        tag = int(np.argmax(r.nudge(best + between[1], size)))
        for row in reversed(range(start, end)):
            path[row, 0] = tag
            if row > start:
                tag = int(back[row - start - 1][tag])
    finite = bool(np.isfinite(scores).all() and np.isfinite(between).all())
    finite &= bool(size * (len(emission) + 2) < LIMITS[emission.dtype].largest / 4)
    return (r.known(path, np.full(path.shape, not finite)),)


# ONNX's ops over padded batches.


def _onnx_rnn(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """All of them; `clip` is applied to what goes into an activation, but that of an LSTM's cell."""
    is_lstm = op.name.startswith("dnn.onnx_lstm")
    names = "x w r b sequence_lens initial_h" + (" initial_c p" if is_lstm else "")
    args = given(op, names, list(operands))
    x, batch_first = args["x"], integer(op, "layout")
    steps_first = wide(x.transpose(1, 0, 2) if batch_first else x)
    steps, batch, _ = steps_first.shape
    directions = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[
        word(op, "direction", "forward")
    ]
    hidden = args["r"].shape[2]
    lengths = args["sequence_lens"] if "sequence_lens" in args else np.full(batch, steps)
    y = np.zeros((steps, len(directions), batch, hidden))
    last = [np.zeros((len(directions), batch, hidden)) for _ in range(1 + is_lstm)]
    steps_by_op = {"dnn.onnx_lstm": _lstm_step, "dnn.onnx_gru": _gru_step, "dnn.onnx_rnn": _rnn_step}
    step = steps_by_op[op.name.removesuffix("_training")]
    for d, reverse in enumerate(directions):
        for n in range(batch):
            state: list[Array] = []
            for name in ("initial_h", "initial_c")[: 1 + is_lstm]:
                start = args.get(name)
                state.append(np.zeros(hidden) if start is None else wide(start)[(n, d) if batch_first else (d, n)])
            length = int(lengths[n])
            for at in reversed(range(length)) if reverse else range(length):
                state = step(op, args, d, steps_first[at, n], state, r)
                y[at, d, n] = state[0]
            for found, value in zip(last, state, strict=True):
                found[d, n] = value if length else 0
    results = [y, *last]
    if batch_first:
        results = [y.transpose(2, 0, 1, 3), *(v.transpose(1, 0, 2) for v in last)]
    return tuple(promised(operands, v, r, x.dtype)[0] for v in results)


def _onnx_training(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """The workspace, behind the states, has no meaning: zeros stand for it."""
    return *_onnx_rnn(op, operands, r), np.zeros(result_shape(op, None, len(op.results) - 1), np.int8)


def _limited(op: Operation, x: Array) -> Array:
    limit = number(op, "clip", np.inf)
    return np.clip(x, -limit, limit)


def functions_of(op: Operation, direction: int, defaults: str) -> list[tuple[str, float, float, Activation]]:
    """The activations of a direction: name in lower case, alpha, beta and the function."""
    attribute = op.attributes.get("activations")
    names = defaults.split() * (direction + 1)
    count = len(defaults.split())
    if isinstance(attribute, ArrayAttr):
        names = [one.data.lower() for one in attribute.data if isinstance(one, StringAttr)]
    alphas, betas = (list(numbers(op, f"activation_{name}") or []) for name in ("alpha", "beta"))
    functions: list[tuple[str, float, float, Activation]] = []
    for name in names:
        if name in ACTIVATIONS:
            functions.append((name, 0.0, 0.0, ACTIVATIONS[name]))
            continue
        make, alpha, beta = ONNX_ACTIVATIONS[name]
        a = (alphas.pop(0) if alphas else alpha) if alpha is not None else 0.0
        b = (betas.pop(0) if betas else beta) if beta is not None else 0.0
        functions.append((name, a, b, make(a, b)))
    return functions[direction * count : (direction + 1) * count]


def _functions(op: Operation, direction: int, defaults: str) -> list[Activation]:
    return [function for *_, function in functions_of(op, direction, defaults)]


class Gates:
    """What goes into the activations of one step: rows of w, r and b for each gate."""

    def __init__(self, op: Operation, args: dict[str, Array], d: int, x: Array, h: Array, r: Rounding) -> None:
        self.op, self.r, self.x, self.h, self.dtype = op, r, x, h, args["x"].dtype
        self.w, self.recurrent = wide(args["w"][d]), wide(args["r"][d])
        rows = len(self.w)
        bias = wide(args["b"][d]) if "b" in args else np.zeros(2 * rows)
        self.bias_x, self.bias_h, self.count = bias[:rows], bias[rows:], self.recurrent.shape[1]

    def gate(self, k: int, state: Array | None = None, extra: Array | float = 0.0, reset: Array | None = None) -> Array:
        """Gate number `k`, of `state` or else h; `reset` is multiplied with what comes of the state."""
        rows = slice(k * self.count, (k + 1) * self.count)
        h = self.h if state is None else state
        own, far = self.recurrent[rows] @ h + self.bias_h[rows], np.abs(self.recurrent[rows]) @ np.abs(h)
        if reset is not None:
            own = reset * own
        value = self.w[rows] @ self.x + self.bias_x[rows] + own + extra
        size = np.abs(self.w[rows]) @ np.abs(self.x) + far + np.abs(self.bias_x[rows]) + np.abs(self.bias_h[rows])
        settled = self.r.settle(value, self.dtype, size + np.abs(extra), len(self.x) + self.count)
        return _limited(self.op, wide(settled))

    def settled(self, value: Array, size: Array | None = None) -> Array:
        return wide(self.r.settle(value, self.dtype, size))


def _rnn_step(op: Operation, args: dict[str, Array], d: int, x: Array, state: list[Array], r: Rounding) -> list[Array]:
    (h,), (f,) = state, _functions(op, d, "tanh")
    gates = Gates(op, args, d, x, h, r)
    return [gates.settled(f(gates.gate(0)))]


def _gru_step(op: Operation, args: dict[str, Array], d: int, x: Array, state: list[Array], r: Rounding) -> list[Array]:
    (h,), (f, g) = state, _functions(op, d, "sigmoid tanh")
    gates = Gates(op, args, d, x, h, r)
    z, reset = gates.settled(f(gates.gate(0))), gates.settled(f(gates.gate(1)))
    if integer(op, "linear_before_reset"):
        n = gates.gate(2, reset=reset)
    else:
        n = gates.gate(2, reset * h)
    n = gates.settled(g(n))
    size = (np.abs(1 - z) + np.abs(z)) * np.maximum(np.abs(n), np.abs(h))
    return [gates.settled((1 - z) * n + z * h, size)]


def _lstm_step(op: Operation, args: dict[str, Array], d: int, x: Array, state: list[Array], r: Rounding) -> list[Array]:
    (h, c), (f, g, squash) = state, _functions(op, d, "sigmoid tanh tanh")
    gates = Gates(op, args, d, x, h, r)
    peepholes = np.split(wide(args["p"][d]), 3) if "p" in args else [np.zeros(len(h))] * 3
    i = gates.settled(f(gates.gate(0, extra=peepholes[0] * c)))
    forget = 1 - i if integer(op, "input_forget") else gates.settled(f(gates.gate(2, extra=peepholes[2] * c)))
    new = gates.settled(g(gates.gate(3)))
    cell = gates.settled(forget * c + i * new, np.abs(forget * c) + np.abs(i * new))
    o = gates.settled(f(gates.gate(1, extra=peepholes[1] * cell)))
    return [gates.settled(o * squash(cell)), cell]


RECURRENT: dict[str, Meaning] = {
    "dnn.gru": _gru,
    "dnn.fused_gru": _gru,
    "dnn.multi_gru": _multi_gru,
    "dnn.quantized_gru": _quantized_gru,
    "dnn.crf_decoding": _crf_decoding,
    "dnn.negate_gate": _negate_gate,
    "dnn.onnx_gru": _onnx_rnn,
    "dnn.onnx_lstm": _onnx_rnn,
    "dnn.onnx_rnn": _onnx_rnn,
    "dnn.onnx_gru_training": _onnx_training,
    "dnn.onnx_lstm_training": _onnx_training,
}
