"""Recurrent layers on the runtime's own kernels: their sizes, their weights as these read them, their scratch."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.runtime import _core


class RecurrentArrays(NamedTuple):
    """One direction's weights as ONNX has them: w [G*H, I], r [G*H, H], bias [2*G*H], peephole [3*H]."""

    w: np.ndarray
    r: np.ndarray
    bias: np.ndarray | None
    peephole: np.ndarray | None

    def shape_of(self, cell: str) -> _core.RecurrentShape:
        """Raises `_core.Error` where there is no such cell."""
        return shape_of(cell, self.w.shape[1], self.r.shape[1], self.peephole is not None)

    def packed(self, cell: str) -> np.ndarray:
        """The weights as the kernels of `cell` read them, on a cache line."""
        bias, peephole = (None if array is None else np.ascontiguousarray(array) for array in self[2:])
        w, r = (np.ascontiguousarray(array) for array in (self.w, self.r))
        return self.shape_of(cell).pack(w, r, bias, peephole)


@lru_cache(maxsize=256)
def shape_of(cell: str, inputs: int, hidden: int, peephole: bool) -> _core.RecurrentShape:
    """The sizes of one direction. Raises `_core.Error` where there is no such cell."""
    return _core.RecurrentShape(cell, inputs, hidden, peephole)


def shape_of_step(step: OneDnnRecurrentOp) -> _core.RecurrentShape:
    """The sizes of the layer that `step` computes."""
    numbers = step.numbers
    inputs = step.in_memories[numbers.w].shape[1]
    return shape_of(step.cell.data, inputs, step.hidden, numbers.peephole is not None)


def recurrent_scratch(step: OneDnnRecurrentOp, threads: int) -> int:
    """Bytes of scratch of `step` with so many threads."""
    steps, batch, _ = step.in_memories[step.numbers.x].shape
    return shape_of_step(step).scratch_bytes(steps, batch, threads, not step.is_packed)


def formula_of_step(step: OneDnnRecurrentOp) -> _core.RecurrentFormula:
    """What the layer that `step` computes passes its sums through."""
    functions = step.stated_functions
    numbers = [number for function in functions for number in (function.alpha, function.beta)]
    ties_forget = step.input_forget is not None and bool(step.input_forget.value.data)
    names = [function.name for function in functions]
    return _core.RecurrentFormula(step.cell.data, names, numbers, step.limit, ties_forget)


def recurrent_key(cell: str, arrays: tuple[Hashable, ...]) -> Hashable:
    """What tells the weights of recurrent layers apart: the cell and the identities of all arrays."""
    return (cell, *arrays)
