"""Which choices are needed to place two values at one place.

The place of a value follows from that of one other at most, its parent: of a result written over an operand from that
of the operand, of a view from that of its base, of an operand computed in its part from that of the result. So two
values are in one storage only if parents lead from both to one value. Where all strides are known whatever is chosen,
each of these steps has a distance, in bytes, and the two are at one place only if the distances add up. And no kernel
writes a value on the way while the bytes of one of the two are needed, or one of the two while the bytes of a value on
the way are: what has this effect conflicts.

The choices that are needed are a cut: without them no such way leads from one value to the other. So many places
around both values are looked at, and what is farther away counts as reached: the work for a cut does not grow with the
component. The search itself is in `passes/planning/cpp/place_graph.cpp`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set

from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage.layout import Layout, Strided, is_dense, mapped
from lastuse.dialect.storage.place_rules import dense
from lastuse.passes.inplace_analysis.optimal.component_choices import ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.inplace_analysis.region_ops import Movement
from lastuse.passes.planning import _planner

Pair = tuple[SSAValue, SSAValue]
NOT_WRITTEN = -1
ANYWHERE: tuple[int, ...] = ()
"""No distance is asked for."""


class PlaceGraph:
    """The places of one component.

    Args:
        index: the number of each value.
        fixed: pairs of values, by number, that share a storage whatever is chosen.
        chosen: by choice the pairs that it places in one storage.
        movements: what may be copied between values of the component.
    """

    def __init__(
        self,
        variables: Variables,
        component: Component,
        index: Mapping[SSAValue, int],
        fixed: Sequence[tuple[int, int]],
        chosen: Mapping[int, Sequence[tuple[int, int]]],
        movements: Iterable[Movement],
    ) -> None:
        self.variables, self.index = variables, index
        self._choices = component.choices
        self._number = {choice: n for n, choice in enumerate(component.choices)}
        sizes = variables.program.sizes
        self._own = [dense(sizes[value]) for value in component.values]
        self._strided = {n for n, layout in enumerate(self._own) if _begin(layout) is None}
        """Values whose strides are not known, or depend on choices."""
        self._alike: list[list[int]] = [[] for _ in self._own]
        """By value those that may be strided where it is."""
        self._edges: list[tuple[int, int, int, int | None, str]] = []
        self._add_fixed(component.values, fixed)
        self._add_chosen(chosen)
        self._spread()
        self._distances = self._between(component.values, movements)
        blocks: dict[Block, int] = {}
        facts = [self._facts(n, value, blocks) for n, value in enumerate(component.values)]
        edges = [(a, b, n, None if b in self._strided else begin, link) for a, b, n, begin, link in self._edges]
        asked = (d for distances in self._distances.values() for d in distances)
        begins = (begin for *_, begin, _ in edges if begin is not None)
        self._unit = unit = math.gcd(*asked, *begins, *(size for *_, size in facts)) or 1
        """All bytes are multiples of so many: more of them than an integer of C++ holds are few units."""
        self._taken: frozenset[int] = frozenset()
        self._known: dict[Pair, frozenset[int] | None] = {}
        """The answers of `needed` where these choices are taken: a search may ask for them again and again."""
        self._graph = _planner.Places(
            [(written, born, last, block, size // unit) for written, born, last, block, size in facts],
            [(a, b, n, begin if begin is None else begin // unit, link) for a, b, n, begin, link in edges],
        )

    def needed(self, pairs: Sequence[Pair], taken: Set[int]) -> list[frozenset[int] | None]:
        """For each pair the choices that are not taken of which one is needed so that nothing is copied between both;
        None where that is not known."""
        if taken != self._taken:
            self._taken, self._known = frozenset(taken), {}
        known, unit = self._known, self._unit
        if left := [pair for pair in dict.fromkeys(pairs) if pair not in known]:
            asked = [
                (self.index[a], self.index[b], [d // unit for d in self._distances.get((a, b), (0,))]) for a, b in left
            ]
            cuts: dict[tuple[int, ...], frozenset[int]] = {}
            for pair, cut in zip(left, self._graph.needed(asked, [self._number[n] for n in taken]), strict=True):
                if cut is not None and (same := tuple(cut)) not in cuts:
                    cuts[same] = frozenset([self._choices[n] for n in cut])
                known[pair] = cuts[tuple(cut)] if cut is not None else None
        return [known[pair] for pair in pairs]

    # Edges

    def _add_fixed(self, values: Sequence[SSAValue], fixed: Sequence[tuple[int, int]]) -> None:
        for child, parent in fixed:
            value = values[child]
            view = self.variables.reads.view(value)
            if view is not None and operands_of(value.owner)[view.operand] is values[parent]:  # pyright: ignore
                place = mapped(view.map, self._own[parent])
                self._add(child, parent, -1, place, "same" if view.whole else "view")
            else:
                self._add_any(child, parent, -1)

    def _add_chosen(self, chosen: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        for number, pairs in chosen.items():
            choice, (child, parent) = self.variables.choices[number], pairs[0]
            if choice.kind is ChoiceKind.OVER and len(pairs) == 1:
                self._add(child, parent, self._number[number], self._own[parent], "same")
            elif choice.kind is ChoiceKind.PART:
                contributions = self.variables.program.contract(choice.op).contributions
                parts = (c for c in contributions if c.operand == choice.operand and c.may_be_produced_in_place)
                self._add(child, parent, self._number[number], next(parts).place(self._own[parent]), "part")
            else:
                for one, other in pairs:
                    self._add_any(one, other, self._number[number])

    def _add(self, child: int, parent: int, number: int, place: Layout | None, link: str) -> None:
        """`place`: of the child where the parent is row-major."""
        self._edges.append((child, parent, number, _begin(place), link))
        self._alike[parent].append(child)
        if link == "same":
            self._alike[child].append(parent)
        if place is None or not is_dense(place):
            self._strided.add(child)

    def _add_any(self, one: int, other: int, number: int) -> None:
        self._edges.append((one, other, number, None, "any"))
        self._alike[one].append(other)
        self._alike[other].append(one)

    def _spread(self) -> None:
        left = list(self._strided)
        while left:
            for other in self._alike[left.pop()]:
                if other not in self._strided:
                    self._strided.add(other)
                    left.append(other)

    # What is known of values

    def _between(self, values: Sequence[SSAValue], movements: Iterable[Movement]) -> dict[Pair, tuple[int, ...]]:
        """By pair of values how far the first one begins behind the second one where nothing is copied between them."""
        views = ((value, self.variables.reads.view(value)) for value in values)
        found = {(operands_of(v.owner)[view.operand], v): ANYWHERE for v, view in views if view}  # pyright: ignore
        for movement in movements:
            source, target, contribution = movement.source, movement.target, movement.contribution
            begin: int | None = 0
            if contribution is not None:
                n = self.index[target]
                begin = _begin(contribution.place(self._own[n])) if n not in self._strided else None
            others = found.get((source, target), (0,) if self.variables.movers else None)
            is_anywhere = begin is None or others == ANYWHERE
            found[source, target] = ANYWHERE if is_anywhere else tuple({*(others or ()), begin})  # pyright: ignore
        return found

    def _facts(self, n: int, value: SSAValue, blocks: dict[Block, int]) -> tuple[int, int, int, int, int]:
        """When a kernel writes the value, from when on and until when it is read, its block, and its bytes; 0 bytes of
        a view of all of another value, which may be a copy though its place follows for that one."""
        layout, view = self._own[n], self.variables.reads.view(value)
        if n in self._strided or not isinstance(layout, Strided) or view is not None and view.whole:
            return NOT_WRITTEN, 0, 0, -1, 0
        written, block = NOT_WRITTEN, value.owner
        if isinstance(block, Operation):
            facts = self.variables.facts(block)
            contract, block = facts.contract, facts.block
            moves = facts.moves or contract.foreign or contract.constant or contract.contributions
            if not moves and any(result is value for result in facts.results):
                written = facts.time
        born, last = 0, -1
        for need in self.variables.reads.needs.get(value, ()):
            if need.view is None and need.contribution is None:
                born, last = need.born, need.last_in(block)
        if view is not None and isinstance(value, OpResult):  # a copy is made when the view is
            born = max(born, 2 * self.variables.program.at[value.op])
        return written, born, last, blocks.setdefault(block, len(blocks)), layout.nbytes


def _begin(layout: Layout | None) -> int | None:
    """The first byte of a layout with elements; None where it is not known."""
    return layout.offset if isinstance(layout, Strided) and layout.elements else None
