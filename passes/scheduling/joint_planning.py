"""Order, in place and offsets by one objective: the smallest arena, then the fewest copies.

Each way to plan a function is tried on the function itself, measured, and taken back; the best one is put again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, OpResult

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.decide import decide
from lastuse.passes.inplace_analysis.greedy import InPlaceDecisions
from lastuse.passes.memory.allocation_problem import allocation_problem
from lastuse.passes.planning import planner
from lastuse.passes.scheduling.reorder import BetterOrder, apply_order, orders, why_fixed

NODES = 100_000
"""Of the search for an order in each part of a block: a fraction of a second."""
ROUNDS = 3
"""How often an order is looked for again because not all was in place that the search took to be."""


class State(NamedTuple):
    """What a way to plan changes of a function: the order of its ops, and their attributes."""

    order: tuple[tuple[Block, tuple[Operation, ...]], ...]
    attributes: tuple[tuple[Operation, dict[str, Attribute], dict[str, Attribute]], ...]

    @staticmethod
    def of(func: FuncOp) -> State:
        blocks = [b for op in func.walk() for region in op.regions for b in region.blocks]
        order = tuple((block, tuple(block.ops)) for block in blocks)
        return State(order, tuple((op, dict(op.attributes), dict(op.properties)) for op in func.walk()))

    def restore(self) -> None:
        """Makes the function what it was."""
        for block, ops in self.order:
            apply_order(block, ops)
        self.restore_attributes()

    def restore_attributes(self) -> None:
        """Takes decisions back, and leaves the ops where they are."""
        for op, attributes, properties in self.attributes:
            if op.attributes != attributes:
                op.attributes = dict(attributes)
            if op.properties != properties:
                op.properties = dict(properties)


@dataclass(frozen=True)
class Candidate:
    """One way to plan a function, tried.

    Attributes:
        state: the function, decided.
        plan: its in-place decisions, if it has any.
        found: the blocks that have another order than they had.
        buffers: what is in the arena.
        placed: a plan of the offsets; None where there is none, or nothing was measured.
        copies: how many copies the decisions leave.
    """

    state: State
    plan: InPlaceDecisions | None
    found: tuple[BetterOrder, ...]
    buffers: tuple[planner.Buffer, ...]
    placed: planner.Plan | None
    copies: int

    @property
    def arena_bytes(self) -> int:
        """What the plan takes; 0 where there is none."""
        return self.placed.peak if self.placed is not None else 0

    @property
    def cost(self) -> tuple[int, int]:
        """What is to be as small as possible, the first first."""
        return self.arena_bytes, self.copies


@dataclass(frozen=True)
class Selected:
    """The best way that was found, which the function is left in.

    Attributes:
        way: the way; its arena is not measured where there was no other to compare it with.
        given: the best way in the order that the ops had.
        fixed: why the ops keep their order, if they do.
        proved: no order of any block needs less, as far as sums of live bytes can tell.
    """

    way: Candidate
    given: Candidate
    fixed: str | None
    proved: bool

    def moved(self) -> str:
        """What another order gains, in words."""
        was, now = self.given.arena_bytes, self.way.arena_bytes
        return f"ops are moved: the arena has {now:,} bytes, in the order they had {was:,}"


@dataclass(frozen=True)
class PlanSearch:
    """How a function is planned.

    Attributes:
        strategy: of `--inplace-pass`.
        inplace: results may be written over operands.
        schedule: ops may be moved.
        nodes: of the search for an order.
    """

    strategy: str = "optimal"
    inplace: bool = True
    schedule: bool = True
    nodes: int = NODES

    def run(self, func: FuncOp) -> Selected:
        """Decides a function, the order of its ops with it."""
        start = State.of(func)
        chosen = self._once(func)
        better = chosen
        while better.way.found:
            # From the order that was found the search may find another one, as it does not look at everything.
            start.restore_attributes()
            better = self._once(func)
            if better.way.found and better.way.cost < chosen.way.cost:
                chosen = replace(chosen, way=better.way, proved=better.proved)
            else:
                chosen.way.state.restore()
                return replace(chosen, proved=better.proved)
        return chosen

    def _once(self, func: FuncOp) -> Selected:
        program = NumberedOps.of(func)
        fixed = why_fixed(func, program) if self.schedule else "it was asked for"
        start = State.of(func)
        better = orders(program, self.nodes, inplace=self.inplace) if fixed is None and program is not None else None
        given = list(self._ways(func, (), better is not None and bool(better.found), program))
        best = chosen = min(given, key=lambda way: way.cost)
        refused = frozenset[OpResult]()
        rounds = 0
        while program is not None and better is not None and better.found and rounds < ROUNDS:
            rounds += 1
            ways = self._in_order(func, start, better.found)
            chosen = min(chosen, *ways, key=lambda way: way.cost)
            assumed = {result for found in better.found for result in found.inplace}
            missing = frozenset(r for r in assumed if not any(_lies(r, way) for way in ways))
            if missing <= refused:
                break
            refused |= missing
            better = orders(program, self.nodes, refused, self.inplace)
        if program is not None and chosen.found and chosen.placed and chosen.arena_bytes > chosen.placed.bound:
            others = orders(program, self.nodes, refused, self.inplace, settle=False)
            ways = self._in_order(func, start, others.found)
            chosen = min(chosen, *ways, key=lambda way: way.cost)
        chosen.state.restore()
        return Selected(chosen, best, fixed, better is None or better.proved)

    def _in_order(self, func: FuncOp, start: State, found: tuple[BetterOrder, ...]) -> list[Candidate]:
        """The ways in another order; the function is as at the start before and after."""
        start.restore()
        for block, order, _ in found:
            apply_order(block, order)
        ways = list(self._ways(func, found, measure=True))
        start.restore()
        return ways

    def _ways(
        self, func: FuncOp, found: tuple[BetterOrder, ...], measure: bool, program: NumberedOps | None = None
    ) -> Iterator[Candidate]:
        """The ways to decide a function in the order that it has: with parts in position, and where that makes some,
        without."""
        start = State.of(func)
        if not self.inplace:
            yield self._way(func, None, found, measure)
            return
        plan = decide(func, self.strategy, program=program)
        parts = plan is not None and any(plan.parts.values())
        yield self._way(func, plan, found, measure or parts)
        if parts:
            start.restore()
            plan = decide(func, self.strategy, parts=False)
            yield self._way(func, plan, found, measure=True)

    @staticmethod
    def _way(func: FuncOp, plan: InPlaceDecisions | None, found: tuple[BetterOrder, ...], measure: bool) -> Candidate:
        copies = sum(map(len, plan.copied.values())) if plan is not None else 0
        wanted = allocation_problem(func) if measure else None
        if wanted is None:
            return Candidate(State.of(func), plan, found, (), None, copies)
        return Candidate(State.of(func), plan, found, wanted.buffers, wanted.placed(), copies)


def check_nodes(nodes: int) -> None:
    """Raises LastuseError where `nodes` is no limit."""
    if nodes < 1:
        raise LastuseError(f"nodes is {nodes}: the search needs a limit of 1 or more")


def arena_of(func: FuncOp) -> int:
    """Bytes of the arena that the decisions of a function take; 0 where it cannot be planned."""
    wanted = allocation_problem(func)
    return wanted.placed().peak if wanted is not None else 0


def _lies(result: OpResult, way: Candidate) -> bool:
    """The result is written over an operand, or operands are computed in it."""
    if way.plan is None:
        return False
    inplace = way.plan.inplace.get(result.op, ())[result.index : result.index + 1]
    return inplace > (-1,) or bool(way.plan.parts.get(result.op))
