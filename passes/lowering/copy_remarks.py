"""Remarks on copies: each has one, with its bytes, its reason, the op that is the cause, and what would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lastuse.dialect.ir.diagnostics import (
    Location,
    Remark,
    RemarkKind,
    ToolContext,
    location_of,
    op_name,
    remark,
    source_names,
)
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of, is_scatter
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason, caused, copied_into
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis, first_reader
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.lowering.context import LoweredCopy
from lastuse.passes.lowering.copy_analysis import Expected

Why = Mapping[tuple[Operation, str], tuple[Reason, Operation | None]]
"""The reason of a copy and the op that is the cause, by the op that copies and what it copies, in words."""


def why_copied(plan: InPlaceDecisions) -> Why:
    """What a deciding pass knows of the copies that it leaves."""
    return {(op, c.text): (c.reason, c.by) for op, copied in plan.copied.items() for c in copied}


def explained(func: FuncOp) -> Why:
    """What the decisions that a function carries say of its copies."""
    program = NumberedOps.of(func)
    if program is None:
        return {}
    reasons = dict(why_copied(GreedyAnalysis(program, chosen=program.decisions).run()))
    for op, contract in zip(program.ops, program.contracts, strict=True):
        for view in contract.views if attrs.is_copy(op) else ():
            result = op.results[view.result]
            what = copied_into(op.operands[view.operand], result)
            reasons.setdefault((op, what), (Reason.LAYOUT, first_reader(result)))
    return reasons


BYTES = " bytes: "
_Key = tuple[str, tuple[str, ...], Location | None, str]


def say_copies(ctx: Context, func: FuncOp, copies: Sequence[Expected], why: Why) -> None:
    """A remark for each copy. Remarks of passes before on copies of this function are taken back: what they say of a
    copy that is still there stands in the new one, as it is from before the decisions."""
    name = func.sym_name.data
    before: dict[_Key, Remark] = {}
    if isinstance(ctx, ToolContext):
        before = {_key(r): r for r in ctx.remarks if r.kind is RemarkKind.COPY and r.function == name}
        ctx.remarks[:] = [r for r in ctx.remarks if r.kind is not RemarkKind.COPY or r.function != name]
    for copy, nbytes in copies:
        reason, by = why.get((copy.op, copy.what), (copy.reason, copy.by))
        words, help_ = _explained(copy, reason)
        cause = words + caused(by, copy.op)
        told = before.get((op_name(copy.op), source_names(copy.op), location_of(copy.op), copy.what))
        if told is not None:
            reason, cause = Reason(told.reason), told.message.partition(BYTES)[2]
            help_ = told.notes[0]
        size = "some" if nbytes is None else f"{nbytes:,}" if isinstance(nbytes, int) else str(nbytes)
        text = f"{copy.what}, {size}{BYTES}{cause}"
        known = nbytes if isinstance(nbytes, int) else None
        remark(ctx, RemarkKind.COPY, copy.op, text, reason=reason, notes=(help_,), nbytes=known, function=name)


IN_PART = {
    reason: (
        f"the operand is {what}, so no op computes it in its part of the result",
        "compute the operand in the function: an op may write its result to a part of another value",
    )
    for reason, what in ((Reason.PROGRAM_INPUT, "memory of the caller"), (Reason.CONSTANT, "a constant"))
}
"""Words and help where an operand that is there before the function runs is copied to its part of a result."""


def _explained(copy: LoweredCopy, reason: Reason) -> tuple[str, str]:
    """Why there is the copy, and what would help."""
    contract = contract_of(copy.op)
    over = {o.operand for o in contract.over}
    is_part = any(
        copied_into(copy.op.operands[c.operand], copy.op.results[0]) == copy.what
        for c in contract.contributions
        if not c.complement and c.operand not in over and (is_scatter(contract) or c.may_be_produced_in_place)
    )
    return IN_PART[reason] if is_part and reason in IN_PART else (reason.words, reason.help)


def _key(told: Remark) -> _Key:
    return told.op, told.names, told.location, told.message.partition(BYTES)[0].rpartition(", ")[0]
