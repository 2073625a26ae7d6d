"""The runtime's kernel of an op, called on arrays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from op_cases import build

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.storage.contract import contract_of
from lastuse.runtime import _core

Kernel = Callable[[Sequence[Array], Sequence[Array], Array], None]
"""Operands, results, scratch."""


def scratch_of(op: DnnOp, threads: int) -> Array:
    """Scratch of the runtime's kernel of an op, filled with ones."""
    shapes = [operand.type.get_shape() for operand in op.operands]  # pyright: ignore
    measured = _core.native_scratch(op.native_kernel() or "", op.name, op.native_numbers(), shapes, threads)
    return np.full(max(measured, contract_of(op).scratch), 255, np.uint8)


def native_kernel(op: DnnOp, threads: int) -> Kernel:
    """The kernel that `op` names for the native engine, on at most so many threads."""
    name = op.native_kernel()
    assert name is not None, op.name

    def run(operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        _core.call_native(name, op.name, op.native_numbers(), operands, results, scratch, threads)

    return run


def computed_by(line: str, operands: Sequence[Array], shape: Sequence[int], threads: int = 1) -> Array:
    """The result that the runtime's kernel of an op, as text, writes over f32 that are no numbers."""
    op = build(line)
    y = np.full(shape, np.nan, np.float32)
    native_kernel(op, threads)(operands, [y], scratch_of(op, threads))
    return y


def on_instructions(isa: str, module: str, expression: str) -> Any:
    """What an expression of a test module `t` is in a process of these instructions (`ONEDNN_MAX_CPU_ISA`)."""
    code = f"import json, {module} as t; print(json.dumps({expression}))"
    paths = [os.path.dirname(__file__), *sys.path]
    environment = {**os.environ, "ONEDNN_MAX_CPU_ISA": isa, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
