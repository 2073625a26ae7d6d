"""The workspace that recurrent layers in training leave for their gradients."""

from __future__ import annotations

from lastuse.dialect.dnn.recurrent.ragged import known_sizes
from lastuse.dialect.ir.tensor_types import TensorInfo, item_bytes

CELLS = ("lstm", "lbr_gru", "gru")
"""The cells that have one, in the order of `Cell` in `runtime/cpp/layers/layer.hpp`."""
_LINE = 64


def workspace_type(cell: str, x: TensorInfo, r: TensorInfo, batch_axis: int) -> TensorInfo:
    """i8 [directions, bytes]; bytes are not known where a size of x or r is not.

    Args:
        batch_axis: which axis of x are the sequences.
    """
    sizes = known_sizes((x.shape[1 - batch_axis], x.shape[batch_axis], r.shape[2]))
    return TensorInfo((r.shape[0], workspace_bytes(cell, *sizes) if sizes else None), "i8")


def workspace_bytes(cell: str, steps: int, batch: int, hidden: int) -> int:
    """Bytes for one direction, on any machine, rounded up to 64.

    It holds the gates of each step, and the cells of an lstm; of lbr_gru the part of the candidate that the reset
    multiplies. The runtime refuses a workspace that is too small.
    """
    arrays = {"lstm": 5, "lbr_gru": 4, "gru": 3}[cell]
    return -(-steps * batch * arrays * hidden * item_bytes("f32") // _LINE) * _LINE
