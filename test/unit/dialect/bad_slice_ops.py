"""Slices at offsets that operands hold, on what they must refuse."""

from __future__ import annotations

from op_cases import Bad

BAD_SLICES = [
    Bad("dynamic_slice(4x3xf32, i64, i64) {slice_sizes = array<i64: 2>} -> 2xf32", "slice_sizes has 1 axes, the op"),
    Bad("dynamic_slice(4x3xf32, i64) {slice_sizes = array<i64: 2, 2>} -> 2x2xf32", "there are 1 starts for 2 axes"),
    Bad("dynamic_slice(4xf32, i64) {slice_sizes = array<i64: 5>} -> 5xf32", "5 elements along axis 0, of size 4"),
    Bad("dynamic_slice(4xf32, i64) {slice_sizes = array<i64: -1>} -> 4xf32", "slice_sizes has a size of -1"),
    Bad("dynamic_slice(4xf32, i64) {slice_sizes = array<i64: 2>} -> 3xf32", "operands make it tensor<2xf32>"),
    Bad("dynamic_slice(4xf32, 1xi64) {slice_sizes = array<i64: 2>} -> 2xf32", "without axes, of integers"),
    Bad("dynamic_slice(4xf32, f32) {slice_sizes = array<i64: 2>} -> 2xf32", "without axes, of integers"),
    Bad("dynamic_slice(4xf32, i1) {slice_sizes = array<i64: 2>} -> 2xf32", "without axes, of integers"),
    Bad(
        "dynamic_slice(4x3xf32, i64, i32) {slice_sizes = array<i64: 2, 2>} -> 2x2xf32",
        "element types i64 and i32",
    ),
    Bad("dynamic_update_slice(4x3xf32, 2xf32, i64, i64) -> 4x3xf32", "update has 1 axes, the operand 2"),
    Bad("dynamic_update_slice(4x3xf32, 1x3xf32, i64) -> 4x3xf32", "there are 1 starts for 2 axes"),
    Bad("dynamic_update_slice(4xf32, 5xf32, i64) -> 4xf32", "update has 5 elements along axis 0, of size 4"),
    Bad("dynamic_update_slice(4xf32, 2xf64, i64) -> 4xf32", "element types f32 and f64"),
    Bad("dynamic_update_slice(4xf32, 2xf32, i64) -> 2xf32", "operands make it tensor<4xf32>"),
    Bad("dynamic_update_slice(4xf32, 2xf32, ui1) -> 4xf32", "not supported"),
]
