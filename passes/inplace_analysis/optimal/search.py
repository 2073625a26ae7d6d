"""Selects the choices of a component: branch and bound over nogoods.

Taking every choice is infeasible. Each conflict is a nogood: a set of choices that cannot all be taken. The search
drops one choice of one nogood at a time, the cheapest first, and computes an assignment only where no known nogood
is left. It skips a branch whose upper bound (`bound.py`) is no better than the best score. A nogood holds for all
larger sets of choices, unless one of the added choices puts a copied value where it is copied to: then it holds only
while these are dropped. So the search is exact. Components are searched one by one.

The problem is NP-hard: after a number of assignments the search stops with the best one so far, and `proved` is
false.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Nogood
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts, Unless
from lastuse.passes.inplace_analysis.optimal.last_reads import ALWAYS
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.variables import Component, Variables

LOOKS = 40_000
"""How often a value is placed before a component's search stops: about a second."""
STEPS = 200_000
"""How often a value is looked at for a bound before a component's search stops: about a second."""

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

    def __init__(self, variables: Variables, component: Component) -> None:
        self.variables, self.component = variables, component
        self.program = variables.program
        self.all = frozenset(component.choices)
        self.best: frozenset[int] = frozenset()
        self.looks = max(LOOKS // len(component.values), 8)
        self.steps = max(STEPS // len(component.values), 64)
        nothing = Assignment(variables, component, frozenset())
        self.score = Objective(nothing).score()
        self.legal = not Conflicts(nothing).nogoods
        self.bound = Bound(variables, component, nothing)
        self.cost = self.bound.cost
        # A result is written over one operand at most.
        exclusive = ((a, b) for numbers in self.bound.options for n, a in enumerate(numbers) for b in numbers[:n])
        self._bits = {number: 1 << bit for bit, number in enumerate(component.choices)}
        self.nogoods: list[ConditionalNogood] = []
        self._masks: list[tuple[Nogood, int, int]] = []
        """Of each nogood its choices, and as sets of bits these and its condition."""
        self.known: set[ConditionalNogood] = set()
        for pair in exclusive:
            self._learn(ConditionalNogood(frozenset(pair)))
        self._order = {number: self._worthless(number) for number in component.choices}

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
        proved = True
        try:
            self._branch(frozenset(), frozenset())
        except _Spent:
            proved = False
        return SearchResult(self.best, self.score, proved)

    def _try(self, choices: frozenset[int]) -> Conflicts:
        """Compute an assignment: its nogoods, or its score if it has none."""
        assignment = Assignment(self.variables, self.component, choices)
        conflicts = Conflicts(assignment)
        self.looks -= 1
        if not conflicts.nogoods:
            score = Objective(assignment).score()
            if score > self.score:
                self.score, self.best = score, choices
            return conflicts
        idle = assignment.idle
        cures = self._cures(conflicts.nogoods, choices - idle)
        # A conflict that names no choice, where nothing conflicts without choices, is caused by all of them.
        every = ConditionalNogood(choices, self.all - choices)
        wrong = {
            ConditionalNogood(nogood, cures[unless]) if nogood else every
            for nogood, unless in conflicts.nogoods.items()
        }
        for nogood in sorted(wrong, key=lambda w: (len(w.choices), sorted(w.choices))):
            if nogood not in self.known:
                self._learn(nogood)
        return conflicts

    def _learn(self, nogood: ConditionalNogood) -> None:
        self.known.add(nogood)
        self.nogoods.append(nogood)
        self._masks.append((nogood.choices, self._mask(nogood.choices), self._mask(nogood.absent)))

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
        dropped: set[int] = set()
        while self.looks > 0:
            for wrong in self.nogoods:
                if wrong.holds(dropped):
                    dropped.add(min(wrong.choices, key=self._order.__getitem__))
            seen = len(self.nogoods)
            if not self._try(self.all - dropped).nogoods:
                break
            if seen == len(self.nogoods):
                break

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
            wrong = [choices for choices, mask, absent in self._masks if not mask & gone and absent & gone == absent]
            limit = self.bound.of(dropped, kept, wrong, self.score)
            if limit <= self.score:
                return
            open_ = self._open(wrong, kept)
            if open_ is not None:
                break
            if self.looks <= 0:
                raise _Spent
            conflicts = self._try(self.all - dropped)
            if conflicts.nogoods and any(w.holds(dropped) for w in self.nogoods):
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
