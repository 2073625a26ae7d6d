"""Alias sets: values that share one storage under the decisions taken so far, and their places in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.storage.contract import FOREIGN, Contract, View, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout, Strided, same_bytes
from lastuse.dialect.storage.place_rules import Part, PlaceRules, accepts_strides
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.read_after_write import Edge


@dataclass
class AliasSet:
    """Values of one storage.

    Attributes:
        root: the value that opens the storage.
        number: of the storage, -1 for none.
        argument: it is memory of the caller.
        fixed: why nothing may be written there (constants, borrowed and the caller's own memory); None where it may.
        inside: the set that this one lies in, and its part there.
        parts: the sets that lie in this one.
        members: values whose place is in this set.
    """

    root: SSAValue
    number: int = -1
    argument: bool = False
    fixed: Reason | None = None
    inside: tuple[AliasSet, Strided] | None = None
    parts: list[AliasSet] = field(default_factory=lambda: list[AliasSet]())
    members: list[SSAValue] = field(default_factory=list[SSAValue])


class Position(NamedTuple):
    """Where a value is: a layout in the storage of its set."""

    group: AliasSet
    layout: Layout


class AliasSets(PlaceRules):
    """The places of the values met so far, under the decisions taken for them.

    Args:
        carried: the contributions to elide.
        decisions: the numbers of storages. `assign` is told of each value that is written over an operand.
    """

    def __init__(self, program: NumberedOps, carried: frozenset[Edge], decisions: Decisions) -> None:
        self.program, self.carried = program, carried
        self.inplace: dict[SSAValue, int] = {}
        super().__init__(replace(decisions, inplace=self.inplace), program.sizes, program.contract)
        self.positions: dict[SSAValue, Position] = {}
        self.numbered: dict[int, AliasSet] = {}
        self.homes: dict[Operation, AliasSet] = {}
        """Sets of results that operands are computed in, before the result is met."""
        self.destined: dict[SSAValue, Edge] = dict(self._destinations())
        for argument in program.func.args:
            if argument in program.sizes:
                self._assign_argument(argument)

    def view(self, value: SSAValue) -> View | None:
        return self.program.view(value)

    def opener(self, value: SSAValue) -> SSAValue | None:
        number = self.decisions.number_of(value)
        if number < 0:
            return None
        return self.numbered[number].root if number in self.numbered else value

    def is_planned(self, value: SSAValue) -> bool:
        """A value of the set has an offset: other values lie on its bytes before and after the times at which the plan
        took it to be live, so nothing that lives longer may go there."""
        offset_of = self.decisions.offset_of
        return bool(self.decisions.offsets) and any(offset_of(v) >= 0 for v in self.positions[value].group.members)

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

    # Values are assigned in the order of the ops

    def _assign_argument(self, argument: BlockArgument) -> None:
        writable = argument.index in self.program.writable
        group = AliasSet(argument, argument=True, fixed=None if writable else Reason.PROGRAM_INPUT)
        number = self.decisions.number_of(argument)
        if number >= 0:
            group.number = number
            self.numbered[number] = group
        group.members.append(argument)
        self.at[argument] = argument, self.own(argument)
        self.positions[argument] = Position(group, self.own(argument))

    def assign(self, value: SSAValue, over: int = -1) -> None:
        """Place a value: over operand `over` of its op if that is given, else by the rules of places. A storage that it
        opens goes to the part of a concat that it is destined for."""
        if over >= 0:
            self.inplace[value] = over
        root, layout = self.find(value)
        group = self.positions[root].group if root is not value else self._opened_by(value)
        self.positions[value] = Position(group, layout)
        group.members.append(value)
        if root is not value:
            return
        is_free = isinstance(value, OpResult) and group.fixed is None and not is_region_op(value.op)
        if value in self.destined and is_free and group.number < 0:
            self.enter(group, self.destined[value])

    def _opened_by(self, value: SSAValue) -> AliasSet:
        number = self.decisions.number_of(value)
        if isinstance(value, BlockArgument):
            lent = self.program.lender(value.block) is not None
            group = AliasSet(value, number, fixed=Reason.OPERANDS_ALIAS if lent else None)
        else:
            assert isinstance(value, OpResult)
            contract = self.contract(value.op)
            fixed = Reason.CONSTANT if contract.constant else Reason.OPERANDS_ALIAS if contract.foreign else None
            home = self.homes.get(value.op) if value.index == 0 else None
            group = home or AliasSet(value, number, fixed=fixed if number < 0 else None)
        if number >= 0:
            self.numbered[number] = group
        return group

    def merge(self, group: AliasSet, into: AliasSet) -> None:
        """Add all values of a set to another one, each at its layout."""
        for member in group.members:
            self.positions[member] = self.positions[member]._replace(group=into)
        into.members.extend(group.members)

    def move(self, value: SSAValue, into: AliasSet) -> None:
        """A value that opened a storage is all of a set from now on."""
        self.at[value] = into.root, self.own(value)
        self.positions[value] = Position(into, self.own(value))
        into.members.append(value)

    def enter(self, group: AliasSet, edge: Edge) -> bool:
        """Put a set into the part of a concat that it is destined for, where all its values accept strides."""
        part = self.part(edge, group.root)
        if group.inside is not None or group.number >= 0 or group.fixed or group.argument or part is None:
            return False
        if self.decisions.number_of(edge.op.results[0]) >= 0:
            return False  # until the concat runs, another value may be in its storage
        if not part.is_dense and not all(self.all_accept_strides(v) for v in self.values_in(group)):
            return False
        home = self.homes.setdefault(edge.op, AliasSet(edge.op.results[0]))
        group.inside = (home, part)
        home.parts.append(group)
        return True

    # What is asked

    def absolute(self, value: SSAValue) -> Position:
        """The outermost set that a value lies in, and its layout there."""
        group, layout = self.positions[value]
        while group.inside is not None:
            home, part = group.inside
            if not isinstance(layout, Strided) or (outer := layout.within(part)) is None:
                return Position(group, layout)
            group, layout = home, outer
        return Position(group, layout)

    def values_in(self, group: AliasSet) -> Iterator[SSAValue]:
        """Every value of the set, and of the sets inside it."""
        yield from group.members
        for part in group.parts:
            yield from self.values_in(part)

    def part(self, edge: Edge, value: SSAValue) -> Strided | None:
        """The part of a result that an operand is computed in, with the sizes of `value`."""
        part = self.in_part(Part(edge.op, edge.operand, (value,)), self.own(edge.op.results[0]))
        return part if isinstance(part, Strided) else None

    def all_accept_strides(self, value: SSAValue) -> bool:
        """The op that makes the value and all ops that read it, or views of it, accept strides."""
        if isinstance(value, OpResult):
            maker = self.contract(value.op)
            if not (maker.strided or maker.contributions or maker.views):
                return False
        if not accepts_strides(value, self._contract_of_reader, opaque=False):
            return False
        results = (r for use in value.uses for r in use.operation.results if self.program.view(r) is not None)
        return all(self.all_accept_strides(r) for r in results)

    def _contract_of_reader(self, op: Operation) -> Contract:
        return self.contract(op) if op in self.program.at else FOREIGN

    def in_position(self, op: Operation, operand: int) -> bool:
        """The contribution already is its part of the result: no byte is copied."""
        target, source = self.absolute(op.results[0]), self.absolute(op.operands[operand])
        if source.group is not target.group:
            return False
        contribution = next(c for c in self.contract(op).contributions if c.operand == operand)
        part = target.layout if contribution.complement else None
        if part is None and isinstance(target.layout, Strided):
            part = contribution.into(target.layout)
        return part is not None and same_bytes(source.layout, part)
