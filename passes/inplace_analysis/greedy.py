"""Walks a function once, in the order of its ops, and decides, op by op, which results go over which operands.

What is legal is `legality.py`'s, where values sit is `seating.py`'s; which of the legal choices is taken is decided
here, within what the strategy's policy allows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.cfg import ancestors
from lastuse.dialect.storage.contract import Contract, Contribution, InPlace, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Strided, fits, same_bytes
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Copied, Reason, Refusal, copied_into
from lastuse.passes.inplace_analysis.alias_sets import AliasSet, AliasSets
from lastuse.passes.inplace_analysis.byte_contents import Edge, ValueContents
from lastuse.passes.inplace_analysis.legality import Legality, Policy, permission
from lastuse.passes.inplace_analysis.region_ops import Boundaries, moves


@dataclass
class InPlaceDecisions:
    """Decisions of one walk."""

    inplace: dict[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    parts: dict[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    reuse: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    refused: dict[Operation, tuple[Refusal, ...]] = field(default_factory=dict[Operation, tuple[Refusal, ...]])
    order: tuple[Operation, ...] = ()
    copied: dict[Operation, list[Copied]] = field(default_factory=dict[Operation, list[Copied]])
    copies: list[OpResult] = field(default_factory=list[OpResult])
    lost: list[Edge] = field(default_factory=list[Edge])
    modes: dict[Operation, str] = field(default_factory=dict[Operation, str])
    proved: bool = True
    """Nothing is better; only the optimum says so."""

    def added_to(self, given: Decisions) -> Decisions:
        """What a function is decided to be once the plan is written on it."""
        inplace, copied = dict(given.inplace), set(self.copies)
        for op, operands in self.inplace.items():
            inplace.update((result, k) for result, k in zip(op.results, operands, strict=True) if k >= 0)
        copies = (r for r in self.copies if copied.issuperset(r.op.results))
        return replace(
            given,
            inplace=inplace,
            parts={**given.parts, **self.parts},
            numbers={**given.numbers, **self.reuse},
            copies={*given.copies, *copies},
        )


class GreedyAnalysis:
    """One walk. `carried` are the contributions to keep in position where that is legal; the others are copied.

    With `chosen` all is decided: the walk says why the rest is not, and what is copied.
    """

    def __init__(
        self,
        program: NumberedOps,
        policy: Policy,
        carried: frozenset[Edge] = frozenset(),
        chosen: Decisions | None = None,
    ) -> None:
        self.program, self.policy, self.chosen = program, policy, chosen
        self.decisions = program.decisions
        self.carried, kept = carried, carried | given_edges(program)
        self.residence = ValueContents.of(program, kept)
        self.seating = AliasSets(program, kept, chosen or program.decisions)
        self.legality = Legality(program, policy, self.residence, self.seating)
        self.plan = InPlaceDecisions(order=program.ops)
        self.boundaries = Boundaries(program, self.seating, self.legality, self.plan.reuse, chosen)

    def run(self) -> InPlaceDecisions:
        """Walk once; the decisions, and why there are no others."""
        opened: list[Operation] = []
        for time, op in enumerate(self.program.ops):
            while opened and all(around is not opened[-1] for around in ancestors(op)):
                self._leave(opened.pop())
            block = op.parent_block()
            if self.program.is_first(op) and block is not None and block is not self.program.func.body.blocks.first:
                self.boundaries.sit_arguments(block)
            contract = self.program.contracts[time]
            results = [r for r in op.results if r in self.program.sizes]
            if is_region_op(op):
                opened.append(op)
                self._enter(time, op)
            elif contract.contributions and results:
                self._carry(time, op, contract)
            else:
                self._kernel(time, op, contract, results)
        if self.chosen is not None:
            self._take(self.chosen)
        return self.plan

    def _take(self, chosen: Decisions) -> None:
        """The walk seats values as well as it can; what was chosen stands."""
        for op, operands in chosen.parts.items():
            self.plan.parts[op] = tuple(sorted({*operands, *self.decisions.parts.get(op, ())}))
        for op in [op for op in self.plan.parts if op not in chosen.parts]:
            del self.plan.parts[op]
        self.plan.reuse.update((v, n) for v, n in chosen.numbers.items() if self.decisions.number_of(v) != n)
        copies = {*self.plan.copies, *chosen.copies}
        at = self.program.at
        self.plan.copies = sorted((v for v in copies if isinstance(v, OpResult)), key=lambda v: (at[v.op], v.index))

    # Region ops

    def _enter(self, time: int, op: Operation) -> None:
        chosen, refused = self.boundaries.enter(time, op)
        if chosen:
            self.plan.inplace[op] = tuple(chosen.get(r.index, -1) for r in op.results)
        if refused:
            self.plan.refused[op] = tuple(refused)

    def _leave(self, op: Operation) -> None:
        """Settle a region op when everything in it is; note what has to cross its boundaries."""
        if self.chosen is None:
            self.boundaries.leave(op)
        for mover, source, target, _ in moves(op):
            if source not in self.program.sizes:
                continue
            at, to = self.seating.absolute(source), self.seating.absolute(target)
            if at[0] is not to[0] or not same_bytes(at[1], to[1]):
                self._note_copy(mover, copied_into(source, target), *self._why_crossing(op, source))

    def _why_crossing(self, op: Operation, source: SSAValue) -> tuple[Reason, Operation | None]:
        refused = [r for r in self.plan.refused.get(op, ()) if op.operands[r.operand] is source]
        if refused:
            return refused[0].reason, refused[0].by
        return self.seating.absolute(source)[0].fixed or Reason.CONTROL_FLOW, None

    # Carriers

    def _carry(self, time: int, op: Operation, contract: Contract) -> None:
        """Seat the result of a carrier; note what it copies."""
        result = op.results[0]
        base = next((c for c in contract.contributions if c.complement), None)
        over = next((o for o in contract.over if o.result == 0), None)
        given = self.decisions.inplace.get(result, -1)
        if self.chosen is not None:
            given = self.chosen.inplace.get(result, given)
        wanted = over.operand if over is not None and self._wants(op, over, base is not None) else -1
        k = given if given >= 0 else wanted
        if k >= 0:
            refusal = None
            if over is not None and given < 0:
                refusal = self.legality.carrier_refusal(op, contract, over)
            if refusal is None and not self._settle_number(result, op.operands[k]):
                refusal = Refusal(Reason.NEXT_OP_REUSES, 0, k, result, op)
            if refusal is None:
                self.seating.assign(result, k)
                self.plan.inplace[op] = (k,)
            else:
                self.plan.refused[op] = (refusal,)
                if base is not None:
                    self.plan.lost.append(Edge(op, k))
        elif over is not None:
            objection = self.policy.objection(self.program, op, 0, over.operand)
            if self._is_fixed(op, over):
                objection = Reason.DECIDED
            refusal = Refusal(objection, 0, over.operand) if objection is not None else None
            refusal = refusal or self.legality.carrier_refusal(op, contract, over)
            self.plan.refused[op] = (refusal or Refusal(Reason.TAKEN, 0, over.operand),)
        if result not in self.seating.at:
            self.seating.assign(result)
        for carry in contract.contributions:
            if self.seating.in_position(op, carry.operand):
                if not carry.complement:
                    self.legality.positioned.add(op)
            else:
                text = copied_into(op.operands[carry.operand], result)
                self._note_copy(op, text, *self._why_copied(op, contract, carry))
                if Edge(op, carry.operand) in self.carried and carry.may_be_produced_in_place:
                    self.plan.lost.append(Edge(op, carry.operand))
        kept = tuple(
            c.operand
            for c in contract.contributions
            if c.may_be_produced_in_place and self.seating.in_position(op, c.operand)
        )
        kept = tuple(sorted({*kept, *self.decisions.parts.get(op, ())}))
        if kept:
            self.plan.parts[op] = kept

    def _wants(self, op: Operation, over: InPlace, is_scatter: bool) -> bool:
        if self.chosen is not None or self._is_fixed(op, over):
            return False
        if is_scatter and Edge(op, over.operand) not in self.carried:
            return False
        return self.policy.objection(self.program, op, 0, over.operand) is None

    def _is_fixed(self, op: Operation, over: InPlace) -> bool:
        """An offset says where the result lies, or what else lies where the operand does, and when."""
        return self.decisions.offset_of(op.results[over.result]) >= 0 or self.seating.is_planned(
            op.operands[over.operand]
        )

    # Kernels

    def _kernel(self, time: int, op: Operation, contract: Contract, results: list[OpResult]) -> None:
        chosen: dict[int, int] = {}
        given, refusals = self.decisions.over(op), list[Refusal]()
        for result in results:
            view = self.program.view(result)
            if view is not None:
                self.seating.assign(result)
                if self.seating.at[result][0] is result:
                    self.plan.copies.append(result)
                    what = copied_into(op.operands[view.operand], result)
                    self._note_copy(op, what, Reason.LAYOUT, first_reader(result))
                continue
            k, refused = given[result.index], None
            if k < 0:
                k, refused = self._choose(time, op, contract, result, set(chosen.values()))
            self.seating.assign(result, k)
            if k >= 0:
                chosen[result.index] = k
            elif refused is not None:
                refusals.append(refused)
        if chosen:
            self.plan.inplace[op] = tuple(chosen.get(r.index, -1) for r in op.results)
        if refusals:
            self.plan.refused[op] = tuple(refusals)

    def _note_copy(self, op: Operation, text: str, reason: Reason, by: Operation | None = None) -> None:
        self.plan.copied.setdefault(op, []).append(Copied(text, reason, by))

    def _why_copied(self, op: Operation, contract: Contract, carry: Contribution) -> tuple[Reason, Operation | None]:
        """What kept a contribution out of its part of the result."""
        value = op.operands[carry.operand]
        group = self.seating.absolute(value)[0]
        refused = self.plan.refused.get(op)
        if refused is not None and any(c.complement for c in contract.contributions):
            return refused[0].reason, refused[0].by  # a scatter that is not over its base fills fresh memory
        if group.fixed is not None or group.argument:
            return group.fixed or Reason.PROGRAM_INPUT, None
        if carry.may_be_produced_in_place:
            elsewhere = self.seating.destined.get(value, Edge(op, carry.operand))
            if elsewhere != Edge(op, carry.operand):
                return Reason.REPEATED_OPERAND if elsewhere.op is op else Reason.TAKEN, elsewhere.op
            part = self.seating.part(Edge(op, carry.operand), value)
            strided = part is not None and not part.is_dense
            return Reason.LAYOUT if strided and not self.seating.all_accept_strides(value) else Reason.TAKEN, None
        source = self.plan.refused.get(value.op) if isinstance(value, OpResult) else None
        return (source[0].reason, source[0].by) if source else (Reason.KERNEL, None)

    def _choose(
        self, time: int, op: Operation, contract: Contract, result: OpResult, taken: set[int]
    ) -> tuple[int, Refusal | None]:
        """The operand that `result` goes over, or -1 and why the one that passed most checks is refused."""
        if contract.constant or contract.foreign or is_region_op(op):
            return -1, None
        if self.chosen is not None and (k := self.chosen.inplace.get(result, -1)) >= 0:
            self._settle(result, op.operands[k])
            return k, None
        if self.decisions.offset_of(result) >= 0:
            over = next((o for o in contract.over if o.result == result.index), None)
            return -1, Refusal(Reason.DECIDED, result.index, over.operand) if over is not None else None
        best: Refusal | None = None
        legal: list[InPlace] = []
        for k, operand in enumerate(op.operands):
            if operand not in self.program.sizes:
                continue
            refusal = self.legality.refusal(time, op, result, k)
            if refusal is None and self.seating.is_planned(operand):
                refusal = Refusal(Reason.DECIDED, result.index, k)
            if refusal is None and any(self.legality.meet(op, k, other) for other in taken):
                refusal = Refusal(Reason.TAKEN, result.index, k, operand, op)
            if refusal is None:
                over = permission(contract, result, k)
                assert over is not None, "what is not declared is refused"
                legal.append(over)
            elif best is None or refusal.reason.rank > best.reason.rank:
                best = refusal
        if not legal:
            return -1, best
        if self.chosen is not None:
            return -1, Refusal(Reason.TAKEN, result.index, legal[0].operand)
        choice = min(legal, key=lambda o: (not self._agrees(result, op.operands[o.operand]), o.by_swapping, o.operand))
        if not self._settle(result, op.operands[choice.operand]):
            return -1, Refusal(Reason.NEXT_OP_REUSES, result.index, choice.operand, result, op)
        return choice.operand, None

    def _agrees(self, result: OpResult, operand: SSAValue) -> bool:
        """Going over this operand does not tie the result to memory that another decision wants it out of."""
        return result not in self.seating.destined or self.seating.positions[operand].group.inside is None

    def _settle(self, result: OpResult, operand: SSAValue) -> bool:
        """Bring together what earlier decisions say of both: numbers of storages, parts of concats."""
        if not self._settle_number(result, operand):
            return False
        edge = self.seating.destined.get(result)
        group = self.seating.positions[operand].group
        return edge is None or self._goes_there(group, edge, result, operand)

    def _settle_number(self, result: OpResult, operand: SSAValue) -> bool:
        """The operand's storage has the result's number, or may have it from now on."""
        group, layout = self.seating.positions[operand]
        number = self.decisions.number_of(result)
        if number < 0:
            return True
        if not same_bytes(layout, self.program.dense(result)):
            return False  # its number puts the result at the first byte of the storage, whatever the operand is
        if group.number == number:
            return True
        if group.number >= 0 or group.fixed or group.argument or group.inside is not None:
            return False
        if group.parts or not self._joins(group, number):
            return False  # parts of a concat's storage are in use before it is
        group.number = number
        for member in group.members:
            if isinstance(member, OpResult) and self.program.view(member) is None:
                self.plan.reuse[member] = number
        shared = self.seating.numbered.setdefault(number, group)
        if shared is not group:
            self.seating.merge(group, shared)
        return True

    def _goes_there(self, group: AliasSet, edge: Edge, result: OpResult, operand: SSAValue) -> bool:
        """The result is destined for a part of a concat: the operand's group is there, or moves there whole."""
        part = self.seating.part(edge, result)
        if part is None:
            return True
        if group.inside is not None:
            home, have = group.inside
            seat = self.seating.positions[operand].layout
            where = seat.within(have) if isinstance(seat, Strided) else None
            return home.root is edge.op.results[0] and where is not None and same_bytes(where, part)
        whole = same_bytes(self.seating.positions[operand].layout, self.program.dense(group.root))
        if not whole or group.root in self.seating.destined and self.seating.destined[group.root] != edge:
            return False
        strided = not part.is_dense
        if strided and not self.seating.all_accept_strides(result):
            return False
        return self.seating.enter(group, edge)

    def _joins(self, group: AliasSet, number: int) -> bool:
        """A storage of its own may become number `number`: no other member is needed while it is in use. A slot is in
        use again when other members, met later, may be in the storage."""
        if any(not isinstance(v, OpResult) or is_region_op(v.op) for v in group.members):
            return False
        begin = min((v.owner for v in group.members if isinstance(v.owner, Operation)), key=self.program.at.__getitem__)
        there = self.seating.numbered.get(number)
        if there is not None and there.argument:
            room = self.program.dense(there.root)
            if not all(fits(self.seating.positions[v].layout, room) for v in group.members):
                return False
        for value in there.members if there is not None else ():
            if self.program.time_of(value) > self.program.at[begin]:
                return False
            if any(self.legality.read_after(p, begin, itself=True) for p in self.residence.pieces[value]):
                return False
        return True


def first_reader(value: SSAValue) -> Operation | None:
    """The first op that reads a value."""
    return next((use.operation for use in value.uses), None)


def given_edges(program: NumberedOps) -> frozenset[Edge]:
    """Contributions that are in position by decisions made before: scatters over their base, operands in their part."""
    found: set[Edge] = set()
    for op, contract in zip(program.ops, program.contracts, strict=True):
        found.update(Edge(op, k) for k in program.decisions.parts.get(op, ()))
        over = program.decisions.inplace.get(op.results[0], -1) if op.results and contract.contributions else -1
        found.update(Edge(op, c.operand) for c in contract.contributions if c.complement and c.operand == over)
    return frozenset(found)
