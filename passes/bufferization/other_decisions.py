"""Copies of a decided function that stand in its place in the module, to be decided otherwise."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import clone_located
from lastuse.dialect.ir.remembered import Answers, unchanged_ops
from lastuse.dialect.storage import attrs


@contextmanager
def stand_in(func: FuncOp) -> Generator[FuncOp]:
    """A copy of a function, which stands in the module in its place: calls are looked up there."""
    copy = clone_located(func)
    _exchange(func, copy)
    try:
        with unchanged_ops(Answers()):  # the module has other ops than before
            yield copy
    finally:
        _exchange(copy, func)


def _exchange(old: FuncOp, new: FuncOp) -> None:
    block = old.parent
    assert block is not None
    block.insert_op_before(new, old)
    old.detach()


def forget_place(value: SSAValue, is_owned: bool) -> None:
    """Drops the place of a value in the arena or in a storage that others share; of an owned one, and of a part of what
    is passed on otherwise, any place."""
    if isinstance(value, OpResult):
        for name in (attrs.OFFSET, attrs.REUSE, *((attrs.INPLACE, attrs.FORWARD) if is_owned else ())):
            numbers = attrs.entries(value.op, name)
            attrs.set_entries(value.op, name, [-1 if n == value.index else k for n, k in enumerate(numbers)])
    elif isinstance(value, BlockArgument) and isinstance(around := value.block.parent_op(), scf.WhileOp) and is_owned:
        for name in (attrs.SUCC_OFFSET, attrs.SUCC_REUSE, attrs.SUCC_FORWARD):
            if attrs.slot_entries(around, name, value.block) is not None:
                attrs.set_slot_entry(around, name, value, -1)
