"""An upper bound of the score that all known nogoods keep, and the choices that would have it.

Each choice saves its own bytes, as in `bound.py`, or those of its merge (`merges.py`), and each movement that copies
nothing saves what it would copy. Two things cost more bytes: all merges of a cycle, and copies that need a temporary
(`copy_cycles.py`). All of these are variables of a `ClauseProgram`: of a nogood one choice is dropped, or one that ends
its condition is kept; a movement is dropped, or one of the choices that bring its two values together is kept. What is
left of the score with the cheapest of them dropped is a bound, and usually what the best plan has.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.component_choices import Component
from lastuse.passes.inplace_analysis.optimal.copy_cycles import boundaries
from lastuse.passes.inplace_analysis.optimal.merges import Merge, Merges
from lastuse.passes.inplace_analysis.optimal.objective import Score
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.planning.clause_program import MOST_COST, Clause, ClauseProgram
from lastuse.passes.planning.clause_reduction import ClauseReduction


class RelaxedChoices(NamedTuple):
    """The choices of the cheapest solution, the movements that it takes to copy nothing, the boundaries that it takes
    to need no temporary, and its score. Nothing is better where it is `exact`."""

    choices: frozenset[int]
    there: frozenset[int]
    straight: frozenset[int]
    score: Score
    exact: bool


class Kind(enum.IntEnum):
    """What is a variable; dropped, it costs what it saves."""

    MOVEMENT = 0
    """A movement copies nothing."""
    BOUNDARY = 1
    """A boundary needs no temporary."""
    CHOICE = 2
    """A choice is taken."""
    MERGE = 3
    """One of the choices of a merge is."""
    CYCLE = 4
    """Not all merges of a cycle are."""


class Relaxation:
    """The clauses of a component. `boundaries`: those that may need a temporary."""

    def __init__(self, variables: Variables, component: Component, bound: Bound, nothing: Assignment) -> None:
        self.bound = bound
        self.merges = Merges(variables, component, bound)
        self._merges = [*dict.fromkeys(self.merges.of.values())]
        self.boundaries = boundaries(nothing)
        found = self._variables(variables.program.at, {n: variables.choices[n].op for n in component.choices})
        order = sorted(found, key=lambda variable: variable[:3])
        places: list[dict[int, int]] = [{} for _ in Kind]
        for place, (_, kind, n, _) in enumerate(order):
            places[kind][n] = place
        self._move, self._boundary, self._choice, merge, cycle = places
        self._merge = {self._merges[n]: place for n, place in merge.items()}
        self._worth = [worth for *_, worth in order]
        most = max((sum(abs(w[k]) for w in self._worth) for k in range(4)), default=0)
        # So many bits of bytes are left out that the sums are not too large.
        shift = max(0, most.bit_length() - MOST_COST.bit_length() + 1)
        costs = [w._replace(kept=w.kept >> shift, moved=w.moved >> shift) for w in self._worth]
        self._is_rounded = any(
            c.kept << shift != w.kept or c.moved << shift != w.moved for c, w in zip(costs, self._worth, strict=True)
        )
        self.program = ClauseProgram(costs)
        self._reduction = ClauseReduction()
        self._new: list[Clause] = []
        """Clauses that the program does not have yet."""
        kept = sum(self._worth[place].kept for place in (*self._choice.values(), *merge.values()))
        self._every = Score(bound.alone + kept, -bound.moved, len(bound.overs), -len(bound.swaps))
        for n, cut in enumerate(bound.cuts):
            if cut is not None:
                self.need(n, cut)
        for one, place in self._merge.items():
            each = self._choices(one.choices)
            self._new.append(Clause(frozenset((place,)), each))
            self._new += [Clause(frozenset((choice,)), frozenset((place,))) for choice in sorted(each)]
        for n, place in cycle.items():
            self._new.append(Clause(frozenset([place, *map(self._taken, self.merges.cycles[n])])))

    def _variables(
        self, at: Mapping[Operation, int], ops: Mapping[int, Operation]
    ) -> Iterator[tuple[int, Kind, int, Score]]:
        """All variables: when they are decided, what they are, their number, and what they save.

        Args:
            at: by op its position.
            ops: by choice its op.
        """
        bound, merges = self.bound, self.merges
        for n, (movement, (*_, moved)) in enumerate(zip(bound.movements, bound.moves, strict=True)):
            yield at[movement.op], Kind.MOVEMENT, n, Score(0, moved, 0, 0)
        for n, (movements, size) in enumerate(self.boundaries):
            yield at[bound.movements[movements[0]].op], Kind.BOUNDARY, n, Score(size, 0, 0, 0)
        for n, op in ops.items():
            saved = bound.cost[n] if n not in merges.of else 0
            yield at[op], Kind.CHOICE, n, Score(saved, 0, int(n in bound.overs), -int(n in bound.swaps))
        for n, merge in enumerate(self._merges):
            yield max(at[ops[k]] for k in merge.choices), Kind.MERGE, n, Score(merge.saved, 0, 0, 0)
        for n, cycle in enumerate(merges.cycles):
            last = max(at[ops[k]] for merge in cycle for k in merge.choices)
            yield last, Kind.CYCLE, n, Score(cycle[0].saved, 0, 0, 0)

    def forbid(self, choices: Iterable[int], unless: Iterable[int] = (), by_places: bool = False) -> None:
        """Not all of `choices`, unless one of `unless` is taken. `by_places`: places alone are the cause."""
        causes = self._causes(choices) if by_places else self._choices(choices)
        # Of choices that are not alike some may be causes of other nogoods, that say that they do not help.
        cures = self._cures(unless) if self.merges.are_alike else self._choices(unless)
        self._new.append(Clause(causes, cures))

    def set_aside(self, boundary: int, choices: Iterable[int], unless: Iterable[int]) -> None:
        """A boundary needs a temporary where all of `choices` are taken, unless one of `unless` is."""
        self._new.append(Clause(self._causes(choices) | {self._boundary[boundary]}, self._cures(unless)))

    def need(self, move: int, choices: Iterable[int]) -> None:
        """A movement copies nothing only if one of these choices is taken."""
        self._new.append(Clause(frozenset((self._move[move],)), self._cures(choices)))

    def _choices(self, choices: Iterable[int]) -> frozenset[int]:
        return frozenset([self._choice[n] for n in choices])

    def _taken(self, merge: Merge) -> int:
        """The variable that is kept where one of the choices of a merge is taken."""
        return self._merge.get(merge, self._choice[merge.choices[0]])

    def _causes(self, choices: Iterable[int]) -> frozenset[int]:
        """Choices, or their merges where all choices of these are alike."""
        of = self.merges.of if self.merges.are_alike else {}
        return frozenset([self._merge[of[n]] if n in of else self._choice[n] for n in choices])

    def _cures(self, choices: Iterable[int]) -> frozenset[int]:
        """Choices, or their merges where all choices of these are among them."""
        of, every = self.merges.of, set(choices)
        whole = {n for n in every if n in of and every.issuperset(of[n].choices)}
        return self._choices(every - whole) | {self._merge[of[n]] for n in whole}

    def solve(self) -> RelaxedChoices:
        """The best choices, as far as the clauses know."""
        for clause in self._reduction.reduced(self._new):
            self.program.add(clause)
        self._new.clear()
        solution = self.program.solve()
        dropped = solution.dropped
        gone = map(sum, zip(Score(0, 0, 0, 0), *[self._worth[place] for place in dropped], strict=True))
        score = Score(*(have - lost for have, lost in zip(self._every, gone, strict=True)))
        choices, there, straight = (
            frozenset([n for n, place in places.items() if place not in dropped])
            for places in (self._choice, self._move, self._boundary)
        )
        return RelaxedChoices(choices, there, straight, score, solution.exact and not self._is_rounded)
