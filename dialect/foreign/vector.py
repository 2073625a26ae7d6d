"""Contracts of `vector` on tensors: a transfer reads a vector of a tensor, or writes one over its destination. On
memrefs and between vectors it has nothing to do with the memory of tensors."""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.ir import Operation

from lastuse.dialect.foreign.common import KERNEL, is_tensor
from lastuse.dialect.storage.contract import FOREIGN, Contract, InPlace, supply_contract


def _transfer_read(op: Operation) -> Contract:
    return KERNEL if is_tensor(op.operands[0]) else FOREIGN


def _transfer_write(op: Operation) -> Contract:
    """Over the destination, operand 1: elements outside of the vector stay."""
    if not op.results or not is_tensor(op.operands[1]):
        return FOREIGN
    return KERNEL._replace(over=(InPlace(0, 1),), same_shape=((0, 1),))


supply_contract(vector.TransferReadOp, _transfer_read)
supply_contract("vector.gather", _transfer_read)
supply_contract(vector.TransferWriteOp, _transfer_write)
