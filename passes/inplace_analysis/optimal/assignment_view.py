"""What lies where under an arrangement: is it the same place, do two places meet, has something to be moved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.storage.contract import Contribution
from lastuse.dialect.storage.layout import EXACT_BYTES, Layout, Strided, may_overlap, same_bytes
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.variables import Movement


class AssignmentView:
    """An arrangement to be asked about. `movements` are those within the component: what comes from elsewhere has to be
    moved whatever is decided."""

    def __init__(self, arrangement: Assignment) -> None:
        self.arrangement, self.facts = arrangement, arrangement.facts
        self.program, self.component = arrangement.program, arrangement.component
        self.at = arrangement.at
        found = (m for op in self.component.ops for m in arrangement.choices.movements(op))
        self.movements = [m for m in found if m.source in self.at and m.target in self.at]

    def moves(self, op: Operation) -> Iterator[list[Movement]]:
        """The parallel moves over the boundaries of a region op, or of a branch, into values of the component, from
        others too."""
        by_way: dict[tuple[Operation, int], list[Movement]] = {}
        for movement in self.arrangement.choices.movements(op):
            if movement.target in self.at:
                by_way.setdefault((movement.op, movement.way), []).append(movement)
        yield from by_way.values()

    # Values of other components lie elsewhere.

    def same(self, a: SSAValue, b: SSAValue) -> bool:
        """Both are exactly the same bytes."""
        if a not in self.at or b not in self.at:
            return False
        return self.at[a][0] is self.at[b][0] and same_bytes(self.at[a][1], self.at[b][1])

    def meet(self, a: SSAValue, b: SSAValue) -> bool:
        """Both have a byte, or perhaps have."""
        if a not in self.at or b not in self.at:
            return False
        return self.at[a][0] is self.at[b][0] and may_overlap(self.at[a][1], self.at[b][1])

    def size(self, value: SSAValue) -> int:
        """Bytes of a value, as `amount` counts those that are not known."""
        return amount(self.program.typed(value).bytes)

    def is_there(self, movement: Movement) -> bool:
        """Nothing has to be moved."""
        if movement.operand < 0:
            return self.same(movement.source, movement.target)
        if movement.source not in self.at:
            return False
        carry = self._carry(movement)
        (root, layout), (other, target) = self.at[movement.source], self.at[movement.target]
        if root is not other:
            return False
        if not carry.complement:
            part = carry.into(target) if isinstance(target, Strided) else None
            return part is not None and same_bytes(layout, part)
        return same_bytes(layout, target)

    def _carry(self, movement: Movement) -> Contribution:
        contributions = self.program.contracts[self.program.at[movement.op]].contributions
        return next(c for c in contributions if c.operand == movement.operand)

    def is_view(self, value: OpResult) -> bool:
        """Declared to be one: it has no bytes of its own, unless it has to be a copy."""
        return self.program.contracts[self.program.at[value.op]].view_of(value.index) is not None


def is_injective(layout: Layout) -> bool:
    """No byte is two elements; where there are too many bytes to look, that is not said."""
    if not isinstance(layout, Strided) or layout.injective or not layout.elements:
        return True
    return layout.nbytes <= EXACT_BYTES and np.unique(layout.bytes()).size == layout.nbytes


def size_of(layout: Layout) -> int:
    """Bytes of a layout; 1 where they are not known."""
    return layout.nbytes if isinstance(layout, Strided) else 1
