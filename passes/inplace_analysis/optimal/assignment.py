"""Where the values of a component are under a set of atoms: the place rules of docs/storage.md, 2, and who is to blame.

Every value derives from at most one other. `Assignment` follows the rules of
`lastuse.dialect.storage.assignment`, on atoms in place of attributes, and keeps the links: the atoms on the way from
one value to another are what brought them together.
"""

from __future__ import annotations

from collections.abc import Set

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import is_slot, slot_of, viewed
from lastuse.dialect.storage.contract import View, is_region_op
from lastuse.dialect.storage.layout import Layout, Strided, is_dense
from lastuse.passes.inplace_analysis.byte_contents import reshaped
from lastuse.passes.inplace_analysis.optimal.equivalence_graph import Links
from lastuse.passes.inplace_analysis.optimal.variables import Choice, ChoiceKind, Choices, Component

Blame = frozenset[int]
"""Atoms, by number, that cannot all be taken."""


class Assignment:
    """Roots and layouts of a component's values; what the structure itself does not allow is in `blames`."""

    def __init__(self, choices: Choices, component: Component, taken: Set[int]) -> None:
        self.choices, self.component = choices, component
        self.facts, self.program = choices.facts, choices.program
        self.blames: set[Blame] = set()
        self.copies: set[SSAValue] = set()
        """Views that have to be copies here."""
        self.idle: set[int] = set()
        """Atoms that are taken and come to nothing, since others stand in their way."""
        self.links = Links()
        self.taken = [n for n in component.atoms if n in taken]
        self.over: dict[SSAValue, tuple[SSAValue, int]] = {}
        self.destined: dict[SSAValue, tuple[Operation, int, tuple[SSAValue, ...], int]] = {}
        self.joined: dict[SSAValue, SSAValue] = {}
        self.joined_by: dict[SSAValue, Blame] = {}
        """The atoms that made a storage a numbered one."""
        self.at: dict[SSAValue, tuple[SSAValue, Layout]] = {}
        self._lie_over()
        self._number()
        self._take_parts()
        for value in component.values:
            self._find(value)
        self.groups: dict[SSAValue, list[SSAValue]] = {}
        for value in component.values:
            self.groups.setdefault(self.at[value][0], []).append(value)

    def atom(self, number: int) -> Choice:
        """The atom of that number."""
        return self.choices.atoms[number]

    # What derives from what

    def _lie_over(self) -> None:
        for value in self.component.values:
            k = attrs.inplace(value.op)[value.index] if isinstance(value, OpResult) else -1
            if k >= 0 and (operand := value.owner.operands[k]) in self.program.sizes:  # pyright: ignore
                self.links.add(value, operand)
                self.over[value] = operand, -1
            source = _shared_slot(value)
            if source is not None:
                self.links.add(value, source)
            if (view := self._view(value)) is not None:
                self.links.add(value, value.owner.operands[view.operand])  # pyright: ignore
        for number in self.taken:
            atom = self.atom(number)
            if atom.kind is ChoiceKind.OVER:
                if atom.source in self.over:
                    self.blames.add(frozenset(n for n in (number, self.over[atom.source][1]) if n >= 0))
                    self.idle.add(number)
                    continue
                self.over[atom.source] = atom.target, number
                self.links.add(atom.source, atom.target, number)
        for value in self.component.values:
            result = self._slot(value) if _shared_slot(value) is None else None
            if result is not None:
                self.links.add(value, result, self.over[result][1])

    def _view(self, value: SSAValue) -> View | None:
        return self.facts.view(value)

    def _slot(self, value: SSAValue) -> SSAValue | None:
        """The result whose slot a block argument shares."""
        return slot_of(value, self._inplace) if isinstance(value, BlockArgument) else None

    def _inplace(self, op: Operation) -> list[int]:
        """Per result the operand it is written over, by an atom or by a decision made before."""
        atoms = (self.over.get(result, (None, -1))[1] for result in op.results)
        given = zip(atoms, attrs.inplace(op), strict=True)
        return [self.atom(atom).operand if atom >= 0 else operand for atom, operand in given]

    def root(self, value: SSAValue) -> SSAValue:
        """The value whose storage `value` is all of, by decisions and whole views."""
        while True:
            if value in self.choices.planned or value in self.choices.numbers or value in self.joined:
                return value
            if value in self.over:
                value = self.over[value][0]
                continue
            slot = self._slot(value)
            if slot is not None:
                value = slot
                continue
            view = self._view(value)
            if view is None or not view.whole:
                return value
            value = value.owner.operands[view.operand]  # pyright: ignore

    # Storage numbers

    def _number(self) -> None:
        first: dict[int, SSAValue] = {}
        given = self.choices.numbers
        members = [v for v in self.component.values if v in given]
        for value in sorted(members, key=lambda v: not isinstance(v, BlockArgument)):
            rep = first.setdefault(given[value], value)
            self.joined[value] = rep
            if rep is not value:
                self.links.add(value, rep)
        for value in self.component.values:
            over = self.over.get(value)
            if over is not None and value in given and value not in self.choices.planned:
                self._join(over[0], value, over[1])
        for number in self.taken:
            atom = self.atom(number)
            if atom.kind is ChoiceKind.SHARE:
                self._join(atom.source, atom.target, number)

    def _join(self, a: SSAValue, b: SSAValue, number: int) -> None:
        """Two storages become one, with a number; where they cannot, both stay, and that is nobody's gain."""
        one, other = self._representative(a), self._representative(b)
        if one is other:
            return
        for value, root in ((a, one), (b, other)):
            if not self._takes_number(root):
                self.idle.add(number)
                if isinstance(root, OpResult):
                    self._blame(value, root, number)
                return
        if self.program.is_argument(one) and self.program.is_argument(other):
            self.links.add(a, b, number)
            self._blame(one, other)
            self.idle.add(number)
            return
        if self.program.is_argument(other):
            a, b, one, other = b, a, other, one
        for value, root in ((a, one), (b, other)):
            if root not in self.joined:
                self.joined_by[root] = frozenset((*self.path(value, root), number))
        self.joined.setdefault(one, one)
        for value, rep in list(self.joined.items()):
            if rep is other:
                self.joined[value] = one
        self.joined[other] = one
        self.links.add(a, b, number)

    def _representative(self, value: SSAValue) -> SSAValue:
        root = self.root(value)
        return self.joined.get(root, root)

    def _takes_number(self, root: SSAValue) -> bool:
        if isinstance(root, BlockArgument):
            return self.program.is_argument(root) or is_slot(root)
        facts = self.facts
        is_view = self.program.view(root) is not None
        return not (is_view or facts.is_constant(root) or facts.is_borrowed(root) or root in self.choices.planned)

    # Parts

    def _take_parts(self) -> None:
        for op in self.component.ops:
            for k in attrs.parts(op):
                if op.operands[k] in self.program.sizes and op.results[0] in self.component.values:
                    self._destine(op, k, -1)
        for number in self.taken:
            atom = self.atom(number)
            if atom.kind is ChoiceKind.PART:
                self._destine(atom.op, atom.operand, number)

    def _destine(self, op: Operation, k: int, number: int) -> None:
        path = [op.operands[k]]
        while (source := self._in_chain(path[-1])) is not None:
            path.append(source)
        root = path[-1]
        if root in self.destined:
            other, j, _, atom = self.destined[root]
            self._blame(op.operands[k], other.operands[j], number, atom)
            self.idle.add(number)
        elif not self._is_free(root):
            self._blame(op.operands[k], root, number, *self.joined_by.get(root, ()))
            self.idle.add(number)
        else:
            self.destined[root] = op, k, tuple(path), number
            self.links.add(op.operands[k], op.results[0], number)

    def _in_chain(self, value: SSAValue) -> SSAValue | None:
        if not isinstance(value, OpResult) or is_region_op(value.op) or value in self.joined:
            return None
        if value in self.over:
            return self.over[value][0]
        view = self._view(value)
        return value.op.operands[view.operand] if view is not None and view.whole else None

    def _is_free(self, root: SSAValue) -> bool:
        if not isinstance(root, OpResult) or is_region_op(root.op) or root in self.joined:
            return False
        facts = self.facts
        fixed = facts.is_constant(root) or facts.is_borrowed(root) or root in self.choices.planned
        return not fixed and self.program.view(root) is None

    # Places

    def parent(self, value: SSAValue) -> SSAValue | None:
        """The value that the place of `value` derives from; None where it has storage of its own."""
        if value in self.choices.planned:
            return None
        rep = self.joined.get(value)
        if rep is not None:
            return rep if rep is not value else None
        if value in self.over:
            return self.over[value][0]
        if value in self.destined:
            return self.destined[value][0].results[0]
        slot = self._slot(value)
        if slot is not None:
            return slot
        view = self._view(value)
        return value.owner.operands[view.operand] if view is not None else None  # pyright: ignore

    def _find(self, value: SSAValue) -> None:
        chain, seen = [value], {value}
        while chain[-1] not in self.at and (source := self.parent(chain[-1])) is not None:
            if source in seen:  # a part of itself: the part goes
                self._break(chain[chain.index(source) :])
                chain, seen = [value], {value}
                continue
            chain.append(source)
            seen.add(source)
        for item in reversed(chain):
            if item not in self.at:
                self.at[item] = self._place(item)

    def _break(self, circle: list[SSAValue]) -> None:
        """Take back the part in a circle of values each of which derives from the next; all of it is to blame."""
        part = next(v for v in reversed(circle) if v in self.destined and v not in self.over)
        links = [self.over[v][1] if v in self.over else self.destined.get(v, (None, 0, (), -1))[3] for v in circle]
        self.idle.add(self.destined.pop(part)[3])
        if any(n >= 0 for n in links):
            self.blames.add(frozenset(n for n in links if n >= 0))

    def _place(self, value: SSAValue) -> tuple[SSAValue, Layout]:
        own = self.program.dense(value)
        parent = self.parent(value)
        if parent is None:
            if self.program.view(value) is not None:
                self.copies.add(value)
            return value, own
        root, layout = self.at[parent]
        if value in self.joined:
            return root, own
        if value in self.destined and value not in self.over:
            found = self._part(value, layout)
        elif (view := self._view(value)) is not None and value not in self.over:
            found = self._seen(value, view, layout)
            if found is None:
                self.copies.add(value)
                self.links.cut(value, parent)
                return value, own
        else:
            found = reshaped(layout, own)
        if found is None:
            self._blame(value, root)
            return value, own
        return root, found

    def _part(self, value: SSAValue, target: Layout) -> Layout | None:
        op, k, path, _ = self.destined[value]
        contributions = self.program.contracts[self.program.at[op]].contributions
        into = next(c.into for c in contributions if c.operand == k and c.may_be_produced_in_place)
        layout: Layout | None = into(target) if isinstance(target, Strided) else None
        for step in path:
            layout = reshaped(layout, self.program.dense(step)) if layout is not None else None
        return layout

    def _seen(self, value: SSAValue, view: View, source: Layout) -> Layout | None:
        layout = viewed(source, view, self.program.sizes[value])
        fits = layout is not None and (is_dense(layout) or self.facts.takes_strides(value))
        return layout if fits else None

    # Blame

    def path(self, a: SSAValue, b: SSAValue) -> list[int]:
        """The atoms that bring `a` and `b` together; those that always are together name none."""
        return self.links.path(a, b)

    def _blame(self, a: SSAValue, b: SSAValue, *atoms: int) -> None:
        self.blames.add(frozenset(n for n in (*self.path(a, b), *atoms) if n >= 0))


def _shared_slot(value: SSAValue) -> SSAValue | None:
    """The result whose slot a block argument shares whatever is decided."""
    if not isinstance(value, BlockArgument):
        return None
    return slot_of(value, lambda op: (-1,) * len(op.results))
