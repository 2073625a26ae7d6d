"""Storage: what an op may say about memory, where a value lies, and how decisions are written.

The one interface of dialects, passes, checkers and lowering. Names of `contract.py` are found here too, as before; they
are exported by `lastuse`.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

_RENAMED = {"Over": "InPlace"}


def _deprecated_over(result: int, operand: int, repeats: bool = False, swap: bool = False, **engines: Any) -> Any:
    contract = import_module("lastuse.dialect.storage.contract")
    return contract.InPlace(result, operand, repeats, swap, **engines)


def __getattr__(name: str) -> Any:
    contract = import_module("lastuse.dialect.storage.contract")
    if name.startswith("_") or not (name in _RENAMED or hasattr(contract, name)):
        raise AttributeError(f"module 'lastuse.dialect.storage' has no attribute '{name}'")
    new = _RENAMED.get(name, name)
    warnings.warn(f"lastuse.dialect.storage.{name} is now lastuse.{new}", DeprecationWarning, stacklevel=2)
    return _deprecated_over if name in _RENAMED else getattr(contract, name)
