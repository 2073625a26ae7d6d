"""Where the elements of a resized tensor are in the tensor it is made of. Formulas: ONNX Resize."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

import numpy as np

from lastuse.dialect.ir.tensor_types import Dim, quotient

NEAREST, LINEAR, CUBIC = "nearest", "linear", "cubic"
MODES = (NEAREST, LINEAR, CUBIC)
CROP = "tf_crop_and_resize"
COORDINATES = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    CROP,
)
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
STRETCH, NOT_LARGER, NOT_SMALLER = "stretch", "not_larger", "not_smaller"
POLICIES = (STRETCH, NOT_LARGER, NOT_SMALLER)


class AxisMap(NamedTuple):
    """One axis that is resized: elements before and after, the factor, and which stretch of it is read (0 to 1)."""

    axis: int
    source: int
    target: int
    scale: float
    roi: tuple[float, float]


class ResizeRule(NamedTuple):
    """What ONNX Resize says beside its operand; one entry of `scales` or `sizes` for each of `axes`, `roi` has two."""

    mode: str
    coordinates: str
    rounding: str
    axes: tuple[int, ...]
    scales: tuple[float, ...] | None
    sizes: tuple[int, ...] | None
    policy: str
    roi: tuple[float, ...] | None
    cubic_factor: float
    exclude_outside: bool
    antialias: bool

    def outputs(self, shape: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """Sizes of the result; None where they are not known."""
        out = list(shape)
        if self.sizes is not None and self.policy == STRETCH:
            for axis, size in zip(self.axes, self.sizes, strict=True):
                out[axis] = size
            return tuple(out)
        if self.sizes is not None:
            known = [shape[axis] for axis in self.axes]
            numbers = [n for n in known if isinstance(n, int)]
            scale = self._kept_ratio(numbers) if len(numbers) == len(known) else None
            for axis in self.axes:
                size = shape[axis]
                out[axis] = int(scale * size + 0.5) if scale is not None and isinstance(size, int) else None
            return tuple(out)
        assert self.scales is not None
        for axis, scale in zip(self.axes, self.scales, strict=True):
            out[axis] = _scaled(shape[axis], scale)
        return tuple(out)

    def _kept_ratio(self, sizes: Sequence[int]) -> float:
        """The one factor for axes of these sizes that fits into the sizes asked for, or covers them."""
        assert self.sizes is not None
        ratios = [n / m if m else 1.0 for n, m in zip(self.sizes, sizes, strict=True)]
        return min(ratios) if self.policy == NOT_LARGER else max(ratios)

    def maps(self, source: Sequence[int], target: Sequence[int]) -> list[AxisMap]:
        """The axes on which something changes, for these sizes before and after."""
        if self.scales is not None:
            scales = self.scales
        elif self.policy == STRETCH:
            scales = tuple(target[axis] / source[axis] if source[axis] else 1.0 for axis in self.axes)
        else:
            scales = (self._kept_ratio([source[axis] for axis in self.axes]),) * len(self.axes)
        rois = [(0.0, 1.0)] * len(self.axes)
        if self.roi is not None and self.coordinates == CROP:
            rois = list(zip(self.roi[: len(self.axes)], self.roi[len(self.axes) :], strict=True))
        maps = (
            AxisMap(axis, source[axis], target[axis], scale, roi)
            for axis, scale, roi in zip(self.axes, scales, rois, strict=True)
        )
        return [m for m in maps if not (m.source == m.target and abs(m.scale - 1) <= 1e-9 and m.roi == (0.0, 1.0))]

    def positions(self, of: AxisMap) -> np.ndarray:
        """Where each element of the result is among those of the operand, f64 [target]."""
        at = np.arange(of.target, dtype=np.float64)
        width = of.scale * of.source
        match self.coordinates:
            case "align_corners":
                return at * 0 if width == 1 else at * (of.source - 1) / (width - 1)
            case "asymmetric":
                return at / of.scale
            case "tf_crop_and_resize":
                start, end = of.roi
                whole = (end - start) * (of.source - 1)
                inner = at * 0 + whole / 2 if width == 1 else at * whole / (width - 1)
                return inner + start * (of.source - 1)
            case "pytorch_half_pixel" if width == 1:
                return at * 0 - 0.5
            case "half_pixel_symmetric":
                return of.source / 2 * (1 - of.target / width) + (at + 0.5) / of.scale - 0.5
            case _:
                return (at + 0.5) / of.scale - 0.5

    def nearest(self, positions: np.ndarray, size: int) -> np.ndarray:
        """The index of the element of `size` ones that each position takes, i64."""
        match self.rounding:
            case "floor":
                at = np.floor(positions)
            case "ceil":
                at = np.ceil(positions)
            case "round_prefer_ceil":
                at = np.floor(positions + 0.5)
            case _:
                at = np.ceil(positions - 0.5)
        return np.clip(at, 0, size - 1).astype(np.int64)

    def is_centred(self, source: Sequence[int], target: Sequence[int]) -> bool:
        """Whether each element is at (o + 1/2) * source / target - 1/2, or the element nearest to that, between these
        sizes: oneDNN's resampling."""
        if self.coordinates == CROP or self.mode == CUBIC or (self.mode == LINEAR and self._is_filtered):
            return False
        for of in self.maps(source, target):
            centred = (np.arange(of.target) + 0.5) * of.source / of.target - 0.5
            have = self.positions(of)
            if self.mode == LINEAR:
                have, centred = (np.clip(p, 0, of.source - 1) for p in (have, centred))
                if np.max(np.abs(have - centred), initial=0.0) > 1e-7 * of.source:
                    return False
                continue
            if np.min(np.abs(centred - np.floor(centred) - 0.5), initial=1.0) < 1e-5 * of.source:
                return False  # in the middle: f32 decides
            if np.any(self.nearest(have, of.source) != np.clip(np.rint(centred), 0, of.source - 1)):
                return False
        return True

    @property
    def _is_filtered(self) -> bool:
        return self.antialias or self.exclude_outside


def _scaled(size: Dim | None, scale: float) -> Dim | None:
    """floor(size * scale); None where that is not known."""
    if isinstance(size, int):
        return floor(size * scale)
    if size is None:
        return None
    if scale == int(scale):
        return size * int(scale)
    return quotient(size, round(1 / scale)) if scale * round(1 / scale) == 1 else None
