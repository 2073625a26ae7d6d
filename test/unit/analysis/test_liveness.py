"""Liveness of the values of a function, through region ops."""

from __future__ import annotations

import random
from itertools import combinations

from xdsl.dialects import scf

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.region_contents import captures_of, read_by
from lastuse.dialect.storage.attrs import display_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.disjoint_sets import DisjointSets, flatten, join
from lastuse.passes.analysis.liveness import liveness
from lastuse.passes.analysis.op_numbering import NumberedOps

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
    assert {op: [display_name(v) for v in found] for op, found in captures_of(func.body).items()} == {
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


KERNEL = """
#same = affine_map<(i) -> (i)>
func.func @main(%x: tensor<4xf32>, %k: f32, %c: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    %a = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>)
        outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %s = arith.addf %p, %k : f32
        linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}"""


def test_blocks_of_a_program_are_not_those_of_kernels() -> None:
    """What a kernel captures is read by it; its block is none in which values of the program live."""
    func = main_function(parse(context(), KERNEL, "test.mlir"))
    branch, kernel = (op for op in func.walk() if op.regions and op is not func)
    every, entered = liveness(func.body), liveness(func.body, entered=[branch])
    assert set(every.block_out) - set(entered.block_out) == {kernel.regions[0].block}
    assert all(every.block_out[block] == live for block, live in entered.block_out.items())
    assert [display_name(v) for v in entered.captured[kernel]] == ["%k"]
    assert [display_name(v) for v in entered.captured[branch]] == ["%x", "%e", "%k"]
    program = NumberedOps.of(func)
    assert program is not None
    assert set(program.order) == set(program.block_out) == set(entered.block_out)


def test_numbers_are_joined_as_values_are() -> None:
    """Random pairs: two are in one set of the list where they are in one of `DisjointSets`."""
    chance = random.Random(7)
    for _ in range(50):
        pairs = [(chance.randrange(20), chance.randrange(20)) for _ in range(chance.randrange(25))]
        sets, above = DisjointSets[int](), list(range(20))
        for a, b in pairs:
            sets.union(a, b)
        join(above, pairs)
        flatten(above)
        assert [above[top] for top in above] == above
        for a, b in combinations(range(20), 2):
            assert (sets.find(a) == sets.find(b)) == (above[a] == above[b]), pairs
