"""lastuse: neural networks on the CPU, every value written over its input at the input's last use, and proved right.

`lastuse.compile(model)` gives a program; `lastuse.register_contract` tells the passes what an op of another dialect
does to memory. The command line has `opt-tool`, `run-tool` and `plan-tool`, or `python -m lastuse`.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

IMPORT_BEGIN = perf_counter()
"""When the process began to load the package: what that took is a stage of a command's start."""

from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError
from lastuse.dialect.storage.contract import Backward, Contract, Contribution, Engine, InPlace, View
from lastuse.dialect.storage.registration import register_contract

if TYPE_CHECKING:
    from lastuse import analysis, testing
    from lastuse.compiler.calibration import calibrate
    from lastuse.compiler.driver import compile
    from lastuse.compiler.load import load
    from lastuse.compiler.program import Program

__version__ = "0.1.0"

__all__ = [
    "ArrayError",
    "Backward",
    "Contract",
    "Contribution",
    "Engine",
    "InPlace",
    "LastuseError",
    "Program",
    "View",
    "__version__",
    "analysis",
    "calibrate",
    "compile",
    "load",
    "register_contract",
    "testing",
]


_LOADED_LATER = {
    "Program": "compiler.program",
    "compile": "compiler.driver",
    "load": "compiler.load",
    "calibrate": "compiler.calibration",
}
"""The modules of names that bring the runtime, whose library takes a moment to load; passes alone do without."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _LOADED_LATER:
        return getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
    if name in ("analysis", "testing"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'lastuse' has no attribute '{name}'")
