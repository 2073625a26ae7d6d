"""Liveness of the values of a function, through region ops."""

from __future__ import annotations

from xdsl.dialects import scf

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.attrs import display_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.liveness import captured, liveness, read_by

BRANCH = """
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    %d = "dnn.neg"(%b) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %s = "dnn.add"(%r, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t = "dnn.neg"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %t : tensor<4xf32>
}"""


def test_value_read_after_a_branch_is_live_in_its_arms() -> None:
    """Values that only one arm reads are not live at the end of either."""
    func = main_function(parse(context(), BRANCH, "test.mlir"))
    branch = next(op for op in func.walk() if isinstance(op, scf.IfOp))
    found = liveness(func.body)
    for region in branch.regions:
        assert {display_name(v) for v in found.block_out[region.block]} == {"%a"}


NEST = """
func.func @main(%x: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%s = %a) -> (tensor<4xf32>) {
    %b = "dnn.add"(%s, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %t = scf.if %c -> (tensor<4xf32>) {
      %d = "dnn.add"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %d : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}"""


def test_captured_values_are_those_defined_outside_the_op() -> None:
    """Values defined inside, at any depth, are not captured; each captured value is listed once, in program order."""
    func = main_function(parse(context(), NEST, "test.mlir"))
    loop, branch = (next(op for op in func.walk() if isinstance(op, kind)) for kind in (scf.ForOp, scf.IfOp))
    assert {op: [display_name(v) for v in found] for op, found in captured(func.body).items()} == {
        loop: ["%x", "%c", "%a"],
        branch: ["%b", "%a", "%x"],
    }
    assert [display_name(v) for v in read_by(loop)] == ["%n", "%a", "%x", "%c"]


TWO_BRANCHES = """
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %b = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %s = scf.if %c -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %r : tensor<4xf32>
  }
  func.return %s : tensor<4xf32>
}"""


def test_value_captured_by_a_later_branch_is_live_through_the_first() -> None:
    """Values defined in the block itself are not live at its entry."""
    func = main_function(parse(context(), TWO_BRANCHES, "test.mlir"))
    found = liveness(func.body).block_out
    first, second = (op for op in func.walk() if isinstance(op, scf.IfOp))
    assert {display_name(v) for v in found[func.body.blocks[0]]} == {"%a", "%x", "%c"}
    assert [{display_name(v) for v in found[region.block]} for region in first.regions] == [{"%a", "%c"}] * 2
    assert [{display_name(v) for v in found[region.block]} for region in second.regions] == [set()] * 2
