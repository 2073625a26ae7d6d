"""A plan within a limit of bytes, by ops that run again: order, in place, offsets and second runs together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.scratch_sizes import Scratch
from lastuse.passes.planning.recomputation import Recomputation, RecomputationSearch
from lastuse.passes.scheduling.joint_planning import PlanSearch, Selected, arena_of
from lastuse.passes.scheduling.recomputed_function import RecomputedFunction
from lastuse.passes.scheduling.reorder import apply_order

TRIES = 4
"""How often second runs are sought, for lower and lower budgets, because offsets or refused decisions take more bytes
than are live at once."""
WIDER = 8
"""How many larger budgets, up to a quarter larger, are tried where the search finds nothing."""


@dataclass(frozen=True)
class RecomputedPlan:
    """What second runs gain.

    Attributes:
        chosen: the plan; the one that was there if nothing fits.
        again: the second runs, and the op that each is a second run of; none if nothing fits.
        before, after: bytes of the arena.
        work, total: of the second runs and of all first runs, as `DnnOp.work` counts.
        bound: no choice within the limit takes less work; None where there is none.
        least_bytes: no choice and no order has fewer bytes live at once.
    """

    chosen: Selected
    again: Mapping[Operation, Operation]
    before: int
    after: int
    limit: int
    work: int
    total: int
    bound: int | None
    least_bytes: int

    def text(self) -> str:
        """In words."""
        if not self.again:
            proof = "proved = true" if self.bound is None else "proved = false"
            least = f"at least {self.least_bytes:,} bytes are live whatever runs again; " if self.least_bytes else ""
            return f"no ops run again: no choice was found within the limit of {self.limit:,} bytes; {least}{proof}"
        ops = "1 op runs" if len(self.again) == 1 else f"{len(self.again)} ops run"
        gained = f"the arena has {self.after:,} bytes, without that {self.before:,}"
        return f"{ops} again: {gained}; {self.work / max(1, self.total):.2%} more work; {self._proof()}"

    def _proof(self) -> str:
        assert self.bound is not None
        if self.bound == self.work:
            return "proved = true: nothing takes less"
        if self.bound == 0:
            return "proved = false"
        return f"proved = false: at most {self.work / self.bound:.2f} times the least work"


def plan_within(
    func: FuncOp, search: PlanSearch, chosen: Selected, limit: int, cheap_only: bool, scratch: Scratch
) -> RecomputedPlan | None:
    """
    Adds second runs to a function whose plan is above the limit, and plans it with them.

    Args:
        search: how the function is planned.
        chosen: its plan without second runs, not applied yet.
        limit: bytes of the arena.
        cheap_only: only ops that say they are cheap run again.
        scratch: of the module's ops; second runs are measured too.

    Returns:
        The plan; None where the function keeps within the limit, or its order. The function is as it was if nothing
        fits.
    """
    start = NumberedOps.of(func)
    before = arena_of(chosen.best.program)
    if start is None or chosen.fixed is not None or len(func.body.blocks) != 1 or before <= limit:
        return None
    chosen.best.apply_order()
    bound: int | None = None
    budget, found = limit, None
    for attempt in range(TRIES):
        program = NumberedOps.of(func)
        assert program is not None
        function = RecomputedFunction(program, cheap_only)
        found = _searched(function, search, budget)
        bound = found.bound if not attempt else bound
        if not found.fits:
            break
        function.apply(found.late, found.order)
        scratch.follow(function.again)
        scratch.measure()
        planned = search.run(func)
        after = arena_of(planned.best.program)
        if after <= limit:
            work, total = found.work, function.work()
            return RecomputedPlan(planned, function.again, before, after, limit, work, total, bound, found.least_bytes)
        function.undo()
        budget = min(limit - (after - found.peak), found.peak - 1)
    for block, order in start.order.items():
        apply_order(block, order)
    least = found.least_bytes if found is not None else 0
    return RecomputedPlan(chosen, {}, before, before, limit, 0, 0, bound, least)


def _searched(function: RecomputedFunction, search: PlanSearch, budget: int) -> Recomputation:
    """What the search finds within a budget. It takes one step after the other, so for a larger budget it may find what
    it did not find for this one."""
    problem = function.problem
    first = RecomputationSearch(problem, range(len(problem.graph.ops)), search.nodes).run(budget)
    if first.fits or first.bound is None:
        return first
    for more in range(1, WIDER + 1):
        wider = budget + budget * more // (4 * WIDER)
        found = RecomputationSearch(problem, range(len(problem.graph.ops)), search.nodes).run(wider)
        if found.fits and found.peak <= budget:
            return found._replace(bound=first.bound, least_bytes=first.least_bytes)
    return first
