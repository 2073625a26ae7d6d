"""Contracts of `tosa`: elementwise ops over an operand that is not broadcast; all others make fresh results."""

from __future__ import annotations

from xdsl.dialects import tosa
from xdsl.ir import Operation

from lastuse.dialect.foreign.common import CONSTANT, KERNEL, concat, elementwise
from lastuse.dialect.storage.contract import FOREIGN, Contract, Declared, supply_contract


def _concat(op: Operation) -> Contract:
    assert isinstance(op, tosa.ConcatOp)
    return concat(op, op.axis.value.data)


SPECIAL: dict[type[Operation], Contract | Declared] = {
    tosa.ConstOp: CONSTANT,
    tosa.ConcatOp: _concat,
    tosa.IfOp: FOREIGN,
    tosa.YieldOp: FOREIGN,
}
for _class in tosa.TOSA.operations:
    elementwise_ = issubclass(_class, (tosa.ElementwiseOperation, tosa.ClampOp))
    supply_contract(_class, SPECIAL.get(_class, elementwise if elementwise_ else KERNEL))
