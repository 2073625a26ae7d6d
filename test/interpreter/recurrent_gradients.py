"""Gradients of recurrent ops, sequence by sequence and row by row, by the formulas in their docs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import given, integer, number, word
from .recurrent_ops import ACTIVATIONS, functions_of, gates_of, promised
from .rounding import Array, Rounding

DERIVATIVES: dict[str, Callable[[Array, Array], Array]] = {
    "sigmoid": lambda x, y: np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))) ** 2,
    "tanh": lambda x, y: 1 - y**2,
    "relu": lambda x, y: np.where(y > 0, 1.0, 0.0),
    "identity": lambda x, y: np.ones_like(x),
}
"""From an activation's operand and result."""
ONNX_DERIVATIVES: dict[str, Callable[[Array, float, float], Array]] = {
    "affine": lambda x, a, b: np.full_like(x, a),
    "leakyrelu": lambda x, a, b: np.where(x < 0, a, 1.0),
    "thresholdedrelu": lambda x, a, b: np.where(x > a, 1.0, 0.0),
    "scaledtanh": lambda x, a, b: a * b / np.cosh(np.clip(b * x, -300, 300)) ** 2,
    "hardsigmoid": lambda x, a, b: np.where((a * x + b > 0) & (a * x + b < 1), a, 0.0),
    "elu": lambda x, a, b: np.where(x < 0, a * np.exp(np.minimum(x, 0.0)), 1.0),
    "softsign": lambda x, a, b: 1 / (1 + np.abs(x)) ** 2,
    "softplus": lambda x, a, b: 1 / (1 + np.exp(-x)),
}
"""From an activation's operand and its numbers."""


def _gru_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Each sum of a row is drawn from where float sums of its terms may lie; what is made of it later sees that."""
    first = "gates" if op.name == "dnn.gru_grad" else "x weight_x"
    args = given(op, f"{first} weight_h bias h0 offsets hidden hidden_gradient", list(operands))
    dtype, offsets = operands[0].dtype, args["offsets"].tolist()
    x, hidden, own = (wide(value) for value in (operands[0], args["hidden"], args["hidden_gradient"]))
    weight_x = wide(args["weight_x"]) if "weight_x" in args else np.zeros((0, 0))
    gates, gates_size = (x @ weight_x, np.abs(x) @ np.abs(weight_x)) if "weight_x" in args else (x, np.abs(x))
    bias, weights = wide(args["bias"])[0] if "bias" in args else 0.0, gates_of(args["weight_h"])
    channels, rows = len(args["weight_h"]), len(gates)
    gate, activation = word(op, "gate_activation", "sigmoid"), word(op, "activation", "tanh")
    reverse, origin = bool(integer(op, "is_reverse")), bool(integer(op, "origin_mode"))

    def settled(value: Array, size: Array, terms: float = 1) -> Array:
        return wide(r.settle(value, dtype, size, terms))

    def product(value: Array, weight: Array) -> tuple[Array, Array]:
        return value @ weight, np.abs(value) @ np.abs(weight)

    gradient, starts = np.zeros_like(gates), np.zeros((len(offsets) - 1, channels))
    sums, sizes = np.zeros((3, channels, channels)), np.zeros((3, channels, channels))
    for index, (start, end) in enumerate(pairwise(offsets)):
        first = wide(args["h0"])[index] if "h0" in args else np.zeros(channels)
        order = list(range(start, end))[:: -1 if reverse else 1]
        carried, far = np.zeros(channels), np.zeros(channels)
        for step in reversed(range(len(order))):
            row, h = order[step], hidden[order[step - 1]] if step else first
            into = (gates[row] + bias).reshape(3, channels)
            size = np.broadcast_to(gates_size[row] + np.abs(bias), 3 * channels).reshape(3, channels)
            sums_of = [np.zeros(channels)] * 3
            outs = [np.zeros(channels)] * 3
            for k, name in enumerate((gate, gate, activation)):
                state = h if k < 2 else outs[1] * h
                added, terms = product(state, weights[k])
                sums_of[k] = settled(into[k] + added, size[k] + terms, channels + len(weight_x))
                outs[k] = settled(ACTIVATIONS[name](sums_of[k]), np.ones(channels))
            u, reset, c = outs
            du, dr, dc = (
                DERIVATIVES[name](x, y) for name, x, y in zip((gate, gate, activation), sums_of, outs, strict=True)
            )
            d, d_size = own[row] + carried, np.abs(own[row]) + far
            share, kept, change = (1 - u, u, h - c) if origin else (u, 1 - u, c - h)
            wide_share, wide_change = 1 + np.abs(share), np.abs(h) + np.abs(c)
            dc = settled(d * share * dc, d_size * wide_share)
            through, through_size = product(dc, weights[2].T)
            du = settled(d * change * du, d_size * wide_change * np.maximum(np.abs(du), 1))
            dr = settled(through * h * dr, through_size * np.abs(h) * np.maximum(np.abs(dr), 1), channels)
            back = [product(value, weights[k].T) for k, value in enumerate((du, dr))]
            carried = d * kept + through * reset + back[0][0] + back[1][0]
            far = d_size * (1 + np.abs(kept)) + through_size * np.abs(reset) + back[0][1] + back[1][1]
            carried = settled(carried, far, 3 * channels)
            gradient[row] = np.concatenate([du, dr, dc])
            for k, (state, value) in enumerate(((h, du), (h, dr), (reset * h, dc))):
                sums[k] += np.outer(state, value)
                sizes[k] += np.abs(np.outer(state, value))
        starts[index] = carried
    total = [r.settle(value, dtype, size, rows) for value, size in zip(sums, sizes, strict=True)]
    weight_h = args["weight_h"]
    if weight_h.ndim == 3:
        weight_gradient = np.stack(total, axis=1)
    else:
        both = np.concatenate([np.concatenate(total[:2], axis=1).reshape(-1), total[2].reshape(-1)])
        weight_gradient = both.reshape(weight_h.shape)
    of_bias = settled(gradient.sum(0, keepdims=True), np.abs(gradient).sum(0, keepdims=True), rows)
    results = [gradient]
    if "weight_x" in args:
        results = [settled(*product(gradient, weight_x.T), 3 * channels), settled(*product(x.T, gradient), rows)]
    results += [wide(weight_gradient), of_bias, *([starts] if "h0" in args else [])]
    finite = all(np.isfinite(value).all() for value in results)
    results = results[len(results) - len(op.results) :]  # the first one may be left out
    return [promised(operands, value if finite else value * np.nan, r, dtype)[0] for value in results]


# ONNX's ops over padded batches, each sum drawn from where float sums of its terms may lie.


class Sum(NamedTuple):
    """A sum, and the sum of the absolute values of its terms."""

    value: Array
    size: Array

    def plus(self, value: Array, size: Array | None = None) -> Sum:
        """With one more term, or a sum whose terms have that size."""
        return Sum(self.value + value, self.size + (np.abs(value) if size is None else size))


class OnnxDirection:
    """One direction of one op: operands, sums of its results, and how a sum is settled."""

    def __init__(self, op: Operation, args: dict[str, Array], d: int, r: Rounding) -> None:
        self.op, self.r, self.dtype = op, r, args["x"].dtype
        self.w, self.recurrent = wide(args["w"][d]), wide(args["r"][d])
        self.size = self.recurrent.shape[1]
        self.bias = wide(args["b"][d]) if "b" in args else np.zeros(2 * len(self.w))
        self.peephole = wide(args["p"][d]) if "p" in args else np.zeros(3 * self.size)
        defaults = {"onnx_rnn_grad": "tanh", "onnx_gru_grad": "sigmoid tanh"}.get(
            op.name[4:].replace("_training", ""), "sigmoid tanh tanh"
        )
        self.functions = functions_of(op, d, defaults)
        self.terms = self.w.shape[1] + 4 * self.size
        self.sums = {name: Sum(np.zeros(of.shape), np.zeros(of.shape)) for name, of in self.weights().items()}

    def weights(self) -> dict[str, Array]:
        return {"w": self.w, "r": self.recurrent, "b": self.bias, "p": self.peephole}

    def part(self, k: int) -> slice:
        return slice(k * self.size, (k + 1) * self.size)

    def settled(self, sum_: Sum, terms: float | None = None) -> Array:
        return wide(self.r.settle(sum_.value, self.dtype, sum_.size, self.terms if terms is None else terms))

    def activated(self, k: int, sum_: Sum, clipped: bool = True) -> tuple[Array, Array]:
        """The result of activation `k`, and its derivative there: 0 of what the clip cuts off."""
        sums, (name, a, b, function) = self.settled(sum_), self.functions[k]
        limit = number(self.op, "clip", np.inf) if clipped else np.inf
        x = np.clip(sums, -limit, limit)
        y = wide(self.r.settle(function(x), self.dtype, np.maximum(np.abs(x), 1.0)))
        slope = DERIVATIVES[name](x, y) if name in DERIVATIVES else ONNX_DERIVATIVES[name](x, a, b)
        return y, np.where(np.abs(sums) <= limit, slope, 0.0)

    def gate(self, k: int, x: Array, h: Array) -> Sum:
        """What goes into the activation of gate `k`."""
        of_x = self.bias[: len(self.w)][self.part(k)]
        return self.product(x, self.w[self.part(k)].T).plus(of_x).plus(*self.state(k, h))

    def state(self, k: int, h: Array) -> Sum:
        return self.product(h, self.recurrent[self.part(k)].T).plus(self.bias[len(self.w) :][self.part(k)])

    def product(self, value: Array, weight: Array) -> Sum:
        return Sum(value @ weight, np.abs(value) @ np.abs(weight))

    def add(self, name: str, place: slice, value: Array) -> None:
        sum_ = self.sums[name]
        sum_.value[place] += value
        sum_.size[place] += np.abs(value)


def _times(*factors: Array) -> Sum:
    """A product of numbers that are differences or small: as large as 1 at least, but for the first."""
    value, size = np.asarray(factors[0]), np.abs(factors[0])
    for factor in factors[1:]:
        value, size = value * factor, size * np.maximum(np.abs(factor), 1)
    return Sum(value, size)


Through = tuple[list[Array], list[Array], Array]
"""The gradients of a step: of what goes into each gate from x, and from h; and the last gate's factor of R."""


def _gru_back(own: OnnxDirection, x: Array, before: list[Array], after: list[Sum]) -> tuple[Through, list[Sum]]:
    (h,), (d_sum,), linear = before, after, bool(integer(own.op, "linear_before_reset"))
    d = own.settled(d_sum)
    update, of_update = own.activated(0, own.gate(0, x, h))
    reset, of_reset = own.activated(0, own.gate(1, x, h))
    factor = h if linear else reset * h
    inner = own.state(2, factor)
    bias = own.bias[: len(own.w)][own.part(2)]
    into = own.product(x, own.w[own.part(2)].T).plus(bias)
    inside = own.settled(inner)
    new, of_new = own.activated(1, into.plus(reset * inside, inner.size) if linear else into.plus(*inner))
    dn = own.settled(_times(d, 1 - update, of_new))
    through = dn * reset if linear else dn
    back = own.product(through, own.recurrent[own.part(2)])
    of_factor = own.settled(back)
    dr = own.settled(_times(dn, inside, of_reset) if linear else Sum(of_factor * h * of_reset, back.size * np.abs(h)))
    dz = own.settled(_times(d, h - new, of_update))
    kept = _times(d, update).plus(*(back if linear else Sum(of_factor * reset, back.size)))
    return ([dz, dr, dn], [dz, dr, through], factor), [kept]


def _lstm_gates(own: OnnxDirection, x: Array, before: list[Array]) -> tuple[Array, ...]:
    (h, c), (p_i, p_o, p_f) = before, np.split(own.peephole, 3)
    i, of_i = own.activated(0, own.gate(0, x, h).plus(p_i * c))
    forget, of_forget = own.activated(0, own.gate(2, x, h).plus(p_f * c))
    if integer(own.op, "input_forget"):
        forget, of_forget = 1 - i, np.zeros_like(of_forget)
    new, of_new = own.activated(1, own.gate(3, x, h))
    cells = own.settled(Sum(forget * c, np.abs(forget * c)).plus(i * new))
    o, of_o = own.activated(0, own.gate(1, x, h).plus(p_o * cells))
    return i, o, forget, new, cells, of_i, of_o, of_forget, of_new


def _lstm_back(own: OnnxDirection, x: Array, before: list[Array], after: list[Sum]) -> tuple[Through, list[Sum]]:
    (h, c), (d_sum, of_cells), (p_i, p_o, p_f) = before, after, np.split(own.peephole, 3)
    d = own.settled(d_sum)
    i, o, forget, new, cells, of_i, of_o, of_forget, of_new = _lstm_gates(own, x, before)
    shown, of_shown = own.activated(2, Sum(cells, np.abs(cells)), clipped=False)
    do = own.settled(_times(d, shown, of_o))
    dc = own.settled(of_cells.plus(*_times(d, o, of_shown)).plus(do * p_o))
    share = new - c if integer(own.op, "input_forget") else new
    di, df = own.settled(_times(dc, share, of_i)), own.settled(_times(dc, c, of_forget))
    dg = own.settled(_times(dc, i, of_new))
    for k, value in enumerate((di * c, do * cells, df * c)):
        own.add("p", own.part(k), value)
    kept = Sum(np.zeros_like(h), np.zeros_like(h))
    gates = [di, do, df, dg]
    return (gates, gates, h), [kept, _times(dc, forget).plus(di * p_i).plus(df * p_f)]


def _rnn_back(own: OnnxDirection, x: Array, before: list[Array], after: list[Sum]) -> tuple[Through, list[Sum]]:
    (h,), (d_sum,) = before, after
    _, slope = own.activated(0, own.gate(0, x, h))
    of_sum = own.settled(_times(own.settled(d_sum), slope))
    return ([of_sum], [of_sum], h), [Sum(np.zeros_like(h), np.zeros_like(h))]


BACK = {"dnn.onnx_rnn_grad": _rnn_back, "dnn.onnx_gru_grad": _gru_back, "dnn.onnx_lstm_grad": _lstm_back}
"""A step from its end to its beginning, by op."""


def _onnx_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    is_lstm, trained = op.name.startswith("dnn.onnx_lstm"), op.name.endswith("_training_grad")
    states, ends = (
        [name.format(part) for part in ("h", "c")[: 1 + is_lstm]] for name in ("initial_{}", "y_{}_gradient")
    )
    names = ["x w r b sequence_lens initial_h", "initial_c p"][: 1 + is_lstm] + ["y y_gradient", *ends]
    if trained:
        names = ["x w r b initial_h", *["initial_c"] * is_lstm, "y workspace y_gradient", *ends]
    args = given(op, " ".join(names), list(operands))
    first = integer(op, "layout")

    def turned(array: Array, axes: tuple[int, ...]) -> Array:
        return wide(array.transpose(axes) if first else array)

    x, y = turned(args["x"], (1, 0, 2)), turned(args["y"], (1, 2, 0, 3))
    dy = turned(args["y_gradient"], (1, 2, 0, 3)) if "y_gradient" in args else np.zeros_like(y)
    (steps, batch, _), (_, count, _, hidden), dtype = x.shape, y.shape, args["x"].dtype
    lengths = args["sequence_lens"] if "sequence_lens" in args else np.full(batch, steps)
    zeros = np.zeros((count, batch, hidden))
    starts = [turned(args[n], (1, 0, 2)) if n in args else zeros for n in states]
    after = [turned(args[n], (1, 0, 2)) if n in args else zeros for n in ends]
    dx, dx_size, into = np.zeros_like(x), np.zeros_like(x), [np.zeros_like(zeros) for _ in states]
    owns: list[OnnxDirection] = []
    for d, reverse in enumerate({"reverse": [1], "bidirectional": [0, 1]}.get(word(op, "direction", "forward"), [0])):
        own = OnnxDirection(op, args, d, r)
        owns.append(own)
        for n in range(batch):
            order = list(range(int(lengths[n])))[:: -1 if reverse else 1]
            before = [[start[d, n] for start in starts]]
            for at in order:
                state = [y[at, d, n]]
                if is_lstm:
                    state.append(_lstm_gates(own, x[at, n], before[-1])[4])
                before.append(state)
            sums = [Sum(end[d, n] if order else zeros[d, n], np.abs(end[d, n])) for end in after]
            for place, at in reversed(list(enumerate(order))):
                sums[0] = sums[0].plus(dy[at, d, n])
                (of_x, of_h, factor), sums = BACK[op.name.replace("_training", "")](own, x[at, n], before[place], sums)
                h = before[place][0]
                for k, (value, inner) in enumerate(zip(of_x, of_h, strict=True)):
                    last = not is_lstm and k == 2
                    own.add("w", own.part(k), np.outer(value, x[at, n]))
                    own.add("r", own.part(k), np.outer(inner, factor if last else h))
                    own.add("b", own.part(k), value)
                    own.add("b", own.part(k + len(of_x)), inner)
                    of_input = own.product(value, own.w[own.part(k)])
                    dx[at, n] += of_input.value
                    dx_size[at, n] += of_input.size
                    if not last:
                        sums[0] = sums[0].plus(*own.product(inner, own.recurrent[own.part(k)]))
                sums = [Sum(own.settled(sum_), np.abs(sum_.value)) for sum_ in sums]
            for part, sum_ in zip(into, sums, strict=True):
                part[d, n] = sum_.value
    terms = owns[0].terms
    totals = [np.stack([wide(own.settled(own.sums[n], steps * batch)) for own in owns]) for n in "wrbp"[: 3 + is_lstm]]
    results = [turned(wide(r.settle(dx, dtype, dx_size, terms)), (1, 0, 2)), *totals[:3]]
    results += [turned(part, (1, 0, 2)) for part in into] + totals[3:]
    if trained:
        del results[4 + len(states) :]  # of peepholes, which are not there
    finite = all(np.isfinite(value).all() for value in results)
    gradients = [promised(operands, value if finite else value * np.nan, r, dtype)[0] for value in results]
    return [*gradients[len(gradients) + 1 - len(op.results) :], args["workspace"]] if trained else gradients


RECURRENT_GRADIENTS: dict[str, Meaning] = {
    "dnn.gru_grad": _gru_grad,
    "dnn.fused_gru_grad": _gru_grad,
    "dnn.onnx_rnn_grad": _onnx_grad,
    "dnn.onnx_gru_grad": _onnx_grad,
    "dnn.onnx_lstm_grad": _onnx_grad,
    "dnn.onnx_gru_training_grad": _onnx_grad,
    "dnn.onnx_lstm_training_grad": _onnx_grad,
}
