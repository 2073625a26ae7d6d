"""Which ops may take scratch beyond what they declare: only a measurement tells how much."""

from __future__ import annotations

from xdsl.ir import Operation

from lastuse.dialect.dnn import primitive
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import Engine, engine_of

WITHOUT_SCRATCH = (primitive.EltwisePrimitive, primitive.BinaryPrimitive)
"""Primitives that go through their elements one by one, and never take any."""


def may_take_scratch(op: Operation) -> bool:
    """A primitive may compute the op whose scratch depends on the machine and on where its operands lie."""
    if not isinstance(op, DnnOp) or engine_of(op) is Engine.CPU:
        return False
    chosen = op.primitive()
    return chosen is not None and not isinstance(chosen, WITHOUT_SCRATCH)
