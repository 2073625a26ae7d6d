"""The layer as an ONNX model, and batches with padding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import workload
from onnx import TensorProto, helper, numpy_helper


def model(of: workload.Workload) -> bytes:
    """One GRU, x [steps, sequences, IC] and the lengths to h [steps, 1, sequences, OC]."""
    channels = len(of.iter)
    layer, iter_, bias = of.negated()
    order = (0, 1, 2)  # ONNX has z, r, h, and h' = (1 - z) * c + z * h

    def turned(matrix: np.ndarray) -> np.ndarray:
        gates = matrix.reshape(-1, 3, channels)[:, order]
        return np.ascontiguousarray(gates.reshape(len(gates), -1).T)[None]

    both = np.concatenate([bias, np.zeros_like(bias)], axis=1)
    given = {"w": turned(layer), "r": turned(iter_), "b": both}
    node = helper.make_node("GRU", ["x", "w", "r", "b", "lengths"], ["h"], hidden_size=channels, linear_before_reset=0)
    graph = helper.make_graph(
        [node],
        "gru",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["steps", "sequences", len(layer)]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["sequences"]),
        ],
        [helper.make_tensor_value_info("h", TensorProto.FLOAT, ["steps", 1, "sequences", channels])],
        [numpy_helper.from_array(array, name) for name, array in given.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    onnx.checker.check_model(made)
    return made.SerializeToString()


class Padded:
    """Some sequences of a batch with padding at the right; the index maps, made once, are not timed."""

    def __init__(self, of: workload.Workload, chosen: Sequence[int]) -> None:
        lengths, starts = of.lengths[list(chosen)], of.offsets[:-1][list(chosen)]
        self.steps, self.count = int(lengths.max()), len(chosen)
        self.lengths = lengths.astype(np.int32)
        self.rows = np.concatenate([start + np.arange(length) for start, length in zip(starts, lengths, strict=True)])
        self.slots = np.concatenate([k + np.arange(length) * self.count for k, length in enumerate(lengths)])
        self.x = np.zeros((self.steps, self.count, of.x.shape[1]), np.float32)

    def fill(self, x: np.ndarray) -> np.ndarray:
        self.x.reshape(-1, x.shape[1])[self.slots] = x[self.rows]
        return self.x

    def take(self, h: np.ndarray, hidden: np.ndarray) -> None:
        hidden[self.rows] = h.reshape(-1, hidden.shape[1])[self.slots]


def batches(of: workload.Workload, variant: str) -> list[Padded]:
    """All sequences as one padded batch, or ("groups") sorted by length into groups of 8."""
    by_length = np.argsort(-of.lengths, kind="stable").tolist()
    if variant != "groups":
        return [Padded(of, range(len(by_length)))]
    return [Padded(of, by_length[k : k + 8]) for k in range(0, len(by_length), 8)]
