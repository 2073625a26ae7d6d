"""Walks a function once, in the order of its ops, and decides which results are written over which operands.

`legality.py` says which decisions are legal, `alias_sets.py` where values lie under the decisions taken so far. The
walk selects among the legal decisions that the strategy's policy accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property, partial

from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors, operands_of
from lastuse.dialect.storage.contract import Contract, Contribution, InPlace, is_region_op, is_scatter
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import fits, same_bytes
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Copied, Reason, Refusal, copied_into
from lastuse.passes.inplace_analysis.alias_sets import AliasSet, AliasSets
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.legality import Legality, Policy, accept_all, permission
from lastuse.passes.inplace_analysis.read_after_write import Edge, ValueContents, elided
from lastuse.passes.inplace_analysis.region_ops import RegionOps, moves

Cause = tuple[Reason, Operation | None]
"""Why something is so, and the op that is the cause."""


class GreedyAnalysis:
    """One walk. `carried` are the contributions to elide where that is legal; the others are copied.

    With `chosen` all decisions are given: the walk finds the reasons why there are no others, and the copies. It places
    no source of a scatter in its part: where the function carries such decisions, they are all. Without `reasons` it
    may leave these out."""

    def __init__(
        self,
        program: NumberedOps,
        policy: Policy = accept_all,
        carried: frozenset[Edge] = frozenset(),
        chosen: Decisions | None = None,
        reasons: bool = True,
    ) -> None:
        if chosen is None and any(is_scatter(program.contract(op)) for op in program.decisions.parts):
            chosen = program.decisions
        self.program, self.policy, self.chosen = program, policy, chosen
        self.decisions = program.decisions
        decided = chosen or program.decisions
        self.carried, self._kept = carried, carried | elided(program, decided)
        self._elided: set[Operation] = set()
        self._leaves_reasons = not reasons
        self._unexplained = chosen is not None and not reasons
        self.sets = AliasSets(program, self._kept, decided)
        self.plan = InPlaceDecisions(self.sets.inplace, order=program.ops)

    @cached_property
    def contents(self) -> ValueContents:
        """Built where the walk asks what is legal: of decisions that are given it asks that for their reasons."""
        return ValueContents(self.program, self._kept)

    @cached_property
    def legality(self) -> Legality:
        """Built as `contents`."""
        return Legality(self.program, self.policy, self.contents, self.sets, self._elided)

    @cached_property
    def region_ops(self) -> RegionOps:
        """Built where a function has region ops."""
        return RegionOps(self.program, self.sets, self.legality, self.plan.reuse, self.chosen)

    def run(self) -> InPlaceDecisions:
        """Walk once; the decisions, and why there are no others."""
        opened: list[Operation] = []
        for op, contract in self._unsettled() if self._is_settled else self._declared():
            while opened and all(around is not opened[-1] for around in ancestors(op)):
                self._leave(opened.pop())
            for argument in self.program.arguments_at(op):
                self.sets.assign(argument)
            results = [r for r in op.results if r in self.program.sizes]
            if is_region_op(op):
                opened.append(op)
                self._refuse(op, self.region_ops.enter(op))
            elif contract.contributions and results:
                self._data_movement(op, contract)
            else:
                self._kernel(op, contract, results)
        if self.chosen is not None:
            self._take(self.chosen)
        return self.plan

    @cached_property
    def _is_settled(self) -> bool:
        """All is decided and nothing is asked but what is copied, of one block where no number or offset gives a place:
        what a kernel makes is placed when the walk asks for it."""
        chosen, before = self.chosen, self.decisions
        if chosen is None or not self._unexplained or not self.program.is_one_block:
            return False
        return not (chosen.numbers or chosen.offsets or before.numbers or before.inplace)

    @cached_property
    def _near_parts(self) -> Set[SSAValue]:
        """Values of storages that may be in a part of a concat: their order says which of them enter it."""
        near, chosen = set[SSAValue](), self.chosen
        pending: list[SSAValue] = []
        for op, parts in chosen.parts.items() if chosen is not None else ():
            pending += [operands_of(op)[k] for k in parts]
        while pending:
            value = pending.pop()
            if value in near:
                continue
            near.add(value)
            pending += [operands_of(value.op)[k] for k in self._lies_at(value)] if isinstance(value, OpResult) else ()
            for use in value.uses:
                pending += [r for r in use.operation.results if use.index in self._lies_at(r)]
        return near

    def _lies_at(self, result: OpResult) -> list[int]:
        """The operand that a result is written over, by what is chosen, and the one that it is a view of."""
        chosen, view = self.chosen, self.program.view(result)
        over = chosen.inplace.get(result, -1) if chosen is not None else -1
        return [k for k in (over, view.operand if view is not None else -1) if k >= 0]

    def _declared(self) -> Iterator[tuple[Operation, Contract]]:
        """The ops with their contracts."""
        return zip(self.program.ops, self.program.contracts, strict=True)

    def _unsettled(self) -> list[tuple[Operation, Contract]]:
        """The ops that the walk has to look at where all is decided, with their contracts. Of the others, which are
        kernels that copy nothing, it notes what is chosen."""
        near, chosen = self._near_parts, self.chosen.inplace if self.chosen is not None else {}
        waiting = [
            (op, contract)
            for op, contract in self._declared()
            if contract.views
            or contract.contributions
            or contract.foreign
            or contract.constant
            or near
            and not near.isdisjoint(op.results)
        ]
        results = {id(result) for op, _ in waiting for result in op.results}  # by identity: hashes are Python code
        self.plan.inplace.update((r, k) for r, k in chosen.items() if k >= 0 and id(r) not in results)
        return waiting

    def _take(self, chosen: Decisions) -> None:
        """What was chosen stands, wherever the walk placed values."""
        self.plan.parts = dict(chosen.parts)
        self.plan.reuse.update((v, n) for v, n in chosen.numbers.items() if self.decisions.number_of(v) != n)
        copies = {*self.plan.copies, *chosen.copies}
        at = self.program.at
        self.plan.copies = sorted((v for v in copies if isinstance(v, OpResult)), key=lambda v: (at[v.op], v.index))

    def _refuse(self, op: Operation, refusals: Sequence[Refusal]) -> None:
        if refusals:
            self.plan.refused[op] = tuple(refusals)

    # Region ops

    def _leave(self, op: Operation) -> None:
        """Settle a region op after all ops in it; note what its boundaries copy."""
        if self.chosen is None:
            self.region_ops.leave(op)
        for mover, source, target, *_ in moves(op):
            if source not in self.program.sizes:
                continue
            at, to = self.sets.position(source), self.sets.position(target)
            if at[0] is not to[0] or not same_bytes(at[1], to[1]):
                self._note_copy(mover, source, target, partial(self._why_crossing, op, source))

    def _why_crossing(self, op: Operation, source: SSAValue) -> Cause:
        refused = [r for r in self.plan.refused.get(op, ()) if op.operands[r.operand] is source]
        if refused:
            return refused[0].reason, refused[0].by
        return self.sets.position(source)[0].fixed or Reason.CONTROL_FLOW, None

    # Data movement

    def _data_movement(self, op: Operation, contract: Contract) -> None:
        """Place the result of a data-movement op; note what it copies."""
        result = op.results[0]
        scatters = is_scatter(contract)
        over = next((o for o in contract.over if o.result == 0), None)
        k = (self.chosen or self.decisions).inplace.get(result, -1)
        refusal: Refusal | None = None
        if k < 0 and over is not None and self._wants(op, over, scatters):
            k = over.operand
            refusal = self.legality.data_movement_refusal(op, contract, over)
        if k >= 0:
            if refusal is None and not self._settle_number(result, op.operands[k]):
                refusal = Refusal(Reason.NEXT_OP_REUSES, 0, k, result, op)
            if refusal is not None and scatters:
                self.plan.lost.append(Edge(op, k))
        elif over is not None and not self._unexplained:
            rejects = self.policy(self.program, op, 0, over.operand)
            if self._is_fixed(op, over):
                rejects = Reason.DECIDED
            refusal = Refusal(rejects, 0, over.operand) if rejects is not None else None
            refusal = refusal or self.legality.data_movement_refusal(op, contract, over)
            refusal = refusal or Refusal(Reason.TAKEN, 0, over.operand)
        self._refuse(op, [refusal] if refusal is not None else [])
        self.sets.assign(result, k if refusal is None else -1)
        kept = set(self.decisions.parts.get(op, ()))
        for contribution in contract.contributions:
            edge = Edge(op, contribution.operand)
            if not self.sets.is_elided(edge):
                source = op.operands[contribution.operand]
                self._note_copy(op, source, result, partial(self._why_copied, op, contract, contribution))
                if edge in self.carried and contribution.may_be_produced_in_place:
                    self.plan.lost.append(edge)
                continue
            if not contribution.complement:
                self._elided.add(op)
            if contribution.may_be_produced_in_place:
                kept.add(contribution.operand)
        if kept:
            self.plan.parts[op] = tuple(sorted(kept))

    def _wants(self, op: Operation, over: InPlace, scatters: bool) -> bool:
        if self.chosen is not None or self._is_fixed(op, over):
            return False
        if scatters and Edge(op, over.operand) not in self.carried:
            return False
        return self.policy(self.program, op, 0, over.operand) is None

    def _is_fixed(self, op: Operation, over: InPlace) -> bool:
        """An offset gives the place of the result, or of values that share the operand's storage."""
        return self.decisions.offset_of(op.results[over.result]) >= 0 or self.sets.is_planned(op.operands[over.operand])

    # Kernels

    def _kernel(self, op: Operation, contract: Contract, results: list[OpResult]) -> None:
        hosts: set[int] = set()
        refusals: list[Refusal] = []
        for result in results:
            view = self.program.view(result)
            if view is not None:
                self.sets.assign(result)
                if self.sets.at[result][0] is result:
                    self.plan.copies.append(result)
                    self._note_copy(op, op.operands[view.operand], result, partial(_why_viewed, result))
                continue
            k, refusal = self.decisions.inplace.get(result, -1), None
            if k < 0:
                k, refusal = self._choose(op, contract, result, hosts)
            self.sets.assign(result, k)
            if k >= 0:
                hosts.add(k)
            elif refusal is not None:
                refusals.append(refusal)
        self._refuse(op, refusals)

    def _note_copy(self, op: Operation, source: SSAValue, target: SSAValue, why: Callable[[], Cause]) -> None:
        self.plan.copy_count += 1
        if not self._unexplained:
            self.plan.copied.setdefault(op, []).append(Copied(copied_into(source, target), *why()))

    def _why_copied(self, op: Operation, contract: Contract, contribution: Contribution) -> Cause:
        """Why a contribution is not elided."""
        value = op.operands[contribution.operand]
        group = self.sets.position(value)[0]
        refused = self.plan.refused.get(op)
        if refused is not None and is_scatter(contract):
            return refused[0].reason, refused[0].by  # a scatter that is not over its base fills fresh memory
        if group.fixed is not None or group.argument:
            return group.fixed or Reason.PROGRAM_INPUT, None
        if contribution.may_be_produced_in_place:
            elsewhere = self.sets.destined.get(value, Edge(op, contribution.operand))
            if elsewhere != Edge(op, contribution.operand):
                return Reason.REPEATED_OPERAND if elsewhere.op is op else Reason.TAKEN, elsewhere.op
            part = self.sets.part(Edge(op, contribution.operand), value)
            strided = part is not None and not part.is_dense
            return Reason.LAYOUT if strided and not self.sets.all_accept_strides(value) else Reason.TAKEN, None
        source = self.plan.refused.get(value.op) if isinstance(value, OpResult) else None
        return (source[0].reason, source[0].by) if source else (Reason.KERNEL, None)

    def _choose(
        self, op: Operation, contract: Contract, result: OpResult, hosts: set[int]
    ) -> tuple[int, Refusal | None]:
        """The operand that `result` is written over, or -1 and the refusal of the operand that passed most checks."""
        if contract.constant or contract.foreign or is_region_op(op):
            return -1, None
        if self.chosen is not None and (k := self.chosen.inplace.get(result, -1)) >= 0:
            self._settle(result, op.operands[k])
            return k, None
        if self._unexplained:
            return -1, None
        if self.decisions.offset_of(result) >= 0:
            over = next((o for o in contract.over if o.result == result.index), None)
            return -1, Refusal(Reason.DECIDED, result.index, over.operand) if over is not None else None
        best: Refusal | None = None
        legal: list[InPlace] = []
        for k, operand in enumerate(op.operands):
            if operand not in self.program.sizes or self._leaves_reasons and permission(contract, result, k) is None:
                continue
            refusal = self.legality.refusal(op, result, k)
            if refusal is None and self.sets.is_planned(operand):
                refusal = Refusal(Reason.DECIDED, result.index, k)
            if refusal is None and any(self.legality.meet(op, k, other) for other in hosts):
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
        """The operand's storage is not the part of a result while another decision wants the result elsewhere."""
        return result not in self.sets.destined or not self.sets.position(operand).group.has_parts

    def _settle(self, result: OpResult, operand: SSAValue) -> bool:
        """Apply what earlier decisions say of both values: numbers of storages, parts of concats."""
        return self._settle_number(result, operand) and self._settle_part(result, operand)

    def _settle_number(self, result: OpResult, operand: SSAValue) -> bool:
        """The operand's storage has the number of the result, or may have it from now on."""
        group, layout = self.sets.position(operand)
        number = self.decisions.number_of(result)
        if number < 0:
            return True
        if not same_bytes(layout, self.program.dense(result)):
            return False  # its number puts the result at the first byte of the storage, whatever the operand is
        if group.number == number:
            return True
        if group.number >= 0 or group.fixed or group.argument:
            return False
        if group.has_parts or not self._joins(group, number):
            return False  # parts of a concat's storage are in use before it is
        group.number = number
        for member in group.members:
            if isinstance(member, OpResult) and self.program.view(member) is None:
                self.plan.reuse[member] = number
        shared = self.sets.numbered.setdefault(number, group)
        if shared is not group:
            self.sets.merge(group, shared)
        return True

    def _settle_part(self, result: OpResult, operand: SSAValue) -> bool:
        """The result is destined for no part of a concat, or the operand is there, or moves there with all its set."""
        destined = self.sets.destined
        edge = destined.get(result)
        part = self.sets.part(edge, result) if edge is not None else None
        if edge is None or part is None:
            return True
        group, layout = self.sets.position(operand)
        if group.root is edge.op.results[0]:
            return same_bytes(layout, part)
        whole = same_bytes(layout, self.program.dense(group.root))
        if not whole or destined.get(group.root, edge) != edge:
            return False
        return (part.is_dense or self.sets.all_accept_strides(result)) and self.sets.enter(group, edge)

    def _joins(self, group: AliasSet, number: int) -> bool:
        """A storage may get number `number`: no other value of that number is live while it is. A slot is live again
        when other values, met later, may be in the storage."""
        if any(not isinstance(v, OpResult) or is_region_op(v.op) for v in group.members):
            return False
        begin = min((v.owner for v in group.members if isinstance(v.owner, Operation)), key=self.program.at.__getitem__)
        holder = self.sets.numbered.get(number)
        if holder is not None and holder.argument:
            room = self.program.dense(holder.root)
            if not all(fits(self.sets.position(v).layout, room) for v in group.members):
                return False
        for value in holder.members if holder is not None else ():
            if self.program.time_of(value) > self.program.at[begin]:
                return False
            if any(self.legality.read_after(p, begin, itself=True) for p in self.contents.slices[value]):
                return False
        return True


def _why_viewed(view: OpResult) -> Cause:
    return Reason.LAYOUT, first_reader(view)


def first_reader(value: SSAValue) -> Operation | None:
    """The first op that reads a value."""
    return next((use.operation for use in value.uses), None)
