"""Ops that a pass inserts for several users of one value: each made once, and computed at once where it can be."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.resources import drop_unreferenced
from lastuse.passes.transforms.constant_folding import erase_unread, fold_constants
from lastuse.passes.transforms.engine import copy_engine


class SharedOps:
    """The ops inserted so far, each behind what it reads. `fold_now`: what is made of constants becomes one."""

    def __init__(self, fold_now: bool) -> None:
        self._fold = fold_now
        self._read: dict[Operation, None] = {}
        self._results: dict[tuple[type[DnnOp], tuple[SSAValue, ...]], SSAValue] = {}

    def get_or_create(
        self,
        kind: type[DnnOp],
        operands: tuple[SSAValue, ...],
        type_: Attribute,
        near: DnnOp,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of an op of that kind on these values, one op for all calls. `near`: the op that it is for."""
        if (kind, operands) not in self._results:
            op = kind.create(operands=operands, result_types=[type_], attributes=attributes or {})
            self._results[kind, operands] = self.insert(op, _behind(operands, near), near)
        return self._results[kind, operands]

    def insert(self, op: DnnOp, point: InsertPoint, near: DnnOp) -> SSAValue:
        """The result of a new op, inserted there, or of a constant where it is computed now. `near`: the op that it is
        for: it gets its location, and an engine if that has one."""
        inherit(op, near)
        copy_engine(op, near)
        self.note(op)
        Rewriter.insert_op(op, point)
        folded = fold_constants(op) if self._fold else None
        return op.results[0] if folded is None else folded.y

    def note(self, *ops: Operation) -> None:
        """Notes the constants that the ops read: they may lose their last reader."""
        owners = [v.owner for op in ops for v in op.operands if isinstance(v.owner, DnnOp)]
        self._read.update((owner, None) for owner in owners if owner.storage().constant)

    def erase_unread(self, module: ModuleOp) -> None:
        """Erases the noted constants that have no reader any more, and their arrays."""
        for constant in self._read:
            erase_unread(constant)
        drop_unreferenced(module)


def _behind(values: tuple[SSAValue, ...], near: DnnOp) -> InsertPoint:
    """The first place where all values can be read, if they are of one block; else before the op."""
    owners = [value.owner for value in values]
    ops = [owner for owner in owners if isinstance(owner, Operation)]
    blocks = {owner.parent if isinstance(owner, Operation) else owner for owner in owners}
    (block, *more) = blocks
    if more or block is None:
        return InsertPoint.before(near)
    if not ops:
        return InsertPoint.at_start(block)
    return InsertPoint.after(max(ops, key=block.get_operation_index))
