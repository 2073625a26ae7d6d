"""Memory of the process that nothing uses any more."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Gives pages of the heap that are free back to the system, where the C library has a function for that (glibc's
    `malloc_trim`). Compiling takes up to a few hundred MB, which the library keeps where a later block lies above."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
