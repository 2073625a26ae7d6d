"""Where values sit while decisions are made: groups of values that will share one storage, and layouts in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.storage.assignment import accepts_strides
from lastuse.dialect.storage.contract import FOREIGN, Contract, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout, Strided, same_bytes
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.byte_contents import Edge, reshaped


@dataclass
class AliasSet:
    """Values of one storage. `number`: its `dnn.reuse`; `argument`: it is memory of the caller; `fixed`: nothing may be
    written there (constants, borrowed and the caller's own memory), with the reason."""

    root: SSAValue
    number: int = -1
    argument: bool = False
    fixed: Reason | None = None
    inside: tuple[AliasSet, Strided] | None = None
    parts: list[AliasSet] = field(default_factory=lambda: list[AliasSet]())
    members: list[SSAValue] = field(default_factory=list[SSAValue])


class Position(NamedTuple):
    """Where a value is: a layout in its group's storage."""

    group: AliasSet
    layout: Layout


class AliasSets:
    """Seats of all values met so far. `carried` are the contributions that shall be in position; `decisions` say
    which storages have a number."""

    def __init__(self, program: NumberedOps, carried: frozenset[Edge], decisions: Decisions) -> None:
        self.program, self.carried, self.number = program, carried, decisions.number_of
        self.seats: dict[SSAValue, Position] = {}
        self.numbered: dict[int, AliasSet] = {}
        self.homes: dict[Operation, AliasSet] = {}
        self.destined: dict[SSAValue, Edge] = dict(self._destinations())
        self._has_plan = bool(program.decisions.offsets)
        for argument in program.func.args:
            if argument in program.sizes:
                self._seat_argument(argument)

    def is_planned(self, value: SSAValue) -> bool:
        """An offset put the value into the arena, where others lie on its bytes before and after the times at which a
        plan took it to be in use: nothing that lives longer may go there."""
        offset_of = self.program.decisions.offset_of
        return self._has_plan and any(offset_of(v) >= 0 for v in self.seats[value].group.members)

    def _destinations(self) -> Iterator[tuple[SSAValue, Edge]]:
        """Values that shall be computed in a part of a concat: its operand, and what that is a whole view of."""
        for edge in sorted(self.carried, key=lambda e: (self.program.at[e.op], e.operand)):
            if any(
                c.operand == edge.operand and c.may_be_produced_in_place for c in self.contract(edge.op).contributions
            ):
                value = edge.op.operands[edge.operand]
                yield value, edge
                while (view := self.program.view(value)) is not None and view.whole:
                    value = value.owner.operands[view.operand]  # pyright: ignore
                    yield value, edge

    def contract(self, op: Operation) -> Contract:
        return self.program.contracts[self.program.at[op]]

    def _seat_argument(self, argument: BlockArgument) -> None:
        writable = argument.index in self.program.writable
        group = AliasSet(argument, argument=True, fixed=None if writable else Reason.PROGRAM_INPUT)
        number = self.number(argument)
        if number >= 0:
            group.number = number
            self.numbered[number] = group
        group.members.append(argument)
        self.seats[argument] = Position(group, self.program.dense(argument))

    def sit(self, value: SSAValue, seat: Position) -> None:
        self.seats[value] = seat
        seat.group.members.append(value)

    def sit_fresh(self, time: int, value: OpResult, contract: Contract) -> None:
        """A storage of its own, the numbered one that an earlier pass gave, or its part of a concat."""
        own = self.program.dense(value)
        number = self.number(value)
        if number >= 0:
            group = self.numbered.setdefault(number, AliasSet(value, number))
            self.sit(value, Position(group, own))
            return
        fixed = Reason.CONSTANT if contract.constant else Reason.OPERANDS_ALIAS if contract.foreign else None
        group = AliasSet(value, fixed=fixed)
        self.sit(value, Position(group, own))
        if value in self.destined and not contract.constant and not contract.foreign and not is_region_op(value.op):
            self.enter(group, self.destined[value])

    def sit_argument(self, argument: BlockArgument, fixed: Reason | None) -> None:
        """A block argument that is no slot of a region op's result: a storage of its own, or the numbered one."""
        number = self.number(argument)
        group = AliasSet(argument, number, fixed=fixed)
        if number >= 0:
            group = self.numbered.setdefault(number, group)
        self.sit(argument, Position(group, self.program.dense(argument)))

    def enter(self, group: AliasSet, edge: Edge) -> bool:
        """Put a group into the part of a concat that it is destined for, where all who touch it take strides."""
        part = self.part(edge, self.program.dense(group.root))
        if group.inside is not None or group.number >= 0 or group.fixed or group.argument or part is None:
            return False
        if self.number(edge.op.results[0]) >= 0:
            return False  # until the concat runs its storage may be somebody else's
        if not part.is_dense and not all(self.accepts_strides(v) for v in self.sitting(group)):
            return False
        home = self.homes.setdefault(edge.op, AliasSet(edge.op.results[0]))
        group.inside = (home, part)
        home.parts.append(group)
        return True

    def sitting(self, group: AliasSet) -> Iterator[SSAValue]:
        """Every value of the group, and of the groups inside it."""
        yield from group.members
        for part in group.parts:
            yield from self.sitting(part)

    def part(self, edge: Edge, like: Layout) -> Strided | None:
        whole = self.program.dense(edge.op.results[0])
        carry = next(c for c in self.contract(edge.op).contributions if c.operand == edge.operand)
        part = carry.into(whole) if isinstance(whole, Strided) else None
        layout = reshaped(part, like) if part is not None else None
        return layout if isinstance(layout, Strided) else None

    def sit_carrier(self, time: int, op: Operation, contract: Contract) -> None:
        result = op.results[0]
        home = self.homes.get(op)
        if home is None:
            self.sit_fresh(time, result, contract)
            return
        self.sit(result, Position(home, self.program.dense(result)))
        if result in self.destined:
            self.enter(home, self.destined[result])

    def accepts_strides(self, value: SSAValue) -> bool:
        """The op that makes the value and all that read it, as it is or through views, accept strides."""
        if isinstance(value, OpResult):
            maker = self.contract(value.op)
            if not (maker.strided or maker.contributions or maker.views):
                return False
        if not accepts_strides(value, self._contract_of_reader, opaque=False):
            return False
        results = (r for use in value.uses for r in use.operation.results if self.program.view(r) is not None)
        return all(self.accepts_strides(r) for r in results)

    def _contract_of_reader(self, op: Operation) -> Contract:
        return self.contract(op) if op in self.program.at else FOREIGN

    def in_position(self, op: Operation, operand: int) -> bool:
        contract, target = self.contract(op), self.absolute(op.results[0])
        carry = next(c for c in contract.contributions if c.operand == operand)
        source = self.absolute(op.operands[operand])
        if source[0] is not target[0]:
            return False
        if carry.complement:
            return same_bytes(source[1], target[1])
        part = carry.into(target[1]) if isinstance(target[1], Strided) else None
        return part is not None and same_bytes(source[1], part)

    def absolute(self, value: SSAValue) -> tuple[AliasSet, Layout]:
        """The outermost group a value lies in, and its layout there."""
        group, layout = self.seats[value]
        while group.inside is not None:
            home, part = group.inside
            if not isinstance(layout, Strided) or (outer := layout.within(part)) is None:
                return group, layout
            group, layout = home, outer
        return group, layout
