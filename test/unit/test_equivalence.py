"""Whatever is decided, programs compute the same bits as with nothing decided, and what numpy says they mean.

`LASTUSE_PROGRAMS=10000 pytest test/unit/test_equivalence.py` tries more programs than `make check` does.
"""

from __future__ import annotations

import os

import numpy as np
from hypothesis import HealthCheck, given, note, settings
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

import lastuse
from generate import MAKERS, Generated, programs, random_program
from lastuse.compiler import context, main_function
from lastuse.dialect import wellformed
from lastuse.dialect.base import DnnOp
from lastuse.dialect.diagnostics import RemarkKind
from lastuse.dialect.dnn import OPERATIONS
from lastuse.frontends.mlir import parse

PROGRAMS = int(os.environ.get("LASTUSE_PROGRAMS", "150"))
CONTEXT = context()
Arrays = list[np.ndarray]


def module_of(text: str) -> ModuleOp:
    module = parse(CONTEXT, text, "generated.mlir")
    wellformed.verify(module)
    return module


def copies(program: Generated) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in program.inputs.items()}


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit, any NaN equal to any other."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    nan = np.isnan(a) & np.isnan(b) if a.dtype.kind == "f" else np.zeros(a.shape, np.bool_)
    as_bits = np.dtype(f"u{a.itemsize}")
    bits = [np.frombuffer(array.tobytes(), as_bits).reshape(a.shape) for array in (a, b)]
    return bool(np.all(nan | (bits[0] == bits[1])))


def run(program: Generated, module: ModuleOp, **options: object) -> Arrays:
    """Run twice on fresh arrays: results of the second run, the same as the first's, no array written but those given
    away."""
    ctx = context()
    ctx.wants_remarks = True
    compiled = lastuse.compile(module, ctx=ctx, threads=1, poison=True, **options)  # pyright: ignore
    note(f"with {options}:\n{compiled.latest.module}")
    wrong = [str(r) for r in ctx.remarks if r.kind is RemarkKind.REPAIR]
    assert not wrong, f"decided wrongly with {options}: {wrong}"
    found: list[Arrays] = []
    for _ in range(2):
        given_ = copies(program)
        found.append(list(compiled.run(given_).values()))
        for name, array in given_.items():
            assert name in program.written or same_bits(array, program.inputs[name]), f"{name} was written"
    for one, other in zip(*found, strict=True):
        assert same_bits(one, other), "the second run gives other bits"
    return found[0]


@settings(
    max_examples=PROGRAMS, deadline=None, derandomize=PROGRAMS == 150, suppress_health_check=list(HealthCheck)
)
@given(programs())
def test_decisions_change_no_bit(program: Generated) -> None:
    module = module_of(program.text)
    want = run(program, module, inplace=False, plan=False)
    for options in ({}, {"strategy": "paddle"}):
        got = run(program, module, **options)
        for index, (one, other) in enumerate(zip(want, got, strict=True)):
            assert same_bits(one, other), f"result {index} with {options}: {other}, not {one}"


@settings(
    max_examples=PROGRAMS // 2, deadline=None, derandomize=PROGRAMS == 150, suppress_health_check=list(HealthCheck)
)
@given(programs())
def test_each_op_means_its_reference(program: Generated) -> None:
    """Every value is a result here, so that each op is held against numpy on the very operands it had."""
    module = module_of(program.open_text)
    results = run(program, module, inplace=False, plan=False)
    func = main_function(module)
    last = func.get_return_op()
    assert last is not None
    values: dict[SSAValue, np.ndarray] = dict(zip(last.operands, results, strict=True))
    for op in func.body.block.ops:
        if isinstance(op, DnnOp):
            operands = [values[v] for v in op.operands]
            for result, array in zip(op.results, op.reference(*operands), strict=True):
                assert_close(op, operands, values[result], array)


def assert_close(op: DnnOp, operands: Arrays, got: np.ndarray, want: np.ndarray) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    if got.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, str(op))
        return
    if not all(np.isfinite(v).all() for v in operands):
        return  # engines differ on NaN and infinity where ONNX leaves them open; the ops' own tests have them
    scale = max([1.0, *(float(np.abs(v).max()) for v in operands if v.size and v.dtype.kind == "f")])
    finite = np.isfinite(want)
    np.testing.assert_allclose(got[finite], want[finite], rtol=1e-4, atol=1e-5 * scale, err_msg=str(op))


def test_every_op_is_drawn() -> None:
    assert set(OPERATIONS) - set(MAKERS) == {"dnn.opaque", "dnn.gru", "dnn.crf_decoding"}
    assert set(MAKERS) <= set(OPERATIONS)


def test_drawn_programs_verify_and_have_every_op() -> None:
    seen: set[str] = set()
    for seed in range(600):
        seen |= {op.name for op in module_of(random_program(seed).text).walk()}
    assert set(MAKERS) <= seen
