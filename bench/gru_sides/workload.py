"""The batches that are timed, and what is right for them. Numpy alone: each side reads them in its environment."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

Array = np.ndarray
CHANNELS = 256
RAGGED = (
    *(100, 61, 60, 57, 48, 45, 44, 39, 38, 28, 28, 28, 27, 26, 22, 21, 20, 20, 20, 19, 19, 19, 19, 18, 18, 17, 16, 15),
    *(15, 15, 15, 14, 14, 14, 14, 14, 14, 13, 12, 12, 11, 11, 11, 11, 10, 10, 10, 10, 9, 9, 9, 9, 8, 8, 7, 7, 6, 6, 5),
    *(5, 5, 4, 3, 2),
)
"""64 sentences of 19.4 words on average, the longest 100."""
LENGTHS = {"a": RAGGED, "b": (100,), "c": (32,) * 16, "d": RAGGED}
VOCABULARY = 58224
"""Rows of LAC's embedding: `d` are ids, all else are rows of numbers."""


class Workload(NamedTuple):
    """A batch for one GRU layer.

    Attributes:
        x: f32 [words, IC].
        offsets: i64 [sequences + 1].
        layer, iter, bias: f32 [IC, 3*OC], [OC, 3, OC], [1, 3*OC], gates u, r, c.
        want: float64 [words, OC]: h' = (1 - u) * h + u * c, the reset before the product (Paddle's default).
        want_after: the same with the reset after the product (torch's).
    """

    x: Array
    offsets: Array
    layer: Array
    iter: Array
    bias: Array
    want: Array
    want_after: Array

    @property
    def lengths(self) -> Array:
        return np.diff(self.offsets)

    def negated(self) -> tuple[Array, Array, Array]:
        """layer, iter, bias with the columns of u negated: then h' = u * h + (1 - u) * c is the same."""
        channels = len(self.iter)
        layer, iter_, bias = self.layer.copy(), self.iter.copy(), self.bias.copy()
        layer[:, :channels] *= -1
        iter_[:, 0] *= -1
        bias[:, :channels] *= -1
        return layer, iter_, bias


def make(name: str, seed: int = 0) -> Workload:
    """The workload of that name, with its right results."""
    rng, bound = np.random.default_rng(seed), CHANNELS**-0.5
    offsets = np.cumsum([0, *LENGTHS[name]], dtype=np.int64)
    x = rng.normal(size=(offsets[-1], CHANNELS)).astype(np.float32)
    shapes = ((CHANNELS, 3 * CHANNELS), (CHANNELS, 3, CHANNELS), (1, 3 * CHANNELS))
    layer, iter_, bias = (rng.uniform(-bound, bound, shape).astype(np.float32) for shape in shapes)
    wants = (_reference(x, offsets, layer, iter_, bias, after) for after in (False, True))
    return Workload(x, offsets, layer, iter_, bias, *wants)


def ids(name: str, seed: int = 0) -> tuple[Array, Array]:
    """The words of that workload, [words, 1], and their offsets."""
    offsets = np.cumsum([0, *LENGTHS[name]], dtype=np.int64)
    return np.random.default_rng(seed).integers(0, VOCABULARY, (offsets[-1], 1)), offsets


def save(workload: Workload, path: Path) -> None:
    np.savez(path, **workload._asdict())


def load(path: Path) -> Workload:
    with np.load(path) as arrays:
        return Workload(**{name: arrays[name] for name in Workload._fields})


def _reference(x: Array, offsets: Array, layer: Array, iter_: Array, bias: Array, after: bool) -> Array:
    channels = len(iter_)
    w_h = iter_.astype(np.float64)
    gates = x.astype(np.float64) @ layer.astype(np.float64) + bias.astype(np.float64)
    hidden = np.empty((len(x), channels))
    for start, stop in pairwise(offsets):
        h = np.zeros(channels)
        for row in range(start, stop):
            x_u, x_r, x_c = gates[row].reshape(3, channels)
            u = 1 / (1 + np.exp(-x_u - h @ w_h[:, 0]))
            r = 1 / (1 + np.exp(-x_r - h @ w_h[:, 1]))
            c = np.tanh(x_c + (r * (h @ w_h[:, 2]) if after else (r * h) @ w_h[:, 2]))
            h = (1 - u) * h + u * c
            hidden[row] = h
    return hidden
