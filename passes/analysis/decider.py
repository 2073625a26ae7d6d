"""Walks a straight-line program once and decides, op by op, which results go over which operands.

What is legal is here (the rules of SEMANTICS 4 as seen from the reads); which of the legal choices is taken is the
strategy's. Positions of values are kept as (group, layout): a group is a set of values that will share one storage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialect import decisions
from ...dialect.decisions import shown
from ...dialect.layout import Layout, Strided, may_overlap, same_bytes
from ...dialect.place import takes_strides
from ...dialect.shape import Dim, Poly, squeezed
from ...dialect.storage import Contract, Over
from .program import Program
from .reasons import Reason, Refusal
from .residence import Edge, Piece, Residence, reshaped


class Policy(Protocol):
    """A strategy's taste, asked before legality: why its system would not do this, or None."""

    def objection(self, program: Program, op: Operation, result: int, operand: int) -> Reason | None: ...


@dataclass
class Group:
    """Values of one storage. `number`: its `dnn.reuse`; `argument`: it is memory of the caller; `fixed`: nothing may be
    written there (constants, borrowed and the caller's own memory), with the reason."""

    root: SSAValue
    number: int = -1
    argument: bool = False
    fixed: Reason | None = None
    inside: tuple[Group, Strided] | None = None
    members: list[SSAValue] = field(default_factory=list[SSAValue])


class Seat(NamedTuple):
    """Where a value is: a layout in its group's storage."""

    group: Group
    layout: Layout


class Score(NamedTuple):
    """The objective of SEMANTICS 8, largest first: bytes kept, bytes moved (negative), results in place, swaps (negative)."""

    kept: int
    moved: int
    inplace: int
    swaps: int


@dataclass
class Plan:
    """Decisions of one walk."""

    inplace: dict[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    parts: dict[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    reuse: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    refused: dict[Operation, tuple[Refusal, ...]] = field(default_factory=dict[Operation, tuple[Refusal, ...]])
    order: tuple[Operation, ...] = ()
    copied: dict[Operation, list[str]] = field(default_factory=dict[Operation, list[str]])
    copies: list[OpResult] = field(default_factory=list[OpResult])
    lost: list[Edge] = field(default_factory=list[Edge])
    score: Score = Score(0, 0, 0, 0)
    proved: bool = True


def amount(size: Dim) -> int:
    """A number to compare sizes by: every unknown counts as 1,024."""
    if not isinstance(size, Poly):
        return size
    return sum(c * 1024 ** len(m) for m, c in size.terms)


class Decider:
    """One walk. `carried` are the contributions to keep in position where that is legal; the others are copied."""

    def __init__(self, program: Program, policy: Policy, carried: frozenset[Edge] = frozenset()) -> None:
        self.program, self.policy = program, policy
        self.residence = Residence.of(program, carried)
        self.carried = carried
        self.seats: dict[SSAValue, Seat] = {}
        self.numbered: dict[int, Group] = {}
        self.positioned: set[Operation] = set()
        self.plan = Plan(order=program.ops)
        self.destined: dict[SSAValue, Edge] = dict(self._destinations())
        self.homes: dict[Operation, Group] = {}

    def _destinations(self) -> Iterable[tuple[SSAValue, Edge]]:
        for edge in sorted(self.carried, key=lambda e: (self.program.at[e.op], e.operand)):
            if any(c.operand == edge.operand and c.part for c in self._contract(edge.op).carries):
                value = edge.op.operands[edge.operand]
                yield value, edge
                while (view := self.program.view(value)) is not None and view.whole:
                    value = value.owner.operands[view.operand]  # pyright: ignore
                    yield value, edge

    def _contract(self, op: Operation) -> Contract:
        return self.program.contracts[self.program.at[op]]

    def run(self) -> Plan:
        for argument in self.program.func.body.block.args:
            if argument in self.program.sizes:
                self._seat_argument(argument)
        kept = moved = count = swaps = 0
        for time, op in enumerate(self.program.ops):
            contract = self.program.contracts[time]
            results = [r for r in op.results if r in self.program.sizes]
            chosen: dict[int, int] = {}
            if contract.carries and results:
                moved += self._carry(time, op, contract)
            else:
                chosen = self._kernel(time, op, contract, results)
            for r, k in chosen.items():
                count += 1
                swaps += any(o.result == r and o.operand == k and o.swap for o in contract.over)
            for result in results:
                if self.program.view(result) is None and not contract.constant and self._shares(result):
                    kept += amount(self.program.typed(result).bytes)
        self.plan.score = Score(kept, -moved, count, -swaps)
        return self.plan

    def _shares(self, value: SSAValue) -> bool:
        """The value opened no storage that is neither an argument's nor a constant's."""
        group = self.seats[value].group
        return group.root is not value or group.inside is not None

    # Seats

    def _seat_argument(self, argument: BlockArgument) -> None:
        writable = argument.index in self.program.writable
        group = Group(argument, argument=True, fixed=None if writable else Reason.PROGRAM_INPUT)
        number = decisions.argument_reuse(argument)
        if number >= 0:
            group.number = number
            self.numbered[number] = group
        group.members.append(argument)
        self.seats[argument] = Seat(group, self.program.dense(argument))

    def _sit(self, value: SSAValue, seat: Seat) -> None:
        self.seats[value] = seat
        seat.group.members.append(value)

    def _sit_fresh(self, time: int, value: OpResult, contract: Contract) -> None:
        """A storage of its own, the numbered one that an earlier pass gave, or its part of a concat."""
        own = self.program.dense(value)
        number = decisions.reuse(value.op)[value.index]
        if number >= 0:
            group = self.numbered.setdefault(number, Group(value, number))
            self._sit(value, Seat(group, own))
            return
        fixed = Reason.CONSTANT if contract.constant else Reason.OPERANDS_ALIAS if contract.foreign else None
        group = Group(value, fixed=fixed)
        self._sit(value, Seat(group, own))
        if value in self.destined and not contract.constant and not contract.foreign and not value.op.regions:
            self._enter(group, self.destined[value])

    def _enter(self, group: Group, edge: Edge) -> bool:
        """Put a group of its own into the part of a concat that it is destined for, where all who touch it take strides."""
        part = self._part(edge, self.program.dense(group.root))
        if group.inside is not None or group.number >= 0 or group.fixed or group.argument or part is None:
            return False
        if not part.is_dense and not all(self._takes_strides(v) for v in group.members):
            return False
        home = self.homes.setdefault(edge.op, Group(edge.op.results[0]))
        group.inside = (home, part)
        return True

    def _part(self, edge: Edge, like: Layout) -> Strided | None:
        whole = self.program.dense(edge.op.results[0])
        carry = next(c for c in self._contract(edge.op).carries if c.operand == edge.operand)
        part = carry.into(whole) if isinstance(whole, Strided) else None
        layout = reshaped(part, like) if part is not None else None
        return layout if isinstance(layout, Strided) else None

    def _takes_strides(self, value: SSAValue) -> bool:
        """Who makes the value and who reads it, as it is or through views, all take strides."""
        if isinstance(value, OpResult):
            maker = self._contract(value.op)
            if not (maker.strided or maker.carries or maker.views):
                return False
        for use in value.uses:
            reader = self.program.contracts[self.program.at[use.operation]] if use.operation in self.program.at else None
            if reader is None:
                return False
            if use.operation is self.program.ops[-1] or reader.carries:
                continue
            if reader.views and any(self.program.view(r) is not None for r in use.operation.results):
                if not all(self._takes_strides(r) for r in use.operation.results):
                    return False
            elif not reader.views and not reader.strided:
                return False
        return True

    # Carriers

    def _carry(self, time: int, op: Operation, contract: Contract) -> int:
        """Seat the result of a carrier; bytes it moves."""
        result = op.results[0]
        base = next((c for c in contract.carries if c.rest), None)
        over = next((o for o in contract.over if o.result == 0), None)
        given = decisions.inplace(op)[0]
        moved = 0
        if over is not None and (given == over.operand or self._wants(op, over, base is not None)):
            refusal = None if given == over.operand else self._carrier_refusal(time, op, contract, over)
            if refusal is None:
                seat = self.seats[op.operands[over.operand]]
                self._sit(result, Seat(seat.group, reshaped(seat.layout, self.program.dense(result)) or seat.layout))
                self.plan.inplace[op] = (over.operand,)
            else:
                self.plan.refused[op] = (refusal,)
                if base is not None:
                    self.plan.lost.append(Edge(op, over.operand))
        elif over is not None:
            objection = self.policy.objection(self.program, op, 0, over.operand) or Reason.TAKEN
            self.plan.refused[op] = (Refusal(objection, 0, over.operand),)
        if result not in self.seats:
            self._sit_carrier(time, op, contract)
        for carry in contract.carries:
            if self._in_position(op, carry.operand):
                if carry.operand != 0 or not carry.rest:
                    self.positioned.add(op)
            else:
                moved += amount(self.program.typed(op.operands[carry.operand]).bytes)
                self._note_copy(op, f"{shown(op.operands[carry.operand])} is copied into {shown(result)}")
                if Edge(op, carry.operand) in self.carried and carry.part:
                    self.plan.lost.append(Edge(op, carry.operand))
        kept = tuple(c.operand for c in contract.carries if c.part and self._in_position(op, c.operand))
        kept = tuple(sorted({*kept, *decisions.parts(op)}))
        if kept:
            self.plan.parts[op] = kept
        return moved

    def _wants(self, op: Operation, over: Over, is_scatter: bool) -> bool:
        if is_scatter and Edge(op, over.operand) not in self.carried:
            return False
        return self.policy.objection(self.program, op, 0, over.operand) is None

    def _sit_carrier(self, time: int, op: Operation, contract: Contract) -> None:
        result = op.results[0]
        home = self.homes.get(op)
        if home is None:
            self._sit_fresh(time, result, contract)
            return
        self._sit(result, Seat(home, self.program.dense(result)))
        if result in self.destined:
            self._enter(home, self.destined[result])

    def _in_position(self, op: Operation, operand: int) -> bool:
        contract, target = self._contract(op), self._absolute(op.results[0])
        carry = next(c for c in contract.carries if c.operand == operand)
        source = self._absolute(op.operands[operand])
        if source[0] is not target[0]:
            return False
        if carry.rest:
            return same_bytes(source[1], target[1])
        part = carry.into(target[1]) if isinstance(target[1], Strided) else None
        return part is not None and same_bytes(source[1], part)

    def _absolute(self, value: SSAValue) -> tuple[Group, Layout]:
        """The outermost group a value lies in, and its layout there."""
        group, layout = self.seats[value]
        while group.inside is not None:
            home, part = group.inside
            if not isinstance(layout, Strided) or (outer := layout.within(part)) is None:
                return group, layout
            group, layout = home, outer
        return group, layout

    def _carrier_refusal(self, time: int, op: Operation, contract: Contract, over: Over) -> Refusal | None:
        """Why a carrier may not be written over its destination: the bytes it writes must be dead, and disjoint from
        the sources it copies."""
        k = over.operand
        base = op.operands[k]
        early = self._group_refusal(op, 0, k)
        if early is not None:
            return early
        carry = next((c for c in contract.carries if c.rest), None)
        own = self.program.dense(base)
        part = carry.into(own) if carry is not None and isinstance(own, Strided) else None
        under = (_restricted(p, own, part, carry is not None) for p in self.residence.pieces[base])
        written = [p for p in under if p is not None]
        for carried in contract.carries:
            if carried.operand == k:
                continue
            source = op.operands[carried.operand]
            if self._source_in_position(base, source, carried, part):
                return None
            for piece in written:
                for other in self.residence.pieces[source]:
                    if piece.root is other.root and may_overlap(piece.layout, other.layout):
                        return Refusal(Reason.OVERLAPPING_VIEW, 0, k, source, op)
        return self._read_refusal(time, op, 0, k, written)

    def _source_in_position(self, base: SSAValue, source: SSAValue, carry: object, part: Strided | None) -> bool:
        (home, place), (group, layout) = self._absolute(base), self._absolute(source)
        if home is not group or part is None or not isinstance(place, Strided):
            return False
        target = carry.into(place)  # pyright: ignore
        return target is not None and same_bytes(target, layout)

    # Kernels

    def _kernel(self, time: int, op: Operation, contract: Contract, results: list[OpResult]) -> dict[int, int]:
        chosen: dict[int, int] = {}
        given, refusals = decisions.inplace(op), list[Refusal]()
        for result in results:
            view = self.program.view(result)
            if view is not None:
                self._seat_view(time, op, result)
                continue
            k, refused = given[result.index], None
            if k < 0:
                k, refused = self._choose(time, op, contract, result, set(chosen.values()))
            if k >= 0:
                chosen[result.index] = k
                seat = self.seats[op.operands[k]]
                layout = reshaped(seat.layout, self.program.dense(result))
                self._sit(result, Seat(seat.group, layout if layout is not None else seat.layout))
            else:
                self._sit_fresh(time, result, contract)
                if refused is not None:
                    refusals.append(refused)
        if chosen:
            self.plan.inplace[op] = tuple(chosen.get(r.index, -1) for r in op.results)
        if refusals:
            self.plan.refused[op] = tuple(refusals)
        return chosen

    def _note_copy(self, op: Operation, text: str) -> None:
        self.plan.copied.setdefault(op, []).append(text)

    def _seat_view(self, time: int, op: Operation, result: OpResult) -> None:
        view = self.program.view(result)
        assert view is not None
        seat = self.seats[op.operands[view.operand]]
        layout: Layout | None = None
        if isinstance(seat.layout, Strided):
            layout = view.map(seat.layout)
        elif view.whole:
            layout = self.program.dense(result)
        if layout is None or isinstance(layout, Strided) and not layout.is_dense and not takes_strides(result):
            self._sit_fresh(time, result, self.program.contracts[time])
            self.plan.copies.append(result)
            self._note_copy(op, f"{shown(result)} is copied: what reads it needs it row-major")
        else:
            self._sit(result, Seat(seat.group, layout))

    def _choose(
        self, time: int, op: Operation, contract: Contract, result: OpResult, taken: set[int]
    ) -> tuple[int, Refusal | None]:
        """The operand that `result` goes over, or -1 and why the one that passed most checks is refused."""
        if contract.constant or contract.foreign or op.regions:
            return -1, None
        best: Refusal | None = None
        legal: list[Over] = []
        for k, operand in enumerate(op.operands):
            if operand not in self.program.sizes:
                continue
            refusal = self.refusal(time, op, result, k)
            if refusal is None and any(self._meet(op, k, other) for other in taken):
                refusal = Refusal(Reason.TAKEN, result.index, k, operand, op)
            if refusal is None:
                legal.append(next(o for o in contract.over if o[:2] == (result.index, k)))
            elif best is None or refusal.reason.rank > best.reason.rank:
                best = refusal
        if not legal:
            return -1, best
        choice = min(legal, key=lambda o: (not self._agrees(result, op.operands[o.operand]), o.swap, o.operand))
        if not self._settle(time, result, op.operands[choice.operand]):
            return -1, Refusal(Reason.NEXT_OP_REUSES, result.index, choice.operand, result, op)
        return choice.operand, None

    def _agrees(self, result: OpResult, operand: SSAValue) -> bool:
        """Going over this operand does not tie the result to memory that another decision wants it out of."""
        return result not in self.destined or self.seats[operand].group.inside is None

    def _meet(self, op: Operation, k: int, other: int) -> bool:
        return any(
            a.root is b.root and may_overlap(a.layout, b.layout)
            for a in self.residence.pieces[op.operands[k]]
            for b in self.residence.pieces[op.operands[other]]
        )

    def _settle(self, time: int, result: OpResult, operand: SSAValue) -> bool:
        """Bring together what earlier decisions say of both: numbers of storages, parts of concats."""
        group = self.seats[operand].group
        number = decisions.reuse(result.op)[result.index]
        if number >= 0 and group.number != number:
            if group.number >= 0 or group.fixed or group.argument or group.inside is not None:
                return False
            if not self._joins(group, number, time):
                return False
            group.number = number
            for member in group.members:
                if isinstance(member, OpResult) and self.program.view(member) is None:
                    self.plan.reuse[member] = number
            shared = self.numbered.setdefault(number, group)
            if shared is not group:
                for member in group.members:
                    self.seats[member] = self.seats[member]._replace(group=shared)
                shared.members.extend(group.members)
        if result in self.destined and not self._goes_there(group, self.destined[result], result, operand):
            return False
        return True

    def _goes_there(self, group: Group, edge: Edge, result: OpResult, operand: SSAValue) -> bool:
        """The result is destined for a part of a concat: the operand's group has to be there, or to move there whole."""
        part = self._part(edge, self.program.dense(result))
        if part is None:
            return True
        if group.inside is not None:
            home, have = group.inside
            seat = self.seats[operand].layout
            where = seat.within(have) if isinstance(seat, Strided) else None
            return home.root is edge.op.results[0] and where is not None and same_bytes(where, part)
        whole = same_bytes(self.seats[operand].layout, self.program.dense(group.root))
        if not whole or group.root in self.destined and self.destined[group.root] != edge:
            return False
        strided = not part.is_dense
        if strided and not self._takes_strides(result):
            return False
        return self._enter(group, edge)

    def _joins(self, group: Group, number: int, time: int) -> bool:
        """A storage of its own may become number `number`: no other member is needed while it is in use."""
        begin = min(self.program.time_of(v) for v in group.members)
        for op in self.program.ops[:time]:
            for result in op.results:
                if decisions.reuse(op)[result.index] != number:
                    continue
                if self.program.at[op] > begin:
                    return False
                if any(self._read_after(p, begin) for p in self.residence.pieces[result]):
                    return False
        return True

    def _read_after(self, piece: Piece, time: int) -> bool:
        return self.residence.later_read(piece, time, self.positioned) is not None

    # Legality

    def refusal(self, time: int, op: Operation, result: OpResult, k: int) -> Refusal | None:
        """Why `result` may not be written over operand `k`, or None."""
        operand, contract = op.operands[k], self.program.contracts[time]
        over = next((o for o in contract.over if o[:2] == (result.index, k)), None)
        have, want = self.program.typed(operand), self.program.typed(result)
        if have.dtype != want.dtype:
            return Refusal(Reason.ELEMENT_TYPE, result.index, k, operand)
        if squeezed(have.shape) != squeezed(want.shape):
            smaller = over is not None and amount(have.count) < amount(want.count)
            return Refusal(Reason.BROADCAST if smaller else Reason.SIZE, result.index, k, operand)
        if over is None:
            return Refusal(Reason.KERNEL, result.index, k, operand)
        objection = self.policy.objection(self.program, op, result.index, k)
        if objection is not None:
            return Refusal(objection, result.index, k, operand)
        early = self._group_refusal(op, result.index, k)
        if early is not None:
            return early
        absolute = self._absolute(operand)[1]
        if isinstance(absolute, Strided) and not absolute.is_dense:
            if not absolute.injective or not contract.strided or not self._takes_strides(result):
                return Refusal(Reason.LAYOUT, result.index, k, operand)
        repeated = self._repeated(op, contract, over, result.index, k)
        if repeated is not None:
            return repeated
        return self._read_refusal(time, op, result.index, k, list(self.residence.pieces[operand]), result)

    def _group_refusal(self, op: Operation, result: int, k: int) -> Refusal | None:
        operand = op.operands[k]
        group = self._absolute(operand)[0]
        if group.fixed is not None:
            return Refusal(group.fixed, result, k, group.root)
        if any(p.may for p in self.residence.pieces[operand]):
            return Refusal(Reason.OPERANDS_ALIAS, result, k, operand)
        return None

    def _repeated(self, op: Operation, contract: Contract, over: Over, result: int, k: int) -> Refusal | None:
        mine, place = self.residence.pieces[op.operands[k]], self.seats[op.operands[k]]
        for j, other in enumerate(op.operands):
            if j == k or j in contract.unread or other not in self.program.sizes:
                continue
            theirs = self.residence.pieces[other]
            if not any(a.root is b.root and may_overlap(a.layout, b.layout) for a in mine for b in theirs):
                continue
            seat = self.seats[other]
            exact = seat.group is place.group and same_bytes(seat.layout, place.layout)
            if any(p.may for p in theirs):
                return Refusal(Reason.OPERANDS_ALIAS, result, k, other, op)
            if not exact:
                return Refusal(Reason.OVERLAPPING_VIEW, result, k, other, op)
            if not over.repeats:
                return Refusal(Reason.REPEATED_OPERAND, result, k, other, op)
        return None

    def _read_refusal(
        self, time: int, op: Operation, result: int, k: int, pieces: list[Piece], made: OpResult | None = None
    ) -> Refusal | None:
        """Somebody still reads the bytes, or a storage number brings somebody else there too early."""
        for piece in pieces:
            read = self.residence.later_read(piece, time, self.positioned)
            if read is not None:
                reason = Reason.RETURNED if read.time == self.program.end else Reason.USED_LATER
                if read.piece.may:
                    reason = Reason.OPERANDS_ALIAS
                return Refusal(reason, result, k, read.value, read.op)
        group = self.seats[op.operands[k]].group
        if made is not None and group.number >= 0 and (by := self._overtaken(time, made, group.number)) is not None:
            return Refusal(Reason.NEXT_OP_REUSES, result, k, by, by.op)
        return None

    def _overtaken(self, time: int, made: OpResult, number: int) -> OpResult | None:
        """A later member of storage `number` that is written while `made` is still needed."""
        mine = self.residence.pieces.get(made) or (Piece(made, self.program.dense(made), None),)
        for later in self.program.ops[time + 1 :]:
            for result in later.results:
                if decisions.reuse(later)[result.index] != number or self.program.view(result) is not None:
                    continue
                at = self.program.at[later]
                if any(self._read_after(p, at) for p in mine) or not self._reads_in_place(later, result, made):
                    return result
        return None

    def _reads_in_place(self, op: Operation, result: OpResult, value: SSAValue) -> bool:
        """`op` does not read `value`, or may write `result` over it."""
        readers = [k for k, v in enumerate(op.operands) if v is value]
        over = {o.operand: o for o in self._contract(op).over if o.result == result.index}
        if not readers:
            return not any(
                p.root is value for v in op.operands if v in self.residence.pieces for p in self.residence.pieces[v]
            )
        fits = squeezed(self.program.typed(value).shape) == squeezed(self.program.typed(result).shape)
        return fits and all(k in over for k in readers) and (len(readers) == 1 or over[readers[0]].repeats)


def _restricted(piece: Piece, own: Layout, part: Strided | None, is_scatter: bool) -> Piece | None:
    """Of a scatter's base, the bytes under the part; the whole piece where that cannot be told."""
    if not is_scatter or part is None or not isinstance(piece.where, Strided):
        return piece
    if piece.where == own and isinstance(piece.layout, Strided) and isinstance(own, Strided):
        inner = part.within(piece.layout) if own.offset == 0 else None
        return piece._replace(layout=inner) if inner is not None else piece
    return piece if may_overlap(piece.where, part) else None
