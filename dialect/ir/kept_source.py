"""What a module was made from, beside it: the functions on tensors of a module on memrefs.

They stand in a module of their own, `builtin.module @lastuse.source`, which stock MLIR reads, prints and leaves alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

NAME = "lastuse.source"
"""The name of the module."""


def kept_source(module: ModuleOp) -> ModuleOp | None:
    """What a module was made from; None where it does not say so."""
    inner = (op for op in module.body.block.ops if isinstance(op, ModuleOp))
    return next((op for op in inner if op.sym_name is not None and op.sym_name.data == NAME), None)


def keep_source(module: ModuleOp, functions: Sequence[FuncOp]) -> None:
    """Puts the functions that a module was made from beside it; they have no parent before."""
    module.body.block.add_op(ModuleOp(list(functions), sym_name=StringAttr(NAME)))
