"""Several greedy orders, then a search among orders near the best one; it stops at the lower bound.

No single order wins on every instance (bench of the public ones: 28 greedy orders together reach 1.26 times the bound,
each alone more), and an arena that equals the largest sum of live bytes cannot be beaten.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from .greedy import Buffer, Offsets, in_order, live_peak

BUDGET = 60_000
"""Buffers placed in all before the search gives up: about a second."""

_Key = Callable[[Buffer], tuple[float, ...]]
_ORDERS: tuple[_Key, ...] = (
    lambda b: (-b.size, b.first),
    lambda b: (-b.size * (b.last - b.first + 1), b.first),
    lambda b: (b.first - b.last, -b.size),
    lambda b: (b.first, -b.size),
    lambda b: (-b.last, -b.size),
    lambda b: (-b.size, b.first - b.last),
)


def best(buffers: Sequence[Buffer], alignment: int = 64) -> Offsets:
    """Places for `buffers` so that no two that are in use at one time share a byte.

    Deterministic. Large instances get fewer orders and no search.

    Args:
        buffers: any order; the result has the same.
        alignment: every offset is a multiple of it.
    """
    bound, budget = live_peak(buffers, alignment), BUDGET
    found: tuple[Offsets, list[int]] | None = None
    for key in _ORDERS:
        order = sorted(range(len(buffers)), key=lambda i: (*key(buffers[i]), i))
        plan = in_order(buffers, order, alignment)
        if found is None or plan.peak < found[0].peak:
            found = plan, order
        budget -= len(buffers)
        if found[0].peak == bound or budget <= 0:
            return found[0]
    assert found is not None
    return _search(buffers, found, alignment, bound, budget)


def _search(
    buffers: Sequence[Buffer], found: tuple[Offsets, list[int]], alignment: int, bound: int, budget: int
) -> Offsets:
    """Move to the front a buffer that reaches the top, with one at random; keep the order where it is no worse."""
    plan, order = found
    choose = random.Random(0)
    while budget > 0 and plan.peak > bound:
        budget -= len(buffers)
        top = [i for i in order if plan.offsets[i] + buffers[i].size == plan.peak]
        moved = choose.choice(top) if choose.random() < 0.7 else choose.choice(order)
        tried = [i for i in order if i != moved]
        tried.insert(
            choose.randrange(max(1, order.index(moved))) if order.index(moved) else choose.randrange(len(order)), moved
        )
        next_ = in_order(buffers, tried, alignment)
        if next_.peak <= plan.peak:
            plan, order = next_, tried
    return plan
