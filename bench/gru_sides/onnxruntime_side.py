"""onnxruntime: padded, or sorted into groups of 8 and padded less."""

from __future__ import annotations

import gru_graph
import numpy as np
import onnxruntime
import workload
from side import Prepared


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(gru_graph.model(of), options, providers=["CPUExecutionProvider"])
    batches = gru_graph.batches(of, variant)
    hidden = np.empty((len(of.x), len(of.iter)), np.float32)

    def run() -> None:
        for batch in batches:
            (h,) = session.run(None, {"x": batch.fill(of.x), "lengths": batch.lengths})
            batch.take(h, hidden)

    return Prepared(run, lambda: hidden)
