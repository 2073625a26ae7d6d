"""An op of which only some results are views computes the others from its operands: it reads their bytes."""

from __future__ import annotations

import pytest
from contract_ops import VariadicOp
from xdsl.dialects.func import FuncOp

from lastuse import Contract, View, register_contract
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass

TEXT = """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %view, %c = "registered.variadic"(%a) {count = 1 : i64} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return %b, %c : tensor<4xf32>, tensor<4xf32>
}"""


@pytest.mark.usefixtures("registered_contracts")
@pytest.mark.parametrize("strategy", ["optimal", "nntrainer", "paddle", "reinplace", "transpiler"])
def test_nothing_is_written_over_what_an_op_with_a_view_reads_later(strategy: str) -> None:
    register_contract(VariadicOp, Contract(views=(View(0, 0, lambda layout: layout, whole=True),)))
    ctx = context()
    ctx.load_op(VariadicOp)
    module = parse(ctx, TEXT, "views.mlir")
    InplacePass(strategy).apply(ctx, module)
    (func,) = (op for op in module.walk() if isinstance(op, FuncOp))
    relu = list(func.body.block.ops)[1]
    assert "dnn.inplace" not in relu.attributes
    assert not check(func)
