"""Values between the elements of a grid in numpy: weighted sums of the elements around positions. Formulas: ONNX
GridSample. `runtime/cpp/kernels/samples.cpp` has the same in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from lastuse.dialect.dnn.base import Array

MODES = ("linear", "nearest", "cubic")
PADDINGS = ("zeros", "border", "reflection")
NATIVE_AXES = 3
"""The most axes of a grid that the runtime's kernels take."""
_FARTHEST = 2.0**30
"""Beyond it every position is outside."""
_CUBIC = -0.75
"""Keys' factor."""


class SamplingRule(NamedTuple):
    """How a value between elements is made.

    Attributes:
        mode: of `MODES`.
        padding: of `PADDINGS`.
        aligns_corners: the borders are the first and the last element, else half an element outside of them.
    """

    mode: str = "linear"
    padding: str = "zeros"
    aligns_corners: bool = True

    def taps(self, size: int, x: Array) -> tuple[Array, Array]:
        """The elements along an axis for the positions x, -1 for one outside, and their weights, [..., taps] both."""
        x = self._padded(size, np.rint(x) if self.mode == "nearest" else x)
        is_number = np.abs(x) < _FARTHEST
        first = np.where(is_number, np.floor(x), x.dtype.type(-_FARTHEST))
        behind = np.where(is_number, x - first, np.where(np.isfinite(x), 0, np.nan)).astype(x.dtype)
        before, count = (1, 4) if self.mode == "cubic" else (0, MODES.index(self.mode) % 2 * -1 + 2)
        index = first.astype(np.int64)[..., None] - before + np.arange(count)
        one = x.dtype.type(1)
        if self.mode == "nearest":
            weights = [np.ones_like(behind)]
        elif self.mode == "linear":
            weights = [one - behind, behind]
        else:
            weights = [_far(behind + one), _near(behind), _near(one - behind), _far(x.dtype.type(2) - behind)]
        return self._elements(size, index), np.stack(weights, axis=-1)

    def _padded(self, size: int, x: Array) -> Array:
        """Positions within the borders."""
        number, last = x.dtype.type, size - 1
        low, high = (number(0), number(last)) if self.aligns_corners else (number(-0.5), number(last + 0.5))
        below, outside = x < low, (x < low) | (x > high)
        if self.padding == "zeros":
            return x
        if self.padding == "border":
            return np.where(outside, np.where(x < 0, number(0), number(last)), x)
        if high == low:
            return np.where(outside, low, x)
        rest = np.fmod(np.where(below, low - x, x - high), number(2) * (high - low))
        turned = rest >= high - low
        inside = np.where(turned, rest - (high - low), rest)
        return np.where(outside, np.where(below != turned, low + inside, high - inside), x)

    def _elements(self, size: int, index: Array) -> Array:
        """Numbers of elements as the padding says."""
        inside = (index >= 0) & (index < size)
        if self.padding == "zeros" or not size:
            return np.where(inside, index, -1)
        if self.padding == "border" or size == 1:
            return np.clip(index, 0, size - 1)
        turn = 2 * (size - 1 if self.aligns_corners else size)
        rest = np.mod(index, turn)
        return np.where(rest < size, rest, (turn if self.aligns_corners else turn - 1) - rest)


def _near(d: Array) -> Array:
    a = d.dtype.type(_CUBIC)
    return ((a + d.dtype.type(2)) * d - (a + d.dtype.type(3))) * d * d + d.dtype.type(1)


def _far(d: Array) -> Array:
    a, number = d.dtype.type(_CUBIC), d.dtype.type
    return ((a * d - number(5) * a) * d + number(8) * a) * d - number(4) * a


def sampled(x: Array, rule: SamplingRule, positions: Sequence[Array]) -> Array:
    """Values between the elements of each channel.

    Args:
        x: [channels, sizes of the grid], floating-point numbers.
        positions: in elements, one array for each axis of the grid, all of one shape and of x's type.

    Returns:
        [channels, shape of the positions]; 0 where the grid has no elements.
    """
    flat, shape = x.reshape(len(x), -1), positions[0].shape
    sums = np.zeros((len(x), *shape), x.dtype)
    if not flat.shape[1] or not sums.size:
        return sums
    axes = [rule.taps(size, along) for size, along in zip(x.shape[1:], positions, strict=True)]
    for tap in product(*(range(elements.shape[-1]) for elements, _ in axes)):
        at, weight = np.zeros(shape, np.int64), np.ones(shape, x.dtype)
        for (elements, weights), k, size in zip(axes, tap, x.shape[1:], strict=True):
            there = (at >= 0) & (elements[..., k] >= 0)
            at = np.where(there, at * size + elements[..., k], -1)
            weight = weight * weights[..., k]
        sums += weight * np.where(at < 0, 0, flat[:, np.maximum(at, 0)]).astype(x.dtype, copy=False)
    return sums


def in_elements(x: Array, size: int, aligns_corners: bool) -> Array:
    """Positions from -1 to 1 as positions in elements of an axis of this size."""
    number = x.dtype.type
    if aligns_corners:
        return (x + number(1)) / number(2) * number(size - 1)
    return ((x + number(1)) * number(size) - number(1)) / number(2)
