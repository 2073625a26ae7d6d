"""Kernels of ops that this runtime has in C++: the numbers of the op's own, from more than one thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.crf import CrfDecodingOp
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.runtime import _core

Kernel = Callable[[list[np.ndarray], list[np.ndarray], np.ndarray], None]
"""Operands, results, scratch."""


def _crf_decoding(op: DnnOp, threads: int) -> Kernel:
    def run(ins: list[np.ndarray], outs: list[np.ndarray], scratch: np.ndarray) -> None:
        (emission, transition, offsets), (path,) = ins, outs
        try:
            _core.crf_decoding(emission, transition, offsets, path, scratch, threads)
        except _core.OffsetsError as error:
            raise OffsetsError(str(error)) from error

    return run


_NATIVE: Mapping[type[DnnOp], Callable[[DnnOp, int], Kernel]] = {CrfDecodingOp: _crf_decoding}


def native_kernel(op: DnnOp, threads: int) -> Kernel:
    """What runs `op` on the native engine, with so many threads at most: the op's scratch is enough for it.

    Raises:
        LastuseError: there is no native kernel of such an op.
    """
    made = _NATIVE.get(type(op))
    if made is None:
        raise LastuseError(f"{op.name} has no native kernel", op)
    return made(op, threads)
