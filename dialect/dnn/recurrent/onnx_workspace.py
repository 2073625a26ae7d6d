"""The workspace that oneDNN's recurrent layers leave for their gradients."""

from __future__ import annotations

from lastuse.dialect.dnn.recurrent.ragged import known_sizes
from lastuse.dialect.ir.tensor_types import TensorInfo, item_bytes

CELLS = ("lstm", "lbr_gru", "gru")
"""The cells that have one, in the order of `Cell` in `runtime/cpp/layers/training.cpp`."""
_PAGE, _LINE = 4096, 64


def workspace_type(cell: str, x: TensorInfo, r: TensorInfo, batch_axis: int) -> TensorInfo:
    """i8 [directions, bytes]; bytes are not known where a size of x or r is not.

    Args:
        batch_axis: which axis of x are the sequences.
    """
    sizes = known_sizes((x.shape[1 - batch_axis], x.shape[batch_axis], x.shape[2], r.shape[2]))
    return TensorInfo((r.shape[0], workspace_bytes(cell, *sizes) if sizes else None), "i8")


def workspace_bytes(cell: str, steps: int, batch: int, inputs: int, hidden: int) -> int:
    """Bytes for one direction, on any machine: what oneDNN 3.2 takes, rounded up to 64.

    It holds the gates and the hidden states of each step, five arrays of states and gradients of states of the layer
    and of the one before, with a state more than steps, and of an lstm two of cells; of lbr_gru the part of the
    candidate that the reset multiplies. The runtime refuses a workspace that is too small.
    """
    item, rows = item_bytes("f32"), steps * batch
    if not rows:
        return 0
    gates = 4 if cell == "lstm" else 3
    arrays = [rows * _wide(gates * hidden), rows * _wide(hidden)]
    states = 2 * (steps + 1) * batch
    arrays += [states * _wide(max(inputs, hidden))] * 5 + ([states * hidden] * 2 if cell == "lstm" else [])
    kept = sum(_rounded(item * elements, _PAGE) for elements in arrays)
    reset = rows * hidden * item * item if cell == "lbr_gru" else 0
    return _rounded(kept + reset, _LINE)


def _wide(elements: int) -> int:
    """The elements from one row to the next: whole cache lines, and no multiple of 256."""
    line = _LINE // item_bytes("f32")
    whole = _rounded(elements, line)
    return whole + line if whole % 256 == 0 else whole


def _rounded(number: int, unit: int) -> int:
    return -(-number // unit) * unit
