"""An upper bound of the score that all known nogoods keep, and the choices that would have it.

Each choice saves its own bytes, as in `bound.py`, and each movement that copies nothing saves what it would copy. The
choices and the movements are variables of a `ClauseProgram`: of a nogood one choice is dropped, or one that ends its
condition is kept; a movement is dropped, or one of the choices that bring its two values together is kept. What is left
of the score with the cheapest of them dropped is a bound, and usually what the best plan has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.objective import Score
from lastuse.passes.inplace_analysis.optimal.variables import Component, Variables
from lastuse.passes.planning.clause_program import MOST_COST, Clause, ClauseProgram


class RelaxedChoices(NamedTuple):
    """The choices of the cheapest solution, the movements that it takes to copy nothing, and its score. Nothing is
    better where it is `exact`."""

    choices: frozenset[int]
    there: frozenset[int]
    score: Score
    exact: bool


class Relaxation:
    """The clauses of a component."""

    def __init__(self, variables: Variables, component: Component, bound: Bound) -> None:
        self.bound, self.choices = bound, component.choices
        at = variables.program.at
        order = [(at[variables.choices[n].op], n, -1) for n in component.choices]
        order += [(at[m.op], -1, n) for n, m in enumerate(bound.movements)]
        order.sort()
        self._choice = {n: place for place, (_, n, _) in enumerate(order) if n >= 0}
        self._move = {n: place for place, (_, _, n) in enumerate(order) if n >= 0}
        self._worth = [self._of_choice(n) if n >= 0 else Score(0, bound.moves[m][2], 0, 0) for _, n, m in order]
        most = max((sum(abs(w[k]) for w in self._worth) for k in range(4)), default=0)
        # So many bits of bytes are left out that the sums are not too large.
        shift = max(0, most.bit_length() - MOST_COST.bit_length() + 1)
        costs = [w._replace(kept=w.kept >> shift, moved=w.moved >> shift) for w in self._worth]
        self._is_rounded = any(
            c.kept << shift != w.kept or c.moved << shift != w.moved for c, w in zip(costs, self._worth, strict=True)
        )
        self.program = ClauseProgram(costs)
        kept = sum(bound.cost[n] for n in component.choices)
        self._every = Score(bound.alone + kept, -bound.moved, len(bound.overs), -len(bound.swaps))
        for n, cut in enumerate(bound.cuts):
            if cut is not None:
                self.need(n, cut)

    def _of_choice(self, n: int) -> Score:
        return Score(self.bound.cost[n], 0, int(n in self.bound.overs), -int(n in self.bound.swaps))

    def forbid(self, choices: Iterable[int], unless: Iterable[int] = ()) -> None:
        """Not all of `choices`, unless one of `unless` is taken."""
        self.program.add(Clause(self._places(choices), self._places(unless)))

    def need(self, move: int, choices: Iterable[int]) -> None:
        """A movement copies nothing only if one of these choices is taken."""
        self.program.add(Clause(frozenset((self._move[move],)), self._places(choices)))

    def _places(self, choices: Iterable[int]) -> frozenset[int]:
        return frozenset([self._choice[n] for n in choices])

    def solve(self) -> RelaxedChoices:
        """The best choices, as far as the clauses know."""
        solution = self.program.solve()
        dropped = solution.dropped
        gone = map(sum, zip(Score(0, 0, 0, 0), *[self._worth[place] for place in dropped], strict=True))
        score = Score(*(have - lost for have, lost in zip(self._every, gone, strict=True)))
        choices = frozenset([n for n, place in self._choice.items() if place not in dropped])
        there = frozenset([n for n, place in self._move.items() if place not in dropped])
        return RelaxedChoices(choices, there, score, solution.exact and not self._is_rounded)
