"""Programs of prepared oneDNN primitives: what the compiler hands its lowered modules to."""

from __future__ import annotations

from . import openmp as openmp  # before all that loads the core

# isort: split
from .arrays import Arrays, Part, as_array, need_names
from .build import Argument
from .engines import engines_of_step
from .library import get_threads, onednn_version, set_threads
from .packed import packed_bytes
from .program import Context, Memory, Program, StepTime
from .scratch import measured
from .stages import Stages, StageTime
from .warmup import warm_up
from .weights import CacheFigures, PackedWeights

__all__ = [
    "Argument",
    "Arrays",
    "CacheFigures",
    "Context",
    "Memory",
    "PackedWeights",
    "Part",
    "Program",
    "StageTime",
    "Stages",
    "StepTime",
    "as_array",
    "engines_of_step",
    "get_threads",
    "measured",
    "need_names",
    "onednn_version",
    "packed_bytes",
    "set_threads",
    "warm_up",
]
