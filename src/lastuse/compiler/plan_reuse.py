"""Further sizes: what was decided for some is carried over to all others.

Taken over are the order of ops, what is in place, and the order in which places were given. Each buffer then lies at
the lowest place where it meets none of those before it, so nothing is searched for; where all sizes grow alike, the
arena does too. Nothing is trusted: for every set of sizes the checker proves the result, and one that it refuses is
decided anew.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.compiler.module_utils import clone, erase_uncalled
from lastuse.compiler.pipeline import Pipeline
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import ALIGNMENT
from lastuse.passes.memory.allocation_problem import AllocationProblem, allocation_problem
from lastuse.passes.memory.frame_layout import planned_bytes
from lastuse.passes.memory.given_plan import GivenPlan
from lastuse.passes.memory_plan import put_plan
from lastuse.passes.planning import planner
from lastuse.passes.scheduling.reorder import apply_order
from lastuse.passes.transforms.simplify import fold_into_consumers
from lastuse.passes.verify_storage import VerifyStoragePass

SLACK = 16
"""Of what is live at once, an arena in an earlier order has at most a 16th more; else places are sought anew."""
SMALL = 1 << 16
"""Bytes by which decisions may be worse than others and count as being as good."""
FAR = (64, 8, 2)
"""How many times as large the sizes are that decisions are tried with, the first for which the module makes sense."""
LARGE = 4096
"""What the largest of these sizes is at the first try, or more: what is small at all sizes does not count there."""
TRIES = 3
"""How often decisions are sought that serve all sizes; where there are none, every set has its own."""
MOST_ORDERS = 4
"""Orders of places that are tried: those of the plans made last."""

_Order = Mapping[Hashable, int]
"""The places of an earlier plan, by what has them."""


class PlanReuse:
    """
    Decided modules of one module with unknown sizes, a set of sizes after the other.

    The first set is decided, and when another one comes, a set many times as large. If what was decided for one of the
    two serves the other as well, it serves all. If not, this is tried again with the next set.
    """

    def __init__(self, pipeline: Pipeline, module: ModuleOp) -> None:
        self._pipeline = pipeline
        self._module = clone(module)
        erase_uncalled(self._module)
        if pipeline.options.inplace:
            fold_into_consumers(self._module)
        self._last: _Decided | None = None
        self._kept: _Decided | None = None
        self._tries = TRIES

    def module(self, sizes: Mapping[str, int]) -> ModuleOp:
        """The module with these sizes, decided, planned and checked. Raises LastuseError where they do not fit it."""
        if self._kept is None and self._last is not None and self._tries:
            self._tries -= 1
            self._kept = self._common_plan(self._last)
        replayed = self._replay(self._kept, sizes) if self._kept is not None else None
        if replayed is not None:
            return replayed
        module, self._last = self._plan_fresh(sizes)
        return module

    def _common_plan(self, near: _Decided) -> _Decided | None:
        """What serves the sizes of `near` and much larger ones as well as what was decided for them."""
        least = -(-LARGE // max(1, *near.sizes.values()))
        for times in (max(FAR[0], least), *FAR[1:]):
            try:
                _, far = self._plan_fresh({name: max(1, size) * times for name, size in near.sizes.items()})
            except LastuseError:
                continue  # sizes that are bound to something else
            pairs = ((near, far), (far, near)) if far is not None else ()
            costs = [(cost, kept) for kept, other in pairs if (cost := self._cost(kept, other)) is not None]
            return min(costs, key=lambda pair: pair[0], default=(0, None))[1]
        return None

    def _cost(self, kept: _Decided, other: _Decided) -> int | None:
        """Bytes that the sizes of `other` take more by what is `kept`; None where it serves them badly."""
        module = self._replay(kept, other.sizes, slack=False)
        more = _arena(module) - other.arena_bytes if module is not None else None
        return more if more is not None and more <= max(other.arena_bytes // SLACK, SMALL) else None

    def _plan_fresh(self, sizes: Mapping[str, int]) -> tuple[ModuleOp, _Decided | None]:
        source = clone(self._module)
        module = clone(source)
        sources = dict(zip(module.walk(), source.walk(), strict=True))
        self._pipeline.specialize(module, sizes)
        self._pipeline.decide(module)
        carried = _carry(module, sources)
        return module, _Decided(source, _orders(module), dict(sizes), _arena(module)) if carried else None

    def _replay(self, kept: _Decided, sizes: Mapping[str, int], slack: bool = True) -> ModuleOp | None:
        """The module by what was decided for others; None where the checker refuses that, or it has no plan."""
        module = clone(kept.module)
        self._pipeline.specialize(module, sizes)
        self._pipeline.measure_scratch(module)
        for func in functions_of(module).values():
            problem = allocation_problem(func)
            if problem is None:
                return None
            self._place(func, problem, kept.orders.setdefault(func.sym_name.data, []), slack)
        try:
            VerifyStoragePass().apply(self._pipeline.ctx, module)
        except LastuseError:
            return None
        return module

    def _place(self, func: FuncOp, problem: AllocationProblem, orders: list[_Order], slack: bool) -> None:
        """Writes places into a function that has all else."""
        named = _names(func, problem)
        placed: planner.Plan | None = None
        for order in orders:
            # What had no place then, having had no bytes, comes last.
            numbers = sorted(range(len(named)), key=lambda n: (named[n] not in order, order.get(named[n], 0), n))
            tried = planner.first_fit(problem.buffers, numbers, alignment=ALIGNMENT)
            placed = tried if placed is None or tried.peak < placed.peak else placed
        if placed is None or placed.peak - placed.bound > (placed.bound // SLACK if slack else 0):
            placed = problem.placed()
            orders.insert(0, dict(zip(named, placed.offsets, strict=True)))
            del orders[MOST_ORDERS:]
        put_plan(func, problem, placed)
        figures = planner.describe(placed.peak, placed.bound, placed.proof)
        remark(self._pipeline.ctx, RemarkKind.DECISION, func, f"the arena has {figures}; decided as for other sizes")


class _Decided(NamedTuple):
    """
    A module of unknown sizes with all decisions but places.

    Attributes:
        orders: of places, by the name of the function.
        sizes: those it was decided for.
        arena_bytes: what it has with them.
    """

    module: ModuleOp
    orders: dict[str, list[_Order]]
    sizes: Mapping[str, int]
    arena_bytes: int


def _carry(copy: ModuleOp, sources: Mapping[Operation, Operation]) -> bool:
    """Gives the sources of a copy's ops their order in the copy and the decisions on them; False where the copy has
    other ops."""
    if set(copy.walk()) != set(sources):
        return False
    for op, source in sources.items():
        for region, other in zip(op.regions, source.regions, strict=True):
            for block, same in zip(region.blocks, other.blocks, strict=True):
                apply_order(same, [sources[inner] for inner in block.ops])
        for name in attrs.PLACES:
            source.attributes.pop(name, None)
            if name in op.attributes and name not in attrs.PLAN:
                source.attributes[name] = op.attributes[name]
    return True


def _arena(module: ModuleOp) -> int:
    """Bytes of the arenas of all functions; of one without a plan, none."""
    return sum(planned_bytes(func) or 0 for func in functions_of(module).values())


def _orders(module: ModuleOp) -> dict[str, list[_Order]]:
    """The order of the places that a module has."""
    return {name: list(filter(None, [_order(func)])) for name, func in functions_of(module).items()}


def _order(func: FuncOp) -> _Order:
    """The places of a function, none without a plan or without bytes."""
    problem = allocation_problem(func)
    if problem is None or planned_bytes(func) is None:
        return {}
    places = zip(_names(func, problem), GivenPlan.of(func).fixed(problem), strict=True)
    return {name: offset for name, offset in places if offset is not None}


def _names(func: FuncOp, problem: AllocationProblem) -> list[Hashable]:
    """A name for each buffer, the same in all copies of a function."""
    number: dict[Operation | SSAValue, int] = {}
    for op in func.walk():
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for owner in (op, *op.results, *arguments):
            number[owner] = len(number)
    return [
        ("temporary", buffer.first) if owner is None else number[owner[0] if isinstance(owner, tuple) else owner]
        for owner, buffer in zip(problem.owners, problem.buffers, strict=True)
    ]
