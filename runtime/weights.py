"""Packed weights, kept once for all programs that read them.

Two keys (ONEDNN.md): primitives go by sizes, packed weights by the weights' identity. A change of sentence length makes
new primitives and packs nothing, as long as the new primitive's kernel takes the layout that is there.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from lastuse.dialect.onednn import MatMulOp, Memory

from . import _core
from .describe import desc, free, matmul_of


class Packing(NamedTuple):
    """One layout of some weights. `memory` is None where it is the array's own layout: nothing was copied."""

    layout: _core.Desc
    memory: object | None

    @property
    def nbytes(self) -> int:
        """Bytes beside the array."""
        return 0 if self.memory is None else self.layout.nbytes


class PackedWeights:
    """Packings by the identity of the array they were made from: address, sizes, strides, dtype. Keeps those arrays.

    Several threads may build programs with one of these.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[np.ndarray, list[Packing]]] = {}
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """Bytes of all packings."""
        return sum(p.nbytes for _, packings in self._kept.values() for p in packings)

    def for_matmul(
        self, array: np.ndarray, memory: Memory, step: MatMulOp, threads: int
    ) -> tuple[_core.Primitive, Packing]:
        """The primitive of `step` and its weights in the layout it wants, packed now if no kept packing will do.

        Args:
            array: the weights, of the sizes, strides and element type that `memory` says.

        Raises:
            _core.Error: oneDNN has no such matmul.
        """
        chosen = matmul_of(step, free(memory), threads)
        key = (array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str)
        with self._lock:
            _, packings = self._kept.setdefault(key, (array, []))
            for packing in packings:
                same = _with_layout(step, packing.layout, threads)
                if same is not None and same.implementation == chosen.implementation:
                    return same, packing
            wanted, plain = chosen.ins[1], desc(memory)
            packing = Packing(wanted, None if wanted == plain else _core.pack(array, wanted))
            packings.append(packing)
            return chosen, packing


def _with_layout(step: MatMulOp, layout: _core.Desc, threads: int) -> _core.Primitive | None:
    try:
        return matmul_of(step, layout, threads)
    except _core.Error:
        return None
