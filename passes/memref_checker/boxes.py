"""Boxes of elements: from a number to another one on each axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastuse.passes.memref_checker.index_terms import Number

Box = Sequence[tuple[Number, Number]]
"""The first index on each axis, and the one behind the last."""
MOST = 64
"""More boxes than so many are not looked at."""


def without(boxes: Sequence[Box], hole: Box, at_most: Callable[[Number, Number], bool]) -> list[Box]:
    """What is left of boxes without those elements that are in `hole`; more than that where its place is not known."""
    found: list[Box] = []
    for box in boxes:
        found += [box] if len(found) > MOST else _cut(box, hole, at_most)
    return found


def _cut(box: Box, hole: Box, at_most: Callable[[Number, Number], bool]) -> list[Box]:
    if any(at_most(end, start) for start, end in box):
        return []  # it has no element
    if len(box) != len(hole) or any(
        at_most(end, first) or at_most(behind, start) for (start, end), (first, behind) in zip(box, hole, strict=True)
    ):
        return [box]
    left: list[Box] = []
    inside = list(box)
    for axis, (first, behind) in enumerate(hole):
        start, end = inside[axis]
        if not at_most(first, start):
            if not at_most(start, first):
                return [box]
            left.append([*inside[:axis], (start, first), *inside[axis + 1 :]])
            start = first
        if not at_most(end, behind):
            if not at_most(behind, end):
                return [box]
            left.append([*inside[:axis], (behind, end), *inside[axis + 1 :]])
            end = behind
        inside[axis] = (start, end)
    return left
