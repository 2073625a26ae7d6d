"""Every op at sizes 0 and 1: every engine writes each byte of the results, with the right contents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
from support import swept

PATTERNS = (0x5A, 0xC3)
"""What results are full of beforehand. A byte that is not written differs between two runs."""
AT_ONCE = 64
"""Ops in one program: compiling takes most of the time."""
DTYPES = ("f64", "f16", "bf16", "i32")
"""Lines of these are the same kernels as those of f32 and i64."""


class Case(NamedTuple):
    """A line, its op, and arrays for the op's operands."""

    line: str
    op: DnnOp
    given: list[Array]


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


def check_kernel(case: Case) -> None:
    op = case.op
    wanted, runs = op.reference(*case.given), [filled(op, pattern) for pattern in PATTERNS]
    for results in runs:
        run(op, case.given, results)
    for result, first, second, want in zip(op.results, *runs, wanted, strict=True):
        assert same_bits(first, second), f"{case.line}: some byte is not written"
        if result not in op.opaque_values():
            assert_close(first, want, case.line)


def check_program(cases: Sequence[Case], engine: str) -> None:
    """The ops of the cases side by side, on one engine."""
    program = lastuse.compile(module([case.line for case in cases], engine), poison=True, fuse=False)
    given = {f"x{k}": a for k, a in enumerate(a for case in cases for a in case.given)}
    runs = list[dict[str, Array]]()
    for pattern in PATTERNS:
        results = [a for case in cases for a in filled(case.op, pattern)]
        runs.append({f"y{k}": a for k, a in enumerate(results)})
    for out in runs:
        program.run({name: a.copy() for name, a in given.items()}, out)
    first, second = (iter(out.values()) for out in runs)
    for case in cases:
        for result, want in zip(case.op.results, case.op.reference(*case.given), strict=True):
            one, other = next(first), next(second)
            assert same_bits(one, other), f"{case.line}: {engine}: some byte of a result is not written"
            if result not in case.op.opaque_values():
                assert_close(one, want, case.line)


@pytest.mark.parametrize("size", swept([0, 1]))
@pytest.mark.parametrize("cls", RUNNABLE, ids=lambda cls: cls.name)
def test_every_byte_of_the_results_is_written(cls: type[DnnOp], size: int) -> None:
    on_engine = dict[str, list[Case]]()
    for line in variants(cls, size):
        op = build(line)
        given = runnable_operands(op)
        if given is None or set(op.opaque_values()) & set(op.operands):
            continue  # `test_onnx_training.py` has operands that mean something
        case = Case(line, op, given)
        check_kernel(case)
        for engine in contract_of(op).engines:
            on_engine.setdefault(engine.value, []).append(case)
    for engine, cases in sorted(on_engine.items()):
        for first in range(0, len(cases), AT_ONCE):
            check_program(cases[first : first + AT_ONCE], engine)


FIXED = {
    *("dnn.byte_table", "dnn.constant", "dnn.conv_integer"),
    *("dnn.onnx_gru_training_grad", "dnn.onnx_lstm_training_grad"),
}
"""An attribute fixes the shape, all sizes of all operands as 0 or 1 make no window, or the size of a workspace follows
from the others (`test_onnx_training.py` has 0 and 1)."""


def test_every_op_has_a_line_of_size_0_and_one_of_size_1() -> None:
    for size in (0, 1):
        assert {cls.name for cls in RUNNABLE if not any(variants(cls, size))} <= FIXED, size
