"""The cell of an LSTM, as ONNX defines it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.gru_cell import Activation


def lstm_cell(
    sums: Array,
    cell: Array,
    functions: Sequence[Activation],
    peephole: Array | None,
    limit: float | None,
    ties_forget: bool,
) -> tuple[Array, Array]:
    """The state and the cells after a step, [rows, hidden] each.

    Args:
        sums: [rows, 4 * hidden], what goes into the gates i, o, f, c, but for the peepholes.
        cell: [rows, hidden], the cells before the step.
        functions: of gates, of candidates, and of cells.
        peephole: [3 * hidden], of i, o and f.
        limit: what goes into the first two functions is within it; None for no limit.
        ties_forget: f is 1 - i.
    """

    def limited(x: Array) -> Array:
        x = np.ascontiguousarray(x)
        return x if limit is None else np.clip(x, -limit, limit)

    (f, g, squash), hidden = functions, cell.shape[1]
    i, o, forget, new = (sums[:, k * hidden : (k + 1) * hidden] for k in range(4))
    if peephole is not None:
        i = i + peephole[:hidden] * cell
        forget = forget + peephole[2 * hidden :] * cell
    i, forget, new = limited(i), limited(forget), limited(new)
    f(i)
    g(new)
    if ties_forget:
        forget = 1 - i
    else:
        f(forget)
    cell = forget * cell + i * new
    if peephole is not None:
        o = o + peephole[hidden : 2 * hidden] * cell
    o = limited(o)
    f(o)
    shown = cell.copy()
    squash(shown)
    return o * shown, cell
