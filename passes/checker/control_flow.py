"""Control flow: a function as nodes, each a row of steps whose effects are known when the places of values are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import CONTROL, reverse_postorder
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.passes.checker.boundary import call_effect, give_to_unknown, move_effect, return_effect
from lastuse.passes.checker.function_model import FunctionModel, Transfer, is_boundary
from lastuse.passes.checker.transfer import add_guard, effect_of, foreign_effect, tensors
from lastuse.passes.checker.violation import ViolationKind

Effect = Callable[[], Transfer | None]
"""What a step does under the binding of forwarded storages that there is when it is asked."""


class FlowStep(NamedTuple):
    """An op or a boundary. `uses`: forwarded storages that it needs the places of; `binds`: those that it gives one;
    `touches`: all storages in which it has to do with bytes, None where that is not known."""

    effect: Effect
    uses: frozenset[Storage]
    binds: frozenset[Storage] = frozenset()
    touches: frozenset[Storage] | None = None


@dataclass(eq=False, slots=True)
class FlowNode:
    """Steps in a row. Control then goes along one of the edges, each with the moves made on it, or leaves."""

    number: int = -1
    steps: list[FlowStep] = field(default_factory=list[FlowStep])
    edges: list[tuple[FlowNode, FlowStep | None]] = field(default_factory=list["tuple[FlowNode, FlowStep | None]"])


class FlowBuilder:
    """Turns a region, and all regions in it, into nodes. Looks at every op once; nothing runs here.

    Blocks are numbered in reverse post-order, and nodes of a region op between those before and behind it: only the
    edges that close a loop lead to a node of the same or a lower number.
    """

    def __init__(self, frame: FunctionModel) -> None:
        self.frame = frame
        self.nodes: list[FlowNode] = []

    def node(self, *sources: FlowNode) -> FlowNode:
        """The next node; control comes from `sources`."""
        node = self._number(FlowNode())
        for source in sources:
            source.edges.append((node, None))
        return node

    def _number(self, node: FlowNode) -> FlowNode:
        node.number = len(self.nodes)
        self.nodes.append(node)
        return node

    def region(self, region: Region, entry: FlowNode) -> list[FlowNode]:
        """Adds the blocks of a region, the first one to `entry`. Returns the nodes where control leaves."""
        order = reverse_postorder(region)
        heads = {block: FlowNode() if index else entry for index, block in enumerate(order)}
        ends: list[FlowNode] = []
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
                end.edges.append((heads[to], self._move(last, list(zip(operands, to.args, strict=True)))))
        return ends

    def _block(self, block: Block, node: FlowNode) -> FlowNode:
        """Adds the ops of a block but for the moves its terminator makes. Returns the node behind them."""
        if block.first_op is not None:
            node.steps.append(FlowStep(partial(Transfer, block.first_op, begins=block), frozenset()))
        for op in block.ops:
            node = self._op(op, node)
        return node

    def _op(self, op: Operation, node: FlowNode) -> FlowNode:
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
        is_moved = is_boundary(op) and (op.successors or isinstance(op.parent_op(), CONTROL))
        if is_moved:  # what holds it makes its moves
            return node
        if self.frame.bindings.storages and any(map(self.frame.is_forwarded, op.results)):
            return self._choice(op, node)
        values = (*op.operands, *op.results) if self.frame.bindings.storages else ()
        step = self._step(lambda: self._effect(op), values)
        has_scratch = attrs.SCRATCH_OFFSET in op.attributes
        node.steps.append(step._replace(touches=None) if has_scratch else step)
        return node

    def _step(self, effect: Effect, values: Iterable[SSAValue], binds: Iterable[SSAValue] = ()) -> FlowStep:
        """A step that needs the places of `values`."""
        frame = self.frame
        if not frame.bindings.storages:
            return FlowStep(effect, frozenset())
        places = [frame.placed.of[v] for v in values if v in frame.placed.of]
        bound = frozenset(frame.place_of(v).storage for v in binds)
        touched = frozenset(p.storage for p in places)
        return FlowStep(effect, touched & frame.bindings.storages, bound, touched | bound)

    def _move(self, op: Operation, pairs: Sequence[tuple[SSAValue, SSAValue]]) -> FlowStep:
        """The parallel move that `op` makes."""
        bound = [target for _, target in pairs if self.frame.is_forwarded(target)]
        written = (target for _, target in pairs if target not in bound)
        return self._step(lambda: move_effect(self.frame, op, pairs), (*(s for s, _ in pairs), *written), bound)

    def _choice(self, op: Operation, node: FlowNode) -> FlowNode:
        """An op of which a result is one of its operands: as many ways as there are operands."""
        ways = list(passed_by(op))
        if len(op.results) > 1 or not ways:
            self.frame.report(ViolationKind.UNSUPPORTED, op)
        behind = self.node()
        node.edges += [(behind, self._move(op, [(way.source, way.target)])) for way in ways]
        return behind

    def _effect(self, op: Operation) -> Transfer | None:
        if is_boundary(op):
            return return_effect(self.frame, op)
        callee = self.frame.callee(op)
        if callee is not None:
            return call_effect(self.frame, op, callee)
        effect = effect_of(self.frame, op) if not op.successors else None
        if effect is not None and attrs.DONATE in op.attributes:
            give_to_unknown(self.frame, op, effect)
        return effect

    def _block_with_moves(
        self, block: Block, node: FlowNode, sources: Sequence[SSAValue], targets: Sequence[Sequence[SSAValue]]
    ) -> FlowNode:
        """Adds a block and the moves of its terminator, of each source to all of its targets."""
        assert block.last_op is not None
        end = self._block(block, node)
        end.steps.append(self._moves(block.last_op, sources, targets))
        return end

    def _moves(self, op: Operation, sources: Sequence[SSAValue], targets: Sequence[Sequence[SSAValue]]) -> FlowStep:
        return self._move(op, [(s, target) for s, group in zip(sources, targets, strict=True) for target in group])

    def _if(self, op: scf.IfOp, node: FlowNode) -> FlowNode:
        ends: list[FlowNode] = []
        for region in op.regions:
            block = region.blocks.first
            if block is None or block.last_op is None:
                ends.append(node)
            else:
                targets = [(result,) for result in op.results]
                ends.append(self._block_with_moves(block, self.node(node), block.last_op.operands, targets))
        return self.node(*ends)

    def _loop(self, op: scf.ForOp | scf.WhileOp, node: FlowNode) -> FlowNode:
        """What enters moves into the slots that a turn starts from. A while makes the moves of its condition before it
        leaves: the arguments of its second region are the results' slots."""
        body = op.body.block if isinstance(op, scf.ForOp) else op.after_region.block
        arguments = body.args[1:] if isinstance(op, scf.ForOp) else body.args
        slots = starts = self._slots(op.results, arguments)
        if isinstance(op, scf.WhileOp):
            starts = [(argument,) for argument in op.before_region.block.args]
        node.steps.append(self._moves(op, op.iter_args if isinstance(op, scf.ForOp) else op.arguments, starts))
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

    def _foreign(self, op: Operation, node: FlowNode) -> FlowNode:
        """The regions of an unknown region op run any number of times, in any order."""
        frame = self.frame
        inner = [o for region in op.regions for o in region.walk()]
        owners: set[Operation | Block] = {*inner, *(b for o in (op, *inner) for r in o.regions for b in r.blocks)}
        captured = [v for o in inner for v in o.operands if v.owner not in owners]
        sources = tensors(frame, [*op.operands, *captured])
        node.steps.append(self._step(lambda: Transfer(op, frame.reads(sources)), sources))
        head = self.node(node)
        yielded: list[SSAValue] = []
        for region in op.regions:
            block = region.blocks.first
            if block is None:
                continue
            lent = tensors(frame, block.args)
            entry = self.node(head)
            entry.steps.append(self._step(partial(_enter, frame, op, lent, sources), sources))
            for end in self.region(region, entry):
                end.edges.append((head, None))
            yielded += [v for b in region.blocks if b.last_op is not None for v in tensors(frame, b.last_op.operands)]
        behind = self.node(head)
        hosts = [*sources, *yielded]
        behind.steps.append(self._step(lambda: foreign_effect(frame, op, (), hosts), (*hosts, *op.results)))
        return behind


def _enter(frame: FunctionModel, op: Operation, lent: Sequence[SSAValue], sources: Sequence[SSAValue]) -> Transfer:
    """An unknown region op hands what it is given, or parts of it, to a block."""
    writes = [(at, frame.label(a, op)) for a in lent if (at := frame.region(a)) is not None]
    return Transfer(op, [], writes, lends=add_guard(frame, lent, sources))
