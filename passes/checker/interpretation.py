"""Runs a function's nodes, once for each binding of its forwarded storages, on the state of the memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from xdsl.ir import Operation, OpResult

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, Storage
from lastuse.passes.checker.byte_regions import ByteRegion
from lastuse.passes.checker.control_flow import FlowNode, FlowStep
from lastuse.passes.checker.function_model import FunctionModel, RequiredRead, Transfer
from lastuse.passes.checker.memory import State
from lastuse.passes.checker.token_lifetimes import born, last_uses
from lastuse.passes.checker.trace import path
from lastuse.passes.checker.violation import ViolationKind

MAX_BINDINGS = 64
"""Bindings at one node beyond which a plan is refused."""
_FEW_BINDINGS = 4
"""Of storages that are looked at together where there are more: with two ways each, two take as long as one."""

_Binding = frozenset[tuple[Storage, Place]]


@dataclass(eq=False, slots=True)
class Node:
    """A node under one binding: transfers in a row, then one of the edges, each with its moves."""

    number: int = -1
    transfers: list[Transfer] = field(default_factory=list[Transfer])
    edges: list[tuple[Node, Transfer | None]] = field(default_factory=list["tuple[Node, Transfer | None]"])


def with_bindings(frame: FunctionModel, nodes: Sequence[FlowNode]) -> list[list[Node]]:
    """Each node under each binding that reaches it, in the order of the nodes: different bindings stay apart where
    paths meet. A binding has the forwarded storages that are needed from there on.

    Where more than `MAX_BINDINGS` of all forwarded storages reach a node, there is a row of nodes for each set of these
    that never share a byte with others, and one without any. What is done to a byte that some of a set may be is all
    in the row of the set. Where as many bindings of one set reach a node, its row stops there, with a violation.
    """
    needed = _needed(nodes) if frame.bindings.storages else [frozenset[Storage]()] * len(nodes)
    row, is_full = _row(frame, nodes, needed)
    return _rows(frame, nodes, needed) if is_full else [row]


def _rows(frame: FunctionModel, nodes: Sequence[FlowNode], needed: Sequence[frozenset[Storage]]) -> list[list[Node]]:
    """A row without forwarded storages, and one of each set of them. This one has only what is done in storages where
    these may lie, but where something may be lent memory of others."""
    bindings = frame.bindings
    ops = frame.ops
    lends = any(frame.is_foreign(o) or frame.callee(o) is not None or attrs.DONATE in o.attributes for o in ops)
    bindings.hidden = bindings.storages
    rows = [_row(frame, nodes, needed)[0]]
    for storages, may_be in bindings.apart(_FEW_BINDINGS):
        bindings.hidden = bindings.storages - storages
        row, is_full = _row(frame, nodes, needed, None if lends else storages | may_be)
        rows.append(row)
        if is_full:
            _report(frame, storages)
            break
    bindings.hidden = frozenset()
    return rows


def _row(
    frame: FunctionModel,
    nodes: Sequence[FlowNode],
    needed: Sequence[frozenset[Storage]],
    seen: frozenset[Storage] | None = None,
) -> tuple[list[Node], bool]:
    """The nodes under the bindings of the storages that are not hidden, and whether it stops at a node that too many of
    these reach.

    Args:
        needed: by node, the forwarded storages whose places are needed from there on.
        seen: the storages in which anything is done; without it, all that are not hidden.
    """
    made: list[dict[_Binding, Node]] = [{} for _ in nodes]
    waiting: list[tuple[int, int]] = []
    bindings: list[Mapping[Storage, Place]] = []
    is_full = False

    def reach(number: int, binding: Mapping[Storage, Place]) -> Node:
        kept = {storage: place for storage, place in binding.items() if storage in needed[number]}
        key = frozenset(kept.items())
        if key not in made[number]:
            made[number][key] = Node()
            heappush(waiting, (number, len(bindings)))
            bindings.append(kept)
        return made[number][key]

    def effect_of(step: FlowStep, to: list[Transfer]) -> Transfer | None:
        if seen is not None and step.touches is not None and seen.isdisjoint(step.touches):
            return None
        effect = step.effect()
        if effect is not None:
            if frame.bindings.hidden or seen is not None:
                _leave_out(effect, frame.bindings.hidden, seen)
            to.append(effect)
            if effect.binds:
                frame.bindings.now.update(effect.binds)
        return effect

    reach(0, {})
    while waiting:
        number, index = heappop(waiting)
        if len(made[number]) > MAX_BINDINGS:
            is_full = True
            break
        node = reach(number, bindings[index])
        frame.bindings.now = dict(bindings[index])
        for step in nodes[number].steps:
            effect_of(step, node.transfers)
        after = dict(frame.bindings.now)
        for to, step in nodes[number].edges:
            frame.bindings.now = dict(after)
            moves = effect_of(step, []) if step is not None else None
            node.edges.append((reach(to.number, frame.bindings.now), moves))
    ordered = [node for row in made for node in row.values()]
    for number, node in enumerate(ordered):
        node.number = number
    return ordered, is_full


def _leave_out(effect: Transfer, hidden: frozenset[Storage], seen: frozenset[Storage] | None) -> None:
    """Leaves out what an op does in storages that are hidden, or not among those that are `seen`."""

    def is_kept(region: ByteRegion) -> bool:
        return region.storage not in hidden and (seen is None or region.storage in seen)

    effect.reads = [read for read in effect.reads if is_kept(read.region)]
    effect.writes = [(region, label) for region, label in effect.writes if is_kept(region)]
    effect.adds = [(region, token) for region, token in effect.adds if is_kept(region)]
    effect.makes = [(region, token) for region, token in effect.makes if is_kept(region)]


def _report(frame: FunctionModel, storages: frozenset[Storage]) -> None:
    """The decisions that there are too many of are those of the function."""
    holders = [storage.key for storage in storages]
    decisions = [d for value in holders if not isinstance(value, int) for d in frame.decisions_for(value)]
    frame.report(ViolationKind.TOO_MANY_WAYS, frame.function, also=decisions)


def _needed(nodes: Sequence[FlowNode]) -> list[frozenset[Storage]]:
    """By node, the forwarded storages whose places are needed in it, or behind it, before they are bound again."""
    needed = [frozenset[Storage]() for _ in nodes]
    changed = True
    while changed:
        changed = False
        for node in reversed(nodes):
            live = frozenset[Storage]()
            for to, moves in node.edges:
                live |= needed[to.number] if moves is None else needed[to.number] - moves.binds | moves.uses
            for step in reversed(node.steps):
                live = live - step.binds | step.uses
            if live != needed[node.number]:
                needed[node.number], changed = live, True
    return needed


class AbstractInterpreter:
    """Runs nodes on states. A state only ever loses tokens from round to round, so an error in any round is final."""

    def __init__(self, frame: FunctionModel) -> None:
        self.frame = frame
        self.memory = frame.memory

    def run(self, nodes: Sequence[Node], state: State) -> None:
        """All paths through the nodes from the first one on; the state is used up."""
        loops = {n for node in nodes for to, _ in node.edges for n in range(to.number, node.number + 1)}
        moves = [moves for node in nodes for _, moves in node.edges if moves is not None]
        lifetimes = last_uses(self.frame, [node.transfers for node in nodes], moves)
        entries = {0: state}
        waiting = [0]
        while waiting:
            number = heappop(waiting)
            after = entries[number].copy() if number in loops else entries.pop(number)
            self.memory.dead -= born(lifetimes[number])
            for place, effect in enumerate(nodes[number].transfers):
                self.apply(effect, after)
                self.memory.dead.update(lifetimes[number].get(place, ()))
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
        if effect.begins is not None:
            memory.renew(state, effect.begins)
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
        for region, token in effect.makes:
            if memory.missing(state, region, token) < 0:
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
        writers = self.memory.writers[state[1, cell]]
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
