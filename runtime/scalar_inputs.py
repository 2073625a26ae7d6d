"""Numbers that a caller gives for scalars."""

from __future__ import annotations

import math

import numpy as np

from lastuse.dialect.ir.diagnostics import ArrayError


def contiguous(array: np.ndarray) -> np.ndarray:
    """The array, or a copy where it is not C-contiguous or not aligned. `np.require` says the same in four times the
    time, which counts in a run of few steps."""
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else np.require(array, requirements=["C", "A"])


def as_scalar(value: object, dtype: np.dtype, name: str) -> np.ndarray:
    """A number or a 0-d array as a 0-d array of `dtype`, if it holds exactly that number.

    Raises:
        ArrayError: it is no single number, or one that `dtype` cannot hold.
    """
    array = np.asarray(value)
    if array.shape != () or array.dtype.kind not in "biuf":
        raise ArrayError(f"'{name}' is one number of dtype {dtype}, not {array.dtype}{list(array.shape)}")
    if array.dtype == dtype:
        return contiguous(array)
    if dtype.kind in "fc":
        return array.astype(dtype)
    number = array.item()
    whole = not isinstance(number, float) or (math.isfinite(number) and number.is_integer())
    low, high = (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not whole or not low <= number <= high:
        raise ArrayError(f"'{name}' is one number of dtype {dtype}; {number} is none")
    return np.asarray(int(number), dtype)
