"""Order, in place and offsets of programs, against every order of their ops.

`LASTUSE_ORDERED=300 pytest test/unit/joint` compares so many random programs, and those with more orders too.
"""

from __future__ import annotations

import os

import pytest
from ordered_programs import arena_decided, best_of_all, program
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs, verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes import checker
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.plan import PlanPass
from lastuse.passes.schedule import SchedulePass
from lastuse.passes.scheduling.joint_planning import PlanSearch, arena_of

CONTEXT = context()
PROGRAMS = int(os.environ.get("LASTUSE_ORDERED", "0"))
LIMIT = 400 if PROGRAMS else 24
"""Orders of a program that are tried at most."""


def module_of(text: str) -> ModuleOp:
    module = parse(CONTEXT, text, "test.mlir")
    verifier.verify(module)
    return module


def test_joint_plan_is_nearly_always_the_best_of_all_orders() -> None:
    """In-place decisions maximize the bytes kept, not the arena, which costs a few cases."""
    compared = best = 0
    for seed in range(PROGRAMS or 40):
        func = main_function(module_of(program(seed)))
        least = best_of_all(func, LIMIT)
        if least is None:
            continue
        PlanSearch().run(func).apply()
        assert checker.check(func) == []
        arena = arena_of(NumberedOps.of(func))
        compared, best = compared + 1, best + (arena == least)
        assert arena >= least, seed
    assert compared > 10
    assert best >= 0.97 * compared


@pytest.mark.parametrize("seed", range(0, 24, 3))
def test_joint_plan_is_never_worse_than_the_given_order_and_idempotent(seed: int) -> None:
    text = program(seed, 20)
    module = module_of(text)
    given = NumberedOps.of(main_function(module))
    assert given is not None
    arenas = [arena_decided(given, parts) for parts in (True, False)]
    planned = clone(module)
    PlanPass().apply(CONTEXT, planned)
    func = main_function(planned)
    assert checker.check(func) == []
    assert func.attributes[attrs.ARENA_BYTES].value.data <= min(arenas)  # pyright: ignore
    SchedulePass().apply(CONTEXT, module)
    once = str(module)
    SchedulePass().apply(CONTEXT, module)
    assert str(module) == once
    again = clone(module_of(text))
    PlanPass().apply(CONTEXT, again)
    assert str(again) == str(planned)


CASES = {
    "the last reader of a value lies over it in the result's memory": (
        """
        func.func @main(%x: tensor<32xf32>) -> (tensor<64xf32>, tensor<16xf32>) {
          %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<32xf32>) -> tensor<64xf32>
          %b = "dnn.tanh"(%a) : (tensor<64xf32>) -> tensor<64xf32>
          %c = "dnn.opaque"(%a) {kind = "conv"} : (tensor<64xf32>) -> tensor<16xf32>
          func.return %b, %c : tensor<64xf32>, tensor<16xf32>
        }""",
        256,
        0,
    ),
    "the last reader of given memory lies in it": (
        """
        func.func @main(%x: tensor<32xf32> {dnn.donated}) -> tensor<4xf32> {
          %b = "dnn.tanh"(%x) : (tensor<32xf32>) -> tensor<32xf32>
          %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<32xf32>) -> tensor<16xf32>
          %y = "dnn.opaque"(%b, %c) {kind = "conv"} : (tensor<32xf32>, tensor<16xf32>) -> tensor<4xf32>
          func.return %y : tensor<4xf32>
        }""",
        192,
        64,
    ),
    "a whole begins with the part that has most on its way": (
        """
        func.func @main(%x: tensor<16xf32>) -> tensor<4xf32> {
          %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<160xf32>
          %p = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
          %q = "dnn.opaque"(%p) {kind = "conv"} : (tensor<256xf32>) -> tensor<256xf32>
          %b = "dnn.opaque"(%q) {kind = "conv"} : (tensor<256xf32>) -> tensor<160xf32>
          %w = "dnn.concat"(%a, %b) {axis = 0 : i64} : (tensor<160xf32>, tensor<160xf32>) -> tensor<320xf32>
          %y = "dnn.opaque"(%w) {kind = "conv"} : (tensor<320xf32>) -> tensor<4xf32>
          func.return %y : tensor<4xf32>
        }""",
        2688,
        2304,
    ),
    "what a part is written over lies in the whole, if its other readers come first": (
        """
        func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
          %a = "dnn.opaque"(%x, %x) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<48xf32>
          %p = "dnn.tanh"(%a) : (tensor<48xf32>) -> tensor<48xf32>
          %b = "dnn.opaque"(%x, %a) {kind = "conv"} : (tensor<16xf32>, tensor<48xf32>) -> tensor<64xf32>
          %w = "dnn.concat"(%p, %x) {axis = 0 : i64} : (tensor<48xf32>, tensor<16xf32>) -> tensor<64xf32>
          %y = "dnn.opaque"(%b, %w) {kind = "conv"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<16xf32>
          func.return %y : tensor<16xf32>
        }""",
        704,
        512,
    ),
    "through what that is written over for certain": (
        """
        func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
          %v0 = "dnn.tanh"(%x) : (tensor<16xf32>) -> tensor<16xf32>
          %v1 = "dnn.add"(%x, %v0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
          %v2 = "dnn.add"(%v0, %v1) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
          %v3 = "dnn.add"(%x, %v1) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
          %v4 = "dnn.tanh"(%v3) : (tensor<16xf32>) -> tensor<16xf32>
          %v5 = "dnn.opaque"(%v1, %v2) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
          %v6 = "dnn.tanh"(%v4) : (tensor<16xf32>) -> tensor<16xf32>
          %v7 = "dnn.concat"(%v6, %v5) {axis = 0 : i64} : (tensor<16xf32>, tensor<32xf32>) -> tensor<48xf32>
          %end = "dnn.opaque"(%v7) {kind = "conv"} : (tensor<48xf32>) -> tensor<16xf32>
          func.return %end : tensor<16xf32>
        }""",
        320,
        256,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_joint_plan_of_examples_has_the_least_arena(name: str) -> None:
    text, given, least = CASES[name]
    for schedule, wanted in ((False, given), (True, least)):
        func = main_function(module_of(text))
        PlanSearch(schedule=schedule).run(func).apply()
        assert checker.check(func) == []
        assert arena_of(NumberedOps.of(func)) == wanted


@pytest.mark.parametrize("seed", range(2, 24, 4))
def test_a_search_writes_nothing_and_what_it_measures_is_what_is_written(seed: int) -> None:
    module = module_of(program(seed, 20))
    func, before = main_function(module), str(module)
    selected = PlanSearch().run(func)
    best, arena = selected.best.program, arena_of(selected.best.program)
    assert str(module) == before
    selected.apply()
    written = NumberedOps.of(func)
    assert best is not None and written is not None
    assert (written.ops, written.decisions, written.order) == (best.ops, best.decisions, best.order)
    assert list(written.sizes) == list(best.sizes)
    assert arena_of(written) == arena
