"""The dialects: what any IR needs (`ir`), memory (`storage`), the ops (`dnn`, `onednn`), others (`foreign`)."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "lastuse.dialect.diagnostics": "lastuse.dialect.ir.diagnostics",
    "lastuse.dialect.layout": "lastuse.dialect.storage.layout",
}
"""Modules that docs/embedding.md has named, by their earlier names: deprecated."""


class _MovedModules(MetaPathFinder, Loader):
    """Imports a module by its earlier name."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        warnings.warn(f"{spec.name} is now {MOVED[spec.name]}", DeprecationWarning, stacklevel=2)
        module = import_module(MOVED[spec.name])
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own  # which the import has replaced


sys.meta_path.append(_MovedModules())
