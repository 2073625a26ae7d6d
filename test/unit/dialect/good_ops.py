"""Ops on types they accept, one line each, beside those that `op_lines.py` makes from every class: other attributes,
numbers of operands, broadcasts. A new op needs a line here only for what its example does not show."""

from __future__ import annotations

from functools import cache

from op_cases import BF16, INT8, data, halves, named, segments, with_dtype
from op_lines import lines_of

from lastuse.dialect.dnn.base import DnnOp

FLOATS = ("f32", "f64", "f16", "bf16")
NUMBERS = ("f32", "f64", "i64", "i32")
ANY = (*NUMBERS, "i1")

GOOD: list[tuple[tuple[str, ...], list[str]]] = [
    (
        FLOATS,
        [
            'gelu(2x3xT) {approximate = "none"} -> 2x3xT',
            "leaky_relu(2x3xT) {alpha = 0.3 : f32} -> 2x3xT",
            "elu(2x3xT) {alpha = 2 : i64} -> 2x3xT",
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
            "quantize_linear(2x3x4xT, T) -> 2x3x4xui8",
            "quantize_linear(2x3x4xT, 3xT, 3xi8) -> 2x3x4xi8",
            "quantize_linear(2x3x40xT, 40xf32, 40xui16) {axis = -1 : i64} -> 2x3x40xui16",
            "quantize_linear(2x5xT, 2x3xf32, 2x3xi8) {block_size = 2 : i64} -> 2x5xi8",
            "quantize_linear(2x5xT, f32) {output_dtype = i16, precision = f32} -> 2x5xi16",
            "quantize_linear(2x3xi32, T, ui8) -> 2x3xui8",
            *(f"dequantize_linear(2x3x4x{q}, 3xT, 3x{q}) -> 2x3x4xT" for q in ("i8", "ui8", "i16", "ui16", "i32")),
            "dequantize_linear(2x5xui8, 2x3xT, 2x3xui8) {axis = -1 : i64, block_size = 2 : i64} -> 2x5xT",
            "dequantize_linear(2x5xi8, f32) {output_dtype = T} -> 2x5xT",
            "det(3x3xT) -> T",
            "det(2x0x0xT) -> 2xT",
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
            "conv(2x6x9x8xT, 4x3x3x2xT) {group = 2 : i64, pads = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} "
            "-> 2x4x5x9xT",
            "conv(1x9x8x6xT, 6x1x3x3xT, 6xT) {channels_last = true, group = 6 : i64, pads = array<i64: 1, 1, 1, 1>} "
            "-> 1x9x8x6xT",
            'conv(2x20x5xT, 4x5x3xT, 4xT) {auto_pad = "SAME_UPPER", channels_last = true, strides = array<i64: 2>} '
            "-> 2x10x4xT",
            "conv(2x5x20x1xT, 4x5x3x1xT) {dilations = array<i64: 3, 1>} -> 2x4x14x1xT",
            'conv(1x4x5x6x3xT, 2x3x2x2x2xT) {auto_pad = "SAME_LOWER", channels_last = true} -> 1x4x5x6x2xT',
            "conv(1x3x5x5xT, 2x3x5x5xT) -> 1x2x1x1xT",
            "conv_transpose(2x6x4x5xT, 6x2x3x2xT) {group = 3 : i64, output_padding = array<i64: 1, 0>, "
            "pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 3>} -> 2x6x8x13xT",
            "conv_transpose(2x7x6xT, 6x1x3xT, 6xT) {channels_last = true, group = 6 : i64, strides = array<i64: 2>} "
            "-> 2x15x6xT",
            'conv_transpose(1x4x5x2xT, 2x3x3x3xT) {auto_pad = "SAME_UPPER", channels_last = true, '
            "strides = array<i64: 2, 2>} -> 1x8x10x3xT",
            "conv_transpose(1x2x3x3xT, 2x3x3x3xT) {dilations = array<i64: 2, 1>, output_shape = array<i64: 10, 8>, "
            "strides = array<i64: 3, 2>} -> 1x3x10x8xT",
            "conv_transpose(1x2x3x4x2xT, 2x1x2x2x2xT) -> 1x1x4x5x3xT",
            "max_pool(2x9x8x5xT) {ceil_mode = 1 : i64, channels_last = true, kernel_shape = array<i64: 3, 2>, "
            "pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 2>} -> 2x5x4x5xT",
            "max_pool(2x3x9xT) {dilations = array<i64: 2>, kernel_shape = array<i64: 3>} -> 2x3x5xT",
            "max_pool(2x3x4x5x6xT) {kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 2, 1, 2>} -> 2x3x2x4x3xT",
            "max_pool(2x3x4x5xT) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} "
            "-> 2x3x5x6xT, 2x3x5x6xi64",
            "max_pool(2x4x5x3xT) {channels_last = true, kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64} "
            "-> 2x3x4x3xT, 2x3x4x3xi64",
            *(
                f"average_pool(2x9x8x5xT) {{{c}channels_last = true, count_include_pad = {i} : i64, "
                "kernel_shape = array<i64: 3, 2>, pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 2>} "
                f"-> 2x5x4x5xT"
                for c in ("", "ceil_mode = 1 : i64, ")
                for i in (0, 1)
            ),
            "average_pool(2x3x4x5x6xT) {kernel_shape = array<i64: 2, 3, 2>} -> 2x3x3x3x5xT",
            "average_pool(2x3x9xT) {dilations = array<i64: 2>, kernel_shape = array<i64: 3>} -> 2x3x5xT",
            "lp_pool(2x9x8x5xT) {channels_last = true, kernel_shape = array<i64: 3, 2>, p = 3 : i64, "
            "pads = array<i64: 1, 0, 1, 1>} -> 2x9x8x5xT",
            *(
                f"global_{kind}_pool(2x4x5x3xT) {{channels_last = true}} -> 2x1x1x3xT"
                for kind in ("average", "max", "lp")
            ),
            "global_average_pool(2x3x40xT) -> 2x3x1xT",
            "global_lp_pool(2x3x4x5xT) {p = 1 : i64} -> 2x3x1x1xT",
            *(
                f'resize(1x2x5x7xT) {{axes = array<i64: 2, 3>, coordinate_transformation_mode = "{how}", '
                f'mode = "{mode}", {more}}} -> 1x2x{size}xT'
                for how in ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric")
                for mode, more, size in (
                    ("nearest", 'nearest_mode = "ceil", scales = array<f32: 2.0, 3.0>', "10x21"),
                    ("nearest", 'nearest_mode = "round_prefer_ceil", scales = array<f32: 0.5, 0.75>', "2x5"),
                    ("linear", "scales = array<f32: 2.0, 0.75>", "10x5"),
                    ("linear", "antialias = true, sizes = array<i64: 3, 4>", "3x4"),
                    ("cubic", "exclude_outside = true, sizes = array<i64: 9, 4>", "9x4"),
                    ("cubic", 'keep_aspect_ratio_policy = "not_larger", sizes = array<i64: 9, 9>', "6x9"),
                )
            ),
            'resize(1x5x7x2xT) {axes = array<i64: 1, 2>, coordinate_transformation_mode = "tf_crop_and_resize", '
            'extrapolation_value = 7.0 : f32, mode = "linear", roi = array<f32: 0.25, -0.5, 0.75, 1.5>, '
            "sizes = array<i64: 4, 6>} -> 1x4x6x2xT",
            'resize(1x5x7x2xT) {axes = array<i64: 1, 2>, mode = "linear", sizes = array<i64: 10, 14>} -> 1x10x14x2xT',
            'resize(2x9xT) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", '
            "scales = array<f32: 1.0, 2.0>} -> 2x18xT",
            'depth_to_space(2x8x3x5xT) {blocksize = 2 : i64, mode = "CRD"} -> 2x2x6x10xT',
            'space_to_depth(2x3x4x6xT) {blocksize = 2 : i64, mode = "CRD"} -> 2x12x2x3xT',
            "max_unpool(1x1x2x2xT, 1x1x2x2xi64) {kernel_shape = array<i64: 2, 2>, "
            "output_shape = array<i64: 1, 1, 5, 5>, strides = array<i64: 2, 2>} -> 1x1x5x5xT",
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
            "matmul(2x1x3x4xT, 6x4x5xT) -> 2x6x3x5xT",
            "matmul(4xT, 4x5xT) -> 5xT",
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
        ANY,
        [
            *(
                f"matmul_integer({a}x{p}, {b}x{q}) {segments(1, 1, 0, 0)} -> {y}"
                for p, q in (("ui8", "i8"), ("i8", "ui8"), ("ui8", "ui8"))
                for a, b, y in (
                    ("2x3", "3x4", "2x4xi32"),
                    ("3", "3x4", "4xi32"),
                    ("2x3", "3", "2xi32"),
                    ("3", "3", "i32"),
                )
            ),
            f"matmul_integer(2x1x70x600xui8, 3x600x300xi8, 2x1x70x1xui8, 300xi8) {segments(1, 1, 1, 1)}"
            " -> 2x3x70x300xi32",
            f"matmul_integer(2x3xi8, 3x4xi8, 2xi8) {segments(1, 1, 1, 0)} -> 2x4xi32",
            f"matmul_integer(2x3xi8, 3x4xi8, i8) {segments(1, 1, 0, 1)} -> 2x4xi32",
            f"matmul_integer(2x0xi8, 0x4xi8) {segments(1, 1, 0, 0)} -> 2x4xi32",
            f"conv_integer(1x4x7x6xui8, 6x2x3x2xui8, ui8, 6xui8) {segments(1, 1, 1, 1, more='group = 2 : i64, ')}"
            " -> 1x6x5x5xi32",
            f"conv_integer(2x40x70xi8, 70x40x3xi8, 1xi8) {segments(1, 1, 1, 0, more='pads = array<i64: 2, 0>, ')}"
            " -> 2x70x70xi32",
            f"conv_integer(1x1x3x3xui8, 1x1x2x2xui8) {segments(1, 1, 0, 0)} -> 1x1x2x2xi32",
            f"conv_integer(0x1x3x3xui8, 1x1x2x2xui8) {segments(1, 1, 0, 0)} -> 0x1x2x2xi32",
            "qlinear_conv(1x2x7x7xui8, f32, ui8, 3x2x3x3xui8, f32, ui8, f32, ui8) "
            "{strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>} -> 1x3x3x3xui8",
            "qlinear_conv(1x2x7x7xi8, f32, i8, 3x2x2x3xi8, 3xf32, 3xi8, f32, i8) "
            '{auto_pad = "SAME_UPPER"} -> 1x3x7x7xi8',
            "qlinear_matmul(2x3xi8, 2xf32, 2xi8, 3x4xi8, 4xf32, 4xi8, 2xf32, 2xui8) -> 2x4xui8",
            "qlinear_matmul(5x2x3xui8, f16, ui8, 3x4xui8, f16, ui8, f16, ui8) -> 5x2x4xui8",
            "qlinear_matmul(3xui8, f32, ui8, 3x4xi8, f32, i8, f32, i8) -> 4xi8",
            "reduce_max(3x0x5xT) {axes = array<i64: 1>} -> 3x5xT",
            "reduce_min(3x0x5xT) {axes = array<i64: 1>, keepdims = true} -> 3x1x5xT",
            "reduce_max(3x4xT) -> T",
            "reduce_min(3x4xT) -> T",
            "where(4xi1, 3x1xT, T) -> 3x4xT",
            "masked_fill(3x4xT, 4xi1) {value = 1 : i64} -> 3x4xT",
            "fill(3x4xT) {value = 1 : i64} -> 3x4xT",
            "zeros() -> 3x4xT",
            "ones(3x4xT) -> 12xT",
            *(f"cast(3x4xT) -> 3x4x{to}" for to in ANY),
            "gather(5x4xT, 2x3xi64) -> 2x3x4xT",
            "gather(4x5xT, 2x3xi32) {axis = -1 : i64} -> 4x2x3xT",
            "gather(5x4xT, i64) -> 4xT",
            "reshape(2x3x4xT) {shape = array<i64: 0, -1>} -> 2x12xT",
            "reshape(T) -> 1x1xT",
            "reshape(0x3xT) -> 3x0xT",
            *(f"flatten(2x3x4xT) {{axis = {a} : i64}} -> {s}xT" for a, s in ((0, "1x24"), (-1, "6x4"), (3, "24x1"))),
            "multiout(2x3xT) -> 2x3xT, 2x3xT, 2x3xT",
            "expand(3x1xT) -> 2x3x4xT",
            "expand(1x4xT) -> 1x4xT",
            "reshape(0x3xT) {allowzero = 1 : i64, shape = array<i64: 3, 0>} -> 3x0xT",
            "reshape(2x3xT) {allowzero = true, shape = array<i64: 3, -1>} -> 3x2xT",
            "squeeze(2x1x3x1xT) -> 2x3xT",
            "squeeze(2x1x3x1xT) {axes = array<i64: -1>} -> 2x1x3xT",
            "squeeze(1x1xT) {axes = array<i64: 1, 0>} -> T",
            "unsqueeze(T) {axes = array<i64: 0, 1>} -> 1x1xT",
            "unsqueeze(2x3xT) {axes = array<i64: -1, 0>} -> 1x2x3x1xT",
            "unsqueeze(2x3xT) {axes = array<i64: 2, 1>} -> 2x1x1x3xT",
            "expand(3x1xT) {shape = array<i64: 2, 1, 4>} -> 2x3x4xT",
            "expand(2x3x4xT) {shape = array<i64: 1>} -> 2x3x4xT",
            "expand(1xT) {shape = array<i64: 0>} -> 0xT",
            "tile(2x3xT) {repeats = array<i64: 2, 3>} -> 4x9xT",
            "tile(T) {repeats = array<i64>} -> T",
            "tile(2x3x2xT) {repeats = array<i64: 1, 0, 4>} -> 2x0x8xT",
            "shape(2x3x4xT) {start = -2 : i64} -> 2xi64",
            "shape(2x3x4xT) {end = 9 : i64, start = 2 : i64} -> 1xi64",
            "shape(2x3x4xT) {end = 1 : i64, start = 2 : i64} -> 0xi64",
            "size(T) -> i64",
            "size(2x0xT) -> i64",
            *(f"eye_like(3x5xT) {{k = {k} : i64}} -> 3x5xT" for k in (-2, 0, 4, 9, -9)),
            "eye_like(3x3xi32) {dtype = T} -> 3x3xT",
            *(
                f"trilu({shape}xT) {{k = {k} : i64, upper = {upper} : i64}} -> {shape}xT"
                for upper in (0, 1)
                for shape, k in (("3x5", 0), ("2x5x3", 1), ("4x4", -2), ("3x3", 7), ("3x3", -7))
            ),
            "gather_elements(3x4xT, 2x4xi64) -> 2x4xT",
            "gather_elements(3x4xT, 3x7xi32) {axis = -1 : i64} -> 3x7xT",
            "gather_nd(3x4x5xT, 2x2xi64) -> 2x5xT",
            "gather_nd(3x4x5xT, 3x2x1xi64) {batch_dims = 1 : i64} -> 3x2x5xT",
            "gather_nd(3x4xT, 3x1xi32) {batch_dims = 1 : i64} -> 3xT",
            "gather_nd(3x4xT, 2xi64) -> T",
            "gather_nd(3x4xT, 2x1x2xi64) -> 2x1xT",
            "tensor_scatter(2x5x3xT, 2x2x3xT) -> 2x5x3xT",
            "tensor_scatter(2x5x3xT, 2x2x3xT, 2xi64) -> 2x5x3xT",
            'tensor_scatter(3x4x5x2xT, 3x3x5x2xT, 3xi64) {axis = 1 : i64, mode = "circular"} -> 3x4x5x2xT',
            "reverse_sequence(4x3x2xT, 3xi64) -> 4x3x2xT",
            "reverse_sequence(3x4xT, 3xi32) {batch_axis = 0 : i64, time_axis = 1 : i64} -> 3x4xT",
            "compress(2x3xT) {condition = array<i64: 0, 1, 1, 0, 1>} -> 3xT",
            "compress(2x3xT) {axis = -1 : i64, condition = array<i64: 0, 1>} -> 2x1xT",
            "compress(2x3xT) {axis = 0 : i64, condition = array<i64>} -> 0x3xT",
            "transpose(2x3x4xT) -> 4x3x2xT",
            "transpose(2x3x4xT) {perm = array<i64: 0, 2, 1>} -> 2x4x3xT",
            "slice(3x5xT) {dim = 1 : i64, end = 9223372036854775807 : i64, start = -2 : i64} -> 3x2xT",
            "slice(3x5xT) {dim = -1 : i64, end = -1 : i64, step = 2 : i64} -> 3x2xT",
            "slice(3x5xT) {end = -100 : i64, start = 2 : i64} -> 0x5xT",
            "slice(3x5xT) {ends = array<i64: 2, -1>, starts = array<i64: 0, 1>} -> 2x3xT",
            "slice(4x5x6xT) {axes = array<i64: -1, 0>, ends = array<i64: -9, 4>, starts = array<i64: 5, 1>, "
            "steps = array<i64: -2, 2>} -> 2x5x3xT",
            "slice(4x5xT) {axes = array<i64: 1>, ends = array<i64: -100>, starts = array<i64: 9>, "
            "steps = array<i64: -1>} -> 4x5xT",
            "slice(4x5xT) {axes = array<i64: 1>, ends = array<i64: 4>, starts = array<i64: 1>, "
            "steps = array<i64: -1>} -> 4x0xT",
            "slice(T) {ends = array<i64>, starts = array<i64>} -> T",
            "slice_scatter(3x5xT, 2x3xT) {ends = array<i64: 3, 5>, starts = array<i64: 1, 0>, "
            "steps = array<i64: 1, 2>} -> 3x5xT",
            "select(3x5xT) {index = -1 : i64} -> 5xT",
            "diagonal(3x5xT) -> 3xT",
            "diagonal(3x5xT) {offset = -2 : i64} -> 1xT",
            "diagonal(3x5xT) {offset = 9 : i64} -> 0xT",
            "diagonal(3x2x5xT) {dim1 = -1 : i64, dim2 = 0 : i64} -> 2x3xT",
            "as_strided(4x4xT) {size = array<i64: 2, 2>, storage_offset = 2 : i64, stride = array<i64: 4, 1>} -> 2x2xT",
            "split(5x2xT) {split_size = 2 : i64} -> 2x2xT, 2x2xT, 1x2xT",
            "split(2x5xT) {axis = -1 : i64, split = array<i64: 4, 1>} -> 2x4xT, 2x1xT",
            "split(5x2xT) {num_outputs = 2 : i64} -> 3x2xT, 2x2xT",
            "unbind(2x3xT) {axis = 1 : i64} -> 2xT, 2xT, 2xT",
            "slice_scatter(3x5xT, 3x2xT) {dim = 1 : i64, end = 4 : i64, step = 2 : i64} -> 3x5xT",
            "select_scatter(3x5xT, 3xT) {dim = 1 : i64, index = 2 : i64} -> 3x5xT",
            "diagonal_scatter(3x5xT, 2xT) {offset = 3 : i64} -> 3x5xT",
            "as_strided_scatter(4x4xT, 2x2xT) {size = array<i64: 2, 2>, stride = array<i64: 5, 1>} -> 4x4xT",
            "diagonal_scatter(3x3xT, 0xT) {offset = 3 : i64} -> 3x3xT",
            "as_strided_scatter(4x4xT, 0xT) {size = array<i64: 0>, stride = array<i64: 1>} -> 4x4xT",
            "concat(2x3xT, 2x1xT, 2x0xT) {axis = -1 : i64} -> 2x4xT",
            "stack(2x3xT, 2x3xT) {axis = -1 : i64} -> 2x3x2xT",
            "pad(2x3xT) {pads = array<i64: 1, 0, 0, 3>, value = 1 : i64} -> 3x6xT",
            "pad(4x5xT) {pads = array<i64: -1, 2, 1, -3>, value = 1 : i64} -> 4x4xT",
            "pad(4x5x6xT) {axes = array<i64: -1, 0>, pads = array<i64: 1, 0, 2, 3>} -> 7x5x9xT",
            *(
                f'pad({shape}xT) {{mode = "{mode}", pads = array<i64: {pads}>}} -> {out}xT'
                for mode in ("reflect", "edge", "wrap")
                for shape, pads, out in (
                    ("4x5", "1, 2, 3, 4", "8x11"),
                    ("3x1x4", "0, 2, 9, 7, 1, 0", "10x4x13"),
                    ("4x5", "-1, 3, 2, -2", "5x6"),
                )
            ),
            'pad(3x4xT) {axes = array<i64: 1>, mode = "edge", pads = array<i64: 1, 1>} -> 3x6xT',
            *(
                f'lod_to_tnc(7x2xT, 4xi64) {{is_reverse = {reverse}, layout = "{layout}"}} -> {shape}x2xT'
                for reverse in ("false", "true")
                for layout, shape in (("tnc", "4x3"), ("ntc", "3x4"))
            ),
            *(
                f'tnc_to_lod({shape}x2xT, 4xi64) {{is_reverse = {reverse}, layout = "{layout}"}} -> 7x2xT'
                for reverse in ("false", "true")
                for layout, shape in (("tnc", "4x3"), ("ntc", "3x4"))
            ),
            "tnc_to_lod(4x3x2xT, 4xi64, 7x1xi64) -> 7x2xT",
        ],
    ),
    (
        ("f32", "f64"),
        [
            f"gru(7x9xT, 3x9xT, 4xi64) {segments(1, 1, 0, 0, 1)} -> 7x3xT",
            f"fused_gru(7x4xT, 4x9xT, 3x9xT, 4xi64) {segments(1, 1, 1, 0, 0, 1)} -> 7x3xT",
            f"fused_gru(7x4xT, 4x9xT, 3x3x3xT, 1x9xT, 3x3xT, 4xi64) {segments(1, 1, 1, 1, 1, 1)} -> 7x3xT",
            f"fused_gru(0x4xT, 4x9xT, 3x3x3xT, 1xi64) {segments(1, 1, 1, 0, 0, 1)} -> 0x3xT",
            f"gru_grad(0x9xT, 3x3x3xT, 1xi64, 0x3xT, 0x3xT) {segments(1, 1, 0, 0, 1, 1, 1)} -> 0x9xT, 3x3x3xT, 0x3xT",
            *(
                f"gru_grad(7x9xT, 3x3x3xT, 1x9xT, 3x3xT, 4xi64, 7x3xT, 7x3xT) "
                f"{segments(1, 1, 1, 1, 1, 1, 1, more=more)} -> 7x9xT, 3x3x3xT, 3x3xT"
                for more in (
                    "is_reverse = true, ",
                    "origin_mode = true, ",
                    'activation = "sigmoid", gate_activation = "tanh", ',
                    'activation = "identity", gate_activation = "relu", ',
                )
            ),
            *(
                f"multi_gru(7x4xT, {halves('4x9xT, 3x9xT, 1x9xT', again)}, 4xi64) "
                f'{{layers = {layers} : i64, mode = "{mode}", origin_mode = {origin}}} -> 7x{width}xT'
                for mode, width, again, layers, origin in (
                    ("concat", 6, "", 1, "false"),
                    ("sum", 3, "", 1, "true"),
                    ("concat", 4, "6x6xT, 2x3x2xT, 1x6xT", 2, "false"),
                    ("sum", 5, "3x15xT, 5x15xT, 1x15xT", 2, "false"),
                )
            ),
            "multi_gru(7x4xT, 4x9xT, 3x3x3xT, 1x9xT, 4x9xT, 3x9xT, 1x9xT, 3x3xT, 3x3xT, 4xi64) "
            '{mode = "concat"} -> 7x6xT',
            "crf_decoding(7x3xT, 5x3xT, 4xi64) -> 7x1xi64",
            f"onnx_gru(5x2x4xT, 1x9x4xT, 1x9x3xT) {segments(1, 1, 1, 0, 0, 0)} -> 5x1x2x3xT, 1x2x3xT",
            *(
                f"onnx_gru({x}x4xT, 2x9x4xT, 2x9x3xT, 2x18xT, 2xi32, {h}xT) "
                f"{segments(1, 1, 1, 1, 1, 1, more=more)} -> {y}xT, {h}xT"
                for x, y, h, more in (
                    ("5x2", "5x2x2x3", "2x2x3", 'direction = "bidirectional", linear_before_reset = 1 : i64, '),
                    ("2x5", "2x5x2x3", "2x2x3", 'direction = "bidirectional", layout = 1 : i64, clip = 0.5 : f32, '),
                )
            ),
            "onnx_rnn(2x5x4xT, 2x3x4xT, 2x3x3xT, 2x6xT, 2xi32, 2x2x3xT) "
            + segments(1, 1, 1, 1, 1, 1, more='direction = "bidirectional", layout = 1 : i64, ')
            + " -> 2x5x2x3xT, 2x2x3xT",
            *(
                f"onnx_gru(5x2x4xT, 1x9x4xT, 1x9x3xT) {segments(1, 1, 1, 0, 0, 0, more=more)} -> 5x1x2x3xT, 1x2x3xT"
                for more in (
                    'activations = ["HardSigmoid", "Softsign"], ',
                    'activations = ["hardsigmoid", "Affine"], activation_alpha = array<f32: 0.25, 0.5>, '
                    "activation_beta = array<f32: 0.5, 0.25>, ",
                    'activations = ["LeakyRelu", "ScaledTanh"], activation_alpha = array<f32: 0.125, 0.5>, '
                    "activation_beta = array<f32: 2.0>, ",
                    'activations = ["Softplus", "Elu"], ',
                )
            ),
            f"onnx_lstm(5x2x4xT, 1x12x4xT, 1x12x3xT) {segments(1, 1, 1, 0, 0, 0, 0, 0)} -> 5x1x2x3xT, 1x2x3xT, 1x2x3xT",
            f"onnx_lstm(2x5x4xT, 1x12x4xT, 1x12x3xT, 1x24xT, 2xi64, 2x1x3xT, 2x1x3xT, 1x9xT) "
            f"{segments(1, 1, 1, 1, 1, 1, 1, 1, more='layout = 1 : i64, input_forget = 1 : i64, ')} "
            "-> 2x5x1x3xT, 2x1x3xT, 2x1x3xT",
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
            f"quantized_gru(7x4xf32, {INT8}, 4xi64) {{{data(1)}, reverse = [true]}} -> 7x3xf32",
            f"quantized_gru(7x4xf32, {BF16}, {BF16}, 3x3xf32, 3x3xf32, 4xi64) "
            '{mode = "sum", reverse = [false, true]} -> 7x3xf32',
            f"quantized_gru(7x4xf32, {INT8}, {INT8}, {INT8.replace('4x9', '6x9')}, {INT8.replace('4x9', '6x9')}, "
            f'4xi64) {{{data(2)}, layers = 2 : i64, mode = "concat", reverse = [true, false]}} -> 7x6xf32',
            "pow(4xf32, 4xi64) -> 4xf32",
            "constant() {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>} -> 1x2xf32",
            "constant() {value = dense<[true, false]> : tensor<2xi1>} -> 2xi1",
            "constant() {value = dense<1.5> : tensor<2xbf16>} -> 2xbf16",
        ],
    ),
]

GIVEN = [with_dtype(line, dtype) for dtypes, lines in GOOD for line in lines for dtype in dtypes]


@cache
def lines(cls: type[DnnOp]) -> tuple[str, ...]:
    """All lines of an op: those above, and those made from its class."""
    return *(line for line in GIVEN if f"dnn.{named(line)}" == cls.name), *lines_of(cls)
