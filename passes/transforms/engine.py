"""The engine of an op that a pass makes, from those of the ops it stands for."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import GRU
from lastuse.dialect.storage.contract import ENGINE, Engine


def assign_engine(op: DnnOp) -> None:
    """Write the engine that runs an op, if one has to."""
    engine = op.engine()
    if engine is not None:
        op.attributes[ENGINE] = StringAttr(engine.value)


def keep_kernels(op: DnnOp, *sources: Operation) -> None:
    """An op made of GRUs has the kernels that one of them was given."""
    for source in sources:
        if GRU in source.attributes and GRU not in op.attributes:
            op.attributes[GRU] = source.attributes[GRU]


def inherit_engine(op: DnnOp, *sources: Operation) -> None:
    """Place an op made instead of `sources`: kept from oneDNN as one of them was, placed if one was, else not yet."""
    engines = {source.attributes[ENGINE] for source in sources if ENGINE in source.attributes}
    if StringAttr(Engine.CPU.value) in engines:
        op.attributes[ENGINE] = StringAttr(Engine.CPU.value)
    elif engines:
        assign_engine(op)


def copy_engine(op: DnnOp, other: Operation) -> None:
    """Place an op made for another one, if that is placed."""
    if ENGINE in other.attributes:
        assign_engine(op)


def replace_engine(op: DnnOp, other: Operation) -> None:
    """Place an op with the attributes of another one, in whose place it comes: as `inherit_engine` does, where it runs
    at all; a view runs nowhere."""
    if ENGINE not in other.attributes:
        return
    op.attributes.pop(ENGINE, None)
    if op.storage().engines:
        inherit_engine(op, other)
