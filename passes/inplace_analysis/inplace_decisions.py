"""What one walk over a function, or a search, decided: which results are written over which operands, and why not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import Decisions, set_number
from lastuse.passes.analysis.reasons import Copied, Refusal
from lastuse.passes.inplace_analysis.read_after_write import Edge


@dataclass
class InPlaceDecisions:
    """Decisions of one walk, those that the function carries among them.

    Attributes:
        inplace: by result, the operand that it is written over.
        parts: by op, the operands that are computed in their part of its result.
        reuse: numbers of storages, the new ones alone.
        copies: declared views that are copies.
        refused: why results are not in place.
        copied: the copies that are left, and why.
        copy_count: how many these are, where the reasons are left out too.
        lost: contributions that the walk was asked to elide, and that are copied.
        modes: what nntrainer notes on each layer.
        order: the ops, as the walk met them.
        proved: nothing is better; only the optimum says so.
    """

    inplace: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    parts: dict[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    reuse: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    copies: list[OpResult] = field(default_factory=list[OpResult])
    refused: dict[Operation, tuple[Refusal, ...]] = field(default_factory=dict[Operation, tuple[Refusal, ...]])
    copied: dict[Operation, list[Copied]] = field(default_factory=dict[Operation, list[Copied]])
    copy_count: int = 0
    lost: list[Edge] = field(default_factory=list[Edge])
    modes: dict[Operation, str] = field(default_factory=dict[Operation, str])
    order: tuple[Operation, ...] = ()
    proved: bool = True

    def is_in_place(self, op: Operation) -> bool:
        """A result of the op is written over an operand."""
        return any(result in self.inplace for result in op.results)

    def added_to(self, decisions: Decisions) -> Decisions:
        """The decisions of a function once the plan is written on it."""
        return replace(
            decisions,
            inplace={**decisions.inplace, **self.inplace},
            parts={**decisions.parts, **self.parts},
            numbers={**decisions.numbers, **self.reuse},
            copies={*decisions.copies, *self._marked()},
        )

    def write(self, explain: bool = False) -> None:
        """Writes attributes on the ops of the function; with `explain` also why results are not in place."""
        for op in {result.op: None for result in self.inplace if isinstance(result, OpResult)}:
            attrs.set_entries(op, attrs.INPLACE, [self.inplace.get(result, -1) for result in op.results])
        for op, operands in self.parts.items():
            attrs.set_entries(op, attrs.PARTS, operands)
        for value, number in self.reuse.items():
            set_number(value, number)
        for op, mode in self.modes.items():
            op.attributes[attrs.INPLACE_MODE] = StringAttr(mode)
        for view in self._marked():
            view.op.attributes[attrs.COPY] = UnitAttr()
        for op, refusals in self.refused.items() if explain else ():
            op.attributes[attrs.REFUSED] = ArrayAttr([StringAttr(r.reason.value) for r in refusals])

    def _marked(self) -> list[OpResult]:
        """The mark is for all results; of several, those that have to be copies are so by their places alone."""
        copies = set(self.copies)
        return [view for view in self.copies if copies.issuperset(view.op.results)]
