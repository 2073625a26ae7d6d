"""Offsets of buffers against plain oracles: no overlap, alignment, the bound, all orders of few buffers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.passes.planning.greedy import Buffer, Offsets, greedy, in_order, live_peak
from lastuse.passes.planning.portfolio import best

ALGORITHMS: list[Callable[[Sequence[Buffer], int], Offsets]] = [greedy, best]


def buffers(most: int, unit: int = 1) -> st.SearchStrategy[list[Buffer]]:
    one = st.tuples(st.integers(0, 9), st.integers(0, 8), st.integers(0, 4))
    return st.lists(one.map(lambda t: Buffer(t[0] * unit, t[1], t[1] + t[2])), max_size=most)


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.__name__)
@settings(deadline=None)
@given(buffers(14, 7), st.sampled_from([1, 8, 64]))
def test_no_two_that_are_in_use_at_once_share_a_byte(
    algorithm: Callable[[Sequence[Buffer], int], Offsets], given_: list[Buffer], alignment: int
) -> None:
    plan = algorithm(given_, alignment)
    assert len(plan.offsets) == len(given_)
    assert all(offset >= 0 and offset % alignment == 0 for offset in plan.offsets)
    taken: set[tuple[int, int]] = set()
    for (size, first, last), offset in zip(given_, plan.offsets, strict=True):
        cells = {(time, byte) for time in range(first, last + 1) for byte in range(offset, offset + size)}
        assert not cells & taken
        taken |= cells
    assert plan.peak == max((o + b.size for b, o in zip(given_, plan.offsets, strict=True)), default=0)
    assert algorithm(list(given_), alignment) == plan  # deterministic


@settings(deadline=None)
@given(buffers(12))
def test_live_peak_is_the_largest_sum_at_one_time(given_: list[Buffer]) -> None:
    sums = [sum(b.size for b in given_ if b.first <= time <= b.last) for time in range(14)]
    assert live_peak(given_) == max(sums)
    rounded = [b._replace(size=-(-b.size // 4) * 4) for b in given_]
    assert live_peak(given_, 4) == live_peak(rounded)


@settings(deadline=None, max_examples=60)
@given(buffers(6))
def test_bound_and_search_against_every_order_of_few_buffers(given_: list[Buffer]) -> None:
    """The least peak is reached by placing the buffers in some order, each as low as it fits."""
    least = min(in_order(given_, order, 1).peak for order in itertools.permutations(range(len(given_))))
    assert live_peak(given_) <= least
    plan = best(given_, 1)
    assert plan.bound == live_peak(given_)
    assert least <= plan.peak <= greedy(given_, 1).peak
    assert plan.peak == least, "six buffers leave nothing to the search"


def test_by_hand() -> None:
    chain = [Buffer(128, 0, 1), Buffer(128, 1, 2), Buffer(64, 2, 3), Buffer(128, 3, 4)]
    assert greedy(chain) == Offsets((0, 128, 256, 0), 320, 256)
    assert best(chain).peak == best(chain).bound == 256
    assert greedy([]) == best([]) == Offsets((), 0, 0)
    assert best([Buffer(1, 0, 0), Buffer(1, 0, 0)]).offsets in ((0, 64), (64, 0))
