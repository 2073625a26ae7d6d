"""Conflicts and score of a set of choices, class by class.

The values that a set of choices places in one storage, and those whose places add to the score together, are a class.
What is wrong in a class, and what it adds to the score, depends on the choices within it alone: so it is found once for
each set of choices within a class, and a set that differs in few choices from one that was evaluated costs the few
classes that differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Nogood
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.component_choices import Component
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts, Unless
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.op_facts import OpFacts
from lastuse.passes.inplace_analysis.optimal.unopposed_choices import has_decisions
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.inplace_analysis.region_ops import moves_values


class Evaluation(NamedTuple):
    """What is wrong with a set of choices, or its score if nothing is.

    Attributes:
        nogoods: as `Conflicts.nogoods`.
        idle: as `Assignment.idle`.
        score: None where there are nogoods.
        there: the movements that copy nothing, by their position in `Bound.moves`.
        copies: views that have to be copies, as far as they are in classes without nogoods.
        by_rules: the nogoods that do not come of places alone.
    """

    nogoods: dict[Nogood, Unless]
    idle: Set[int]
    score: Score | None
    there: Set[int]
    copies: Set[SSAValue] = frozenset()
    by_rules: Set[Nogood] = frozenset()


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
        self._facts = [variables.facts(op) for op in component.ops]
        self._ops: list[list[int]] = [[] for _ in range(count)]
        read = set[int]()
        for position, facts in enumerate(self._facts):
            for number in dict.fromkeys([self._of[n] for n in self._met(facts, bound.index, read)]):
                self._ops[number].append(position)
        self._links = {n: [(self._of[a], self._of[b]) for a, b in pairs] for n, pairs in bound.pairs.items()}
        self.movements = bound.movements
        self._moved = sum(m.bytes for m in self.movements)
        self._moved_to: list[list[int]] = [[] for _ in range(count)]
        """By basic class the movements to its values."""
        for number, (_, target, _) in enumerate(bound.moves):
            self._moved_to[self._of[target]].append(number)
        self._bytes = bound.sizes
        self._plain = self._plain_classes(bound)
        """By basic class of one value that no place is needed for the bytes of its result, -1 for all others."""
        self._known: dict[tuple[int, tuple[int, ...]], Evaluation] = {}
        self._taken: frozenset[int] = frozenset()
        self._root = list(range(count))
        """By basic class the first one of its class under the choices that were evaluated last."""
        self._classes: dict[int, list[int]] = {n: [n] for n in self._root}
        self._within: dict[int, tuple[int, ...]] = dict.fromkeys(self._root, ())
        """By the first one of a class the choices within it."""
        self._parts: dict[int, Evaluation] = {}

    def _met(self, facts: OpFacts, index: Mapping[SSAValue, int], read: set[int]) -> list[int]:
        """Values, by number, for which it matters what an op does. A kernel that accepts no strides asks of all that it
        reads that it has none: one such kernel is enough for each value, of which `read` has had theirs."""
        op, contract = facts.op, facts.contract
        written = op.results if not facts.moves else (*op.results, *[m.target for m in self.variables.movements(op)])
        met = [index[v] for v in written if v in index]
        if facts.returns:
            met += [index[v] for v in self.variables.returned(op).at if v in index]
        elif not (contract.strided or contract.views or contract.contributions or contract.foreign or facts.moves):
            for _, value in facts.reads:
                n = index.get(value, -1)
                if n >= 0 and n not in read:
                    read.add(n)
                    met.append(n)
        return met

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
        nogoods, idle, there, copies = dict[Nogood, Unless](), set[int](), set[int](), set[SSAValue]()
        by_rules = set[Nogood]()
        kept = moved = count = swaps = 0
        for root in sorted(self._classes):
            part = self._parts.get(root)
            if part is None:
                part = self._parts[root] = self._known_part(root)
            if part.idle:
                idle |= part.idle
            if part.score is None:
                nogoods.update(part.nogoods)
                by_rules |= part.by_rules
            elif not nogoods:
                if part.there:
                    there |= part.there
                if part.copies:
                    copies |= part.copies
                score = part.score
                kept, moved, count, swaps = (
                    kept + score.kept,
                    moved + score.moved,
                    count + score.inplace,
                    swaps + score.swaps,
                )
        score = Score(kept, moved - self._moved, count, swaps) if not nogoods else None
        return Evaluation(nogoods, idle, score, there, copies, by_rules)

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
        members = _merged([self._members[n] for n in basic])
        self.looks += len(members)
        if self._is_chain(basic, within):
            return self._of_chain(basic, within)
        values = [self._values[n] for n in members]
        every = [self._facts[n] for n in _merged([self._ops[n] for n in basic])]
        views = any(facts.contract.views for facts in every)
        part = Component(values, [facts.op for facts in every], list(within), views=views, facts=every)
        moved_to = [n for number in basic for n in self._moved_to[number]]
        nothing = self._nothing if not within else None
        assignment = Assignment(self.variables, part, frozenset(within)) if nothing is None else nothing
        nogoods = Conflicts(assignment).nogoods if nothing is None else None
        if nogoods:
            by_rules = {*nogoods} if assignment.rejected else assignment.nogoods
            return Evaluation(nogoods, assignment.idle, None, frozenset(), frozenset(), by_rules)
        there = {n for n in moved_to if assignment.is_there(self.movements[n])}
        score = Objective(assignment, part if nothing is not None else None).score_with(())
        # Beyond what all movements of the component would copy.
        score = score._replace(moved=score.moved + sum([self.movements[n].bytes for n in there]))
        copies = assignment.copies
        if copies and nothing is not None:
            copies = copies.intersection(values)
        return Evaluation({}, assignment.idle, score, there, copies)

    # Chains

    def _plain_classes(self, bound: Bound) -> list[int]:
        """By basic class the bytes of its result, -1 of those that are evaluated by the places of their values."""
        variables, reads = self.variables, self.variables.reads
        if self._nothing is None or not variables.program.is_one_block or has_decisions(variables):
            return [-1] * len(self._members)
        others = {*reads.unwritten, *reads.declared_views}
        for facts in self._facts[-1:]:
            if facts.returns:
                others.update(variables.returned(facts.op).at)
        values = [self._values[members[0]] for members in self._members]
        return [
            variables.result_bytes(v) if len(members) == 1 and v not in others else -1
            for v, members in zip(values, self._members, strict=True)
        ]

    def _is_chain(self, basic: Sequence[int], within: Sequence[int]) -> bool:
        """The class is a chain of results of kernels (`Choice.is_link`), of which nothing is copied or returned. So
        nothing conflicts, for the reasons of `_are_chains` in `unopposed_choices.py`."""
        plain, choices, links = self._plain, self.variables.choices, self._links
        for number in basic:
            if plain[number] < 0:
                return False
        for number in within:
            if not choices[number].is_link:
                return False
        # All are joined, so the links are as many as there are steps between the values: each value has one at most.
        ends = [links[number][0] for number in within]
        return len({a for a, _ in ends}) == len({b for _, b in ends}) == len(within) == len(basic) - 1

    def _of_chain(self, basic: Sequence[int], within: Sequence[int]) -> Evaluation:
        """All values lie where the first of them does, which is that of the link that is over no other."""
        first = {*basic}.difference([self._links[number][0][0] for number in within]).pop()
        choices = self.variables.choices
        kept = sum([self._plain[n] for n in basic]) - max(self._bytes[self._members[first][0]], 0)
        score = Score(kept, 0, len(within), -sum([choices[n].swap for n in within]))
        return Evaluation({}, frozenset(), score, frozenset())


def _merged(lists: Sequence[Sequence[int]]) -> Sequence[int]:
    """What is in ordered lists, in order."""
    return lists[0] if len(lists) == 1 else sorted(set[int]().union(*lists))
