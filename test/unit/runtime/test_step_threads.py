"""Threads of steps: primitives of little work have one; lanes of kernels are on the team that primitives have."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from products import helpers_path
from steps import step_module
from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute

from lastuse.dialect.onednn.primitives.convolution import OneDnnConvolutionOp, OneDnnDeconvolutionOp
from lastuse.dialect.onednn.primitives.convolution_weights_grad import OneDnnConvolutionWeightsGradOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.runtime import _core
from lastuse.runtime.primitive_preparation import primitive_of

F32 = np.dtype(np.float32)
needs_two_threads = pytest.mark.skipif(_core.StepProgram(0, 2).threads < 2, reason="OpenMP gives one thread")


def step_of(
    op_class: type[PrimitiveBase], ins: list[tuple[int, ...]], out: tuple[int, ...], **attributes: Attribute
) -> PrimitiveBase:
    arrays = [np.zeros(shape, np.float32) for shape in (*ins, out)]
    module = step_module(op_class, arrays[:-1], arrays[-1:], attributes)
    return next(op for op in module.walk() if isinstance(op, op_class))


def movement(**given: int) -> dict[str, DenseArrayBase]:
    """The attributes of a window over two axes that moves by one, unless `given`."""
    numbers = {"strides": 1, "dilations": 1, "begins": 0, "ends": 0, **given}
    return {name: DenseArrayBase.from_list(i64, [number] * 2) for name, number in numbers.items()}


def test_work() -> None:
    product = step_of(OneDnnMatmulOp, [(2, 8, 16), (2, 16, 4)], (2, 8, 4))
    assert product.work().total == 256 + 128 + 64 + 2 * 8 * 16 * 4 // 8
    convolution = step_of(OneDnnConvolutionOp, [(2, 3, 6, 6), (5, 3, 3, 3)], (2, 5, 4, 4), **movement())
    assert convolution.work().total == 216 + 135 + 160 + 2 * 16 * 135 // 8
    grouped = step_of(OneDnnConvolutionOp, [(1, 4, 6, 6), (4, 1, 1, 3, 3)], (1, 4, 4, 4), **movement())
    assert grouped.work().total == 144 + 36 + 64 + 16 * 36 // 8
    transposed = step_of(OneDnnDeconvolutionOp, [(1, 3, 4, 4), (5, 3, 2, 2)], (1, 5, 8, 8), **movement(strides=2))
    assert transposed.work().total == 48 + 60 + 320 + 16 * 60 // 8
    weights = step_of(OneDnnConvolutionWeightsGradOp, [(2, 3, 6, 6), (2, 5, 4, 4)], (5, 3, 3, 3), **movement())
    assert weights.work().total == 216 + 160 + 135 + 2 * 16 * 135 // 8


@needs_two_threads
@pytest.mark.parametrize(("rows", "threads"), [(8, 1), (512, 2)])
def test_little_work_has_one_thread(rows: int, threads: int) -> None:
    assert primitive_of(step_of(OneDnnMatmulOp, [(rows, 64), (64, 64)], (rows, 64)), 2).threads == threads


@needs_two_threads
def test_primitives_of_one_thread_and_of_two_in_one_program() -> None:
    size = 1 << 16
    program = _core.StepProgram(4 * size, 2)
    desc = _core.Desc(F32, [size], [1])
    x, y = (
        program.add_view(program.add_argument(name, F32, [size], name == "y"), 0, F32, [size], [1]) for name in "xy"
    )
    t = program.add_view(_core.StepProgram.ARENA, 0, F32, [size], [1])
    places = [x, t, y, t, y]
    for number, threads in enumerate((2, 1, 2, 1)):
        tanh = _core.eltwise("tanh", 0.0, 0.0, desc, desc, threads)
        program.add_primitive(f"step {number}", tanh, [places[number]], [places[number + 1]])
    given = np.linspace(-4, 4, size, dtype=np.float32)
    result = np.full(size, np.nan, np.float32)
    _core.Context(program).run([given, result])
    expected = np.tanh(np.tanh(np.tanh(np.tanh(given.astype(np.float64)))))
    np.testing.assert_allclose(result, expected, atol=1e-5)


DECODED = """
import lastuse
from lastuse.runtime import _core
from op_cases import build, module, operands_for

line = "crf_decoding(300x30xf32, 32x30xf32, 11xi64) -> 300x1xi64"
arrays = operands_for(build(line))
program = lastuse.compile(module([line], "cpu"), threads=2)
(path,) = build(line).reference(*arrays)
print((program(*arrays) == path).all(), _core.pool_threads())
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core")
def test_lanes_are_on_the_team_of_the_run() -> None:
    """No thread of the pool is there beside OpenMP's. A process of its own: others have started threads here."""
    done = subprocess.run(
        [sys.executable, "-c", DECODED],
        env={**os.environ, "PYTHONPATH": helpers_path()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True 0\n"
