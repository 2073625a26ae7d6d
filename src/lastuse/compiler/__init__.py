"""The compiler: from a model to a program that runs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lastuse.compiler.driver import compile as compile
    from lastuse.compiler.driver import context as context
    from lastuse.compiler.program import Program as Program

__all__ = ["Program", "compile", "context"]


def __getattr__(name: str) -> Any:
    # The compiler brings the runtime, whose library takes a moment to load.
    if name not in __all__:
        raise AttributeError(f"module 'lastuse.compiler' has no attribute '{name}'")
    return getattr(import_module(f"lastuse.compiler.{'program' if name == 'Program' else 'driver'}"), name)
