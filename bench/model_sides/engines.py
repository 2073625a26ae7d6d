"""One model in each engine that is installed, behind one call."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np

Arrays = Mapping[str, np.ndarray]
Run = Callable[[], list[np.ndarray]]
"""Runs the model once on the inputs it was loaded with; the results in order."""

OURS, REFERENCE = "lastuse", "onnxruntime"


def _lastuse(path: Path, inputs: Arrays, threads: int) -> Run:
    import lastuse

    program = lastuse.compile(path, inputs=dict(inputs), threads=threads)
    return lambda: list(program.run(inputs).values())


def _onnxruntime(path: Path, inputs: Arrays, threads: int) -> Run:
    ort = importlib.import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, inputs)


def _openvino(path: Path, inputs: Arrays, threads: int) -> Run:
    core = importlib.import_module("openvino").Core()
    model = core.read_model(path)
    model.reshape({name: list(array.shape) for name, array in inputs.items()})
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = core.compile_model(model, "CPU", settings).create_infer_request()
    arrays = dict(inputs)

    def run() -> list[np.ndarray]:
        results = request.infer(arrays, share_inputs=True)
        return [results[index] for index in range(len(results))]

    return run


ENGINES: dict[str, Callable[[Path, Arrays, int], Run]] = {
    name: load
    for name, load in ((OURS, _lastuse), (REFERENCE, _onnxruntime), ("openvino", _openvino))
    if find_spec(name) is not None
}
"""What loads a model, by the name of the engine."""
