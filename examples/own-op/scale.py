"""A dialect outside lastuse: an op that may be written over its operand, and its contract.

python examples/own-op/scale.py
opt-tool --import examples/own-op/scale.py --inplace-pass model.mlir
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

import lastuse
from lastuse import Contract, InPlace
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.verify_storage import VerifyStoragePass
from lastuse.testing import check_contract


# The op: nothing in it knows of lastuse.
@irdl_op_definition
class ScaleOp(IRDLOperation):
    """y is x, each element times a number."""

    name = "toy.scale"
    x = operand_def(TensorType)
    y = result_def(TensorType)


# Its contract: result 0 may be written over operand 0, even if other operands have exactly the same bytes.
lastuse.register_contract(ScaleOp, Contract(over=(InPlace(result=0, operand=0, allow_same_operand=True),)))

# What `opt-tool --import` finds.
Toy = Dialect("toy", [ScaleOp])


def double(operands: list[np.ndarray], results: list[np.ndarray]) -> None:
    """A kernel of the op, to test the contract with."""
    np.multiply(operands[0], 2, out=results[0])


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
    ctx.register_dialect("toy", lambda: Toy)
    module = parse(ctx, PROGRAM, "scale.mlir")
    InplacePass().apply(ctx, module)
    VerifyStoragePass().apply(ctx, module)
    return module


if __name__ == "__main__":
    module = decided()
    check_contract(next(op for op in module.walk() if isinstance(op, ScaleOp)), double)
    print(module)
