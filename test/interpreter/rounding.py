"""How the results of ops that round may come out.

An op whose result IEEE arithmetic fixes to the bit (`add`, `sqrt`, a copy) has that result here. Every other op is
computed in float64, and its result is drawn from around the right number: as far away as the kernels of an engine may
be, in units of the terms that were added up. A program is interpreted several times: runs 1 and 2 draw the same
distances on opposite sides, and so do 3 and 4, so that a comparison that a rounding decides comes out both ways. Where
all runs agree on an element, its bits are known; where they differ a little, the spread says how far a right result may
be; where one is NaN and another is not, nothing is known of the element.

The four draw distances by chance, so none of them hits one number: 0, say, which a later op divides by. Later runs draw
such numbers too: in every second pair of them results are rounded to a grid as coarse as the distance allows, once to
the nearest point and once toward 0, so that numbers that may be equal come out equal.

Denormal numbers are exact wherever the op is: neither numpy nor oneDNN flushes them. Ops that round may make 0 of a
result below the smallest normal number, or the other way round.
"""

from __future__ import annotations

from typing import NamedTuple

import ml_dtypes
import numpy as np

Array = np.ndarray

UNITS = 16
"""An op that rounds is this many units of rounding from the right number at most, but for what sums add."""
FEW = 4
"""So many runs draw distances alone. An undefined element is NaN, either infinity and a number in as many runs."""


class Limits(NamedTuple):
    """Of a floating-point type: the unit of rounding, the smallest normal number, the largest number."""

    unit: float
    tiny: float
    largest: float


def _limits(dtype: type) -> Limits:
    info = ml_dtypes.finfo(dtype)
    return Limits(float(info.eps) / 2, float(info.tiny), float(info.max))


LIMITS = {np.dtype(t): _limits(t) for t in (np.float64, np.float32, np.float16, ml_dtypes.bfloat16)}


def is_float(dtype: np.dtype) -> bool:
    """Whether elements are floating-point numbers, bf16 included."""
    return dtype in LIMITS


class Rounding:
    """The draws of one run. Run 0 draws nothing: its results are the right numbers, rounded.

    Args:
        run: the number of the run.
        seed: what its draws depend on besides.
        narrow: unit of rounding of what GRUs multiply, where their weights were given fewer bits.
    """

    def __init__(self, run: int, seed: int = 0, narrow: float = 0.0) -> None:
        self.run, self.narrow = run, narrow
        pair = (run + 1) // 2
        self._side = 1.0 if run % 2 else -1.0
        self._on_grid = run > FEW and pair % 2 == 1
        self._chance = np.random.default_rng((seed, pair))
        self._undefined = np.random.default_rng((seed, (run - 1) // FEW + 1, 0))

    def settle(
        self,
        value: Array,
        dtype: np.dtype,
        magnitude: Array | None = None,
        terms: float = 1,
        undefined: Array | None = None,
        multiplied: bool = False,
    ) -> Array:
        """`value`, float64, as an op that rounds may give it in `dtype`.

        Args:
            magnitude: the sum of the absolute values of what was added up; the result's own where it is None.
            terms: how many were.
            undefined: elements of which the op promises nothing.
            multiplied: it comes of what GRUs multiply.
        """
        value = np.asarray(value, np.float64)
        unit, tiny, largest = LIMITS[dtype]
        if magnitude is not None:
            beyond = np.broadcast_to(np.nan_to_num(magnitude, nan=0.0, posinf=0.0) > largest / 4, value.shape)
            undefined = beyond if undefined is None else undefined | beyond
        if not self.run:
            return value.astype(dtype)
        size = np.abs(value) if magnitude is None else magnitude
        units = UNITS + terms / 4 + (self.narrow / unit if multiplied else 0)
        return self._garbled(self._moved(value, units * unit * size + tiny * (size != 0)).astype(dtype), undefined)

    def _moved(self, value: Array, distance: Array) -> Array:
        """`value`, as far as `distance` away on either side; zeros of the run's sign."""
        if self._on_grid:
            step = np.exp2(np.floor(np.log2(distance)) - self._chance.integers(3))
            moved = (np.rint if self._side > 0 else np.trunc)(value / step) * step
            moved = np.where(step > 0, moved, value)
        else:
            drawn = self._chance.uniform(0.5, 1.0, value.shape) * self._chance.choice((-1.0, 1.0), value.shape)
            moved = value + self._side * drawn * distance
        moved = np.where(np.isfinite(value) & np.isfinite(distance), moved, value)
        return np.where(moved == 0, np.copysign(0.0, self._side), moved)

    def nudge(self, value: Array, magnitude: Array) -> Array:
        """float64 numbers inside an op, before they are rounded to whole ones or compared."""
        if not self.run:
            return value
        return self._moved(value, UNITS * LIMITS[np.dtype(np.float32)].unit * magnitude)

    def known(self, value: Array, undefined: Array) -> Array:
        """`value`, but for undefined elements."""
        return self._garbled(value, undefined) if self.run else value

    def either_zero(self, value: Array, doubtful: Array) -> Array:
        """`value`, where zeros that are `doubtful` may have either sign."""
        if not self.run or not is_float(value.dtype):
            return value
        zero = np.asarray(np.copysign(0.0, self._side)).astype(value.dtype)
        return np.where(doubtful & (value == 0), zero, value)

    def _garbled(self, value: Array, undefined: Array | None) -> Array:
        if undefined is None or not np.any(undefined):
            return value
        return np.where(undefined, self._garbage(value).astype(value.dtype), value)

    def _garbage(self, value: Array) -> Array:
        """What stands for undefined elements: the runs disagree, so nothing is asked of them, and elements disagree, so
        that nothing is asked of which of two is larger."""
        if value.dtype == np.bool_:
            return self._undefined.integers(2, size=value.shape) ^ (self.run % 2)
        if not is_float(value.dtype):
            return self._undefined.integers(1, 100, value.shape) * int(self._side)
        kinds = (self._undefined.integers(FEW, size=value.shape) + self.run) % FEW
        return np.choose(kinds, (np.nan, np.inf, -np.inf, self._undefined.uniform(-1e3, 1e3, value.shape)))
