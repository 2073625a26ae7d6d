"""A tensor that is copied for one of its parts is copied before the part is taken.

An op that puts something into a tensor which it may not write, or which is read later, makes a copy of the tensor. What
it puts there is often computed of a part of the same tensor. Where the tensor is copied first, and the part is taken of
the copy, the part may be written in place, and parts of the part too: one copy is left. A part that is read when the
tensor is changed is copied alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from xdsl.dialects.bufferization import AllocTensorOp
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.scf import ForOp, WhileOp
from xdsl.dialects.tensor import ExtractSliceOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import around_in, listed_ops, values_within
from lastuse.dialect.storage.assignment import Places, assign_places
from lastuse.dialect.storage.contract import Contract, contract_of, is_undefined
from lastuse.dialect.storage.layout import same_bytes

MOST_TRIALS = 4
"""Tensors of a function for which it is tried."""


class Update(NamedTuple):
    """Operand `operand` of op number `number` of a function is a tensor of which the op changes a part."""

    number: int
    operand: int


def has_updates(func: FuncOp) -> bool:
    """Some op changes a part of a tensor."""
    return any(_updated(op) is not None for op in listed_ops(func))


def updates_of(func: FuncOp) -> list[Update]:
    """Updates of a decided function that copy their tensor, and others of parts of the same tensors; the last ones
    first, as what they change is made of the others."""
    places, root = assign_places(func), _roots(func)
    every = [(n, op, k) for n, op in enumerate(listed_ops(func)) if (k := _updated(op)) is not None]
    copied = {root[op.operands[k]] for _, op, k in every if _is_copied(op, k, places)}
    found = [Update(n, k) for n, op, k in every if root[op.operands[k]] in copied and not is_undefined(op.operands[k])]
    moved = [
        Update(n, k) for n, op, base in every if _is_copied(op, base, places) for k in _moved_within(op, base, root)
    ]
    return [*found, *moved][::-1][:MOST_TRIALS]


def _moved_within(op: Operation, base: int, root: Mapping[SSAValue, SSAValue]) -> Iterator[int]:
    """The operands that an op puts into the tensor of which they are parts."""
    for contribution in contract_of(op).contributions:
        value = op.operands[contribution.operand]
        if not contribution.complement and value is not root[value] and root[value] is root[op.operands[base]]:
            yield contribution.operand


def _updated(op: Operation) -> int | None:
    """The operand that an op copies to its result but for what it changes."""
    if len(op.results) != 1 or op.regions or not isinstance(op.results[0].type, TensorType):
        return None
    contract = contract_of(op)
    over = contract.over[0].operand if len(contract.over) == 1 else None
    return over if over is not None and over not in contract.metadata_only else None


def _roots(func: FuncOp) -> dict[SSAValue, SSAValue]:
    """By value of a function what it is a view of, or an update of."""
    root = {value: value for value in values_within(func)}
    for op in listed_ops(func):
        for result in op.results:
            view = contract_of(op).view_of(result.index)
            k = view.operand if view is not None else _updated(op)
            if k is not None:
                root[result] = root[op.operands[k]]
    return root


def _is_copied(op: Operation, k: int, places: Places) -> bool:
    one, other = places.of.get(op.results[0]), places.of.get(op.operands[k])
    if one is None or other is None or is_undefined(op.operands[k]):
        return False
    return one.storage != other.storage or not same_bytes(one.layout, other.layout)


def copy_early(func: FuncOp, update: Update) -> None:
    """Copies the tensor of an update before any part of it is taken, and lets the update and what it puts there work on
    the copy. The function computes the same: the copy has the same contents."""
    op = listed_ops(func)[update.number]
    assert op.parent is not None
    _EarlyCopy(op.parent, op.operands[update.operand]).of(op, update.operand)


def parts_of(func: FuncOp) -> list[int]:
    """The numbers of the ops of a function that take a part of a tensor which is read when the tensor may be changed:
    behind an op that changes it, or in a loop that does."""
    root = _roots(func)
    parts = ((n, op) for n, op in enumerate(listed_ops(func)) if isinstance(op, ExtractSliceOp))
    return [*islice((n for n, op in parts if _is_read_later(op, root)), MOST_TRIALS)]


def _is_read_later(part: ExtractSliceOp, root: Mapping[SSAValue, SSAValue]) -> bool:
    block = part.parent
    users = [use.operation for use in part.result.uses]
    readers = [around_in(user, block) for user in users]
    changed, op, left = False, part.next_op, set(readers)
    while op is not None and left:
        k = _updated(op)
        changes = op.operands if isinstance(op, ForOp | WhileOp) else [op.operands[k]] if k is not None else []
        mine = any(root[v] is root[part.source] for v in changes)
        inside = any(a is op and user is not op for a, user in zip(readers, users, strict=True))
        if op in readers and (changed or (mine and inside)):
            return True
        changed |= mine
        left.discard(op)
        op = op.next_op
    return False


def copy_part(func: FuncOp, number: int) -> None:
    """Lets what reads the part that op `number` takes read a copy of it. The function computes the same."""
    op = listed_ops(func)[number]
    assert isinstance(op, ExtractSliceOp) and op.parent is not None
    copy = AllocTensorOp.build(operands=[[], [op.result], []], result_types=[op.result.type])
    inherit(copy, op)
    op.parent.insert_op_after(copy, op)
    op.result.replace_uses_with_if(copy.results[0], lambda use: use.operation is not copy)


class _EarlyCopy:
    """A copy of `tensor`, for ops of `block`."""

    def __init__(self, block: Block, tensor: SSAValue) -> None:
        self.block, self.tensor = block, tensor
        type_ = tensor.type
        self.copy = AllocTensorOp.build(operands=[[], [tensor], []], result_types=[type_])
        self.equal: dict[SSAValue, SSAValue] = {tensor: self.copy.results[0]}
        """Values, and what is the same of the copy."""
        self.changed: set[Operation] = set()
        self.met: set[Operation] = set()

    def of(self, op: Operation, k: int) -> None:
        """The op works on the copy, and all before it that it gets its operands from."""
        op.operands[k] = self.copy.results[0]
        self.changed.add(op)
        contract = contract_of(op)
        for contribution in contract.contributions:
            if not contribution.complement:
                self._chase(op.operands[contribution.operand])
        inherit(self.copy, op)
        owner = self.tensor.owner
        if isinstance(owner, Operation) and owner.parent is self.block:
            self.block.insert_op_after(self.copy, owner)
        else:
            first = next(inner for inner in self.block.ops if inner in self.changed)
            self.block.insert_op_before(self.copy, first)

    def _chase(self, value: SSAValue) -> None:
        """What a value is computed over lies in the copy, where it is a part of the tensor."""
        if not isinstance(value, OpResult) or value.op.parent is not self.block or value.op in self.met:
            return
        op, contract = value.op, contract_of(value.op)
        self.met.add(op)
        for k in dict.fromkeys(_followed(contract, value.index)):
            made = self._part(op.operands[k])
            if made is None:
                self._chase(op.operands[k])
            else:
                op.operands[k] = made
                self.changed.add(op)

    def _part(self, value: SSAValue) -> SSAValue | None:
        """What is the same of the copy as `value` is of the tensor."""
        if value in self.equal:
            return self.equal[value]
        if not isinstance(value, OpResult) or value.op.parent is not self.block or len(value.op.results) > 1:
            return None
        view = contract_of(value.op).view_of(0)
        source = self._part(value.op.operands[view.operand]) if view is not None else None
        if view is None or source is None:
            return None
        made = value.op.clone({value.op.operands[view.operand]: source})
        inherit(made, value.op)
        self.block.insert_op_after(made, value.op)
        self.changed.add(made)
        made.results[0].name_hint = value.name_hint
        self.equal[value] = made.results[0]
        return made.results[0]


def _followed(contract: Contract, result: int) -> Iterator[int]:
    """The operands that a result may be written over or is put together of."""
    view = contract.view_of(result)
    if view is not None:
        yield view.operand
    yield from (over.operand for over in contract.over if over.result == result)
    yield from (c.operand for c in contract.contributions if not c.complement)
