"""Operands with spatial axes as oneDNN wants them: [N, C, spatial…] in any order of bytes, long axes last."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from lastuse.dialect.onednn.memory import Operand
from lastuse.dialect.onednn.primitives.window import Window
from lastuse.dialect.storage.layout import Strided

SPATIAL = 2
"""The number of the first spatial axis: batch and channels are before it."""
FEWEST_AXES, MOST_AXES = 2, 3
"""Spatial axes that steps have."""


def channels_second(operand: Operand, channels_last: bool) -> Operand | None:
    """The operand as [N, C, spatial…]; None where it is not dense.

    Axes of one element have the strides of a dense layout too: oneDNN compares them with those of its formats.
    """
    if not operand.layout.is_dense:
        return None
    rank = len(operand.shape)
    dense = Strided.dense(operand.shape, operand.layout.item, operand.layout.offset)
    return operand.at(reordered(dense, (0, rank - 1, *range(1, rank - 1)) if channels_last else range(rank)))


def in_one_place(*operands: Operand) -> bool:
    """Whether no operand, as [N, C, spatial…], has more than one element of a channel of an image."""
    return all(prod(operand.shape[SPATIAL:]) == 1 for operand in operands)


def one_place_last(operand: Operand) -> Operand:
    """A dense operand `in_one_place` with the strides of a layout with channels last, which has the same bytes: oneDNN
    has faster primitives for it."""
    images, channels, *places = operand.shape
    last = Strided.dense((images, *places, channels), operand.layout.item, operand.layout.offset)
    return operand.at(reordered(last, (0, len(places) + 1, *range(1, len(places) + 1))))


def reordered(layout: Strided, order: Sequence[int]) -> Strided:
    """The layout with its axes in this order."""
    sizes, strides = (tuple(entry[axis] for axis in order) for entry in (layout.sizes, layout.strides))
    return layout._replace(sizes=sizes, strides=strides)


def kept_axes(window: Window, source: Sequence[int], target: Sequence[int]) -> list[int]:
    """The spatial axes on which something happens: not those of one element, which the window covers by one."""
    rows = zip(window.kernel, window.begins, window.ends, source, target, strict=True)
    return [axis for axis, row in enumerate(rows) if row != (1, 0, 0, 1, 1)]


def with_spatial(operand: Operand, first: int, axes: Sequence[int]) -> Operand:
    """With these of the spatial axes, which begin at axis `first`, and with axes of one element in front of them until
    there are enough: oneDNN is fastest where the long axis is the last one."""
    layout = operand.layout
    kept = [*range(first), *(first + axis for axis in axes)]
    sizes, strides = [layout.sizes[a] for a in kept], [layout.strides[a] for a in kept]
    while len(sizes) < first + FEWEST_AXES:
        strides.insert(first, strides[first] * sizes[first] if len(sizes) > first else layout.strides[-1])
        sizes.insert(first, 1)
    return operand.at(layout._replace(sizes=tuple(sizes), strides=tuple(strides)))


def with_axes(window: Window, axes: Sequence[int]) -> Window:
    """The window of `with_spatial`."""
    chosen = window.selected(axes)
    while len(chosen.kernel) < FEWEST_AXES:
        chosen = chosen.widened()
    return chosen
