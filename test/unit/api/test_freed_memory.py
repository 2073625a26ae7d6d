"""What is freed while a program compiles is the system's again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import re
import sys
from pathlib import Path
from pathlib import Path

import lastuse


def resident() -> int:
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1))


lastuse.compile(sys.argv[1])  # imports what compiling needs
blocks = [bytes(64 << 10) for _ in range(1000)]
above = bytes(64 << 10)  # the heap does not end with the blocks: free() alone gives nothing back
before = resident()
blocks.clear()
freed = resident()
lastuse.compile(sys.argv[1])
assert freed > before - 40_000, (before, freed)
assert resident() < before - 40_000, (before, resident())
"""
MODEL = """
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = "dnn.relu"(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}
"""


def test_compiling_leaves_no_free_pages(tmp_path: Path) -> None:
    model = tmp_path / "relu.mlir"
    model.write_text(MODEL)
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(model)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
