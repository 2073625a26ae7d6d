"""Region ops in the greedy analysis: slots of loops, results of branches, and the copies at their boundaries.

A loop's iteration argument and result are one slot (docs/storage.md, 5). It may lie at the init, if that is not read
again, in the loop or after it. A branch's result may lie where its arms compute what they yield: in storage of the
arms' own, which then gets a number, or where all arms left it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import CONTROL, is_control, is_inside
from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contribution
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import is_dense, same_bytes
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason, Refusal
from lastuse.passes.inplace_analysis.alias_sets import AliasSet, AliasSets
from lastuse.passes.inplace_analysis.legality import Legality

UNDECIDED = Decisions()


class LoopSlot(NamedTuple):
    """A result of a loop with the block arguments that share its memory, and the operand that is its initial value."""

    result: OpResult
    arguments: tuple[BlockArgument, ...]
    init: int


class Movement(NamedTuple):
    """Bytes that `op` copies from `source` into `target` unless they are there already: a `contribution` of a
    data-movement op, or a value at a boundary, whose number or successor is `way`. The bytes are counted ten times for
    each loop around; 0 where they were not counted."""

    op: Operation
    source: SSAValue
    target: SSAValue
    contribution: Contribution | None = None
    bytes: int = 0
    way: int = 0


def slots(op: Operation) -> list[LoopSlot]:
    """The slots of a loop; none for other ops."""
    if not is_control(type(op)):
        return []
    if isinstance(op, scf.ForOp):
        return [LoopSlot(r, (op.body.block.args[r.index + 1],), r.index + 3) for r in op.results]
    if isinstance(op, scf.WhileOp):
        before, after = op.before_region.block, op.after_region.block
        paired = [r for r, argument in zip(op.results, before.args, strict=False) if argument.type == r.type]
        both = [LoopSlot(r, (before.args[r.index], after.args[r.index]), r.index) for r in paired]
        return both + [LoopSlot(r, (after.args[r.index],), -1) for r in op.results if r not in paired]
    return []


def moves(op: Operation) -> Iterator[Movement]:
    """Every move at a boundary of a region op: on entry, at the back edge, at the exit; or of a branch, to each of its
    successors."""
    for way, (mover, sources, targets) in enumerate(forwarded_operands(op) if moves_values(op) else ()):
        # A move into an argument that shares its loop's slot is the one into the result.
        if not any(isinstance(target, BlockArgument) and UNDECIDED.slot_of(target) for target in targets):
            yield from (Movement(mover, a, b, way=way) for a, b in zip(sources, targets, strict=True))


def moves_values(op: Operation) -> bool:
    """The op is a region op whose control flow is known, or a branch."""
    return is_control(type(op)) or op.next_op is None and bool(op.successors)


@remembered
def movers_in(ops: tuple[Operation, ...]) -> Set[Operation]:
    """The ops of a program that `moves_values` holds for."""
    return frozenset([op for op in ops if (op.regions or op.next_op is None) and moves_values(op)])


class RegionOps:
    """Places results and block arguments of region ops, before and after the ops in them.

    `chosen`: all decisions, where they are taken already."""

    def __init__(
        self,
        program: NumberedOps,
        sets: AliasSets,
        legality: Legality,
        reuse: dict[SSAValue, int],
        chosen: Decisions | None = None,
    ) -> None:
        self.program, self.sets, self.legality, self.reuse = program, sets, legality, reuse
        self.decisions = program.decisions
        self.chosen = chosen
        numbers = (*attrs.numbers_in(program.func), *map(sets.decisions.number_of, program.func.args))
        self.first_new = self.next_number = max(numbers, default=-1) + 1

    def enter(self, op: Operation) -> list[Refusal]:
        """Place the results of a region op: a loop's slots lie at their init, or are refused that."""
        refused: list[Refusal] = []
        hosts: set[int] = set()
        for slot in slots(op):
            result, init = slot.result, slot.init
            if result not in self.program.sizes:
                continue
            refusal = None
            if init >= 0 and (self.chosen or self.decisions).inplace.get(result, -1) < 0:
                refusal = self._slot_refusal(op, slot, hosts)
                if refusal is None and self.chosen is not None:
                    refusal = Refusal(Reason.TAKEN, result.index, init, op.operands[init])
            if refusal is not None:
                refused.append(refusal)
            elif init >= 0:
                hosts.add(init)
            self.sets.assign(result, init if refusal is None else -1)
        for result in op.results:
            if result in self.program.sizes and result not in self.sets.at:
                self.sets.assign(result)
        return refused

    def _slot_refusal(self, op: Operation, slot: LoopSlot, hosts: set[int]) -> Refusal | None:
        """Why a slot may not lie at its init."""
        index, k, init = slot.result.index, slot.init, op.operands[slot.init]
        values = (slot.result, *slot.arguments)
        if any(self.decisions.offset_of(v) >= 0 for v in values) or self.sets.is_planned(init):
            return Refusal(Reason.DECIDED, index, k)
        if self.program.typed(init) != self.program.typed(slot.result):
            return Refusal(Reason.SIZE, index, k, init)
        early = self.legality.storage_refusal(op, index, k)
        if early is not None:
            return early
        group, place = self.sets.position(init)
        if self._is_given(group) or any(self.decisions.number_of(v) >= 0 for v in values):
            return Refusal(Reason.NEXT_OP_REUSES, index, k, init, op)
        if not is_dense(place):
            return Refusal(Reason.LAYOUT, index, k, init)
        slices = self.legality.contents.slices
        for value in self.program.captures(op):
            if any(a.root is b.root for a in slices[init] for b in slices[value]):
                return Refusal(Reason.CONTROL_FLOW, index, k, value, op)
        if any(self.legality.meet(op, k, other) for other in hosts):
            return Refusal(Reason.TAKEN, index, k, init, op)
        return self.legality.read_refusal(op, index, k, list(slices[init]))

    def leave(self, op: Operation) -> None:
        """Place the results of a branch where its arms left them, or what the arms computed in the result."""
        arms = [sources for _, sources, _ in forwarded_operands(op)] if isinstance(op, scf.IfOp) else []
        for result in op.results if arms else ():
            has_place = self.decisions.number_of(result) >= 0 or self.decisions.offset_of(result) >= 0
            if result in self.program.sizes and not has_place:
                self._join(op, result, [sources[result.index] for sources in arms])

    def _join(self, op: Operation, result: OpResult, yielded: list[SSAValue]) -> None:
        positions = [self.sets.position(v) for v in yielded]
        others = [r for r in op.results if r is not result and r in self.sets.at]
        if any(self.sets.position(r).group is s.group for r in others for s in positions):
            return  # two results in one storage
        own, first = self.program.dense(result), positions[0].group
        together = all(s.group is first and same_bytes(s.layout, own) for s in positions)
        if together and self._may_be_numbered(first) and self._is_handed_on(op, first):
            self._number(result, [first])
            return
        joined: list[AliasSet] = []
        for position in positions:
            local = all(is_inside(v, op) for v in position.group.members) and same_bytes(position.layout, own)
            if local and self._may_be_numbered(position.group) and position.group not in joined:
                joined.append(position.group)
        if joined:
            self._number(result, joined)

    def _may_be_numbered(self, group: AliasSet) -> bool:
        """The set is free, and none of its values is an argument of a block: all branches to it would have to agree."""
        blocks = any(isinstance(v, BlockArgument) and not group.argument and _is_of_blocks(v) for v in group.members)
        free = group.fixed is None and not group.has_parts
        planned = any(self.decisions.offset_of(v) >= 0 for v in group.members)
        return free and not blocks and not planned and not self._is_given(group)

    def _is_given(self, group: AliasSet) -> bool:
        """The set had its number before: others, met later, may be in it while what crosses the boundary is live."""
        return 0 <= group.number < self.first_new

    def _is_handed_on(self, op: Operation, group: AliasSet) -> bool:
        """Only the result needs the set after the branch, and no block argument brings it back before: a later decision
        over one of its values would not know of the result."""
        slices = self.legality.contents.slices
        block = op.parent_block()
        return all(
            is_inside(v, op) or v.owner is block or isinstance(v.owner, Operation) and v.owner.parent is block
            for v in group.members
        ) and not any(self.legality.read_after(p, op) for v in group.members for p in slices[v])

    def _number(self, result: OpResult, groups: list[AliasSet]) -> None:
        """Result and sets become one numbered storage."""
        number = next((g.number for g in groups if g.number >= 0), -1)
        if number < 0:
            number, self.next_number = self.next_number, self.next_number + 1
        shared = groups[0]
        shared.number = number
        for group in groups:
            if group is not shared:
                self.sets.merge(group, shared)
            self.reuse[group.root] = number
        self.sets.move(result, shared)
        self.reuse[result] = number


def _is_of_blocks(value: BlockArgument) -> bool:
    """An argument that branches move values into; others are slots of their op, and share its results' numbers."""
    return not isinstance(value.block.parent_op(), CONTROL)
