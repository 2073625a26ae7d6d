"""Ops on types they accept, one line each, beside those that `op_lines.py` makes from every class: other attributes,
numbers of operands, broadcasts. A new op needs a line here only for what its example does not show."""

from __future__ import annotations

from functools import cache

from good_data_ops import DATA_OPS
from good_integer_ops import BLOCKWISE_PRODUCTS, INTEGER_OPS
from good_recurrent_ops import RECURRENT_OPS
from good_spatial_ops import SPATIAL_OPS
from op_cases import FLOATS, NUMBERS, body, named, with_dtype
from op_lines import lines_of

from lastuse.dialect.dnn.base import DnnOp

GOOD: list[tuple[tuple[str, ...], list[str]]] = [
    (
        FLOATS,
        [
            'gelu(2x3xT) {approximate = "none"} -> 2x3xT',
            "leaky_relu(2x3xT) {alpha = 0.3 : f32} -> 2x3xT",
            "elu(2x3xT) {alpha = 2 : i64} -> 2x3xT",
            "rotary_embedding(3x4xT, 2x3x2xT, 2x1x2xT) -> 2x3x4xT",
            *(
                f"rotary_embedding({x}xT, {table}xT, {table}xT) {{{form}}} -> {y}xT"
                for form in ("", "interleaved = true", "each = true")
                for x, table, y in (
                    ("2x3x4", "2x3x2", "2x3x4"),
                    ("5x2x3x40", "1x3x18", "5x2x3x40"),
                    ("3x9", "2x3x4", "2x3x9"),
                    ("2x1x4", "2x3x2", "2x3x4"),
                    ("0x4", "2", "0x4"),
                    ("2x3", "2x0", "2x3"),
                )
            ),
            'gelu_grad(2x3xT, 2x3xT) {approximate = "none"} -> 2x3xT',
            "elu_grad(2x3xT, 2x3xT) {above = 0.5 : f32, slope = 0.3 : f32} -> 2x3xT",
            "clip_grad(2x3xT, 2x3xT) {max = 1.0 : f32} -> 2x3xT",
            "clip_grad(2x3xT, 2x3xT) -> 2x3xT",
            "larger_grad(2x3xT, 2x3xT, 2x3xT) -> 2x3xT",
            "cumprod_grad(2x3x4xT, 2x3x4xT) {exclusive = true, reverse = true} -> 2x3x4xT",
            "cumprod_grad(0x3xT, 0x3xT) -> 0x3xT",
            "softmax_grad(2x3x4xT, 2x3x4xT) {axis = 1 : i64} -> 2x3x4xT",
            "log_softmax_grad(2x3x4xT, 2x3x4xT) {axis = 0 : i64} -> 2x3x4xT",
            "softmax_cross_entropy(2x3xT, 2x3xT) -> T",
            "softmax_cross_entropy(3xT, i32) -> T",
            'softmax_cross_entropy(2x3x4xT, 2x4xi32) {axis = 1 : i64, reduction = "sum", ignore_index = 2 : i64} -> T',
            "softmax_cross_entropy_grad(2x3xT, 2x3xT, T) -> 2x3xT",
            "softmax_cross_entropy_grad(2x3x4xT, 2x4xi32, T) {axis = 1 : i64, ignore_index = 2 : i64} -> 2x3x4xT",
            'nll(2x3x4xT, 2x4xi32) {axis = 1 : i64, reduction = "sum", ignore_index = 2 : i64} -> T',
            'nll_grad(2x3x4xT, 2x4xi32, T) {axis = 1 : i64, reduction = "sum", ignore_index = 2 : i64} -> 2x3x4xT',
            'mse(7xT, 7xT) {reduction = "sum"} -> T',
            "dropout(9x1001xT, i64, i64) {rate = 0.25 : f32, stream = 3 : i64} -> 9x1001xT",
            "dropout(5xT, i64, i64) {rate = 1 : i64} -> 5xT",
            "silu(2x3xT) {alpha = 1.7 : f32} -> 2x3xT",
            "celu(2x3xT) -> 2x3xT",
            "selu(2x3xT) -> 2x3xT",
            "hard_sigmoid(2x3xT) -> 2x3xT",
            "thresholded_relu(2x3xT) -> 2x3xT",
            "is_inf(2x3xT) {detect_positive = 0 : i64} -> 2x3xi1",
            "is_inf(2x3xT) -> 2x3xi1",
            "mod(3x4xT, 4xT) -> 3x4xT",
            *(f"softmax(2x300x7xT) {{axis = {a} : i64}} -> 2x300x7xT" for a in (-1, 0, 1)),
            *(f"log_softmax(2x300x7xT) {{axis = {a} : i64}} -> 2x300x7xT" for a in (-1, 0, 1)),
            "softmax(9000x2xT) {axis = 0 : i64} -> 9000x2xT",
            "log_softmax(5xT) -> 5xT",
            "layer_norm(3x5xT, 5xT) {epsilon = 1.0e-3 : f32} -> 3x5xT",
            "layer_norm(2x3x4xT, 3x4xT, 3x4xT) {axis = 1 : i64} -> 2x3x4xT, 2x1x1xT, 2x1x1xT",
            "layer_norm(3x0xT, 0xT, 0xT) -> 3x0xT, 3x1xT, 3x1xT",
            "layer_norm(600x64xT, 64xT, 64xT) -> 600x64xT, 600x1xT, 600x1xT",
            "batch_norm(2x3x5x7xT, 3xT, 3xT, 3xT, 3xT) {epsilon = 1.0e-3 : f32} -> 2x3x5x7xT",
            "batch_norm(2x5x7x3xT, 3xT, 3xT, 3xT, 3xT) {channels_last = true} -> 2x5x7x3xT",
            "batch_norm(1x5x3xT, 3xT, 3xT, 3xT, 3xT) {channels_last = true, training_mode = true} -> 1x5x3xT, 3xT, 3xT",
            "reduce_mean(3x4x5xT) {axes = array<i64: 1>} -> 3x5xT",
            "reduce_mean(3x4x5xT) -> T",
            "reduce_mean(3x0xT) {axes = array<i64: 1>} -> 3xT",
            "batch_norm(4x3x5xT, 3xT, 3xT, 3xT, 3xT) {momentum = 0.5 : f32, training_mode = true} -> 4x3x5xT, 3xT, 3xT",
            "batch_norm(80x3x70xf32, 3xf32, 3xf32, 3xf32, 3xf32) {training_mode = true} -> 80x3x70xf32, 3xf32, 3xf32",
            "batch_norm(4x5x3xT, 3xT, 3xT, 3xT, 3xT) {channels_last = true, training_mode = true} "
            "-> 4x5x3xT, 3xT, 3xT, 3xT, 3xT",
            "batch_norm(4x3x5x6xT, 3xT, 3xT, 3xT, 3xT) {training_mode = true} -> 4x3x5x6xT, 3xT, 3xT, 3xT, 3xT",
            "batch_norm_grad(4x3x5x6xT, 3xT, 3xT, 3xT, 4x3x5x6xT) {fixed = true} -> 4x3x5x6xT, 3xT, 3xT",
            "batch_norm_grad(4x5x3xT, 3xT, 3xT, 3xT, 4x5x3xT) {channels_last = true} -> 4x5x3xT, 3xT, 3xT",
            "batch_norm_grad(80x3x70xf32, 3xf32, 3xf32, 3xf32, 80x3x70xf32) -> 80x3x70xf32, 3xf32, 3xf32",
            "layer_norm_grad(2x3x4xT, 3x4xT, 2x1x1xT, 2x1x1xT, 2x3x4xT) {axis = 1 : i64} -> 2x3x4xT, 3x4xT, 3x4xT",
            "layer_norm_grad(600x64xT, 64xT, 600x1xT, 600x1xT, 600x64xT) -> 600x64xT, 64xT, 64xT",
            "group_norm_grad(2x6x3x5xT, 6xT, 2x6x3x5xT) {num_groups = 6 : i64} -> 2x6x3x5xT, 6xT, 6xT",
            "group_norm_grad(2x300x70xT, 300xT, 2x300x70xT) {num_groups = 3 : i64} -> 2x300x70xT, 300xT, 300xT",
            "rms_norm_grad(2x3x4xT, 3x4xT, 2x3x4xT) {axis = 1 : i64} -> 2x3x4xT, 3x4xT",
            "rms_norm_grad(600x64xT, 64xT, 600x64xT) -> 600x64xT, 64xT",
            "layer_norm_grad(5xT, 5xT, 1xT, 1xT, 5xT) -> 5xT, 5xT, 5xT",
            "quantize_linear(2x3x4xT, T) -> 2x3x4xui8",
            "quantize_linear(2x3x4xT, 3xT, 3xi8) -> 2x3x4xi8",
            "quantize_linear(2x3x4xT, T, 1xi8) -> 2x3x4xi8",
            "quantize_linear(5xT, 1xT, ui8) -> 5xui8",
            "dequantize_linear(5xi32, 1xT, i32) -> 5xT",
            "dequantized_matmul(2x3x5xf32, 5x4xui8, 1xf32, 4xui8) -> 2x3x4xf32",
            "dequantized_matmul(37x401xf32, 401x130xi8, 130xf32) -> 37x130xf32",
            "dequantized_matmul(1x200xf32, 200x64xi8, 64xf32, 1xi8) -> 1x64xf32",
            *(
                f"dequantized_matmul({rows}x7xf32, 896xui8, 128xf32, 1xui8) {{packed = array<i64: 7, 128>}} "
                f"-> {rows}x128xf32"
                for rows in (1, 15, 41)
            ),
            *(
                f"packed_matmul({rows}x7xf32, {7 * -(-columns // 16) * 16}xf32, {columns}xf32) "
                f"{{columns = {columns} : i64, has_bias = 1 : i64}} -> {rows}x{columns}xf32"
                for rows, columns in ((1, 9), (2, 140), (3, 64), (7, 33), (13, 48), (27, 100))
            ),
            "packed_matmul(2x5x7x3xf32, 48xf32) {columns = 10 : i64, steps = array<i64: 2, 3>} -> 2x3x3x10xf32",
            *(
                f"depthwise_conv(2x{size}x{channels}xf32, {kernel}x{channels}xf32, {channels}xf32) "
                f"{{channels_last = true, has_bias = 1 : i64, {movement}}} -> 2x{places}x{channels}xf32"
                for size, channels, kernel, movement, places in (
                    ("6x19", 20, "3x3", "pads = array<i64: 1, 1, 1, 1>", "6x19"),
                    ("6x40", 37, "5x5", "strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>", "3x20"),
                    ("7x9", 16, "2x4", 'dilations = array<i64: 2, 3>, auto_pad = "SAME_UPPER"', "7x9"),
                    ("23", 70, "3", "strides = array<i64: 3>", "7"),
                )
            ),
            "depthwise_conv(0x4x3xf32, 3x3xf32) {channels_last = true} -> 0x2x3xf32",
            *(
                f"packed_conv(2x{size}x5xf32, {taps * 5 * -(-columns // 16) * 16}xf32, {columns}xf32) "
                f"{{channels_last = true, columns = {columns} : i64, has_bias = 1 : i64, "
                f"kernel_shape = array<i64: {kernel}>, {movement}}} -> 2x{places}x{columns}xf32"
                for size, columns, taps, kernel, movement, places in (
                    ("6x19", 20, 9, "3, 3", "pads = array<i64: 1, 1, 1, 1>", "6x19"),
                    ("6x40", 37, 25, "5, 5", "strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>", "3x20"),
                    ("7x9", 16, 8, "2, 4", 'dilations = array<i64: 2, 3>, auto_pad = "SAME_UPPER"', "7x9"),
                    ("23", 70, 3, "3", "strides = array<i64: 3>", "7"),
                )
            ),
            "packed_conv(0x4x3xf32, 144xf32) {channels_last = true, columns = 4 : i64, kernel_shape = array<i64: 3>} "
            "-> 0x2x4xf32",
            "packed_conv(2x4x0xf32, 0xf32, 4xf32) {channels_last = true, columns = 4 : i64, has_bias = 1 : i64, "
            "kernel_shape = array<i64: 3>} -> 2x2x4xf32",
            "packed_matmul(0x3xf32, 48xf32) {columns = 4 : i64} -> 0x4xf32",
            "packed_matmul(2x0xf32, 0xf32, 4xf32) {columns = 4 : i64, has_bias = 1 : i64} -> 2x4xf32",
            "dequantized_matmul(0x3xf32, 3x4xi8, 4xf32) -> 0x4xf32",
            "dequantized_matmul(2x0xf32, 0x4xi8, 4xf32) -> 2x4xf32",
            "dequantized_matmul(2x3xf32, 3x0xi8, 0xf32) -> 2x0xf32",
            *BLOCKWISE_PRODUCTS,
            "dequantize_linear(5xi32, T, 1xi32) {axis = 0 : i64} -> 5xT",
            "quantize_linear(2x3x40xT, 40xf32, 40xui16) {axis = -1 : i64} -> 2x3x40xui16",
            "quantize_linear(2x5xT, 2x3xf32, 2x3xi8) {block_size = 2 : i64} -> 2x5xi8",
            "quantize_linear(2x5xT, f32) {output_dtype = i16, precision = f32} -> 2x5xi16",
            "quantize_linear(2x3xi32, T, ui8) -> 2x3xui8",
            *(f"dequantize_linear(2x3x4x{q}, 3xT, 3x{q}) -> 2x3x4xT" for q in ("i8", "ui8", "i16", "ui16", "i32")),
            "dequantize_linear(2x5xui8, 2x3xT, 2x3xui8) {axis = -1 : i64, block_size = 2 : i64} -> 2x5xT",
            "dequantize_linear(2x5xi8, f32) {output_dtype = T} -> 2x5xT",
            "det(3x3xT) -> T",
            "det(2x0x0xT) -> 2xT",
            "det_grad(4x4xT, T) -> 4x4xT",
            "det_grad(2x3x1x1xT, 2x3xT) -> 2x3x1x1xT",
            "det_grad(2x0x0xT, 2xT) -> 2x0x0xT",
            "instance_norm(2x3x5x7xT, 3xT, 3xT) {epsilon = 1.0e-2 : f32} -> 2x3x5x7xT",
            "instance_norm(2x300x70xT, 300xT, 300xT) -> 2x300x70xT",
            "instance_norm(4x3xf32, 3xf32, 3xf32) -> 4x3xf32",
            "group_norm(3x6x5x7xT, 6xT, 6xT) {num_groups = 3 : i64, epsilon = 1.0e-2 : f32} -> 3x6x5x7xT",
            "group_norm(3x6x5xT, 6xT, 6xT) {num_groups = 1 : i64} -> 3x6x5xT",
            "group_norm(2x4x1xf32, 4xf32, 4xf32) {num_groups = 4 : i64} -> 2x4x1xf32",
            "rms_norm(3x5xT, 5xT) {epsilon = 1.0e-3 : f32} -> 3x5xT",
            "rms_norm(2x3x4xT, 3x4xT) {axis = 1 : i64} -> 2x3x4xT",
            "rms_norm(600x64xT, 64xT) -> 600x64xT",
            "mean_variance_normalization(2x3x4x5xT) -> 2x3x4x5xT",
            "mean_variance_normalization(600x64xT) {axes = array<i64: -1>} -> 600x64xT",
            "lrn(2x5x3x3xT) {alpha = 0.5 : f32, beta = 0.5 : f32, bias = 2.0 : f32, size = 4 : i64} -> 2x5x3x3xT",
            "lrn(2x7x3xT) {alpha = 0.5 : f32, size = 5 : i64} -> 2x7x3xT",
            "lrn(2x3xT) {size = 1 : i64} -> 2x3xT",
            *(
                f"lp_normalization(2x3x40xT) {{axis = {a} : i64, p = {p} : i64}} -> 2x3x40xT"
                for a in (0, 1, 2)
                for p in (1, 2)
            ),
            *(f"hardmax(2x3x40xT) {{axis = {a} : i64}} -> 2x3x40xT" for a in (0, 1, -1)),
            *(
                f"reduce_{name}({shape}"
                for name in ("mean", "sum", "prod", "l1", "l2", "log_sum", "log_sum_exp", "sum_square", "max", "min")
                for shape in (
                    "3x4x5xT) {axes = array<i64: 2>} -> 3x4xT",
                    "3x4x5xT) {axes = array<i64: -2>, keepdims = 1 : i64} -> 3x1x5xT",
                    "3x4x5xT) {axes = array<i64: 2, 0>} -> 4xT",
                    "2x0x3xT) {axes = array<i64: 1>} -> 2x3xT",
                    "2x0x3xT) {axes = array<i64: 2>} -> 2x0xT",
                    "7x3000xT) {axes = array<i64: 0>} -> 3000xT",
                    "3x4xT) {axes = array<i64>} -> 3x4xT",
                    "T) -> T",
                )
                if name != "prod" or "2, 0" not in shape  # of so many factors some overflow in f16
            ),
            "gru_weight_h_to_gates(3x9xT) -> 3x3x3xT",
            "gru_weight_scale(4x9xT) -> 1x9xf32",
            "gru_weight_scale(3x3x3xT) -> 1x9xf32",
            "gru_weight_scale(0x9xT) -> 1x9xf32",
            "quantize_weights(4x9xT, 1x9xf32) -> 4x9xi8",
            "quantize_weights(3x3x3xT, 1x9xf32) -> 3x3x3xi8",
            "gru_weight_h_to_gates(0x0xT) -> 0x3x0xT",
            'negate_gate(4x9xT) {gate = "update"} -> 4x9xT',
            'negate_gate(4x3x5xT) {gate = "reset"} -> 4x3x5xT',
            'negate_gate(1x9xT) {gate = "candidate"} -> 1x9xT',
            "reduce_mean(3x4x5xT) {keepdims = 1 : i64} -> 1x1x1xT",
        ],
    ),
    (
        NUMBERS,
        [
            "clip(2x3xT) {min = 0 : i64} -> 2x3xT",
            "clip(2x3xT) {max = 1 : i64, min = -1 : i64} -> 2x3xT",
            "scale(2x3xT) {bias = 3 : i64, bias_after_scale = false, scale = 2.0 : f32} -> 2x3xT",
            "scale(2x3xT) {bias = 3 : i64, scale = 2.0 : f32} -> 2x3xT",
            *(f"sum({', '.join(['3x4xT'] * n)}) -> 3x4xT" for n in (1, 2, 3, 5)),
            "addcmul(3x4xT, 4xT, 3x1xT) {value = 2 : i64} -> 3x4xT",
            "shrink(5x7xT) {bias = 2 : i64, lambd = 1.5 : f32} -> 5x7xT",
            "shrink(5x7xT) {lambd = -1.0 : f32} -> 5x7xT",
            "mod(5x7xT, 5x7xT) {fmod = 1 : i64} -> 5x7xT",
            "prelu(5x7xT, T) -> 5x7xT",
            "prelu(2x5x7xT, 5x1xT) -> 2x5x7xT",
            "less(1x4xT, 3x1xT) -> 3x4xi1",
            "greater(4xT, 3x4xT) -> 3x4xi1",
            "equal(4xT, 3x4xT) -> 3x4xi1",
            "greater_or_equal(3x4xT, 3x4xT) -> 3x4xT",
            "matmul(5x3x2xT, 5x3x4xT) {transA = 1 : i64} -> 5x2x4xT",
            "matmul(6x5x2x3xT, 1x5x4x3xT) {transB = 1 : i64} -> 6x5x2x4xT",
            "matmul(2x1x3x4xT, 6x4x5xT) -> 2x6x3x5xT",
            "matmul(4xT, 4x5xT) -> 5xT",
            "matmul(2x5x3x4xT, 2x6x3x4xT) {permA = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 3, 1>} "
            "-> 2x3x5x6xT",
            "matmul(2x3x5x6xT, 2x6x3x4xT) {perm = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, -2, 1, 3>} "
            "-> 2x5x3x4xT",
            "matmul(1x1x1x4xT, 1x1x4x6xT) {permA = array<i64: 0, 2, 1, 3>, perm = array<i64: 2, 1, 0, 3>} -> 1x1x1x6xT",
            "matmul(0x3x1x4xT, 4x6xT) {permA = array<i64: 1, 0, 2, 3>, perm = array<i64: 1, 3, 2, 0>} -> 0x6x1x3xT",
            "matmul(5x3x2xT, 3x5x4xT) {permA = array<i64: 1, 0, 2>, transB = 1 : i64, permB = array<i64: 0, 2, 1>, "
            "transA = 1 : i64} -> 3x2x4xT",
            'einsum(2x3x4xT, 2x4x5xT) {equation = "bij, bjk -> bik"} -> 2x3x5xT',
            'einsum(3x3xT) {equation = "ii->i"} -> 3xT',
            'einsum(3x3xT) {equation = "ii"} -> T',
            'einsum(2x3xT, 3x4xT, 4xT) {equation = "ij,jk,k->i"} -> 2xT',
            'einsum(2x1x3x4xT, 5x4x6xT) {equation = "...ij,...jk"} -> 2x5x3x6xT',
            'einsum(3xT, 0xT) {equation = "i,j"} -> 3x0xT',
            'einsum(3x0xT) {equation = "ij->i"} -> 3xT',
            "matmul(3x4xT, 4xT) -> 3xT",
            "matmul(4xT, 4xT) -> T",
            "matmul(3x0xT, 0x5xT) -> 3x5xT",
            "gemm(3x4xT, 4x5xT) -> 3x5xT",
            "gemm(3x4xT, 4x5xT, 3x5xT) {alpha = 2 : i64, beta = 3 : i64} -> 3x5xT",
            "gemm(4x3xT, 5x4xT, 5xT) {transA = 1 : i64, transB = 1 : i64} -> 3x5xT",
            "gemm(900x4xT, 4x50xT, 900x50xT) -> 900x50xT",
            "reduce_sum(3x4x5xT) {axes = array<i64: -2>} -> 3x5xT",
            "reduce_sum(3x4x5xT) {axes = array<i64: 0, 2>, keepdims = true} -> 1x4x1xT",
            *(
                f"reduce_{name}(3x4x5xT) {{axes = array<i64: {axes}>}} -> {y}"
                for name in ("mean", "prod", "l1", "l2", "sum_square", "max", "min")
                for axes, y in (("1", "3x5xT"), ("0, 2", "4xT"))
            ),
            *(
                f"cumsum(3x4x5xT) {{axis = {a} : i64, exclusive = {e} : i64, reverse = {r} : i64}} -> 3x4x5xT"
                for a in (0, 1, -1)
                for e in (0, 1)
                for r in (0, 1)
            ),
            "cumsum(7xT) -> 7xT",
            *(
                f"cumprod(3x4xT) {{axis = {a} : i64, exclusive = {e} : i64, reverse = {r} : i64}} -> 3x4xT"
                for a in (0, -1)
                for e in (0, 1)
                for r in (0, 1)
            ),
            *(
                f"{op}(3x4x5xT) {{axis = {a} : i64, keepdims = {keep} : i64, select_last_index = {last} : i64}} "
                f"-> {shape}xi64"
                for op in ("arg_max", "arg_min")
                for a, keep, last, shape in ((1, 0, 0, "3x5"), (-1, 1, 1, "3x4x1"), (0, 0, 1, "4x5"))
            ),
            "arg_max(5xT) {keepdims = false} -> i64",
            "one_hot(2x3xT, 2xf32) {axis = 0 : i64, depth = 5 : i64} -> 5x2x3xf32",
            "one_hot(2x3xi64, 2xT) {axis = 1 : i64, depth = 0 : i64} -> 2x0x3xT",
            "one_hot(i32, 2xT) {depth = 3.0 : f64} -> 3xT",
            "range() {delta = -2 : i64, dtype = T, limit = -3 : i64, start = 4 : i64} -> 4xT",
            "range() {delta = 2 : i64, dtype = T, limit = 0 : i64, start = 4 : i64} -> 0xT",
            *(
                f'{op} {{{more}reduction = "{reduction}"}} -> 3x4xT'
                for reduction in ("none", "add", "mul", "max", "min")
                for op, more in (
                    ("scatter_elements(3x4xT, 2x4xi64, 2x4xT)", ""),
                    ("scatter_elements(3x4xT, 3x5xi32, 3x5xT)", "axis = -1 : i64, "),
                    ("scatter_nd(3x4xT, 5x1xi64, 5x4xT)", ""),
                    ("scatter_nd(3x4xT, 2x3x2xi64, 2x3xT)", ""),
                )
            ),
            "non_zero(3x5xT) -> 15x2xi64, i64",
            "non_zero(7xT) -> 7x1xi64, i64",
            "leading_rows(5x3xT, i64) -> 0x3xT",
            "top_k(3x5xT) {k = 2 : i64} -> 3x2xT, 3x2xi64",
            "top_k(3x5xT) {axis = 0 : i64, k = 2 : i64, largest = 0 : i64} -> 2x5xT, 2x5xi64",
        ],
    ),
    (
        ("i64", "i32", "i16", "i8", "ui64", "ui32", "ui16", "ui8"),
        [
            'bit_shift(5x7xT, 5x7xT) {direction = "LEFT"} -> 5x7xT',
            'bit_shift(5x7xT, 5x7xT) {direction = "RIGHT"} -> 5x7xT',
            "bitwise_not(5x7xT) -> 5x7xT",
            "bitwise_xor(5x7xT, 7xT) -> 5x7xT",
            "mod(5x7xT, 5x7xT) -> 5x7xT",
            "shrink(5x7xT) {bias = 2 : i64, lambd = 3 : i64} -> 5x7xT",
            "sign(5x7xT) -> 5x7xT",
            "neg(5x7xT) -> 5x7xT",
            "maximum(5x7xT, 7xT) -> 5x7xT",
            "div(5x7xT, 5x7xT) -> 5x7xT",
            "cast(5x7xT) -> 5x7xui16",
            "cast(5x7xT) -> 5x7xui32",
        ],
    ),
    (
        ("f32",),
        [
            "div(4xi64, i64) -> 4xf32",
            "zero_bias() -> 1x9xf32",
            *(
                f"constant_of_shape() {{shape = array<i64: 2, 3>, value = {value} : {dtype}}} -> 2x3x{dtype}"
                for value, dtype in (("2.5", "f32"), ("-1.5", "bf16"), ("7", "i32"), ("1", "i1"), ("-0.5", "f16"))
            ),
            "constant_of_shape() {shape = array<i64>} -> f32",
            "range() {delta = 0.5 : f32, limit = 2.25 : f32, start = -1.0 : f32} -> 7xf32",
            "range() {delta = 0.5 : f64, dtype = f16, limit = 2.0 : f64, start = -1.0 : f64} -> 6xf16",
            "pow(4xf32, 4xi64) -> 4xf32",
            *(
                f"map({operands}) {body('less 0 1 i1', 'cast 1 f32', 'where 2 0 3 f32', 'neg 4 f32')} -> {y}"
                for operands, y in (("5x1x7xf32, 3x1xf32", "5x3x7xf32"), ("0x7xf32, 7xf32", "0x7xf32"))
            ),
            f"map(1xi1, i1) {body('not 0 i1', 'or 2 1 i1', 'cast 3 ui8')} -> 1xui8",
            f"map(2x3xi64, 3xi64) {body('scale 0 i64 bias = 2 : i64', 'add 2 1 i64', 'sum 3 0 3 i64')} -> 2x3xi64",
            f"map(2x600xf32) {body('tanh 0 f32', 'mul 1 1 f32', 'mul 2 0 f32')} -> 2x600xf32",
            "non_max_suppression(2x9x4xf32, 2x3x9xf32, 1xi64, 1xf32) {center_point_box = 1 : i64} -> 54x3xi64, i64",
            "non_max_suppression(1x40x4xf32, 1x1x40xf32, i64, f32, 1xf32) -> 40x3xi64, i64",
            "constant() {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>} -> 1x2xf32",
            "constant() {value = dense<[true, false]> : tensor<2xi1>} -> 2xi1",
            "constant() {value = dense<1.5> : tensor<2xbf16>} -> 2xbf16",
        ],
    ),
]

FAMILIES = [*GOOD, *SPATIAL_OPS, *INTEGER_OPS, *DATA_OPS, *RECURRENT_OPS]
GIVEN = [with_dtype(line, dtype) for dtypes, lines in FAMILIES for line in lines for dtype in dtypes]


@cache
def lines(cls: type[DnnOp]) -> tuple[str, ...]:
    """All lines of an op: those above, and those made from its class."""
    return *(line for line in GIVEN if f"dnn.{named(line)}" == cls.name), *lines_of(cls)
