"""`--plan-pass`: order, in place and offsets together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, op_name, remark, wants_remarks
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.remembered import changing_ops, unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import Decisions
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace import InplacePass, emit_remarks, forward_values, remark_forwarded
from lastuse.passes.inplace_analysis.ineffective_decisions import drop_void
from lastuse.passes.memory.allocation_problem import problem_of
from lastuse.passes.memory.limit import limit_of
from lastuse.passes.memory.scratch_sizes import Scratch
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.planning.planner import Buffer, Plan
from lastuse.passes.scheduling.joint_planning import (
    NODES,
    Candidate,
    PlanSearch,
    Selected,
    arena_of,
    check_nodes,
)
from lastuse.passes.scheduling.recomputation_planning import plan_within
from lastuse.passes.transforms.simplify import erase_dead

RECOMPUTED = ("none", "cheap", "all")
MEASURED = "best"
"""The algorithm by which ways to plan are compared."""


@dataclass(frozen=True)
class PlanPass(ModulePass):
    """Choose order, decisions and offsets for a small arena.

    Requires: verified IR with known sizes (`--specialize-pass`). Decisions in the IR are kept, offsets
        too; a function with decisions keeps its order. A decision without effect is dropped with a remark.
    Guarantees: what `--schedule-pass`, `--inplace-pass` and `--memory-plan-pass` guarantee. The arena is never larger
        than that of the last two passes for the given order, with or without parts of concats. An op without
        effects whose results have no uses is erased first, unless it carries a decision. Where that makes the arena
        smaller, values that are dead before a returned result is written lie in the memory of that result: they have
        one `dnn.reuse` number. A view that is returned, and copied in any case, is copied (`dnn.copy`) behind the last
        op that reads the same bytes. With `recompute`, an arena
        above the limit is brought within it, where that can be reached so: ops run a second time before those that read
        their results late, and the first results are not kept until then. What runs again takes least work, as far as a
        search finds it; a remark says whether that is proved, or how far it is from a bound at most. Results stay the
        same bit for bit.
    Leaves alone: what these passes leave alone.
    Example: a concat that would keep a large value alive for its first part is not computed in place.

    Options:
        strategy: of `--inplace-pass`.
        inplace: write results over operands.
        schedule: move ops.
        algorithm: of `--memory-plan-pass`, without `pool`.
        nodes: of the search for an order; see `--schedule-pass`.
        limit: the most bytes that an arena may have, as of `--memory-plan-pass`.
        recompute: which ops may run again where the arena is above the limit otherwise: `none` (default), `cheap`
            (elementwise ops and normalisations) or `all`.
        threads: of the runs; 0 (default) for as many as a run gets.
        forward: as of `--inplace-pass`.
        measure: query the scratch of oneDNN's primitives, as of `--memory-plan-pass`.
    """

    name: ClassVar[str] = "plan-pass"

    strategy: str = "optimal"
    inplace: bool = True
    schedule: bool = True
    algorithm: str = "best"
    nodes: int = NODES
    limit: int | str | None = None
    recompute: str = "none"
    threads: int = 0
    measure: bool = True
    forward: bool = False

    def __post_init__(self) -> None:
        InplacePass(self.strategy)
        self._offsets()
        check_nodes(self.nodes)
        if self.recompute not in RECOMPUTED:
            raise LastuseError(f"recompute is {', '.join(RECOMPUTED)}, not '{self.recompute}'")

    def _offsets(self) -> MemoryPlanPass:
        return MemoryPlanPass(self.algorithm, self.limit, threads=self.threads, measure=self.measure)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        erase_dead(ctx, op)
        scratch = Scratch(ctx, op, self.threads, self.measure)
        scratch.measure()
        search = PlanSearch(self.strategy, self.inplace, self.schedule, self.nodes, wants_remarks(ctx))
        known: dict[tuple[Buffer, ...], Plan] = {}
        for func in defined_functions(op):
            drop_void(func, ctx)
            start, planned = NumberedOps.of(func) if wants_remarks(ctx) else None, attrs.is_planned(func)
            with unchanged_ops():
                chosen = search.run(func)
                if self.limit is not None and self.recompute != "none":
                    with changing_ops():
                        chosen = self._within_limit(ctx, func, search, chosen, scratch)
                lent = chosen.in_results() if self.inplace and not self.forward else chosen.best
            given = Decisions.of(func)
            replace(chosen, best=lent).apply()
            fresh = forward_values(func, given, chosen.best.plan) if self.forward else []
            if lent.placed is not None and self.algorithm == MEASURED:
                known[lent.buffers] = lent.placed
            if wants_remarks(ctx):
                _emit_remarks(ctx, func, chosen, start, planned)
                if lent is not chosen.best:
                    _remark_results(ctx, func, chosen.best, lent)
                remark_forwarded(ctx, fresh)
        # What is decided may put operands elsewhere than where they lay when the scratch was measured.
        scratch.measure()
        self._offsets().plan_module(ctx, op, scratch, known)

    def _within_limit(
        self, ctx: Context, func: FuncOp, search: PlanSearch, chosen: Selected, scratch: Scratch
    ) -> Selected:
        """The plan, with ops that run again where the arena is above the limit otherwise."""
        assert self.limit is not None
        done = plan_within(func, search, chosen, limit_of(self.limit), self.recompute == "cheap", scratch)
        if done is None:
            return chosen
        for again in done.again:
            message = f"'{op_name(again)}' runs again here: its result is not kept until then"
            remark(ctx, RemarkKind.DECISION, again, message)
        if done.again:
            remark(ctx, RemarkKind.DECISION, func, done.text())
        else:
            remark(ctx, RemarkKind.REFUSAL, func, done.text(), reason="recompute")
        return done.chosen


def _remark_results(ctx: Context, func: FuncOp, before: Candidate, lent: Candidate) -> None:
    """What the memory of results saves that are not written yet."""
    now, was = lent.arena_bytes, arena_of(before.program)
    text = f"the arena has {now:,} bytes, without that {was:,}"
    remark(ctx, RemarkKind.DECISION, func, f"values lie in the memory of results until these are written: {text}")


def _emit_remarks(ctx: Context, func: FuncOp, chosen: Selected, start: NumberedOps | None, planned: bool) -> None:
    """What was decided, and how many bytes each of the three gained; nothing of that where offsets were `planned`
    before."""
    if chosen.best.plan is not None:
        emit_remarks(ctx, func, chosen.best.plan)
    if chosen.fixed is not None:
        remark(ctx, RemarkKind.REFUSAL, func, f"ops keep their order: {chosen.fixed}", reason="order")
    elif not chosen.proved:
        remark(ctx, RemarkKind.DECISION, func, "proved = false: the search for an order stopped at its limit")
    if chosen.best.reordered:
        remark(ctx, RemarkKind.DECISION, func, chosen.moved())
    if planned:
        return
    problem = problem_of(start) if start is not None else None
    if problem is not None:
        arena, baseline, apart = arena_of(chosen.best.program), arena_of(chosen.baseline.program), arena_of(start)
        alone = sum(buffer.size for buffer in problem.buffers)
        gained = f"offsets save {alone - apart:,}, in place {apart - baseline:,}, the order {baseline - arena:,}"
        text = f"of {alone:,} bytes, a place for each value, {gained}: {arena:,} are left"
        remark(ctx, RemarkKind.DECISION, func, text)
