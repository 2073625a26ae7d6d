"""Values that are computed again instead of being kept, so that a step of training fits into a limit of memory.

A value that is read long after it was made, by the backward part, may be computed a second time before that reader: the
first copy is dead in between. What that takes is the work of its op (`DnnOp.work`), and of the ops that make operands
which are dead by then too; operands that only constants and arguments decide, or that live that long anyway, are free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.storage.contract import contract_of

EXACT = 8
"""Up to so many values that could be computed again, all sets of them are tried."""


class Measured(NamedTuple):
    """What a function takes in its present order.

    Attributes:
        arena: bytes.
        at_peak: the op at which most bytes are live, None where none are.
    """

    arena: int
    at_peak: Operation | None


Measure = Callable[[FuncOp], Measured]
"""Plans a function in the order it has."""


class Split(NamedTuple):
    """A value is computed again for its readers from `first` on.

    Attributes:
        work: what the ops that run again take, as `DnnOp.work` counts.
        ops: these ops, in order.
    """

    value: OpResult
    first: Operation
    work: int
    ops: tuple[DnnOp, ...]


class Recomputation(NamedTuple):
    """What runs again.

    Attributes:
        again: ops that were added, and the op that each is a copy of.
        fits: the limit is met.
        proved: no other choice takes less work, of those that compute each value once more at most, before the first
            reader behind its longest pause.
    """

    again: Mapping[Operation, Operation]
    fits: bool
    proved: bool


class Recomputer:
    """Chooses and adds the ops that run again, in a function of one block whose sizes are known.

    Args:
        limit: bytes of the arena.
        cheap_only: only ops that say they are cheap may run again.
    """

    def __init__(self, func: FuncOp, limit: int, cheap_only: bool, measure: Measure) -> None:
        self._func, self._limit, self._cheap_only, self._measure = func, limit, cheap_only, measure
        self._again: dict[Operation, Operation] = {}

    def run(self) -> Recomputation:
        """Adds ops until the arena is within the limit, or nothing is left that would make it smaller."""
        splits = list(self._largest_pauses())
        if len(splits) <= EXACT:
            return self._least_of_all(splits)
        measured = self._measure(self._func)
        while measured.arena > self._limit and (split := self._best_split(measured)) is not None:
            self._apply(split)
            measured = self._measure(self._func)
        return Recomputation(self._again, measured.arena <= self._limit, False)

    def _least_of_all(self, splits: Sequence[Split]) -> Recomputation:
        """Every set of splits, those that take least work first."""
        numbers = range(len(splits))
        sets = (chosen for count in range(len(splits) + 1) for chosen in combinations(numbers, count))
        for chosen in sorted(sets, key=lambda chosen: (sum(splits[n].work for n in chosen), chosen)):
            for split in (splits[n] for n in chosen):
                self._apply(self._split(split.value, split.first, self._order()))
            if self._measure(self._func).arena <= self._limit:
                return Recomputation(self._again, True, True)
            self._undo()
        return Recomputation({}, False, True)

    def _largest_pauses(self) -> Iterator[Split]:
        """For each value that may be computed again, the split behind its longest pause between two readers."""
        order = self._order()
        for op in self._block.ops:
            for result in op.results:
                times = [order[op], *self._times(result, order)]
                pause, reader = max(((b - a, b) for a, b in pairwise(times)), default=(0, 0))
                if pause > 1 and self._may_run(op) and not _is_view(result):
                    yield self._split(result, self._ops[reader], order)

    def _best_split(self, measured: Measured) -> Split | None:
        """The split that takes least work for the bytes that are not live at the peak any more."""
        order = self._order()
        if measured.at_peak is None:
            return None
        peak, best = order[measured.at_peak], None
        for value in (result for op in self._ops[:peak] if self._may_run(op) for result in op.results):
            times = self._times(value, order)
            later = [time for time in times if time > peak]
            if peak in times or not later or _is_view(value):
                continue
            split = self._split(value, self._ops[later[0]], order)
            saved = _bytes(value) - self._held(split, peak, order)
            if saved > 0 and (best is None or split.work / saved < best[0]):
                best = split.work / saved, split
        return best[1] if best is not None else None

    def _held(self, split: Split, peak: int, order: Mapping[Operation, int]) -> int:
        """Bytes at the peak of operands that live longer than before."""
        inside, last = set(split.ops), {operand: self._times(operand, order)[-1] for operand in _operands(split.ops)}
        return sum(_bytes(value) for value, time in last.items() if time < peak and value.op not in inside)

    def _split(self, value: OpResult, first: Operation, order: Mapping[Operation, int]) -> Split:
        ops = tuple(self._needed(value.op, order[first], order))
        return Split(value, first, sum(op.work() for op in ops), ops)

    def _needed(self, op: Operation, time: int, order: Mapping[Operation, int]) -> Iterable[DnnOp]:
        """The op, behind the ops that have to run again for its operands."""
        assert isinstance(op, DnnOp)
        ops: dict[DnnOp, None] = {}
        for operand in op.operands:
            if isinstance(operand, OpResult) and self._may_run(operand.op):
                times = self._times(operand, order)
                if not times or times[-1] < time:
                    ops |= dict.fromkeys(self._needed(operand.op, time, order))
        return (*ops, op)

    def _apply(self, split: Split) -> None:
        order = self._order()
        copies: dict[SSAValue, SSAValue] = {}
        for op in split.ops:
            again = op.clone(dict(copies))
            inherit(again, op)
            self._block.insert_op_before(again, split.first)
            copies |= zip(op.results, again.results, strict=True)
            for old, new in zip(op.results, again.results, strict=True):
                new.name_hint = old.name_hint
            self._again[again] = op
        for old, new in copies.items():
            self._redirect(old, new, split.first, order)

    def _redirect(self, old: SSAValue, new: SSAValue, first: Operation, order: Mapping[Operation, int]) -> None:
        """Readers from `first` on read the new value; views that they read are made of it, too."""
        for use in list(old.uses):
            op = self._ancestor(use.operation)
            if op in self._again:
                continue
            if order[op] >= order[first]:
                use.operation.operands[use.index] = new
                continue
            views = [view.result for view in contract_of(op).views if op.operands[view.operand] is old]
            if any(time >= order[first] for result in views for time in self._times(op.results[result], order)):
                view = op.clone({old: new})
                inherit(view, op)
                self._block.insert_op_before(view, first)
                self._again[view] = op
                for result in views:
                    self._redirect(op.results[result], view.results[result], first, order)

    def _undo(self) -> None:
        for again, op in reversed(self._again.items()):
            for old, new in zip(op.results, again.results, strict=True):
                new.replace_all_uses_with(old)
            again.detach()
            again.erase()
        self._again = {}

    @property
    def _block(self) -> Block:
        return self._func.body.block

    def _order(self) -> Mapping[Operation, int]:
        self._ops = list(self._block.ops)
        return {op: time for time, op in enumerate(self._ops)}

    def _times(self, value: SSAValue, order: Mapping[Operation, int]) -> list[int]:
        """When the bytes of a value are read, those of its views too; in order."""
        times: set[int] = set()
        for use in value.uses:
            op = self._ancestor(use.operation)
            views = [view for view in contract_of(op).views if op.operands[view.operand] is value]
            for view in views:
                times.update(self._times(op.results[view.result], order))
            if not views:
                times.add(order[op])
        return sorted(times)

    def _ancestor(self, op: Operation) -> Operation:
        while (around := op.parent_op()) is not self._func:
            assert around is not None
            op = around
        return op

    def _may_run(self, op: Operation) -> bool:
        """Whether an op may run again: it makes nothing but its results, and is cheap where that is asked for."""
        if not isinstance(op, DnnOp) or op in self._again or contract_of(op).constant or not op.operands:
            return False
        return not self._cheap_only or op.CHEAP or bool(contract_of(op).views)


def _operands(ops: Iterable[Operation]) -> set[OpResult]:
    """What the ops read that other ops make, constants apart."""
    operands = {operand for op in ops for operand in op.operands if isinstance(operand, OpResult)}
    return {operand for operand in operands if not contract_of(operand.op).constant}


def _is_view(value: OpResult) -> bool:
    return contract_of(value.op).view_of(value.index) is not None


def _bytes(value: OpResult) -> int:
    nbytes = typed(value.type).bytes
    assert isinstance(nbytes, int)
    return nbytes
