"""Places of the values of a component under a set of choices, and the choices that cause them.

`Assignment` applies the rules of `lastuse.dialect.storage.place_rules` to the decisions that the choices stand for.
Beside them it keeps a graph of the values that share a storage: the choices on the path between two values are what
placed both in one storage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage.contract import View
from lastuse.dialect.storage.decisions import Decisions, is_slot
from lastuse.dialect.storage.layout import may_overlap, same_bytes
from lastuse.dialect.storage.place_rules import PlaceRules
from lastuse.passes.inplace_analysis.optimal.component_choices import Choice, ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.equivalence_graph import EquivalenceGraph
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.inplace_analysis.region_ops import UNDECIDED, Movement

Nogood = frozenset[int]
"""Choices, by number, that cannot all be taken."""


class Assignment(PlaceRules):
    """Storages and layouts of a component's values. `nogoods` are the choices that the rules of places do not allow
    together."""

    def __init__(self, variables: Variables, component: Component, choices: Set[int]) -> None:
        self.variables, self.component = variables, component
        self.reads, self.program = variables.reads, variables.program
        self.nogoods: set[Nogood] = set()
        self.copies: set[SSAValue] = set()
        """Views that have to be copies here."""
        self.idle: set[int] = set()
        """Choices that are taken and come to nothing, since others stand in their way."""
        self.graph = EquivalenceGraph()
        every = variables.choices
        self.choices = {n: every[n] for n in component.choices if n in choices}
        self._parts: list[tuple[int, Choice]] = []
        self._shares: list[tuple[int, Choice]] = []
        self.over: dict[SSAValue, int] = {}
        """By result that is written over an operand the choice that says so, -1 for a decision made before."""
        self.part: dict[SSAValue, int] = {}
        """The same by the root of a part."""
        self.joined: dict[SSAValue, SSAValue] = {}
        """By value that opens a numbered storage the one that stands for all that open it."""
        self._roots: dict[SSAValue, SSAValue] = {}
        self.joined_by: dict[SSAValue, Nogood] = {}
        """The choices that made a storage a numbered one."""
        decisions = Decisions(inplace=self._write_over(), copies=variables.decisions.copies)
        super().__init__(decisions, self.program.sizes, self.program.contract)
        for value in component.values:
            if isinstance(value, OpResult):
                continue
            result = self.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
            if result is not None:
                always = UNDECIDED.slot_of(value) is not None  # pyright: ignore
                self.graph.add(value, result, -1 if always else self.over[result])
        self._number()
        self._take_parts()
        self.groups: dict[SSAValue, list[SSAValue]] = {}
        for value in component.values:
            root = self.find(value)[0]
            if (group := self.groups.get(root)) is None:
                group = self.groups[root] = []
            group.append(value)
        if self.reads.copies:
            self.copies.update(v for v in self.reads.copies if v in self.at and self.parent(v) is None)

    def view(self, value: SSAValue) -> View | None:
        return self.reads.view(value)

    def accepts_strides(self, value: SSAValue) -> bool:
        return self.reads.accepts_strides(value)

    def all_of(self, value: SSAValue) -> SSAValue | None:
        return super().all_of(value) if not self.reads.may_be_copy(value) else None

    def opener(self, value: SSAValue) -> SSAValue | None:
        if self.variables.planned and value in self.variables.planned:
            return value
        return self._numbered(value) if self.joined else None

    def _write_over(self) -> dict[SSAValue, int]:
        """By result the operand that it is written over, by a choice or by an earlier decision."""
        inplace: dict[SSAValue, int] = {}
        before, views = self.variables.decisions.inplace, self.reads.views if self.component.views else {}
        for value in self.component.values if before or views else ():
            k = before.get(value, -1) if before else -1
            if k >= 0 and (operand := operands_of(value.owner)[k]) in self.program.sizes:  # pyright: ignore
                self.graph.add(value, operand)
                inplace[value], self.over[value] = k, -1
            if (view := views.get(value)) is not None:
                self.graph.add(value, operands_of(value.owner)[view.operand])  # pyright: ignore
        for number, choice in self.choices.items():
            kind, _, _, operand, source, target, *_ = choice
            if kind is not ChoiceKind.OVER:
                (self._parts if kind is ChoiceKind.PART else self._shares).append((number, choice))
                continue
            if source in self.over:
                self.nogoods.add(frozenset(n for n in (number, self.over[source]) if n >= 0))
                self.idle.add(number)
                continue
            inplace[source], self.over[source] = operand, number
            self.graph.add(source, target, number)
        return inplace

    def root(self, value: SSAValue) -> SSAValue:
        """The value whose storage `value` fills, by decisions and whole views. Only such values get a number."""
        chain: list[SSAValue] = []
        while (root := self._roots.get(value)) is None:
            if self.opener(value) is not None or (source := self.all_of(value)) is None:
                root = value
                break
            chain.append(value)
            value = source
        self._roots.update(dict.fromkeys(chain, root))
        return root

    # Storage numbers

    def _number(self) -> None:
        first: dict[int, SSAValue] = {}
        numbers = self.variables.numbers
        members = [v for v in self.component.values if v in numbers] if numbers else []
        for value in sorted(members, key=lambda v: not isinstance(v, BlockArgument)):
            rep = first.setdefault(numbers[value], value)
            self.joined[value] = rep
            if rep is not value:
                self.graph.add(value, rep)
        for value in members:
            if value in self.over and value not in self.variables.planned:
                self._join(operands_of(value.owner)[self.decisions.inplace[value]], value, self.over[value])  # pyright: ignore
        for number, choice in self._shares:
            self._join(choice.source, choice.target, number)
        for value in self.joined:
            self._numbered(value)

    def _numbered(self, value: SSAValue) -> SSAValue | None:
        """The value that stands for the numbered storage that a value opens; None where it opens none."""
        joined = self.joined
        if (rep := joined.get(value)) is None:
            return None
        while (up := joined[rep]) is not rep:
            joined[rep] = joined[up]
            rep = up
        joined[value] = rep
        return rep

    def _join(self, a: SSAValue, b: SSAValue, number: int) -> None:
        """Merge two storages under one number; if that is impossible the choice has no effect."""
        one, other = self._representative(a), self._representative(b)
        if one is other:
            return
        for value, root in ((a, one), (b, other)):
            if not self._takes_number(root):
                self.idle.add(number)
                if isinstance(root, OpResult):
                    self._conflict(value, root, number)
                return
        if self.program.is_argument(one) and self.program.is_argument(other):
            self._conflict(a, one, number, *self.path(b, other))
            self.idle.add(number)
            return
        if self.program.is_argument(other):
            a, b, one, other = b, a, other, one
        for value, root in ((a, one), (b, other)):
            if root not in self.joined:
                self.joined_by[root] = frozenset((*self.path(value, root), number))
        self.joined.setdefault(one, one)
        self.joined[other] = one
        self.graph.add(a, b, number)

    def _representative(self, value: SSAValue) -> SSAValue:
        root = self.root(value)
        return self._numbered(root) or root

    def _takes_number(self, root: SSAValue) -> bool:
        if isinstance(root, BlockArgument):
            return self.program.is_argument(root) or is_slot(root)
        assert isinstance(root, OpResult)
        return self.variables.is_movable(root)

    # Parts

    def _take_parts(self) -> None:
        parts = self.variables.decisions.parts
        for op in self.component.ops if parts else ():
            for k in parts.get(op, ()):
                if operands_of(op)[k] in self.program.sizes and op.results[0] in self.component.values:
                    self._take_part(op, k, -1)
        for number, choice in self._parts:
            self._take_part(choice.op, choice.operand, number)

    def _take_part(self, op: Operation, k: int, number: int) -> None:
        part = self.part_of(op, k)
        root = part.path[-1]
        if self.take(part):
            self.part[root] = number
            self.graph.add(operands_of(op)[k], op.results[0], number)
            return
        self.idle.add(number)
        if root in self.parts:
            other = self.parts[root]
            self._conflict(operands_of(op)[k], operands_of(other.op)[other.operand], number, self.part[root])
        else:
            self._conflict(operands_of(op)[k], root, number, *self.joined_by.get(root, ()))

    # What is asked

    def is_forwarded(self, value: SSAValue) -> bool:
        return value in self.variables.decisions.forwarded

    def time_of(self, op: Operation) -> int:
        return self.program.at[op]

    @cached_property
    def movements(self) -> list[Movement]:
        """Those within the component: a value of another component is moved whatever is decided."""
        every = (m for op in self.component.ops for m in self.variables.movements(op))
        return [m for m in every if m.source in self.at and m.target in self.at]

    def moves(self, op: Operation) -> Iterator[list[Movement]]:
        """The parallel copies at the boundaries of a region op, or of a branch, into values of the component; sources
        may be of other components."""
        by_way: dict[tuple[Operation, int], list[Movement]] = {}
        for movement in self.variables.movements(op):
            if movement.target in self.at:
                by_way.setdefault((movement.op, movement.way), []).append(movement)
        yield from by_way.values()

    # Values of other components lie elsewhere.

    def same(self, a: SSAValue, b: SSAValue) -> bool:
        """Both values have exactly the same bytes."""
        one, other = self.at.get(a), self.at.get(b)
        return one is not None and other is not None and one[0] is other[0] and same_bytes(one[1], other[1])

    def meet(self, a: SSAValue, b: SSAValue) -> bool:
        """The values have a byte in common, or may have one."""
        one, other = self.at.get(a), self.at.get(b)
        return one is not None and other is not None and one[0] is other[0] and may_overlap(one[1], other[1])

    def size(self, value: SSAValue) -> int:
        """Bytes of a value, as `amount` counts those that are not known."""
        return self.variables.bytes_of(value)

    def is_there(self, movement: Movement) -> bool:
        """The movement copies nothing."""
        if movement.contribution is None:
            return self.same(movement.source, movement.target)
        if movement.source not in self.at:
            return False
        (root, layout), (other, target) = self.at[movement.source], self.at[movement.target]
        place = movement.contribution.place(target)
        return root is other and place is not None and same_bytes(layout, place)

    # What the rules do not allow

    def reject_cycle(self, part: SSAValue, cycle: Sequence[SSAValue]) -> None:
        """The part is dropped. All choices by which the values of the cycle follow from each other are the cause."""
        graph = [self.over[v] if v in self.over else self.part[v] if v in self.parts else -1 for v in cycle]
        self.idle.add(self.part[part])
        if any(n >= 0 for n in graph):
            self.nogoods.add(frozenset(n for n in graph if n >= 0))

    def reject_place(self, value: SSAValue, root: SSAValue | None) -> None:
        # The argument of a loop that has other sizes than the result is not in its slot, whatever is chosen.
        if root is not None and self.path(value, root):
            self._conflict(value, root)

    def copied(self, value: SSAValue) -> None:
        self.copies.add(value)
        view = self.view(value)
        assert view is not None
        self.graph.cut(value, operands_of(value.owner)[view.operand])  # pyright: ignore

    # Nogood

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The choices that place `a` and `b` in one storage; none where no choice is needed."""
        return self.graph.path(a, b)

    def _conflict(self, a: SSAValue, b: SSAValue, *choices: int) -> None:
        self.nogoods.add(frozenset(n for n in (*self.path(a, b), *choices) if n >= 0))
