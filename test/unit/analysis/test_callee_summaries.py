"""What functions do to their arguments: reads, writes, and where their results lie."""

from __future__ import annotations

import pytest

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.callee_summaries import CalleeSummary, callee_summaries

T = "tensor<8xf32>"


def summaries(text: str) -> dict[str, CalleeSummary]:
    return dict(callee_summaries(parse(context(), text.replace("TT", T), "callees.mlir")))


def test_reads_follow_values_and_writes_follow_memory() -> None:
    found = summaries("""func.func @f(%x: TT {dnn.donated}, %y: TT, %z: TT, %v: f32) -> (TT, f32) {
      %c0 = arith.constant 0 : index
      %r = tensor.insert %v into %x[%c0] {dnn.inplace = array<i32: 1>} : TT
      %e = math.exp %y : TT
      %u = tensor.extract %e[%c0] : TT
      %unused = tensor.extract_slice %z[0] [4] [1] : TT to tensor<4xf32>
      func.return %r, %u : TT, f32
    }""")["f"]
    assert (found.reads, found.writes) == ({0, 1}, {0})
    assert found.returns == ({0}, frozenset()) and found.fresh == (False, False)
    assert found.same == (None, None)


def test_a_function_without_a_body_says_what_it_does() -> None:
    found = summaries("""
    func.func private @any(TT, f32) -> (TT, f32)
    func.func private @kept(TT {bufferization.access = "read"}, TT {bufferization.access = "none"},
                            TT {bufferization.access = "write"}, TT {bufferization.access = "read-write"})
    """)
    assert found["any"] == CalleeSummary(
        frozenset({0}), frozenset({0}), (frozenset({0}), frozenset()), (True,) * 2, (None,) * 2
    )
    assert (found["kept"].reads, found["kept"].writes) == ({0, 3}, {2, 3})


@pytest.mark.parametrize("donate", ["", "{dnn.donate = array<i32: 0>} "])
def test_what_is_given_to_a_call_is_written_and_what_is_copied_is_not(donate: str) -> None:
    found = summaries(f"""func.func private @any(TT)
    func.func @f(%x: TT {{dnn.donated}}) {{
      func.call @any(%x) {donate}: (TT) -> ()
      func.return
    }}""")
    assert found["f"].reads == {0} and found["f"].writes == ({0} if donate else set())


def test_of_a_function_that_calls_itself_the_worst_is_assumed() -> None:
    found = summaries("""func.func @f(%x: TT, %n: i1) -> TT {
      %r = func.call @f(%x, %n) : (TT, i1) -> TT
      func.return %r : TT
    }""")["f"]
    assert (found.reads, found.writes, found.returns, found.same) == ({0}, {0}, ({0},), (None,))


def test_of_functions_that_call_each_other_the_worst_is_assumed_and_no_other() -> None:
    found = summaries("""
    func.func @outer(%x: TT) -> TT {
      %r = func.call @even(%x) : (TT) -> TT
      %s = func.call @leaf(%x) : (TT) -> TT
      func.return %s : TT
    }
    func.func @even(%x: TT) -> TT {
      %r = func.call @odd(%x) : (TT) -> TT
      func.return %r : TT
    }
    func.func @odd(%x: TT) -> TT {
      %r = func.call @even(%x) : (TT) -> TT
      %s = func.call @leaf(%r) : (TT) -> TT
      func.return %s : TT
    }
    func.func @leaf(%x: TT) -> TT {
      func.return %x : TT
    }""")
    for name in ("even", "odd"):
        assert (found[name].reads, found[name].writes, found[name].same) == ({0}, {0}, (None,))
    assert (found["leaf"].writes, found["leaf"].same, found["leaf"].returns) == (set(), (0,), ({0},))
    assert found["outer"].writes == set() and found["outer"].same == (0,)


def test_an_argument_is_a_result_if_every_return_has_it() -> None:
    text = """func.func @f(%x: TT, %y: TT, %c: i1) -> (TT, TT) {
      cf.cond_br %c, ^left, ^right
    ^left:
      func.return %x, %x : TT, TT
    ^right:
      func.return %x, %y : TT, TT
    }"""
    found = summaries(text)["f"]
    assert found.same == (0, None) and found.returns == ({0}, {0, 1}) and found.fresh == (False, False)


def test_a_value_that_a_loop_hands_on_is_the_argument_until_it_is_another() -> None:
    text = """func.func @f(%x: TT, %y: TT, %n: index) -> (TT, TT) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (TT, TT) {
        scf.yield %a, LAST : TT, TT
      }
      func.return %r#0, %r#1 : TT, TT
    }"""
    assert summaries(text.replace("LAST", "%b"))["f"].same == (0, 1)
    assert summaries(text.replace("LAST", "%a"))["f"].same == (0, None)
    assert summaries(text.replace("LAST", "%y"))["f"].same == (0, 1)


def test_forwarded_results_may_be_in_each_argument() -> None:
    text = """func.func @f(%x: TT, %y: TT, %c: i1) -> TT {
      %r = arith.select %c, %x, %y {dnn.forward = array<i32: 1>} : TT
      func.return %r : TT
    }"""
    found = summaries(text)["f"]
    assert found.returns == ({0, 1},) and found.fresh == (False,) and found.writes == set()
    undecided = summaries(text.replace(" {dnn.forward = array<i32: 1>}", ""))["f"]
    assert undecided.returns == (frozenset(),) and undecided.fresh == (True,)
