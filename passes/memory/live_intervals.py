"""When storages are in use, in pieces: a value that one arm of a branch reads is not there in the other arm.

A storage is in use where any of its values is live (`liveness.py`), at the ops that make and read them, and where a
boundary moves something into it. What goes round a loop is in use all through the loop, and what another storage may
lie in for as long as both, without a hole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.call_graph import callee_of
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.contract import holds_nothing, is_region_op
from lastuse.passes.analysis.liveness import RUNS_ONCE
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.copy_temporaries import given_away
from lastuse.passes.memory.frame_layout import FrameLayout
from lastuse.passes.planning.intervals import Span, union

IntervalHull = tuple[int, int]
"""The first and the last time of something, by the order of a program's ops."""


def live_intervals(
    program: NumberedOps, frame: FrameLayout, functions: Mapping[str, FuncOp]
) -> dict[Storage, tuple[Span, ...]]:
    """The times at which each storage has to be its own, in order; those of two that are ever needed together in a run
    have one in common."""
    spans = _spans(program, frame)
    loans = loans_of(program, frame, functions)
    hulls = {s: hull_of(spans[s]) for pair in loans for s in pair}
    _extend(hulls, loans)
    return spans | {storage: ((first, last + 1),) for storage, (first, last) in hulls.items()}


def live_hulls(
    program: NumberedOps, frame: FrameLayout, functions: Mapping[str, FuncOp]
) -> dict[Storage, IntervalHull]:
    """When each storage is in use: from the first to the last time at which any of its values has to be there, a result
    of a branch from the branch on."""
    hulls = {storage: hull_of(spans) for storage, spans in _spans(program, frame).items()}
    for value, place in frame.places.items():
        time = program.time_of(value)
        first, last = hulls.setdefault(place.storage, (time, time))
        if not holds_nothing(value):
            hulls[place.storage] = min(first, time), last
    _extend(hulls, loans_of(program, frame, functions))
    return hulls


def _spans(program: NumberedOps, frame: FrameLayout) -> dict[Storage, tuple[Span, ...]]:
    """When values of each storage are live, whatever may lie in it."""
    found = _Lives(program, frame)
    for block in program.block_out:
        found.block(block)
    return {storage: tuple(union(times)) for storage, times in found.spans.items()}


def hull_of(spans: Sequence[Span]) -> IntervalHull:
    """From the first of some spans, which are in order, to the last."""
    return spans[0][0], spans[-1][1] - 1


def _extend(hulls: dict[Storage, IntervalHull], loans: Collection[tuple[Storage, Storage]]) -> None:
    """What a result may lie in is taken as long as the result is, and what that may lie in."""
    before: dict[Storage, IntervalHull] | None = None
    while loans and before != hulls:
        before = dict(hulls)
        for lent, borrower in loans:
            (a, b), (first, last) = hulls[lent], hulls[borrower]
            hulls[lent] = min(a, first), max(b, last)


def loans_of(
    program: NumberedOps, frame: FrameLayout, functions: Mapping[str, FuncOp]
) -> dict[tuple[Storage, Storage], None]:
    """Pairs of a storage and one that may lie in it, for all that is known; those of later ops first."""
    return {
        (frame.places[lent].storage, frame.places[borrower].storage): None
        for op in reversed(program.ops)
        for lent in _lent(program, op, functions)
        for borrower in _borrowers(op)
        if lent in frame.places and borrower in frame.places
    }


def _lent(program: NumberedOps, op: Operation, functions: Mapping[str, FuncOp]) -> Iterator[SSAValue]:
    """Values whose memory a result of `op` may be in: of a call, what it gives away; of another foreign op, what it is
    given, what its regions capture, and what they end in."""
    if isinstance(op, CallOp) and callee_of(op) in functions:
        yield from (op.operands[k] for k in given_away(op) if 0 <= k < len(op.operands))
    elif program.contracts[program.at[op]].foreign:
        yield from program.tensors(op)
        for region in op.regions:
            yield from (v for b in region.blocks if b.last_op is not None for v in b.last_op.operands)


def _borrowers(op: Operation) -> Iterator[SSAValue]:
    yield from op.results
    for region in op.regions:
        yield from (a for block in region.blocks for a in block.args)


class _Lives:
    """Collects times, block by block, each from its end."""

    def __init__(self, program: NumberedOps, frame: FrameLayout) -> None:
        self.program, self.frame = program, frame
        self.spans: dict[Storage, list[Span]] = {}

    def block(self, block: Block) -> None:
        at = self.program.at
        ops = [op for op in block.ops if op in at]
        for argument in block.args:
            if argument in self.frame.places:
                self._argument(argument)
        if not ops:
            return
        # What is needed later in the block, and until when; of what leaves it, until its end.
        until = dict.fromkeys(self.program.block_out[block], at[ops[-1]])
        for op in reversed(ops):
            self._results(op, until)
            end = self._last(op)
            for value in op.operands:
                until.setdefault(value, end)
            if op.regions:
                for value in self.program.captured[op]:
                    until.setdefault(value, end)
        for value, end in until.items():
            begin = self.program.time_of(value) if value in block.args else at[ops[0]]
            self._add(value, begin, end)

    def _results(self, op: Operation, until: dict[SSAValue, int]) -> None:
        begin = self.program.at[op]
        is_branch = isinstance(op, RUNS_ONCE) and is_region_op(op)
        for result in op.results:
            end = until.pop(result, None)
            if not is_branch:
                self._add(result, begin, max(self._last(op), begin if end is None else end))
                continue
            # Every arm moves it there at its end; between the arms it is not there.
            for region in op.regions:
                for block in region.blocks:
                    self._end(result, block)
            if end is not None:
                self._add(result, self._inside(op) + 1, end)

    def _last(self, op: Operation) -> int:
        """The time until which `op` needs what it reads: of an op whose regions may run again, their end."""
        is_again = is_region_op(op) and not isinstance(op, RUNS_ONCE)
        return self._inside(op) if is_again else self.program.at[op]

    def _inside(self, op: Operation) -> int:
        """The time of the last op in the regions of `op`."""
        return self.program.lasts[self.program.at[op]]

    def _argument(self, argument: BlockArgument) -> None:
        time = self.program.time_of(argument)
        self._add(argument, time, time)
        for predecessor in argument.block.predecessors():
            self._end(argument, predecessor)
        around = argument.block.parent_op()
        if around is not None and around in self.program.at:
            self._add(argument, self.program.at[around], self._inside(around))

    def _end(self, value: SSAValue, block: Block) -> None:
        if block.last_op is not None and block.last_op in self.program.at:
            time = self.program.at[block.last_op]
            self._add(value, time, time)

    def _add(self, value: SSAValue, first: int, last: int) -> None:
        if isinstance(value, OpResult | BlockArgument) and value in self.frame.places and not holds_nothing(value):
            self.spans.setdefault(self.frame.places[value].storage, []).append((first, last + 1))
