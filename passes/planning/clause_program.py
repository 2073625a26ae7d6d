"""The cheapest set of variables to drop so that every clause holds.

A clause holds where one of some variables is dropped, or one of some others is kept. Each variable has a cost of being
dropped. Variables that no clause connects are independent of each other. Those that clauses connect are decided in
their order, by dynamic programming: what matters of the variables decided so far is which clauses that go on do not
hold yet, and for each such set the cheapest way to get there is kept. Where clauses connect what is near in the order
there are few such sets, so the work is linear in the variables. A set is left out where a cheaper one has no other open
clauses. Where `MOST_STATES` do not suffice the cheapest ones are kept, and the result is not known to be the best.

Of equal costs what is kept is earlier in the order. The search itself is in `cpp/clause_program.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastuse.passes.planning import _planner

MOST_STATES = 512
"""Sets of open clauses at one variable."""
MANY_STATES = 24
"""From so many sets on those that another is better than are left out."""
MOST_COST = 1 << 62
"""The costs of all variables have a smaller sum, number by number."""

DropCost = tuple[int, int, int, int]
"""What it costs to drop a variable: costs are compared by the first number that differs, and none is below 0 then."""


class Clause(NamedTuple):
    """One variable of `dropped` is dropped, or one of `kept` is kept."""

    dropped: frozenset[int]
    kept: frozenset[int] = frozenset()


class LeastCost(NamedTuple):
    """The variables to drop, what they cost, and whether nothing costs less."""

    dropped: frozenset[int]
    cost: DropCost
    exact: bool


class ClauseProgram:
    """Clauses over variables, which are numbered in the order of decision, and have `costs`. `clauses`: those that have
    to hold.

    Clauses may be added to a program that was solved: of the steps of the solution those before the first one that a
    new clause changes stay, and count as work again.
    """

    def __init__(self, costs: Sequence[DropCost]) -> None:
        self.clauses: list[Clause] = []
        self._solver = _planner.Clauses(costs, MANY_STATES, MOST_STATES)

    @property
    def work(self) -> int:
        """Sets of open clauses that were looked at so far."""
        return self._solver.work

    def add(self, clause: Clause) -> None:
        """Adds a clause that has to hold, of one variable at least."""
        self.clauses.append(clause)
        self._solver.add(clause.dropped, clause.kept)

    def solve(self) -> LeastCost:
        """The cheapest variables to drop. Dropping all of them has to be possible."""
        dropped, cost, exact = self._solver.solve()
        return LeastCost(frozenset(dropped), cost, exact)
