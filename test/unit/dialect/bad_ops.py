"""Ops on what they must refuse, and words of the reason."""

from __future__ import annotations

from typing import NamedTuple

from op_cases import BF16, INT8, data, halves, segments


class Bad(NamedTuple):
    """A line that must be refused, and words of the reason."""

    line: str
    reason: str


BAD = [
    Bad("relu(3xf32) -> 4xf32", "its operands make it tensor<3xf32>"),
    Bad("relu(3xf32) {alpha = 1 : i64} -> 3xf32", "has no attribute 'alpha'"),
    Bad("relu(3xi1) -> 3xi1", "must be numbers"),
    Bad('relu(3xf32) {dnn.engine = "gpu"} -> 3xf32', "dnn.engine must be"),
    Bad('neg(3xf32) {dnn.engine = "onednn"} -> 3xf32', "does not run on engine onednn"),
    Bad("exp(3xi64) -> 3xi64", "floating-point"),
    Bad('gelu(3xf32) {approximate = "fast"} -> 3xf32', "approximate must be"),
    Bad("clip(3xi32) {min = 0.5 : f32} -> 3xi32", "0.5 is no value of element type i32"),
    Bad("clip(3xi32) {min = 4294967296 : i64} -> 3xi32", "no value of element type i32"),
    Bad("scale(3xi32) {scale = 0.5 : f32} -> 3xi32", "0.5 is no value"),
    Bad("add(3xf32, 4xf32) -> 3xf32", "sizes 3 and 4 do not broadcast"),
    Bad("add(3xf32, 3xf64) -> 3xf32", "element types f32 and f64"),
    Bad("less(3xf32, 3xf32) -> 3xi64", "make it tensor<3xi1>"),
    Bad("sum(3xf32, 1xf32) -> 3xf32", "sizes 3 and 1 differ"),
    Bad("sum() -> 3xf32", "at least one operand"),
    Bad("where(3xf32, 3xf32, 3xf32) -> 3xf32", "must have element type i1"),
    Bad("masked_fill(3xf32, 2x3xi1) {value = 0 : i64} -> 2x3xf32", "more axes than x"),
    Bad("masked_fill(1x3xf32, 2x3xi1) {value = 0 : i64} -> 2x3xf32", "sizes 1 and 2 differ"),
    Bad("fill(3xi64) {value = 1.5 : f32} -> 3xi64", "1.5 is no value"),
    Bad("constant() {value = dense<1.0> : tensor<3xf32>} -> 2xf32", "the value has type"),
    Bad("softmax(3xf32) {axis = 1 : i64} -> 3xf32", "axis 1 is outside"),
    Bad("layer_norm(2x3xf32, 2xf32, 3xf32) -> 2x3xf32", "x and scale: sizes 3 and 2 differ"),
    Bad("layer_norm(2x3xf32, 3xf32, 3xf32) -> 2x3xf32, 2x1xf32", "one result or three"),
    Bad("batch_norm(2x3xf32, 2xf32, 3xf32, 3xf32, 3xf32) -> 2x3xf32", "channels of x and scale"),
    Bad("batch_norm(2xf32, 2xf32, 2xf32, 2xf32, 2xf32) -> 2xf32", "2 axes or more"),
    Bad("matmul(2x3xf32, 4x3xf32) -> 2x3xf32", "the summed axes: sizes 3 and 4 differ"),
    Bad("matmul(f32, 3xf32) -> 3xf32", "one axis or more"),
    Bad("gemm(2x3xf32, 3x4xf32, 3x4xf32) -> 2x4xf32", "C and the product"),
    Bad("gemm(2x3xf32, 3xf32) -> 2xf32", "must have 2 axes"),
    Bad("reduce_sum(2x3xf32) {axes = array<i64: 0, -2>} -> 3xf32", "name one twice"),
    Bad("reduce_sum(2x3xf32) {axes = array<f32: 0.0>} -> 3xf32", "array of integers"),
    Bad("gather(2x3xf32, 2xf32) -> 2x3xf32", "indices must have element type"),
    Bad("top_k(3xf32) {k = 4 : i64} -> 4xf32, 4xi64", "k = 4 does not fit"),
    Bad("reshape(6xf32) -> 4xf32", "6 elements do not fill"),
    Bad("reshape(6xf32) {shape = array<i64: -1, -1>} -> 6x1xf32", "-1 at most once"),
    Bad("reshape(6xf32) {shape = array<i64: 4, -1>} -> 4x1xf32", "cannot be cut"),
    Bad("expand(3xf32) -> 4xf32", "size 3 does not expand to 4"),
    Bad("expand(2x3xf32) -> 3xf32", "2 axes do not expand to 1"),
    Bad("transpose(2x3xf32) {perm = array<i64: 0, 0>} -> 2x2xf32", "is no order of 2 axes"),
    Bad("slice(3xf32) {step = 0 : i64} -> 3xf32", "step must be 1 or more"),
    Bad("select(3xf32) {index = 3 : i64} -> f32", "index 3 is outside"),
    Bad("diagonal(3xf32) -> f32", "dim2 1 is outside"),
    Bad("diagonal(3x3xf32) {dim2 = 0 : i64} -> 3xf32", "both axis 0"),
    Bad("as_strided(3xf32) {size = array<i64: 4>, stride = array<i64: 1>} -> 4xf32", "element 3 is outside"),
    Bad("as_strided(3xf32) {size = array<i64: 2>, stride = array<i64: -1>} -> 2xf32", "must not be negative"),
    Bad("as_strided(3xf32) {size = array<i64: 2>, stride = array<i64>} -> 2xf32", "size has 1 numbers"),
    Bad("as_strided_scatter(3xf32, 4xf32) {size = array<i64: 4>, stride = array<i64: 0>} -> 3xf32", "overlap"),
    Bad("split(5xf32) {split_size = 2 : i64} -> 2xf32, 2xf32", "does not make 2 results"),
    Bad("split(5xf32) -> 5xf32", "needs one of"),
    Bad("split(5xf32) {split = array<i64: 2, 2>} -> 2xf32, 2xf32", "does not fill"),
    Bad("unbind(3xf32) -> f32, f32", "does not make 2 results"),
    Bad("multiout(3xf32) -> ", "at least one result"),
    Bad("concat(2x3xf32, 2xf32) -> 2x4xf32", "different numbers of axes"),
    Bad("concat(2x3xf32, 2x4xf32) -> 4x3xf32", "axis 1: sizes 3 and 4 differ"),
    Bad("stack(3xf32, 4xf32) -> 2x3xf32", "sizes 3 and 4 differ"),
    Bad("pad(3xf32) {pads = array<i64: 1>} -> 4xf32", "pads must be 2 numbers"),
    Bad("pad(3xf32) {pads = array<i64: 1, -1>} -> 3xf32", "none negative"),
    Bad("copy_into(3xf32, 4xf32) -> 3xf32", "dst and src: sizes 3 and 4 differ"),
    Bad("select_scatter(3xf32, 3xf32) {index = 0 : i64} -> 3xf32", "0 and 1 axes"),
    Bad("relu_grad(3xf32, 4xf32) -> 3xf32", "sizes 3 and 4 differ"),
    Bad("gru_weight_h_to_gates(3x8xf32) -> 3x3x3xf32", "last axis of weight_h is 8, it must be 9"),
    Bad("gru_weight_h_to_gates(3x3x3xf32) -> 3x3x3xf32", "weight_h has 3 axes"),
    Bad("gru_weight_h_to_gates(3x9xi64) -> 3x3x3xi64", "floating-point"),
    Bad("gru_weight_scale(3x2x3xf32) -> 1x9xf32", "middle axis of x is 2, it must be 3"),
    Bad("gru_weight_scale(9xf32) -> 1x9xf32", "x has 1 axes"),
    Bad("gru_weight_scale(3x9xi8) -> 1x9xf32", "floating-point"),
    Bad("quantize_weights(3x9xf32, 1x6xf32) -> 3x9xi8", "last axis of scale is 6, it must be 9"),
    Bad("quantize_weights(3x9xf32, 2x9xf32) -> 3x9xi8", "first axis of scale is 2"),
    Bad("quantize_weights(3x9xf32, 1x9xf64) -> 3x9xi8", "scale has element type f64"),
    *(
        Bad(f"quantized_gru({types}, 4xi64) {{{more}}} -> 7x3xf32", reason)
        for types, more, reason in (
            (f"7x4xf32, {INT8}", "reverse = [true]", "must have 2 numbers, two a layer of i8"),
            (f"7x4xf32, {BF16}", f"{data(1)}, reverse = [true]", "must have 0 numbers"),
            (f"7x4xf32, {INT8}", f"{data(1).replace('9.0', '0.0')}, reverse = [true]", "data_scale must be above 0"),
            (f"7x4xf32, {BF16}", "reverse = []", "1 layers of 0 directions take"),
            (f"7x4xf32, {BF16}", "reverse = [true, false]", "1 layers of 2 directions take 6 weights"),
            (f"7x4xf32, {BF16}", 'mode = "mean", reverse = [true]', "mode is 'mean'"),
            (f"7x4xf64, {BF16}", "reverse = [true]", "x has element type f64"),
            ("7x4xf32, 4x9xf32, 3x3x3xf32, 1x9xf32", "reverse = [true]", "weights must be bf16 or i8"),
            ("7x4xf32, 4x9xbf16, 3x3x3xi8, 1x9xf32", "reverse = [true]", "type i8, it must be bf16"),
            ("7x4xf32, 4x9xbf16, 3x9xbf16, 1x9xf32", "reverse = [true]", "weight_h has 2 axes"),
            ("7x4xf32, 5x9xbf16, 3x3x3xbf16, 1x9xf32", "reverse = [true]", "first axis of weight_x is 5"),
            ("7x4xf32, 4x9xbf16, 3x3x3xbf16, 1x9xbf16", "reverse = [true]", "bias has element type bf16"),
            (f"7x4xf32, {INT8[:-5]}6xf32", f"{data(1)}, reverse = [true]", "a scale is 6"),
        )
    ),
    Bad('negate_gate(3x9xf32) {gate = "output"} -> 3x9xf32', "gate is 'output', it must be one of update, reset"),
    Bad('negate_gate(3x8xf32) {gate = "reset"} -> 3x8xf32', "must hold three gates"),
    Bad('negate_gate(3x4x5xf32) {gate = "reset"} -> 3x4x5xf32', "middle axis of x is 4, it must be 3"),
    Bad('negate_gate(9xf32) {gate = "reset"} -> 9xf32', "x has 1 axes"),
    Bad("zero_bias() -> 9xf32", "the bias has 1 axes"),
    Bad("zero_bias() -> 2x9xf32", "first axis of the bias is 2"),
    Bad("zero_bias() -> 1x8xf32", "must hold three gates"),
    Bad("zero_bias() -> 1x9xbf16", "element type bf16, it must be f32"),
    Bad('lod_to_tnc(7x2xf32, 4xi64) {layout = "cnt"} -> 4x3x2xf32', "layout is 'cnt'"),
    Bad("lod_to_tnc(7x2xf32, 4xi64) -> 4x4x2xf32", "its operands make it tensor<4x3x2xf32>"),
    Bad("lod_to_tnc(7x2xf32, 4xi32) -> 4x3x2xf32", "offsets has element type i32"),
    Bad("lod_to_tnc(7xf32, 4xi64) -> 4x3xf32", "x has 1 axes"),
    Bad("tnc_to_lod(4x3x2xf32, 5xi64) -> 7x2xf32", "axis of sequences of x is 3, it must be 4"),
    Bad("tnc_to_lod(4x3x2xf32, 4xi64, 6x2xf32) -> 7x2xf32", "its operands make it tensor<6x2xf32>"),
    Bad("tnc_to_lod(4x3x2xf32, 4xi64, f32) -> 7x2xf32", "rows has no axes"),
    *(
        Bad(f"onnx_gru(5x2x4xf32, {types}) {segments(1, 1, 1, *there, more=more)} -> 5x1x2x3xf32, 1x2x3xf32", reason)
        for types, there, more, reason in (
            ("1x9x5xf32, 1x9x3xf32", (0, 0, 0), "", "last axis of w is 5, it must be 4"),
            ("1x8x4xf32, 1x9x3xf32", (0, 0, 0), "", "middle axis of w is 8, it must be 9"),
            ("1x9x4xf32, 2x9x3xf32", (0, 0, 0), "", "first axis of r is 2, it must be 1"),
            ("1x9x4xf32, 1x9x3xf32, 1x9xf32", (1, 0, 0), "", "last axis of b is 9, it must be 18"),
            ("1x9x4xf32, 1x9x3xf32, 3xi32", (0, 1, 0), "", "first axis of sequence_lens is 3, it must be 2"),
            ("1x9x4xf32, 1x9x3xf32, 2xf32", (0, 1, 0), "", "sequence_lens has element type f32"),
            ("1x9x4xf32, 1x9x3xf32, 2x1x3xf32", (0, 0, 1), "", "first axis of initial_h is 2, it must be 1"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), 'direction = "both", ', "direction is 'both'"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), "layout = 2 : i64, ", "layout is 2"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), "hidden_size = 4 : i64, ", "hidden_size is 4, it must be 3"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), 'activations = ["Sigmoid"], ', "1 activations, 2 are needed"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), 'activations = ["Elu", "Tanh"], ', "activation 'Elu' is not known"),
            ("1x9x4xf32, 1x9x3xf32", (0, 0, 0), "activation_alpha = 1 : i64, ", "has no attribute 'activation_alpha'"),
        )
    ),
    *(
        Bad(f'multi_gru({types}, 3xi64) {{mode = "{mode}"}} -> 7x6xf32', reason)
        for types, mode, reason in (
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32",
                "concat",
                "1 layers of 2 directions take 6 weights, or with",
            ),
            (f"7x4xf32, {halves('4x9xf32, 3x9xf32, 1x9xf32')}", "mean", "mode is 'mean'"),
            (
                f"7x4xf32, {halves('5x9xf32, 3x9xf32, 1x9xf32')}",
                "sum",
                "weight_x of layer 0 forward is 5",
            ),
            (f"7x4xf32, {halves('4x9xf32, 3x9xf32, 1x6xf32')}", "sum", "last axis of bias of layer 0 forward is 6"),
            (f"7x4xf32, {halves('4x9xf32, 3x9xf32, 1x9xf32')}, 2x3xf32, 3x3xf32", "sum", "h0 of layer 0 reverse is 3"),
            (
                "7x4xf32, 4x9xf32, 3x9xf32, 1x9xf32, 4x6xf32, 2x6xf32, 1x6xf32",
                "concat",
                "the directions of layer 0 have 3 and 2 channels",
            ),
        )
    ),
    *(
        Bad(f"fused_gru({types}, 3xi64) {segments(1, 1, 1, *optional, 1)} -> 7x3xf32", reason)
        for types, optional, reason in (
            ("7x4xf32, 5x9xf32, 3x9xf32", (0, 0), "first axis of weight_x is 5, it must be 4"),
            ("7x4xf32, 4x6xf32, 3x9xf32", (0, 0), "last axis of weight_x is 6, it must be 9"),
            ("7x4xf32, 4x9xf64, 3x9xf32", (0, 0), "weight_x has element type f64"),
            ("7xf32, 4x9xf32, 3x9xf32", (0, 0), "x has 1 axes"),
            ("7x4xi64, 4x9xf32, 3x9xf32", (0, 0), "x has element type i64"),
            ("7x4xf32, 4x9xf32, 3x2x3xf32", (0, 0), "middle axis of weight_h is 2, it must be 3"),
            ("7x4xf32, 4x9xf32, 3x3x4xf32", (0, 0), "last axis of weight_h is 4, it must be 3"),
            ("7x4xf32, 4x9xf32, 9xf32", (0, 0), "weight_h has 1 axes"),
            ("7x4xf32, 4x9xf32, 3x9xf32, 1x6xf32", (1, 0), "last axis of bias is 6"),
            ("7x4xf32, 4x9xf32, 3x9xf32, 5x3xf32", (0, 1), "first axis of h0 is 5, it must be 2"),
        )
    ),
]
