"""Decisions that a file carries: every pass keeps each, or says in a remark or an error what goes, and why.

Drawn programs are decided by one pipeline, some of the decisions are taken away, and another pipeline follows.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from checker.oracle import EFFORT
from generate import random_program
from generate.flow import random_flow_program
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError, ToolContext
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import assign_places
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.checker.repair import all_decisions, drop
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.schedule import SchedulePass

GIVEN: list[list[ModulePass]] = [
    *([InplacePass(strategy=s)] for s in STRATEGIES),
    [MemoryPlanPass(algorithm="pool")],
    [MemoryPlanPass(algorithm="pool", level=1)],
    [MemoryPlanPass(algorithm="greedy")],
    [InplacePass(strategy="reinplace"), MemoryPlanPass(algorithm="greedy")],
    [MemoryPlanPass(algorithm="pool"), MemoryPlanPass(algorithm="greedy")],
    [PlanPass()],
]
NEXT: list[ModulePass] = [
    *(InplacePass(strategy=s) for s in STRATEGIES),
    MemoryPlanPass(algorithm="pool", level=1),
    MemoryPlanPass(algorithm="greedy"),
    MemoryPlanPass(),
    PlanPass(strategy="reinplace"),
    PlanPass(inplace=False),
    SchedulePass(),
]


def functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks]


def given(seed: int) -> tuple[ModuleOp, ToolContext]:
    """A right module with decisions, all of a pipeline or some, and a context that collects remarks."""
    ctx = context()
    chance = random.Random(seed)
    draw = random_flow_program if chance.random() < 0.6 else random_program
    module = parse(ctx, str(draw(seed).module), f"program {seed}")
    for step in chance.choice(GIVEN):
        step.apply(ctx, module)
    if chance.random() < 0.5:
        for decision in [d for func in functions(module) for d in all_decisions(func) if chance.random() < 0.3]:
            drop(decision)
    assert not [v for func in functions(module) for v in check(func)]
    ctx.wants_remarks = True
    ctx.remarks.clear()
    return module, ctx


def entries(module: ModuleOp) -> dict[tuple[Operation, str, int], object]:
    """Every decision there is, by the op, the attribute and the number of the entry."""
    found: dict[tuple[Operation, str, int], object] = {}
    for op in module.walk():
        for name in (*attrs.PLACES, attrs.UNIT):
            if name in op.attributes:
                found.update({(op, name, n): value for n, value in _entries(op.attributes[name])})
        if isinstance(op, FuncOp) and op.body.blocks:
            found.update({(op, attrs.REUSE, a.index): n for a in op.args if (n := attrs.argument_reuse(a)) >= 0})
    return found


def _entries(attribute: Attribute) -> Iterator[tuple[int, object]]:
    if isinstance(attribute, DenseArrayBase):
        yield from ((n, value) for n, value in enumerate(attribute.get_values()) if value >= 0)
    elif isinstance(attribute, ArrayAttr):
        for row, values in enumerate(attribute.data):
            yield from ((100 * row + n, value) for n, value in _entries(values))
    else:
        yield 0, attribute.value.data if isinstance(attribute, IntegerAttr) else attribute


@pytest.mark.parametrize("step", NEXT, ids=str)
def test_pass_keeps_every_given_decision_or_remarks_its_drop(step: ModulePass) -> None:
    for seed in range(12 * EFFORT):
        module, ctx = given(seed)
        before = entries(module)
        step.apply(ctx, module)
        assert not [v.message for func in functions(module) for v in check(func)], seed
        assert not [v for func in functions(module) for v in assign_places(func).void], f"{seed}: without effect"
        after = entries(module)
        said = "\n".join(r.message for r in ctx.remarks)
        for (op, name, entry), value in before.items():
            now = after.get((op, name, entry))
            if name == attrs.ARENA_BYTES and now != value:
                assert isinstance(now, int) and isinstance(value, int) and now > value, seed
                assert "around the offsets that were there" in said, seed
            elif name == attrs.PARTS:
                here = {v for (o, n, _), v in after.items() if o is op and n == name}
                assert value in here or f"{name} of operand {value} dropped" in said, seed
            elif now != value:
                assert f"{name} of result {entry} dropped" in said, f"{seed}: {op.name} {name} {value} {now}"


EVERYTHING = """func.func private @f(%u: tensor<16xf32> {dnn.donated}) -> tensor<16xf32> {
  %r = "dnn.relu"(%u) {dnn.inplace = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %r : tensor<16xf32>
}
func.func private @g(%x: tensor<16xf32> {dnn.donated}, %y: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %s = arith.select %c, %x, %y {dnn.forward = array<i32: 1>} : tensor<16xf32>
  cf.br ^next(%s : tensor<16xf32>) {dnn.succ_forward = [array<i32: 1>]}
^next(%t: tensor<16xf32>):
  func.return %t : tensor<16xf32>
}
func.func @main(%x: tensor<16xf32> {dnn.donated, dnn.reuse = 4 : i32}, %c: i1) -> tensor<16xf32> PLAN {
  %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 4>} : (tensor<16xf32>) -> tensor<16xf32>
  %v = "dnn.reshape"(%a) {dnn.copy AT(0)} : (tensor<16xf32>) -> tensor<4x4xf32>
  %w = "dnn.reshape"(%v) : (tensor<4x4xf32>) -> tensor<16xf32>
  %k = func.call @f(%a) {dnn.donate = array<i32: 0> AT(256)} : (tensor<16xf32>) -> tensor<16xf32>
  cf.cond_br %c, ^one(%k : tensor<16xf32>), ^one(%w : tensor<16xf32>)
    {dnn.succ_reuse = [array<i32: 7>, array<i32: 7>] SLOT}
^one(%p: tensor<16xf32>):
  %m = "dnn.neg"(%p) : (tensor<16xf32>) -> tensor<16xf32>
  %n = "dnn.concat"(%m, %p) {axis = 0 : i64, dnn.parts = array<i32: 0>}
    : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %z = "dnn.opaque"(%n) {kind = "q", dnn.scratch_bytes = 64 : i64 SCRATCH} : (tensor<32xf32>) -> tensor<16xf32>
  func.return %z : tensor<16xf32>
}"""
SLOT = ", dnn.succ_offset = [array<i64: 128>, array<i64: 128>]"


@pytest.mark.parametrize("planned", [False, True], ids=["decided", "planned"])
@pytest.mark.parametrize("step", NEXT, ids=str)
def test_every_kind_of_given_decision_is_kept(step: ModulePass, planned: bool) -> None:
    text = re.sub(r" AT\((\d+)\)", r", dnn.offset = array<i64: \1>" if planned else "", EVERYTHING)
    text = text.replace("PLAN", "attributes {dnn.arena_bytes = 768 : i64}" if planned else "")
    text = text.replace(" SLOT", SLOT if planned else "")
    text = text.replace(" SCRATCH", ", dnn.scratch_offset = 704 : i64" if planned else "")
    ctx = context()
    module = parse(ctx, text, "everything.mlir")
    before = entries(module)
    assert {name for _, name, _ in before} >= {*attrs.PLACES} - ({*attrs.PLAN} if not planned else set())
    assert not [v.message for func in functions(module) for v in check(func)]
    step.apply(ctx, module)
    assert before.items() <= entries(module).items()
    assert not [v.message for func in functions(module) for v in check(func)]


LONGER = """func.func @main(%x: tensor<16xf32>, %n: index, %c0: index) -> (tensor<16xf32>, tensor<16xf32>)
    attributes {dnn.arena_bytes = 128 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  MADE
  %b = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.opaque"(%b, %r) {kind = "q"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %d = "dnn.opaque"(%r) {kind = "q"} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %c, %d : tensor<16xf32>, tensor<16xf32>
}"""
MADE = {
    "kernel": '%r = "dnn.relu"(%a) : (tensor<16xf32>) -> tensor<16xf32>',
    "loop": """%r = scf.for %i = %c0 to %n step %n iter_args(%p = %a) -> (tensor<16xf32>) {
    %q = "dnn.opaque"(%p) {kind = "q", dnn.offset = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %q : tensor<16xf32>
  }""",
    "branch": """%f = arith.cmpi slt, %n, %c0 : index
  %r = scf.if %f -> (tensor<16xf32>) {
    scf.yield %a : tensor<16xf32>
  } else {
    scf.yield %a : tensor<16xf32>
  }""",
    "scatter": """%s = "dnn.slice"(%x) {dim = 0 : i64, end = 2 : i64} : (tensor<16xf32>) -> tensor<2xf32>
  %r = "dnn.slice_scatter"(%a, %s) {dim = 0 : i64, end = 2 : i64}
    : (tensor<16xf32>, tensor<2xf32>) -> tensor<16xf32>""",
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("step", NEXT, ids=str)
def test_no_value_stays_live_in_bytes_given_to_another(step: ModulePass, made: str) -> None:
    """From a certain op on, the given plan has another value in these bytes."""
    ctx = context()
    module = parse(ctx, LONGER.replace("MADE", MADE[made]), "longer.mlir")
    assert not [v.message for func in functions(module) for v in check(func)]
    step.apply(ctx, module)
    assert not [v.message for func in functions(module) for v in check(func)]


PER_UNIT = """func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {dnn.arena_bytes = 1024 : i64, dnn.unit = "x"} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 512>} : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %b = "dnn.neg"(%a) {dnn.offset = array<i64: 0>} : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %c = "dnn.add"(%b, %a) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %d = "dnn.sigmoid"(%c) : (tensor<?x64xf32>) -> tensor<?x64xf32>
  func.return %d : tensor<?x64xf32>
}"""


@pytest.mark.parametrize("step", NEXT, ids=str)
def test_given_plan_per_unit_is_kept(step: ModulePass) -> None:
    ctx = context()
    module = parse(ctx, PER_UNIT, "unit.mlir")
    before = entries(module)
    step.apply(ctx, module)
    assert before.items() <= entries(module).items()
    assert not [v.message for func in functions(module) for v in check(func)]


def test_specialized_modules_keep_the_given_plan() -> None:
    ctx = context()
    program = lastuse.compile(parse(ctx, PER_UNIT, "unit.mlir"), threads=1)
    for words in (2, 5, 1, 3, 2):
        module = program.specialized({"x": words}).module
        found = {(op.name, name): value for (op, name, _), value in entries(module).items()}
        given = (("func.func", attrs.ARENA_BYTES), ("dnn.exp", attrs.OFFSET), ("dnn.neg", attrs.OFFSET))
        assert [found[key] for key in given] == [1024 * words, 512 * words, 0]


@pytest.mark.parametrize("options", [{}, {"plan": False}, {"inplace": False}, {"schedule": False}], ids=str)
def test_compile_keeps_every_given_decision_or_remarks_its_drop(options: dict[str, bool]) -> None:
    """For functions without control flow: the decisions of the input are compared with those after `compile`."""
    for seed in range(8 * EFFORT):
        ctx = context()
        chance = random.Random(seed)
        module = parse(ctx, str(random_program(seed).module), f"program {seed}")
        for step in chance.choice(GIVEN):
            step.apply(ctx, module)
        ctx.wants_remarks = True
        ctx.remarks.clear()
        try:
            program = lastuse.compile(module, threads=1, ctx=ctx, **options)
        except LastuseError:
            continue  # an op that nothing runs
        done = program.specialized({}).module
        said = "\n".join(r.message for r in ctx.remarks)
        old, new = (
            {
                (r.name_hint, n): v
                for (op, n, k), v in entries(m).items()
                for r in op.results[k : k + 1]
                if n in (attrs.OFFSET, attrs.REUSE, attrs.INPLACE)
            }
            for m in (module, done)
        )
        lost = {key: value for key, value in old.items() if new.get(key) != value}
        for (result, name), value in lost.items():
            assert f"{name}" in said and "dropped" in said, f"{seed}: {result} {name} {value} {new.get((result, name))}"
