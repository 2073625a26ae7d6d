"""What is left of a value without one part of it, as boxes: strided pieces that copies can move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from lastuse.dialect.storage.layout import Strided

Box = tuple[tuple[int, int], ...]
"""Half-open range of indices for each axis."""


def boxes_outside(sizes: tuple[int, ...], part: Strided) -> list[Box]:
    """Boxes that cover exactly the elements of a value of `sizes` that are not in `part`.

    `part` counts elements: a map into the value's dense row-major order with items of 1.
    """
    left = np.ones(sizes, dtype=np.bool_)
    left.reshape(-1)[part.bytes()] = False
    return list(_boxes(left))


def _boxes(mask: np.ndarray) -> Iterator[Box]:
    """Boxes of the true elements: runs of equal rows become one box high."""
    if not mask.any():
        return
    if mask.all():
        yield tuple((0, size) for size in mask.shape)
        return
    rows = mask.reshape(mask.shape[0], -1)
    changes = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    bounds = [0, *(int(c) for c in changes), mask.shape[0]]
    for start, stop in pairwise(bounds):
        for inner in _boxes(mask[start]):
            yield ((start, stop), *inner)


def boxed(m: Strided, box: Box) -> Strided:
    """The place of a box of a value that lies at `m`."""
    offset = m.offset + sum(start * stride for (start, _), stride in zip(box, m.strides, strict=True))
    return Strided(offset, tuple(stop - start for start, stop in box), m.strides, m.item)
