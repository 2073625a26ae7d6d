"""LSTMs of bytes, step by step, by the formula in the op's docs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import wide
from .ir_values import given, integer, integers, number
from .recurrent_ops import functions_of, promised
from .rounding import Array, Rounding

SINGLE = np.dtype(np.float32)


def _weights(op: Operation, r: Array) -> Array:
    """[hidden, 4 * hidden]. Packed ones have, for every 16 channels, 16 columns of each gate; then as `plain`."""
    sizes = integers(op, "packed")
    if not sizes:
        return r.astype(np.int64)
    hidden, columns = sizes
    quads = -(-hidden // 4)
    made = np.zeros((hidden, columns), np.int64)
    for k, c in np.ndindex(made.shape):
        gate, channel = divmod(c, hidden)
        strip = channel // 16 * 4 + gate
        byte = int(r[((strip * quads + k // 4) * 16 + channel % 16) * 4 + k % 4])
        made[k, c] = (byte + 128) % 256 if r.dtype == np.uint8 else byte
    return made


def _product(h: Array, weights: Array, scales: Array, r: Rounding) -> Array:
    """States in bytes of a scale of their own, times weights."""
    high, low = max(float(h.max(initial=0)), 0.0), min(float(h.min(initial=0)), 0.0)
    scale = np.float32(1 if high == low else np.float32(high - low)) / np.float32(255)
    zero = np.rint(np.clip(np.float32(-low) / scale, 0, 255))
    steps = wide(h) / float(scale)
    whole = np.clip(np.rint(r.nudge(steps, np.abs(steps))) + zero, 0, 255) - zero
    sums = np.nan_to_num(whole).astype(np.int64) @ weights
    return sums.astype(np.int32).astype(np.float32) * (scale * scales)


def dynamic_lstm(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    args = given(op, "x r r_scale r_zero_point p sequence_lens initial_h initial_c", list(operands))
    x, clip = args["x"], number(op, "clip", np.inf)
    steps, batch, hidden = x.shape[0], x.shape[1], x.shape[2] // 4
    weights = _weights(op, args["r"]) - args.get("r_zero_point", np.zeros((), np.int64)).astype(np.int64)
    lengths = args.get("sequence_lens", np.full(batch, steps))
    f, g, squash = (function for *_, function in functions_of(op, 0, "sigmoid tanh tanh"))
    peepholes = np.split(wide(args["p"]), 3) if "p" in args else [np.zeros(hidden)] * 3
    h, c = (args.get(name, np.zeros((batch, hidden))).astype(np.float64) for name in ("initial_h", "initial_c"))
    y = np.zeros((steps, batch, hidden))

    def settled(value: Array, size: Array | None = None) -> Array:
        return wide(r.settle(value, SINGLE, size))

    def limited(value: Array, *parts: Array) -> Array:
        return np.clip(settled(value, sum(map(np.abs, parts), np.zeros(value.shape))), -clip, clip)

    with np.errstate(all="ignore"):
        for step in range(int(max(lengths, default=0))):
            has = np.flatnonzero(lengths > step)
            at = lengths[has] - 1 - step if integer(op, "is_reverse") else np.full(len(has), step)
            inputs = np.split(wide(x[at, has]), 4, axis=1)
            products = np.split(wide(_product(h[has], weights, args["r_scale"], r)), 4, axis=1)
            pairs = list(zip(inputs, products, strict=True))
            i, o, forget, new = (settled(a + b, np.abs(a) + np.abs(b)) for a, b in pairs)
            seen = peepholes[0] * c[has], peepholes[2] * c[has]
            i = settled(f(limited(i + seen[0], i, seen[0])))
            forget = 1 - i if integer(op, "input_forget") else settled(f(limited(forget + seen[1], forget, seen[1])))
            new = settled(g(limited(new, new)))
            kept, added = forget * c[has], i * new
            c[has] = settled(kept + added, np.abs(kept) + np.abs(added))
            shown = peepholes[1] * c[has]
            o = settled(f(limited(o + shown, o, shown)))
            y[at, has] = h[has] = settled(o * squash(c[has]))
    h[lengths == 0] = c[lengths == 0] = 0
    return tuple(promised(operands, value, r, SINGLE)[0] for value in (y, h, c))
