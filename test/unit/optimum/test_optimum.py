"""`strategy=optimal` against exhaustive search, and against every other strategy.

`LASTUSE_OPTIMUM=20000 pytest test/unit/optimum` compares that many programs, however many plans they have; without, as
many as are compared in a few seconds.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from exhaustive import Search, is_best
from objective import worth
from programs import blocks, program
from unit.strategies.corpus import cases, function, planned, runner
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import assign_places
from lastuse.dialect.storage.layout import Strided
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.optimal import search
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.solve import solve
from lastuse.passes.inplace_analysis.optimal.unopposed_choices import unopposed
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from support import opt_tool

PROGRAMS = int(os.environ.get("LASTUSE_OPTIMUM", "0"))
GROUPS = -(-PROGRAMS // 100) or 3
EACH = 100 if PROGRAMS else 31
"""Programs of a group."""
MOST = 8 if PROGRAMS else 5
"""Ops of a program, about."""
CHECKS = 1 << 30 if PROGRAMS else 16
"""So often the checker may be asked about plans of one program; programs that take more are left out."""

THOROUGH = 1500 if PROGRAMS else 40
"""Where there are no more plans than this, every one is tried."""

CONTEXT = context()


def decided(text: str, strategy: str = "optimal") -> FuncOp:
    """The function of a module, decided; the checker accepts it, and nothing in it is void."""
    module = parse(CONTEXT, text, "test.mlir")
    InplacePass(strategy).apply(CONTEXT, module)
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    assert [v.message for v in check(func)] == [], (strategy, text)
    assert not assign_places(func).void, (strategy, text)
    return func


@pytest.mark.parametrize("group", range(GROUPS))
def test_equals_exhaustive_search(group: int) -> None:
    compared = 0
    for seed in range(group * EACH, (group + 1) * EACH):
        text = program(seed, MOST)
        have = worth(decided(text))
        compared += is_best(function(text), have, CHECKS, f"{seed}", THOROUGH)
    assert compared > EACH * 0.4


@pytest.mark.parametrize("seed", [1103, 1782, 1952, 2796, 2963, 8819, 13718, 14857, 4691, 9193, 60234])
def test_equals_exhaustive_search_on_programs_that_once_failed(seed: int) -> None:
    text = program(seed)
    assert Search(function(text)).run(worth(decided(text))) is None


@pytest.mark.parametrize("group", range(GROUPS))
def test_equals_exhaustive_search_in_blocks(group: int) -> None:
    for seed in range(group * EACH // 2, (group + 1) * EACH // 2):
        text = blocks(seed, 5 if PROGRAMS else 3)
        is_best(function(text), worth(decided(text)), CHECKS, f"{seed} of blocks", THOROUGH)


LOOPS = {
    "while": (
        "%r, %k = scf.while (%s = %x, %i = %zero) : (tensor<64xf32>, index) -> (tensor<64xf32>, index) {\n"
        "%go = arith.cmpi slt, %i, %n : index\n"
        "scf.condition(%go) %s, %i : tensor<64xf32>, index\n"
        "} do {\n^bb0(%t: tensor<64xf32>, %j: index):\n"
        '%u = "dnn.relu"(%t) : (tensor<64xf32>) -> tensor<64xf32>\n'
        "%next = arith.addi %j, %one : index\n"
        "scf.yield %u, %next : tensor<64xf32>, index\n}\n"
    ),
    "blocks": (
        "cf.br ^head(%x, %zero : tensor<64xf32>, index)\n"
        "^head(%s: tensor<64xf32>, %i: index):\n"
        "%go = arith.cmpi slt, %i, %n : index\n"
        "cf.cond_br %go, ^body(%s : tensor<64xf32>), ^exit(%s : tensor<64xf32>)\n"
        "^body(%t: tensor<64xf32>):\n"
        '%u = "dnn.relu"(%t) : (tensor<64xf32>) -> tensor<64xf32>\n'
        "%next = arith.addi %i, %one : index\n"
        "cf.br ^head(%u, %next : tensor<64xf32>, index)\n"
        "^exit(%r: tensor<64xf32>):\n"
    ),
}


@pytest.mark.parametrize("kind", LOOPS)
def test_loop_copies_only_its_init(kind: str) -> None:
    """The argument must not be written: one copy at the entry, the rest is in place."""
    text = (
        "func.func @main(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {\n%zero = arith.constant 0 : index\n"
        f"%one = arith.constant 1 : index\n{LOOPS[kind]}func.return %r : tensor<64xf32>\n}}\n"
    )
    assert worth(decided(text)).moved == -256
    out = opt_tool("--inplace-pass", "--memory-plan-pass", "--lower-to-onednn-pass", stdin=text).out
    assert out.count("onednn.copy") == 1


@pytest.mark.parametrize("seed", [30085, 30286])
def test_copy_of_equal_bytes_is_in_place_despite_later_reads(seed: int) -> None:
    text = program(seed, 7)
    assert Search(function(text), thorough=True).run(worth(decided(text))) is None


@pytest.mark.parametrize("seed", [0, 3, 5, 8])
def test_search_misses_no_plan(seed: int) -> None:
    text = program(seed)
    assert Search(function(text)).run() == Search(function(text), thorough=True).run()


ROUND = """
func.func @main(%x: tensor<4x4xf32> {dnn.donated}, %n: index) -> tensor<4x2xf32> {
  %a = "dnn.neg"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%s = %a) -> (tensor<4x4xf32>) {
    %c = "dnn.concat"(%a) {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %c : tensor<4x4xf32>
  }
  %v = "dnn.slice"(%r) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  func.return %v : tensor<4x2xf32>
}
"""


def test_decisions_that_are_right_only_together_are_found() -> None:
    """The loop starts from %a, reads it in every iteration and hands it on: in one storage nothing is copied. Without
    any one of these decisions a copy overwrites a value that is still read."""
    assert worth(decided(ROUND)) == (128 + 64, 0, 2, 0)


@pytest.mark.parametrize("seed", [*range(2000, 2010), 2352, 2856, 3046, 3470, 3733])
def test_no_set_of_decisions_is_better(seed: int) -> None:
    """No right set of decisions has a higher worth than the one found."""
    program_ = NumberedOps.of(function(program(seed, 7)))
    assert program_ is not None
    variables = Variables(LastReads(program_), True)
    for component in [c for c in variables.components if len(c.choices) < 8]:
        found = search.ChoiceSearch(variables, component).run()
        assert found.proved
        for number in range(1 << len(component.choices)):
            taken = frozenset(choice for place, choice in enumerate(component.choices) if number >> place & 1)
            assignment = Assignment(variables, component, taken)
            assert Objective(assignment).score() <= found.score or Conflicts(assignment).nogoods, sorted(taken)


def test_choices_that_nothing_opposes_are_what_the_search_takes() -> None:
    """Where every result that may lie over an operand does, the search finds the same, and proves it."""
    seen = 0
    for seed in range(120):
        program_ = NumberedOps.of(function(program(seed, 5)))
        assert program_ is not None
        variables = Variables(LastReads(program_), True)
        for component in variables.components:
            if (choices := unopposed(variables, component)) is None:
                continue
            found = search.ChoiceSearch(variables, component).run()
            assert found.proved
            assert found.choices == choices, seed
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_no_strategy_is_better_on_programs(seed: int) -> None:
    text = program(seed)
    best = worth(decided(text))
    assert best >= max(worth(decided(text, strategy)) for strategy in STRATEGIES)
    assert planned("optimal", text).proved


@pytest.mark.parametrize("system", ["paddle_onednn_inplace", "nntrainer_inplace", "torch_fx_reinplace"])
def test_no_strategy_is_better_on_cases(system: str) -> None:
    run, seen = runner(), 0
    for case in [c for c in cases(system) if run.runnable(c)][:: 1 if PROGRAMS else 5]:
        text = run.Function(case).text
        assert planned("optimal", text).proved, case["id"]
        if not is_known(function(text)):
            continue
        best = worth(decided(text))
        for strategy in STRATEGIES:
            assert best >= worth(decided(text, strategy)), (case["id"], strategy)
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("seed", range(1, 20, 2))
def test_stopped_search_is_no_worse_than_any_strategy(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "DEEPEST", -1)
    monkeypatch.setattr(search, "ROUNDS", 0)
    text = program(seed)
    best = worth(decided(text))
    assert best >= max(worth(decided(text, strategy)) for strategy in STRATEGIES)


def nothing(_: search.ChoiceSearch) -> None:
    pass


@pytest.mark.parametrize("text", [*map(program, range(5, 45, 3)), *(blocks(seed, 5) for seed in range(4, 16, 2))])
def test_stopped_search_takes_over_a_better_plan(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every kind of decision: the search ends with the best plan offered, before its first step."""
    looked_at = NumberedOps.of(function(text))
    assert looked_at is not None
    plan = solve(looked_at, True, list)
    monkeypatch.setattr(search, "DEEPEST", -1)
    monkeypatch.setattr(search, "ROUNDS", 0)
    monkeypatch.setattr(search.ChoiceSearch, "_dive", nothing)
    again = solve(looked_at, True, lambda: [plan])
    assert replace(again, proved=True) == plan, text


def test_nothing_is_decided_where_something_is_wrong_before() -> None:
    """What one call returns of memory that another call writes conflicts without decisions."""
    calls = Path(__file__).parents[2] / "lit" / "bufferize-pass" / "calls.mlir"
    assert "error" not in opt_tool("--inplace-pass", "--remarks", str(calls), "-o", "/dev/null").err


@pytest.mark.parametrize("at", ["{k}", "%i"])
def test_slices_changed_one_after_the_other_are_proved(at: str) -> None:
    """The part of each may be written over by either of two operands that are the same value."""
    part, whole = "tensor<8xf32>", "tensor<256xf32>"
    lines = [f"func.func @main(%x0: {whole}, %i: index) -> {whole} {{"]
    for k in range(30):
        begin = at.format(k=8 * k)
        lines += [
            f"%s{k} = tensor.extract_slice %x{k}[{begin}] [8] [1] : {whole} to {part}",
            f"%t{k} = linalg.exp ins(%s{k} : {part}) outs(%s{k} : {part}) -> {part}",
            f"%x{k + 1} = tensor.insert_slice %t{k} into %x{k}[{begin}] [8] [1] : {part} into {whole}",
        ]
    text = "\n".join([*lines, f"func.return %x30 : {whole}", "}"])
    made = opt_tool("--inplace-pass", "--remarks", stdin=text)
    assert "dnn.inplace" in made.out
    assert "proved = false" not in made.err


def test_remark_says_that_the_search_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "proved = false: the search for decisions stopped at its limit"
    assert said not in opt_tool("--inplace-pass", "--remarks", stdin=TWICE).err
    monkeypatch.setattr(search, "DEEPEST", -1)
    monkeypatch.setattr(search, "ROUNDS", 0)
    assert said in opt_tool("--inplace-pass", "--remarks", stdin=TWICE).err


TWICE = """
func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.concat"(%a, %a) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %c : tensor<8xf32>
}
"""


def test_first_of_equal_plans_is_kept() -> None:
    assert "dnn.parts = array<i32: 0>" in str(decided(TWICE))


def is_known(func: FuncOp) -> bool:
    """All sizes are known."""
    return all(isinstance(place.layout, Strided) for place in assign_places(func).of.values())


def test_view_of_a_value_in_wider_rows_is_a_copy_if_that_saves_more() -> None:
    """%a is computed in the pad's memory, which saves more than the copy costs."""
    func = decided("""
    func.func @main(%x: tensor<2x6xf32>) -> (tensor<4x10xf32>, tensor<2xf32>) {
      %a = "dnn.add"(%x, %x) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
      %p = "dnn.pad"(%a) {pads = array<i64: 0, 2, 2, 2>} : (tensor<2x6xf32>) -> tensor<4x10xf32>
      %v = "dnn.as_strided"(%a) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 4 : i64}
        : (tensor<2x6xf32>) -> tensor<2xf32>
      %r = "dnn.neg"(%v) : (tensor<2xf32>) -> tensor<2xf32>
      func.return %p, %r : tensor<4x10xf32>, tensor<2xf32>
    }""")
    pad, view = list(func.body.block.ops)[1:3]
    assert (attrs.part_operands(pad), attrs.is_copy(view)) == ((0,), True)


def test_new_storages_get_numbers_that_are_free() -> None:
    func = decided("""
    func.func @main(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
      %k = "dnn.exp"(%x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
      %r = scf.if %c -> (tensor<4xf32>) {
        %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %a : tensor<4xf32>
      } else {
        %b = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %b : tensor<4xf32>
      }
      func.return %k, %r : tensor<4xf32>, tensor<4xf32>
    }""")
    numbers = [n for op in func.walk() if op is not func for n in attrs.entries(op, attrs.REUSE) if n >= 0]
    assert numbers == [0, 1, 1, 1]
