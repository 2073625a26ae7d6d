"""Parts of one tensor that have no element in common, each with what is there, as terms.

A set of parts is a search tree of terms. Its form follows from the parts alone, in whatever order they came: they are
in order, and each is above those that hash to less. So equal sets are one term, a part is found, added or taken away
in about the logarithm of their number, and sets share what they have in common. A tree knows between which numbers its
parts are, as far as these compare: of the parts that may meet another one, only those trees are searched that may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lastuse.passes.memref_checker.index_terms import Number, is_not_negative, plus
from lastuse.passes.memref_checker.number_facts import Extent, NumberFacts
from lastuse.passes.memref_checker.slice_parts import SlicePart

Tree = int | None
"""The term of a tree; None of one without parts."""
Stored = tuple[SlicePart, int]


class _Fork(NamedTuple):
    part: SlicePart
    inner: int
    left: Tree
    right: Tree


class PartTrees:
    """All trees of one function.

    Args:
        term: the number of a term.
        facts: what is known of numbers. Where trees reach does not depend on it, but for what is always known.
    """

    def __init__(self, term: Callable[..., int], facts: NumberFacts) -> None:
        self._term = term
        self._facts = facts
        self._forks: dict[int, _Fork] = {}
        self._order: dict[SlicePart, tuple[object, ...]] = {}
        self._ranks: dict[SlicePart, tuple[object, ...]] = {}
        self._reach: dict[int, Sequence[Extent]] = {}

    # Sets

    def find(self, tree: Tree, part: SlicePart) -> int | None:
        """What is in a part; None if the set has not exactly this part."""
        order = self._order_of(part)
        while tree is not None:
            fork = self._forks[tree]
            if fork.part == part:
                return fork.inner
            tree = fork.left if order < self._order_of(fork.part) else fork.right
        return None

    def added(self, tree: Tree, part: SlicePart, inner: int) -> int:
        """The set with a part, whatever was in it before."""
        if tree is None:
            return self._made(part, inner, None, None)
        fork = self._forks[tree]
        if fork.part == part:
            return self._made(part, inner, fork.left, fork.right)
        if self._rank_of(part) > self._rank_of(fork.part):
            return self._made(part, inner, *self._split(tree, self._order_of(part)))
        if self._order_of(part) < self._order_of(fork.part):
            return self._made(fork.part, fork.inner, self.added(fork.left, part, inner), fork.right)
        return self._made(fork.part, fork.inner, fork.left, self.added(fork.right, part, inner))

    def without(self, tree: Tree, part: SlicePart) -> Tree:
        """The set without a part of it."""
        assert tree is not None
        fork = self._forks[tree]
        if fork.part == part:
            return self._merged(fork.left, fork.right)
        if self._order_of(part) < self._order_of(fork.part):
            return self._made(fork.part, fork.inner, self.without(fork.left, part), fork.right)
        return self._made(fork.part, fork.inner, fork.left, self.without(fork.right, part))

    def stored(self, tree: Tree) -> Iterator[Stored]:
        """The parts and what is in them, in order."""
        above: list[_Fork] = []
        while tree is not None or above:
            while tree is not None:
                above.append(self._forks[tree])
                tree = above[-1].left
            fork = above.pop()
            yield fork.part, fork.inner
            tree = fork.right

    def meeting(self, tree: Tree, part: SlicePart) -> Iterator[Stored]:
        """The parts of a set, and what is in them, that are not known to be apart from a part."""
        extents = self._facts.extents(part)
        waiting = [tree]
        while waiting:
            item = waiting.pop()
            if item is None or self._facts.are_apart(self._reach_of(item), extents):
                continue
            fork = self._forks[item]
            if not self._facts.apart(fork.part, part):
                yield fork.part, fork.inner
            waiting += [fork.left, fork.right]

    def pairs(self, one: Tree, two: Tree) -> list[tuple[SlicePart, int, int]] | None:
        """The parts of two sets and what is in them in each; None if they are not the same parts."""
        found: list[tuple[SlicePart, int, int]] = []
        waiting = [(one, two)]
        while waiting:
            a, b = waiting.pop()
            if a is None and b is None:
                continue
            if a is None or b is None or self._forks[a].part != self._forks[b].part:
                return None
            x, y = self._forks[a], self._forks[b]
            found.append((x.part, x.inner, y.inner))
            waiting += [(x.left, y.left), (x.right, y.right)]
        return found

    # Trees

    def _made(self, part: SlicePart, inner: int, left: Tree, right: Tree) -> int:
        made = self._term("parts", part, inner, left, right)
        self._forks[made] = _Fork(part, inner, left, right)
        return made

    def _split(self, tree: Tree, order: tuple[object, ...]) -> tuple[Tree, Tree]:
        """The parts before and those behind a place in the order."""
        if tree is None:
            return None, None
        fork = self._forks[tree]
        if self._order_of(fork.part) < order:
            left, right = self._split(fork.right, order)
            return self._made(fork.part, fork.inner, fork.left, left), right
        left, right = self._split(fork.left, order)
        return left, self._made(fork.part, fork.inner, right, fork.right)

    def _merged(self, left: Tree, right: Tree) -> Tree:
        """The parts of two sets, of which one is before the other."""
        if left is None or right is None:
            return right if left is None else left
        one, two = self._forks[left], self._forks[right]
        if self._rank_of(one.part) > self._rank_of(two.part):
            return self._made(one.part, one.inner, one.left, self._merged(one.right, right))
        return self._made(two.part, two.inner, self._merged(left, two.left), two.right)

    def _order_of(self, part: SlicePart) -> tuple[object, ...]:
        """By what is not known of where it begins, then by what is: those that compare are beside each other."""
        order = self._order.get(part)
        if order is None:
            unknown = tuple(tuple(term for term in offset if term[0]) for offset in part.offsets)
            order = self._order[part] = (unknown, tuple(dict(offset).get((), 0) for offset in part.offsets), part)
        return order

    def _rank_of(self, part: SlicePart) -> tuple[object, ...]:
        rank = self._ranks.get(part)
        if rank is None:
            rank = self._ranks[part] = (hash(part), part)
        return rank

    def _reach_of(self, tree: int) -> Sequence[Extent]:
        """Between which numbers the parts of a tree are."""
        found = self._reach.get(tree)
        if found is None:
            fork = self._forks[tree]
            found = self._facts.extents(fork.part)
            for below in (fork.left, fork.right):
                if below is not None:
                    pairs = zip(found, self._reach_of(below), strict=False)
                    found = [Extent(self._least(a.start, b.start), self._least(a.end, b.end, True)) for a, b in pairs]
            self._reach[tree] = found
        return found

    def _least(self, a: Number | None, b: Number | None, greatest: bool = False) -> Number | None:
        """The one of two numbers that is never more than the other, or never less; None if that is not known."""
        if a is None or b is None or a == b:
            return a if b is not None else None
        gap = plus(b, a, -1)
        if is_not_negative(gap, self._facts.sizes):
            return b if greatest else a
        if is_not_negative(plus(a, b, -1), self._facts.sizes):
            return a if greatest else b
        return None
