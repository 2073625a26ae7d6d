"""By hand in numpy: rows sorted and packed step by step, one product for all gates of the input, two for each step."""

from __future__ import annotations

import numpy as np
import workload
from side import Prepared


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    channels, layer, bias = len(of.iter), of.layer, of.bias
    w_ur = np.ascontiguousarray(of.iter[:, :2].reshape(channels, -1))
    w_c = np.ascontiguousarray(of.iter[:, 2])
    hidden = np.empty((len(of.x), channels), np.float32)

    def run() -> None:
        lengths = of.lengths
        order = np.argsort(-lengths, kind="stable")
        starts, sorted_lengths = of.offsets[:-1][order], lengths[order]
        widths = np.searchsorted(-sorted_lengths, -np.arange(sorted_lengths[0]), side="left")
        rows = np.concatenate([starts[:width] + step for step, width in enumerate(widths)])
        gates = of.x[rows] @ layer
        gates += bias
        states = np.empty((len(rows), channels), np.float32)
        h, at = np.zeros((len(order), channels), np.float32), 0
        for width in widths:
            g, h = gates[at : at + width], h[:width]
            ur = h @ w_ur
            ur += g[:, : 2 * channels]
            np.negative(ur, out=ur)
            np.exp(ur, out=ur)
            ur += 1
            np.reciprocal(ur, out=ur)
            u, r = ur[:, :channels], ur[:, channels:]
            r *= h
            c = r @ w_c
            c += g[:, 2 * channels :]
            np.tanh(c, out=c)
            c -= h
            c *= u
            h = np.add(h, c, out=states[at : at + width])
            at += width
        hidden[rows] = states

    return Prepared(run, lambda: hidden)
