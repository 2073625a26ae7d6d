"""Offsets against brute force: no shared byte, alignment, fixed offsets, the least peak of few buffers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import buffer, check, full, least_peak

from lastuse.passes.planning.planner import (
    ALGORITHMS,
    Buffer,
    Error,
    LiveRange,
    Proof,
    first_fit,
    live_peak,
    lower_bound,
    plan,
)

some = st.lists(buffer(alignments=(1, 2, 8), pieces=3), max_size=14)
few = st.lists(buffer(), max_size=7)
odd = st.lists(buffer(alignments=(1, 2, 3, 4), pieces=2), max_size=5)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(deadline=None, max_examples=150)
@given(some, st.sampled_from([1, 4, 64]))
def test_plan_is_valid_and_deterministic(algorithm: str, buffers: list[Buffer], alignment: int) -> None:
    found = plan(buffers, algorithm, alignment=alignment, nodes=5_000)
    check(buffers, found, alignment)
    again = plan(list(buffers), algorithm, alignment=alignment, nodes=5_000)
    assert again[:4] == found[:4], "the same every time"


@settings(deadline=None, max_examples=60)
@given(few)
def test_exact_plan_equals_the_best_of_all_orders(buffers: list[Buffer]) -> None:
    found = plan(buffers, "exact")
    assert found.proof is not Proof.NONE
    assert found.peak == least_peak(buffers)
    assert found.bound == found.peak


@settings(deadline=None, max_examples=150)
@given(odd)
def test_exact_plan_with_alignments_and_pieces_is_optimal(buffers: list[Buffer]) -> None:
    found = plan(buffers, "exact")
    assert found.peak == found.bound == least_peak(buffers)


@settings(deadline=None, max_examples=150)
@given(odd, st.integers(0, 12), st.integers(0, 40))
def test_exact_plan_around_fixed_buffers_is_optimal(buffers: list[Buffer], first: int, second: int) -> None:
    fixed = [Buffer(3, 2, 5, fixed=first), Buffer(2, 6, 9, fixed=second)]
    found = plan([*buffers, *fixed], "exact")
    check([*buffers, *fixed], found)
    assert found.peak == found.bound == least_peak([*buffers, *fixed])


@settings(deadline=None)
@given(some)
def test_the_bound_is_the_largest_sum_at_one_time(buffers: list[Buffer]) -> None:
    sums = [sum(p.size for b in buffers for p in b.live_ranges if p.lower <= time < p.upper) for time in range(40)]
    assert live_peak(buffers) == max(sums)
    plain = [b._replace(alignment=1) for b in buffers]
    assert lower_bound(plain) == max(sums)
    pieces = [tuple(p._replace(size=-(-p.size // 8) * 8) for p in b.later_ranges) for b in plain]
    rounded = [b._replace(size=-(-b.size // 8) * 8, later_ranges=p) for b, p in zip(plain, pieces, strict=True)]
    assert lower_bound(plain, 8) <= lower_bound(rounded, 8) == live_peak(rounded)


def test_topmost_buffer_needs_no_padding() -> None:
    found = plan([Buffer(3, 0, 1), Buffer(7, 0, 1)], alignment=8)
    assert (found.peak, found.bound, found.proof) == (11, 11, Proof.REACHED)


def test_hole_in_a_life_is_used() -> None:
    """Branches make holes: bytes that are free between two pieces hold another value."""
    buffers = [Buffer(8, 0, 1, later_ranges=(LiveRange(4, 6, 8),)), Buffer(8, 2, 3)]
    assert plan(buffers, "exact").peak == 8
    assert plan([Buffer(8, 0, 5), Buffer(8, 2, 3)], "exact").peak == 16


def test_smaller_later_piece_frees_the_rest() -> None:
    """A smaller value is written over a larger one."""
    buffers = [Buffer(8, 0, 1, later_ranges=(LiveRange(2, 4, 2),)), Buffer(6, 2, 3)]
    found = plan(buffers, "exact")
    check(buffers, found)
    assert (found.peak, found.proof) == (8, Proof.REACHED)


def test_unreachable_bound_is_proved_infeasible() -> None:
    """5 bytes are live at all times, but no plan fits in 5."""
    rows = [(3, 0, 0), (2, 1, 1), (1, 2, 2), (2, 0, 2), (3, 3, 3), (1, 1, 3), (1, 2, 4), (4, 4, 4)]
    buffers = [Buffer(*row) for row in rows]
    assert live_peak(buffers) == 5
    found = plan(buffers, "exact")
    check(buffers, found)
    assert (found.peak, found.bound, found.proof) == (6, 6, Proof.INFEASIBLE_BELOW)
    assert least_peak(buffers) == 6
    stopped = plan(buffers, "exact", nodes=1)
    assert (stopped.peak >= 6, stopped.bound, stopped.proof) == (True, 5, Proof.NONE)


@settings(deadline=None, max_examples=150)
@given(full(), st.sampled_from([1, 3]))
def test_exact_plan_without_slack_is_optimal(buffers: list[Buffer], unit: int) -> None:
    """Without slack the bound is often out of reach."""
    buffers = [b._replace(size=b.size * unit) for b in buffers]
    found = plan(buffers, "exact")
    check(buffers, found)
    assert found.peak == found.bound == least_peak(buffers)
    assert (found.proof is Proof.REACHED) == (found.peak == live_peak(buffers))


@settings(deadline=None, max_examples=150)
@given(some, st.sampled_from([1, 4, 64]), st.integers(1, 9))
def test_order_of_a_plan_fits_every_number_of_units(buffers: list[Buffer], alignment: int, units: int) -> None:
    """First fit in the order of a plan's offsets is no higher, also with all sizes multiplied."""
    found = plan(buffers, nodes=500)
    order = sorted(range(len(buffers)), key=lambda n: found.offsets[n])
    again = first_fit(buffers, order)
    check(buffers, again)
    assert again.peak <= found.peak and again.bound == lower_bound(buffers)
    grown = [
        b._replace(
            size=b.size * units,
            alignment=b.alignment * units,
            later_ranges=tuple(p._replace(size=p.size * units) for p in b.later_ranges),
        )
        for b in buffers
    ]
    assert first_fit(grown, order).peak == again.peak * units
    shuffled = first_fit(buffers, order[::-1], alignment=alignment)
    check(buffers, shuffled, alignment)


@pytest.mark.parametrize("order", [[0], [0, 0], [0, 2], [-1, 0], [0, 1, 1]])
def test_order_that_misses_or_repeats_a_buffer_is_rejected(order: list[int]) -> None:
    with pytest.raises(Error, match="each buffer once"):
        first_fit([Buffer(1, 0, 1), Buffer(1, 0, 1)], order)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_plan_of_no_bytes_is_proved(algorithm: str) -> None:
    for buffers in ([], [Buffer(0, 0, 5)], [Buffer(9, 5, 4)]):
        found = plan(buffers, algorithm)
        assert (found.peak, found.bound, found.proof) == (0, 0, Proof.REACHED)


@pytest.mark.parametrize(
    ("buffers", "message"),
    [
        ([Buffer(-1, 0, 1)], "below 0"),
        ([Buffer(1, 0, 1, alignment=0)], "alignment"),
        ([Buffer(1, 0, 1, fixed=-5)], "fixed offset"),
        ([Buffer(4, 0, 3, fixed=0), Buffer(4, 2, 5, fixed=3)], "fixed buffers 0 and 1 overlap"),
        ([Buffer(1 << 61, 0, 1), Buffer(1 << 61, 0, 1), Buffer(1, 0, 1)], "2\\^62"),
        ([Buffer(2, 0, 3, later_ranges=(LiveRange(1, 2, 4),))], "two sizes"),
    ],
)
def test_senseless_buffers_are_rejected(buffers: list[Buffer], message: str) -> None:
    with pytest.raises(Error, match=message):
        plan(buffers)


def test_unknown_algorithm_is_rejected() -> None:
    with pytest.raises(Error, match="no algorithm 'worst'"):
        plan([], "worst")


def test_limits_stop_the_search() -> None:
    buffers = [Buffer(7 + n * 37 % 61, n * 13 % 90, n * 13 % 90 + 3 + n * 7 % 25) for n in range(300)]
    stopped = plan(buffers, "exact", nodes=2_000)
    check(buffers, stopped)
    assert plan(buffers, "exact", nodes=2_000)[:4] == stopped[:4]
    assert plan(buffers, "exact", seconds=0.2).seconds < 5
