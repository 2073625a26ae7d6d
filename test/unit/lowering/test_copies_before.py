"""Changes of tensor programs that save copies are tried in modules of few ops."""

from __future__ import annotations

import pytest

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import MOST_OPS, BufferizePass

NESTED = """
func.func @main(%p: tensor<?x?xf32>, %n: index, %x: f32) -> (tensor<?x?xf32>, f32) {{
  %z = arith.constant 0.0 : f32
  %a = tensor.extract_slice %p[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %b = tensor.extract_slice %a[0, 0] [5, 5] [1, 1] : tensor<?x?xf32> to tensor<5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%b : tensor<5x5xf32>) -> tensor<5x5xf32>
  %c = tensor.insert_slice %f into %a[0, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<?x?xf32>
  %d = tensor.insert_slice %c into %p[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
{more}
  func.return %d, %s{count} : tensor<?x?xf32>, f32
}}
"""


@pytest.mark.parametrize("count", [1, MOST_OPS])
def test_tensors_are_copied_before_their_parts_are_taken(count: int) -> None:
    more = ["  %s0 = arith.addf %x, %x : f32"]
    more += [f"  %s{k + 1} = arith.addf %s{k}, %x : f32" for k in range(count)]
    module = parse(context(), NESTED.format(more="\n".join(more), count=count), "nested.mlir")
    BufferizePass().apply(context(), module)
    copies = sum(op.name == "memref.copy" for op in module.walk())
    assert copies == 1 if count == 1 else copies > 1
