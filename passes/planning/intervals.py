"""Spans of time, half-open."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[int, int]
"""Times from the first on, the second excluded."""


def union(spans: Iterable[Span]) -> list[Span]:
    """The same times in order, in spans that do not meet."""
    found: list[Span] = []
    for first, end in sorted(spans):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((first, end))
    return found
