"""torch's packed sequence: its own order of rows, made once, is not timed."""

from __future__ import annotations

import numpy as np
import torch
import workload
from side import Prepared


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    torch.set_num_threads(threads)
    channels = len(of.iter)
    layer, iter_, bias = of.negated()
    order = (1, 0, 2)  # torch has r, z, n, and h' = (1 - z) * n + z * h

    def turned(matrix: np.ndarray) -> torch.Tensor:
        gates = matrix.reshape(-1, 3, channels)[:, order]
        return torch.from_numpy(np.ascontiguousarray(gates.reshape(len(gates), -1).T))

    gru = torch.nn.GRU(len(layer), channels)
    with torch.no_grad():
        gru.weight_ih_l0.copy_(turned(layer))
        gru.weight_hh_l0.copy_(turned(iter_))
        gru.bias_ih_l0.copy_(turned(bias)[:, 0])
        gru.bias_hh_l0.zero_()
    lengths = of.lengths
    by_length = np.argsort(-lengths, kind="stable")
    steps = range(int(lengths.max()))
    widths = [int((lengths > step).sum()) for step in steps]
    rows = np.concatenate(
        [of.offsets[:-1][by_length[:width]] + step for step, width in zip(steps, widths, strict=True)]
    )
    index, sizes, x = torch.from_numpy(rows), torch.tensor(widths), torch.from_numpy(of.x)
    hidden = torch.empty((len(of.x), channels))

    @torch.inference_mode()
    def run() -> None:
        packed = torch.nn.utils.rnn.PackedSequence(x[index], sizes)
        hidden[index] = gru(packed)[0].data

    return Prepared(run, hidden.numpy, after=True)
