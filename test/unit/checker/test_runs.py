"""Sets of bytes as runs, against sets of Python."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.checker.runs import (
    Runs,
    TooFine,
    cells_between,
    difference,
    distinct,
    intersection,
    of_bytes,
    overlap,
    runs_of,
)

RANDOM = 150


def layout(rng: random.Random) -> Strided:
    """A small strided map; rows may touch, overlap, stand still or go backwards."""
    rank = rng.randint(1, 3)
    sizes = tuple(rng.choice([0, 1, 1, 2, 2, 3, 4]) if rng.random() < 0.3 else rng.randint(1, 4) for _ in range(rank))
    strides = tuple(rng.choice([0, 1, 2, 3, 4, 5, 8, 16, -3, -8]) for _ in range(rank))
    return Strided(rng.randint(40, 60), sizes, strides, rng.choice([1, 2, 4]))


def inside(runs: Runs | None) -> set[int]:
    """The bytes; also holds the form against its docstring."""
    if runs is None:
        return set()
    starts, ends = runs.arrays()
    assert (starts < ends).all()
    assert (starts[1:] > ends[:-1]).all(), "two runs touch"
    assert (runs.low, runs.high) == (starts[0], ends[-1])
    assert runs.number == len(starts)
    assert runs.first_run == (starts[0], ends[0])
    assert (runs.starts is None) == (len(starts) == 1)
    return {byte for start, end in zip(starts.tolist(), ends.tolist(), strict=True) for byte in range(start, end)}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(intersection, set.intersection), (difference, set.difference)],
    ids=["intersection", "difference"],
)
def test_set_operations_equal_those_on_single_bytes(
    ours: Callable[[Runs | None, Runs | None], Runs | None], theirs: Callable[[set[int], set[int]], set[int]]
) -> None:
    rng = random.Random(1)
    for _ in range(RANDOM):
        a, b = runs_of(layout(rng)), runs_of(layout(rng)) if rng.random() < 0.9 else None
        found = ours(a, b)
        assert inside(found) == theirs(inside(a), inside(b)), (a, b)
        assert (found is None) == (not inside(found))


def test_sets_overlap_that_have_a_byte_in_common() -> None:
    rng, met = random.Random(4), 0
    for _ in range(4 * RANDOM):
        a, b = runs_of(layout(rng)), runs_of(layout(rng))
        if a is not None and b is not None:
            assert overlap(a, b) == bool(inside(a) & inside(b)), (a, b)
            met += overlap(a, b)
    assert RANDOM < met < 3 * RANDOM


def test_runs_of_a_layout_are_its_bytes() -> None:
    rng = random.Random(2)
    for _ in range(RANDOM):
        one = layout(rng)
        assert inside(runs_of(one)) == set(one.bytes().tolist()), one
        assert inside(of_bytes(one.bytes())) == set(one.bytes().tolist()), one


def test_distinct_sorts_and_removes_duplicates() -> None:
    assert distinct(np.array([3, 1, 3, 2, 1])).tolist() == [1, 2, 3]


def test_cells_between_are_those_that_runs_consist_of() -> None:
    rng, equal = random.Random(7), 0
    for _ in range(4 * RANDOM):
        points = sorted(rng.sample(range(30), rng.randint(2, 12)))
        runs = [sorted(rng.sample(points, 2)) for _ in range(rng.randint(1, 4))]  # in any order, and over each other
        if rng.random() < 0.5:  # as many cells in each
            each = rng.randint(1, len(points) - 1)
            runs = [[points[n], points[n + each]] for n in (rng.randrange(len(points) - each) for _ in runs)]
        starts, ends = np.array(runs, np.int64).T
        want = [n for low, high in runs for n, point in enumerate(points) if low <= point < high]
        assert cells_between(np.array(points), starts, ends).tolist() == want
        with pytest.raises(TooFine):
            cells_between(np.array(points), starts, ends, len(want) - 1)
        equal += len({points.index(high) - points.index(low) for low, high in runs}) == 1
    assert RANDOM < equal < 4 * RANDOM
