"""Memory that is given back unless it is that of other memrefs, as their addresses say."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, memref, scf
from xdsl.ir import OpResult, SSAValue

NOT_EQUAL = 1
"""The predicate of `arith.cmpi`."""


def guarded(op: scf.IfOp) -> tuple[memref.DeallocOp, list[SSAValue]] | None:
    """What an op gives back where its address is none of those of other memrefs, and these; None for any other op."""
    then, otherwise = op.regions
    block = then.blocks.first
    inner = [*block.ops] if block is not None else []
    if op.results or len(then.blocks) != 1 or len(inner) != 2 or not isinstance(end := inner[0], memref.DeallocOp):
        return None
    if any(not isinstance(inner_op, scf.YieldOp) for other in otherwise.blocks for inner_op in other.ops):
        return None
    others: list[SSAValue] = []
    for flag in _all_of(op.cond):
        if not isinstance(flag, OpResult) or not isinstance(compared := flag.op, arith.CmpiOp):
            return None
        sides = [_memref_at(v) for v in compared.operands]
        if compared.predicate.value.data != NOT_EQUAL or end.memref not in sides or None in sides:
            return None
        others += [v for v in sides if v is not None and v is not end.memref]
    return end, others


def _all_of(flag: SSAValue) -> Iterator[SSAValue]:
    """The flags that all hold where `flag` does."""
    if isinstance(flag, OpResult) and isinstance(flag.op, arith.AndIOp):
        for operand in flag.op.operands:
            yield from _all_of(operand)
        return
    yield flag


def _memref_at(address: SSAValue) -> SSAValue | None:
    made = address.owner
    return made.source if isinstance(made, memref.ExtractAlignedPointerAsIndexOp) else None
