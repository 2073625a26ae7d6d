"""Stale decisions are dropped until the plan is right, and nothing else is."""

from __future__ import annotations

import pytest
import test_flow
import test_plans
from ir import Broken, both, main, parse

from lastuse.dialect.ir.diagnostics import RemarkKind, ToolContext
from lastuse.dialect.storage import attrs
from lastuse.passes.checker import ViolationKind, check
from lastuse.passes.checker import repair as repair_module
from lastuse.passes.checker.repair import all_decisions, drop, holds, repair
from lastuse.passes.verify_storage import VerifyStoragePass

PLANS = test_plans.PLANS + test_flow.PLANS
BEYOND = {
    ViolationKind.TIED,
    ViolationKind.LENT,
    ViolationKind.RECURSION,
    ViolationKind.UNSUPPORTED,
    ViolationKind.UNWRITTEN,
}
"""Wrong whatever is decided."""


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_every_broken_plan_is_repaired(plan: Broken) -> None:
    _, broken = both(plan.text)
    blamed = any(holds(d) for d in check(broken)[0].decisions)
    assert blamed == (plan.kind not in BEYOND)
    dropped, wrong = repair(broken)
    if plan.kind in BEYOND:
        assert wrong
        assert not dropped
    else:
        assert not wrong
        assert dropped
        assert not check(broken)


@pytest.mark.parametrize("plan", PLANS, ids=[p.name for p in PLANS])
def test_right_plan_is_not_changed(plan: Broken) -> None:
    right, _ = both(plan.text)
    before = str(right)
    assert repair(right) == ([], [])
    assert str(right) == before


def test_decision_that_overwrites_the_byte_is_dropped() -> None:
    module = parse("""func.func @main(%x: T) -> T {
      %a = exp(%x) {reuse[0]} : (T) -> T
      %b = relu(%a) {inplace[0]} : (T) -> T
      %c = add(%a, %b) {reuse[1]} : (T, T) -> T
      func.return %c : T
    }""")
    context = ToolContext()
    VerifyStoragePass(repair=True).apply(context, module)
    ops = {op.results[0].name_hint: op for op in main(module).body.block.ops if op.results}
    assert attrs.inplace(ops["b"]) == (-1,)
    assert (attrs.entries(ops["a"], attrs.REUSE), attrs.entries(ops["c"], attrs.REUSE)) == ((0,), (1,))
    repaired = [r for r in context.remarks if r.kind is RemarkKind.REPAIR]
    assert [r.op for r in repaired] == ["dnn.relu"]
    assert "dnn.add reads %a" in repaired[0].message


def test_part_decided_at_the_end_of_a_chain_is_dropped() -> None:
    """The overwritten value is placed by a concat three ops later."""
    module = parse("""func.func @main(%x: H) -> (T, H) {
      %a = exp(%x) : (H) -> H
      %v = reshape(%a) : (H) -> tensor<1x8xf32>
      %b = relu(%v) {inplace[0]} : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %d = neg(%x) {reuse[0]} : (H) -> H
      %w = reshape(%b) : (tensor<1x8xf32>) -> H
      %c = concat(%w, %x) {axis = 0 : i64, parts[0], reuse[0]} : (H, H) -> T
      func.return %c, %d : T, H
    }""")
    found = check(main(module))[0]
    assert attrs.PARTS in [d.attribute for d in found.decisions]


def test_wrong_storage_number_of_a_loop_is_dropped() -> None:
    """The loop's own number puts its carried value where the body overwrites it."""
    module = parse("""func.func @main(%x: T) -> T {
      %r = "scf.while"(%x) ({
      ^bb0(%p: T):
        %t = exp(%x) {reuse[0]} : (T) -> T
        %f = "other.flag"(%p) : (T) -> i1
        "scf.condition"(%f, %t) : (i1, T) -> ()
      }, {
      ^bb0(%q: T):
        "scf.yield"(%q) : (T) -> ()
      }) {dnn.succ_reuse = [array<i32: 0>]} : (T) -> T
      func.return %r : T
    }""")
    found = check(main(module))[0]
    assert [str(d) for d in found.decisions] == ["dnn.reuse[0] of dnn.exp", "dnn.succ_reuse[0] of scf.while"]


@pytest.mark.parametrize(
    ("own", "wanted"),
    [("", ["dnn.inplace[0] of dnn.relu", "dnn.reuse[0] of dnn.exp"]),
     (", reuse[0]", ["dnn.reuse[0] of dnn.relu", "dnn.inplace[0] of dnn.relu"])],
    ids=["in place", "in place, but by its number somewhere"],
)  # fmt: skip
def test_only_the_decisions_that_place_a_value_are_named(own: str, wanted: list[str]) -> None:
    """In place, the operand's decision is named too, unless the result has a number of its own."""
    module = parse(f"""func.func @main(%x: T) -> (T, T) {{
      %a = exp(%x) {{reuse[{1 if own else 0}]}} : (T) -> T
      %b = relu(%a) {{inplace[0]{own}}} : (T) -> T
      %c = neg(%x) {{reuse[0]}} : (T) -> T
      func.return %b, %c : T, T
    }}""")
    found = check(main(module))[0]
    assert [str(d) for d in found.decisions] == ["dnn.reuse[0] of dnn.neg", *wanted]


EVERYTHING = """func.func private @give(T {dnn.donated}) -> T
func.func @main(%x: T {dnn.reuse = 3 : i32}, %y: T {dnn.donated}, %h: H, %c: i1) -> (T, T, M)
    attributes {dnn.arena_bytes = 256 : i64} {
  %a = exp(%x) {offset[0]} : (T) -> T
  %b = softmax(%a) {axis = 0 : i64, inplace[0], dnn.scratch_bytes = 64 : i64, dnn.scratch_offset = 64 : i64} : (T) -> T
  %p = neg(%h) : (H) -> H
  %q = concat(%h, %p) {axis = 0 : i64, parts[1], reuse[3]} : (H, H) -> T
  %n = "func.call"(%y) {callee = @give, donate[0]} : (T) -> T
  %l, %m, %v = layer_norm(%z, %n, %n) {axis = -1 : i64, epsilon = 1.0e-5 : f32, reuse[-1, 5, -1]}
    : (M, T, T) -> (M, C, C)
  %z = zeros() : () -> M
  "cf.br"(%b)[^next] {dnn.succ_reuse = [array<i32: 4>]} : (T) -> ()
^next(%t: T):
  func.return %t, %q, %l : T, T, M
}"""


def test_decisions_are_listed_in_program_order() -> None:
    """Dropping one removes only that one."""
    func = main(parse(EVERYTHING))
    found = list(all_decisions(func))
    assert [str(d) for d in found] == [
        "dnn.reuse[0] of %x",
        "dnn.offset[0] of dnn.exp",
        "dnn.inplace[0] of dnn.softmax",
        "dnn.scratch_offset[0] of dnn.softmax",
        "dnn.reuse[0] of dnn.concat",
        "dnn.parts[1] of dnn.concat",
        "dnn.donate[0] of func.call",
        "dnn.reuse[1] of dnn.layer_norm",
        "dnn.succ_reuse[0] of cf.br",
    ]
    for number, decision in enumerate(found):
        assert all(holds(d) for d in found[number:])
        drop(decision)
        assert not any(holds(d) for d in found[: number + 1])
        assert list(all_decisions(func)) == found[number + 1 :]


def test_all_decisions_are_dropped_after_many_single_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a limit of single drops, all remaining decisions are dropped."""
    text = """func.func @main(%x: T) -> (T, T, T, T) {
      %a = exp(%x) {reuse[0]} : (T) -> T
      %b = neg(%x) {reuse[0]} : (T) -> T
      %c = abs(%x) {reuse[1]} : (T) -> T
      %d = sqrt(%x) {reuse[1]} : (T) -> T
      func.return %a, %b, %c, %d : T, T, T, T
    }"""
    dropped, _ = repair(main(parse(text)))
    assert [str(d.decision) for d in dropped] == ["dnn.reuse[0] of dnn.neg", "dnn.reuse[0] of dnn.sqrt"]
    monkeypatch.setattr(repair_module, "_PATIENCE", 1)
    dropped, _ = repair(main(parse(text)))
    assert [str(d.decision) for d in dropped] == [
        "dnn.reuse[0] of dnn.neg", "dnn.reuse[0] of dnn.exp", "dnn.reuse[0] of dnn.abs", "dnn.reuse[0] of dnn.sqrt"
    ]  # fmt: skip


def test_void_decisions_are_named() -> None:
    module = parse("""func.func @main(%x: T) -> T {
      %a = exp(%x) {reuse[0]} : (T) -> T
      %b = relu(%a) {inplace[0], reuse[1]} : (T) -> T
      func.return %b : T
    }""")
    context = ToolContext()
    VerifyStoragePass().apply(context, module)
    assert [(r.kind, r.op) for r in context.remarks] == [(RemarkKind.REFUSAL, "dnn.relu")]
