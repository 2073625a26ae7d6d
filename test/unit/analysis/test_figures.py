"""Figures of a function, against a count by hand."""

from __future__ import annotations

from lastuse.compiler import context, main_function
from lastuse.frontends.mlir import parse
from lastuse.passes.analysis.figures import figures
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass

TEXT = """
func.func @main(%x: tensor<20xf32>) -> tensor<20xf32> {
  %a = "dnn.exp"(%x) : (tensor<20xf32>) -> tensor<20xf32>
  %b = "dnn.tanh"(%a) : (tensor<20xf32>) -> tensor<20xf32>
  %v = "dnn.reshape"(%b) : (tensor<20xf32>) -> tensor<4x5xf32>
  %c = "dnn.softmax"(%v) {dnn.scratch_bytes = 30 : i64} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4x5xf32>) -> tensor<20xf32>
  func.return %d : tensor<20xf32>
}
"""


def test_figures_by_hand() -> None:
    """20 floats are 80 bytes, in 64s 128; a, b, c count, the view, the argument and the result do not."""
    ctx = context()
    func = main_function(module := parse(ctx, TEXT, "figures.mlir"))
    naive = figures(func)
    assert naive is not None
    assert naive.naive_bytes == 3 * 128
    assert naive.scratch_bytes == 64
    assert naive.arena_bytes == 3 * 128 + 64
    assert naive.live_peak_bytes == 2 * 128 + 64  # at the softmax: b, c and scratch
    assert naive.inplace_ops == 0
    InplacePass().apply(ctx, module)
    MemoryPlanPass().apply(ctx, module)
    planned = figures(func)
    assert planned is not None
    assert planned.inplace_ops == 2
    assert planned.arena_bytes == planned.live_peak_bytes == 128 + 64
    assert planned.naive_bytes == naive.naive_bytes
