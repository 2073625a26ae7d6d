"""Random programs through a strategy, the checker and both executions; what they found before.

`make check` looks at the same programs every time, `make fuzz N=… SEED=…` at as many as asked for.
"""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import fuzz_check
import fuzz_execute
import fuzz_figures
import fuzz_inputs
import fuzz_sized
import numpy as np
import pytest
from fuzz_check import PIPELINES, Case, case_of
from fuzz_shrink import shrunk
from interpreter import RightResults
from rich.console import Console
from run_fuzz import failure, is_executed, program, share, sized_failure, smaller
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage import attrs
from lastuse.passes import checker
from support import swept

PROGRAMS, EXECUTED, PIECES = 2000, 300, 8
"""Programs, how many of them are executed at least, and in how many tests, which run beside each other."""
SIZED = 40
"""Programs of unknown sizes, ragged rows or large values."""
LARGEST, ONE_IN = 24, 5
"""Ops of a program: `make fuzz` has larger ones. About one in so many is executed."""
FOUND = sorted((Path(__file__).parent / "found").glob("*.mlir"))


@pytest.mark.parametrize("piece", swept(range(PIECES)))
def test_random_programs_are_decided_right_and_compute_the_interpreters_results(piece: int) -> None:
    checked = executed = 0
    for seed in count(1000 * piece):
        module = program(seed)
        if sum(1 for _ in module.walk()) > LARGEST:
            continue
        execute = is_executed(seed, ONE_IN)
        wrong = failure(seed, module, case_of(seed, execute))
        assert wrong is None, f"seed {wrong.seed}, {wrong.case}: {wrong.words}\n{wrong.module!s}"
        checked, executed = checked + 1, executed + execute
        if checked == PROGRAMS // PIECES:
            break
    assert executed >= EXECUTED / PIECES


@pytest.mark.parametrize("piece", swept(range(4)))
def test_random_programs_of_unknown_sizes_compute_the_interpreters_results(piece: int) -> None:
    for seed in range(1000 * piece, 1000 * piece + SIZED // 4):
        sized = fuzz_sized.sized_program(seed)
        crossing = fuzz_sized.crossing_of(seed, sized.symbols)
        wrong = sized_failure(seed, sized, crossing)
        assert wrong is None, f"seed {wrong.seed}, {wrong.case}: {wrong.words}\n{wrong.module!s}"


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_programs_that_failed_before_are_right(path: Path) -> None:
    """Reduced by `make fuzz`: each was once decided wrongly or gave other bits."""
    module = fuzz_check.module_of(path.read_text())
    for pipeline in range(len(PIPELINES)):
        fuzz_check.check_case(module, pipeline, Case(pipeline, earlier=pipeline % 2 > 0, execute=False))
    for pipeline in (None, 0):
        fuzz_check.check_case(module, 0, Case(pipeline))


def nested_kind(module: ModuleOp) -> str | None:
    """An op of dnn that stands in a branch or a counted loop alone, where nothing else keeps regions."""
    walked = list(module.walk())
    kept = {"func.call", "scf.while", "builtin.unregistered"}  # these stay, with what they read
    if len(walked) <= 20 or kept.intersection(op.name for op in walked):
        return None
    ops = [op for op in walked if op.name.startswith("dnn.")]
    outer = {op.name for op in ops if op.parent_op() is main_function(module)}
    return next((op.name for op in ops if op.name not in outer and op.results and op.operands), None)


def test_shrinking_leaves_the_op_that_fails_and_its_operands() -> None:
    found = ((module, nested_kind(module)) for module in (program(seed) for seed in range(1, 400)))
    module, kind = next((module, kind) for module, kind in found if kind is not None)

    def fails(module: ModuleOp) -> bool:
        return any(op.name == kind for op in main_function(module).walk())

    small = shrunk(module, fails)
    assert len(list(small.walk())) <= 8, str(small)


def test_table_counts_the_programs_and_the_settings_tried() -> None:
    found = share(range(20, 30), 0.5)
    assert not found.failures
    assert found.figures["programs: all"] == 10
    assert found.figures["programs: decided and checked alone"] == sum(not is_executed(s, 0.5) for s in range(20, 29))
    assert (
        sum(found.figures[f"tried: {n}"] for n in ("1 thread", "2 threads", "5 threads"))
        == (found.figures["programs: run and held against the interpreter"])
    )
    text = io.StringIO()
    fuzz_figures.show(found.figures, found.ops, Console(file=text, width=100))
    rows = dict(row.rsplit(None, 1) for row in text.getvalue().splitlines()[1:])
    assert rows["programs  all"] == "10"
    assert rows["          ops of the dialect"] == str(len(found.ops))


def test_program_of_unknown_sizes_is_reduced_to_the_op_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    right_results = fuzz_execute.right_results

    def refused(module: ModuleOp, inputs: list[np.ndarray], narrow: float = 0.0) -> RightResults:
        if any(op.name == "dnn.tanh" for op in module.walk()):
            raise fuzz_execute.Wrong("tanh", "")
        return right_results(module, inputs, narrow)

    monkeypatch.setattr(fuzz_sized, "right_results", refused)
    monkeypatch.setattr(fuzz_sized, "hold_against", lambda *_: None)
    for seed in range(100):
        sized = fuzz_sized.sized_program(seed)
        first = main_function(sized.module).body.blocks[0]
        if any(op.name == "dnn.tanh" for op in first.ops):  # in an arm of a branch it need not run
            break
    found = sized_failure(seed, sized, fuzz_sized.crossing_of(seed, sized.symbols))
    assert found is not None and found.kind == "tanh"
    assert len(list(smaller(found).walk())) <= 6


def test_random_earlier_decisions_are_right_and_not_empty() -> None:
    left = 0
    for seed in range(30):
        module = program(seed)
        fuzz_check.decide_earlier(module, seed)
        for func in functions_of(module).values():
            assert not checker.check(func)
            left += sum(any(k >= 0 for k in attrs.inplace(op)) for op in func.walk())
            left += len(attrs.numbers_in(func))
    assert left > 20


def test_pass_with_a_wrong_decision_fails() -> None:
    """Runs the whole check with a pass that makes a wrong decision."""
    module = fuzz_check.module_of("""
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %b = "dnn.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
        func.return %a, %b : tensor<4xf32>, tensor<4xf32>
      }""")
    fuzz_check.check_case(module, 0, Case())
    broken = clone(module)
    attrs.set_entries(list(main_function(broken).body.block.ops)[1], attrs.INPLACE, [0])
    with pytest.raises(fuzz_execute.Wrong, match=r"OVERWRITTEN after what was given: func.return reads %a"):
        fuzz_check.check_case(broken, 0, Case())
    inputs = fuzz_inputs.inputs_of(main_function(module), 0)
    want, got = (fuzz_execute.executed("decided", m, inputs, prove=False) for m in (clone(module), broken))
    assert [fuzz_inputs.same_bits(want[name], got[name]) for name in ("out0", "out1")] == [False, True]


def test_write_to_a_constant_ends_the_process() -> None:
    code = (
        "import ctypes, sys; sys.path[:0] = [sys.argv[1]]; import numpy as np; from read_only import read_only\n"
        "array = read_only(np.arange(4)); assert array.tolist() == [0, 1, 2, 3]; print('read', flush=True)\n"
        "ctypes.memset(array.ctypes.data, 0, 1)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(Path(__file__).parent)], capture_output=True, check=False)
    assert (ran.stdout, ran.returncode) == (b"read\n", -signal.SIGSEGV)
