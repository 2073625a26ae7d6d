"""Ops on quantized numbers, on what they must refuse."""

from __future__ import annotations

from op_cases import Bad, segments

BAD_QUANTIZED = [
    Bad("quantize_linear(3xf32, f32, f32) -> 3xf32", "not to f32"),
    Bad("quantize_linear(3xf32, 2xf32) {axis = 0 : i64} -> 3xui8", "x and scale along axis 0"),
    Bad("quantize_linear(3xf32, f32, ui8) {output_dtype = i8} -> 3xi8", "output_dtype is i8"),
    Bad("quantize_linear(3xf32, f32, 3xui8) -> 3xui8", "scale and zero point have 0 and 1 axes"),
    Bad("quantize_linear(3xi64, f32) -> 3xui8", "or i32, not i64"),
    Bad("quantize_linear(3xf32, f32) {precision = i8} -> 3xui8", "precision must be"),
    Bad("quantize_linear(2x5xf32, 2x2xf32) {block_size = 2 : i64} -> 2x5xui8", "blocks of x and scale"),
    Bad("quantize_linear(2x5xf32, 2x5xf32) -> 2x5xui8", "one axis at most without block_size"),
    Bad("dequantize_linear(3xi64, f32) -> 3xf32", "not i64"),
    Bad("dequantize_linear(3xi8, f32, ui8) -> 3xf32", "element types i8 and ui8"),
    Bad("dequantize_linear(3xi8, f32) {output_dtype = i8} -> 3xi8", "output_dtype must be"),
    *(
        Bad(f"packed_matmul({operands}) {{columns = {columns} : i64{more}}} -> {result}", said)
        for operands, columns, more, result, said in (
            ("2x3xf64, 48xf64", 4, "", "2x4xf64", "the operands must be f32"),
            ("3xf32, 48xf32", 4, "", "4xf32", "x must have 2 axes or more"),
            ("2x3xf32, 3x16xf32", 4, "", "2x4xf32", "b and the bias 1"),
            ("2x3xf32, 48xf32", 0, "", "2x0xf32", "columns must be 1 or more"),
            ("2x3xf32, 47xf32", 4, "", "2x4xf32", "b and its panels"),
            ("2x3xf32, 48xf32, 3xf32", 4, ", has_bias = 1 : i64", "2x4xf32", "the bias and the columns"),
            ("2x3xf32, 48xf32, 4xf32", 4, "", "2x4xf32", "there are 3 operands besides those of post-ops, not 2"),
            ("2x3xf32, 48xf32", 4, ", has_bias = 1 : i64", "2x4xf32", "there are 2 operands besides those of post-ops"),
            ("2x5x3xf32, 48xf32", 4, ", steps = array<i64: 0>", "2x5x4xf32", "steps must have 1 numbers of 1 or more"),
            ("2x5x3xf32, 48xf32", 4, ", steps = array<i64: 1, 2>", "2x5x4xf32", "steps must have 1 numbers"),
        )
    ),
    Bad("dequantized_matmul(2x3xf64, 3x4xi8, 4xf32) -> 2x4xf64", "must be f32, not f64"),
    Bad("dequantized_matmul(2x3xf32, 3x4xi16, 4xf32) -> 2x4xf32", "one element type of i8 and ui8"),
    Bad("dequantized_matmul(2x3xf32, 3x4xi8, 4xf32, 4xui8) -> 2x4xf32", "one element type of i8 and ui8"),
    Bad("dequantized_matmul(3xf32, 3x4xi8, 4xf32) -> 4xf32", "a must have 2 axes or more"),
    Bad("dequantized_matmul(2x3xf32, 4x4xi8, 4xf32) -> 2x4xf32", "the summed axes"),
    Bad("dequantized_matmul(2x3xf32, 3x4xi8, 3xf32) -> 2x4xf32", "scale and the columns of b"),
    Bad("dequantized_matmul(2x3xf32, 3x4xi8, f32) -> 2x4xf32", "scale must have one axis"),
    Bad(
        "dequantized_matmul(2x3xf32, 96xi8, 32xf32) {packed = array<i64: 3, 32>} -> 2x32xf32",
        "whole strips of 64 columns, not [3, 32]",
    ),
    Bad(
        "dequantized_matmul(2x3xf32, 192xi8, 128xf32) {packed = array<i64: 3, 128>} -> 2x128xf32",
        "packed weights of sizes [3, 128] have 384 elements on one axis",
    ),
    *(
        Bad(
            f"blockwise_matmul({operands}) "
            f"{{bits = {bits} : i64, block_size = 2 : i64, columns = {columns} : i64}} -> 2x5xf32",
            said,
        )
        for bits, columns, operands, said in (
            (3, 5, "2x4xf32, 1x4x32xui8, 1x2x64xf32", "3 bits in blocks of 2 for 5 columns are not supported"),
            (4, 5, "2x4xf64, 1x4x32xui8, 1x2x64xf32", "b ui8, not f64, f32 and ui8"),
            (4, 5, "2x4xf32, 1x4x32xi8, 1x2x64xf32", "b ui8, not f32, f32 and i8"),
            (4, 5, "2x4xf32, 1x4x32xui8, 1x2x64xf32, 1x2x64xi8", "zero_point must be ui8 or f32, not i8"),
            (4, 5, "4xf32, 1x4x32xui8, 1x2x64xf32", "a must have 2 axes or more, b 3"),
            (4, 5, "2x3xf32, 1x4x32xui8, 1x2x64xf32", "the summed axes"),
            (8, 5, "2x4xf32, 1x4x32xui8, 1x2x64xf32", "b and its axis 2"),
            (4, 65, "2x4xf32, 1x4x32xui8, 1x2x64xf32", "b and its axis 0"),
            (4, 5, "2x4xf32, 1x4x32xui8, 1x3x64xf32", "scale and its axis 1"),
            (4, 5, "2x4xf32, 1x4x32xui8, 64xf32", "scale must have 3 axes, not 1"),
            (4, 5, "2x4xf32, 1x4x32xui8, 1x2x64xf32, 1x2x32xui8", "zero_point and its axis 2"),
        )
    ),
    Bad("dynamic_quantize_linear(3xf64) -> 3xui8, f32, ui8", "elements must be f32"),
    Bad(f"conv_integer(1x2x3xi8, 1x1x2xi8) {segments(1, 1, 0, 0)} -> 1x1x2xi32", "channels of x and of the weights"),
    Bad(f"conv_integer(1x2x3xi8, 1x2x2xi32) {segments(1, 1, 0, 0)} -> 1x1x2xi32", "must be ui8 or i8"),
    Bad(
        f"conv_integer(1x2x3xi8, 1x2x2xi8, 2xi8) {segments(1, 1, 1, 0)} -> 1x1x2xi32", "x_zero_point must be one number"
    ),
    Bad("qlinear_conv(1x2x3xi8, f32, i8, 1x2x2xi8, f32, i8, f32, i8, 1xi64) -> 1x1x2xi8", "the bias must be i32"),
    Bad("qlinear_conv(1x2x3xi8, f32, i8, 1x2x2xi8, f32, ui8, f32, i8) -> 1x1x2xi8", "w_zero_point is ui8"),
    Bad(
        "qlinear_conv(1x3x2xi8, f32, i8, 1x2x3xi8, f32, i8, f32, i8) {channels_last = true} -> 1x2x1xi8",
        "channels of x and of the weights",
    ),
    Bad("qlinear_matmul(2x3xi8, f32, i8, 3x4xi8, f32, i8, f32, i8, 4xf32) -> 2x4xi8", "the bias must be i32"),
    Bad("qlinear_matmul(2x3xi8, f32, i8, 3x4xi8, f32, i8, f32, i8, 3xi32) -> 2x4xi8", "the bias and the columns of b"),
    Bad(f"matmul_integer(2x3xi32, 3x4xi8) {segments(1, 1, 0, 0)} -> 2x4xi32", "must be ui8 or i8"),
    Bad(f"matmul_integer(2x3xi8, 3x4xi8, ui8) {segments(1, 1, 1, 0)} -> 2x4xi32", "a_zero_point is ui8"),
    Bad(f"matmul_integer(2x3xi8, 3x4xi8, 3xi8) {segments(1, 1, 1, 0)} -> 2x4xi32", "a_zero_point: sizes 2 and 3"),
    Bad(f"matmul_integer(2x3xi8, 3x4xi8, 2x3xi8) {segments(1, 1, 1, 0)} -> 2x4xi32", "the summed axis of a_zero_point"),
    Bad(
        f"matmul_integer(2x3xi8, 12xi8) {segments(1, 1, 0, 0, more='packed = array<i64: 3, 4>, ')} -> 2x4xi32",
        "packed weights of sizes [3, 4] have 128 elements on one axis",
    ),
    Bad(
        f"matmul_integer(2x3xi8, 128xi8) {segments(1, 1, 0, 0, more='packed = array<i64: 3>, ')} -> 2x4xi32",
        "packed weights have 2 sizes, not 1",
    ),
    Bad(
        "qlinear_conv(1x2x7x7xui8, f32, ui8, 320xui8, f32, ui8, f32, ui8) {packed = array<i64: 3, 2, 3, 3>}"
        " -> 1x3x5x5xui8",
        "weights of sizes [3, 2, 3, 3] are not packed",
    ),
    Bad(
        "qlinear_add(2x3xui8, 2xf32, ui8, 2x3xui8, f32, ui8, f32, ui8) -> 2x3xui8", "a_scale must be one number of f32"
    ),
    Bad("qlinear_add(2x3xui8, f32, ui8, 2x3xi32, f32, i32, f32, ui8) -> 2x3xui8", "b must be i8 or ui8, not i32"),
    Bad(
        "qlinear_add(2x3xui8, f32, i8, 2x3xui8, f32, ui8, f32, ui8) -> 2x3xui8",
        "a_zero_point must be one number of ui8",
    ),
    Bad(
        f"scaled_matmul_integer(2x3xui8, 3x4xi8, f32, 3xf32) {segments(1, 1, 1, 1, 0, 0, 0)} -> 2x4xf32",
        "b_scale and the columns of b",
    ),
    Bad(
        f"scaled_matmul_integer(2x3xui8, 3x4xi8, 4xf32) {segments(1, 1, 1, 0, 0, 0, 0)} -> 2x4xf32",
        "a_scale must be one number",
    ),
    Bad(
        f"scaled_matmul_integer(2x3xui8, 3x4xi8, f64) {segments(1, 1, 1, 0, 0, 0, 0)} -> 2x4xf32",
        "a_scale must be f32, not f64",
    ),
    Bad(
        f"scaled_conv_integer(1x2x5x5xui8, 3x2x3x3xi8, f32, 3xf32) {segments(1, 1, 1, 1, 0, 0, 0)} -> 1x3x3x3xf32",
        "w_scale must be one number, or one for each channel",
    ),
    Bad(
        f"scaled_conv_integer(1x2x5x5xui8, 3x2x3x3xi8, f32, 4x1x1xf32) {segments(1, 1, 1, 0, 0, 0, 1)} -> 1x3x3x3xf32",
        "bias and the channels of the result: sizes 4 and 3",
    ),
    Bad(
        f"scaled_conv_integer(1x2x5x5xui8, 3x2x3x3xi8, 3xf32) {segments(1, 1, 1, 0, 0, 0, 0)} -> 1x3x3x3xf32",
        "x_scale must be one number",
    ),
    Bad(
        f"scaled_conv_integer(1x2x5x5xui8, 3x2x3x3xi8, f32, f64) {segments(1, 1, 1, 0, 0, 0, 1)} -> 1x3x3x3xf32",
        "bias must be f32, not f64",
    ),
    Bad(
        f"scaled_conv_integer(1x2x5xui8, 3x2x3xi8, f32, 1x1x3x1xf32) {segments(1, 1, 1, 1, 0, 0, 0)} -> 1x3x3xf32",
        "w_scale has 4 axes, the result 3",
    ),
    Bad("byte_table(2x3xf32, 256xui8) -> 2x3xui8", "x must be i8 or ui8, not f32"),
    Bad("byte_table(2x3xui8, 256xf32) -> 2x3xf32", "the table must be i8 or ui8, not f32"),
    Bad("byte_table(2x3xui8, 255xui8) -> 2x3xui8", "the table must have 256 numbers on one axis, or for each channel"),
    Bad("byte_table(2x3xui8, 2x256xui8) -> 2x3xui8", "channels of x and table: sizes 3 and 2 differ"),
    Bad(
        "byte_table(2x3xui8, 1x3x256xui8) -> 2x3xui8",
        "the table must have 256 numbers on one axis, or for each channel",
    ),
]
