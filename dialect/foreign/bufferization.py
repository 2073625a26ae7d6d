"""Contracts of `bufferization` on tensors: a tensor that is allocated, and one that is copied into another.

A tensor of a memref that is `restrict` and `writable` is that memory, which no other tensor shares. What any other one
may share memory with is not known: `to_tensor` without these stays foreign.
"""

from __future__ import annotations

from xdsl.dialects import bufferization
from xdsl.ir import Operation

from lastuse.dialect.foreign.common import KERNEL, is_tensor, sized
from lastuse.dialect.storage.contract import FOREIGN, Contract, Contribution, InPlace, supply_contract
from lastuse.dialect.storage.layout import identical


def _alloc_tensor(op: Operation) -> Contract:
    """Without contents, or a copy of the operand `copy`."""
    assert isinstance(op, bufferization.AllocTensorOp)
    if op.copy is None:
        return KERNEL._replace(uninitialized=True, sized_by=sized(op))
    if not is_tensor(op.copy):
        return FOREIGN
    k = list(op.operands).index(op.copy)
    return KERNEL._replace(contributions=(Contribution(k, identical),), same_shape=((0, k),))


def _materialize(op: Operation) -> Contract:
    """`source`, operand 0, is copied over `dest`, operand 1, whose bytes are not read; or it is computed there."""
    if not op.results and is_tensor(op.operands[0]) and not is_tensor(op.operands[1]):
        return KERNEL._replace(pure=False)  # into a memref, which is no memory of a tensor
    if not op.results or not all(map(is_tensor, (*op.operands, *op.results))):
        return FOREIGN
    return KERNEL._replace(
        over=(InPlace(0, 1),),
        contributions=(Contribution(0, identical, may_be_produced_in_place=True),),
        metadata_only=frozenset({1}),
        same_shape=((0, 1),),
    )


def _to_tensor(op: Operation) -> Contract:
    assert isinstance(op, bufferization.ToTensorOp)
    own = op.restrict is not None and op.writable is not None and is_tensor(op.tensor)
    return Contract(strided=True, pure=True, given=True, engines=frozenset()) if own else FOREIGN


supply_contract(bufferization.AllocTensorOp, _alloc_tensor)
supply_contract(bufferization.ToTensorOp, _to_tensor)
supply_contract(bufferization.MaterializeInDestinationOp, _materialize)
