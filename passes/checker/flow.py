"""Control flow: a function as steps, and what they do to the state of the memory."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func, scf
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir import Region as IrRegion

from lastuse.dialect.ir.cfg import CONTROL, reverse_postorder
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.passes.checker.boundary import call_effect, move_effect, return_effect
from lastuse.passes.checker.function_model import FunctionModel, RequiredRead, Transfer, is_boundary, tensors
from lastuse.passes.checker.memory import ByteRegion, LabelledMemory, State
from lastuse.passes.checker.trace import path
from lastuse.passes.checker.transfer import effect_of, foreign_effect, guard
from lastuse.passes.checker.violation import ViolationKind

# Steps


@dataclass(eq=False, slots=True)
class Arms:
    """`scf.if`: each arm ends by moving what it yields into the results."""

    arms: list[list[Step]]


@dataclass(eq=False, slots=True)
class Loop:
    """`scf.for` and `scf.while`: `entry` moves into the slots, `before` runs at least once, `after` any number of times
    and ends by moving into the slots `before` starts from."""

    entry: Transfer
    before: list[Step]
    after: list[Step]


@dataclass(eq=False, slots=True)
class Foreign:
    """An unknown region op: its regions run any number of times, in any order."""

    entry: Transfer
    bodies: list[Graph]
    exit: Transfer


Step = Transfer | Arms | Loop | Foreign


@dataclass(eq=False, slots=True)
class Node:
    """A block: its steps, and its successors with the moves into their arguments."""

    steps: list[Step]
    edges: Sequence[tuple[int, Transfer]] = ()


Graph = list[Node]
"""Blocks of a region that can be reached, in reverse post-order; the first is the entry."""


class TransferBuilder:
    """Turns regions into steps. Looks at every op once; nothing runs here."""

    def __init__(self, frame: FunctionModel) -> None:
        self.frame = frame

    def graph(self, region: IrRegion, entry: Transfer | None = None) -> Graph:
        """The blocks of a region; `entry` happens first."""
        if region.blocks.first is None:
            return []
        order = reverse_postorder(region)
        number = {block: index for index, block in enumerate(order)}
        nodes: Graph = []
        for block in order:
            node = Node(self.steps(block))
            last = block.last_op
            if last is not None and last.successors:
                branches = branch_operands(last)
                if branches is None:
                    self.frame.report(ViolationKind.UNSUPPORTED, last)
                node.edges = [
                    (number[to], move_effect(self.frame, last, list(zip(operands, to.args, strict=True))))
                    for to, operands in branches or ()
                ]
            nodes.append(node)
        if entry is not None:
            nodes[0].steps.insert(0, entry)
        return nodes

    def steps(self, block: Block) -> list[Step]:
        """The ops of a block but for the moves its terminator makes."""
        return [step for op in block.ops if (step := self._step(op)) is not None]

    def _step(self, op: Operation) -> Step | None:
        if is_boundary(op):
            return self._boundary(op)
        callee = self.frame.callee(op)
        if callee is not None:
            return call_effect(self.frame, op, callee)
        if op.regions and self.frame.is_foreign(op):
            return self._foreign(op)
        return effect_of(self.frame, op) if not op.successors else None

    def _boundary(self, op: Operation) -> Step | None:
        match op:
            case func.ReturnOp():
                return return_effect(self.frame, op)
            case scf.IfOp():
                return Arms([self._arm(op, region) for region in op.regions])
            case scf.ForOp():
                return self._for(op)
            case scf.WhileOp():
                return self._while(op)
            case _:
                if op.successors or isinstance(op.parent_op(), CONTROL):
                    return None  # what holds it makes its moves
                return return_effect(self.frame, op)

    def _moved(self, block: Block, sources: Sequence[SSAValue], targets: Sequence[Sequence[SSAValue]]) -> list[Step]:
        """The steps of a block and the moves of its terminator, of each source to all of its targets."""
        last = block.last_op
        assert last is not None
        return [*self.steps(block), move_effect(self.frame, last, _onto(sources, targets))]

    def _arm(self, op: scf.IfOp, region: IrRegion) -> list[Step]:
        block = region.blocks.first
        if block is None or block.last_op is None:
            return []
        return self._moved(block, block.last_op.operands, [(result,) for result in op.results])

    def _for(self, op: scf.ForOp) -> Loop:
        block = op.body.block
        last = block.last_op
        slots = self._slots(op.results, block.args[1:])
        entry = move_effect(self.frame, op, _onto(op.iter_args, slots))
        return Loop(entry, [], self._moved(block, last.operands if last is not None else (), slots))

    def _while(self, op: scf.WhileOp) -> Loop:
        before, after = op.before_region.block, op.after_region.block
        condition, last = before.last_op, after.last_op
        assert condition is not None and last is not None
        entered = [(argument,) for argument in before.args]
        entry = move_effect(self.frame, op, _onto(op.arguments, entered))
        # The first operand is the flag. The after arguments are the results' slots, on both exits.
        slots = self._slots(op.results, after.args)
        tested = self._moved(before, condition.operands[1:], slots)
        return Loop(entry, tested, self._moved(after, last.operands, entered))

    def _slots(self, results: Sequence[SSAValue], arguments: Sequence[SSAValue]) -> list[Sequence[SSAValue]]:
        """Where a loop keeps what it carries: its results, and the arguments of its body that are not the same slot."""
        frame = self.frame
        pairs = zip(results, arguments, strict=True)
        return [(r, a) if frame.has_bytes(r) and frame.home(a) is not frame.home(r) else (r,) for r, a in pairs]

    def _foreign(self, op: Operation) -> Foreign:
        frame = self.frame
        inner = [o for region in op.regions for o in region.walk()]
        owners: set[Operation | Block] = {*inner, *(b for o in (op, *inner) for r in o.regions for b in r.blocks)}
        captured = [v for o in inner for v in o.operands if v.owner not in owners]
        sources = tensors(frame, [*op.operands, *captured])
        entry = Transfer(op, [r for v in dict.fromkeys(sources) for r in frame.read(v)])
        bodies: list[Graph] = []
        yielded: list[SSAValue] = []
        for region in op.regions:
            block = region.blocks.first
            if block is None:
                continue
            lent = tensors(frame, block.args)
            writes = [(at, frame.label(a, op)) for a in lent if (at := frame.region(a)) is not None]
            bodies.append(self.graph(region, Transfer(op, (), writes, lends=guard(frame, lent, sources))))
            yielded += [v for b in region.blocks if b.last_op is not None for v in tensors(frame, b.last_op.operands)]
        return Foreign(entry, bodies, foreign_effect(frame, op, (), [*sources, *yielded]))


def _onto(sources: Sequence[SSAValue], targets: Sequence[Sequence[SSAValue]]) -> list[tuple[SSAValue, SSAValue]]:
    return [(s, target) for s, group in zip(sources, targets, strict=True) for target in group]


# Running


class AbstractInterpreter:
    """Runs steps on states. A state only ever loses tokens from round to round, so an error in any round is final."""

    def __init__(self, frame: FunctionModel) -> None:
        self.frame = frame
        self.memory: LabelledMemory = frame.memory

    def run(self, steps: Sequence[Step], state: State) -> State:
        """The state after the steps; the given one is used up."""
        for step in steps:
            match step:
                case Transfer():
                    self.apply(step, state)
                case Arms():
                    state = self._arms(step, state)
                case Loop():
                    state = self._loop(step, state)
                case Foreign():
                    state = self._foreign(step, state)
        return state

    def apply(self, effect: Transfer, state: State) -> None:
        """Require, write, add: in place."""
        memory, guards = self.memory, self.frame.guards
        for read in effect.reads:
            at = memory.missing(state, read.region, read.token)
            if at >= 0:
                self._missing(effect.op, read, at, state)
            if (borrowed := guards.get(read.token)) is not None:
                for host in borrowed.hosts:
                    if (at := memory.missing(state, host, borrowed.token)) >= 0:
                        self._missing(effect.op, read, at, state)
                        break
        for region, label in effect.writes:
            if region.storage in self.frame.lent:
                self._check_lent(effect.op, region, state)
            memory.write(state, region, label)
        for region, token in effect.adds:
            memory.add(state, region, token)
        for lent in effect.lends:
            for host in lent.hosts:
                memory.add(state, host, lent.token)

    def _check_lent(self, op: Operation, region: ByteRegion, state: State) -> None:
        """A call's result may share memory with a donated operand; report any write to those bytes since the call."""
        maker, lent = region.storage.key, self.frame.lent[region.storage]
        if not isinstance(maker, OpResult) or op is maker.op:
            return
        for host in lent.hosts:
            if (at := self.memory.missing(state, host, lent.token)) >= 0:
                self._missing(op, RequiredRead(maker, lent.token, host), at, state)
                return

    def _missing(self, op: Operation, read: RequiredRead, cell: int, state: State) -> None:
        writers = self.memory.labels[state[cell]].writers
        maker = self.frame.home(read.value).owner
        writers = tuple(w for w in writers if w is not maker) or writers  # the value was right on that path
        self.frame.report(
            ViolationKind.OVERWRITTEN if writers else ViolationKind.UNWRITTEN,
            op,
            read.value,
            storage=self.memory.storage_of(cell),
            bytes_=self.memory.bytes_of(cell),
            destroyers=writers,
            path=path(op, writers),
        )

    def _arms(self, step: Arms, state: State) -> State:
        after: State | None = None
        for arm in step.arms:
            left = self.run(arm, state.copy())
            if after is None:
                after = left
            else:
                self.memory.meet(after, left)
        return after if after is not None else state

    def _loop(self, step: Loop, state: State) -> State:
        self.apply(step.entry, state)
        while True:
            tested = self.run(step.before, state.copy())
            back = self.run(step.after, tested.copy())
            if not self.memory.meet(state, back):
                return tested

    def _foreign(self, step: Foreign, state: State) -> State:
        self.apply(step.entry, state)
        changed = True
        while changed:
            changed = False
            for body in step.bodies:
                after = self.graph(body, state.copy())
                if after is not None:
                    changed |= self.memory.meet(state, after)
        self.apply(step.exit, state)
        return state

    def graph(self, nodes: Graph, state: State) -> State | None:
        """The meet of the states at the exits, None if control never leaves."""
        if len(nodes) == 1 and not nodes[0].edges:
            return self.run(nodes[0].steps, state)
        entries: list[State | None] = [state] + [None] * (len(nodes) - 1) if nodes else []
        exits: State | None = None
        todo = [0] if nodes else []
        while todo:
            at = heapq.heappop(todo)
            entry = entries[at]
            assert entry is not None
            after = self.run(nodes[at].steps, entry.copy())
            for to, moves in nodes[at].edges:
                arriving = after.copy()
                self.apply(moves, arriving)
                before = entries[to]
                if before is None:
                    entries[to], changed = arriving, True
                else:
                    changed = self.memory.meet(before, arriving)
                if changed and to not in todo:
                    heapq.heappush(todo, to)
            if not nodes[at].edges:
                if exits is None:
                    exits = after
                else:
                    self.memory.meet(exits, after)
        return exits
