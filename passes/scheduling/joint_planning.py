"""Order, in place and offsets by one objective: the smallest arena, then the fewest copies.

Each candidate is a value: the numbered ops of the function in an order, under decisions. The search measures candidates
and changes no IR.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import attrgetter

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import OpResult

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.ineffective_decisions import without_void
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.policies import STRATEGIES, UNEXPLAINED
from lastuse.passes.memory.allocation_problem import problem_of
from lastuse.passes.memory.result_memory import copied_early, returned_views, storages_in_results
from lastuse.passes.planning import planner
from lastuse.passes.scheduling.reorder import BetterOrder, Orders, apply_order, orders, why_fixed

NODES = 100_000
"""Of the search for an order in each part of a block: a fraction of a second."""
ROUNDS = 3
"""How often an order is looked for again because not all was in place that the search took to be."""
FEWER_NODES = 10
"""How much fewer nodes a search has behind one that reached its limit."""


@dataclass(frozen=True)
class Candidate:
    """One way to plan a function.

    Attributes:
        program: the function in the order and under the decisions of this candidate; None where no op is numbered.
        plan: its in-place decisions, if it has any.
        reordered: the blocks that have another order than they had.
        buffers: what is in the arena.
        placed: a plan of the offsets; None where there is none, or nothing was measured.
    """

    program: NumberedOps | None
    plan: InPlaceDecisions | None
    reordered: tuple[BetterOrder, ...] = ()
    buffers: tuple[planner.Buffer, ...] = ()
    placed: planner.Plan | None = None

    @property
    def arena_bytes(self) -> int:
        """What the plan takes; 0 where there is none."""
        return self.placed.peak if self.placed is not None else 0

    @property
    def cost(self) -> tuple[int, int]:
        """What is to be as small as possible, the first first: bytes of the arena, copies that the decisions leave."""
        return self.arena_bytes, self.plan.copy_count if self.plan is not None else 0

    def apply_order(self) -> None:
        """Moves the ops of the function."""
        for block, order in self.program.order.items() if self.program is not None else ():
            apply_order(block, order)

    def lies(self, result: OpResult) -> bool:
        """The result is written over an operand, or operands are computed in it."""
        plan = self.plan
        return plan is not None and (result in plan.inplace or bool(plan.parts.get(result.op)))


_cost = attrgetter("cost")


@dataclass(frozen=True)
class Selected:
    """The best candidate that was found.

    Attributes:
        best: the candidate; its arena is not measured where there was no other to compare it with.
        baseline: the best one in the order that the ops have.
        fixed: why the ops keep their order, if they do.
        proved: no order of any block needs less, as far as sums of live bytes can tell.
    """

    best: Candidate
    baseline: Candidate
    fixed: str | None
    proved: bool

    def apply(self) -> None:
        """Moves the ops of the function, and writes its in-place decisions as attributes."""
        self.best.apply_order()
        if self.best.plan is not None:
            self.best.plan.write()
        for view in self.best.program.decisions.copies if self.best.program is not None else ():
            if isinstance(view, OpResult) and len(view.op.results) == 1:
                view.op.attributes[attrs.COPY] = UnitAttr()

    def in_results(self) -> Candidate:
        """The best candidate with values in the memory of results that are not written yet: of the two orders the one
        with the smaller arena then."""
        best = in_results(self.best)
        other = in_results(self.baseline) if self.best.reordered else best
        return other if other is not self.baseline and other.cost < best.cost else best

    def moved(self) -> str:
        """What another order gains, in words."""
        was, now = self.baseline.arena_bytes, self.best.arena_bytes
        return f"ops are moved: the arena has {now:,} bytes, in the order they had {was:,}"


@dataclass(frozen=True)
class PlanSearch:
    """How a function is planned.

    Attributes:
        strategy: of `--inplace-pass`.
        inplace: results may be written over operands.
        schedule: ops may be moved.
        nodes: of the search for an order.
        reasons: the decisions of candidates say why there are no others.
    """

    strategy: str = "optimal"
    inplace: bool = True
    schedule: bool = True
    nodes: int = NODES
    reasons: bool = False

    def run(self, func: FuncOp) -> Selected:
        """The best candidate for a function, the order of its ops with it. Nothing is written."""
        program = NumberedOps.of(func)
        fixed = why_fixed(func, program) if self.schedule else "it was asked for"
        if program is None:
            return Selected(Candidate(None, None), Candidate(None, None), fixed, True)
        decisions, _ = without_void(func, program.decisions, program.sizes)
        # A return copies these in any case; an op of its own may do it as soon as the bytes are there.
        copies = returned_views(program.decided(decisions)) if fixed is None else frozenset[OpResult]()
        program = program.decided(replace(decisions, copies={*decisions.copies, *copies}))
        found = orders(program, self.nodes, inplace=self.inplace) if fixed is None else None
        # What a search that stopped at its limit did not find, the next ones hardly find: they have less to do.
        later = self if found is None or found.is_complete else replace(self, nodes=max(1, self.nodes // FEWER_NODES))
        selected = better = later._once(program, found, fixed)
        while better.best.reordered and not _is_least(better.best, found):
            # From the order that was found the search may find another one, as it does not look at everything.
            assert selected.best.program is not None
            moved = selected.best.program.decided(program.decisions)
            found = orders(moved, later.nodes, inplace=self.inplace)
            if not found.improvements:
                return replace(selected, proved=found.proved)
            better = later._once(moved, found, fixed)
            if not better.best.reordered or better.best.cost >= selected.best.cost:
                return replace(selected, proved=better.proved)
            selected = replace(selected, best=better.best, proved=better.proved)
        return selected

    def _once(self, program: NumberedOps, better: Orders | None, fixed: str | None) -> Selected:
        """The best candidate of the order that the ops have and the `better` ones; None: they keep it."""
        measure = better is not None and bool(better.improvements)
        baseline = best = min(self._candidates(program, (), measure), key=_cost)
        refused = frozenset[OpResult]()
        for _ in range(ROUNDS):
            if better is None or not better.improvements:
                break
            candidates = self._in_order(program, better)
            best = min(best, *candidates, key=_cost)
            if best.arena_bytes <= better.peak:
                break
            assumed = {result for improvement in better.improvements for result in improvement.inplace}
            missing = frozenset(r for r in assumed if not any(candidate.lies(r) for candidate in candidates))
            if missing <= refused:
                break
            refused |= missing
            better = orders(program, self.nodes, refused, self.inplace)
        if best.reordered and better is not None and best.arena_bytes > better.least:
            others = orders(program, self.nodes, refused, self.inplace, settle=False)
            best = min(best, *self._in_order(program, others), key=_cost)
        return Selected(best, baseline, fixed, better is None or better.proved)

    def _in_order(self, program: NumberedOps, better: Orders) -> list[Candidate]:
        """The candidates in another order."""
        reordered = program.reordered({block: order for block, order, _ in better.improvements})
        return list(self._candidates(reordered, better.improvements, True, better.peak))

    def _candidates(
        self, program: NumberedOps, improvements: tuple[BetterOrder, ...], measure: bool, enough: int = 0
    ) -> Iterator[Candidate]:
        """The candidates in the order of `program`: with parts in place; where that makes some, and an arena of more
        than `enough` bytes, without."""
        if not self.inplace:
            yield _candidate(program, None, improvements, measure)
            return
        decide = (STRATEGIES if self.reasons else UNEXPLAINED)[self.strategy]
        plan = decide(program, True)
        parts = any(plan.parts.values())
        candidate = _candidate(program, plan, improvements, measure or parts)
        yield candidate
        if parts and candidate.arena_bytes > enough:
            yield _candidate(program, decide(program, False), improvements, measure=True)


def in_results(candidate: Candidate) -> Candidate:
    """The candidate with values in the memory of results that are not written yet, where its arena is smaller then.
    Where a plan gives offsets already, it is kept."""
    given, plan = candidate.program, candidate.plan
    if given is None or plan is None or given.decisions.offsets or attrs.is_planned(given.func):
        return candidate
    program = copied_early(given)
    problem = problem_of(program)
    if problem is None:
        return candidate
    numbers = storages_in_results(problem)
    if not numbers and program is given:
        return candidate
    lent = _candidate(program, replace(plan, reuse={**plan.reuse, **numbers}), candidate.reordered, measure=True)
    was = candidate if candidate.placed is not None else _candidate(given, plan, (), measure=True)
    return lent if lent.placed is not None and lent.arena_bytes < was.arena_bytes else candidate


def _candidate(
    program: NumberedOps, plan: InPlaceDecisions | None, improvements: tuple[BetterOrder, ...], measure: bool
) -> Candidate:
    if plan is not None:
        program = program.decided(plan.added_to(program.decisions))
    problem = problem_of(program) if measure else None
    if problem is None:
        return Candidate(program, plan, improvements)
    return Candidate(program, plan, improvements, problem.buffers, problem.placed())


def _is_least(best: Candidate, found: Orders | None) -> bool:
    """The arena has no more bytes than are live at once in the best order, as far as the search found one by itself."""
    return found is not None and found.is_complete and best.arena_bytes <= found.peak


def check_nodes(nodes: int) -> None:
    """Raises LastuseError where `nodes` is no limit."""
    if nodes < 1:
        raise LastuseError(f"nodes is {nodes}: the search needs a limit of 1 or more")


def arena_of(program: NumberedOps | None) -> int:
    """Bytes of the arena that a function takes under decisions; 0 where it cannot be planned."""
    problem = problem_of(program) if program is not None else None
    return problem.placed().peak if problem is not None else 0
