"""Picks the atoms: branch and bound on what is to blame.

All atoms together are more than memory can hold; what is wrong with them is a list of sets of atoms, each of which has
to give up one. The search gives up one atom of one set at a time, cheapest first, and looks again only when nothing
known is left to blame. What a set of atoms may be worth at most is told by joining all that they could bring together;
where that is no more than what is found already, the rest is left alone. What is wrong stays wrong with more atoms,
unless one of them brings what is copied to where it goes: such a set counts only where these are dropped. So nothing
is missed. Components are searched one by one.

Choosing is NP-hard: after a number of looks the best so far stands, and `proved` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import SSAValue

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment, Blame
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.conflicts import Unless, Verdict
from lastuse.passes.inplace_analysis.optimal.last_reads import ALWAYS
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.variables import ChoiceKind, Choices, Component

LOOKS = 40_000
"""How often a value is placed before a component's search stops: about a second."""
STEPS = 200_000
"""How often a value is looked at for a bound before a component's search stops: about a second."""

DEEPEST = 600
"""So many atoms are given up one by one at most: each is a call inside the other."""


@dataclass(frozen=True)
class SearchResult:
    """The atoms to take, by number, and whether nothing better is possible."""

    atoms: frozenset[int]
    score: Score
    proved: bool


class ConditionalNogood(NamedTuple):
    """These atoms cannot all be taken where all of `absent` are not: one of those might put what is written by a copy
    where it is read from, and nothing is written."""

    atoms: Blame
    absent: frozenset[int] = frozenset()

    def holds(self, dropped: Set[int]) -> bool:
        """Without `dropped` it is not to be had, and nothing in `dropped` has cured it."""
        return self.atoms.isdisjoint(dropped) and self.absent <= dropped


class _Spent(Exception):
    """The search has looked often enough."""


class Search:
    """Looks for the best atoms of one component."""

    def __init__(self, choices: Choices, component: Component) -> None:
        self.choices, self.component = choices, component
        self.program = choices.program
        self.all = frozenset(component.atoms)
        self.blames = [ConditionalNogood(atoms) for atoms in self._exclusive()]
        self.known = set(self.blames)
        self.best: frozenset[int] = frozenset()
        self.looks = max(LOOKS // len(component.values), 8)
        self.steps = max(STEPS // len(component.values), 64)
        nothing = Assignment(choices, component, frozenset())
        self.score = Objective(nothing).score()
        self.legal = not Verdict(nothing).blames
        self.bound = Bound(choices, component, nothing)
        self.cost = self.bound.cost

    def _exclusive(self) -> Iterator[Blame]:
        """One result over two operands."""
        by_result: dict[SSAValue, list[int]] = {}
        for number in self.component.atoms:
            atom = self.choices.atoms[number]
            if atom.kind is ChoiceKind.OVER:
                by_result.setdefault(atom.source, []).append(number)
        for numbers in by_result.values():
            yield from (frozenset((a, b)) for n, a in enumerate(numbers) for b in numbers[:n])

    # The search

    def offer(self, starts: Iterable[Set[int]]) -> SearchResult:
        """What `run` found, or one of `starts` where that is better: for where the search had to stop."""
        for start in starts:
            self._try(frozenset(start) & self.all)
        return SearchResult(self.best, self.score, False)

    def run(self) -> SearchResult:
        """The best atoms; none where the decisions that are there already cannot stay."""
        if not self.legal or not self.all:
            return SearchResult(frozenset(), self.score, True)
        self._dive()
        proved = True
        try:
            self._branch(frozenset(), frozenset())
        except _Spent:
            proved = False
        return SearchResult(self.best, self.score, proved)

    def _try(self, taken: frozenset[int]) -> Verdict:
        """Look at a set of atoms: learn what is wrong with it, or how good it is."""
        assignment = Assignment(self.choices, self.component, taken)
        verdict = Verdict(assignment)
        self.looks -= 1
        if not verdict.blames:
            score = Objective(assignment).score()
            if score > self.score:
                self.score, self.best = score, taken
            return verdict
        idle = assignment.idle
        cures = self._cures(verdict.blames, taken - idle)
        # Where no atom is to blame alone but nothing is wrong without any, all are.
        every = ConditionalNogood(taken, self.all - taken)
        wrong = {
            ConditionalNogood(blame, cures[unless]) if blame else every for blame, unless in verdict.blames.items()
        }
        for each in sorted(wrong, key=lambda w: (len(w.atoms), sorted(w.atoms))):
            if each not in self.known:
                self.known.add(each)
                self.blames.append(each)
        return verdict

    def _cures(self, blames: Mapping[Blame, Unless], busy: frozenset[int]) -> dict[Unless, frozenset[int]]:
        """By the two values it hangs on, the atoms that may put right what is wrong: none where it is wrong anywhere,
        and where another component has one of the two."""
        index = self.bound.index
        pairs = dict.fromkeys(u for u in blames.values() if u is not None and u[0] in index and u[1] in index)
        return dict.fromkeys(blames.values(), frozenset[int]()) | self.bound.apart(pairs, busy)

    def _dive(self) -> None:
        """A first good plan: out of every set that is to blame the cheapest atom goes."""
        dropped: set[int] = set()
        while self.looks > 0:
            for wrong in self.blames:
                if wrong.holds(dropped):
                    dropped.add(min(wrong.atoms, key=self._worthless))
            seen = len(self.blames)
            if not self._try(self.all - dropped).blames:
                break
            if seen == len(self.blames):
                break

    def _worthless(self, number: int) -> tuple[int, bool, int, int]:
        """What is given up first: little, swapped, late."""
        atom = self.choices.atoms[number]
        return self.cost[number], not atom.swap, -self.program.at[atom.op], -atom.operand

    def _branch(self, dropped: frozenset[int], kept: frozenset[int]) -> None:
        while True:
            self.steps -= 1
            if self.steps < 0 or len(dropped) > DEEPEST:
                raise _Spent
            wrong = [w.atoms for w in self.blames if w.holds(dropped)]
            limit = self.bound.of(dropped, kept, wrong)
            if limit <= self.score:
                return
            open_ = self._open(wrong, kept)
            if open_ is not None:
                break
            if self.looks <= 0:
                raise _Spent
            verdict = self._try(self.all - dropped)
            if verdict.blames and any(w.holds(dropped) for w in self.blames):
                continue
            if limit <= self.score:
                return
            open_ = sorted(self.all - dropped - kept, key=self._worthless)
            break
        for number in open_:
            self._branch(dropped | {number}, kept)
            kept |= {number}

    def _open(self, wrong: Iterable[Blame], kept: frozenset[int]) -> list[int] | None:
        """The atoms of a set that is to blame, the fewest to choose from; None where there is no such set."""
        fewest: Blame | None = None
        count = ALWAYS
        for blame in wrong:
            left = len(blame - kept)
            if left < count:
                fewest, count = blame, left
                if left <= 1:
                    break
        return sorted(fewest - kept, key=self._worthless) if fewest is not None else None
