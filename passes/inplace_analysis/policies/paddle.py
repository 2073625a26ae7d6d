"""Paddle's oneDNN in-place pass, as its design document has it, on sound analyses.

An op of the list goes over operand 0 if it is asked to run on oneDNN, the operand has one reader, some op with a result
follows, and no follower without an in-place kernel of its own already lives in the operand's memory. An op of another
dialect is listed by the contract it registers, whichever engine runs it. Where the original
would be wrong (constants, returned operands, caller's memory, memory that is taken again too early) this refuses.
The order of ops decides; the original went by the order of graph nodes in memory, and broke on it.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.dnn import activations, arithmetic, elementwise, normalization
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import Engine, contract_of, engine_of
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions

LISTED = frozenset(
    {
        arithmetic.AddOp,
        activations.ReluOp,
        activations.TanhOp,
        activations.LeakyReluOp,
        activations.SiluOp,
        elementwise.AbsOp,
        elementwise.SqrtOp,
        normalization.SoftmaxOp,
    }
)
"""The ops that the pass looks at. gelu and sum are left out, as the document's footnotes have it."""

PAIRED = LISTED | {activations.SigmoidOp, elementwise.ExpOp}
"""Ops that declare an in-place pair of their own: one of these may follow in the operand's memory."""


def rejects(program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
    """The document's rules; what it does not ask, the analysis does."""
    if isinstance(op, DnnOp):
        if type(op) not in LISTED or operand != 0:
            return Reason.NOT_LISTED
        if engine_of(op) is not Engine.ONEDNN:
            return Reason.ENGINE
    value = op.operands[operand]
    if sum(1 for _ in value.uses) > 1:
        last = program.ops[-1]
        return Reason.RETURNED if any(u.operation is last for u in value.uses) else Reason.USED_LATER
    followers = [u.operation for u in op.results[result].uses if u.operation.results]
    if not followers:
        return Reason.RETURNED
    if any(_lives_there(program, f, value) for f in followers):
        return Reason.NEXT_OP_REUSES
    return None


def _lives_there(program: NumberedOps, follower: Operation, operand: SSAValue) -> bool:
    """The follower is in the operand's memory by an earlier pass, and has no in-place kernel."""
    number = program.decisions.number_of(operand)
    listed = type(follower) in PAIRED or not isinstance(follower, DnnOp)
    paired = listed and bool(contract_of(follower).over)
    return number >= 0 and number in map(program.decisions.number_of, follower.results) and not paired


def decide(program: NumberedOps, parts: bool) -> InPlaceDecisions:
    """The pass's decisions for a straight-line function; it knows no parts."""
    plan = GreedyAnalysis(program, rejects).run()
    for op in list(filter(plan.is_in_place, plan.order)):
        for follower in (u.operation for u in op.results[0].uses):
            if type(follower) in PAIRED and _is_in_place_already(program, plan, op, follower):
                plan.inplace.setdefault(follower.results[0], 0)
    return plan


def _is_in_place_already(program: NumberedOps, plan: InPlaceDecisions, op: Operation, follower: Operation) -> bool:
    """An earlier pass put the follower where the op's result now is: the original renames it too, one level."""
    number_of = program.decisions.number_of
    here = {plan.reuse.get(value, number_of(value)) for value in (op.results[0], op.operands[0])} - {-1}
    return number_of(follower.results[0]) in here and follower.operands[0] is op.results[0]
