"""Programs with nothing decided compute what numpy says their ops mean; decided ones do as these: test/fuzz.

`LASTUSE_PROGRAMS=10000 pytest test/unit/test_equivalence.py` tries more programs than `make check` does.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from generate import MAKERS, Builder, Generated, function, maker_of, programs, random_program
from hypothesis import HealthCheck, given, settings
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

import lastuse
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.storage import verifier

PROGRAMS = int(os.environ.get("LASTUSE_PROGRAMS", "60"))
Arrays = list[np.ndarray]


@settings(
    max_examples=PROGRAMS,
    deadline=None,
    derandomize="LASTUSE_PROGRAMS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(programs())
def test_each_op_of_a_program_equals_its_reference(program: Generated) -> None:
    """Every value is a result, so each op is compared with numpy on the operands that it had."""
    module = program.open_module()
    verifier.verify(module)
    compiled = lastuse.compile(module, threads=1, poison=True, inplace=False, plan=False)
    results = list(compiled.run(program.inputs).values())
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


@pytest.mark.parametrize("name", MAKERS)
def test_op_is_drawn_by_its_class_alone(name: str) -> None:
    make, seen = maker_of(OPERATIONS[name]), set[str]()
    for seed in range(10):
        b = Builder(random.Random(seed).randint)
        make(b)
        func, _ = function("main", b, [b.entry], b.values[-1:])
        module = ModuleOp([func])
        verifier.verify(module)
        seen |= {op.name for op in module.walk()}
        inputs = {v.name: np.ones(v.shape, numpy_dtype(v.dtype)) for v in b.arguments}
        lastuse.compile(module, threads=1, inplace=False, plan=False).run(inputs)
    assert name in seen


def test_random_programs_verify_and_contain_every_op() -> None:
    seen: set[str] = set()
    for seed in range(300):
        module = random_program(seed).module
        verifier.verify(module)
        seen |= {op.name for op in module.walk()}
    assert set(MAKERS) <= seen
