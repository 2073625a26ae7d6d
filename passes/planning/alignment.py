"""What every place in an arena is a multiple of, and the lowest place that is free."""

from __future__ import annotations

from collections.abc import Sequence

ALIGNMENT = 64
"""Every offset in an arena is a multiple of it, in bytes."""


def aligned(size: int) -> int:
    """`size` in bytes, rounded up to the alignment of the arena."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def lowest_gap(size: int, taken: Sequence[tuple[int, int]], alignment: int = ALIGNMENT) -> int:
    """The lowest offset at which `size` bytes meet none of the ranges that are taken (the end of each is outside)."""
    at = 0
    for begin, end in sorted(taken):
        if at + size <= begin:
            break
        at = max(at, -(-end // alignment) * alignment)
    return at
