"""The contract of a call: what the function that is called promises (`dialect/storage/call_interface.py`)."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp
from xdsl.ir import Operation, OpResult

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.call_interface import called_function
from lastuse.dialect.storage.contract import FOREIGN, Contract, InPlace, supply_contract


def call_contract(op: Operation) -> Contract:
    """The contract of a call."""
    assert isinstance(op, CallOp)
    func = called_function(op)
    if func is None or not func.body.blocks:
        return FOREIGN
    over, lies = list[InPlace](), list[OpResult]()
    for result in op.results:
        if not isinstance(result.type, TensorType):
            continue
        tied, lent = attrs.tied_argument(func, result.index), attrs.lent_arguments(func, result.index)
        if (lent is None and tied is None) or (lent and any(True for _ in result.uses)):
            return FOREIGN
        lies.append(result)
        if tied is not None and tied < len(op.operands):
            over.append(InPlace(result.index, tied))
    strided = not over or attrs.STRIDED in func.attributes
    return Contract(over=tuple(over), strided=strided, engines=frozenset()) if lies else FOREIGN


supply_contract(CallOp, call_contract)
