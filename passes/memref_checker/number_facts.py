"""What is known of numbers at one point of a function, and what follows of slices that begin and end at them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from lastuse.passes.memref_checker.index_terms import (
    Number,
    NumberBounds,
    bounds_of,
    interleaved,
    is_not_negative,
    plus,
    replaced,
    times,
    unknown,
    value_of,
)
from lastuse.passes.memref_checker.slice_parts import ONE, ZERO, Shape, SlicePart

MOST_BOUNDS = 64  # numbers known not to be negative, the last ones, that order is concluded from


class NumberMark(NamedTuple):
    """How much is known at one point: facts are only added, behind those that are there."""

    equal: int
    inside: int


class Learned(NamedTuple):
    """What was learned from one point on."""

    equal: list[tuple[int, Number]]
    inside: list[Number]


class Extent(NamedTuple):
    """Where the elements of a part are on an axis: the first index, and the one behind the last; None where it is not
    known which of them these are."""

    start: Number | None
    end: Number | None


class NumberFacts:
    """Numbers that are equal, and those that are not negative.

    Attributes:
        sizes: ids of numbers that are not negative, at every point.
        ranges: the least and the greatest number of ids of which both are known.
        equal: what numbers are equal to, where the program has no meaning otherwise.
        always: those of them that are on all paths.
        inside: numbers that are not negative, where the program has no meaning otherwise: slices are in bounds.
    """

    def __init__(self) -> None:
        self.sizes: set[int] = set()
        self.ranges: dict[int, tuple[int, int]] = {}
        self.equal: dict[int, Number] = {}
        self.always: dict[int, Number] = {}
        self.inside: dict[Number, None] = {}
        self._bounds: NumberBounds | None = None
        self._extents: dict[SlicePart, Sequence[Extent]] = {}

    def equalities_change(self) -> None:
        """Other numbers are known to be equal than before."""

    def norm(self, number: Number) -> Number:
        """The number by those that the program says to be equal to others."""
        while self.equal and (after := replaced(number, self.equal)) != number:
            number = after
        return number

    def same(self, a: Number, b: Number) -> bool:
        """The two numbers are equal."""
        return a == b or self.norm(a) == self.norm(b)

    def same_shape(self, a: Shape, b: Shape) -> bool:
        """The two shapes have as many axes, of equal sizes."""
        return a == b or (len(a) == len(b) and all(map(self.same, a, b)))

    def learn(self, a: Number, b: Number) -> None:
        """The program has no meaning where the two numbers differ."""
        a, b = self.norm(a), self.norm(b)
        for one, two in ((a, b), (b, a)):
            atom = one[0][0][0] if len(one) == 1 and one[0][1] == 1 and len(one[0][0]) == 1 else None
            if atom is not None and not any(atom in product for product, _ in two):
                self.equal[atom], self._bounds = two, None
                self.equalities_change()
                return

    def learn_inside(self, part: SlicePart, shape: Shape) -> None:
        """The program has no meaning where a part is not in bounds of a tensor of such a shape."""
        for offset, size, stride, room in zip(*part, shape, strict=True):
            ends = (offset, size, plus(room, plus(offset, size), -1)) if stride == ONE else (offset, size)
            for number in ends:
                if value_of(number) is None and number not in self.inside:
                    self.inside[number] = self._bounds = None

    def is_inside(self, part: SlicePart, shape: Shape) -> bool:
        """A part is known to be in bounds of a tensor of such a shape, by others that are."""
        if not self.inside or set(part.strides) != {ONE}:
            return False
        ends = [(a, b, plus(c, plus(a, b), -1)) for a, b, c in zip(part.offsets, part.sizes, shape, strict=True)]
        return all(self.at_most(ZERO, number) for numbers in ends for number in numbers)

    def facts(self) -> NumberMark:
        """What is known of numbers at one point."""
        return NumberMark(len(self.equal), len(self.inside))

    def forget_facts(self, before: NumberMark) -> None:
        """Only what was known before is known, as on a path that other paths meet, and what is always."""
        if self.facts() == before:
            return
        kept = [(atom, self.always[atom]) for atom, _ in self._end_of_equal(before) if atom in self.always]
        while len(self.equal) > before.equal:
            self.equal.popitem()
        while len(self.inside) > before.inside:
            self.inside.popitem()
        self.equal.update(kept)
        self._bounds = None
        self.equalities_change()

    def learned_since(self, before: NumberMark) -> Learned:
        """What was learned from one point on."""
        inside = [*islice(reversed(self.inside), len(self.inside) - before.inside)][::-1]
        return Learned(self._end_of_equal(before), inside)

    def learn_again(self, learned: Learned) -> None:
        """What was learned at another point is known."""
        for atom, number in learned.equal:
            self.learn(unknown(atom), number)
        if learned.inside:
            self.inside.update(dict.fromkeys(learned.inside))
            self._bounds = None

    def _end_of_equal(self, before: NumberMark) -> list[tuple[int, Number]]:
        return [*islice(reversed(self.equal.items()), len(self.equal) - before.equal)][::-1]

    def at_most(self, a: Number, b: Number) -> bool:
        """`a` is never larger than `b`, as far as is known."""
        gap = plus(self.norm(b), self.norm(a), -1) if self.equal else plus(b, a, -1)
        if (distance := value_of(gap)) is not None:
            return distance >= 0
        if is_not_negative(gap, self.sizes):
            return True
        if self._bounds is None:
            self._bounds = bounds_of([self.norm(n) for n in list(self.inside)[-MOST_BOUNDS:]])
        return self._bounds.holds(gap, self.sizes)

    # Parts

    def extents(self, part: SlicePart) -> Sequence[Extent]:
        """Where the elements of a part are, by axis. One at a stride that may be negative may go back."""
        found = self._extents.get(part)
        if found is None:
            found = self._extents[part] = [
                Extent(start, plus(plus(start, times(plus(size, ONE, -1), stride)), ONE))
                if is_not_negative(stride, self.sizes)
                else Extent(None, None)
                for start, size, stride in zip(*part, strict=True)
            ]
        return found

    def are_apart(self, a: Sequence[Extent], b: Sequence[Extent]) -> bool:
        """On an axis one of two parts ends before the other one begins."""
        if len(a) != len(b):
            return False
        for one, two in zip(a, b, strict=True):
            if one.end is not None and two.start is not None and self.at_most(one.end, two.start):
                return True
            if two.end is not None and one.start is not None and self.at_most(two.end, one.start):
                return True
        return False

    def apart(self, a: SlicePart, b: SlicePart) -> bool:
        """The two parts of one tensor have no element in common."""
        if len(a.offsets) != len(b.offsets):
            return False
        axes = zip(zip(*a, strict=True), zip(*b, strict=True), strict=True)
        return self.are_apart(self.extents(a), self.extents(b)) or any(interleaved(*axis) for axis in axes)

    def covers(self, outer: SlicePart, inner: SlicePart) -> bool:
        """`outer` has each element of `inner`, and all between its first and last."""
        if set(outer.strides) - {ONE}:
            return False
        for one, two in zip(self.extents(outer), self.extents(inner), strict=True):
            if one.start is None or one.end is None or two.start is None or two.end is None:
                return False
            if not self.at_most(one.start, two.start) or not self.at_most(two.end, one.end):
                return False
        return True
