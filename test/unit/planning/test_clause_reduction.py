"""Reduced clauses say what the clauses say that they were made from."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product

import pytest

from lastuse.passes.planning.clause_program import Clause
from lastuse.passes.planning.clause_reduction import ClauseReduction

COUNT = 7
"""Variables."""


def clause(dropped: Iterable[int], kept: Iterable[int] = ()) -> Clause:
    return Clause(frozenset(dropped), frozenset(kept))


def solutions(clauses: Iterable[Clause]) -> Iterator[tuple[bool, ...]]:
    """By variable whether it is kept."""
    clauses = [*clauses]
    for kept in product((False, True), repeat=COUNT):
        if all(any(not kept[n] for n in c.dropped) or any(kept[n] for n in c.kept) for c in clauses):
            yield kept


@pytest.mark.parametrize("seed", range(40))
def test_the_same_variables_may_be_kept(seed: int) -> None:
    draw = random.Random(seed)
    reduction, given, found = ClauseReduction(), list[Clause](), list[Clause]()
    for _ in range(3):
        new: list[Clause] = []
        for _ in range(draw.randrange(1, 9)):
            dropped, count = draw.sample(range(COUNT), draw.choice((1, 2, 2, 3))), draw.choice((0, 0, 1, 2))
            new.append(clause(dropped, draw.sample([n for n in range(COUNT) if n not in dropped], count)))
        given += new
        found += reduction.reduced(new)
        assert [*solutions(found)] == [*solutions(given)]
    assert len(found) <= len(given)


def test_what_another_clause_says_is_left_out() -> None:
    reduction = ClauseReduction()
    assert [*reduction.reduced([clause((0, 1, 2)), clause((0, 1)), clause((0, 1))])] == [clause((0, 1))]
    assert not [*reduction.reduced([clause((0, 1), (3,)), clause((0, 1, 4))])]


def test_what_makes_no_difference_is_not_kept() -> None:
    """Either variable 2 is dropped or variable 0 is, and so for variable 3."""
    clauses = [clause((0,), (2, 3)), clause((0, 2)), clause((0, 3))]
    assert [*ClauseReduction().reduced(clauses)] == [clause((0,))]
    assert {*ClauseReduction().reduced(clauses[:2])} == {clause((0,), (3,)), clause((0, 2))}
