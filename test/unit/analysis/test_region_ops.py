"""Storage numbers of the results of region ops, of the values that their regions yield, and of given decisions."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass

T = "tensor<4xf32>"


def decided(text: str) -> dict[str, Operation]:
    """The ops of a program that the rules of `transpiler` have decided, by the name of their first result."""
    module = parse(context(), text.replace(" T", f" {T}").replace("(T", f"({T}"), "test.mlir")
    InplacePass("transpiler").apply(context(), module)
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    assert check(func) == []
    return {op.results[0].name_hint or "": op for op in func.walk() if op.results}


def test_given_storage_number_is_kept_and_other_results_get_new_ones() -> None:
    ops = decided("""
func.func @main(%c: i1, %x: T) -> T {
  %r, %s = scf.if %c -> (T, T) {
    %a = "dnn.exp"(%x) : (T) -> T
    %b = "dnn.neg"(%x) : (T) -> T
    scf.yield %a, %b : T, T
  } else {
    %d = "dnn.exp"(%x) : (T) -> T
    %e = "dnn.abs"(%x) : (T) -> T
    scf.yield %d, %e : T, T
  } {dnn.reuse = array<i32: 0, -1>}
  %u = "dnn.opaque"(%r, %s) {kind = "conv"} : (T, T) -> T
  func.return %u : T
}""")
    assert attrs.entries(ops["r"], attrs.REUSE) == (0, 1)
    assert [attrs.entries(ops[name], attrs.REUSE)[0] for name in "abde"] == [-1, 1, -1, 1]


def test_value_in_the_memory_of_a_block_argument_gets_no_number() -> None:
    """A number would have to be given by every branch to the block."""
    ops = decided("""
func.func @main(%c: i1, %x: T) -> T {
  %a = "dnn.exp"(%x) : (T) -> T
  cf.br ^one(%a : T)
^one(%p: T):
  %q = "dnn.relu"(%p) {dnn.inplace = array<i32: 0>} : (T) -> T
  %r = scf.if %c -> (T) {
    scf.yield %q : T
  } else {
    scf.yield %q : T
  }
  %u = "dnn.opaque"(%r) {kind = "conv"} : (T) -> T
  func.return %u : T
}""")
    assert attrs.entries(ops["r"], attrs.REUSE) == (-1,)
