"""Describes how control gets from the op that destroyed bytes to the op that reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import ancestors


def path(reader: Operation, destroyers: Sequence[Operation]) -> str:
    """The path from the first destroyer to the reader; "" for a straight line, or without a destroyer."""
    return ", ".join(_steps(reader, destroyers[0])) if destroyers else ""


def _steps(reader: Operation, destroyer: Operation) -> Iterator[str]:
    around = _around(reader)
    at = destroyer
    while (block := at.parent) is not None:
        here = around.get(block)
        if here is not None:
            if here is destroyer and reader is not destroyer:
                yield f"on entry to {op_name(destroyer)}"
            elif here is destroyer or (here is not at and not at.is_before_in_block(here)):
                yield f"in an earlier turn of {_loop(block)}"
            return
        parent = block.parent_op()
        if parent is None:
            return
        region = block.parent
        if region is not None and parent in around.values() and any(region is b.parent for b in around):
            yield f"through block {region.get_block_index(block)}"
            return
        yield _region(parent, block)
        if parent in around.values():
            return
        at = parent


def _around(op: Operation) -> dict[Block, Operation]:
    """Blocks around an op, each with the op in it that is or holds `op`."""
    return {at.parent: at for at in (op, *ancestors(op)) if at.parent is not None}


def _region(parent: Operation, block: Block) -> str:
    """What a region of an op around the destroyer is called."""
    index = list(parent.regions).index(block.parent) if block.parent is not None else 0
    match parent:
        case scf.IfOp():
            return f"through the {('then', 'else')[index]} arm of {op_name(parent)}"
        case scf.WhileOp():
            return f"through the {('before', 'after')[index]} region of {op_name(parent)}"
        case _:
            return f"through the body of {op_name(parent)}"


def _loop(block: Block) -> str:
    """What runs the block again: an op around it, or branches."""
    parent = next((around for around in ancestors(block) if not isinstance(around, scf.IfOp)), None)
    return op_name(parent) if parent is not None and not isinstance(parent, FuncOp) else "the loop"
