"""Alias classes: which pairs of values may share a byte, and what is said of a value in another's memory."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.layout import may_overlap
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.alias import AliasClasses, alias_classes

PARTS = """
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %low = "dnn.slice"(%x) {dim = 0 : i64, start = 0 : i64, end = 4 : i64} : (tensor<8xf32>) -> tensor<4xf32>
  %high = "dnn.slice"(%x) {dim = 0 : i64, start = 4 : i64, end = 8 : i64} : (tensor<8xf32>) -> tensor<4xf32>
  %middle = "dnn.slice"(%x) {dim = 0 : i64, start = 2 : i64, end = 6 : i64} : (tensor<8xf32>) -> tensor<4xf32>
  %square = "dnn.reshape"(%x) : (tensor<8xf32>) -> tensor<2x4xf32>
  %any = "other.op"(%y) : (tensor<8xf32>) -> tensor<4xf32>
  func.return %x : tensor<8xf32>
}"""


def analysed(text: str) -> tuple[dict[str, SSAValue], AliasClasses]:
    """The values of a function by name, and their classes."""
    func: FuncOp = main_function(parse(context(), text, "test.mlir"))
    results = (r for op in func.body.walk() for r in op.results)
    return {display_name(v)[1:]: v for v in [*func.args, *results]}, alias_classes(func)


def test_values_of_one_storage_have_one_number() -> None:
    """The result of a foreign op may alias any byte of its operand."""
    values, found = analysed(PARTS)
    number = {name: found.number[value] for name, value in values.items()}
    assert number == {name: number["y" if name in ("y", "any") else "x"] for name in values}
    assert number["x"] != number["y"]


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [("low", "high", False), ("low", "middle", True), ("high", "middle", True), ("low", "square", True)],
)
def test_disjoint_parts_of_one_storage_do_not_overlap(one: str, other: str, meet: bool) -> None:
    """Compares the bytes of each part in the storage of the whole."""
    values, found = analysed(PARTS)
    (a,), (b,) = found.shares[values[one]], found.shares[values[other]]
    assert a.root is b.root is values["x"]
    assert may_overlap(a.layout, b.layout) is may_overlap(b.layout, a.layout) is meet


def test_shares_of_views_and_foreign_results() -> None:
    values, found = analysed(PARTS)
    said = {name: found.shares[v] for name, v in values.items() if v in found.shares}
    assert said.keys() == {"low", "high", "middle", "square", "any"}
    assert all(len(shares) == 1 for shares in said.values())
    x, y = values["x"], values["y"]
    assert {name: (s.root is x, s.whole, s.may) for name, (s,) in said.items() if name != "any"} == {
        "low": (True, False, False),
        "high": (True, False, False),
        "middle": (True, False, False),
        "square": (True, True, False),
    }
    (share,) = said["any"]
    assert share.root is y
    assert (share.whole, share.may) == (False, True)


def test_a_view_of_unknown_size_is_all_of_its_operand() -> None:
    values, found = analysed("""
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x2x2xf32> {
  %v = "dnn.reshape"(%x) : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  func.return %v : tensor<?x2x2xf32>
}""")
    (share,) = found.shares[values["v"]]
    assert share.root is values["x"]
    assert share.whole is True


def test_unknown_size_at_a_number_of_known_size() -> None:
    """Whether a value of unknown size fills the storage of its number is unknown."""
    values, found = analysed("""
func.func @main(%x: tensor<4xf32>, %n: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%n) {dnn.reuse = array<i32: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %c : tensor<?xf32>
}""")
    (share,) = found.shares[values["c"]]
    assert share.root is values["a"]
    assert share.whole is False
