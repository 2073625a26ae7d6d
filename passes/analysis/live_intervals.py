"""Live intervals of storages, with holes: a value that one arm of a branch reads is not live in the other arm.

A storage is live where any of its values is (`liveness.py`), at the ops that compute and read them, and where a
terminator moves a value into it. A loop-carried storage is live through the whole loop. A storage that another one may
alias is live over the hull of both, without a hole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Generic, TypeVar

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import callee_of, operands_of
from lastuse.dialect.ir.remembered import is_a, is_class
from lastuse.dialect.storage.call_interface import operands_under
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.passes.analysis.liveness import RUNS_ONCE
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.planning.planner import Span, union

T = TypeVar("T", bound=Hashable)
IntervalHull = tuple[int, int]
"""The first and the last time of something, by the order of a program's ops."""
_Times = Iterator[tuple[SSAValue, int, int]]
"""Values, each with the first and the last time of an interval in which it is live."""


def hull_of(spans: Sequence[Span]) -> IntervalHull:
    """From the first of some spans, which are in order, to the last."""
    return spans[0][0], spans[-1][1] - 1


@dataclass(frozen=True)
class LiveIntervals(Generic[T]):
    """When the storages of a function are live.

    Attributes:
        program: its ops.
        storage_of: the storage of each tensor.
        functions: every function of the module that has a body, by name.
    """

    program: NumberedOps
    storage_of: Mapping[SSAValue, T]
    functions: Mapping[str, FuncOp]

    @cached_property
    def intervals(self) -> Mapping[T, tuple[Span, ...]]:
        """The times at which each storage that has bytes needs them for itself, in order. The spans of two storages
        that are needed together in any run overlap."""
        hulls = {s: hull_of(self._own_intervals[s]) for pair in self._alias_edges for s in pair}
        self._extend(hulls)
        return self._own_intervals | {storage: ((first, last + 1),) for storage, (first, last) in hulls.items()}

    @cached_property
    def hulls(self) -> Mapping[T, IntervalHull]:
        """From the first to the last time at which any value of a storage is needed; a result of a branch from the
        branch on."""
        hulls = {storage: hull_of(spans) for storage, spans in self._own_intervals.items()}
        for value, storage in self.storage_of.items():
            time = self.program.time_of(value)
            first, last = hulls.setdefault(storage, (time, time))
            if id(value) not in self.program.empty:
                hulls[storage] = min(first, time), last
        self._extend(hulls)
        return hulls

    @cached_property
    def alias_sources(self) -> Mapping[T, frozenset[T]]:
        """The storages that one may lie in, and what these may lie in."""
        direct: dict[T, list[T]] = {}
        for lent, borrower in self._alias_edges:
            direct.setdefault(borrower, []).append(lent)
        closure: dict[T, frozenset[T]] = {}
        for borrower in direct:
            reached: dict[T, None] = {}
            waiting = [borrower]
            while waiting:
                fresh = [lent for lent in direct.get(waiting.pop(), ()) if lent not in reached]
                reached |= dict.fromkeys(fresh)
                waiting += fresh
            closure[borrower] = frozenset(reached)
        return closure

    def _extend(self, hulls: dict[T, IntervalHull]) -> None:
        """What a storage may lie in is live as long as the storage is."""
        before = dict(hulls)
        for borrower, alias_sources in self.alias_sources.items():
            first, last = before[borrower]
            for lent in alias_sources:
                hulls[lent] = min(hulls[lent][0], first), max(hulls[lent][1], last)

    @cached_property
    def _alias_edges(self) -> Mapping[tuple[T, T], None]:
        """Pairs of a storage and one that may lie in it."""
        forwarded = self.program.decisions.forwarded
        passed = [p for op in self.program.ops for p in passed_by(op)] if forwarded else []
        pairs = {
            (self.storage_of[p.source], self.storage_of[p.target]): None
            for p in passed
            if p.target in forwarded and p.source in self.storage_of and p.target in self.storage_of
        }
        return {(lent, borrower): None for lent, borrower in pairs if lent != borrower} | {
            (self.storage_of[lent], self.storage_of[borrower]): None
            for op, contract in zip(self.program.ops, self.program.contracts, strict=True)
            if contract.foreign
            for lent in self._sources(op)
            for borrower in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args))
            if lent in self.storage_of and borrower in self.storage_of
        }

    def _sources(self, op: Operation) -> Iterator[SSAValue]:
        """Values whose memory a result of a foreign op may be in: of a call, what its function says; of any other, its
        operands, what its regions capture, and the operands of their terminators."""
        if is_a(op, CallOp) and callee_of(op) in self.functions:
            numbers = dict.fromkeys(k for r in op.results for k in operands_under(op, r.index))
            yield from (op.operands[k] for k in numbers)
        else:
            yield from self.program.tensors(op)
            for region in op.regions:
                yield from (v for b in region.blocks if b.last_op is not None for v in b.last_op.operands)

    @cached_property
    def _own_intervals(self) -> dict[T, tuple[Span, ...]]:
        """When values of each storage are live, whatever may lie in it."""
        times: dict[T, list[Span]] = {}
        storage_of, empty = self.storage_of, self.program.empty
        for block in self.program.block_out:
            for value, first, last in self._block_times(block):
                if id(value) not in empty and (storage := storage_of.get(value)) is not None:
                    times.setdefault(storage, []).append((first, last + 1))
        return {storage: tuple(union(spans)) for storage, spans in times.items()}

    def _block_times(self, block: Block) -> _Times:
        at, captured, entered = self.program.at, self.program.captured, self.program.entered
        ops = self._timed(block)
        for argument in (a for a in block.args if a in self.storage_of):
            time, around = self.program.time_of(argument), block.parent_op()
            yield argument, time, time
            for predecessor in block.predecessors():
                yield from self._end_times(argument, predecessor)
            if around is not None and around in at:
                yield argument, at[around], self.program.region_end(around)
        if not ops:
            return
        # What is needed later in the block, and until when; of what is live out of the block, until its end.
        begin = ops[0][1]
        until = dict.fromkeys(self.program.block_out[block], ops[-1][1])
        for op, time in reversed(ops):
            end, captures = time, captured.get(op, ()) if captured else ()
            if entered and op in entered and not is_class(type(op), RUNS_ONCE):
                end = self.program.region_end(op)  # of an op whose regions may run again
            if entered and op in entered and is_class(type(op), RUNS_ONCE):
                yield from self._result_times(op, until)
            else:
                for result in op.results:
                    yield result, time, max(end, until.pop(result, time))
            for value in operands_of(op):
                until.setdefault(value, end)
            for value in captures:
                until.setdefault(value, end)
        for value, end in until.items():
            yield value, self.program.time_of(value) if value in block.args else begin, end

    def _timed(self, block: Block) -> list[tuple[Operation, int]]:
        """The ops of a block with their times, one after the other where no blocks stand in them."""
        at, ops = self.program.at, self.program.ops_of(block)
        if self.program.entered:
            return [(op, time) for op in ops if (time := at.get(op)) is not None]
        return list(zip(ops, count(at[ops[0]]))) if ops and ops[0] in at else []

    def _result_times(self, op: Operation, until: dict[SSAValue, int]) -> _Times:
        """Of an op of `RUNS_ONCE`."""
        for result in op.results:
            end = until.pop(result, None)
            # Each arm moves the value there at its end; it is not there between the arms.
            for region in op.regions:
                for block in region.blocks:
                    yield from self._end_times(result, block)
            if end is not None:
                yield result, self.program.region_end(op) + 1, end

    def _end_times(self, value: SSAValue, block: Block) -> _Times:
        if block.last_op is not None and block.last_op in self.program.at:
            time = self.program.at[block.last_op]
            yield value, time, time
