"""Against another allocator, `omnimalloc`: never worse where the search ends, and its checker likes every plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import buffer, full

from lastuse.passes.planning.planner import ALGORITHMS, Buffer, Plan, Proof, plan

om: Any = pytest.importorskip("omnimalloc", reason="omnimalloc is not installed (pip install '.[dev]')")

problems = st.one_of(full(), st.lists(buffer(), min_size=1, max_size=12))


def pool(buffers: Sequence[Buffer], plan: Plan | None = None) -> Any:
    """A problem, or a plan for it, as they take it."""
    offsets = [None] * len(buffers) if plan is None else plan.offsets
    return om.Pool(
        id="pool",
        allocations=tuple(
            om.Allocation(id=n, size=b.size, start=b.first, end=b.last + 1, **({} if at is None else {"offset": at}))
            for n, (b, at) in enumerate(zip(buffers, offsets, strict=True))
        ),
    )


@settings(deadline=None, max_examples=60)
@given(problems)
def test_plans_of_omnimalloc_are_no_smaller(buffers: list[Buffer]) -> None:
    theirs = om.allocate(pool(buffers), allocator="supermalloc", validate=True)
    ours = plan(buffers, "exact")
    assert ours.proof is not Proof.NONE
    assert ours.bound == ours.peak <= theirs.size


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(deadline=None, max_examples=60)
@given(problems)
def test_checker_of_omnimalloc_accepts_our_plans(algorithm: str, buffers: list[Buffer]) -> None:
    ours = plan(buffers, algorithm, nodes=5_000)
    planned = pool(buffers, ours)
    om.validate_allocation(planned)
    assert planned.size == ours.peak
