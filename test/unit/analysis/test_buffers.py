"""What a function needs memory for, and from when to when: op by op, in the order of its blocks."""

from __future__ import annotations

from lastuse.compiler import context, main_function
from lastuse.dialect.decisions import shown
from lastuse.frontends.mlir import parse
from lastuse.passes.analysis.buffers import demand


def lifetimes(text: str) -> dict[str, tuple[int, int]]:
    """First and last time of each storage, by the names of the values that say where it is."""
    found = demand(main_function(parse(context(), text, "test.mlir")))
    assert found is not None
    return {
        ",".join(shown(r)[1:] for r in owners): (buffer.first, buffer.last)
        for owners, buffer in zip(found.owners, found.buffers, strict=True)
        if isinstance(owners, tuple)
    }


def test_what_a_loop_reads_lives_to_its_end() -> None:
    """%a is read by the first op of the loop alone, and again in the next round: not free while %c is there."""
    assert lifetimes("""
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
}""") == {"a": (0, 4), "s": (1, 4), "b": (2, 3), "c": (3, 4)}


def test_a_result_that_nobody_reads_is_written_by_every_arm() -> None:
    """To the end of the last arm: %r is no longer than that, and no shorter."""
    assert lifetimes("""
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %r = scf.if %go -> (tensor<4xf32>) {
    %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %x : tensor<4xf32>
}""") == {"r": (0, 4), "a": (1, 2), "b": (3, 4)}


def test_a_block_argument_is_written_at_the_end_of_every_block_before() -> None:
    """%q has number 7: the first branch already moves %a there, and %b follows at the second."""
    assert lifetimes("""
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
}""") == {"a": (0, 1), "b": (2, 3), "q,c": (1, 5)}


def test_number_0_is_a_number() -> None:
    text = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%b) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}"""
    assert lifetimes(text) == {"a,c": (0, 3), "b": (1, 2)}


def test_what_is_returned_and_read_is_a_result() -> None:
    found = demand(
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


def test_scratch_is_the_largest_of_an_op() -> None:
    found = demand(
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
