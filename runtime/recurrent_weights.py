"""Weights of recurrent layers, from ONNX's order to oneDNN's: gates in another order, both biases added up, each array
in the layout that the primitive wants."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.runtime import _core
from lastuse.runtime.recurrent_chains import RecurrentChain, chain_of

ORDER = {"lstm": (0, 2, 3, 1)}
"""Of cells whose gates oneDNN has in another order: where each of its gates is in ONNX's."""
PEEPHOLE_ORDER = (0, 2, 1)
"""ONNX has the peepholes of i, o, f, oneDNN those of i, f, o."""


class RecurrentArrays(NamedTuple):
    """One direction's weights as ONNX has them: w [G*H, I], r [G*H, H], bias [2*G*H], peephole [3*H]."""

    w: np.ndarray
    r: np.ndarray
    bias: np.ndarray | None
    peephole: np.ndarray | None

    def of(self, cell: str) -> Iterator[np.ndarray]:
        """What oneDNN reads, in its order, in the order of its arguments: weights [1, 1, I or H, G, H], the peephole if
        there is one, the bias. All are dense: oneDNN packs them from no other strides."""
        gates = len(self.r) // self.r.shape[1]
        order = ORDER.get(cell, tuple(range(gates)))
        for weights in (self.w, self.r):
            by_gate = weights.reshape(gates, -1, weights.shape[1])[list(order)]
            yield np.ascontiguousarray(by_gate.transpose(2, 0, 1)[np.newaxis, np.newaxis])
        if self.peephole is not None:
            yield self.peephole.reshape(1, 1, 3, -1)[:, :, list(PEEPHOLE_ORDER)]
        yield self._biases(cell, gates, order)

    def _biases(self, cell: str, gates: int, order: Sequence[int]) -> np.ndarray:
        hidden = self.r.shape[1]
        both = np.zeros(2 * gates * hidden, np.float32) if self.bias is None else self.bias
        of_w, of_r = both.reshape(2, gates, hidden)[:, list(order)]
        rows = of_w + of_r
        if cell == "lbr_gru":  # the reset multiplies the candidate's second bias
            rows = np.concatenate([rows[:2], of_w[2:], of_r[2:]])
        return np.ascontiguousarray(rows[np.newaxis, np.newaxis])


def fitting_layouts(
    step: OneDnnRecurrentOp, chosen: RecurrentChain, layouts: Sequence[tuple[_core.Desc, _core.Desc]], threads: int
) -> tuple[int, RecurrentChain]:
    """The number of the first of these layouts of both weights that serves `step` as well as its own choice, with the
    chain; the number of the layouts and `chosen` where there is none."""
    for number, layout in enumerate(layouts):
        try:
            same = chain_of(step, *layout, threads, chosen.steps)
        except _core.Error:
            continue
        # The plan has room for the scratch of the chosen one.
        if same.implementations == chosen.implementations and same.scratch_bytes <= chosen.scratch_bytes:
            return number, same
    return len(layouts), chosen


def recurrent_key(cell: str, arrays: Sequence[Hashable]) -> Hashable:
    """What tells the weights of recurrent layers apart: the cell and the identities of all arrays."""
    return (cell, *arrays)
