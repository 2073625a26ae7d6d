"""
Signals that come while a program runs. The "gemm" products of oneDNN 3.2 point the stack's register at the heap; the
frame of a handler that runs then is written over what is there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRODUCT = """
func.func @main(%p: tensor<1x8x200x200xf32>, %v: tensor<1x8x200x15xf32>) -> tensor<1x200x8x15xf32> {
  %r = "dnn.matmul"(%p, %v) {perm = array<i64: 0, 2, 1, 3>, dnn.engine = "onednn"}
    : (tensor<1x8x200x200xf32>, tensor<1x8x200x15xf32>) -> tensor<1x200x8x15xf32>
  func.return %r : tensor<1x200x8x15xf32>
}
"""
SCRIPT = """
import signal, sys, time
import numpy as np
import lastuse

program = lastuse.compile(sys.argv[1], threads=int(sys.argv[2]), profile=True)
rng = np.random.default_rng(0)
inputs = {name: rng.random(spec.shape, np.float32) for name, spec in program.inputs.items()}
(right,) = program.run(inputs).values()
assert all("gemm" in step.kernel for step in program.profile()), program.profile()
came = []
signal.signal(signal.SIGALRM, lambda number, frame: came.append(number))
signal.setitimer(signal.ITIMER_REAL, 2e-4, 2e-4)
until = time.monotonic() + 1
while time.monotonic() < until:
    (result,) = program.run(inputs).values()
    assert np.array_equal(result, right)
signal.setitimer(signal.ITIMER_REAL, 0)
assert len(came) > 50, came
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_handlers_write_over_nothing(threads: int, tmp_path: Path) -> None:
    model = tmp_path / "product.mlir"
    model.write_text(PRODUCT)
    command = [sys.executable, "-c", SCRIPT, str(model), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
