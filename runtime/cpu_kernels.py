"""Kernels of ops that the core has in C++, run with more than one thread."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.onednn.kernel_call import HasKernel
from lastuse.runtime import _core

Kernel = Callable[[list[np.ndarray], list[np.ndarray], np.ndarray], None]
"""Operands, results, scratch."""


def native_kernel(op: HasKernel, threads: int) -> Kernel:
    """The core's function that `op` names for the native engine, run with at most so many threads.

    Raises:
        LastuseError: the op names none.
    """
    name = op.native_kernel()
    if name is None:
        raise LastuseError(f"{op.name} has no native kernel", op)
    function = getattr(_core, name)

    def run(operands: list[np.ndarray], results: list[np.ndarray], scratch: np.ndarray) -> None:
        try:
            function(*op.native_arguments(operands, results), scratch, threads)
        except _core.OffsetsError as error:
            raise OffsetsError(str(error)) from error

    return run
