"""Decisions without effect: another rule gives the place (docs/storage.md, 2). A deciding pass erases them first."""

from __future__ import annotations

from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Void, assign_places
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.shape_inference import Sizes


def without_void(func: FuncOp, decisions: Decisions, sizes: Sizes | None = None) -> tuple[Decisions, list[Void]]:
    """Decisions without those that say otherwise than the rule that won, and these."""
    dropped: list[Void] = []
    while (decisions.inplace or decisions.parts or decisions.forwarded) and (
        void := assign_places(func, decisions, sizes).void
    ):
        dropped += void
        gone = {v.op.results[v.entry] for v in void if v.attribute == attrs.INPLACE}
        apart = {(v.op, v.entry) for v in void if v.attribute == attrs.PARTS}
        parts = {op: tuple(k for k in operands if (op, k) not in apart) for op, operands in decisions.parts.items()}
        stays = {v.op.results[v.entry] for v in void if v.attribute == attrs.FORWARD}
        inplace = {value: k for value, k in decisions.inplace.items() if value not in gone}
        decisions = replace(
            decisions,
            inplace=inplace,
            parts={op: operands for op, operands in parts.items() if operands},
            forwarded=decisions.forwarded - stays,
        )
    return decisions, dropped


def drop_void(func: FuncOp, ctx: Context, decisions: Decisions | None = None, sizes: Sizes | None = None) -> Decisions:
    """Erase every `dnn.inplace`, `dnn.parts` and `dnn.forward` entry that says otherwise than the rule that won; `ctx`
    gets a remark for each. Returns what is left.

    Args:
        decisions: those that the function carries, where they are read already.
    """
    decisions, dropped = without_void(func, decisions or Decisions.of(func), sizes)
    for op, attribute, entry in dropped:
        is_part = attribute == attrs.PARTS
        value = op.operands[entry] if is_part else op.results[entry]
        noun = "operand" if is_part else "result"
        text = f"{attribute} of {noun} {entry} dropped: it has no effect, as {_winner(decisions, value)}"
        remark(ctx, RemarkKind.REPAIR, op, text)
        left = decisions.parts.get(op, ()) if is_part else decisions.over(op)
        if attribute == attrs.FORWARD:
            left = [1 if result in decisions.forwarded else -1 for result in op.results]
        attrs.set_entries(op, attribute, left)
    return decisions


def _winner(decisions: Decisions, value: SSAValue) -> str:
    """What gives the place instead."""
    if decisions.offset_of(value) >= 0:
        return f"{attrs.OFFSET} gives the place"
    if isinstance(value, OpResult) and decisions.number_of(value) >= 0:
        return f"{attrs.REUSE} gives the place"
    if decisions.inplace.get(value, -1) >= 0:
        return f"{attrs.INPLACE} gives the place"
    return "the value cannot lie there"
