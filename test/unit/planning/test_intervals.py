from __future__ import annotations

import pytest

from lastuse.passes.planning.planner import Buffer, Span, union
from lastuse.passes.planning.subbuffers import Subbuffer, plan_subbuffers


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], []),
        ([(3, 5), (0, 2)], [(0, 2), (3, 5)]),
        ([(2, 4), (0, 2)], [(0, 4)]),
        ([(0, 9), (2, 4), (3, 3)], [(0, 9)]),
    ],
)
def test_union_merges_adjacent_intervals(spans: list[Span], expected: list[Span]) -> None:
    assert union(spans) == expected


def test_unused_whole_and_its_parts_take_no_bytes() -> None:
    """The search still has a buffer for it, with an empty life."""
    other = Buffer(4, 0, 1)
    found = plan_subbuffers([Buffer(4, 0, -1), Buffer(8, 0, -1), other], [Subbuffer(0, 1, 4)])
    assert found.plan.peak == 4 and found.plan.bound == 4
