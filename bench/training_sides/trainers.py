"""One step of training in each system, on the parameters and the batch it was made with, and the heap that it takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

RATE, MOMENTUM = 0.001, 0.9
BATCH = "batch:"
"""Before the name of each array of a batch in the file of inputs; the others are parameters."""
LOSS = "loss"
"""The name of the loss among the results."""
Arrays = Mapping[str, np.ndarray]


def parts(arrays: Arrays) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The batch and the parameters, by name."""
    batch = {name.removeprefix(BATCH): array for name, array in arrays.items() if name.startswith(BATCH)}
    return batch, {name: array.copy() for name, array in arrays.items() if not name.startswith(BATCH)}


class LastuseTrainer:
    """A step with momentum. Its memory objects are told apart as those of a model are (`engines.LastuseEngine`)."""

    def __init__(self, path: Path, arrays: Arrays, threads: int) -> None:
        import lastuse

        batch, parameters = parts(arrays)
        options: dict[str, Any] = {
            "optimizer": {"optimizer": "momentum", "momentum": MOMENTUM},
            "inputs": {**batch, **parameters},
            "threads": threads,
        }
        self._program = lastuse.compile(path, **options)
        if part := os.environ.get("STEP_LIMIT"):
            limit = int(float(part) * self._program.memory.arena_bytes)
            recompute = os.environ.get("STEP_RECOMPUTE", "all")
            self._program = lastuse.compile(path, **options, limit=limit, recompute=recompute)
        self._inputs = {**batch, **parameters, "lr": np.array(RATE, np.float32)}

    def run(self) -> list[np.ndarray]:
        """One step; the loss."""
        return [self._program.run(self._inputs)[LOSS]]

    def activation_bytes(self, growth: Callable[[Callable[[], object]], Any]) -> dict[str, int]:
        """The heap that a step takes beyond parameters, states and memory objects."""
        self.run()
        arena = np.empty(self._program.memory.arena_bytes + 64, np.uint8)
        arena = arena[-arena.ctypes.data % 64 :]
        contexts: list[Any] = []

        def run_in_context(memory: np.ndarray | None) -> None:
            contexts.append(self._program.context(memory))
            contexts[-1].run(self._inputs)

        run_in_context(arena)
        contexts.clear()
        objects = growth(lambda: run_in_context(arena)).net
        contexts.clear()
        return {"activations": growth(lambda: run_in_context(None)).peak - objects, "objects": objects}


class TorchTrainer:
    """The same step as people write it: eager, gradients freed before each step."""

    def __init__(self, path: Path, arrays: Arrays, threads: int) -> None:
        torch: Any = import_module("torch")
        torch.set_num_threads(threads)
        batch, parameters = parts(arrays)
        self._torch = torch
        self._network = import_module("torch_networks").NETWORKS[path.stem](parameters)
        self._batch = {name: torch.from_numpy(array) for name, array in batch.items()}
        trained = [value for value in self._network.parameters() if value.requires_grad]
        self._optimizer = torch.optim.SGD(trained, lr=RATE, momentum=MOMENTUM)

    def run(self) -> list[np.ndarray]:
        """One step; the loss."""
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._network(**self._batch)
        loss.backward()
        self._optimizer.step()
        return [loss.detach().numpy()]

    def activation_bytes(self, growth: Callable[[Callable[[], object]], Any]) -> dict[str, int]:
        """The heap that a step takes beyond parameters and states."""
        self.run()
        self._optimizer.zero_grad(set_to_none=True)
        return {"activations": growth(self.run).peak}


ENGINES: dict[str, Callable[[Path, Arrays, int], LastuseTrainer | TorchTrainer]] = {
    "lastuse": LastuseTrainer,
    "torch": TorchTrainer,
}
"""What makes a step of a network, by the name of the system."""
