"""Every op at sizes 0 and 1: every engine writes each byte of the results, with the right contents."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from good_ops import lines
from op_cases import build, module, run
from op_lines import RUNNABLE, accepted, resized, runnable_operands, sizes_of
from test_ops import assert_close

import lastuse
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.storage.contract import contract_of
from lastuse.testing import same_bits

PATTERNS = (0x5A, 0xC3)
"""What results are full of beforehand. A byte that is not written differs between two runs."""
DTYPES = ("f64", "f16", "bf16", "i32")
"""Lines of these are the same kernels as those of f32 and i64."""


def variants(cls: type[DnnOp], new: int) -> Iterator[str]:
    """Lines of an op where one size, everywhere, is `new`."""
    seen = set[str]()
    for line in lines(cls):
        sizes = sizes_of(line)
        if any(re.search(rf"x{dtype}\b", line) for dtype in DTYPES) or max(sizes, default=0) >= 200:
            continue
        for old in sorted(sizes):
            text = accepted(resized(line, {old: new}) if old != new else line)
            if text is not None and text not in seen:
                seen.add(text)
                yield text


def filled(op: DnnOp, pattern: int) -> list[Array]:
    """Arrays for the results, every byte `pattern` (of i1: every element true or false)."""
    arrays: list[Array] = []
    for k in range(len(op.results)):
        type_ = op.result_type(k)
        shape = [d for d in type_.shape if isinstance(d, int)]
        dtype = numpy_dtype(type_.dtype)
        array = np.empty(shape, dtype)
        array.reshape(-1).view(np.uint8)[...] = pattern & 1 if dtype == np.bool_ else pattern
        arrays.append(array)
    return arrays


def check_kernel(op: DnnOp, given: list[Array]) -> None:
    wanted, runs = op.reference(*given), [filled(op, pattern) for pattern in PATTERNS]
    for results in runs:
        run(op, given, results)
    for result, first, second, want in zip(op.results, *runs, wanted, strict=True):
        assert same_bits(first, second), "some byte is not written"
        if result not in op.opaque_values():
            assert_close(first, want)


def check_program(line: str, op: DnnOp, given: list[Array], engine: str) -> None:
    wanted = op.reference(*given)
    program = lastuse.compile(module(line, engine), poison=True)
    runs = [{f"y{k}": a for k, a in enumerate(filled(op, pattern))} for pattern in PATTERNS]
    for out in runs:
        program.run({f"x{k}": a.copy() for k, a in enumerate(given)}, out)
    for result, name, want in zip(op.results, runs[0], wanted, strict=True):
        assert same_bits(runs[0][name], runs[1][name]), f"{engine}: some byte of {name} is not written"
        if result not in op.opaque_values():
            assert_close(runs[0][name], want)


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("cls", RUNNABLE, ids=lambda cls: cls.name)
def test_every_byte_of_the_results_is_written(cls: type[DnnOp], size: int) -> None:
    for line in variants(cls, size):
        op = build(line)
        given = runnable_operands(op)
        if given is None or set(op.opaque_values()) & set(op.operands):
            continue  # `test_onnx_training.py` has operands that mean something
        try:
            check_kernel(op, given)
            for engine in sorted(e.value for e in contract_of(op).engines):
                check_program(line, op, given, engine)
        except AssertionError as error:
            raise AssertionError(f"{line}: {error}") from error


FIXED = {"dnn.constant", "dnn.conv_integer", "dnn.onnx_gru_training_grad", "dnn.onnx_lstm_training_grad"}
"""An attribute fixes the shape, all sizes of all operands as 0 or 1 make no window, or the size of a workspace follows
from the others (`test_onnx_training.py` has 0 and 1)."""


def test_every_op_has_a_line_of_size_0_and_one_of_size_1() -> None:
    for size in (0, 1):
        assert {cls.name for cls in RUNNABLE if not any(variants(cls, size))} <= FIXED, size
