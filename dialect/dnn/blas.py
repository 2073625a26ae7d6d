"""
One thread for the small matrix products of a kernel.

numpy's wheels bring OpenBLAS with a pool of threads of its own. A recurrent kernel makes thousands of products of a
few hundred rows, one after the other: waking the pool for each costs more than it gains, and while OpenMP's threads
wait for the kernel, the two pools fight for the same cores. On two busy cores LAC's tests took four times as long.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Generator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lastuse.dialect.ir.locks import ForkLock


class _Pool(NamedTuple):
    """How many threads a BLAS uses, and how to change it."""

    get: Callable[[], int]
    set: Callable[[int], None]


@cache
def _pool() -> _Pool | None:
    """The OpenBLAS inside numpy's wheel. None where numpy uses another BLAS, which then keeps its own settings."""
    package = Path(np.__file__).parent
    for file in sorted([*package.parent.glob("numpy.libs/*openblas*"), *package.glob(".dylibs/*openblas*")]):
        try:
            library = ctypes.CDLL(str(file))
        except OSError:
            continue
        for prefix, suffix in product(("scipy_openblas", "openblas"), ("64_", "")):
            get = getattr(library, f"{prefix}_get_num_threads{suffix}", None)
            set_ = getattr(library, f"{prefix}_set_num_threads{suffix}", None)
            if get is not None and set_ is not None:
                get.restype, set_.argtypes, set_.restype = ctypes.c_int, [ctypes.c_int], None
                return _Pool(get, set_)
    return None


_lock = ForkLock()
_users = 0
_before = 1


@contextlib.contextmanager
def one_thread() -> Generator[None, None, None]:
    """numpy's matrix products run on the calling thread alone until the last of nested or concurrent users leaves."""
    global _users, _before
    pool = _pool()
    if pool is None:
        yield
        return
    with _lock:
        _users += 1
        if _users == 1:
            _before = pool.get()
            pool.set(1)
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                pool.set(_before)
