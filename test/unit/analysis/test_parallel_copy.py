"""Parallel moves in an order that keeps sources."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.parallel_copy import SequentialCopies
from lastuse.passes.memory.copy_temporaries import ParallelMove, sequential_copies
from lastuse.passes.memory.frame_layout import FrameLocation


def spot(offset: int, size: int = 4, root: int | None = None) -> FrameLocation:
    return FrameLocation(root, Strided.dense((size,), 1, offset))


@pytest.mark.parametrize(
    ("pairs", "first", "then"),
    [
        ([], [], []),
        ([(0, 4), (8, 12)], [], [0, 1]),
        ([(0, 0), (4, 8)], [], [1]),
        ([(0, 4), (4, 8)], [], [1, 0]),
        ([(0, 4), (4, 8), (8, 12)], [], [2, 1, 0]),
        ([(0, 4), (4, 0)], [0], [1, 0]),
        ([(0, 4), (4, 8), (8, 0)], [0], [2, 1, 0]),
        ([(0, 4), (4, 0), (8, 12), (12, 8)], [0, 2], [1, 0, 3, 2]),
        ([(0, 2)], [0], [0]),
        ([(0, 4), (0, 8), (8, 0)], [1], [0, 2, 1]),
    ],
    ids=[
        "nothing",
        "apart",
        "there already",
        "one after the other",
        "a chain",
        "two in a circle",
        "three in a circle",
        "two circles",
        "over its own source",
        "one source twice",
    ],
)
def test_moves_are_ordered_and_cycles_broken(
    pairs: Sequence[tuple[int, int]], first: list[int], then: list[int]
) -> None:
    """Move numbers are arbitrary."""
    moves = [ParallelMove(10 + n, spot(a), spot(b)) for n, (a, b) in enumerate(pairs)]
    assert sequential_copies(moves) == SequentialCopies(tuple(10 + n for n in first), tuple(10 + n for n in then))


def test_empty_moves_and_other_storages_do_not_constrain_the_order() -> None:
    empty = ParallelMove(0, spot(0, 0), spot(8, 0))
    assert sequential_copies([empty]) == SequentialCopies((), ())
    there, back = ParallelMove(1, spot(0, root=1), spot(4, root=2)), ParallelMove(2, spot(4, root=1), spot(0, root=1))
    assert sequential_copies([there, back]) == SequentialCopies((), (1, 2))
    assert spot(0, root=1).is_at(spot(0, root=1))
    assert not spot(0, root=1).is_at(spot(0))
    assert not spot(0, root=1).clashes(spot(0, root=2))
    assert spot(0, root=1).clashes(spot(3, root=1))


@pytest.mark.parametrize("seed", range(40))
def test_ordered_moves_equal_a_simultaneous_move(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randrange(1, 6)
    targets = draw.sample(range(0, 32, 4), count)
    moves = [
        ParallelMove(n, spot(draw.choice([draw.randrange(0, 28), *targets])), spot(t)) for n, t in enumerate(targets)
    ]
    memory = np.arange(32)
    want = memory.copy()
    for move in moves:
        want[move.target.layout.bytes()] = memory[move.source.layout.bytes()]
    order = sequential_copies(moves)
    aside = {n: memory[moves[n].source.layout.bytes()] for n in order.first}
    for n in order.then:
        source = aside[n] if n in aside else memory[moves[n].source.layout.bytes()]
        memory[moves[n].target.layout.bytes()] = source
    assert np.array_equal(memory, want)
    assert set(order.then) == {n for n, m in enumerate(moves) if not m.source.is_at(m.target)}
