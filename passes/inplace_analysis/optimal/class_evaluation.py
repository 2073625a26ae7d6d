"""Conflicts and score of a set of choices, class by class.

The values that a set of choices places in one storage, and those whose places add to the score together, are a class.
What is wrong in a class, and what it adds to the score, depends on the choices within it alone: so it is found once for
each set of choices within a class, and a set that differs in few choices from one that was evaluated costs the few
classes that differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Nogood
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts, Unless
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.variables import Component, Variables
from lastuse.passes.inplace_analysis.region_ops import Movement, moves_values


class Evaluation(NamedTuple):
    """What is wrong with a set of choices, or its score if nothing is.

    Attributes:
        nogoods: as `Conflicts.nogoods`.
        idle: as `Assignment.idle`.
        score: None where there are nogoods.
        there: the movements that copy nothing, by their position in `Bound.moves`.
    """

    nogoods: dict[Nogood, Unless]
    idle: Set[int]
    score: Score | None
    there: Set[int]


class ClassEvaluation:
    """Evaluates sets of choices of one component. `looks`: how many values were placed for that.

    Args:
        nothing: the values where no choice is taken, if nothing is wrong then.
    """

    def __init__(
        self, variables: Variables, component: Component, bound: Bound, nothing: Assignment | None = None
    ) -> None:
        self.variables, self.component = variables, component
        self._nothing = nothing if not variables.movers else None
        self.looks = 0
        self._values = component.values
        self._of = self._basic(bound)
        """By value its basic class: those that are in one class whatever is chosen."""
        count = max(self._of, default=-1) + 1
        self._members: list[list[int]] = [[] for _ in range(count)]
        for value, number in enumerate(self._of):
            self._members[number].append(value)
        self._ops: list[list[int]] = [[] for _ in range(count)]
        for position, op in enumerate(component.ops):
            moved_to = (m.target for m in variables.movements(op))
            met = (bound.index[v] for v in (*operands_of(op), *op.results, *moved_to) if v in bound.index)
            for number in dict.fromkeys(self._of[v] for v in met):
                self._ops[number].append(position)
        self._facts = [variables.facts(op) for op in component.ops]
        self._links = {n: [(self._of[a], self._of[b]) for a, b in pairs] for n, pairs in bound.pairs.items()}
        self.movements = bound.movements
        self._move_numbers = {_key(m): n for n, m in enumerate(self.movements)}
        self._moved = sum(m.bytes for m in self.movements)
        self._inside: list[list[int]] = [[] for _ in range(count)]
        """By basic class the movements between its values."""
        for number, (source, target, _) in enumerate(bound.moves):
            if self._of[source] == self._of[target]:
                self._inside[self._of[source]].append(number)
        self._known: dict[tuple[int, tuple[int, ...]], Evaluation] = {}
        self._taken: frozenset[int] = frozenset()
        self._root = list(range(count))
        """By basic class the first one of its class under the choices that were evaluated last."""
        self._classes: dict[int, list[int]] = {n: [n] for n in self._root}
        self._within: dict[int, tuple[int, ...]] = dict.fromkeys(self._root, ())
        """By the first one of a class the choices within it."""
        self._parts: dict[int, Evaluation] = {}

    def _basic(self, bound: Bound) -> list[int]:
        sets = DisjointSets[int]()
        for a, b in bound.fixed:
            sets.union(a, b)
        for op in self.component.ops:
            for ends in self._compared(op):
                first, *others = [bound.index[v] for v in ends if v in bound.index] or [0]
                for other in others:
                    sets.union(other, first)
        numbers = dict[int, int]()
        return [numbers.setdefault(sets.find(n), len(numbers)) for n in range(len(self._values))]

    def _compared(self, op: Operation) -> Iterator[list[SSAValue]]:
        """Values whose places add to the score together: those that one boundary moves, a result and the argument that
        it is tied to."""
        if moves_values(op):
            yield [v for m in self.variables.movements(op) for v in (m.source, m.target)]
        elif isinstance(op, ReturnOp):
            func = self.variables.program.func
            for value, k in self.variables.returned(op).values:
                if k is not None and k < len(func.args):
                    yield [value, func.args[k]]

    def of(self, choices: Set[int]) -> Evaluation:
        """Evaluates a set of choices."""
        if changed := choices ^ self._taken:
            self._regroup(changed, choices)
        nogoods, idle, there = dict[Nogood, Unless](), set[int](), set[int]()
        kept = moved = count = swaps = 0
        for root in sorted(self._classes):
            part = self._parts.get(root)
            if part is None:
                part = self._parts[root] = self._known_part(root)
            if part.idle:
                idle |= part.idle
            if part.score is None:
                nogoods.update(part.nogoods)
            elif not nogoods:
                if part.there:
                    there |= part.there
                score = part.score
                kept, moved, count, swaps = (
                    kept + score.kept,
                    moved + score.moved,
                    count + score.inplace,
                    swaps + score.swaps,
                )
        score = Score(kept, moved - self._moved, count, swaps) if not nogoods else None
        return Evaluation(nogoods, idle, score, there)

    def _known_part(self, root: int) -> Evaluation:
        key = root, self._within[root]
        part = self._known.get(key)
        if part is None:
            part = self._known[key] = self._evaluate(self._classes[root], self._within[root])
        return part

    def _regroup(self, changed: Set[int], choices: Set[int]) -> None:
        """Makes the classes those under `choices`, of which `changed` are taken or dropped. A class is as it was unless
        one of these has an end in it."""
        roots = {self._root[n] for number in changed for link in self._links[number] for n in link}
        basic = sorted(n for root in roots for n in self._classes.pop(root))
        taken = sorted({n for root in roots for n in self._within.pop(root)} ^ changed)
        for root in roots:
            self._parts.pop(root, None)
        above = dict(zip(basic, basic, strict=True))
        for number in taken:
            for a, b in self._links[number]:
                while (up := above[a]) != a:
                    above[a] = a = above[up]
                while (up := above[b]) != b:
                    above[b] = b = above[up]
                if a < b:
                    above[b] = a
                else:
                    above[a] = b
        for number in basic:
            up = above[number]
            while (top := above[up]) != up:
                up = top
            self._root[number] = above[number] = up
            if up == number:  # the first of its class
                self._classes[up] = [number]
            else:
                self._classes[up].append(number)
        within: dict[int, list[int]] = {}
        for number in taken:
            within.setdefault(self._root[self._links[number][0][0]], []).append(number)
        for root in {self._root[n] for n in basic}:
            self._within[root] = tuple(within.get(root, ()))
        self._taken = frozenset(choices)

    def _evaluate(self, basic: Sequence[int], within: tuple[int, ...]) -> Evaluation:
        values = [self._values[n] for n in _merged([self._members[n] for n in basic])]
        every = [self._facts[n] for n in _merged([self._ops[n] for n in basic])]
        part = Component(values, [facts.op for facts in every], list(within), facts=every)
        self.looks += len(part.values)
        if self._nothing is not None and not within:
            return self._without_choices(self._nothing, basic[0], part)
        assignment = Assignment(self.variables, part, frozenset(within))
        nogoods = Conflicts(assignment).nogoods
        if nogoods:
            return Evaluation(nogoods, assignment.idle, None, frozenset())
        there = {self._move_numbers[_key(m)] for m in assignment.movements if assignment.is_there(m)}
        return Evaluation({}, assignment.idle, self._score(Objective(assignment), there), there)

    def _without_choices(self, nothing: Assignment, basic: int, part: Component) -> Evaluation:
        """All is as it is where no choice is taken at all."""
        there = {n for n in self._inside[basic] if nothing.is_there(self.movements[n])}
        return Evaluation({}, frozenset(), self._score(Objective(nothing, part), there), there)

    def _score(self, objective: Objective, there: Set[int]) -> Score:
        """The score of a class, beyond what all movements of the component would copy."""
        score = objective.score_with(())
        return score._replace(moved=score.moved + sum([self.movements[n].bytes for n in there]))


def _key(movement: Movement) -> tuple[Operation, int, int, SSAValue]:
    operand = movement.contribution.operand if movement.contribution is not None else -1
    return movement.op, operand, movement.way, movement.target


def _merged(lists: Sequence[Sequence[int]]) -> Sequence[int]:
    """What is in ordered lists, in order."""
    return lists[0] if len(lists) == 1 else sorted(set[int]().union(*lists))
