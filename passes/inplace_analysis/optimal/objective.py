"""The score of an assignment: the objective of docs/storage.md, 8."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.op_numbering import loop_depth
from lastuse.passes.analysis.parallel_copy import sequentialize
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.component_choices import ChoiceKind, Component
from lastuse.passes.inplace_analysis.region_ops import Movement


class Score(NamedTuple):
    """The objective of docs/storage.md, 8; the largest is best. Bytes moved, and swaps, are counted negative."""

    kept: int
    moved: int
    inplace: int
    swaps: int


class Objective:
    """The score of one assignment, as a whole and its terms; or of a part of it, in which all is that shares a storage
    with a value of the part, and between which and other values no op of control flow moves anything."""

    def __init__(self, assignment: Assignment, part: Component | None = None) -> None:
        self.assignment, self.reads, self.program = assignment, assignment.reads, assignment.program
        self.component, self.at, self.groups = assignment.component, assignment.at, assignment.groups
        if part is not None:
            self.component = part
            self.at = {value: assignment.at[value] for value in part.values}
            self.groups = {value: self.groups[value] for value in part.values if value in self.groups}

    def score(self) -> Score:
        """What the component adds to the objective."""
        return self.score_with(m for m in self.assignment.movements if not self.assignment.is_there(m))

    def score_with(self, movements: Iterable[Movement]) -> Score:
        """The score where these movements copy something, and no others."""
        storage_bytes = sum([self._storage(root, members) for root, members in self.groups.items()])
        moved = self.copied() + sum([m.bytes for m in movements])
        count = swaps = 0
        for choice in self.assignment.choices.values():
            count += choice.kind is ChoiceKind.OVER
            swaps += choice.swap
        fresh, copied = self.returned()
        return Score(self.result_bytes() - storage_bytes - fresh - self.temporaries(), -moved - copied, count, -swaps)

    def result_bytes(self) -> int:
        """Bytes of all results but those that are declared to be views: these have no bytes of their own, unless they
        have to be copies."""
        return sum(map(self.assignment.variables.result_bytes, self.component.values))

    def copied(self) -> int:
        """Bytes of views that have to be copies, counted ten times for each loop around."""
        views = [v for v in self.assignment.copies if isinstance(v, OpResult) and v in self.at]
        return sum(self.assignment.size(v) * 10 ** min(loop_depth(v.op), 6) for v in views)

    def _storage(self, root: SSAValue, members: Sequence[SSAValue]) -> int:
        if self.program.is_argument(root) or self.reads.is_constant(root):
            return 0
        most, before = 0, None
        for value in members:
            layout = self.at[value][1]
            if layout is before:
                continue
            if isinstance(layout, Strided):
                most, before = max(most, layout.span[1]), layout  # what is written over another value has its layout
            else:
                most = max(most, self.assignment.size(value))
        return most

    def temporaries(self) -> int:
        """Bytes of temporaries of parallel copies: each cycle takes one, for the smallest source on it."""
        total, movers = 0, self.assignment.variables.movers
        for op in self.component.ops if movers else ():
            if op in movers:
                for moves in self.assignment.moves(op):
                    total += self._aside([m for m in moves if not self.assignment.is_there(m)])
        return total

    def _aside(self, moves: list[Movement]) -> int:
        assignment, sizes = self.assignment, [self.assignment.size(m.source) for m in moves]
        order = sequentialize(
            len(moves), lambda a, b: assignment.meet(moves[a].target, moves[b].source), sizes.__getitem__
        )
        return sum(sizes[n] for n in order.first)

    def returned(self) -> tuple[int, int]:
        """Bytes of fresh memory that returns need, and bytes that they move: of results in memory that is not the
        function's to give away, or that another result has."""
        fresh = moved = 0
        for returned in self._returns():
            kept: list[tuple[SSAValue, SSAValue]] = []
            for value, k in returned:
                argument = self.program.func.args[k] if k is not None and k < len(self.program.func.args) else None
                if argument is not None and argument in self.at:
                    kept.append((argument, self.reads.origin(value)))
                    if value in self.at:
                        moved += 0 if self.assignment.same(value, argument) else self.assignment.size(value)
            for value, k in returned:
                if value not in self.at or k is not None:
                    continue
                origin = self.reads.origin(value)
                clash = any(self.assignment.meet(value, other) and home is not origin for other, home in kept)
                if clash or not self._is_ours(self.at[value][0]):
                    fresh, moved = fresh + self.assignment.size(value), moved + self.assignment.size(value)
                else:
                    kept.append((value, origin))
        return fresh, moved

    def returned_anyway(self) -> int:
        """Bytes of both kinds that `returned` counts and no decision changes: values, or views of them, that are the
        caller's memory or a constant, and not tied."""
        untied = (value for returned in self._returns() for value, k in returned if k is None and value in self.at)
        roots = ((value, self.at[value][0]) for value in untied)
        return sum(
            self.assignment.size(value)
            for value, root in roots
            if root is self.reads.origin(value) and not self._is_ours(root)
        )

    def _returns(self) -> Iterator[list[tuple[SSAValue, int | None]]]:
        """For each return its operands that have to do with the component, each with the number of the argument that it
        is tied to."""
        ops = self.component.ops
        for op in ops[-1:] if self.program.is_one_block else ops:
            if op.next_op is None and isinstance(op, ReturnOp):
                values, at = self.assignment.variables.returned(op)
                found = {n for value in self.at if value in at for n in at[value]}
                yield [values[n] for n in sorted(found)]

    def _is_ours(self, root: SSAValue) -> bool:
        if self.program.is_argument(root):
            assert isinstance(root, BlockArgument)
            return attrs.is_donated(root)
        return not (self.reads.is_constant(root) or self.reads.is_borrowed(root))
