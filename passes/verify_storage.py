"""`--verify-storage-pass`: the independent checker as a pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import RemarkKind, remark, wants_remarks
from lastuse.dialect.ir.flow_graphs import functions_within, ops_within
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import assign_places
from lastuse.dialect.storage.attrs_verifier import verify_decisions
from lastuse.passes.checker import Violation, check
from lastuse.passes.checker.repair import drop_malformed, repair


@dataclass(frozen=True)
class VerifyStoragePass(ModulePass):
    """Prove that the decisions of every function are right: on every path, every op reads the bytes it would read if
    nothing shared memory, and no byte of the caller or of a constant changes without permission.

    Requires: verified IR; any decisions, or none.
    Guarantees: the plan is right for all inputs, as far as ops keep their declared contracts; otherwise an error at the
        op that would read a wrong byte, or break a rule, with the value, the bytes and the op that overwrote them.
    Leaves alone: everything; with `repair`, everything but the decisions it drops.
    Example: `b = relu(a)` in place over `a`, and `a` read again by an `add`: an error at the `add`.

    Options:
        repair: drop the decision that destroyed the missing byte, with a remark, until the plan is right. With no
            decision left every plan is. A decision that cannot be read (one for operands or results that another pass
            took away) is dropped too; what a function promises to its callers (`dnn.tied`) and `dnn.engine` are not.
    """

    name: ClassVar[str] = "verify-storage-pass"

    repair: bool = False

    @unchanged_ops()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in functions_within(op):
            self._read(ctx, func)
            wrong = self._repaired(ctx, func) if self.repair else check(func)
            if wrong:
                raise wrong[0].error()
            if wants_remarks(ctx):
                _remark_void(ctx, func)

    def _read(self, ctx: Context, func: FuncOp) -> None:
        """Decisions have to be well-formed; with `repair`, those that are not go."""
        if not self.repair:
            for op in ops_within(func):
                verify_decisions(op)
            return
        dropped, left = drop_malformed(func)
        if left:
            raise left[0].error()
        for problem in dropped:
            remark(ctx, RemarkKind.REPAIR, problem.op, f"dropped: {problem.attribute} {problem.message}")

    @staticmethod
    def _repaired(ctx: Context, func: FuncOp) -> list[Violation]:
        if any(attrs.SUCC_OFFSET in op.attributes for op in ops_within(func)) and (violations := check(func)):
            # Offsets were made together, and one alone that goes leaves its value where others lie.
            remark(ctx, RemarkKind.REPAIR, func, f"the plan of the arena dropped: {violations[0].message}")
            attrs.drop_plan(func)
        dropped, wrong = repair(func)
        for decision, because in dropped:
            holder = func if isinstance(decision.holder, BlockArgument) else decision.holder
            remark(ctx, RemarkKind.REPAIR, holder, f"{decision} dropped: {because.message}")
        return wrong


def _remark_void(ctx: Context, func: FuncOp) -> None:
    """Name the decisions that another rule overrules."""
    if func.body.blocks.first is None:
        return
    for void in assign_places(func).void:
        text = f"{void.attribute} has no effect for {void.entry}: another rule gives the place"
        remark(ctx, RemarkKind.REFUSAL, void.op, text)
