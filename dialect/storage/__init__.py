"""Storage: what an op may say about memory, where a value lies, and how decisions are written.

The one interface of dialects, passes, checkers and lowering. Names of `contract.py` are found here too: the earlier
path of what `lastuse` exports.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any


def _deprecated_over(result: int, operand: int, repeats: bool = False, swap: bool = False, **engines: Any) -> Any:
    contract = import_module("lastuse.dialect.storage.contract")
    return contract.InPlace(result, operand, repeats, swap, **engines)


def __getattr__(name: str) -> Any:
    if name == "Over":
        warnings.warn("lastuse.dialect.storage.Over is now lastuse.InPlace", DeprecationWarning, stacklevel=2)
        return _deprecated_over
    file = "registration" if name == "register_contract" else "contract"
    module = import_module(f"lastuse.dialect.storage.{file}")
    if name.startswith("_") or not hasattr(module, name):
        raise AttributeError(f"module 'lastuse.dialect.storage' has no attribute '{name}'")
    return getattr(module, name)
