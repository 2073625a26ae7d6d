"""A model compiled for one set of sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.program_memory import ProgramMemory
from lastuse.runtime.program import Executable


@dataclass(frozen=True)
class Compiled:
    """A program for one set of sizes.

    Attributes:
        module: the decided and planned module in the dnn dialect, before lowering.
        lowered: the same in the onednn dialect.
        runner: prepared primitives.
        memory: its figures in bytes.
        engines: how many steps each engine runs: `onednn`, `native` (kernels of our own), `cpu` (numpy).
        results: names of the results, in the order of the function's.
        sizes: the unknown sizes and their numbers.
        values: of the inputs that shapes or branches depend on, by name.
    """

    module: ModuleOp
    lowered: ModuleOp
    runner: Executable
    memory: ProgramMemory
    engines: Mapping[str, int]
    results: tuple[str, ...]
    sizes: Mapping[str, int]
    values: Mapping[str, np.ndarray]
