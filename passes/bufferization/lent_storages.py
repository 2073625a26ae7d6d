"""In which other memory a value may be that a call returns, or that an op of which nothing is known makes."""

from __future__ import annotations

from xdsl.dialects.func import CallOp
from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.storage.assignment import Places, Storage
from lastuse.dialect.storage.contract import is_foreign
from lastuse.passes.bufferization.call_results import CallResults


def lent_storages(value: SSAValue, places: Places, calls: CallResults) -> set[Storage]:
    """The storages of operands in which a value may lie although it has a storage of its own."""
    found: set[Storage] = set()
    waiting, seen = [value], {value}
    while waiting:
        root = places.rules.at[waiting.pop()][0]
        for operand in _lenders(root, calls):
            if operand in places.of and operand not in seen:
                seen.add(operand)
                found.add(places.of[operand].storage)
                waiting.append(operand)
    return found


def _lenders(root: SSAValue, calls: CallResults) -> list[SSAValue]:
    if not isinstance(root, OpResult):
        return []
    if isinstance(root.op, CallOp):
        lends = calls.is_made(root) and not calls.is_new(root)
        return [root.op.operands[k] for k in sorted(calls.lenders(root.op))] if lends else []
    return list(root.op.operands) if is_foreign(root.op) else []
