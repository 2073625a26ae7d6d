"""An op of somebody else's dialect that may be written over its operand: what it takes to tell lastuse so.

python examples/own-op/scale.py
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

import lastuse
from lastuse.compiler import context
from lastuse.dialect.storage import Contract, InPlace
from lastuse.frontends.mlir import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.verify_storage import VerifyStoragePass


# The op: nothing in it knows of lastuse.
@irdl_op_definition
class Scale(IRDLOperation):
    """y is x, each element times a number."""

    name = "toy.scale"
    x = operand_def(TensorType)
    y = result_def(TensorType)


# Its contract: result 0 may be written over operand 0, whatever else lies in exactly the same bytes.
lastuse.register_contract(Scale, Contract(over=(InPlace(result=0, operand=0, allow_same_operand=True),)))

PROGRAM = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "toy.scale"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "toy.scale"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "toy.scale"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""


def decided() -> ModuleOp:
    """The program, decided and checked."""
    ctx = context()
    ctx.register_dialect("toy", lambda: Dialect("toy", [Scale]))
    module = parse(ctx, PROGRAM, "scale.mlir")
    InplacePass().apply(ctx, module)
    VerifyStoragePass().apply(ctx, module)
    return module


if __name__ == "__main__":
    print(decided())
