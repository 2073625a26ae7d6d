"""Memory of the caller that a program uses as its arena."""

from __future__ import annotations

import numpy as np

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import aligned_bytes
from lastuse.dialect.storage.layout import ALIGNMENT


def arena_array(memory: object) -> np.ndarray:
    """The bytes of an array or another buffer (`bytearray`, `mmap`, `memoryview`), from its first 64-byte boundary on,
    without a copy.

    Raises:
        LastuseError: it is no buffer, not contiguous, or read-only.
    """
    try:
        array = memory if isinstance(memory, np.ndarray) else np.asarray(memoryview(memory))  # pyright: ignore
    except (TypeError, ValueError) as error:
        raise LastuseError(f"an arena is an array or another buffer, not {type(memory).__name__}") from error
    if not array.flags.writeable or not array.flags.c_contiguous or array.dtype.hasobject:
        why = "read-only" if not array.flags.writeable else "not contiguous" if array.dtype != object else "of objects"
        raise LastuseError(f"memory that is {why} is no arena")
    flat = array.reshape(-1).view(np.uint8)
    return flat[-flat.ctypes.data % ALIGNMENT :]


def new_arena(nbytes: int) -> np.ndarray:
    """Memory of that many bytes on a 64-byte boundary, whose pages appear when they are first written."""
    return aligned_bytes(nbytes)
