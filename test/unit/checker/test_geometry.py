"""Comparison of places; a check leaves the garbage collector as it was."""

from __future__ import annotations

import gc
from collections.abc import Generator

import plans_of_storage
import pytest
from ir import both

from lastuse.dialect.ir.tensor_types import symbol
from lastuse.dialect.storage.assignment import ARENA
from lastuse.dialect.storage.layout import Layout, Strided, Whole
from lastuse.passes import checker
from lastuse.passes.checker.geometry import overlap, same_place, same_range
from lastuse.passes.checker.memory import LabelledMemory

FOUR, SQUARE = Strided.dense((4,), 4), Strided.dense((2, 2), 4)
WORDS = Whole((symbol("n"), 4), 4)


@pytest.mark.parametrize(
    ("a", "b", "place", "range_"),
    [
        (FOUR, FOUR, True, False),
        (FOUR, SQUARE, True, False),
        (SQUARE, Strided(0, (2, 2), (4, 8), 4), False, False),
        (FOUR, Strided.dense((4,), 4, 16), False, False),
        (WORDS, Whole((4, symbol("n")), 4), True, True),
        (WORDS, Whole((symbol("m"), 4), 4), False, False),
        (WORDS, Whole((symbol("n"), 4), 2), False, False),
        (WORDS, Whole((symbol("n"), 4), 4, 64), False, False),
        (WORDS, FOUR, False, False),
        (FOUR, WORDS, False, False),
    ],
)
def test_same_place_and_same_range_compare_bytes(a: Layout, b: Layout, place: bool, range_: bool) -> None:
    assert (same_place(a, b), same_range(a, b)) == (place, range_)


def test_missing_place_equals_no_place() -> None:
    assert not same_place(None, FOUR)
    assert not same_place(None, WORDS)


def test_empty_regions_do_not_overlap() -> None:
    memory = LabelledMemory()
    low, high, words = (memory.region(ARENA, m) for m in (FOUR, FOUR.shifted(16), WORDS))
    assert overlap(low, low)
    assert overlap(low, words)
    assert not overlap(low, high)
    assert not overlap(None, low)
    assert not overlap(low, None)
    assert not overlap(None, None)


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_resumed_afterwards(
    enabled: bool, monkeypatch: pytest.MonkeyPatch, collector: None
) -> None:
    """If it was enabled before; it is paused during the check."""
    seen: list[bool] = []
    inner = checker.check_ties
    monkeypatch.setattr(checker, "check_ties", lambda frame: (seen.append(gc.isenabled()), inner(frame))[1])
    right, _ = both(plans_of_storage.PLANS[0].text)
    if not enabled:
        gc.disable()
    assert checker.check(right) == []
    assert gc.isenabled() is enabled
    assert seen == [False]


@pytest.fixture
def collector() -> Generator[None]:
    yield
    gc.enable()
