"""
One model in each engine: a run on the inputs it was loaded with, and the heap that its activations take.

Engines keep memory from run to run. So each is brought to where it holds weights, kernels and its own objects but no
activations, and runs from there; `Growth` tells by how much the heap grows. What counts is then the same for all:
intermediate values, scratch that is allocated with them, results, and temporaries of kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

Arrays = Mapping[str, np.ndarray]
Results = list[np.ndarray]


class Growth(NamedTuple):
    """By how many bytes the heap grows in a call.

    Attributes:
        peak: at the most.
        net: when it has returned, and its result is gone.
    """

    peak: int
    net: int


MeasureGrowth = Callable[[Callable[[], object]], Growth]


class Engine(Protocol):
    """A model that is loaded."""

    def run(self) -> Results:
        """Runs it once; results in order. A step of training updates its parameters."""
        ...

    def activation_bytes(self, growth: MeasureGrowth) -> dict[str, int]:
        """The heap that a run takes: "activations", and what else is worth a figure."""
        ...


class LastuseEngine:
    """A run takes a context of its own here. Primitives' memory objects, which others make while they load, come with
    a context: those of one in an arena that is there already are left out, and told as "objects"."""

    def __init__(self, path: Path, inputs: Arrays, threads: int) -> None:
        import lastuse

        self._inputs = dict(inputs)
        self._program = lastuse.compile(path, inputs=self._inputs, threads=threads)

    def run(self) -> Results:
        return list(self._program.run(self._inputs).values())

    def activation_bytes(self, growth: MeasureGrowth) -> dict[str, int]:
        self.run()
        contexts: list[Any] = []

        def run_in_context(arena: np.ndarray | None) -> None:
            contexts.append(self._program.context(arena))
            contexts[-1].run(self._inputs)

        arena = np.empty(self._program.memory.arena_bytes + 64, np.uint8)
        arena = arena[-arena.ctypes.data % 64 :]
        run_in_context(arena)  # numpy, too, keeps something from the first time on
        contexts.clear()
        objects = growth(lambda: run_in_context(arena)).net
        contexts.clear()
        return {"activations": growth(lambda: run_in_context(None)).peak - objects, "objects": objects}


class OnnxruntimeEngine:
    """Without its arena each value is an allocation of its own, which is the least that it takes. With the arena it
    takes more, and keeps it: "arena", by how much the heap grows in the first three runs."""

    def __init__(self, path: Path, inputs: Arrays, threads: int) -> None:
        self._path, self._inputs, self._threads = path, dict(inputs), threads
        self._session = self._load(arena=True)

    def _load(self, arena: bool) -> Any:
        ort = import_module("onnxruntime")
        options = ort.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = options.enable_mem_pattern = arena
        return ort.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])

    def run(self) -> Results:
        return self._session.run(None, self._inputs)

    def activation_bytes(self, growth: MeasureGrowth) -> dict[str, int]:
        session = self._load(arena=True)

        def run_three_times() -> None:
            for _ in range(3):
                session.run(None, self._inputs)

        arena = growth(run_three_times).peak
        least = self._load(arena=False)
        least.run(None, self._inputs)
        return {"activations": growth(lambda: least.run(None, self._inputs)).peak, "arena": arena}


class OpenvinoEngine:
    """A compiled model gives back the memory of its activations when it is told to, and takes it again in a run."""

    def __init__(self, path: Path, inputs: Arrays, threads: int) -> None:
        core = import_module("openvino").Core()
        model = core.read_model(path)
        model.reshape({name: list(array.shape) for name, array in inputs.items()})
        settings = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32",
            # Else it rounds what products with 8-bit weights read to 8 bits as well, which the model does not do.
            "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,
        }
        self._compiled = core.compile_model(model, "CPU", settings)
        self._inputs, self._request = dict(inputs), self._compiled.create_infer_request()

    def run(self) -> Results:
        results = self._request.infer(self._inputs, share_inputs=True, share_outputs=True)
        return [results[index] for index in range(len(results))]

    def activation_bytes(self, growth: MeasureGrowth) -> dict[str, int]:
        self.run()
        del self._request
        self._compiled.release_memory()

        def run_in_request() -> Results:
            self._request = self._compiled.create_infer_request()
            return self.run()

        return {"activations": growth(run_in_request).peak}


OURS, REFERENCE = "lastuse", "onnxruntime"
ENGINES: dict[str, Callable[[Path, Arrays, int], Engine]] = {
    OURS: LastuseEngine,
    REFERENCE: OnnxruntimeEngine,
    "openvino": OpenvinoEngine,
}
"""What loads a model, by the name of the engine."""
