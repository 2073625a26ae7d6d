"""What libraries allocate on their first use: allocated when a program is built, not in its first run.

oneDNN generates its gemm kernels at the first product (4 MB) and numpy's OpenBLAS takes a buffer of 32 MB at its first
one. Neither belongs to a run; a measurement of a run should see the run alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from lastuse.runtime import _core

_SIZE = 64


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
