"""The runtime's kernel of an op, called on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.runtime import _core

Kernel = Callable[[Sequence[Array], Sequence[Array], Array], None]
"""Operands, results, scratch."""


def native_kernel(op: DnnOp, threads: int) -> Kernel:
    """The kernel that `op` names for the native engine, on at most so many threads."""
    name = op.native_kernel()
    assert name is not None, op.name

    def run(operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        _core.call_native(name, op.name, op.native_numbers(), operands, results, scratch, threads)

    return run
