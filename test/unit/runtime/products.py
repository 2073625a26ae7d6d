"""A program whose primitives leave elements unwritten where fewer threads come than they were prepared for."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from test_engines import module

import lastuse

LINE = "matmul(300x200xf32, 200x300xf32) -> 300x300xf32"

# The instance that oneDNN's threads are of.
_openmp = ctypes.CDLL("libgomp.so.1")


class Product:
    """A matmul prepared for so many threads, and what it gives."""

    def __init__(self, threads: int, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.a, self.b = (rng.normal(size=shape).astype(np.float32) for shape in ((300, 200), (200, 300)))
        # Not by numpy's BLAS: it has a lock that the child of a fork may find taken.
        self.wanted = np.einsum("ik,kj->ij", self.a, self.b)
        self.program = lastuse.compile(module([LINE], "onednn"), threads=threads)

    @property
    def threads(self) -> int:
        return self.program.latest.runner.threads

    def is_right(self) -> bool:
        """Whether a run writes every element of a result that was full of something else."""
        out = np.full((300, 300), 7e7, np.float32)
        self.program.run({"x0": self.a, "x1": self.b}, {"y0": out})
        return np.allclose(out, self.wanted, atol=1e-3)


def helpers_path() -> str:
    """PYTHONPATH of a process that imports this file and what it imports."""
    unit, given = Path(__file__).resolve().parent.parent, os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(unit / "dialect"), str(unit / "runtime"), *filter(None, [given])])


def is_right(threads: int) -> bool:
    """Whether a program made now is right: what a process of a pool can be asked."""
    return Product(threads).is_right()


def parallel(threads: int, work: Callable[[], object]) -> list[object]:
    """What `work` gives, or raises, on each thread of a parallel region of so many."""
    found: list[object] = []

    def call(_: object) -> None:
        try:
            found.append(work())
        except Exception as error:  # would be printed and forgotten: ctypes has no caller to raise it in
            found.append(error)

    body = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(call)
    _openmp.GOMP_parallel(body, None, threads, 0)
    return found


def setting(name: str) -> int:
    """One of OpenMP's settings of the calling thread: `max_threads`, `dynamic`, `max_active_levels`, `in_parallel`."""
    return getattr(_openmp, f"omp_get_{name}")()


def set_setting(name: str, value: int) -> None:
    """Sets `num_threads`, `dynamic` or `max_active_levels` of the calling thread."""
    getattr(_openmp, f"omp_set_{name}")(value)
