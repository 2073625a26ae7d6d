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

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
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


_NOTHING = LeastCost(frozenset(), 0, True)
_Dropped = tuple[int, "_Dropped"] | None
"""A variable that was dropped, and those before it."""
_States = dict[int, tuple[int, _Dropped]]
"""By set of open clauses, as bits, the cost of the cheapest way there, and the variables that it drops."""


class _DecisionStep(NamedTuple):
    """What was known before a variable was decided: the states, the bit of each open clause, the bits that are free and
    how many there are, whether nothing was left out, and the states that were looked at."""

    variable: int
    states: _States
    bits: dict[int, int]
    free: list[int]
    width: int
    exact: bool
    work: int


@dataclass(eq=False)
class _ClauseGroup:
    """Clauses over connected variables, by number, and the solution of the first `solved` of them, step by step."""

    clauses: list[int]
    solved: int = 0
    solution: LeastCost = _NOTHING
    steps: list[_DecisionStep] = field(default_factory=list[_DecisionStep])

    @property
    def first(self) -> int:
        """The variable that was decided first."""
        return self.steps[0].variable if self.steps else -1


class ClauseProgram:
    """Clauses over variables, which are numbered in the order of decision, and have `costs` from 0 on. `work`: sets of
    open clauses that were looked at so far. `clauses`: those that have to hold.

    Clauses may be added to a program that was solved: of the steps of the solution those before the first one that a
    new clause changes stay, and count as work again.
    """

    def __init__(self, costs: Mapping[int, int]) -> None:
        self.costs = costs
        self.work = 0
        self.clauses: list[Clause] = []
        self._highest: list[int] = []
        """Of each clause the variable that is decided first."""
        self._sets = DisjointSets[int]()
        self._groups: dict[int, _ClauseGroup] = {}
        """By representative of connected variables."""
        self._opens: defaultdict[int, list[int]] = defaultdict(list)
        self._closes: defaultdict[int, list[int]] = defaultdict(list)
        self._drops: defaultdict[int, list[int]] = defaultdict(list)
        self._keeps: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, clause: Clause) -> None:
        """Adds a clause that has to hold."""
        number, variables = len(self.clauses), clause.dropped | clause.kept
        self.clauses.append(clause)
        self._highest.append(max(variables))
        self._opens[max(variables)].append(number)
        self._closes[min(variables)].append(number)
        for variable in clause.dropped:
            self._drops[variable].append(number)
        for variable in clause.kept:
            self._keeps[variable].append(number)
        group, find = _ClauseGroup([]), self._sets.find
        for root in dict.fromkeys(map(find, variables)):
            other = self._groups.pop(root, None)
            if other is not None:  # the one that was solved from a later variable on stays
                group, other = (other, group) if other.first > group.first else (group, other)
                group.clauses += other.clauses
        group.clauses.append(number)
        first, *others = variables
        for other in others:
            self._sets.union(other, first)
        self._groups[find(first)] = group

    def solve(self) -> LeastCost:
        """The cheapest variables to drop. Dropping all of them has to be possible."""
        for group in self._groups.values():
            if group.solved < len(group.clauses):
                group.solution = self._solution(group)
                group.solved = len(group.clauses)
        parts = [group.solution for group in self._groups.values()]
        dropped = frozenset[int]().union(*(part.dropped for part in parts))
        return LeastCost(dropped, sum(part.cost for part in parts), all(part.exact for part in parts))

    def _solution(self, group: _ClauseGroup) -> LeastCost:
        """The solution of clauses over connected variables, from the last variable to the first one."""
        begin, left = self._resumed(group)
        states, bit, free = begin.states, dict(begin.bits), list(begin.free)
        width, exact, work = begin.width, begin.exact, begin.work
        opens, closes, drops, keeps = self._opens, self._closes, self._drops, self._keeps
        repairs: dict[int, tuple[int | None, int]] = {}
        for variable in left:
            group.steps.append(_DecisionStep(variable, states, dict(bit), list(free), width, exact, work))
            opened = by_drop = by_keep = closing = 0
            for n in opens.get(variable, ()):
                if not free:
                    free.append(1 << width)
                    width += 1
                bit[n] = free.pop()
                opened |= bit[n]
            for n in drops.get(variable, ()):
                by_drop |= bit[n]
            for n in keeps.get(variable, ()):
                by_keep |= bit[n]
            for n in closes.get(variable, ()):
                free.append(bit.pop(n))
                closing |= free[-1]
            work += len(states)
            states = _decided(states, variable, self.costs[variable], opened, ~by_keep, ~by_drop, closing)
            if len(states) > MANY_STATES:
                for n in bit:
                    if n not in repairs or repairs[n][1] >= variable:
                        repairs[n] = self._repair(n, variable)
                states = _undominated(states, {b: repairs[n][0] for n, b in bit.items()})
                if len(states) > MOST_STATES:
                    states, exact = dict(list(states.items())[:MOST_STATES]), False
        self.work += work
        if not states:
            every = frozenset[int]().union(*(self.clauses[n].dropped for n in group.clauses))
            return LeastCost(every, sum(map(self.costs.__getitem__, every)), False)
        ((cost, last),) = states.values()
        dropped = set[int]()
        while last is not None:
            dropped.add(last[0])
            last = last[1]
        return LeastCost(frozenset(dropped), cost, exact)

    def _resumed(self, group: _ClauseGroup) -> tuple[_DecisionStep, list[int]]:
        """What was known before the first step that clauses without a solution change, and the variables from there on.

        A step depends on the clauses of its variable, and on what makes those hold that are open then: on the variables
        that these may drop and that no clause keeps.
        """
        new = [self.clauses[n] for n in group.clauses[group.solved :]]
        changed = max(self._highest[n] for n in group.clauses[group.solved :])
        for variable in {v for clause in new for v in clause.kept}:
            changed = max([changed, *(self._highest[n] for n in self._drops.get(variable, ()))])
        at = bisect_left(group.steps, -changed, key=lambda step: -step.variable)
        left = {step.variable for step in group.steps[at:]}.union(*(c.dropped | c.kept for c in new))
        begin = group.steps[at] if at < len(group.steps) else _DecisionStep(-1, {0: (0, None)}, {}, [], 0, True, 0)
        del group.steps[at:]
        return begin, sorted(left, reverse=True)

    def _repair(self, clause: int, variable: int) -> tuple[int | None, int]:
        """What it costs that an open clause holds by a variable that is decided after `variable`; None where none makes
        it hold, or not without regard to other clauses. And the variable at which that changes."""
        keeps = self._keeps
        left = [v for v in self.clauses[clause].dropped if v < variable and v not in keeps]
        return min([self.costs[v] for v in left], default=None), max(left, default=-1)


def _decided(
    states: _States, variable: int, cost: int, opened: int, by_keep: int, by_drop: int, closing: int
) -> _States:
    """The states after a variable; `by_keep` and `by_drop` have no bit of the clauses that hold then."""
    after: _States = {}
    for mask, state in states.items():
        left = (mask | opened) & by_keep
        if not left & closing:
            best = after.get(left)
            if best is None or state[0] < best[0]:
                after[left] = state
    for mask, (least, dropped) in states.items():
        left = (mask | opened) & by_drop
        if not left & closing:
            best = after.get(left)
            if best is None or least + cost < best[0]:
                after[left] = least + cost, (variable, dropped)
    return after


def _undominated(states: _States, repairs: Mapping[int, int | None]) -> _States:
    """The states, the cheapest first, without those that a cheaper one is as good as: one that has none of the other
    open clauses, or has some and costs no more with variables dropped for these. `repairs`: by open clause what that
    costs, None where variables that are decided later cannot make it hold, or not without regard to other clauses."""
    costs = {bit: cost for bit, cost in repairs.items() if cost is not None}
    fixed, least = sum(repairs) - sum(costs), min(costs.values(), default=0)
    left: _States = {}
    cheapest: list[tuple[int, int]] = []
    for mask, state in sorted(states.items(), key=lambda item: (item[1][0], item[0].bit_count())):
        closed, total = ~mask, state[0]
        if not all(map(closed.__and__, left)):
            continue
        for other, cost in cheapest:
            open_, spare = other & closed, total - cost
            if open_ & fixed or spare < least:
                continue
            while open_ and spare >= 0:
                bit = open_ & -open_
                spare -= costs[bit]
                open_ ^= bit
            if spare >= 0:
                break
        else:
            left[mask] = state
            if len(cheapest) < REPAIRED_STATES:
                cheapest.append((mask, total))
            if len(left) > MOST_STATES:
                break
    return left
