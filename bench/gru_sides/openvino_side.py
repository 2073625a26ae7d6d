"""OpenVINO: padded, or sorted into groups of 8 and padded less."""

from __future__ import annotations

import gru_graph
import numpy as np
import openvino
import workload
from side import Prepared


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    core = openvino.Core()
    settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core.compile_model(core.read_model(gru_graph.model(of)), "CPU", settings)
    request = compiled.create_infer_request()
    batches = gru_graph.batches(of, variant)
    hidden = np.empty((len(of.x), len(of.iter)), np.float32)

    def run() -> None:
        for batch in batches:
            found = request.infer({"x": batch.fill(of.x), "lengths": batch.lengths}, share_inputs=True)
            batch.take(next(iter(found.values())), hidden)

    return Prepared(run, lambda: hidden)
