"""The best plan by exhaustive search, from the checker and the place rules alone: no analysis has a hand in it.

A plan is a choice for everything that docs/storage.md, 8 leaves open. The checker says which plans are right, the
places of the values say what a plan is worth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from objective import Worth, boundaries, is_view, lies_at, returned, same, size_of, temporaries, worth
from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Places, assign_places
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.decisions import Decisions, is_slot, set_number
from lastuse.passes.checker import check

# What can be chosen


class Choice(NamedTuple):
    """One decision, taken or not: result `entry` over operand `operand`, operand `operand` in its part of result 0, or
    the source of crossing `entry` of a boundary in its slot."""

    op: Operation
    attribute: str
    entry: int
    operand: int
    bytes: int

    def take(self, on: bool) -> None:
        """Write the decision, or take it back."""
        if self.attribute == attrs.INPLACE:
            operands = list(attrs.inplace(self.op))
            operands[self.entry] = self.operand if on else -1
            attrs.set_entries(self.op, attrs.INPLACE, operands)
        else:
            parts = set(attrs.part_operands(self.op)) - {self.operand}
            attrs.set_entries(self.op, attrs.PARTS, sorted(parts | ({self.operand} if on else set())))


class Merge(NamedTuple):
    """What a boundary moves, or the return moves to a tied argument: `source` may be made where `slot` is."""

    source: SSAValue
    slot: SSAValue
    bytes: int


Decision = Choice | Merge


class TooManyPlansError(Exception):
    """The search would take too long."""


class Search:
    """Tries every plan of a function that decides nothing yet. The function is as it was afterwards.

    Dropping a decision of a right plan leaves a right plan, but for copies of what is there already by that decision:
    what holds decisions that were refused together is not asked again, and neither is what was accepted with more. A
    plan that cannot be better than the best, whatever else it decides, is given up. With `thorough` all plans are
    tried, none is given up, and every one is asked.

    Raises:
        TooManyPlansError: the checker would have to be asked more than `limit` times.
    """

    def __init__(self, func: FuncOp, thorough: bool = False, limit: int = 1 << 30) -> None:
        self.func, self.thorough, self.limit = func, thorough, limit
        self.placed = assign_places(func)
        self.options: list[Sequence[Decision]] = [list(c) for c in self._choices() if c]
        self.options += [[m] for m in self._merges()]
        self.best: Worth | None = None
        self.text = ""
        self.checks = 0
        self.wrong: list[frozenset[Decision]] = []
        self.right: list[frozenset[Decision]] = []

    @property
    def count(self) -> int:
        """How many plans there are."""
        return math.prod(len(options) + 1 for options in self.options)

    @unchanged_ops()
    def run(self, at_least: Worth | None = None) -> Worth | None:
        """The best worth over `at_least`; None where nothing is better than that."""
        self.best = at_least
        nothing = worth(self.func)
        if not self.thorough:
            kept = [[d for d in options if self._is_right(frozenset((d,)))] for options in self.options]
            self.options = [options for options in kept if options]
        gains = [max(o.bytes for o in options) for options in self.options]
        self.rest = [nothing.kept + self._repairable() + sum(gains[n:]) for n in range(len(gains) + 1)]
        counts = [all(isinstance(o, Choice) and o.attribute == attrs.INPLACE for o in c) for c in self.options]
        self.left = [sum(counts[n:]) for n in range(len(counts) + 1)]
        self._choose(0, frozenset(), 0)
        self._apply(frozenset())
        return self.best if self.best != at_least else None

    def _repairable(self) -> int:
        """Memory for moves alone, which decisions may save."""
        total = 0
        for _, pairs in boundaries(self.func):
            moves = [(self.placed.of[a], self.placed.of[b]) for a, b in pairs if a in self.placed.of]
            total += temporaries([m for m in moves if not same(*m)])
        for op in self.func.walk():
            if isinstance(op, ReturnOp):
                total += returned(self.func, self.placed, op)[1]
        return total

    def _choose(self, n: int, taken: frozenset[Decision], gained: int) -> None:
        if not self.thorough and self.best is not None:
            count = sum(isinstance(d, Choice) and d.attribute == attrs.INPLACE for d in taken)
            if Worth(gained + self.rest[n], 0, count + self.left[n], 0) <= self.best:
                return
        if n == len(self.options):
            self._leaf(taken)
            return
        for option in self.options[n]:
            more = taken | {option}
            if self.thorough or self._is_right(more):
                self._choose(n + 1, more, gained + option.bytes)
        self._choose(n + 1, taken, gained)

    def _is_right(self, taken: frozenset[Decision]) -> bool:
        if any(wrong <= taken for wrong in self.wrong):
            return False
        if any(taken <= right for right in self.right):
            return True
        found = self._accepts(taken)
        if found is not None:
            if all(lies_at(found, d.source, d.slot) for d in taken if isinstance(d, Merge)):
                self.right = [r for r in self.right if not r <= taken] + [taken]
            return True  # a merge of what cannot have a number changes nothing, until other decisions are taken
        for decision in sorted(taken, key=hash):  # the fewest that are wrong together
            if self._accepts(taken - {decision}) is None:
                taken -= {decision}
        self.wrong.append(taken)
        return False

    def _accepts(self, taken: frozenset[Decision]) -> Places | None:
        """The places under a plan that stands: the checker accepts it, and no decision in it is void (the same plan
        without it is another of the plans)."""
        self.checks += 1
        if self.checks > self.limit:
            raise TooManyPlansError
        self._apply(taken)
        found = self._places()
        return None if found.void or check(self.func) else found

    def _places(self) -> Places:
        return assign_places(self.func, sizes=self.placed.sizes)

    def _leaf(self, taken: frozenset[Decision]) -> None:
        self._apply(taken)
        now = worth(self.func, self._places())
        if self.best is None or now > self.best:
            if self.thorough and self._accepts(taken) is None:
                return
            self.best, self.text = now, str(self.func)

    # How a set of decisions is written

    def _apply(self, taken: frozenset[Decision]) -> None:
        for options in self.options:
            for option in options:
                if isinstance(option, Choice):
                    option.take(False)
        for value in list(Decisions.of(self.func).numbers):
            set_number(value, -1)
        merges: list[Merge] = []
        for decision in taken:
            if isinstance(decision, Choice):
                decision.take(True)
            else:
                merges.append(decision)
        classes: list[set[SSAValue]] = []
        for merge in merges:
            both = {_root(merge.source), _root(merge.slot)}
            met = [c for c in classes if c & both]
            classes = [c for c in classes if not c & both] + [both.union(*met)]
        for number, members in enumerate(c for c in classes if len(c) > 1 and all(map(_numberable, c))):
            for value in members:
                set_number(value, number)

    # What there is to decide

    def _choices(self) -> Iterator[list[Choice]]:
        for op in self.func.walk():
            if op is self.func:
                continue
            for result in op.results:
                if result in self.placed.of:
                    yield [
                        Choice(op, attrs.INPLACE, result.index, k, size_of(self.placed, result))
                        for k in self._operands(op, result)
                        if k < len(op.operands) and self._alike(op.operands[k], result)
                    ]
            if not op.regions and op.results and op.results[0] in self.placed.of:
                for carry in contract_of(op).contributions:
                    if carry.may_be_produced_in_place:
                        size = size_of(self.placed, op.operands[carry.operand])
                        yield [Choice(op, attrs.PARTS, 0, carry.operand, size)]

    @staticmethod
    def _operands(op: Operation, result: OpResult) -> Iterable[int]:
        if isinstance(op, scf.ForOp):
            return [result.index + 3]
        if isinstance(op, scf.WhileOp):
            return [result.index]
        return [] if op.regions else [o.operand for o in contract_of(op).over if o.result == result.index]

    def _alike(self, a: SSAValue, b: SSAValue) -> bool:
        if a not in self.placed.of:
            return False
        (one, other) = self.placed.sizes[a], self.placed.sizes[b]
        return one.dtype == other.dtype and size_of(self.placed, a) == size_of(self.placed, b)

    def _merges(self) -> Iterator[Merge]:
        for _, pairs in boundaries(self.func):
            for source, slot in pairs:
                if source in self.placed.of and self._alike(source, slot):
                    yield Merge(source, slot, size_of(self.placed, slot))
        for op in self.func.walk():
            for index, value in enumerate(op.operands if isinstance(op, ReturnOp) else ()):
                k = attrs.tied_argument(self.func, index)
                if k is not None and value in self.placed.of:
                    yield Merge(value, self.func.args[k], size_of(self.placed, value))


def is_best(func: FuncOp, have: Worth, limit: int, name: str, thorough: int = 0) -> bool:
    """No plan of an undecided function is better than one worth `have`: asserted; False where there are too many plans
    to tell, see `Search`. Where there are no more than `thorough`, every one of them is tried."""
    plans = Search(func, limit=limit)
    if plans.count <= thorough:
        plans = Search(func, thorough=True)
    try:
        better = plans.run(have)
    except TooManyPlansError:
        return False
    assert better is None, f"program {name} has {have}, better is {better}:\n{plans.text}"
    return True


def _root(value: SSAValue) -> SSAValue:
    """The value whose storage `value` is all of, by decisions and whole views."""
    while True:
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            if isinstance(parent, scf.ForOp) and value.index > 0:
                value = parent.results[value.index - 1]
                continue
            if isinstance(parent, scf.WhileOp):
                if value.block is parent.after_region.block:
                    value = parent.results[value.index]
                    continue
                over = [r for r in parent.results if attrs.inplace(parent)[r.index] == value.index]
                if over:
                    value = over[0]
                    continue
            return value
        assert isinstance(value, OpResult)
        k = attrs.inplace(value.op)[value.index]
        view = None if value.op.regions else contract_of(value.op).view_of(value.index)
        if k >= 0:
            value = value.op.operands[k]
        elif view is not None and view.whole:
            value = value.op.operands[view.operand]
        else:
            return value


def _numberable(value: SSAValue) -> bool:
    if isinstance(value, BlockArgument):
        return is_slot(value) or isinstance(value.block.parent_op(), FuncOp)
    assert isinstance(value, OpResult)
    contract = contract_of(value.op)
    return bool(value.op.regions) or not (contract.constant or contract.foreign or is_view(value))
