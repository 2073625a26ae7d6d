"""What the machine can do: one large f32 matmul by oneDNN."""

from __future__ import annotations

import numpy as np
import workload
from side import Prepared

from lastuse.runtime import _core

SIZE = 2048


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    dtype, shape, strides = np.dtype(np.float32), (SIZE, SIZE), (SIZE, 1)
    desc = _core.Desc(dtype, shape, strides)
    program = _core.StepProgram(0, threads)
    views = [program.add_view(program.add_argument(n, dtype, shape, n == "c"), 0, dtype, shape, strides) for n in "abc"]
    program.add_primitive("matmul", _core.matmul(desc, desc, None, desc, threads=threads), views[:2], views[2:])
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape).astype(dtype) for _ in "abc"]
    made = _core.Context(program)
    return Prepared(lambda: made.run(arrays), lambda: arrays[2], flops=2.0 * SIZE**3)
