"""What the compiler asks of a module as a whole."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import clone_located
from lastuse.dialect.ir.flow_graphs import called_from, functions_of, main_function


def erase_uncalled(module: ModuleOp) -> None:
    """Erases functions that the main one never calls: their sizes are not bound."""
    functions = functions_of(module)
    called = called_from(main_function(module), functions)
    for name, func in functions.items():
        if name not in called:
            func.detach()
            func.erase()


def clone(module: ModuleOp) -> ModuleOp:
    """A copy of the module that shares the arrays of its constants; its ops are where the module's are."""
    copied = clone_located(module)
    resources.share(copied, module)
    return copied
