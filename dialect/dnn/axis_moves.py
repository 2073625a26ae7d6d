"""What the runtime's kernels `take_stretches` and `move_blocks` have to know (`runtime/cpp/kernels/axis_moves.cpp`).

Both copy elements of one operand, whose places along each axis follow from attributes and sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lastuse.dialect.dnn.base import Array

STRETCHES = "take_stretches"
"""Element i of each axis of the result is element `sources[i]` of the operand's; numbers: `stretches` of each axis."""
BLOCKS = "move_blocks"
"""Axes that are cut into several; numbers: the element of each axis of the operand to start from, then the blocks."""


class MovedBlock(NamedTuple):
    """`size` elements that are `x_step` apart along axis `x_axis` of the operand, and `y_step` along `y_axis` of the
    result."""

    size: int
    x_axis: int
    x_step: int
    y_axis: int
    y_step: int

    def inverse(self) -> MovedBlock:
        """The same from result to operand."""
        return MovedBlock(self.size, self.y_axis, self.y_step, self.x_axis, self.x_step)


def stretches(sources: Array) -> list[int]:
    """Integers as arithmetic progressions: how many there are, then the length, the first one and the step of each."""
    steps = np.diff(sources)
    found: list[tuple[int, int, int]] = []
    begin = 0
    for end in (*(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)):
        if end > begin:  # else the only step of this length leads from the last progression to the next one
            found.append((end - begin + 1, int(sources[begin]), int(steps[end - 1])))
            begin = end + 1
    if begin < len(sources):
        found.append((1, int(sources[begin]), 0))
    return [len(found), *(number for progression in found for number in progression)]


def whole_stretch(size: int) -> list[int]:
    """`stretches` of 0 to size - 1, without an array of them."""
    return [1, size, 0, int(size > 1)] if size else [0]


def blocks(starts: Sequence[int], moved: Sequence[MovedBlock]) -> list[int]:
    """The numbers of `move_blocks`."""
    return [*starts, *(number for block in moved for number in block)]
