"""The buffers of a function and their live ranges, op by op in the order of its blocks."""

from __future__ import annotations

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.attrs import display_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.memory.allocation_problem import allocation_problem


def lifetimes(text: str) -> dict[str, tuple[int, int]]:
    """First and last time of each storage, by the names of the values that say where it is; there are no holes."""
    found = pieces(text)
    assert all(len(spans) == 1 for spans in found.values())
    return {name: spans[0] for name, spans in found.items()}


def pieces(text: str) -> dict[str, list[tuple[int, int]]]:
    """First and last times of each piece of life, by the names of the values that say where the storage is."""
    found = allocation_problem(main_function(parse(context(), text, "test.mlir")))
    assert found is not None
    return {
        ",".join(display_name(r)[1:] for r in owners): [(piece.lower, piece.upper - 1) for piece in buffer.live_ranges]
        for owners, buffer in zip(found.owners, found.buffers, strict=True)
        if isinstance(owners, tuple)
    }


def test_value_read_in_a_loop_is_live_to_its_end() -> None:
    """The first op of the loop reads %a in every iteration, so %a is live while %c is. %s is the loop-carried value."""
    assert pieces("""
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^loop(%x : tensor<4xf32>)
^loop(%s: tensor<4xf32>):
  %b = "dnn.add"(%s, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.neg"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %go, ^loop(%c : tensor<4xf32>), ^end
^end:
  %d = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}""") == {"a": [(0, 4)], "s": [(1, 2), (4, 4)], "b": [(2, 3)], "c": [(3, 4)]}


def test_unread_result_is_written_at_the_end_of_every_arm() -> None:
    assert pieces("""
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %r = scf.if %go -> (tensor<4xf32>) {
    %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %x : tensor<4xf32>
}""") == {"r": [(2, 2), (4, 4)], "a": [(1, 2)], "b": [(3, 4)]}


def test_value_read_in_one_arm_is_dead_in_the_other() -> None:
    """Only the second arm reads %b; %c is read after both; %r is written at the end of an arm."""
    assert pieces("""
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %go -> (tensor<4xf32>) {
    %d = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %e = "dnn.exp"(%d) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %f = "dnn.neg"(%b) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  }
  %s = "dnn.add"(%r, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "dnn.exp"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}""") == {
        "a": [(0, 4)],
        "b": [(1, 3), (7, 7)],
        "c": [(2, 9)],
        "r": [(6, 6), (8, 9)],
        "d": [(4, 5)],
        "e": [(5, 6)],
        "f": [(7, 8)],
        "s": [(9, 10)],
    }


def test_value_defined_in_a_loop_has_holes_in_branches_but_not_one_from_outside() -> None:
    """%a is read in every iteration, so it is live in both arms; %b is computed anew in each iteration."""
    found = pieces("""
func.func @main(%x: tensor<4xf32>, %go: i1, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %l = scf.for %i = %zero to %n step %one iter_args(%p = %x) -> (tensor<4xf32>) {
    %b = "dnn.exp"(%p) : (tensor<4xf32>) -> tensor<4xf32>
    %r = scf.if %go -> (tensor<4xf32>) {
      %c = "dnn.neg"(%p) : (tensor<4xf32>) -> tensor<4xf32>
      scf.yield %c : tensor<4xf32>
    } else {
      %d = "dnn.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %d : tensor<4xf32>
    }
    scf.yield %r : tensor<4xf32>
  }
  %y = "dnn.exp"(%l) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}""")
    assert found["a"] == [(2, 10)]
    assert found["b"] == [(4, 5), (8, 8)]
    assert found["l"] == [(3, 11)]


def test_blocks_on_no_path_to_a_read_are_holes() -> None:
    """%a is read in the last block, which is reached through ^other only; ^other comes last in the block order."""
    assert pieces("""
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %go, ^one, ^other
^one:
  %b = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
^other:
  %d = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}""")["a"] == [(0, 1), (5, 5)]


def test_block_argument_is_written_at_the_end_of_every_predecessor() -> None:
    """%q has number 7: the first branch moves %a there, the second %b."""
    assert pieces("""
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %go, ^end(%a : tensor<4xf32>), ^other {dnn.succ_reuse = [array<i32: 7>, array<i32>]}
^other:
  %b = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%b : tensor<4xf32>) {dnn.succ_reuse = [array<i32: 7>]}
^end(%q: tensor<4xf32>):
  %c = "dnn.neg"(%q) {dnn.inplace = array<i32: 0>, dnn.reuse = array<i32: 7>} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.exp"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}""") == {"a": [(0, 1)], "b": [(2, 3)], "q,c": [(1, 1), (3, 5)]}


def test_storage_number_0_is_a_number() -> None:
    text = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%b) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}"""
    assert lifetimes(text) == {"a,c": (0, 3), "b": (1, 2)}


def test_value_that_is_returned_and_read_is_a_result() -> None:
    found = allocation_problem(
        main_function(
            parse(
                context(),
                """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}""",
                "test.mlir",
            )
        )
    )
    assert found is not None
    assert (found.naive_bytes, found.buffers) == (0, ())


def test_scratch_of_a_region_op_is_the_largest_inside() -> None:
    found = allocation_problem(
        main_function(
            parse(
                context(),
                """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.scratch_bytes = 30 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.opaque"(%a) {kind = "conv", dnn.scratch_bytes = 100 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}""",
                "test.mlir",
            )
        )
    )
    assert found is not None
    assert found.scratch_bytes == 128
    assert [(b.size, b.first, b.last) for b in found.buffers] == [(64, 0, 1), (64, 0, 0), (128, 1, 1)]
