"""`--inplace-pass`: which result is written over which operand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark, wants_remarks
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_within
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import assign_places
from lastuse.dialect.storage.attrs import SHARES, display_name
from lastuse.dialect.storage.call_interface import written_operands
from lastuse.dialect.storage.decisions import Decisions, movers_to
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import sentence
from lastuse.passes.analysis.shared_memory import shares
from lastuse.passes.inplace_analysis.donations import operands_to_give
from lastuse.passes.inplace_analysis.forwarding_choice import forwarded_besides, passes_on, write_forwarded
from lastuse.passes.inplace_analysis.ineffective_decisions import drop_void
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.policies import STRATEGIES, UNEXPLAINED
from lastuse.passes.lowering.copy_analysis import expected_copies
from lastuse.passes.lowering.copy_remarks import say_copies, why_copied


@dataclass(frozen=True)
class InplacePass(ModulePass):
    """Decide which result is written over which operand.

    Requires: verified IR. Decisions in the IR are kept, and new ones fit them; a decision without effect, because
        another rule gives the place, is dropped with a remark. A result with an offset keeps it (`decided`).
    Guarantees: `dnn.inplace`, `dnn.parts`, `dnn.copy` (and `dnn.reuse`, or `dnn.succ_reuse` for block arguments, where
        values share a storage over a boundary) such that `--verify-storage-pass` accepts the function, if it accepts
        the decisions in the IR.
        Calls get operands themselves that they may write, where nothing needs these later (`dnn.donate`).
    Leaves alone: functions with unreachable blocks.
    Example: `%y = "dnn.relu"(%x)` at the last use of `%x` gets `dnn.inplace = array<i32: 0>`.

    Options:
        strategy: `optimal` (default), or the rules of another system: `paddle`, `nntrainer` (which also writes
            `dnn.inplace_mode`), `reinplace`, `transpiler`. See docs/inplace.md.
        parts: compute operands of a concat in their parts of the result. That shares more bytes, but the result is then
            live from its first part on, and the peak may be higher.
        explain: write on every op the reasons why results are not in place (`dnn.refused`).
        shares: write on every op what it shares (`dnn.shares`): `values`, where its results have bytes of its operands,
            `gradients`, where the gradient of an operand is that of the result, a view of it, or may be written over
            it, or `both`.
        forward: let results of control flow and of `arith.select`, and block arguments, lie where the path puts them
            (`dnn.forward`) where that saves copies. `--lower-to-onednn-pass` refuses it.
    """

    name: ClassVar[str] = "inplace-pass"

    strategy: str = "optimal"
    parts: bool = True
    explain: bool = False
    shares: bool = False
    forward: bool = False

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise LastuseError(f"no strategy '{self.strategy}'; there are {', '.join(STRATEGIES)}")

    @unchanged_ops()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in functions_within(op):
            self.decide(ctx, func)

    def decide(self, ctx: Context, func: FuncOp, given: Decisions | None = None) -> Decisions | None:
        """Decides for one function. Returns the decisions that it carries then; None where nothing is decided, as some
        block is not reached.

        Args:
            given: the decisions that the function carries, where they are known.
        """
        program = NumberedOps.of(func, given)
        if program is None:
            return None
        program = program.decided(drop_void(func, ctx, program.decisions, program.sizes))
        strategies = STRATEGIES if self.explain or wants_remarks(ctx) else UNEXPLAINED
        plan = strategies[self.strategy](program, self.parts)
        plan.write(self.explain)
        fresh = forward_values(func, program.decisions, plan) if self.forward and passes_on(program) else []
        donated = give_operands(func)
        if self.shares:
            _write_shares(program, plan)
        if wants_remarks(ctx):
            emit_remarks(ctx, func, plan)
            remark_forwarded(ctx, fresh)
            remark_given(ctx, donated)
        return Decisions.of(func) if fresh else plan.added_to(program.decisions)


def give_operands(func: FuncOp) -> list[tuple[CallOp, int]]:
    """Gives operands to calls at their last use, under the decisions that a function carries. Returns the new ones."""
    if not any(map(written_operands, calls_in(func))):
        return []
    program = NumberedOps.of(func)
    fresh: list[tuple[CallOp, int]] = []
    if program is None:
        return fresh
    for call, numbers in operands_to_give(program, assign_places(func)).items():
        fresh += [(call, k) for k in numbers if k not in attrs.operands_given_away(call)]
        attrs.set_entries(call, attrs.DONATE, numbers)
    return fresh


def remark_given(ctx: Context, given: Sequence[tuple[CallOp, int]]) -> None:
    """One line for each operand that is given to a call."""
    for call, k in given:
        text = f"{display_name(call.operands[k])}, operand {k}, is given to @{callee_of(call)}"
        remark(ctx, RemarkKind.DECISION, call, text)


def forward_values(func: FuncOp, given: Decisions, plan: InPlaceDecisions | None) -> list[SSAValue]:
    """Forwards values of a function where that saves copies under the decisions that it carries. Returns them.

    Args:
        given: the decisions that stay.
        plan: the decisions that were taken, which lose those of these values.
    """
    program = NumberedOps.of(func)
    if program is None:
        return []
    decided = forwarded_besides(program, given)
    fresh = write_forwarded(program.decisions, decided)
    fresh.sort(key=lambda v: (program.time_of(v), isinstance(v, BlockArgument), v.index))  # pyright: ignore
    if plan is not None and fresh:  # what may not be written now is decided anew
        now = Decisions.of(func).inplace
        for value in [*plan.inplace]:
            if value in now:
                plan.inplace[value] = now[value]
            else:
                del plan.inplace[value]
    if plan is not None:
        for value in (v for v in decided.inplace if isinstance(v, OpResult) and v not in program.decisions.inplace):
            plan.inplace[value] = decided.inplace[value]
            plan.refused[value.op] = tuple(r for r in plan.refused.get(value.op, ()) if r.result != value.index)
    return fresh


def remark_forwarded(ctx: Context, values: Sequence[SSAValue]) -> None:
    """One line for each value that is forwarded."""
    for value in values:
        op = value.op if isinstance(value, OpResult) else movers_to(value.block)[0]  # pyright: ignore
        remark(ctx, RemarkKind.DECISION, op, f"{display_name(value)} lies where the path taken puts it")


def _write_shares(program: NumberedOps, plan: InPlaceDecisions) -> None:
    for op in program.ops:
        results = [result for result in op.results if result in program.sizes]
        at = [plan.inplace.get(r, -1) >= 0 or program.view(r) is not None and r not in plan.copies for r in results]
        found = shares(op, bool(at) and all(at), program.sizes)
        if found is not None:
            op.attributes[SHARES] = StringAttr(found.value)
        else:
            op.attributes.pop(SHARES, None)


def emit_remarks(ctx: Context, func: FuncOp, plan: InPlaceDecisions) -> None:
    """One line per decision and refusal, in program order, then one per copy; and one where the search had to stop."""
    for op in plan.order:
        for result in op.results:
            k = plan.inplace.get(result, -1)
            if k >= 0:
                text = f"{display_name(result)} is written over {display_name(op.operands[k])}, operand {k}"
                remark(ctx, RemarkKind.DECISION, op, text)
        if op in plan.parts:
            names = ", ".join(display_name(op.operands[k]) for k in plan.parts[op])
            remark(ctx, RemarkKind.DECISION, op, f"{names} computed in place in {display_name(op.results[0])}")
        for refusal in plan.refused.get(op, ()):
            remark(ctx, RemarkKind.REFUSAL, op, sentence(op, refusal), reason=refusal.reason)
    copies = expected_copies(func)
    if copies is not None:
        say_copies(ctx, func, copies, why_copied(plan))
    if not plan.proved:
        text = "proved = false: the search for decisions stopped at its limit, and there may be better ones"
        remark(ctx, RemarkKind.DECISION, func, text)
