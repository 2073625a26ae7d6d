"""Alias sets: values that share one storage under the decisions taken so far, and their places in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage.contract import FOREIGN, Contract, View, is_region_op, is_scatter
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
        has_parts: values are computed in parts of `root`, the result of a concat.
        members: values whose place is in this set.
    """

    root: SSAValue
    number: int = -1
    argument: bool = False
    fixed: Reason | None = None
    has_parts: bool = False
    members: list[SSAValue] = field(default_factory=list[SSAValue])


class Position(NamedTuple):
    """Where a value is: a layout in the storage of its set."""

    group: AliasSet
    layout: Layout


def why_fixed(program: NumberedOps, root: SSAValue, number: int = -1) -> Reason | None:
    """Why nothing may be written to the storage that a value opens. A `number` says where a result is written."""
    if not isinstance(root, OpResult):
        assert isinstance(root, BlockArgument)
        if program.is_argument(root):
            return None if root.index in program.writable else Reason.PROGRAM_INPUT
        return Reason.OPERANDS_ALIAS if program.foreign_parent(root.block) is not None else None
    contract = program.contract(root.op)
    if number >= 0 or not (contract.constant or contract.foreign):
        return None
    return Reason.CONSTANT if contract.constant else Reason.OPERANDS_ALIAS


class AliasSets(PlaceRules):
    """The places of the values met so far, under the decisions taken for them.

    Args:
        carried: the contributions to elide.
        decisions: the numbers of storages. `assign` is told of each value that is written over an operand.
    """

    def __init__(self, program: NumberedOps, carried: frozenset[Edge], decisions: Decisions) -> None:
        self.program = program
        self.inplace: dict[SSAValue, int] = {}
        super().__init__(replace(decisions, inplace=self.inplace), program.sizes, program.contract)
        self.opened: dict[SSAValue, AliasSet] = {}
        """By value that opens a storage, the set that it is in."""
        self.numbered: dict[int, AliasSet] = {}
        self.destined = {
            value: edge
            for edge in sorted(carried, key=lambda e: (program.at[e.op], e.operand))
            if edge.contribution(program).may_be_produced_in_place and not is_scatter(program.contract(edge.op))
            for value in self.part_of(*edge).path
        }
        """Values that shall be computed in a part of a concat: its operand, and what that is a whole view of."""

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
        return bool(self.decisions.offsets) and any(offset_of(v) >= 0 for v in self.position(value).group.members)

    # Values are assigned in the order of the ops

    def assign(self, value: SSAValue, over: int = -1) -> None:
        """Place a value: over operand `over` of its op if that is given, else by the rules of places. A storage that it
        opens goes to the part of a concat that it is destined for."""
        if over >= 0:
            self.inplace[value] = over
        root, _ = self.find(value)
        if root is not value:
            self._set_of(root).members.append(value)
            return
        group = self.opened[value] = self._opened_by(value)
        group.members.append(value)
        if isinstance(value, OpResult) and value in self.destined and not is_region_op(value.op):
            self.enter(group, self.destined[value])

    def _opened_by(self, value: SSAValue) -> AliasSet:
        number = self.decisions.number_of(value)
        fixed = why_fixed(self.program, value, number)
        group = self.opened.get(value) or AliasSet(value, number, self.program.is_argument(value), fixed)
        if number >= 0:
            self.numbered[number] = group
        return group

    def merge(self, group: AliasSet, into: AliasSet) -> None:
        """Add all values of a set to another one, each at its layout."""
        self.opened.update((self.at[member][0], into) for member in group.members)
        into.members.extend(group.members)

    def move(self, value: SSAValue, into: AliasSet) -> None:
        """A value that opened a storage is all of a set from now on."""
        self.at[value] = into.root, self.own(value)
        into.members.append(value)

    def enter(self, group: AliasSet, edge: Edge) -> bool:
        """Move a set into the part of a concat that it is destined for, where all its values accept strides."""
        part, result = self.part(edge, group.root), edge.op.results[0]
        if group.number >= 0 or group.fixed or group.argument or part is None:
            return False
        if self.decisions.number_of(result) >= 0:
            return False  # until the concat runs, another value may be in its storage
        if not part.is_dense and not all(self.all_accept_strides(v) for v in group.members):
            return False
        layouts = {v: self.at[v][1] for v in group.members}
        within = {v: layout.within(part) for v, layout in layouts.items() if isinstance(layout, Strided)}
        moved = {v: (result, layout) for v, layout in within.items() if layout is not None}
        if len(moved) < len(layouts):
            return False
        self.at.update(moved)
        self.opened.setdefault(result, AliasSet(result, has_parts=True)).members.extend(moved)
        return True

    # What is asked

    def position(self, value: SSAValue) -> Position:
        """The set of a value, and its layout there."""
        root, layout = self.find(value)
        return Position(self._set_of(root), layout)

    def _set_of(self, root: SSAValue) -> AliasSet:
        if root not in self.opened:
            group = self.opened[root] = self._opened_by(root)
            group.members.append(root)
        return self.opened[root]

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

    def is_elided(self, edge: Edge) -> bool:
        """The contribution already is its part of the result: no byte is copied."""
        target, source = self.position(edge.op.results[0]), self.position(operands_of(edge.op)[edge.operand])
        if source.group is not target.group:
            return False
        part = edge.contribution(self.program).place(target.layout)
        return part is not None and same_bytes(source.layout, part)
