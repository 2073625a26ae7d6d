"""Control flow: a function as nodes that transfers run in, and what they do to the state of the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import CONTROL, reverse_postorder
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.passes.checker.boundary import call_effect, move_effect, return_effect
from lastuse.passes.checker.function_model import FunctionModel, RequiredRead, Transfer, is_boundary, tensors
from lastuse.passes.checker.memory import ByteRegion, State
from lastuse.passes.checker.trace import path
from lastuse.passes.checker.transfer import add_guard, effect_of, foreign_effect
from lastuse.passes.checker.violation import ViolationKind

# Nodes


@dataclass(eq=False, slots=True)
class Node:
    """Transfers in a row. Control then goes along one of the edges, each with the moves made on it, or leaves."""

    number: int = -1
    transfers: list[Transfer] = field(default_factory=list[Transfer])
    edges: list[tuple[Node, Transfer | None]] = field(default_factory=list["tuple[Node, Transfer | None]"])


class FlowBuilder:
    """Turns a region, and all regions in it, into nodes. Looks at every op once; nothing runs here.

    Blocks are numbered in reverse post-order, and nodes of a region op between those before and behind it: only the
    edges that close a loop lead to a node of the same or a lower number.
    """

    def __init__(self, frame: FunctionModel) -> None:
        self.frame = frame
        self.nodes: list[Node] = []

    def node(self, *sources: Node) -> Node:
        """The next node; control comes from `sources`."""
        node = self._number(Node())
        for source in sources:
            source.edges.append((node, None))
        return node

    def _number(self, node: Node) -> Node:
        node.number = len(self.nodes)
        self.nodes.append(node)
        return node

    def region(self, region: Region, entry: Node) -> list[Node]:
        """Adds the blocks of a region, the first one to `entry`. Returns the nodes where control leaves."""
        order = reverse_postorder(region)
        heads = {block: Node() if index else entry for index, block in enumerate(order)}
        ends: list[Node] = []
        for block, head in heads.items():
            end = self._block(block, head if head is entry else self._number(head))
            last = block.last_op
            if last is None or not last.successors:
                ends.append(end)
                continue
            branches = branch_operands(last)
            if branches is None:
                self.frame.report(ViolationKind.UNSUPPORTED, last)
            for to, operands in branches or ():
                end.edges.append((heads[to], move_effect(self.frame, last, list(zip(operands, to.args, strict=True)))))
        return ends

    def _block(self, block: Block, node: Node) -> Node:
        """Adds the ops of a block but for the moves its terminator makes. Returns the node behind them."""
        for op in block.ops:
            node = self._op(op, node)
        return node

    def _op(self, op: Operation, node: Node) -> Node:
        if op.regions:
            match op:
                case scf.IfOp():
                    return self._if(op, node)
                case scf.ForOp() | scf.WhileOp():
                    return self._loop(op, node)
                case _ if self.frame.is_foreign(op):
                    return self._foreign(op, node)
                case _:
                    pass
        effect = self._effect(op)
        if effect is not None:
            node.transfers.append(effect)
        return node

    def _effect(self, op: Operation) -> Transfer | None:
        if is_boundary(op):
            is_moved = op.successors or isinstance(op.parent_op(), CONTROL)  # what holds it makes its moves
            return None if is_moved else return_effect(self.frame, op)
        callee = self.frame.callee(op)
        if callee is not None:
            return call_effect(self.frame, op, callee)
        return effect_of(self.frame, op) if not op.successors else None

    def _block_with_moves(
        self, block: Block, node: Node, sources: Sequence[SSAValue], targets: Sequence[Sequence[SSAValue]]
    ) -> Node:
        """Adds a block and the moves of its terminator, of each source to all of its targets."""
        assert block.last_op is not None
        end = self._block(block, node)
        end.transfers.append(self._moves(block.last_op, sources, targets))
        return end

    def _moves(self, op: Operation, sources: Sequence[SSAValue], targets: Sequence[Sequence[SSAValue]]) -> Transfer:
        pairs = [(s, target) for s, group in zip(sources, targets, strict=True) for target in group]
        return move_effect(self.frame, op, pairs)

    def _if(self, op: scf.IfOp, node: Node) -> Node:
        ends: list[Node] = []
        for region in op.regions:
            block = region.blocks.first
            if block is None or block.last_op is None:
                ends.append(node)
            else:
                targets = [(result,) for result in op.results]
                ends.append(self._block_with_moves(block, self.node(node), block.last_op.operands, targets))
        return self.node(*ends)

    def _loop(self, op: scf.ForOp | scf.WhileOp, node: Node) -> Node:
        """What enters moves into the slots that a turn starts from. A while makes the moves of its condition before it
        leaves: the arguments of its second region are the results' slots."""
        body = op.body.block if isinstance(op, scf.ForOp) else op.after_region.block
        arguments = body.args[1:] if isinstance(op, scf.ForOp) else body.args
        slots = starts = self._slots(op.results, arguments)
        if isinstance(op, scf.WhileOp):
            starts = [(argument,) for argument in op.before_region.block.args]
        node.transfers.append(self._moves(op, op.iter_args if isinstance(op, scf.ForOp) else op.arguments, starts))
        head = tested = self.node(node)
        if isinstance(op, scf.WhileOp):
            before = op.before_region.block
            assert before.last_op is not None
            # The first operand is the flag.
            tested = self._block_with_moves(before, head, before.last_op.operands[1:], slots)
        assert body.last_op is not None
        turned = self._block_with_moves(body, self.node(tested), body.last_op.operands, starts)
        turned.edges.append((head, None))
        return self.node(tested)

    def _slots(self, results: Sequence[SSAValue], arguments: Sequence[SSAValue]) -> list[Sequence[SSAValue]]:
        """Where a loop keeps what it carries: its results, and the arguments of its body that are not the same slot."""
        frame = self.frame
        pairs = zip(results, arguments, strict=True)
        return [(r, a) if frame.has_bytes(r) and frame.home(a) is not frame.home(r) else (r,) for r, a in pairs]

    def _foreign(self, op: Operation, node: Node) -> Node:
        """The regions of an unknown region op run any number of times, in any order."""
        frame = self.frame
        inner = [o for region in op.regions for o in region.walk()]
        owners: set[Operation | Block] = {*inner, *(b for o in (op, *inner) for r in o.regions for b in r.blocks)}
        captured = [v for o in inner for v in o.operands if v.owner not in owners]
        sources = tensors(frame, [*op.operands, *captured])
        node.transfers.append(Transfer(op, frame.reads(sources)))
        head = self.node(node)
        yielded: list[SSAValue] = []
        for region in op.regions:
            block = region.blocks.first
            if block is None:
                continue
            lent = tensors(frame, block.args)
            writes = [(at, frame.label(a, op)) for a in lent if (at := frame.region(a)) is not None]
            entry = self.node(head)
            entry.transfers.append(Transfer(op, [], writes, lends=add_guard(frame, lent, sources)))
            for end in self.region(region, entry):
                end.edges.append((head, None))
            yielded += [v for b in region.blocks if b.last_op is not None for v in tensors(frame, b.last_op.operands)]
        behind = self.node(head)
        behind.transfers.append(foreign_effect(frame, op, (), [*sources, *yielded]))
        return behind


# Running


class AbstractInterpreter:
    """Runs nodes on states. A state only ever loses tokens from round to round, so an error in any round is final."""

    def __init__(self, frame: FunctionModel) -> None:
        self.frame = frame
        self.memory = frame.memory

    def run(self, nodes: Sequence[Node], state: State) -> None:
        """All paths through the nodes from the first one on; the state is used up."""
        loops = {n for node in nodes for to, _ in node.edges for n in range(to.number, node.number + 1)}
        entries = {0: state}
        waiting = [0]
        while waiting:
            number = heappop(waiting)
            after = entries[number].copy() if number in loops else entries.pop(number)
            for effect in nodes[number].transfers:
                self.apply(effect, after)
            for to, moves in nodes[number].edges:
                arriving = after.copy()
                if moves is not None:
                    self.apply(moves, arriving)
                before = entries.setdefault(to.number, arriving)
                changed = before is arriving or self.memory.meet(before, arriving)
                if changed and to.number not in waiting:
                    heappush(waiting, to.number)

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
        storage, bytes_ = self.memory.bytes_of(cell)
        self.frame.report(
            ViolationKind.OVERWRITTEN if writers else ViolationKind.UNWRITTEN,
            op,
            read.value,
            storage=storage,
            bytes_=bytes_,
            destroyers=writers,
            path=path(op, writers),
        )
