"""What a module was made from, beside it: the functions on tensors of a module on memrefs.

They stand in a module of their own, `builtin.module @lastuse.source`, which stock MLIR reads, prints and leaves alone.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region

NAME = "lastuse.source"
"""The name of the module."""


def kept_source(module: ModuleOp) -> ModuleOp | None:
    """What a module was made from; None where it does not say so."""
    return next((op for op in _modules_in(module) if _is_source(op)), None)


def inner_modules(module: ModuleOp) -> list[ModuleOp]:
    """The modules that stand in a module beside what it was made from."""
    return [op for op in _modules_in(module) if not _is_source(op)]


def _modules_in(module: ModuleOp) -> list[ModuleOp]:
    return [op for op in module.body.block.ops if isinstance(op, ModuleOp)]


def _is_source(module: ModuleOp) -> bool:
    return module.sym_name is not None and module.sym_name.data == NAME


@contextmanager
def empty_inner_modules(module: ModuleOp) -> Generator[None]:
    """The modules that stand in a module have nothing in them meanwhile."""
    inner = [(op, op.detach_region(op.body)) for op in _modules_in(module)]
    for op, _ in inner:
        op.add_region(Region(Block()))
    try:
        yield
    finally:
        for op, body in inner:
            op.detach_region(op.body)
            op.add_region(body)


def keep_source(module: ModuleOp, ops: Sequence[Operation]) -> None:
    """Puts the functions that a module was made from beside it, and the other symbols that they name; they have no
    parent before."""
    module.body.block.add_op(ModuleOp(list(ops), sym_name=StringAttr(NAME)))
