"""A model compiled for one set of sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.program_memory import ProgramMemory
from lastuse.runtime.program import Executable


@dataclass(frozen=True)
class Compiled:
    """A program for one set of sizes.

    Attributes:
        runner: prepared primitives.
        engines: how many steps each engine runs: `onednn`, `native` (kernels of our own), `cpu` (numpy).
        results: names of the results, in the order of the function's.
        sizes: the unknown sizes and their numbers.
        values: of the inputs that shapes or branches depend on, by name.
        lower: gives `lowered`.
        plan: gives `module` and `memory`, which a saved program reads when they are asked for.
    """

    lower: Callable[[], ModuleOp]
    runner: Executable
    engines: Mapping[str, int]
    results: tuple[str, ...]
    sizes: Mapping[str, int]
    values: Mapping[str, np.ndarray]
    plan: Callable[[], tuple[ModuleOp, ProgramMemory]]

    @cached_property
    def lowered(self) -> ModuleOp:
        """The module in the onednn dialect. Of sizes that were derived from others it is made when it is asked for."""
        return self.lower()

    @cached_property
    def _planned(self) -> tuple[ModuleOp, ProgramMemory]:
        return self.plan()

    @property
    def held_bytes(self) -> int:
        """Bytes that are freed when the program is: what is shared with those of other sizes apart."""
        return self.runner.held_bytes

    @property
    def module(self) -> ModuleOp:
        """The decided and planned module in the dnn dialect, before lowering."""
        return self._planned[0]

    @property
    def memory(self) -> ProgramMemory:
        """Its figures in bytes."""
        return self._planned[1]
