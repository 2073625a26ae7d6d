"""What libraries allocate on their first use: allocated when a program is built, not in its first run.

oneDNN generates its gemm kernels at the first product that they compute (4 MB, 30 ms), and numpy's OpenBLAS takes a
buffer of 32 MB at its first one. Neither belongs to a run; a measurement of a run should see the run alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from lastuse.runtime import _core

_SIZE = 64
GEMM = "gemm:"
"""What oneDNN calls implementations by its gemm kernels begins so."""


@cache
def warm_up(threads: int) -> None:
    """One product by oneDNN with so many threads, and one by numpy; once in a process."""
    dtype, shape, strides = np.dtype(np.float32), (_SIZE, _SIZE), (_SIZE, 1)
    desc = _core.Desc(dtype, shape, strides)
    program = _core.StepProgram(0, threads)
    buffers = [program.add_argument(name, dtype, shape, name == "c") for name in "abc"]
    a, b, c = (program.add_view(buffer, 0, dtype, shape, strides) for buffer in buffers)
    program.add_primitive("warm-up", _core.matmul(desc, desc, None, desc, threads=threads), [a, b], [c])
    arrays = [np.ones(shape, np.float32) for _ in "abc"]
    _core.Context(program).run(arrays)
    np.matmul(arrays[0], arrays[1], out=arrays[2])


@cache
def warm_up_gemm(threads: int) -> None:
    """One product of strided batches, which oneDNN computes by its gemm kernels on every processor; once in a process.
    On processors with AVX-512 other kernels compute the product of `warm_up`."""
    dtype, heads, rows, size = np.dtype(np.float32), 12, 16, 32
    distance = heads * size
    layouts = [
        ((heads, rows, size), (size, distance, 1)),
        ((heads, size, rows), (size, 1, distance)),
        ((heads, rows, rows), (rows * rows, rows, 1)),
    ]
    program = _core.StepProgram(0, threads)
    buffers = [program.add_argument(name, dtype, (rows * distance,), name == "c") for name in "abc"]
    views = [program.add_view(buffer, 0, dtype, *layout) for buffer, layout in zip(buffers, layouts, strict=True)]
    src, weights, dst = (_core.Desc(dtype, *layout) for layout in layouts)
    program.add_primitive("gemm", _core.matmul(src, weights, None, dst, threads=threads), views[:2], views[2:])
    _core.Context(program).run([np.ones(rows * distance, np.float32) for _ in "abc"])
