"""How the C++ core distributes a ragged batch over threads and cuts it into runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.runtime import _core


def offsets_of(lengths: Sequence[int]) -> np.ndarray:
    return np.cumsum([0, *lengths], dtype=np.int64)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 20), max_size=60),
    st.integers(1, 4),
    st.integers(1, 40),
    st.integers(1, 20),
    st.integers(1, 12),
)
def test_plan_covers_every_row_once(lengths: list[int], parts: int, rows: int, steps: int, width: int) -> None:
    offsets = offsets_of(lengths)
    plan = _core.gru_plan(offsets, int(offsets[-1]), parts, rows, steps, width)
    assert len(plan) == parts
    reached = [0] * len(lengths)
    shares: list[int] = []
    for part in plan:
        share = 0
        for indices, step, count in part:
            assert 0 < len(indices) <= width and 0 < count <= steps and count & (count - 1) == 0
            assert count == 1 or count * len(indices) <= rows
            for index in indices:
                assert reached[index] == step, "a run starts where the one before it ended"
                reached[index] += count
            share += count * len(indices)
        shares.append(share)
    assert reached == lengths
    if lengths:
        assert max(shares) - min(shares) <= max(lengths)


def test_ties_are_broken_by_position() -> None:
    (runs,) = _core.gru_plan(offsets_of([2, 3, 2, 3]), 10, 1, 64, 16, 64)
    assert runs == [((1, 3, 0, 2), 0, 2), ((1, 3), 2, 1)]


def test_part_bound_by_weights_gets_fewer_rows() -> None:
    """A step of few sequences takes as long as one of a few more, so the longest sequence is a part by itself."""
    lengths = [10, 6, 6, 6, 2, 2]
    for weights, mine in ((0.0, {0, 3}), (1.8, {0})):
        first, _ = _core.gru_plan(offsets_of(lengths), sum(lengths), 2, 64, 16, 64, weights)
        assert {index for indices, _, _ in first for index in indices} == mine
