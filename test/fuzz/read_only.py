"""Memory that a program cannot write without ending there and then."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

_LIBC = ctypes.CDLL(None, use_errno=True)


def read_only(array: np.ndarray) -> np.ndarray:
    """The same numbers in read-only pages: a write to them ends the process with SIGSEGV.

    Raises:
        OSError: the pages cannot be protected.
    """
    pages = mmap.mmap(-1, max(1, array.nbytes))
    copy = np.frombuffer(pages, array.dtype, array.size).reshape(array.shape)
    copy[...] = array
    address, size = ctypes.c_void_p(copy.ctypes.data), ctypes.c_size_t(len(pages))
    if _LIBC.mprotect(address, size, mmap.PROT_READ):
        raise OSError(ctypes.get_errno(), "mprotect fails")
    copy.flags.writeable = False
    return copy
