"""Slices of tensors at numbers that may be known at run time only."""

from __future__ import annotations

from typing import NamedTuple

from lastuse.passes.memref_checker.boxes import Box
from lastuse.passes.memref_checker.index_terms import Number, known, plus, times

Shape = tuple[Number, ...]
ZERO, ONE = known(0), known(1)


class SlicePart(NamedTuple):
    """A slice of a tensor: what it starts at, how many elements it has and how far these are apart, by axis."""

    offsets: Shape
    sizes: Shape
    strides: Shape

    def atoms(self) -> set[int]:
        """The ids in its numbers."""
        return {atom for numbers in self for number in numbers for product, _ in number for atom in product}


def part_of(box: Box, origin: Shape | None = None) -> SlicePart:
    """The part of a tensor that a box is; `origin`: where the tensor starts, its first element without that."""
    first = tuple(start for start, _ in box)
    sizes = tuple(plus(end, start, -1) for start, end in box)
    offsets = first if origin is None else tuple(plus(a, b, -1) for a, b in zip(first, origin, strict=True))
    return SlicePart(offsets, sizes, (ONE,) * len(box))


def composed(outer: SlicePart, inner: SlicePart) -> SlicePart:
    """The part `inner` of the part `outer`."""
    starts = zip(outer.offsets, inner.offsets, outer.strides, strict=True)
    offsets = tuple(plus(a, times(b, step)) for a, b, step in starts)
    strides = tuple(times(a, b) for a, b in zip(outer.strides, inner.strides, strict=True))
    return SlicePart(offsets, inner.sizes, strides)
