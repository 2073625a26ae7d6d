"""What is wrong with an assignment: docs/storage.md, 4 and 5, on the places of one component.

A write conflicts with a live value if both have one byte; the choices that placed the two there are the
cause. The same holds for conflicts within one op (a result on an operand without permission, a copy onto its own
source).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.storage.contract import Contract, View
from lastuse.dialect.storage.layout import EXACT_BYTES, Layout, Strided, fits, is_dense, may_overlap, same_bytes
from lastuse.passes.inplace_analysis.byte_contents import meet
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Blame
from lastuse.passes.inplace_analysis.optimal.last_reads import LastRead
from lastuse.passes.inplace_analysis.optimal.variables import Movement
from lastuse.passes.inplace_analysis.region_ops import moves_values

ENOUGH_BLAMES = 256
"""More than these are not looked for: there is enough to go on with."""


Unless = tuple[SSAValue, SSAValue] | None
"""Two values; what is wrong is right where they lie at one place. None: it is wrong anywhere."""


class Write(NamedTuple):
    """`op` writes bytes of `value`, `layout` without `minus`, at `time`; `unless` they are there already.
    `into`: on the way to that block."""

    time: int
    block: Block
    into: Block | None
    value: SSAValue
    layout: Layout
    minus: tuple[Strided, ...]
    op: Operation
    unless: Unless


class Guarded(NamedTuple):
    """Bytes of `value` that must stay as long as `need` lives: its own, or those a borrowed value may be."""

    need: LastRead
    value: SSAValue
    born: int
    borrowed: bool


class Verdict:
    """Judges one assignment: `blames` says what is wrong with it, and where it would not be."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment, self.facts = assignment, assignment.facts
        self.program, self.component, self.at = assignment.program, assignment.component, assignment.at
        self.blames: dict[Blame, Unless] = dict.fromkeys(self.assignment.blames)
        self.writes: dict[SSAValue, list[Write]] = {}
        for op in self.component.ops:
            self._op(op)
        for root, members in self.assignment.groups.items():
            if len(self.blames) >= ENOUGH_BLAMES:
                break
            self._guests(root, members)
            self._group(root, self.writes.get(root, []))

    # Within one op

    def _op(self, op: Operation) -> None:
        time = self.program.at[op]
        contract = self.program.contracts[time]
        if moves_values(op):
            for moves in self.assignment.moves(op):
                self._boundary(moves)
        elif contract.foreign:
            self._foreign(op)
        elif contract.constant:
            return
        elif contract.contributions:
            if op.results[0] in self.at:
                self._carrier(op, contract)
        else:
            self._kernel(op, contract)

    def _boundary(self, moves: Sequence[Movement]) -> None:
        for n, move in enumerate(moves):
            if not self.assignment.is_there(move):
                self._write(move.op, move.target, self.at[move.target][1], (), (move.source, move.target))
            for other in moves[:n]:
                if not self.assignment.meet(move.target, other.target):
                    continue
                same = move.source is other.source or self.assignment.same(move.source, other.source)
                same = same and self.assignment.same(move.target, other.target)
                is_one = self.facts.origin(move.source) is self.facts.origin(other.source)
                if not (same and is_one):
                    self._blame(move.target, other.target, unless=(move.source, other.source) if is_one else None)

    def _foreign(self, op: Operation) -> None:
        """A result that has a number is written there."""
        for result in op.results:
            if result in self.at and result in self.assignment.choices.numbers:
                self._write(op, result, self.at[result][1])

    def _carrier(self, op: Operation, contract: Contract) -> None:
        result = op.results[0]
        root, place = self.at[result]
        parts: list[Strided] = []
        copied: list[tuple[Layout, tuple[Strided, ...], Unless]] = []
        sources: list[tuple[SSAValue, Layout, tuple[Strided, ...]]] = []
        for carry in contract.contributions:
            operand = op.operands[carry.operand]
            part = carry.into(place) if isinstance(place, Strided) else None
            if part is not None and not is_injective(part):
                self._made_by_kernel(op, result)
                return
            if not carry.complement and part is not None:
                parts.append(part)
            target: Layout = place if carry.complement or part is None else part
            minus = (part,) if carry.complement and part is not None else ()
            if operand not in self.at:
                copied.append((target, minus, None))
                continue
            origin, layout = self.at[operand]
            hole = carry.into(layout) if carry.complement and isinstance(layout, Strided) else None
            sources.append((operand, layout, (hole,) if hole is not None else ()))
            if not (origin is root and same_bytes(layout, target)):
                copied.append((target, minus, (operand, result)))
        if contract.fill:
            copied.append((place, tuple(parts), None))
        for layout, minus, unless in copied:
            self._write(op, result, layout, minus, unless)
            for operand, source, hole in sources:
                if self.at[operand][0] is root and meet(layout, source, (*minus, *hole)):
                    strided = (v for v in (result, operand) if not is_dense(self.at[v][1]))
                    self._blame(result, operand, *strided, unless=unless)

    def _made_by_kernel(self, op: Operation, result: OpResult) -> None:
        """Some byte of a part is several elements: the kernel makes the result from outside, never in place."""
        self._write(op, result, self.at[result][1])
        for operand in op.operands:
            if self.assignment.meet(result, operand):
                self._blame(result, operand)

    def _kernel(self, op: Operation, contract: Contract) -> None:
        copied = [op.results[v.result] for v in contract.views if self._copies(op, v)]
        for n, result in enumerate(copied):
            for other in copied[:n]:
                if self.assignment.meet(result, other):
                    self._blame(result, other)
        results = [r for r in op.results if r in self.at and contract.view_of(r.index) is None]
        if not results:
            if not contract.views:
                self._strides(op, contract, ())
            return
        for n, result in enumerate(results):
            self._write(op, result, self.at[result][1])
            for other in results[:n]:
                if self.assignment.meet(result, other):
                    self._blame(result, other)
            self._permission(op, contract, result)
        self._strides(op, contract, results)

    def _copies(self, op: Operation, view: View) -> bool:
        """A view has to be a copy here: it writes its result, and reads its operand meanwhile."""
        result, operand = op.results[view.result], op.operands[view.operand]
        if result not in self.at or self.facts.view(result) is not None and result not in self.assignment.copies:
            return False
        root, layout = self.at[result]
        if operand in self.at and self.at[operand][0] is root:
            source = self.at[operand][1]
            seen = view.map(source) if isinstance(source, Strided) else None
            if seen is not None and same_bytes(seen, layout):
                return False
            if may_overlap(source if seen is None else seen, layout):
                self._blame(result, operand)
        self._write(op, result, layout, (), (operand, result))
        return True

    def _permission(self, op: Operation, contract: Contract, result: OpResult) -> None:
        """A result lies on an operand only where the kernel may write it there, and on no other, or exactly there."""
        meets = [k for k in self._read(op, contract) if self.assignment.meet(result, op.operands[k])]
        if not meets:
            return
        overs = [o for o in contract.over if o.result == result.index]
        exact = [k for k in meets if self.assignment.same(result, op.operands[k])]
        for over in overs:
            if over.operand in exact and all(
                k == over.operand or over.allow_same_operand and k in exact for k in meets
            ):
                return
        # On one of them it must not be by itself, or only not on all of them together.
        never = [k for k in meets if k not in exact or not any(o.operand == k or o.allow_same_operand for o in overs)]
        for k in never:
            self._blame(result, op.operands[k])
        if not never:
            self._note((n for k in meets for n in self.assignment.path(result, op.operands[k])), None)

    def _read(self, op: Operation, contract: Contract) -> list[int]:
        return [k for k, v in enumerate(op.operands) if k not in contract.metadata_only and v in self.at]

    def _strides(self, op: Operation, contract: Contract, results: Sequence[SSAValue]) -> None:
        if contract.strided:
            return
        for value in (*results, *(op.operands[k] for k in self._read(op, contract))):
            if not is_dense(self.at[value][1]):
                self._blame(value, self._dense_above(value))

    def _dense_above(self, value: SSAValue) -> SSAValue:
        """The next value that `value` derives from and that lies row-major."""
        while (parent := self.assignment.parent(value)) is not None and not is_dense(self.at[value][1]):
            value = parent
        return value

    # Between ops

    def _write(
        self,
        op: Operation,
        value: SSAValue,
        layout: Layout,
        minus: tuple[Strided, ...] = (),
        unless: Unless = None,
    ) -> None:
        block = op.parent_block()
        assert block is not None
        if not is_injective(self.at[value][1]):
            self._blame(value, self._dense_above(value))
        into = value.block if isinstance(value, BlockArgument) and op.successors else None
        write = Write(2 * self.program.at[op], block, into, value, layout, minus, op, unless)
        self.writes.setdefault(self.at[value][0], []).append(write)

    def _group(self, root: SSAValue, writes: list[Write]) -> None:
        members = self.assignment.groups[root]
        fixed = self._is_fixed(root)
        if fixed:
            for write in writes:
                if size_of(write.layout):
                    self._blame(write.value, root, unless=write.unless)
        if self.program.is_argument(root):
            for value in members:
                if not fits(self.at[value][1], self.at[root][1]):
                    self._blame(value, root)
        if len(members) == 1:
            return
        waiting = sorted(self._guarded(members), key=lambda g: g.born)
        active: list[Guarded] = []
        at = 0
        for write in sorted(writes, key=lambda w: w.time):
            while at < len(waiting) and waiting[at].born < write.time:
                active.append(waiting[at])
                at += 1
            active = [g for g in active if g.need.until >= write.time]
            for guarded in active:
                if guarded.value is not write.value and self._ruins(write, guarded):
                    strided = self._why_read(guarded.need, write)
                    self._blame(write.value, guarded.value, *strided, unless=write.unless)
                    if len(self.blames) >= ENOUGH_BLAMES:
                        return

    def _guests(self, root: SSAValue, members: Sequence[SSAValue]) -> None:
        """Nothing but views shares borrowed memory, and nothing new what a plan has put into the arena already."""
        if not (self.facts.is_borrowed(root) or root in self.assignment.choices.planned):
            return
        for value in members:
            if self.assignment.over.get(value, -1) >= 0:
                self._blame(value, root)

    def _is_fixed(self, root: SSAValue) -> bool:
        """Memory that no op may write."""
        if self.program.is_argument(root):
            assert isinstance(root, BlockArgument)
            return root.index not in self.program.writable
        if root in self.assignment.choices.numbers:
            return False  # a result that a foreign op puts where it is told
        return self.facts.is_constant(root) or self.facts.is_borrowed(root)

    def _guarded(self, members: Sequence[SSAValue]) -> Iterator[Guarded]:
        for value in members:
            for need in self.facts.needs.get(value, ()):
                if need.view is None or need.view in self.assignment.copies:
                    yield Guarded(need, value, self._born(value, need), False)
            for borrower in self.facts.borrowers(value):
                for need in self.facts.needs.get(borrower, ()):
                    if need.view is None or need.view in self.assignment.copies:
                        yield Guarded(need, value, need.born, True)

    def _why_read(self, need: LastRead, write: Write) -> Iterator[SSAValue]:
        """Values at strides for which more is read or written: the operand of a view that has to be a copy there, the
        base of a scatter that no longer has a part to leave out."""
        if need.view is not None and (view := self.facts.view(need.view)) is not None:
            yield need.view.op.operands[view.operand]
        for value in (need.value, write.value):
            carried = need.carry is not None or self.program.contracts[write.time // 2].contributions
            if carried and value in self.at and not is_dense(self.at[value][1]):
                yield value

    def _born(self, value: SSAValue, need: LastRead) -> int:
        """When the bytes of `value` are there: those of a view of a copy, when the copy is."""
        copies = self.assignment.copies
        while copies and (view := self.facts.view(value)) is not None:
            assert isinstance(value, OpResult)
            if value in copies:
                return 2 * self.program.at[value.op]
            value = value.op.operands[view.operand]
        return need.born

    def _ruins(self, write: Write, guarded: Guarded) -> bool:
        need = guarded.need
        if write.into is not None and not guarded.borrowed:
            if not self.facts.enters(need, write.into):
                return False
        elif not need.lives(write.block, write.time - guarded.borrowed):
            return False
        layout = self.at[guarded.value][1]
        minus: tuple[Strided, ...] = ()
        if need.carry is not None and not guarded.borrowed and isinstance(layout, Strided):
            hole = need.carry.into(layout)
            minus = (hole,) if hole is not None and is_injective(hole) else ()
        return meet(write.layout, layout, (*write.minus, *minus))

    # Blame

    def _blame(self, a: SSAValue, b: SSAValue, *strided: SSAValue, unless: Unless = None) -> None:
        """What brings `a` and `b` together is to blame, and what puts `strided` at strides, where that matters."""
        found = self.assignment.path(a, b)
        for value in strided:
            found += self.assignment.path(value, self._dense_above(value))
        self._note(found, unless)

    def _note(self, atoms: Iterable[int], unless: Unless) -> None:
        blame = frozenset(n for n in atoms if n >= 0)
        self.blames[blame] = self.blames.get(blame, unless) and unless


def is_injective(layout: Layout) -> bool:
    """No byte is two elements; where there are too many bytes to look, that is not said."""
    if not isinstance(layout, Strided) or layout.injective or not layout.elements:
        return True
    return layout.nbytes <= EXACT_BYTES and np.unique(layout.bytes()).size == layout.nbytes


def size_of(layout: Layout) -> int:
    """Bytes of a layout; 1 where they are not known."""
    return layout.nbytes if isinstance(layout, Strided) else 1
