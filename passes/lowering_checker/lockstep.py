"""Control flow: the source and the lowered function run side by side, on codes, until nothing changes any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import reverse_postorder
from lastuse.dialect.ir.flow_graphs import successors as following
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.passes.lowering_checker.call_boundary import call, leave
from lastuse.passes.lowering_checker.cells import State
from lastuse.passes.lowering_checker.codes import UNKNOWN
from lastuse.passes.lowering_checker.meet import Arrival, meet
from lastuse.passes.lowering_checker.signature import Mismatch, Signature
from lastuse.passes.lowering_checker.source_values import Values
from lastuse.passes.lowering_checker.steps import PreparedStep, StepChecker

WITH_REGIONS = frozenset({scf.ForOp, scf.IfOp, scf.WhileOp})
IN_ORDER = WITH_REGIONS | {CallOp}
"""Ops that both functions have, one for one and in the same order; and so they have reads of scalars."""
Branch = tuple[Block, Sequence[SSAValue]]
"""A successor, and what becomes its arguments."""
Edge = tuple[int, int]
"""The number of a block, and which of its successors."""


class Lockstep:
    """One function, checked against its source."""

    def __init__(
        self, signature: Signature, steps: StepChecker, values: Values, functions: Mapping[str, Signature]
    ) -> None:
        self.signature, self.steps, self.values, self.functions = signature, steps, values, functions
        self.source, self.lowered = signature.source, signature.lowered
        self.cells = steps.memory.cell_lengths()
        self._blocks, self._ours = reverse_postorder(self.source.body), list(self.lowered.body.blocks)
        self._number = {block: index for index, block in enumerate(self._blocks)}
        self._our_number = {block: index for index, block in enumerate(self._ours)}
        self._arrived: list[dict[Edge, Arrival]] = [{} for _ in self._blocks]
        self.scalars: dict[SSAValue, int] = {
            lowered: values.scalars[source]
            for lowered, source in zip(self.lowered.args, self.source.args, strict=False)
            if source in values.scalars
        }

    def function(self, state: State) -> None:
        """All blocks, loops in rounds until what arrives at their heads is what arrived there before.

        Raises:
            Refusal: a step, or control flow, is not what the source asks for.
        """
        if len(self._ours) < len(self._blocks):
            raise Mismatch("it has fewer blocks than its source")
        successors = [[self._number[to] for to in following(block)] for block in self._blocks]
        self._components(range(len(self._blocks)), successors, state)

    def _components(self, nodes: Sequence[int], successors: Sequence[Sequence[int]], state: State) -> None:
        """Blocks in order, those of a loop together. What went round an inner loop is forgotten when an outer one goes
        on: it was about what slots held then."""
        for component in components(nodes, successors):
            head = min(component)
            if len(component) == 1 and head not in successors[head]:
                entry = self._entry(head, state)
                if len(nodes) == len(self._blocks):
                    self._arrived[head].clear()  # it never runs again, and states are large
                self._visit(head, entry)
                continue
            inside = set(component)
            rest = sorted(inside - {head})
            before: Arrival | None = None
            self._forget(inside)
            while True:
                entry = self._entry(head, state)
                if before is not None and before.same(entry):
                    break
                before = entry
                self._forget(inside)
                self._visit(head, entry)
                self._components(rest, successors, state)

    def _entry(self, index: int, state: State) -> Arrival:
        """What arrives at a block."""
        if index == 0:
            return Arrival(state, (), ())
        return meet(list(self._arrived[index].values()), self._blocks[index].args, self.cells, self.values)

    def _visit(self, index: int, entry: Arrival) -> None:
        """A block, and where it goes."""
        block, ours = self._blocks[index], self._ours[index]
        if index:
            self._enter(block.args, ours.args, entry)
        left = self.block(block, ours, entry.state.copy())
        for edge, (to, arrival) in enumerate(self._leave(block, index, left)):
            self._arrived[self._number[to]][index, edge] = arrival

    def _forget(self, inside: set[int]) -> None:
        """What came to the blocks of a loop from blocks of the loop."""
        for index in inside:
            self._arrived[index] = {e: a for e, a in self._arrived[index].items() if e[0] not in inside}

    # Blocks

    def block(self, source: Block, lowered: Block, state: State) -> State:
        """All ops of a block but for its terminator; the state is used up."""
        cursor = self._cursor(source)
        waiting = next(cursor, None)
        for item in self.steps.items[lowered]:
            if isinstance(item, PreparedStep):
                self.steps.run(item, source, state)
                continue
            self.steps.at = item
            if item is lowered.last_op:
                break
            if item.dialect_name() == "arith":
                self.scalars.update(self.values.compute(item, [self._code(v) for v in item.operands]))
                continue
            if waiting is None:
                raise Mismatch("its source has no such op here")
            state = self._together(waiting, item, state)
            waiting = next(cursor, None)
        self.steps.at = lowered.last_op or self.lowered
        if waiting is not None:
            raise Mismatch(f"{waiting.name} of the source is left out before it")
        return state

    def _cursor(self, block: Block) -> Iterator[Operation]:
        """Computes what the ops of a block hold, and stops at each that both functions have in order."""
        for op in block.ops:
            if op is block.last_op:
                return
            if type(op) not in WITH_REGIONS:
                self.values.op(op)
            if type(op) in IN_ORDER or op.name == "tensor.extract":
                yield op

    def _together(self, source: Operation, lowered: Operation, state: State) -> State:
        match source, lowered:
            case (scf.ForOp(), scf.ForOp()) | (scf.WhileOp(), scf.WhileOp()):
                return self._loop(source, lowered, state)
            case scf.IfOp(), scf.IfOp():
                return self._if(source, lowered, state)
            case CallOp(), CallOp():
                self._call(source, lowered, state)
                return state
            case _ if lowered.name == "memref.load" and source.name == "tensor.extract":
                self._load(source, lowered, state)
                return state
            case _:
                raise Mismatch(f"the source has {source.name} here")

    def _call(self, source: CallOp, lowered: CallOp, state: State) -> None:
        codes = [None if isinstance(v.type, MemRefType) else self._code(v) for v in lowered.operands]
        call(source, lowered, state, self.steps, codes, self.functions)
        self._define(lowered.results, [self.values.scalars[v] for v in source.results if v in self.values.scalars])

    def _load(self, source: Operation, lowered: Operation, state: State) -> None:
        region, held = self.steps.region(lowered.operands[0]), self.values.tensors[source.operands[0]]
        if region.shape != held.shape or region.dtype != held.dtype:
            raise Mismatch("it reads a memref of other sizes than the tensor of its source")
        self.steps.require(state, region, held.row, source.operands[0])
        for mine, other in zip(lowered.operands[1:], source.operands[1:], strict=True):
            self._same(mine, other, "an index")
        self.scalars[lowered.results[0]] = self.values.scalars[source.results[0]]

    # Regions

    def _loop(self, source: scf.ForOp | scf.WhileOp, lowered: scf.ForOp | scf.WhileOp, state: State) -> State:
        """A loop in rounds, until what comes back is what came back before. What its last region starts from is what
        leaves it."""
        regions = [(theirs.block, ours.block) for theirs, ours in zip(source.regions, lowered.regions, strict=True)]
        bounds, inductions = (3, 1) if isinstance(source, scf.ForOp) else (0, 0)
        for mine, other in zip(lowered.operands[:bounds], source.operands[:bounds], strict=True):
            self._same(mine, other, "a bound")
        for theirs, ours in regions:
            for argument, mine in zip(theirs.args[:inductions], ours.args[:inductions], strict=True):
                self.values.scalars[argument] = self.scalars[mine] = self.values.scalar(argument)
        entry = self._arrival(state, source.operands[bounds:], lowered.operands[bounds:])
        paths = [entry]
        while True:
            left = back = meet(paths, regions[0][0].args[inductions:], self.cells, self.values)
            for theirs, ours in regions:
                self._enter(theirs.args[inductions:], ours.args[inductions:], back)
                left, back = back, self._region(theirs, ours, back.state.copy())
            if len(paths) > 1 and paths[1].same(back):
                break
            paths = [entry, back]
        self._enter(source.results, lowered.results, left)
        return left.state

    def _region(self, source: Block, lowered: Block, state: State) -> Arrival:
        """A block of a region op, and what its terminator moves; the state is used up."""
        left = self.block(source, lowered, state)
        last, ours = source.last_op, lowered.last_op
        assert last is not None
        if ours is None or type(ours) is not type(last):
            raise Mismatch(f"a block ends with {last.name}")
        flags = 1 if isinstance(last, scf.ConditionOp) else 0
        for mine, other in zip(ours.operands[:flags], last.operands[:flags], strict=True):
            self._same(mine, other, "the condition")
        return self._arrival(left, last.operands[flags:], ours.operands[flags:])

    def _if(self, source: scf.IfOp, lowered: scf.IfOp, state: State) -> State:
        self._same(lowered.operands[0], source.operands[0], "the condition")
        paths: list[Arrival] = []
        for ours, theirs in zip(lowered.regions, source.regions, strict=True):
            inner, outer = ours.blocks.first, theirs.blocks.first
            if (inner is None) != (outer is None):
                raise Mismatch("it has another number of arms than its source")
            if inner is None or outer is None or outer.last_op is None:
                paths.append(self._arrival(state, (), ()))
            else:
                paths.append(self._region(outer, inner, state.copy()))
        after = meet(paths, source.results, self.cells, self.values)
        self._enter(source.results, lowered.results, after)
        return after.state

    # Branches

    def _leave(self, source: Block, index: int, state: State) -> Iterator[tuple[Block, Arrival]]:
        """The blocks of the source that the last op of a block goes to, with what arrives there."""
        last, ours = source.last_op, self._ours[index].last_op
        self.steps.at = ours or self.lowered
        match last, ours:
            case ReturnOp(), ReturnOp():
                leave(last, state, self.steps, [self._code(v) for v in ours.operands], self.signature)
                return
            case cf.BranchOp(), cf.BranchOp():
                pass
            case cf.ConditionalBranchOp(), cf.ConditionalBranchOp():
                self._same(ours.cond, last.cond, "the condition")
            case cf.SwitchOp(), cf.SwitchOp():
                self._same(ours.flag, last.flag, "the flag")
                if ours.case_values != last.case_values or len(ours.case_blocks) != len(last.case_blocks):
                    raise Mismatch("it has other cases than its source")
            case _:
                raise Mismatch(f"its source ends this block with {last.name if last is not None else 'nothing'}")
        for theirs, branch in zip(branch_operands(last) or (), branch_operands(ours) or (), strict=True):
            yield theirs[0], self._edge(source, theirs, branch, state)

    def _edge(self, source: Block, theirs: Branch, ours: Branch, state: State) -> Arrival:
        """One way out of a block, through blocks behind those of the source, which only move."""
        (to, moved), (block, scalars) = theirs, ours
        state, branch = state.copy(), self.steps.at
        seen: set[Block] = set()
        while self._our_number[block] >= len(self._blocks):
            last = block.last_op
            if block in seen or not isinstance(last, cf.BranchOp):
                raise Mismatch("a block of moves goes on to one block")
            seen.add(block)
            self._define(block.args, [self._code(v) for v in scalars])
            for item in self.steps.items[block]:
                if isinstance(item, PreparedStep):
                    self.steps.run(item, source, state)
                elif item is not last:
                    raise Mismatch("a block behind those of the source has copies alone")
            block, scalars = last.successor, last.arguments
        self.steps.at = branch
        if self._blocks[self._our_number[block]] is not to:
            raise Mismatch("it goes to another block than its source")
        return self._arrival(state, moved, scalars)

    # Scalars and slots

    def _code(self, value: SSAValue) -> int:
        return self.scalars.get(value, UNKNOWN)

    def _same(self, lowered: SSAValue, source: SSAValue, what: str) -> None:
        code = self._code(lowered)
        if code == UNKNOWN or code != self.values.scalars.get(source):
            raise Mismatch(f"{what} is another scalar than in its source")

    def _define(self, values: Sequence[SSAValue], codes: Sequence[int]) -> None:
        if len(values) != len(codes):
            raise Mismatch(f"it moves {len(codes)} scalars, not {len(values)}")
        self.scalars.update(zip(values, codes, strict=True))

    def _arrival(self, state: State, slots: Sequence[SSAValue], scalars: Sequence[SSAValue]) -> Arrival:
        held = [self.values.tensors[v].row if isinstance(v.type, TensorType) else self.values.scalars[v] for v in slots]
        return Arrival(state, tuple(held), tuple(self._code(v) for v in scalars))

    def _enter(self, slots: Sequence[SSAValue], lowered: Sequence[SSAValue], arrival: Arrival) -> None:
        """The slots of the source, and the scalars of the lowered function, hold what arrived."""
        for slot, held in zip(slots, arrival.slots, strict=True):
            self.values.settle(slot, held)
        self._define(lowered, arrival.scalars)


def components(nodes: Sequence[int], successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components of the graph that some blocks make, each behind all that lead to it.

    Blocks are numbered in reverse post-order: of those without a component the lowest one makes one with all of them
    that lead to it (M. Sharir, "A strong-connectivity algorithm and its applications in data flow analysis").
    """
    left = set(nodes)
    sources: dict[int, list[int]] = {node: [] for node in nodes}
    for node in nodes:
        for to in left.intersection(successors[node]):
            sources[to].append(node)
    result: list[list[int]] = []
    for node in nodes:
        component, waiting = list[int](), left.intersection([node])
        while waiting:
            left -= waiting
            component += waiting
            waiting = left.intersection(s for n in waiting for s in sources[n])
        if component:
            result.append(component)
    return result
