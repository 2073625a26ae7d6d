"""Decisions without effect: another rule gives the place (docs/storage.md, 2). A deciding pass erases them first."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult

from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import offset_of, places
from lastuse.dialect.storage.shape_inference import Sizes


def drop_void(func: FuncOp, ctx: Context | None = None, sizes: Sizes | None = None) -> None:
    """Erase every `dnn.inplace` and `dnn.parts` entry that says otherwise than the rule that won; `ctx` gets a remark
    for each."""
    decided = any(attrs.INPLACE in op.attributes or attrs.PARTS in op.attributes for op in func.walk())
    while decided and (void := places(func, sizes).void):
        for op, attribute, entry in void:
            if ctx is not None:
                noun = "result" if attribute == attrs.INPLACE else "operand"
                text = f"{attribute} of {noun} {entry} dropped: it has no effect, as {_winner(op, attribute, entry)}"
                remark(ctx, RemarkKind.REPAIR, op, text)
            if attribute == attrs.INPLACE:
                kept = [-1 if index == entry else k for index, k in enumerate(attrs.inplace(op))]
                attrs.set_inplace(op, kept)
            else:
                attrs.set_parts(op, [k for k in attrs.parts(op) if k != entry])


def _winner(op: Operation, attribute: str, entry: int) -> str:
    """What gives the place instead."""
    value = op.results[entry] if attribute == attrs.INPLACE else op.operands[entry]
    if offset_of(value) >= 0:
        return f"{attrs.OFFSET} gives the place"
    if isinstance(value, OpResult) and attrs.reuse(value.op)[value.index] >= 0:
        return f"{attrs.REUSE} gives the place"
    return "the value cannot lie there"
