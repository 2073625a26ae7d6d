"""`--bufferize-pass` refuses memory plans that are wrong, also those that it made itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import ExpOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import Decisions
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass

READ_AGAIN = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.sub ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
"""
CALLED = (
    READ_AGAIN.replace("@f", "private @g")
    + """
func.func private @unknown(tensor<4xf32>)
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.call @unknown(%x) : (tensor<4xf32>) -> ()
  %r = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""
)


@dataclass(frozen=True)
class WronglyDecided(BufferizePass):
    """Decides that the second exponential overwrites what the subtraction reads."""

    def decide(
        self, ctx: Context, module: ModuleOp, order: list[FuncOp], given: Decisions | None = None
    ) -> Mapping[FuncOp, Decisions]:
        super().decide(ctx, module, order, given)
        second = [op for func in order for op in ops_within(func) if isinstance(op, ExpOp)][1]
        attrs.set_entries(second, attrs.INPLACE, [0])
        return {}


@pytest.mark.parametrize("text", [READ_AGAIN, CALLED], ids=["alone", "called"])
@pytest.mark.parametrize("unproved", ["remark", "error"])
def test_a_wrong_decision_of_the_pass_is_an_error(text: str, unproved: str) -> None:
    ctx = context()
    module = parse(ctx, text, "wrong.mlir")
    with pytest.raises(LastuseError, match=r"wrong.mlir:6.*linalg.sub .*overwritten") as caught:
        WronglyDecided(arena="none", unproved=unproved).apply(ctx, module)
    assert caught.value.location is not None


def test_a_right_decision_is_none() -> None:
    ctx = context()
    BufferizePass(arena="none", unproved="error").apply(ctx, parse(ctx, CALLED, "right.mlir"))


def test_what_a_function_promises_is_checked() -> None:
    text = READ_AGAIN.replace("-> tensor<4xf32> {", "-> (tensor<4xf32> {dnn.tied = 1 : i32}) {", 1)
    text = text.replace("(%x: tensor<4xf32>)", "(%x: tensor<4xf32>, %y: tensor<8xf32>)")
    with pytest.raises(LastuseError, match="cannot end in the memory of the argument it is tied to"):
        BufferizePass().apply(context(), parse(context(), text, "tied.mlir"))
