"""What can be decided, one atom each, and which values an atom could bring into one storage."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.symbolic_shape import squeezed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contribution, is_region_op
from lastuse.dialect.storage.layout import Layout, Strided, may_overlap, same_bytes
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.region_ops import moves, moves_values, slots


class ChoiceKind(enum.Enum):
    """What an atom decides."""

    OVER = "over"
    """Result `entry` of `op` is written over operand `operand`; a loop's slot lies at its init."""
    PART = "part"
    """Operand `operand` is computed in its part of result 0."""
    SHARE = "share"
    """What a boundary moves, `source`, is made where it moves to, `target`: both get one storage number."""


class Choice(NamedTuple):
    """One decision, taken or not: `source` and `target` come into one storage. `swap`: by exchanging operands."""

    kind: ChoiceKind
    op: Operation
    entry: int
    operand: int
    source: SSAValue
    target: SSAValue
    swap: bool = False


class Movement(NamedTuple):
    """Bytes that `op` moves from `source` into `target` (operand `operand` of a carrier, or over a boundary) unless
    they are there already; counted ten times for each loop around. `way`: by which of the ways on from `op`."""

    op: Operation
    source: SSAValue
    target: SSAValue
    operand: int
    bytes: int
    way: int = 0


@dataclass
class Component:
    """Values that decisions could bring into one storage, with all that moves or decides something between them."""

    values: list[SSAValue] = field(default_factory=list[SSAValue])
    ops: list[Operation] = field(default_factory=list[Operation])
    atoms: list[int] = field(default_factory=list[int])


class Choices:
    """All atoms of a program, and the components they fall into."""

    def __init__(self, facts: LastReads, parts: bool) -> None:
        self.facts, self.program = facts, facts.program
        self.decisions = given = facts.program.decisions
        self.numbers = {v: n for v in self.program.sizes if (n := given.number_of(v)) >= 0}
        self.planned = frozenset(r for r in given.offsets if isinstance(r, OpResult))
        self._movements: dict[Operation, list[Movement]] = {}
        self.atoms: list[Choice] = []
        self._doubtful: list[Choice] = []
        for time, op in enumerate(self.program.ops):
            self.atoms.extend(self._of(time, op, parts))
        while admitted := self._admitted():
            self.atoms = sorted((*self.atoms, *admitted), key=lambda a: self.program.at[a.op])
            self._doubtful = [a for a in self._doubtful if a not in admitted]
        self.components = self._components()

    def _of(self, time: int, op: Operation, parts: bool) -> Iterator[Choice]:
        contract = self.program.contracts[time]
        if is_region_op(op):
            yield from self._slots(op)
            yield from self._shares(op)
        elif op.successors:
            yield from self._shares(op)
        elif isinstance(op, ReturnOp):
            yield from self._tied(op)
        elif contract.foreign or contract.constant:
            return
        given = self.decisions.over(op)
        for over in contract.over:
            result = op.results[over.result] if over.result < len(op.results) else None
            if result is None or over.operand >= len(op.operands) or given[over.result] >= 0 or result in self.planned:
                continue
            if not self._fits(op.operands[over.operand], result):
                continue
            atom = Choice(
                ChoiceKind.OVER, op, over.result, over.operand, result, op.operands[over.operand], over.by_swapping
            )
            if self._is_free(time, op, over.operand, result):
                yield atom
            elif contract.contributions and not contract.fill:
                self._doubtful.append(atom)
        taken = self.decisions.parts.get(op, ())
        for carry in contract.contributions if parts and op.results and op.results[0] not in self.planned else ():
            operand = op.operands[carry.operand]
            if carry.may_be_produced_in_place and carry.operand not in taken and self._may_move(operand):
                yield Choice(ChoiceKind.PART, op, 0, carry.operand, operand, op.results[0])

    def _slots(self, op: Operation) -> Iterator[Choice]:
        given = self.decisions.over(op)
        for slot in slots(op):
            index = slot.result.index
            if slot.result not in self.program.sizes or slot.init < 0 or given[index] >= 0:
                continue
            if any(a in self.numbers for a in slot.arguments):
                continue  # the slot is somewhere already
            init = op.operands[slot.init]
            if slot.result not in self.planned and self._fits(init, slot.result) and not self._is_fixed(init):
                yield Choice(ChoiceKind.OVER, op, index, slot.init, slot.result, init)

    def _shares(self, op: Operation) -> Iterator[Choice]:
        for index, move in enumerate(moves(op)):
            # A result whose slot is entered lies at the init, or does not.
            if move.terminator is not op or isinstance(move.target, BlockArgument):
                yield from self._share(move.terminator, index, move.source, move.target)

    def _tied(self, op: Operation) -> Iterator[Choice]:
        for index, value in enumerate(op.operands):
            argument = attrs.tied_argument(self.program.func, index)
            if argument is not None and argument < len(self.program.func.args):
                yield from self._share(op, index, value, self.program.func.args[argument])

    def _share(self, op: Operation, index: int, source: SSAValue, target: SSAValue) -> Iterator[Choice]:
        if source not in self.program.sizes or self.program.typed(source) != self.program.typed(target):
            return
        if self.facts.origin(source) is target or not self._may_move(source, number=True):
            return
        yield Choice(ChoiceKind.SHARE, op, index, -1, source, target)

    def _fits(self, operand: SSAValue, result: SSAValue) -> bool:
        if operand not in self.program.sizes or result not in self.program.sizes:
            return False
        have, want = self.program.typed(operand), self.program.typed(result)
        return have.dtype == want.dtype and squeezed(have.shape) == squeezed(want.shape)

    def _is_fixed(self, value: SSAValue) -> bool:
        origin = self.facts.origin(value)
        return self.facts.is_borrowed(origin)

    def _may_move(self, value: SSAValue, number: bool = False) -> bool:
        """Decisions may place `value`: it is a whole view of a result that an op computes, or, for a storage number, of
        an argument."""
        if value not in self.program.sizes:
            return False
        while (view := self.facts.view(value)) is not None:
            if not view.whole:
                return False
            value = value.owner.operands[view.operand]  # pyright: ignore
        if isinstance(value, BlockArgument):
            return number
        assert isinstance(value, OpResult)
        if (
            self.program.view(value) is not None
            or self.facts.is_constant(value)
            or self.facts.is_borrowed(value)
            or value in self.planned
        ):
            return False
        return number or not is_region_op(value.op)

    def _is_free(self, time: int, op: Operation, k: int, result: OpResult) -> bool:
        """Only other decisions prevent it: no op reads the bytes later, and `op` does not through another view."""
        program, facts = self.program, self.facts
        operand, contract = op.operands[k], program.contracts[time]
        origin = facts.origin(operand)
        if facts.is_borrowed(origin):
            return False
        contributions = bool(contract.contributions)
        if not contributions and (facts.is_constant(origin) or self._is_callers(origin)):
            return False
        block, written = op.parent_block(), facts.static(operand)
        assert block is not None
        if contributions:
            written = self._written(op, contract.contributions, written)
        for value in facts.families[origin]:
            for need in facts.needs.get(value, ()):
                reads = need.view is None and need.carry is None and need.lives(block, 2 * time)
                if reads and _meet(facts.static(value), written):
                    return False
        return True

    def _written(self, op: Operation, contributions: Sequence[Contribution], place: Layout | None) -> Layout | None:
        """What a carrier over an operand at `place` copies there; None for nothing, or where that cannot be told."""
        part = next((c for c in contributions if c.complement), None)
        if part is not None:
            place = part.into(place) if isinstance(place, Strided) else None
        for carry in contributions:
            source = op.operands[carry.operand]
            base = op.operands[part.operand if part is not None else 0]
            if carry.complement or place is None or self.facts.origin(source) is not self.facts.origin(base):
                continue
            if same_bytes(self.facts.static(source), place):
                return None  # in position already
        return place

    def _is_callers(self, value: SSAValue) -> bool:
        return self.program.is_argument(value) and value.index not in self.program.writable  # pyright: ignore

    # What is moved

    def movements(self, op: Operation) -> list[Movement]:
        """All that `op` may have to move: what a carrier carries, and what crosses the boundaries of a region op."""
        found = self._movements.get(op)
        if found is None:
            found = self._movements[op] = list(self._moved_by(op))
        return found

    def _moved_by(self, op: Operation) -> Iterator[Movement]:
        program = self.program
        if moves_values(op):
            for mover, source, target, way in moves(op):
                if source in program.sizes:
                    size = amount(program.typed(source).bytes) * 10 ** min(program.depth(mover), 6)
                    yield Movement(mover, source, target, -1, size, way)
            return
        for carry in program.contracts[program.at[op]].contributions if op.results else ():
            operand = op.operands[carry.operand]
            size = amount(program.typed(operand).bytes) * 10 ** min(program.depth(op), 6)
            yield Movement(op, operand, op.results[0], carry.operand, size)

    # Components

    def _together(self, atoms: Iterable[Choice]) -> DisjointSets[SSAValue]:
        """Values that may share a storage by these atoms."""
        sets = DisjointSets[SSAValue]()
        for a, b in self._links():
            sets.join(a, b)
        for atom in atoms:
            sets.join(atom.source, atom.target)
        return sets

    def _admitted(self) -> list[Choice]:
        """Carriers over what is read later, where all that they copy may be there already by other decisions: by those
        of more such carriers too, and, round a loop, by their own."""
        if not self._doubtful:
            return []
        admitted = self._cured(self._doubtful, self._together(self.atoms))
        if admitted:
            return admitted
        # A part of the result itself is no cure: what is made there would ruin what is read.
        ops = {atom.op for atom in self._doubtful}
        others = [atom for atom in self.atoms if atom.kind is not ChoiceKind.PART or atom.op not in ops]
        left, before = self._doubtful, -1
        while left and len(left) != before:
            before = len(left)
            left = self._cured(left, self._together((*others, *left)))
        return left

    def _cured(self, doubtful: Sequence[Choice], sets: DisjointSets[SSAValue]) -> list[Choice]:
        found: list[Choice] = []
        for atom in doubtful:
            contributions = self.program.contracts[self.program.at[atom.op]].contributions
            copied = (atom.op.operands[c.operand] for c in contributions if not c.complement)
            if all(v in self.program.sizes and sets.find(v) is sets.find(atom.target) for v in copied):
                found.append(atom)
        return found

    def _components(self) -> list[Component]:
        find = self._together(self.atoms).find
        found: dict[SSAValue, Component] = {}
        for value in self.facts.values:
            found.setdefault(find(value), Component()).values.append(value)
        for number, atom in enumerate(self.atoms):
            found[find(atom.source)].atoms.append(number)
        for op in self.program.ops:
            moved_to = (m.target for m in self.movements(op))
            met = (v for v in (*op.operands, *op.results, *moved_to) if v in self.program.sizes)
            for root in {find(v): None for v in met}:
                found[root].ops.append(op)
        return [c for c in found.values() if c.atoms]

    def _links(self) -> Iterator[tuple[SSAValue, SSAValue]]:
        """Values that share a storage whatever is decided, or may do so."""
        program = self.program
        by_number: dict[int, SSAValue] = {}
        for value, number in self.numbers.items():
            yield value, by_number.setdefault(number, value)
        arena = sorted(self.planned, key=program.time_of)
        yield from ((v, arena[0]) for v in arena)
        for op in program.ops:
            borrowed = self.facts.is_foreign(op)
            for result in op.results:
                if result not in program.sizes:
                    continue
                view = self.facts.view(result)
                if view is not None:
                    yield result, op.operands[view.operand]
                k = self.decisions.inplace.get(result, -1)
                if k >= 0 and op.operands[k] in program.sizes:
                    yield result, op.operands[k]
                if borrowed:
                    yield from ((result, v) for v in program.tensors(op))
            for k in self.decisions.parts.get(op, ()):
                if op.operands[k] in program.sizes:
                    yield op.operands[k], op.results[0]
            for slot in slots(op):
                for argument in slot.arguments:
                    if slot.result in program.sizes:
                        yield argument, slot.result


def _meet(a: Layout | None, b: Layout | None) -> bool:
    return a is not None and b is not None and may_overlap(a, b)
