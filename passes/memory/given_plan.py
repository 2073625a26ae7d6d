"""The plan of the arena that a function carries already, whole or in part: it is kept, and the rest goes around it."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import ARENA, assign_places
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import ALIGNMENT, Strided, aligned
from lastuse.passes.memory.allocation_problem import AllocationProblem, Owner
from lastuse.passes.planning import planner


class GivenPlan(NamedTuple):
    """Offsets that a function carried before it was planned.

    Attributes:
        offsets: by value, or by op of its scratch; in bytes, or for each unit of `unit`.
        spans: half-open bytes of the values in the arena; of those whose size is known.
        arena_bytes: what the function stated; 0 without.
        unit: the size the offsets are for each unit of; None for bytes.
    """

    offsets: dict[Owner | Operation, int]
    spans: dict[Owner, tuple[int, int]]
    arena_bytes: int
    unit: str | None

    @staticmethod
    def of(func: FuncOp) -> GivenPlan:
        """The plan of a function."""
        offsets: dict[Owner | Operation, int] = {}
        spans: dict[Owner, tuple[int, int]] = {}
        decisions = Decisions.of(func)
        for value, (storage, layout) in assign_places(func, decisions).of.items():
            if isinstance(value, OpResult | BlockArgument) and (offset := decisions.offset_of(value)) >= 0:
                offsets[value] = offset
                if storage == ARENA and isinstance(layout, Strided) and layout.elements:
                    spans[value] = layout.span
        for op in ops_within(func):
            if isinstance(scratch := op.attributes.get(attrs.SCRATCH_OFFSET), IntegerAttr):
                offsets[op] = scratch.value.data
        return GivenPlan(offsets, spans, decisions.arena_bytes or 0, decisions.unit)

    def fixed(self, problem: AllocationProblem) -> list[int | None]:
        """The given offset of each buffer; None where there is none."""
        holders = (o if isinstance(o, tuple) else (o,) if o is not None else () for o in problem.owners)
        return [next((self.offsets[h] for h in some if h in self.offsets), None) for some in holders]

    def is_whole(self, problem: AllocationProblem) -> bool:
        """Nothing that has an offset in a plan is without one."""
        pairs = zip(problem.owners, self.fixed(problem), strict=True)
        return all(offset is not None for owner, offset in pairs if owner is not None)

    def around(self, problem: AllocationProblem, algorithm: str, nodes: int) -> planner.Plan | None:
        """A plan of the demand in which every given offset is kept; None where given ones share bytes at one time, and
        it is not known here why that is right."""
        buffers = [b._replace(fixed=at) for b, at in zip(problem.buffers, self.fixed(problem), strict=True)]
        last = max((b.end for b in problem.buffers), default=0)
        ranges = [(b.fixed, b.fixed + b.size) for b in buffers if b.fixed is not None]
        owners = {h for owner in problem.owners if isinstance(owner, tuple) for h in owner}
        for value, (low, high) in self.spans.items():
            # A value in the arena that no plan would put there: a copied view, a result that is copied at the return.
            if value not in owners and not any(a <= low and high <= b for a, b in ranges):
                buffers.append(planner.Buffer(aligned(high) - low, 0, last, fixed=low))
        try:
            placed = planner.plan(buffers, algorithm, alignment=ALIGNMENT, nodes=nodes)
        except planner.Error:
            return None
        kept = placed.offsets[: len(problem.buffers)]
        return placed._replace(offsets=kept, peak=max(placed.peak, self.arena_bytes))
