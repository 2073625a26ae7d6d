"""Malformed decisions: each is an error at its op, and no pass, checker or tool fails on one."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import NamedTuple

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.compiler.driver import compile, context
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.schedule import SchedulePass
from lastuse.passes.verify_storage import VerifyStoragePass
from support import opt_tool

TEXT = """func.func private @f(%u: T) -> T {
  func.return %u : T
}
func.func @main(%x: tensor<4xf32>ARGUMENT, %y: tensor<4xf32>, %n: index, %c: i1) -> (tensor<4xf32>RESULT)FUNCTION {
  %a = "dnn.relu"(%x) {RELU} : (T) -> T
  %b, %s, %v = "dnn.layer_norm"(%r, %x) {axis = -1 : i64 NORM} : (tensor<1x4xf32>, T) -> (tensor<1x4xf32>, C, C)
  %r = "dnn.reshape"(%a) {VIEW} : (T) -> tensor<1x4xf32>
  %k = func.call @f(%a) {CALL} : (T) -> T
  %e = "dnn.concat"(%a, %k) {axis = 0 : i64 CONCAT} : (T, T) -> tensor<8xf32>
  cf.cond_br %c, ^one(%a, %n : T, index), ^two {BRANCH}
^one(%p: T, %i: index):
  cf.br ^two
^two:
  %z = "other.op"(%k, %n) {OTHER} : (T, index) -> T
  func.return %z : T
}"""
SLOTS = ("ARGUMENT", "RESULT", "FUNCTION", "RELU", "NORM", "VIEW", "CALL", "CONCAT", "BRANCH", "OTHER")


class Case(NamedTuple):
    """What stands where, what is said of it, and whether a repair drops it."""

    slot: str
    given: str
    message: str
    dropped: bool = True


CASES = [
    Case("RELU", "dnn.inplace = array<f32: 0.0>", "is no array of i32"),
    Case("RELU", "dnn.inplace = array<i64: 0>", "is no array of i32"),
    Case("RELU", "dnn.inplace = 0 : i32", "is no array of i32"),
    Case("RELU", 'dnn.inplace = "zero"', "is no array of i32"),
    Case("RELU", "dnn.inplace", "is no array of i32"),
    Case("RELU", "dnn.inplace = [0 : i32]", "is no array of i32"),
    Case("RELU", "dnn.inplace = array<i32: 7>", "names operand 7 of 1"),
    Case("RELU", "dnn.inplace = array<i32: 1>", "names operand 1 of 1"),
    Case("RELU", "dnn.inplace = array<i32: -2>", "has -2 for result 0"),
    Case("RELU", "dnn.inplace = array<i32: 0, 0>", "has 2 entries for 1 result"),
    Case("NORM", "dnn.inplace = array<i32: 0>", "has 1 entry for 3 results"),
    Case("RELU", "dnn.inplace = array<i32>", "has 0 entries for 1 result"),
    Case("OTHER", "dnn.inplace = array<i32: 1>", "names operand 1, which is no tensor"),
    Case("RELU", 'dnn.shares = "all"', 'must be "values", "gradients" or "both"'),
    Case("RELU", "dnn.shares", 'must be "values", "gradients" or "both"'),
    Case("RELU", "dnn.reuse = array<f64: 0.0>", "is no array of i32"),
    Case("RELU", "dnn.reuse = 3 : i32", "is no array of i32"),
    Case("RELU", "dnn.reuse = array<i32: 0, 1>", "has 2 entries for 1 result"),
    Case("RELU", "dnn.reuse = array<i32: -7>", "has -7 for result 0"),
    Case("ARGUMENT", "dnn.reuse = array<i32: 0>", "of argument 0 is no i32"),
    Case("ARGUMENT", "dnn.reuse = 0 : i64", "of argument 0 is no i32"),
    Case("ARGUMENT", "dnn.reuse = -2 : i32", "of argument 0 is -2"),
    Case("CONCAT", "dnn.parts = array<i32: 2>", "names operand 2 of 2"),
    Case("CONCAT", "dnn.parts = array<i32: -1>", "names operand -1 of 2"),
    Case("CONCAT", "dnn.parts = array<i32: 0, 0>", "names operand 0 twice"),
    Case("CONCAT", "dnn.parts = 0 : i32", "is no array of i32"),
    Case("RELU", "dnn.offset = array<i32: 0>", "is no array of i64"),
    Case("RELU", "dnn.offset = array<f32: 0.5>", "is no array of i64"),
    Case("RELU", "dnn.offset = array<i64: -64>", "has -64 for result 0"),
    Case("NORM", "dnn.offset = array<i64: 0, 64>", "has 2 entries for 3 results"),
    Case("BRANCH", "dnn.succ_reuse = array<i32: 0>", "is no list of arrays of i32"),
    Case("BRANCH", "dnn.succ_reuse = [array<i32: 0, -1>]", "has 1 array for 2 blocks"),
    Case("BRANCH", "dnn.succ_reuse = [array<i32: 0>, array<i32>]", "has 1 entry for 2 arguments"),
    Case("BRANCH", "dnn.succ_reuse = [array<i32: 0, 1>, array<i32>]", "has 1 for argument 1, which is no tensor"),
    Case("BRANCH", "dnn.succ_reuse = [array<i64: 0, -1>, array<i32>]", "is no array of i32"),
    Case("RELU", "dnn.succ_reuse = [array<i32: 0>]", "is for branches and scf.while"),
    Case("BRANCH", "dnn.succ_offset = [array<i32: 0, -1>, array<i64>]", "is no array of i64"),
    Case("BRANCH", "dnn.succ_offset = [array<i64: -64, -1>, array<i64>]", "has -64 for argument 0"),
    Case("FUNCTION", "dnn.succ_offset = []", "is for branches and scf.while"),
    Case("CALL", "dnn.donate = array<i32: 1>", "names operand 1 of 1"),
    Case("CALL", "dnn.donate = array<f32: 0.0>", "is no array of i32"),
    Case("CALL", "dnn.donate", "is no array of i32"),
    Case("RELU", "dnn.donate = array<i32: 0>", "is for calls"),
    Case("RELU", "dnn.scratch_offset = 0 : i32", "is no i64"),
    Case("RELU", "dnn.scratch_offset = -64 : i64", "is -64"),
    Case("RELU", "dnn.scratch_offset = array<i64: 0>", "is no i64"),
    Case("RELU", 'dnn.scratch_bytes = "many"', "is no i64", dropped=False),
    Case("RELU", "dnn.scratch_bytes = -1 : i64", "is -1", dropped=False),
    Case("FUNCTION", "dnn.arena_bytes = 64.0 : f32", "is no i64"),
    Case("FUNCTION", "dnn.arena_bytes = -64 : i64", "is -64"),
    Case("RELU", "dnn.arena_bytes = 64 : i64", "is for functions"),
    Case("FUNCTION", "dnn.unit = 64 : i64", "is no string"),
    Case("FUNCTION", 'dnn.unit = "words"', "is no unknown size"),
    Case("RELU", 'dnn.unit = "words"', "is for functions"),
    Case("VIEW", "dnn.copy = true", "takes no value"),
    Case("RELU", "dnn.names = array<i32: 0>", "is no list of strings"),
    Case("RELU", 'dnn.names = "a"', "is no list of strings"),
    Case("RELU", 'dnn.names = ["a", "b"]', "has 2 entries for 1 result"),
    Case("NORM", 'dnn.names = ["a"]', "has 1 entry for 3 results"),
    Case("RELU", "dnn.names = [1 : i32]", "is no list of strings"),
    Case("ARGUMENT", "dnn.name = 1 : i32", "of argument 0 is no string", dropped=False),
    Case("RESULT", "dnn.name", "of result 0 is no string", dropped=False),
    Case("RELU", 'dnn.name = "a"', "is for arguments and results", dropped=False),
    Case("ARGUMENT", "dnn.donated = 1 : i32", "of argument 0 takes no value", dropped=False),
    Case("RESULT", "dnn.donated", "of result 0 is not for results", dropped=False),
    Case("RELU", "dnn.donated", "is for arguments", dropped=False),
    Case("RESULT", "dnn.tied = 4 : i32", "of result 0 names argument 4 of 4", dropped=False),
    Case("RESULT", "dnn.tied = -1 : i32", "of result 0 names argument -1 of 4", dropped=False),
    Case("RESULT", "dnn.tied = 2 : i32", "of result 0 ties what is no tensor", dropped=False),
    Case("RESULT", "dnn.tied = array<i32: 0>", "of result 0 is no i32", dropped=False),
    Case("RESULT", "dnn.tied", "of result 0 is no i32", dropped=False),
    Case("ARGUMENT", "dnn.tied = 0 : i32", "of argument 0 is for results", dropped=False),
    Case("RELU", "dnn.tied = 0 : i32", "is for results", dropped=False),
    Case("FUNCTION", "dnn.unrefined", "is for modules", dropped=False),
    Case("RELU", "dnn.engine = 1 : i32", "dnn.engine must be", dropped=False),
    Case("OTHER", 'dnn.engine = "gpu"', "dnn.engine must be", dropped=False),
]


def text_of(slot: str, given: str) -> str:
    text = TEXT
    for name in SLOTS:
        inside = given if name == slot else ""
        if name in ("ARGUMENT", "RESULT"):
            inside = f" {{{inside}}}" if inside else ""
        elif name == "FUNCTION":
            inside = f" attributes {{{inside}}}" if inside else ""
        elif name in ("NORM", "CONCAT"):
            inside = f", {inside}" if inside else ""
        text = text.replace(name, inside)
    ordered = text.splitlines()
    ordered[5], ordered[6] = ordered[6], ordered[5]  # the view is made before it is normalised
    text = "\n".join(ordered).replace("(T", "(tensor<4xf32>").replace("%u: T", "%u: tensor<4xf32>")
    for before in (": ", "-> ", ", "):
        text = text.replace(f"{before}T", f"{before}tensor<4xf32>").replace(f"{before}C", f"{before}tensor<1x1xf32>")
    return text


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "malformed.mlir")


def test_program_without_decisions_is_well_formed() -> None:
    verifier.verify(module_of(text_of("", "")))


def test_mark_of_a_module_takes_no_value() -> None:
    verifier.verify(module_of(f"builtin.module attributes {{dnn.unrefined}} {{{text_of('', '')}}}"))
    with pytest.raises(LastuseError, match="unrefined takes no value"):
        verifier.verify(module_of(f"builtin.module attributes {{dnn.unrefined = 1}} {{{text_of('', '')}}}"))


IDS = [f"{c.slot}-{c.given}" for c in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_malformed_decision_is_an_error_at_its_op(case: Case) -> None:
    module = module_of(text_of(case.slot, case.given))
    with pytest.raises(LastuseError) as caught:
        verifier.verify(module)
    assert case.message in caught.value.message
    assert caught.value.location is not None
    with pytest.raises(LastuseError, match=case.message.split("<")[0].replace("(", ".")):
        compile(module)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_repair_drops_a_malformed_decision_with_a_remark_or_refuses(case: Case) -> None:
    module, ctx = module_of(text_of(case.slot, case.given)), context()
    ctx.wants_remarks = True
    if not case.dropped:
        with pytest.raises(LastuseError):
            VerifyStoragePass(repair=True).apply(ctx, module)
        return
    VerifyStoragePass(repair=True).apply(ctx, module)
    assert any(r.kind is RemarkKind.REPAIR and case.message in r.message for r in ctx.remarks)
    assert str(module) == str(module_of(text_of("", "")))
    verifier.verify(module)


PASSES = (
    InplacePass(),
    InplacePass(strategy="reinplace"),
    MemoryPlanPass(algorithm="pool"),
    MemoryPlanPass(algorithm="greedy"),
    PlanPass(),
    SchedulePass(),
)


@pytest.mark.parametrize("step", PASSES, ids=str)
def test_passes_ignore_or_reject_a_malformed_decision(step: ModulePass) -> None:
    for case in CASES:
        module = module_of(text_of(case.slot, case.given))
        with contextlib.suppress(LastuseError):
            step.apply(context(), module)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_checker_rejects_a_malformed_decision_that_was_not_verified(case: Case) -> None:
    """In a pipeline of another tool, where the verifier does not run before."""
    module = module_of(text_of(case.slot, case.given))
    with pytest.raises(LastuseError):
        VerifyStoragePass().apply(context(), module)
    if not (case.slot == "OTHER" and "engine" in case.given):
        for func in module.ops:
            check(func)  # pyright: ignore[reportArgumentType]


def test_opt_tool_reports_a_malformed_decision_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(text_of("RELU", "dnn.inplace = array<i32: 7>"))
    done = opt_tool("--inplace-pass", str(path))
    assert done.status == 1 and done.out == ""
    assert done.err.splitlines()[0] == f"{path}:5:8: error: 'dnn.relu': dnn.inplace names operand 7 of 1"
    done = opt_tool("--verify-storage-pass=repair=true", "--remarks", str(path))
    assert done.status == 0 and "dnn.inplace" not in done.out
    assert "dropped: dnn.inplace names operand 7 of 1" in done.err
