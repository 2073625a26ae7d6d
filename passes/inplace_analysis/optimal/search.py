"""Selects the choices of a component over nogoods: by their relaxation, and by branch and bound.

Taking every choice is infeasible. Each conflict is a nogood: a set of choices that cannot all be taken. The
relaxation (`relaxation.py`) tells which choices are best as far as the known nogoods say. These are evaluated, and
their conflicts are further nogoods, until there are none. Then nothing is better if the score is that of the
relaxation, as it is where each choice saves its own bytes, or all of some choices those of one. A set of choices is
evaluated class by class (`class_evaluation.py`), so the work is linear in a component that is long and narrow, as a
chain of slices is.

What the relaxation does not prove is searched one by one, unless there are too many choices. Branch and bound drops
one choice of one nogood at a time, the cheapest first, and computes an assignment only where no known nogood is left.
It skips a branch whose upper bound (`bound.py`) is no better than the best score. A nogood holds for all larger sets of
choices, unless one of the added choices puts a copied value where it is copied to: then it holds only while these are
dropped. So the search is exact. Components are searched one by one.

The problem is NP-hard: after a number of steps, which grows with the function no more than linearly, the search stops
with the best choices so far, and `proved` is false.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import SSAValue

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Nogood
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.class_evaluation import ClassEvaluation, Evaluation
from lastuse.passes.inplace_analysis.optimal.component_choices import Component
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts, Unless
from lastuse.passes.inplace_analysis.optimal.copy_cycles import copy_cycle
from lastuse.passes.inplace_analysis.optimal.last_reads import ALWAYS
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.relaxation import Relaxation, RelaxedChoices
from lastuse.passes.inplace_analysis.optimal.unopposed_choices import is_undecided
from lastuse.passes.inplace_analysis.optimal.variables import Variables

ROUNDS = 64
"""How often the choices that are best as far as is known are evaluated."""
STATES = 10_000
STATES_OF_CHOICE = 50
"""Sets of open clauses that are looked at in a component to find these: so many, and for each of its choices."""
LOOKS = 40_000
LOOKS_OF_VALUE = 128
"""How often a value is placed before a component's search stops: so often, or so often for each of its values."""
STEPS = 200_000
"""How often a value is looked at for a bound before a component's search stops: about a second."""
SEARCHES = 4
STEPS_OF_VALUE = 16
"""All searches of a function stop after the steps of so many, and so many for each of its values."""

MOST_CHOICES = 128
"""More choices than these are not searched one by one."""
DEEPEST = 600
"""So many choices are given up one by one at most: each is a call inside the other."""


@dataclass(frozen=True)
class SearchResult:
    """The choices to take, by number, and whether nothing better is possible."""

    choices: frozenset[int]
    score: Score
    proved: bool


class ConditionalNogood(NamedTuple):
    """These choices cannot all be taken while all of `absent` are dropped: each of those might put a copied value where
    it is copied to, and then nothing is written."""

    choices: Nogood
    absent: frozenset[int] = frozenset()

    def holds(self, dropped: Set[int]) -> bool:
        """No choice of the nogood is in `dropped`, and all of its condition is."""
        return self.choices.isdisjoint(dropped) and self.absent <= dropped


class _Spent(Exception):
    """The search has reached its limit."""


class ChoiceSearch:
    """The search for the best choices of one component."""

    def __init__(self, variables: Variables, component: Component, steps: int = STEPS) -> None:
        self.variables, self.component = variables, component
        self.program = variables.program
        self.all = frozenset(component.choices)
        self.best: frozenset[int] = frozenset()
        self.looks = max(LOOKS, LOOKS_OF_VALUE * len(component.values))
        self.steps = self._most_steps = min(steps, STEPS) // len(component.values)
        self._nothing = nothing = Assignment(variables, component, frozenset())
        self.score = Objective(nothing).score()
        self.legal = is_undecided(variables, component) or not Conflicts(nothing).nogoods
        self.bound = Bound(variables, component, nothing)
        self.cost = self.bound.cost
        self.classes = ClassEvaluation(variables, component, self.bound, nothing if self.legal else None)
        self.relaxation = Relaxation(variables, component, self.bound, nothing)
        # A result is written over one operand at most.
        exclusive = ((a, b) for numbers in self.bound.options for n, a in enumerate(numbers) for b in numbers[:n])
        self._bits = {number: 1 << bit for bit, number in enumerate(component.choices)}
        self.nogoods: list[ConditionalNogood] = []
        self._masks: list[tuple[Nogood, int, int]] = []
        """Of each nogood that a branch has met its choices, and as sets of bits these and its condition."""
        self.known: set[ConditionalNogood] = set()
        for pair in exclusive:
            self._learn(ConditionalNogood(frozenset(pair)))
        self._order = {number: self._worthless(number) for number in component.choices}

    @property
    def spent(self) -> int:
        """How often a value was looked at for a bound."""
        return (self._most_steps - self.steps) * len(self.component.values)

    def copies(self, choices: Set[int]) -> Set[SSAValue]:
        """Views that have to be copies under choices of which nothing is wrong, or under none."""
        return self.classes.of(choices).copies if self.legal else self._nothing.copies

    # The search

    def offer(self, starts: Iterable[Set[int]]) -> SearchResult:
        """The result of `run`, or one of `starts` if that is better: for a search that had to stop."""
        for start in starts:
            self._try(frozenset(start) & self.all)
        return SearchResult(self.best, self.score, False)

    def run(self) -> SearchResult:
        """The best choices; none where the earlier decisions conflict already."""
        if not self.legal or not self.all:
            return SearchResult(frozenset(), self.score, True)
        self._dive()
        proved = self._relax() or len(self.all) <= MOST_CHOICES and self._search()
        return SearchResult(self.best, self.score, proved)

    def _search(self) -> bool:
        """Whether the best choices are found, one by one, in the steps that are left."""
        try:
            self._branch(frozenset(), frozenset())
        except _Spent:
            return False
        return True

    def _try(self, choices: frozenset[int]) -> Evaluation:
        """Evaluate a set of choices: its nogoods, or its score if it has none."""
        before = self.classes.looks
        evaluation = self.classes.of(choices)
        self.looks -= 1 + self.classes.looks - before
        if evaluation.score is not None:
            if evaluation.score > self.score:
                self.score, self.best = evaluation.score, choices
            return evaluation
        cures = self._cures(evaluation.nogoods, choices - evaluation.idle)
        # A conflict that names no choice, where nothing conflicts without choices, is caused by all of them.
        every = ConditionalNogood(choices, self.all - choices)
        wrong = {
            ConditionalNogood(nogood, cures[unless]) if nogood else every
            for nogood, unless in evaluation.nogoods.items()
        }
        for nogood in sorted(wrong, key=lambda w: (len(w.choices), sorted(w.choices))):
            if nogood not in self.known:
                self._learn(nogood, nogood is not every and nogood.choices not in evaluation.by_rules)
        return evaluation

    def _learn(self, nogood: ConditionalNogood, by_places: bool = False) -> None:
        self.known.add(nogood)
        self.nogoods.append(nogood)
        self.relaxation.forbid(nogood.choices, nogood.absent, by_places)

    def _mask(self, choices: Iterable[int]) -> int:
        mask = 0
        for number in choices:
            mask |= self._bits[number]
        return mask

    def _cures(self, nogoods: Mapping[Nogood, Unless], busy: frozenset[int]) -> dict[Unless, frozenset[int]]:
        """By pair of values that a conflict depends on, the choices that may end the conflict; none where nothing ends
        it, or where another component has one of the two values."""
        index = self.bound.index
        pairs = dict.fromkeys(u for u in nogoods.values() if u is not None and u[0] in index and u[1] in index)
        return dict.fromkeys(nogoods.values(), frozenset[int]()) | self.bound.apart(pairs, busy)

    def _dive(self) -> None:
        """A first good plan: drop the cheapest choice of every nogood."""
        dropped, at = set[int](), 0
        while self.looks > 0:
            for wrong in self.nogoods[at:]:
                if wrong.holds(dropped):
                    dropped.add(min(wrong.choices, key=self._order.__getitem__))
            at = len(self.nogoods)
            if self._try(self.all - dropped).score is not None:
                return
            if at == len(self.nogoods):  # one that did not hold before does now
                wrong = next((w for w in self.nogoods if w.holds(dropped)), None)
                if wrong is None:
                    return
                dropped.add(min(wrong.choices, key=self._order.__getitem__))

    def _relax(self) -> bool:
        """Evaluates what is best as far as is known, and learns what is wrong with it, until nothing is. Returns
        whether nothing is better than the best plan so far."""
        most = STATES + STATES_OF_CHOICE * len(self.all)
        for _ in range(ROUNDS):
            if self.relaxation.program.work > most:
                break
            relaxed = self.relaxation.solve()
            if relaxed.exact and relaxed.score <= self.score:
                return True
            if self.looks <= 0:
                return False
            known = len(self.known)
            evaluation = self._try(relaxed.choices)
            if evaluation.score is None and len(self.known) == known:
                break
            if evaluation.score is None or self._part(relaxed, evaluation) or self._set_aside(relaxed):
                continue
            return relaxed.exact and relaxed.score <= self.score
        return False

    def _part(self, relaxed: RelaxedChoices, evaluation: Evaluation) -> bool:
        """Learns which movements copy something though they were taken to copy nothing; whether there is one."""
        index, values = self.bound.moves, self.component.values
        wrong = [n for n in sorted(relaxed.there) if n not in evaluation.there]
        pairs = {n: (values[index[n][0]], values[index[n][1]]) for n in wrong}
        apart = self.bound.apart(pairs.values(), relaxed.choices)
        for n, pair in pairs.items():
            self.relaxation.need(n, apart[pair])
        return bool(wrong)

    def _set_aside(self, relaxed: RelaxedChoices) -> bool:
        """Learns which boundaries need a temporary though they were taken to need none; whether there is one."""
        if not relaxed.straight:
            return False
        self.looks -= len(self.component.values)
        assignment = Assignment(self.variables, self.component, relaxed.choices)
        movements, found = self.bound.movements, False
        for n in sorted(relaxed.straight):
            cycle = copy_cycle(assignment, movements, self.relaxation.boundaries[n].movements)
            if cycle is not None:
                pairs = [(movements[m].source, movements[m].target) for m in cycle.movements]
                apart = self.bound.apart(pairs, relaxed.choices)
                self.relaxation.set_aside(n, cycle.choices, frozenset[int]().union(*apart.values()))
                found = True
        return found

    def _worthless(self, number: int) -> tuple[int, bool, int, int]:
        """The order of dropping: few bytes, exchanged operands, late in the program."""
        choice = self.variables.choices[number]
        return self.cost[number], not choice.swap, -self.program.at[choice.op], -choice.operand

    def _branch(self, dropped: frozenset[int], kept: frozenset[int]) -> None:
        gone = self._mask(dropped)
        while True:
            self.steps -= 1
            if self.steps < 0 or len(dropped) > DEEPEST:
                raise _Spent
            for nogood in self.nogoods[len(self._masks) :]:
                self._masks.append((nogood.choices, self._mask(nogood.choices), self._mask(nogood.absent)))
            wrong = [choices for choices, mask, absent in self._masks if not mask & gone and absent & gone == absent]
            limit = self.bound.of(dropped, kept, wrong, self.score)
            if limit <= self.score:
                return
            open_ = self._open(wrong, kept)
            if open_ is not None:
                break
            if self.looks <= 0:
                raise _Spent
            evaluation = self._try(self.all - dropped)
            if evaluation.nogoods and any(w.holds(dropped) for w in self.nogoods):
                continue
            if limit <= self.score:
                return
            open_ = sorted(self.all - dropped - kept, key=self._order.__getitem__)
            break
        for number in open_:
            self._branch(dropped | {number}, kept)
            kept |= {number}

    def _open(self, wrong: Iterable[Nogood], kept: frozenset[int]) -> list[int] | None:
        """The choices of the nogood with the fewest to choose from, in the order of dropping; None where no nogood
        holds."""
        fewest: Nogood | None = None
        count = ALWAYS
        for nogood in wrong:
            left = len(nogood - kept)
            if left < count:
                fewest, count = nogood, left
                if left <= 1:
                    break
        return sorted(fewest - kept, key=self._order.__getitem__) if fewest is not None else None
