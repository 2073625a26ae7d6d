"""Upper bounds of the score of a set of choices, whatever is dropped from it.

There are two bounds, of which the lower counts. *Joined*: all values that the choices could bring together share one
storage. *Summed*: each choice saves its own bytes, and of each nogood the choice that saves least is dropped; what a
choice saves is divided among the nogoods it is in, so that nothing is dropped twice. Scores are compared component
by component, and so are their sums.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from xdsl.dialects import scf
from xdsl.ir import SSAValue

from lastuse.passes.analysis.disjoint_sets import flatten, join
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Nogood
from lastuse.passes.inplace_analysis.optimal.component_choices import ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.place_graph import Pair, PlaceGraph
from lastuse.passes.inplace_analysis.optimal.variables import Variables

NOTHING = Score(0, 0, 0, 0)


def _minus(a: Score, b: Score) -> Score:
    return Score(a.kept - b.kept, a.moved - b.moved, a.inplace - b.inplace, a.swaps - b.swaps)


class Bound:
    """Bounds for one component. `nothing`: its values where no choice is taken."""

    def __init__(self, variables: Variables, component: Component, nothing: Assignment) -> None:
        self.variables, self.component = variables, component
        self.program = variables.program
        values, reads = component.values, variables.reads
        self.index = {v: n for n, v in enumerate(values)}
        self.sizes = [0] * len(values)
        for n, value in enumerate(values):
            if self.program.is_argument(value) or reads.is_constant(value):
                self.sizes[n] = -1
            elif reads.view(value) is None:
                self.sizes[n] = nothing.size(value)
        self.fixed = [(self.index[a], self.index[b]) for a, b in nothing.graph.pairs]
        self._fixed_roots = list(range(len(values)))
        join(self._fixed_roots, self.fixed)
        flatten(self._fixed_roots)
        self.pairs = {n: list(self._ends(n)) for n in component.choices}
        self.cost = {n: self._saved(n) for n in component.choices}
        self.movements = nothing.movements
        self.moves = [(self.index[m.source], self.index[m.target], m.bytes) for m in self.movements]
        objective = Objective(nothing)
        returned = objective.returned_anyway()
        self.total = objective.result_bytes() - objective.temporaries() - returned
        self.moved = returned + objective.copied()
        self._places = PlaceGraph(variables, component, self.index, self.fixed, self.pairs, self.movements)
        self.cuts = self._places.needed([(m.source, m.target) for m in self.movements], frozenset())
        """By movement choices of which one is needed so that it copies nothing; None where these are not known."""
        self.needed = [next(iter(cut)) if cut is not None and len(cut) == 1 else -1 for cut in self.cuts]
        """By movement a choice without which it copies something; -1 where none is known."""
        self.options = self._options()
        """By result, the choices that write it over an operand."""
        choices = {n: variables.choices[n] for n in component.choices}
        self.swaps = frozenset(n for n, choice in choices.items() if choice.swap)
        self.overs = frozenset(n for n, choice in choices.items() if choice.kind is ChoiceKind.OVER)
        self._every = sum(self.cost.values()), len(self.overs), len(self.swaps)
        self._alternatives = [numbers for numbers in self.options if len(numbers) > 1]
        self._only = frozenset([numbers[0] for numbers in self.options if len(numbers) == 1])
        """Choices that write a result over the one operand that it may be written over."""
        self._only_by_swap = self._only & self.swaps
        self._classes()
        self.alone = self.total - self._storages

    def _ends(self, number: int) -> Iterator[tuple[int, int]]:
        choice = self.variables.choices[number]
        yield self.index[choice.source], self.index[choice.target]
        if choice.kind is ChoiceKind.OVER and isinstance(choice.op, scf.WhileOp):
            first = choice.op.before_region.block.args[choice.operand]
            if first in self.index:  # it goes along, with the storage it would have
                yield self.index[first], self.index[choice.source]

    def _saved(self, number: int) -> int:
        """The most bytes that a choice saves."""
        source = self.variables.choices[number].source
        along = sum(self.sizes[first] for first, _ in self.pairs[number][1:])
        return amount(self.program.typed(source).bytes) + along

    def _classes(self) -> None:
        """Values that share a storage whatever is chosen are one class, from 0 on."""
        numbers = dict[int, int]()
        of = [numbers.setdefault(root, len(numbers)) for root in self._fixed_roots]
        self._most = [0] * len(numbers)
        """The most bytes of a value of each class; -1 where it is memory of others."""
        for number, size in zip(of, self.sizes, strict=True):
            have = self._most[number]
            self._most[number] = -1 if size < 0 or have < 0 else max(have, size)
        self._storages = sum(m for m in self._most if m > 0)
        self.links = {n: [(of[a], of[b]) for a, b in pairs] for n, pairs in self.pairs.items()}
        """By choice the pairs of classes that it brings together."""
        self._all_links = list(self.links.items())
        self._class_moves = [(of[a], of[b], size) for a, b, size in self.moves]

    def _options(self) -> list[list[int]]:
        options: dict[SSAValue, list[int]] = {}
        for number in self.component.choices:
            choice = self.variables.choices[number]
            if choice.kind is ChoiceKind.OVER:
                options.setdefault(choice.source, []).append(number)
        return list(options.values())

    def of(self, dropped: Set[int], kept: Set[int], nogoods: Iterable[Nogood], enough: Score | None = None) -> Score:
        """No assignment without conflicts that has all choices of `kept` and none of `dropped` has a higher score. One
        choice of each of `nogoods` is dropped; none of them has a choice of `dropped`. A bound that is no higher than
        `enough` need not be the lowest one."""
        joined, roots = self._by_joining(dropped)
        if enough is not None and joined <= enough:
            return joined
        return min(joined, self._by_summing(dropped, kept, nogoods, -joined.moved, roots))

    def apart(self, pairs: Collection[Pair], choices: Set[int]) -> dict[Pair, frozenset[int]]:
        """By pair of values the choices that are not taken, one of which is needed so that nothing is copied between
        both. Where no few choices are known it is one that has to do with the storage of one of the two: nothing else
        moves it there, or brings the other one to it."""
        if not pairs:
            return {}
        found = dict(zip(pairs, self._places.needed([*pairs], choices), strict=True))
        unknown = [pair for pair, cut in found.items() if cut is None]
        roots = self._joined(self._fixed_roots, choices) if unknown else []
        for pair in unknown:
            root = roots[self.index[pair[0]]]
            left = (n for n in self.component.choices if n not in choices)
            found[pair] = frozenset(n for n in left if any(roots[v] == root for ends in self.pairs[n] for v in ends))
        return {pair: cut for pair, cut in found.items() if cut is not None}

    # All that may come together is in one storage

    def _joined(self, above: Sequence[int], choices: Iterable[int]) -> list[int]:
        """By value the one that stands for all that may share its storage, with some choices on top of what `above`
        says."""
        above = list(above)
        for number in choices:
            join(above, self.pairs[number])
        flatten(above)
        return above

    def _by_joining(self, dropped: Set[int]) -> tuple[Score, list[int]]:
        """Of several operands that a result may be written over only one is chosen, so these choices join nothing.

        Returns:
            The bound, and by class of `_classes` the one that stands for all that may be in its storage.
        """
        several: list[int] = []
        gained, count, swaps = 0, len(self._only - dropped), len(self._only_by_swap - dropped)
        for numbers in self._alternatives:
            left = [n for n in numbers if n not in dropped] if dropped else numbers
            if left:
                count += 1
                swaps += all(map(self.swaps.__contains__, left))
            if len(left) > 1:
                several += left
                gained += self.cost[left[0]]
        above, most = list(range(len(self._most))), self._most.copy()
        apart = {*dropped, *several}
        storages = self._storages
        for number, links in self._all_links:
            if number in apart:
                continue
            for a, b in links:
                while (up := above[a]) != a:
                    above[a] = a = above[up]
                while (up := above[b]) != b:
                    above[b] = b = above[up]
                if a != b:
                    above[a] = b
                    one, two = most[a], most[b]
                    if one < 0 or two < 0:
                        storages -= max(one, 0) + max(two, 0)
                        most[b] = -1
                    elif one > two:
                        storages -= two
                        most[b] = one
                    else:
                        storages -= one
        for number in several:
            join(above, self.links[number])
        flatten(above)
        moved = self.moved + sum(size for a, b, size in self._class_moves if above[a] != above[b])
        return Score(self.total + gained - storages, -moved, count, -swaps), above

    # Each choice saves what it saves

    def _by_summing(
        self, dropped: Set[int], kept: Set[int], nogoods: Iterable[Nogood], moved: int, roots: Sequence[int]
    ) -> Score:
        credit: dict[int, int] = {}
        for number, (a, b, size) in zip(self.needed, self._class_moves, strict=True):
            if number >= 0 and number not in dropped and roots[a] == roots[b]:
                credit[number] = credit.get(number, 0) + size
        bytes_, count, swaps = self._every
        for number in dropped:
            bytes_ -= self.cost[number]
            count -= number in self.overs
            swaps -= number in self.swaps
        return _minus(Score(self.alone + bytes_, -moved, count, -swaps), self._given_up(credit, kept, nogoods))

    def _given_up(self, credit: Mapping[int, int], kept: Set[int], nogoods: Iterable[Nogood]) -> Score:
        """The least cost of dropping one choice of each nogood: each nogood takes what is left of its cheapest
        choice. `credit`: bytes that choices save besides."""
        left: dict[int, tuple[int, int, int, int]] = {}
        total = (0, 0, 0, 0)
        for nogood in nogoods:
            free = nogood - kept
            if not free:
                continue
            for n in free:
                if n not in left:
                    left[n] = self.cost[n], credit.get(n, 0), n in self.overs, -(n in self.swaps)
            least = min([left[n] for n in free])
            if least > NOTHING:
                c, d, e, f = least
                for n in free:
                    w, x, y, z = left[n]
                    left[n] = w - c, x - d, y - e, z - f
                w, x, y, z = total
                total = w + c, x + d, y + e, z + f
        return Score(*total)
