"""The runtime's kernel of an op, called on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.storage.contract import contract_of
from lastuse.runtime import _core

Kernel = Callable[[Sequence[Array], Sequence[Array], Array], None]
"""Operands, results, scratch."""


def scratch_of(op: DnnOp, threads: int) -> Array:
    """Scratch of the runtime's kernel of an op, filled with ones."""
    shapes = [operand.type.get_shape() for operand in op.operands]  # pyright: ignore
    measured = _core.native_scratch(op.native_kernel() or "", op.name, op.native_numbers(), shapes, threads)
    return np.full(max(measured, contract_of(op).scratch), 255, np.uint8)


def native_kernel(op: DnnOp, threads: int) -> Kernel:
    """The kernel that `op` names for the native engine, on at most so many threads."""
    name = op.native_kernel()
    assert name is not None, op.name

    def run(operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        _core.call_native(name, op.name, op.native_numbers(), operands, results, scratch, threads)

    return run
