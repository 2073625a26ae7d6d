"""Figures of a function, against a count by hand."""

from __future__ import annotations

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.stats import MemoryStats, memory_stats
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


def test_stats_of_one_function_equal_those_counted_by_hand() -> None:
    """20 floats are 80 bytes, 128 with alignment. Counted are a, b, c and the scratch; not the view, the argument and
    the result."""
    ctx = context()
    func = main_function(module := parse(ctx, TEXT, "figures.mlir"))
    naive = memory_stats(func)
    assert naive is not None
    assert naive.naive_bytes == 3 * 128 + 64
    assert naive.scratch_bytes == 64
    assert naive.arena_bytes == 3 * 128 + 64
    assert naive.live_peak_bytes == 2 * 128 + 64  # at the softmax: b, c and scratch
    assert naive.inplace_ops == 0
    InplacePass().apply(ctx, module)
    MemoryPlanPass().apply(ctx, module)
    planned = memory_stats(func)
    assert planned is not None
    assert planned.inplace_ops == 2
    assert planned.arena_bytes == planned.live_peak_bytes == 128 + 64
    assert planned.naive_bytes == naive.naive_bytes


CALLS = """
func.func @leaf(%x: tensor<20xf32>) -> tensor<20xf32> {
  %a = "dnn.exp"(%x) : (tensor<20xf32>) -> tensor<20xf32>
  %b = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} : (tensor<20xf32>) -> tensor<20xf32>
  %r = "dnn.opaque"(%b) {kind = "conv", dnn.scratch_bytes = 100 : i64} : (tensor<20xf32>) -> tensor<20xf32>
  func.return %r : tensor<20xf32>
}
func.func @small(%x: tensor<20xf32>) -> tensor<20xf32> {
  %a = "dnn.exp"(%x) : (tensor<20xf32>) -> tensor<20xf32>
  %r = "dnn.opaque"(%a) {kind = "conv"} : (tensor<20xf32>) -> tensor<20xf32>
  func.return %r : tensor<20xf32>
}
func.func @middle(%x: tensor<20xf32>) -> tensor<20xf32> {
  %a = "dnn.exp"(%x) : (tensor<20xf32>) -> tensor<20xf32>
  %r = func.call @leaf(%a) : (tensor<20xf32>) -> tensor<20xf32>
  func.return %r : tensor<20xf32>
}
func.func @main(%x: tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>) {
  %a = "dnn.exp"(%x) : (tensor<20xf32>) -> tensor<20xf32>
  %b = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} : (tensor<20xf32>) -> tensor<20xf32>
  %r = func.call @middle(%b) : (tensor<20xf32>) -> tensor<20xf32>
  %s = func.call @small(%b) : (tensor<20xf32>) -> tensor<20xf32>
  func.return %r, %s : tensor<20xf32>, tensor<20xf32>
}
"""


def test_stats_of_calls_include_one_callee_at_a_time() -> None:
    """Each value and each scratch take 128 bytes. A callee's memory is added to what is live at the call, one callee at
    a time; the naive figure adds all."""
    module = parse(context(), CALLS, "figures.mlir")
    functions = functions_of(module)
    assert memory_stats(functions["small"], functions) == MemoryStats(128, 0, 128, 128, 0)
    leaf = MemoryStats(arena_bytes=256, scratch_bytes=128, naive_bytes=256 + 128, live_peak_bytes=256, inplace_ops=1)
    assert memory_stats(functions["leaf"], functions) == leaf
    # At its call, @middle has its own %a beside what @leaf needs.
    middle = MemoryStats(
        arena_bytes=128 + 256, scratch_bytes=128, naive_bytes=384 + 128, live_peak_bytes=384, inplace_ops=1
    )
    assert memory_stats(functions["middle"], functions) == middle
    # %a with %b, beside @middle and then beside @small.
    main = MemoryStats(128 + 384, 128, 256 + 512 + 128, 128 + 384, 1 + 1)
    assert memory_stats(functions["main"], functions) == main
    assert memory_stats(functions["main"]) == MemoryStats(128, 0, 256, 128, 1), "alone: what is called is not known"


def test_function_of_unknown_sizes_has_no_stats() -> None:
    """Nor has a function that calls it."""
    text = """
func.func @leaf(%x: tensor<?xf32>) -> tensor<f32> {
  %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %r = "dnn.opaque"(%a) {kind = "conv"} : (tensor<?xf32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
func.func @main(%x: tensor<20xf32>) -> tensor<f32> {
  %y = "tensor.cast"(%x) : (tensor<20xf32>) -> tensor<?xf32>
  %r = func.call @leaf(%y) : (tensor<?xf32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
"""
    functions = functions_of(parse(context(), text, "figures.mlir"))
    assert memory_stats(functions["leaf"]) is None
    assert memory_stats(functions["main"], functions) is None
