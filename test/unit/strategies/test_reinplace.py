"""The rules of `reinplace` by number, and where the analysis corrects the original."""

from __future__ import annotations

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies.reinplace import ReinplaceRules

from .corpus import by_name, cases, function, planned, reasons, runner, written_over


def body(*lines: str, result: str = "r", type_: str = "tensor<4xf32>") -> str:
    """A function of an %x of its caller and a %c of its own, both tensor<4xf32>; `T` in a line is that type."""
    inner = "\n".join(f"  {line}" for line in ['%c = "dnn.copy"(%x) : (T) -> T', *lines]).replace("T", "tensor<4xf32>")
    return f"func.func @main(%x: tensor<4xf32>) -> {type_} {{\n{inner}\n  func.return %{result} : {type_}\n}}"


@pytest.mark.parametrize(
    ("rule", "lines", "reason"),
    [
        ("1a", ['%r = "dnn.less"(%c, %x) : (T, T) -> tensor<4xi1>'], "kernel"),
        ("1b", ['%r = "dnn.relu"(%x) : (T) -> T'], "program-input"),
        ("1c", ['%r = "dnn.mul"(%c, %c) : (T, T) -> T'], "repeated-operand"),
        ("2", ['%r = "dnn.relu"(%c) : (T) -> T', '%s = "dnn.neg"(%c) : (T) -> T'], "used-later"),
        ("3b", ['%r = "dnn.softmax"(%c) : (T) -> T'], "not-listed"),
    ],
)
def test_rule_refuses_with_its_reason(rule: str, lines: list[str], reason: str) -> None:
    type_ = "tensor<4xi1>" if rule == "1a" else "tensor<4xf32>"
    plan = planned("reinplace", body(*lines, type_=type_))
    assert reasons(plan)["r"] == reason
    assert "r" not in written_over(plan)


def test_1a_operand_that_overlaps_itself_is_refused() -> None:
    text = body(
        '%s = "dnn.slice"(%c) {dim = 0, start = 0, end = 1} : (T) -> tensor<1xf32>',
        '%e = "dnn.expand"(%s) : (tensor<1xf32>) -> T',
        '%r = "dnn.relu"(%e) : (T) -> T',
    )
    assert written_over(planned("reinplace", text)) == {}


def test_1b_a_donated_input_is_an_input() -> None:
    text = body('%r = "dnn.relu"(%x) : (T) -> T').replace("%x: tensor<4xf32>", "%x: tensor<4xf32> {dnn.donated}")
    assert reasons(planned("reinplace", text))["r"] == "program-input"
    assert written_over(planned("optimal", text)) == {"r": "x"}


def test_only_the_first_operand_is_considered() -> None:
    text = body('%r = "dnn.add"(%x, %c) : (T, T) -> T')
    assert written_over(planned("reinplace", text)) == {}
    assert written_over(planned("optimal", text)) == {"r": "c"}


def test_2_disjoint_parts_block_each_other() -> None:
    text = body(
        '%a, %b = "dnn.split"(%c) {axis = 0, split_size = 2} : (T) -> (tensor<2xf32>, tensor<2xf32>)',
        '%d = "dnn.relu"(%a) : (tensor<2xf32>) -> tensor<2xf32>',
        '%r = "dnn.add"(%b, %d) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>',
        type_="tensor<2xf32>",
    )
    assert written_over(planned("reinplace", text)) == {"r": "b"}
    assert written_over(planned("optimal", text)) == {"d": "a", "r": "b"}


def test_2a_unread_later_view_is_ignored() -> None:
    text = body('%r = "dnn.relu"(%c) : (T) -> T', '%v = "dnn.reshape"(%c) : (T) -> tensor<2x2xf32>')
    assert written_over(planned("reinplace", text)) == {"r": "c"}


SLICED = '%s = "dnn.slice"(%c) {dim = 0, start = 0, end = 2} : (T) -> tensor<2xf32>'
HALF = "tensor<2xf32>"


def scatter(base: str, source: str, start: int = 0, name: str = "r") -> str:
    at = f"dim = 0, start = {start}, end = {start + 2}"
    return f'%{name} = "dnn.slice_scatter"(%{base}, %{source}) {{{at}}} : (T, {HALF}) -> T'


def test_2c_scatter_back_to_its_slice_is_removed() -> None:
    text = body(SLICED, f'%m = "dnn.relu"(%s) : ({HALF}) -> {HALF}', scatter("c", "m"))
    assert written_over(planned("reinplace", text)) == {"m": "s", "r": "c"}


def test_2c_scatter_with_other_arguments_is_kept() -> None:
    """The scatter reads its base, so %m is not in place; then the scatter is written over its base (3a)."""
    text = body(SLICED, f'%m = "dnn.relu"(%s) : ({HALF}) -> {HALF}', scatter("c", "m", start=1))
    plan = planned("reinplace", text)
    assert written_over(plan) == {"r": "c"}
    assert reasons(plan)["m"] == "used-later"


def test_3a_scatter_is_written_over_its_base() -> None:
    text = body(SLICED, f'%m = "dnn.softmax"(%s) : ({HALF}) -> {HALF}', scatter("c", "m"))
    plan = planned("reinplace", text)
    assert written_over(plan) == {"r": "c"}
    assert sum(len(c) for c in plan.copied.values()) == 2  # the clone, and %m into %r


def test_4_result_written_over_an_operand_joins_its_storage() -> None:
    """%v is a view of the operand that %a is written over: %r would overwrite it."""
    text = body(
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%v = "dnn.reshape"(%a) : (T) -> tensor<2x2xf32>',
        '%r = "dnn.neg"(%a) : (T) -> T',
        '%w = "dnn.add"(%v, %v) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>',
    )
    plan = planned("reinplace", text)
    assert written_over(plan) == {"a": "c"}
    assert reasons(plan)["r"] == "used-later"


def test_5_readers_of_a_removed_scatter_read_the_base() -> None:
    text = body(
        SLICED,
        f'%m = "dnn.relu"(%s) : ({HALF}) -> {HALF}',
        scatter("c", "m", name="a"),
        '%r = "dnn.neg"(%a) : (T) -> T',
    )
    assert written_over(planned("reinplace", text)) == {"m": "s", "a": "c", "r": "a"}


def test_gemm_is_written_over_its_bias() -> None:
    text = """
    func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %c = "dnn.copy"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %r = "dnn.gemm"(%x, %x, %c) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      func.return %r : tensor<2x2xf32>
    }"""
    assert written_over(planned("reinplace", text)) == {"r": "c"}


def test_given_decisions_join_storages() -> None:
    """%a is over %c already, so both are one storage, which %v reads later."""
    text = body(
        '%v = "dnn.reshape"(%c) : (T) -> tensor<2x2xf32>',
        '%a = "dnn.relu"(%c) {dnn.inplace = array<i32: 0>} : (T) -> T',
        '%r = "dnn.neg"(%a) : (T) -> T',
    )
    assert written_over(planned("reinplace", text)) == {"a": "c", "r": "a"}


def test_unsound_decisions_of_the_original_are_refused() -> None:
    run, seen = runner(), 0
    for case in cases("torch_fx_reinplace"):
        if case["expect"]["sound"] or not run.runnable(case):
            continue
        seen += 1
        func = function(run.Function(case).text)
        module = func.parent_op()
        assert module is not None
        InplacePass(strategy="reinplace").apply(context(), module)  # pyright: ignore
        assert check(func) == [], case["id"]
    assert seen > 4


def test_scatter_of_another_value_is_kept() -> None:
    """The original finds %m and the scatter in one place and drops the scatter of %o."""
    lines = [
        SLICED,
        f'%m = "dnn.relu"(%s) : ({HALF}) -> {HALF}',
        f'%o = "dnn.ones"() : () -> {HALF}',
        scatter("c", "o"),
    ]
    plan = planned("reinplace", body(*lines))
    assert written_over(plan) == {"m": "s", "r": "c"}
    assert [c.text for c in plan.copied[by_name(plan, "r")]] == ["%o is copied into %r"]


def test_scatter_over_a_value_read_later_is_kept_apart() -> None:
    """%m is read after the scatter, so it needs its own memory."""
    lines = [
        SLICED,
        f'%m = "dnn.relu"(%s) : ({HALF}) -> {HALF}',
        f'%o = "dnn.ones"() : () -> {HALF}',
        scatter("c", "o"),
    ]
    plan = planned("reinplace", body(*lines, f'%z = "dnn.neg"(%m) : ({HALF}) -> {HALF}'))
    assert written_over(plan) == {"r": "c", "z": "m"}


def test_overlapping_views_as_operands_of_one_op() -> None:
    text = body(
        SLICED,
        f'%t = "dnn.slice"(%c) {{dim = 0, start = 1, end = 3}} : (T) -> {HALF}',
        f'%r = "dnn.add"(%s, %t) : ({HALF}, {HALF}) -> {HALF}',
        type_=HALF,
    )
    plan = planned("reinplace", text)
    assert written_over(plan) == {}
    assert reasons(plan)["r"] == "overlapping-view"


def test_value_read_in_the_next_iteration_is_not_overwritten() -> None:
    """The rules know no loops; the analysis refuses."""
    text = """
    func.func @main(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %c = "dnn.copy"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (tensor<4xf32>) {
        %a = "dnn.relu"(%c) : (tensor<4xf32>) -> tensor<4xf32>
        %b = "dnn.add"(%a, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        scf.yield %b : tensor<4xf32>
      }
      func.return %r : tensor<4xf32>
    }"""
    func = function(text)
    module = func.parent_op()
    assert module is not None
    InplacePass(strategy="reinplace", explain=True).apply(context(), module)  # pyright: ignore
    assert check(func) == []
    plan = planned("reinplace", text)
    assert written_over(plan) == {"b": "a"}
    assert reasons(plan)["a"] == "control-flow"


def ruled(text: str) -> tuple[set[str], dict[str, str]]:
    """The decisions of the rules alone, without the analysis: which results are written over `self`, and the reasons
    against the others."""
    program = NumberedOps.of(function(text))
    assert program is not None
    rules = ReinplaceRules(program, set(), set())
    said = {display_name(op.results[0])[1:]: reason.value for (op, _), reason in rules.reasons.items()}
    return {display_name(op.results[0])[1:] for op in rules.accepted}, said


def test_rule_4_reader_of_a_removed_scatter_reads_the_scattered_value() -> None:
    """%a is computed in %v, a part of %c, so %s is %c itself: readers of %s forbid %b over %a."""
    text = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %v = "dnn.slice"(%c) {dim = 0, start = 0, end = 4} : (tensor<8xf32>) -> tensor<4xf32>
  %a = "dnn.relu"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %s = "dnn.slice_scatter"(%c, %a) {dim = 0, start = 0, end = 4} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  %b = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.opaque"(%b, %s) {kind = "conv"} : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}"""
    accepted, said = ruled(text)
    assert accepted == {"a"}
    assert said["b"] == "used-later"


def test_rule_4_holds_for_given_decisions() -> None:
    """Another pass put %a over the donated %x: %b would be written over a program input (1b)."""
    text = """
func.func @main(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}"""
    accepted, said = ruled(text)
    assert accepted == set()
    assert said["b"] == "program-input"


def test_all_results_of_an_op_are_recorded() -> None:
    """Also behind a scalar result, and behind one with its own memory."""
    accepted, _ = ruled("""
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i, %t, %u = "other.op"(%x) : (tensor<4xf32>) -> (index, tensor<4xf32>, tensor<4xf32>)
  %a = "dnn.exp"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%u) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.opaque"(%a, %b) {kind = "conv"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}""")
    assert accepted == {"a", "b"}


def test_decision_refused_by_the_analysis_is_ignored_by_the_rules() -> None:
    """%a over %v would overwrite bytes of %w that are still read. The rules alone permit it, and then %s would be %c
    itself, whose memory %b may not use. Without %a, %s is written over %c and %b over %a."""
    text = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %v = "dnn.slice"(%c) {dim = 0, start = 0, end = 4} : (tensor<8xf32>) -> tensor<4xf32>
  %w = "dnn.slice"(%c) {dim = 0, start = 2, end = 6} : (tensor<8xf32>) -> tensor<4xf32>
  %a = "dnn.add"(%v, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "dnn.slice_scatter"(%c, %a) {dim = 0, start = 0, end = 4} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  %b = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.opaque"(%b, %s) {kind = "conv"} : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}"""
    assert ruled(text)[0] == {"a"}
    plan = planned("reinplace", text)
    assert written_over(plan) == {"s": "c", "b": "a"}
    assert reasons(plan)["a"] == "overlapping-view"
