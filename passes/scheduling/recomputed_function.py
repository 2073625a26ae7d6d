"""A function some of whose ops run again: how they may, as numbers for a search, and the function with that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.storage.contract import View, contract_of, is_region_op
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import MemoryModel
from lastuse.passes.planning.graph import readers_of
from lastuse.passes.planning.repeated_ops import Late, RepeatableOps, Rerun
from lastuse.passes.scheduling.reorder import apply_order, order_around
from lastuse.passes.scheduling.schedule_graph import block_graph


class RecomputedFunction:
    """
    A function of one block whose sizes are known and whose places are not decided, and second runs of its ops.

    Attributes:
        again: the second runs that were added, and the op that each is a second run of.
    """

    def __init__(self, program: NumberedOps, cheap_only: bool) -> None:
        """
        Args:
            cheap_only: only ops that say they are cheap run again.
        """
        self._func, self._model, self._cheap_only = program.func, MemoryModel(program), cheap_only
        self._block = block_graph(self._model, self._func.body.block, lambda _: True)
        self.again: dict[Operation, Operation] = {}
        self._moved: list[tuple[Operation, int, SSAValue]] = []
        self._unread_views: list[tuple[Operation, tuple[SSAValue, ...]]] = []
        self._given: tuple[Operation, ...] = ()

    @cached_property
    def problem(self) -> RepeatableOps:
        """The ops that may run again; what they write is read by ops of the graph alone, through views at most."""
        reruns = {n: rerun for n, op in enumerate(self._block.nodes) if (rerun := self._rerun(n, op)) is not None}
        return RepeatableOps(self._block.graph, self._block.outside, reruns)

    def work(self) -> int:
        """What all ops of the function take, each once, as `DnnOp.work` counts."""
        return sum(op.work() for op in self._block.nodes if isinstance(op, DnnOp))

    def apply(self, late: Late, order: Sequence[int]) -> None:
        """Adds the second runs and gives all ops an order, numbered as in `Late`. Views that no op reads any more are
        taken out, as they would keep the first copies live."""
        self._given = tuple(self._func.body.block.ops)
        for number, op in enumerate(self._block.nodes):
            for buffer in (b for b, readers in late.items() if number in readers):
                self._redirect(op, late, buffer)
        for value in dict.fromkeys(value for _, _, value in self._moved):
            self._remove_unread_views(value)
        program = NumberedOps.of(self._func)
        assert program is not None
        block, runs = self._func.body.block, {op: again for again, op in self.again.items()}
        nodes = self._block.nodes
        ordered = [nodes[n] if n < len(nodes) else runs[nodes[n - len(nodes)]] for n in order]
        apply_order(block, order_around(program, block, [op for op in ordered if op.parent is block]))

    def undo(self) -> None:
        """The function as it was."""
        for op, index, value in reversed(self._moved):
            op.operands[index] = value
        for op in reversed(self.again):
            op.detach()
            op.erase()
        block = self._func.body.block
        for view, operands in reversed(self._unread_views):
            view.operands = operands
            assert block.last_op is not None
            block.insert_op_before(view, block.last_op)
        apply_order(block, self._given)
        self.again, self._moved, self._unread_views = {}, [], []
        self._copies.clear()

    def _rerun(self, number: int, op: Operation) -> Rerun | None:
        if not isinstance(op, DnnOp) or not op.operands or is_region_op(op) or not is_side_effect_free(op):
            return None
        if self._cheap_only and not op.CHEAP:
            return None
        run = op.second_run()
        again = run.build(op)
        assert isinstance(again, DnnOp)
        work = again.work()
        again.drop_all_references()
        model, graph = self._model, self._block.graph
        reads = {self._block.buffers[s] for v in run.operands for s in model.storages(v) if s in self._block.buffers}
        own = {self._block.results[b].index: b for b in graph.ops[number].writes if b in self._block.results}
        # What the second run reads of the first is kept.
        again_written = [own[index] for index in run.results if index in own]
        writes = tuple(b for b in again_written if b not in reads and self._is_redirectable(b))
        if not writes:
            return None
        unread = sum(graph.sizes[b] for b in again_written if b not in writes)
        pairs = tuple(pair for pair in graph.ops[number].may_inplace if pair[0] in reads and pair[1] in writes)
        return Rerun(tuple(sorted(reads)), writes, pairs, model.scratch.get(op, 0) + unread, work)

    def _is_redirectable(self, buffer: int) -> bool:
        """All readers are known: ops of the graph, and views of it that they read."""
        readers = self._readers(self._block.results[buffer])
        return readers is not None and readers == set(self._graph_readers.get(buffer, ()))

    @cached_property
    def _graph_readers(self) -> Mapping[int, list[int]]:
        return readers_of(self._block.graph)

    @cached_property
    def _numbers(self) -> Mapping[Operation, int]:
        return {op: number for number, op in enumerate(self._block.nodes)}

    def _readers(self, value: SSAValue) -> set[int] | None:
        found: set[int] = set()
        for use in value.uses:
            op = self._ancestor(use.operation)
            if op in self._numbers:
                found.add(self._numbers[op])
                continue
            views = [view.result for view in contract_of(op).views if view.operand == use.index]
            if op is not use.operation or not views:
                return None
            for result in views:
                inner = self._readers(op.results[result])
                if inner is None:
                    return None
                found |= inner
        return found

    def _ancestor(self, op: Operation) -> Operation:
        while (around := op.parent_op()) is not None and around is not self._func:
            op = around
        return op

    @cached_property
    def _copies(self) -> dict[SSAValue, SSAValue]:
        """Second copies of values, of views of them too."""
        return {}

    def _redirect(self, reader: Operation, late: Late, buffer: int) -> None:
        """The reader reads the second copy."""
        first = self._block.results[buffer]
        for op in list(reader.walk()):
            for index, operand in enumerate(op.operands):
                if self._root(operand) is first:
                    self._moved.append((op, index, operand))
                    op.operands[index] = self._copy(operand, late, reader)

    def _remove_unread_views(self, value: SSAValue) -> None:
        """Takes out the views that end in a value which no op reads."""
        while (view := self._view_of(value)) is not None:
            assert isinstance(value, OpResult)
            op, block = value.op, self._func.body.block
            if op.parent is not block or any(result.uses for result in op.results):
                break
            self._unread_views.append((op, tuple(op.operands)))
            value = op.operands[view.operand]
            op.operands = ()
            op.detach()

    def _root(self, value: SSAValue) -> SSAValue:
        """The result that begins the buffer which a value is a view of."""
        while (view := self._view_of(value)) is not None:
            assert isinstance(value, OpResult)
            value = value.op.operands[view.operand]
        return value

    def _view_of(self, value: SSAValue) -> View | None:
        """The view that a value is; None where it is a copy that begins a buffer."""
        if not isinstance(value, OpResult) or value in self._beginnings:
            return None
        return contract_of(value.op).view_of(value.index)

    @cached_property
    def _beginnings(self) -> frozenset[OpResult]:
        return frozenset(self._block.results.values())

    def _copy(self, value: SSAValue, late: Late, before: Operation) -> SSAValue:
        """The second copy of a value, made before an op of the block if there is none."""
        if value in self._copies:
            return self._copies[value]
        assert isinstance(value, OpResult) and isinstance(value.op, DnnOp)
        op = value.op
        view = self._view_of(value)
        if view is not None:
            again: Operation = op.clone(
                {op.operands[view.operand]: self._copy(op.operands[view.operand], late, before)}
            )
            inherit(again, op)
            kept = range(len(op.results))
        else:
            run = op.second_run()
            again, kept = run.build(op), run.results
        self._func.body.block.insert_op_before(again, before)
        self.again[again] = op
        for index, result in zip(kept, again.results, strict=True):
            result.name_hint = op.results[index].name_hint
            self._copies[op.results[index]] = result
        if view is None:
            number = len(self._block.nodes) + self._numbers[op]
            for buffer in (b for b, readers in late.items() if number in readers):
                self._redirect(again, late, buffer)
        return self._copies[value]
