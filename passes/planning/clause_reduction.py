"""Fewer and shorter clauses that say the same.

A clause that another one implies is left out. Where a clause holds if a variable is kept, and another clause says that
the variable is dropped where the first one does not hold otherwise, keeping it makes no difference: the first clause is
one without that variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lastuse.passes.planning.clause_program import Clause

FEW_KEPT = 8
"""A clause with more variables to keep is not made shorter."""


class ClauseReduction:
    """Reduces clauses that come one after the other, by all that came before."""

    def __init__(self) -> None:
        self._dropped_by: dict[int, list[Clause]] = {}
        """By variable the clauses that hold where it is dropped."""
        self._by_first: dict[int, list[Clause]] = {}
        """Clauses that are not implied, by the first of the variables that they drop."""

    def reduced(self, clauses: Iterable[Clause]) -> Iterator[Clause]:
        """Clauses that say, with those of all calls before, what `clauses` say. Each drops a variable at least."""
        clauses = list(dict.fromkeys(clauses))
        for clause in clauses:
            self._add(clause)
        shorter = [self._shorter(clause) for clause in clauses]
        for clause in sorted(shorter, key=lambda c: (len(c.dropped) + len(c.kept), sorted(c.dropped))):
            if not self._is_implied(clause):
                self._by_first.setdefault(min(clause.dropped), []).append(clause)
                yield clause

    def _add(self, clause: Clause) -> None:
        for variable in clause.dropped:
            self._dropped_by.setdefault(variable, []).append(clause)

    def _shorter(self, clause: Clause) -> Clause:
        dropped, kept = clause
        for variable in sorted(kept) if len(kept) <= FEW_KEPT else ():
            others, without = dropped | {variable}, kept - {variable}
            if any(c.dropped <= others and c.kept <= without for c in self._dropped_by.get(variable, ())):
                kept = without
        if len(kept) == len(clause.kept):
            return clause
        shorter = Clause(dropped, kept)
        self._add(shorter)
        return shorter

    def _is_implied(self, clause: Clause) -> bool:
        dropped, kept = clause
        known = (c for variable in dropped for c in self._by_first.get(variable, ()))
        return any(c.dropped <= dropped and c.kept <= kept for c in known)
