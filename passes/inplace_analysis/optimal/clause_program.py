"""The cheapest set of variables to drop so that every clause holds.

A clause holds where one of some variables is dropped, or one of some others is kept. Each variable has a cost of being
dropped. Variables that no clause connects are independent of each other. Those that clauses connect are decided in
their order, by dynamic programming: what matters of the variables decided so far is which clauses that go on do not
hold yet, and for each such set the cheapest way to get there is kept. Where clauses connect what is near in the order
there are few such sets, so the work is linear in the variables. A set is left out where a cheaper one has no other open
clauses. Where `MOST_STATES` do not suffice the cheapest ones are kept, and the result is not known to be the best.

Of equal costs what is kept is earlier in the order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lastuse.passes.analysis.disjoint_sets import DisjointSets

MOST_STATES = 128
"""Sets of open clauses at one variable."""
MANY_STATES = 24
"""From so many sets on those that another is better than are left out."""

REPAIRED_STATES = 8
"""So many of the cheapest sets are compared with all others with what it costs that their open clauses hold."""


class Clause(NamedTuple):
    """One variable of `dropped` is dropped, or one of `kept` is kept."""

    dropped: frozenset[int]
    kept: frozenset[int] = frozenset()


class LeastCost(NamedTuple):
    """The variables to drop, what they cost, and whether nothing costs less."""

    dropped: frozenset[int]
    cost: int
    exact: bool


class _DroppedVariables(NamedTuple):
    """A variable that was dropped, and those before it."""

    variable: int
    before: _DroppedVariables | None


class _OpenClauses(NamedTuple):
    """The cheapest way to a set of open clauses."""

    cost: int
    dropped: _DroppedVariables | None


class ClauseProgram:
    """Clauses over variables, which are numbered in the order of decision, and have `costs` from 0 on. `work`: sets of
    open clauses that were looked at so far."""

    def __init__(self, costs: Mapping[int, int]) -> None:
        self.costs = costs
        self.work = 0
        self._clauses: list[Clause] = []
        self._sets = DisjointSets[int]()
        self._solved: dict[int, tuple[int, LeastCost]] = {}
        """By representative of connected variables, the clauses that they had, and the solution."""

    def add(self, clause: Clause) -> None:
        """Adds a clause that has to hold."""
        self._clauses.append(clause)
        first, *others = clause.dropped | clause.kept
        for other in others:
            self._sets.union(other, first)

    def solve(self) -> LeastCost:
        """The cheapest variables to drop. Dropping all of them has to be possible."""
        groups: dict[int, list[Clause]] = {}
        for clause in self._clauses:
            groups.setdefault(self._sets.find(next(iter(clause.dropped or clause.kept))), []).append(clause)
        solved = {root: self._solved.get(root, (0, None)) for root in groups}
        self._solved = {
            root: (len(clauses), before[1])
            if (before := solved[root])[1] is not None and before[0] == len(clauses)
            else (len(clauses), self._group(clauses))
            for root, clauses in groups.items()
        }
        parts = [solution for _, solution in self._solved.values()]
        dropped = frozenset(n for part in parts for n in part.dropped)
        return LeastCost(dropped, sum(part.cost for part in parts), all(part.exact for part in parts))

    def _group(self, clauses: Sequence[Clause]) -> LeastCost:
        """The solution of clauses over connected variables, from the last variable to the first one."""
        opens: dict[int, list[int]] = {}
        closes: dict[int, list[int]] = {}
        drops: dict[int, list[int]] = {}
        keeps: dict[int, list[int]] = {}
        for n, clause in enumerate(clauses):
            variables = clause.dropped | clause.kept
            opens.setdefault(max(variables), []).append(n)
            closes.setdefault(min(variables), []).append(n)
            for variable in clause.dropped:
                drops.setdefault(variable, []).append(n)
            for variable in clause.kept:
                keeps.setdefault(variable, []).append(n)
        bit: dict[int, int] = {}
        free: list[int] = []
        width = 0
        states, exact = {0: _OpenClauses(0, None)}, True
        open_ = set[int]()
        for variable in sorted({*drops, *keeps}, reverse=True):
            for n in opens.get(variable, ()):
                if not free:
                    free.append(1 << width)
                    width += 1
                bit[n] = free.pop()
                open_.add(n)
            opened = sum(bit[n] for n in opens.get(variable, ()))
            by_drop = ~sum(bit[n] for n in drops.get(variable, ()))
            by_keep = ~sum(bit[n] for n in keeps.get(variable, ()))
            closing = sum(bit[n] for n in closes.get(variable, ()))
            states = self._decide(states, variable, opened, by_keep, by_drop, closing)
            open_.difference_update(closes.get(variable, ()))
            free += [bit[n] for n in closes.get(variable, ())]
            if len(states) > MANY_STATES:
                repairs: dict[int, int | None] = {}
                for n in open_:
                    left = [self.costs[v] for v in clauses[n].dropped if v < variable and v not in keeps]
                    repairs[bit[n]] = min(left, default=None)
                states = _undominated(states, repairs)
                if len(states) > MOST_STATES:
                    states, exact = dict(list(states.items())[:MOST_STATES]), False
        if not states:
            return LeastCost(frozenset(drops), sum(map(self.costs.__getitem__, drops)), False)
        (best,) = states.values()
        dropped, last = set[int](), best.dropped
        while last is not None:
            dropped.add(last.variable)
            last = last.before
        return LeastCost(frozenset(dropped), best.cost, exact)

    def _decide(
        self, states: Mapping[int, _OpenClauses], variable: int, opened: int, by_keep: int, by_drop: int, closing: int
    ) -> dict[int, _OpenClauses]:
        """The states after a variable; `by_keep` and `by_drop` have no bit of the clauses that hold then."""
        self.work += len(states)
        after: dict[int, _OpenClauses] = {}
        for mask, state in states.items():
            left = (mask | opened) & by_keep
            if not left & closing and (left not in after or state.cost < after[left].cost):
                after[left] = state
        cost = self.costs[variable]
        for mask, state in states.items():
            left = (mask | opened) & by_drop
            if not left & closing and (left not in after or state.cost + cost < after[left].cost):
                after[left] = _OpenClauses(state.cost + cost, _DroppedVariables(variable, state.dropped))
        return after


def _undominated(states: Mapping[int, _OpenClauses], repairs: Mapping[int, int | None]) -> dict[int, _OpenClauses]:
    """The states, the cheapest first, without those that a cheaper one is as good as: one that has none of the other
    open clauses, or has some and costs no more with variables dropped for these. `repairs`: by open clause what that
    costs, None where variables that are decided later cannot make it hold, or not without regard to other clauses."""
    left: dict[int, _OpenClauses] = {}
    cheapest: list[tuple[int, int]] = []
    for mask, state in sorted(states.items(), key=lambda item: (item[1].cost, item[0].bit_count())):
        closed = ~mask
        for other in left:
            if not other & closed:
                break
        else:
            left[mask] = state
        if mask not in left:
            continue
        if any(_repaired(other & closed, state.cost - cost, repairs) for other, cost in cheapest):
            del left[mask]
            continue
        if len(cheapest) < REPAIRED_STATES:
            cheapest.append((mask, state.cost))
        if len(left) > MOST_STATES:
            break
    return left


def _repaired(open_: int, spare: int, repairs: Mapping[int, int | None]) -> bool:
    """Variables can be dropped for all these clauses for `spare`."""
    while open_ and spare >= 0:
        bit = open_ & -open_
        cost = repairs[bit]
        if cost is None:
            return False
        spare -= cost
        open_ ^= bit
    return spare >= 0
