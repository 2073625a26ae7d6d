"""`--recompute-pass`: values are computed again where a limit of memory asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, op_name, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.differentiation.recomputation import Measured, Recomputation, Recomputer
from lastuse.passes.memory.allocation_problem import problem_of
from lastuse.passes.memory.limit import limit_of
from lastuse.passes.memory.scratch_sizes import Scratch
from lastuse.passes.planning.planner import live_bytes
from lastuse.passes.scheduling.joint_planning import PlanSearch
from lastuse.passes.scheduling.reorder import why_fixed

CHEAP, ALL = "cheap", "all"
TRIES = 4
"""How often ops are added for a lower limit, as the final order and decisions take more than those of the search."""


@dataclass(frozen=True)
class RecomputePass(ModulePass):
    """Compute values a second time instead of keeping them.

    Requires: verified IR with known sizes, nothing decided.
    Guarantees: the arena is within `limit`, where that can be reached so: a value that a reader needs late is computed
        again before it. Results are the same bit for bit. What runs again takes least work for the bytes that it frees
        at the peak; with few candidates all sets of them are compared, and the remark says `proved = true`. Ops are
        moved to an order that takes less memory. A function whose arena is within the limit anyway is left alone.
    Leaves alone: functions that cannot be brought within the limit, which `--plan-pass` reports; functions of several
        blocks.
    Example: `%b = "dnn.tanh"(%a)`, which is read again after `%c` and `%d`, is made again of `%a` by then: `%f` reads
        the second one, `%f = "dnn.mul"(%b_1, %e)`.

    Options:
        limit: bytes of the arena (`65536`, `64KiB`).
        ops: `cheap` (default): elementwise ops and normalisations may run again; `all`: any op.
        threads: of the runs; 0 (default) for as many as a run gets.
        measure: query the scratch of oneDNN's primitives, as of `--memory-plan-pass`.
    """

    name: ClassVar[str] = "recompute-pass"

    limit: int | str = 0
    ops: str = CHEAP
    threads: int = 0
    measure: bool = True

    def __post_init__(self) -> None:
        limit_of(self.limit)
        if self.ops not in (CHEAP, ALL):
            raise LastuseError(f"ops is {CHEAP} or {ALL}, not '{self.ops}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limit = limit_of(self.limit)
        Scratch(ctx, op, self.threads, self.measure).measure()
        for func in defined_functions(op):
            if len(func.body.blocks) != 1 or why_fixed(func, NumberedOps.of(func)) is not None:
                continue
            before = _plan(func).arena
            if before <= limit:
                continue
            done = self._within(func, limit)
            for again in done.again:
                message = f"'{op_name(again)}' runs again here: its result is not kept until then"
                remark(ctx, RemarkKind.DECISION, again, message)
            state = "true" if done.proved else "false"
            fits = "within" if done.fits else "still above"
            message = f"{len(done.again)} ops run again: the arena of {before:,} bytes is {fits} the limit of {limit:,}"
            remark(ctx, RemarkKind.DECISION, func, f"{message}; proved = {state}")

    def _within(self, func: FuncOp, limit: int) -> Recomputation:
        """Adds ops, for lower and lower limits, until the final plan is within the limit."""
        target = limit
        again = {}
        for _ in range(TRIES):
            done = Recomputer(func, target, self.ops == CHEAP, _measure).run()
            again |= done.again
            arena = _plan(func).arena
            if arena <= limit or not done.again:
                return Recomputation(again, arena <= limit, done.proved)
            target = target * limit // arena
        return Recomputation(again, False, False)


def _plan(func: FuncOp) -> Measured:
    """Plans the function as `--plan-pass` does, and gives its ops the order of the plan."""
    selected = PlanSearch().run(func)
    selected.best.apply_order()
    return _measured(selected.best.program)


def _measure(func: FuncOp) -> Measured:
    """Plans the function in the order that it has."""
    return _measured(PlanSearch(schedule=False).run(func).best.program)


def _measured(program: NumberedOps | None) -> Measured:
    problem = problem_of(program) if program is not None else None
    if problem is None or program is None or not problem.buffers:
        return Measured(0, None)
    live = live_bytes(problem.buffers)
    return Measured(problem.placed().peak, program.ops[max(live, key=live.__getitem__)])
