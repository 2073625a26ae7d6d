"""Stale decisions are dropped until the plan is right, and nothing else is."""

from __future__ import annotations

import pytest
import test_flow
import test_plans
from ir import Broken, both, main, parse

from lastuse.dialect import decisions
from lastuse.dialect.diagnostics import RemarkKind, ToolContext
from lastuse.passes.checker import Kind, check
from lastuse.passes.checker.repair import repair
from lastuse.passes.verify_storage import VerifyStoragePass

PLANS = test_plans.PLANS + test_flow.PLANS
BEYOND = {Kind.TIED, Kind.RECURSION, Kind.UNSUPPORTED, Kind.UNWRITTEN}
"""Wrong whatever is decided."""


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_every_broken_plan_is_repaired(plan: Broken) -> None:
    _, broken = both(plan.text)
    dropped, wrong = repair(broken)
    if plan.kind in BEYOND:
        assert wrong
        assert not dropped
    else:
        assert not wrong
        assert dropped
        assert not check(broken)


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_a_right_plan_is_left_alone(plan: Broken) -> None:
    right, _ = both(plan.text)
    before = str(right)
    assert repair(right) == ([], [])
    assert str(right) == before


def test_the_decision_that_destroyed_the_byte_goes() -> None:
    module = parse("""func.func @main(%x: T) -> T {
      %a = exp(%x) {reuse[0]} : (T) -> T
      %b = relu(%a) {inplace[0]} : (T) -> T
      %c = add(%a, %b) {reuse[1]} : (T, T) -> T
      func.return %c : T
    }""")
    context = ToolContext()
    VerifyStoragePass(repair=True).apply(context, module)
    ops = {op.results[0].name_hint: op for op in main(module).body.block.ops if op.results}
    assert decisions.inplace(ops["b"]) == (-1,)
    assert (decisions.reuse(ops["a"]), decisions.reuse(ops["c"])) == ((0,), (1,))
    repaired = [r for r in context.remarks if r.kind is RemarkKind.REPAIR]
    assert [r.op for r in repaired] == ["dnn.relu"]
    assert "dnn.add reads %a" in repaired[0].message


def test_void_decisions_are_named() -> None:
    module = parse("""func.func @main(%x: T) -> T {
      %a = exp(%x) {reuse[0]} : (T) -> T
      %b = relu(%a) {inplace[0], reuse[1]} : (T) -> T
      func.return %b : T
    }""")
    context = ToolContext()
    VerifyStoragePass().apply(context, module)
    assert [(r.kind, r.op) for r in context.remarks] == [(RemarkKind.REFUSAL, "dnn.relu")]
