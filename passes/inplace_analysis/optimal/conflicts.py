"""What is wrong with an assignment: docs/storage.md, 4 and 5, on the places of one component.

A write conflicts with a live value if both have one byte; the variables that placed the two there are the
cause. The same holds for conflicts within one op (a result on an operand without permission, a copy onto its own
source).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage.contract import Contribution, View, is_region_op
from lastuse.dialect.storage.layout import EXACT_BYTES, Layout, Strided, fits, is_dense, mapped, may_overlap, same_bytes
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.inplace_analysis.alias_sets import why_fixed
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Nogood
from lastuse.passes.inplace_analysis.optimal.last_reads import ALWAYS, LastRead
from lastuse.passes.inplace_analysis.optimal.op_facts import OpFacts, may_lie_on
from lastuse.passes.inplace_analysis.place_index import LivePlaces
from lastuse.passes.inplace_analysis.read_after_write import meet
from lastuse.passes.inplace_analysis.region_ops import Movement, moves_values

ENOUGH_NOGOODS = 256
"""More than these are not looked for: there is enough to go on with."""

MOST_PAIRS = 32
"""Pairs of values that are looked at before two values may have bytes in common."""

Unless = tuple[SSAValue, SSAValue] | None
"""Two values; what is wrong is right where they lie at one place. None: it is wrong anywhere."""


class Write(NamedTuple):
    """`op` writes bytes of `value`, `layout` without `minus`, at `time`, unless the pair `unless` lies at the same
    bytes. `into`: the block that a branch passes the value to."""

    time: int
    block: Block
    into: Block | None
    value: SSAValue
    layout: Layout
    minus: tuple[Layout, ...]
    op: Operation
    unless: Unless


class Guarded(NamedTuple):
    """Bytes of `value` that stay as long as `need` lives: its own, or those that a value borrowed from it may be."""

    need: LastRead
    value: SSAValue
    born: int
    borrowed: bool


PlacedRead = tuple[int, SSAValue, tuple[SSAValue, Layout]]
"""An operand that is read, by number, and its place."""


class Conflicts:
    """All conflicts of one assignment. `nogoods`: sets of choices that cannot all be taken, each with the pair of
    values that, at the same bytes, would end the conflict."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment, self.reads = assignment, assignment.reads
        self.program, self.component, self.at = assignment.program, assignment.component, assignment.at
        self.nogoods: dict[Nogood, Unless] = dict.fromkeys(self.assignment.nogoods)
        self.writes: dict[SSAValue, list[Write]] = {}
        for facts in self.component.facts or map(assignment.variables.facts, self.component.ops):
            self._op(facts)
        for root, members in self.assignment.groups.items():
            if len(self.nogoods) >= ENOUGH_NOGOODS:
                break
            self._guests(root, members)
            self._group(root, self.writes.get(root, ()))

    # Within one op

    def _op(self, facts: OpFacts) -> None:
        contract = facts.contract
        if facts.moves:
            for moves in self.assignment.moves(facts.op):
                self._boundary(moves)
        elif contract.foreign:
            self._foreign(facts)
        elif contract.constant:
            return
        elif contract.contributions:
            result = facts.op.results[0]
            if (there := self.at.get(result)) is not None:
                self._data_movement(facts, result, *there)
        else:
            self._kernel(facts)

    def _boundary(self, moves: Sequence[Movement]) -> None:
        for n, move in enumerate(moves):
            if not self.assignment.is_there(move):
                facts = self.assignment.variables.facts(move.op)
                self._write(facts, move.target, self.at[move.target][1], (), (move.source, move.target))
            for other in moves[:n]:
                if not self.assignment.meet(move.target, other.target):
                    continue
                same = move.source is other.source or self.assignment.same(move.source, other.source)
                same = same and self.assignment.same(move.target, other.target)
                is_one = self.reads.origin(move.source) is self.reads.origin(other.source)
                if not (same and is_one):
                    self._conflict(move.target, other.target, unless=(move.source, other.source) if is_one else None)

    def _foreign(self, facts: OpFacts) -> None:
        """A result that has a number is written to its storage."""
        for result in facts.op.results:
            if result in self.at and result in self.assignment.variables.numbers:
                self._write(facts, result, self.at[result][1])

    def _data_movement(self, facts: OpFacts, result: OpResult, root: SSAValue, place: Layout) -> None:
        op, contract = facts.op, facts.contract
        operands = operands_of(op)
        parts: list[Layout] = []
        copied: list[tuple[Layout, tuple[Layout, ...], Unless]] = []
        sources: list[tuple[SSAValue, Layout, tuple[Layout, ...]]] = []
        for contribution in contract.contributions:
            operand = operands[contribution.operand]
            part = contribution.part(place)
            if part is not None and not is_injective(part):
                self._made_by_kernel(facts, result)
                return
            if not contribution.complement and part is not None:
                parts.append(part)
            target = contribution.place(place) or place
            minus = (part,) if contribution.complement and part is not None else ()
            if (there := self.at.get(operand)) is None:
                copied.append((target, minus, (operand, result)))
                continue
            origin, layout = there
            # Where elements share bytes, those under the part are bytes of elements outside of it too.
            hole = contribution.part(layout) if contribution.complement and is_injective(layout) else None
            sources.append((operand, layout, (hole,) if hole is not None else ()))
            if not (origin is root and same_bytes(layout, target)):
                copied.append((target, minus, (operand, result)))
        if contract.fill:
            copied.append((place, tuple(parts), None))
        for layout, minus, unless in copied:
            self._write(facts, result, layout, minus, unless)
            for operand, source, hole in sources:
                if self.at[operand][0] is root and meet(layout, source, (*minus, *hole)):
                    strided = (v for v in (result, operand) if not is_dense(self.at[v][1]))
                    ends = unless is not None and not self._exclude(op, unless[0], operand, layout)
                    self._conflict(result, operand, *strided, unless=unless if ends else None)

    def _made_by_kernel(self, facts: OpFacts, result: OpResult) -> None:
        """A byte of a part is several elements: the kernel writes the whole result, never in place."""
        self._write(facts, result, self.at[result][1])
        for operand in operands_of(facts.op):
            self._apart(result, operand)

    def _kernel(self, facts: OpFacts) -> None:
        op, contract, at = facts.op, facts.contract, self.at
        if contract.views:
            self._all_apart([op.results[v.result] for v in contract.views if self._copies(facts, v)])
        results = [(r, place) for r in facts.results if (place := at.get(r)) is not None]
        if not results and (contract.views or contract.strided):
            return
        self._all_apart([r for r, _ in results])
        reads = [(k, v, place) for k, v in facts.reads if (place := at.get(v)) is not None]
        for result, (root, layout) in results:
            self._write(facts, result, layout)
            if reads:
                self._permission(facts, result, root, layout, reads)
        if not contract.strided:
            for value, (_, layout) in (*results, *((v, place) for _, v, place in reads)):
                if not is_dense(layout):
                    self._conflict(value, self._dense_above(value))

    def _all_apart(self, values: Sequence[SSAValue]) -> None:
        for n, value in enumerate(values):
            for other in values[:n]:
                self._apart(value, other)

    def _apart(self, value: SSAValue, other: SSAValue) -> None:
        """Two values that may share no byte."""
        if self.assignment.meet(value, other):
            self._conflict(value, other)

    def _copies(self, facts: OpFacts, view: View) -> bool:
        """A view that has to be a copy here writes its result, and reads its operand meanwhile."""
        op = facts.op
        result, operand = op.results[view.result], operands_of(op)[view.operand]
        if result not in self.at or self.reads.view(result) is not None and result not in self.assignment.copies:
            return False
        root, layout = self.at[result]
        if operand in self.at and self.at[operand][0] is root:
            source = self.at[operand][1]
            seen = mapped(view.map, source)
            if seen is not None and same_bytes(seen, layout):
                return False
            if may_overlap(source if seen is None else seen, layout):
                self._conflict(result, operand)
        self._write(facts, result, layout, (), (operand, result))
        return True

    def _permission(
        self, facts: OpFacts, result: OpResult, root: SSAValue, layout: Layout, reads: Sequence[PlacedRead]
    ) -> None:
        """A result may lie on an operand only where the kernel permits it, and then on no other operand, or exactly on
        it."""
        met = [(k, v, place) for k, v, (home, place) in reads if home is root and may_overlap(layout, place)]
        if not met:
            return
        meets = {k: v for k, v, _ in met}
        exact = [k for k, _, place in met if same_bytes(layout, place)]
        if may_lie_on(facts.contract, result.index, meets, exact):
            return
        overs = [o for o in facts.contract.over if o.result == result.index]
        # On one of them it must not be by itself, or only not on all of them together.
        never = [k for k in meets if k not in exact or not any(o.operand == k or o.allow_same_operand for o in overs)]
        for k in never:
            self._conflict(result, meets[k])
        if not never:
            self._note((n for v in meets.values() for n in self.assignment.path(result, v)), None)

    def _dense_above(self, value: SSAValue) -> SSAValue:
        """The nearest dense value that the place of `value` follows from."""
        while (parent := self.assignment.parent(value)) is not None and not is_dense(self.at[value][1]):
            value = parent
        return value

    # Between ops

    def _write(
        self,
        facts: OpFacts,
        value: SSAValue,
        layout: Layout,
        minus: tuple[Layout, ...] = (),
        unless: Unless = None,
    ) -> None:
        root, place = self.at[value]
        if root is not value and not is_injective(place):
            self._conflict(value, self._dense_above(value))
        into = None
        if not isinstance(value, OpResult) and isinstance(value, BlockArgument) and facts.op.successors:
            into = value.block
        write = Write(facts.time, facts.block, into, value, layout, minus, facts.op, unless)
        self.writes.setdefault(root, []).append(write)

    def _group(self, root: SSAValue, writes: Sequence[Write]) -> None:
        members = self.assignment.groups[root]
        if why_fixed(self.program, root, self.assignment.variables.numbers.get(root, -1)) is not None:
            for write in writes:
                if size_of(write.layout) and len(self.nogoods) < ENOUGH_NOGOODS:
                    self._conflict(write.value, root, unless=write.unless)
        if self.program.is_argument(root):
            for value in members:
                if not fits(self.at[value][1], self.at[root][1]):
                    self._conflict(value, root)
        if len(members) == 1 or not writes:
            return
        waiting = sorted(self._guarded(members), key=lambda g: g.born)[::-1]
        active = LivePlaces(self._place_of, lambda g: g.need.until)
        for write in sorted(writes, key=lambda w: w.time):
            while waiting and waiting[-1].born < write.time:
                active.add(waiting.pop())
            for guarded in active.near(write.layout, write.time):
                if guarded.value is not write.value and self._ruins(write, guarded):
                    strided = self._why_read(guarded.need, write)
                    unless = write.unless
                    if unless is not None and self._exclude(write.op, unless[0], guarded.value, write.layout):
                        unless = None
                    self._conflict(write.value, guarded.value, *strided, unless=unless)
                    if len(self.nogoods) >= ENOUGH_NOGOODS:
                        return

    def _place_of(self, guarded: Guarded) -> Layout | None:
        """Where bytes are that stay; None of a slice whose index values may be others."""
        always, place = guarded.need.leaves_a_block, self.at[guarded.value][1]
        return None if always and isinstance(place, RuntimeSlice) else place

    def _exclude(self, op: Operation, source: SSAValue, other: SSAValue, target: Layout) -> bool:
        """Two values that `op` finds live never have a byte in common: so where `target`, the place of `source`, has
        bytes of `other` no choice puts `source` there. The later one of both, and all that it is moved together from
        until the earlier one was there, is written by kernels in the block of `op`; each of these ruins what has its
        bytes."""
        block, origin = op.parent_block(), self.reads.origin
        pairs: list[tuple[SSAValue, SSAValue, Layout | None]] = [(origin(source), other, self.at[other][1])]
        for one, two, place in pairs:
            late, early = origin(two), one
            is_other = self.reads.born(one) <= self.reads.born(late)
            if not is_other:
                late, early = early, late
            if early is late or not isinstance(late, OpResult) or late.op.parent_block() is not block:
                return False
            contract = self.program.contract(late.op)
            if contract.foreign or contract.constant or is_region_op(late.op) or moves_values(late.op):
                return False
            known = place if is_other and two is late else None
            for contribution in contract.contributions:
                operand = operands_of(late.op)[contribution.operand]
                if operand in self.program.sizes and not (known and self._misses(contribution, known, target)):
                    part = contribution.place(known) if known is not None else None
                    pairs.append((one, operand, part) if is_other else (origin(operand), two, place))
            if len(pairs) > MOST_PAIRS:
                return False
        return True

    def _misses(self, contribution: Contribution, place: Layout, target: Layout) -> bool:
        """What a contribution brings to a result at `place` has no byte of `target`."""
        part = contribution.part(place)
        if contribution.complement:
            return not meet(target, place, (part,) if part is not None and is_injective(place) else ())
        return part is not None and not may_overlap(target, part)

    def _guests(self, root: SSAValue, members: Sequence[SSAValue]) -> None:
        """Nothing but views shares borrowed memory, and no new decision uses bytes that a plan has assigned."""
        if not (self.reads.is_borrowed(root) or root in self.assignment.variables.planned):
            return
        for value in members:
            if self.assignment.over.get(value, -1) >= 0:
                self._conflict(value, root)

    def _guarded(self, members: Sequence[SSAValue]) -> Iterator[Guarded]:
        needs, copies = self.reads.needs, self.assignment.copies
        for value in members:
            for need in needs.get(value, ()):
                if need.view is None or need.view in copies:
                    yield Guarded(need, value, self._born(value, need) if copies else need.born, False)
            for reader in self.reads.borrowers(value):
                for need in needs.get(reader, ()):
                    if need.view is None or need.view in copies:
                        yield Guarded(need, value, need.born, True)

    def _why_read(self, need: LastRead, write: Write) -> Iterator[SSAValue]:
        """Values whose strides cause more bytes to be read or written: the operand of a view that has to be a copy
        there, the base of a scatter whose part cannot be told apart."""
        if need.view is not None and (view := self.reads.view(need.view)) is not None:
            yield operands_of(need.view.op)[view.operand]
        for value in (need.value, write.value):
            carried = need.contribution is not None or self.program.contracts[write.time // 2].contributions
            if carried and value in self.at and not is_dense(self.at[value][1]):
                yield value

    def _born(self, value: SSAValue, need: LastRead) -> int:
        """When the bytes of `value` are written; of a view of a copy, when the copy is."""
        copies = self.assignment.copies
        while (view := self.reads.view(value)) is not None:
            assert isinstance(value, OpResult)
            if value in copies:
                return 2 * self.program.at[value.op]
            value = operands_of(value.op)[view.operand]
        return need.born

    def _ruins(self, write: Write, guarded: Guarded) -> bool:
        need = guarded.need
        if write.into is not None and not guarded.borrowed:
            if not self.reads.enters(need, write.into):
                return False
        elif not need.lives(write.block, write.time - guarded.borrowed):
            return False
        layout = self.at[guarded.value][1]
        minus: tuple[Layout, ...] = ()
        if need.contribution is not None and not guarded.borrowed:
            hole = need.contribution.part(layout)
            minus = (hole,) if hole is not None and is_injective(layout) else ()
        gone = (*write.minus, *minus)
        if need.last_in(write.block) == ALWAYS:
            # Read on another path or in another iteration, where index values are others: any part may be meant.
            gone = tuple(m for m in gone if not isinstance(m, RuntimeSlice))
            layout = layout.hull if isinstance(layout, RuntimeSlice) else layout
        return meet(write.layout, layout, gone)

    # Nogood

    def _conflict(self, a: SSAValue, b: SSAValue, *strided: SSAValue, unless: Unless = None) -> None:
        """The choices that place `a` and `b` in one storage conflict, with those that place `strided` at strides, where
        that matters."""
        path = self.assignment.path(a, b)
        for value in strided:
            path += self.assignment.path(value, self._dense_above(value))
        self._note(path, unless)

    def _note(self, choices: Iterable[int], unless: Unless) -> None:
        nogood = frozenset(n for n in choices if n >= 0)
        self.nogoods[nogood] = self.nogoods.get(nogood, unless) and unless


def is_injective(layout: Layout) -> bool:
    """No byte is two elements; False where there are too many bytes to compare."""
    if not isinstance(layout, Strided) or layout.injective or not layout.elements:
        return True
    return layout.nbytes <= EXACT_BYTES and np.unique(layout.bytes()).size == layout.nbytes


def size_of(layout: Layout) -> int:
    """Bytes of a layout; 1 where they are not known."""
    return layout.nbytes if isinstance(layout, Strided) else 1
