"""Programs of prepared oneDNN primitives: what the compiler hands its lowered modules to."""

from __future__ import annotations

from lastuse.runtime import openmp as openmp  # before all that loads the core

# isort: split
from lastuse.runtime.arrays import Arrays, LeadingRows, as_array, need_names
from lastuse.runtime.build import Argument
from lastuse.runtime.engines import engines_of_step, get_threads, onednn_version, set_threads
from lastuse.runtime.packed_sizes import packed_bytes
from lastuse.runtime.program import Context, Executable, HeldMemory, StepTime
from lastuse.runtime.scratch import measured
from lastuse.runtime.stage_timer import Stages, StageTime
from lastuse.runtime.warmup import warm_up
from lastuse.runtime.weights import CacheFigures, PackedWeights

__all__ = [
    "Argument",
    "Arrays",
    "CacheFigures",
    "Context",
    "Executable",
    "HeldMemory",
    "LeadingRows",
    "PackedWeights",
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
