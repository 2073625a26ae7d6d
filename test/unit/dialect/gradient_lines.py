"""Ops whose gradients are held against differences, beside the examples of their classes: other attributes, broadcasts,
odd shapes; by the op's name."""

from __future__ import annotations

LINES: dict[str, list[str]] = {
    "one_hot": [
        "one_hot(2x3xi64, 2xf32) {axis = 0 : i64, depth = 5 : i64} -> 5x2x3xf32",
        "one_hot(4xi32, 2xf32) {depth = 1 : i64} -> 4x1xf32",
        "one_hot(0xi64, 2xf32) {depth = 3 : i64} -> 0x3xf32",
    ],
    "relu": ["relu(2x3x5xf32) -> 2x3x5xf32"],
    "gelu": ["gelu(7xf32) -> 7xf32"],
    "silu": ["silu(7xf32) {alpha = 1.7 : f32} -> 7xf32"],
    "leaky_relu": ["leaky_relu(5xf32) -> 5xf32"],
    "elu": ["elu(7xf32) {alpha = 2.5 : f32} -> 7xf32"],
    "celu": ["celu(7xf32) -> 7xf32"],
    "selu": ["selu(7xf32) -> 7xf32"],
    "clip": [
        "clip(7xf32) {min = -1.0 : f32} -> 7xf32",
        "clip(7xf32) {max = 1.0 : f32} -> 7xf32",
        "clip(7xf32) -> 7xf32",
        "clip(7xf32) {min = 1.0 : f32, max = -1.0 : f32} -> 7xf32",
    ],
    "batch_norm": [
        "batch_norm(2x3x4xf32, 3xf32, 3xf32, 3xf32, 3xf32) -> 2x3x4xf32",
        "batch_norm(2x3x4x1xf32, 3xf32, 3xf32, 3xf32, 3xf32) -> 2x3x4x1xf32",
        "batch_norm(2x2x2x2x3xf32, 2xf32, 2xf32, 2xf32, 2xf32) -> 2x2x2x2x3xf32",
    ],
    "scale": [
        "scale(3xf32) {scale = 2.5 : f32, bias = 1.0 : f32, bias_after_scale = false} -> 3xf32",
        "scale(3xf32) {scale = 3 : i64} -> 3xf32",
    ],
    "hard_sigmoid": ["hard_sigmoid(9xf32) {alpha = 0.5 : f32} -> 9xf32"],
    "thresholded_relu": ["thresholded_relu(9xf32) {alpha = -1.0 : f32} -> 9xf32"],
    "shrink": ["shrink(9xf32) -> 9xf32"],
    "prelu": ["prelu(2x3xf32, f32) -> 2x3xf32", "prelu(2x3xf32, 2x1xf32) -> 2x3xf32"],
    "add": ["add(2x1xf32, 3xf32) -> 2x3xf32", "add(f32, 2x3xf32) -> 2x3xf32"],
    "sub": ["sub(1x3xf32, 5x2x1xf32) -> 5x2x3xf32"],
    "mul": ["mul(2x1xf32, 3xf32) -> 2x3xf32"],
    "div": ["div(2x1xf32, 3xf32) -> 2x3xf32", "div(4x3xf32, f32) -> 4x3xf32"],
    "pow": ["pow(2x3xf32, f32) -> 2x3xf32", "pow(2x3xf32, 3xi64) -> 2x3xf32", "pow(3xf32, 2x1xf32) -> 2x3xf32"],
    "mod": ["mod(5xf32, 5xf32) -> 5xf32"],
    "maximum": ["maximum(2x1xf32, 3xf32) -> 2x3xf32"],
    "minimum": ["minimum(2x1xf32, 3xf32) -> 2x3xf32"],
    "sum": ["sum(3xf32) -> 3xf32"],
    "addcmul": ["addcmul(3xf32, 2x1xf32, 2x3xf32) -> 2x3xf32"],
    "cast": ["cast(3xi64) -> 3xf32", "cast(3xf32) -> 3xf32"],
    "where": ["where(3xi1, 2x1xf32, f32) -> 2x3xf32"],
    "masked_fill": ["masked_fill(2x3xf32, 2x1xi1) {value = 7.0 : f32} -> 2x3xf32"],
    "less": ["less(3xf32, 3xf32) -> 3xf32"],
    "softmax": ["softmax(2x3x4xf32) {axis = 1 : i64} -> 2x3x4xf32"],
    "log_softmax": ["log_softmax(2x3x4xf32) {axis = 0 : i64} -> 2x3x4xf32"],
    "matmul": [
        "matmul(3xf32, 3xf32) -> f32",
        "matmul(3xf32, 3x4xf32) -> 4xf32",
        "matmul(2x3xf32, 3xf32) -> 2xf32",
        "matmul(5x2x3xf32, 3xf32) -> 5x2xf32",
        "matmul(3xf32, 5x3x2xf32) -> 5x2xf32",
        "matmul(5x2x3xf32, 3x4xf32) -> 5x2x4xf32",
        "matmul(2x3xf32, 5x3x4xf32) -> 5x2x4xf32",
        "matmul(5x1x2x3xf32, 4x3x2xf32) -> 5x4x2x2xf32",
        "matmul(5x2x3xf32, 5x3x4xf32) -> 5x2x4xf32",
        "matmul(5x3x2xf32, 5x3x4xf32) {transA = 1 : i64} -> 5x2x4xf32",
        "matmul(5x2x3xf32, 4x3xf32) {transB = 1 : i64} -> 5x2x4xf32",
        "matmul(5x3x2xf32, 1x4x3xf32) {transA = 1 : i64, transB = 1 : i64} -> 5x2x4xf32",
        "matmul(3xf32, 5x2x3xf32) {transB = 1 : i64} -> 5x2xf32",
    ],
    "gemm": [
        "gemm(2x3xf32, 3x4xf32) -> 2x4xf32",
        "gemm(3x2xf32, 3x4xf32, 4xf32) {transA = 1 : i64, alpha = 0.5 : f32, beta = 3.0 : f32} -> 2x4xf32",
        "gemm(2x3xf32, 4x3xf32, f32) {transB = 1 : i64, alpha = 2.0 : f32} -> 2x4xf32",
        "gemm(3x2xf32, 4x3xf32, 2x1xf32) {transA = 1 : i64, transB = 1 : i64} -> 2x4xf32",
    ],
    "einsum": [
        'einsum(2x3xf32) {equation = "ij->ji"} -> 3x2xf32',
        'einsum(2x3xf32, 4xf32) {equation = "ij,k->i"} -> 2xf32',
        'einsum(5x2x3xf32, 5x3x4xf32) {equation = "bij,bjk->bik"} -> 5x2x4xf32',
        'einsum(5x2x3xf32, 3x4xf32) {equation = "...ij,jk->...ik"} -> 5x2x4xf32',
        'einsum(1x2x3xf32, 5x3x4xf32) {equation = "...ij,...jk->...ik"} -> 5x2x4xf32',
        'einsum(2xf32, 2x3xf32, 3xf32) {equation = "i,ij,j->"} -> f32',
        'einsum(2x3xf32) {equation = "ij->"} -> f32',
    ],
    "reduce_sum": ["reduce_sum(2x3x4xf32) -> f32", "reduce_sum(2x3x4xf32) {axes = array<i64: 0, -1>} -> 3xf32"],
    "reduce_mean": [
        "reduce_mean(2x3x4xf32) -> f32",
        "reduce_mean(2x3x4xf32) {axes = array<i64: 0, 2>, keepdims = true} -> 1x3x1xf32",
    ],
    "reduce_max": [
        "reduce_max(2x3x4xf32) -> f32",
        "reduce_max(2x3x4xf32) {axes = array<i64: 0, 2>, keepdims = true} -> 1x3x1xf32",
    ],
    "reduce_min": ["reduce_min(2x3x4xf32) {axes = array<i64: 2, 0>} -> 3xf32"],
    "reduce_prod": [
        "reduce_prod(2x3xf32) -> f32",
        "reduce_prod(2x3x4xf32) {axes = array<i64: 0, 2>} -> 3xf32",
        "reduce_prod(2x3x4xf32) {axes = array<i64: 1>, keepdims = true} -> 2x1x4xf32",
    ],
    "reduce_l1": ["reduce_l1(2x3xf32) -> f32"],
    "reduce_l2": ["reduce_l2(2x3x4xf32) {axes = array<i64: 1>, keepdims = true} -> 2x1x4xf32"],
    "reduce_log_sum": ["reduce_log_sum(2x3xf32) -> f32"],
    "reduce_log_sum_exp": ["reduce_log_sum_exp(2x3x4xf32) {axes = array<i64: 0, 2>} -> 3xf32"],
    "cumsum": [
        f"cumsum(2x3xf32) {{axis = 1 : i64, exclusive = {exclusive}, reverse = {reverse}}} -> 2x3xf32"
        for exclusive in ("true", "false")
        for reverse in ("true", "false")
    ],
    "reshape": ["reshape(2x3xf32) {shape = array<i64: 3, -1>} -> 3x2xf32"],
    "squeeze": ["squeeze(1x3x1xf32) -> 3xf32"],
    "expand": ["expand(3x1xf32) {shape = array<i64: 2, 1, 4>} -> 2x3x4xf32"],
    "transpose": [
        "transpose(2x3x4xf32) -> 4x3x2xf32",
        "transpose(2x3x4xf32) {perm = array<i64: 2, 0, 1>} -> 4x2x3xf32",
    ],
    "slice": [
        "slice(5xf32) {start = 1 : i64, step = 2 : i64} -> 2xf32",
        "slice(5x4xf32) {starts = array<i64: -1, 1>, ends = array<i64: -9, 3>, steps = array<i64: -2, 1>} -> 3x2xf32",
        "slice(5x4xf32) {starts = array<i64: 3, 3>, ends = array<i64: 0, 0>, steps = array<i64: -2, -1>} -> 2x3xf32",
        "slice(5xf32) {starts = array<i64: 0>, ends = array<i64: 3>, steps = array<i64: -1>} -> 0xf32",
    ],
    "select": ["select(2x3xf32) {index = 1 : i64} -> 3xf32"],
    "diagonal": ["diagonal(2x3x4xf32) {dim1 = 2 : i64, dim2 = 0 : i64, offset = -1 : i64} -> 3x2xf32"],
    "split": [
        "split(5x2xf32) {split = array<i64: 1, 4>} -> 1x2xf32, 4x2xf32",
        "split(2x5xf32) {num_outputs = 2 : i64, axis = -1 : i64} -> 2x3xf32, 2x2xf32",
    ],
    "unbind": ["unbind(2x3xf32) {axis = -1 : i64} -> 2xf32, 2xf32, 2xf32"],
    "concat": ["concat(2x3xf32, 1x3xf32, 2x3xf32) -> 5x3xf32"],
    "stack": ["stack(2x3xf32, 2x3xf32) {axis = -1 : i64} -> 2x3x2xf32"],
    "slice_scatter": ["slice_scatter(5xf32, 2xf32) {start = 1 : i64, step = 2 : i64} -> 5xf32"],
    "tile": ["tile(2x3xf32) {repeats = array<i64: 3, 2>} -> 6x6xf32"],
    "compress": ["compress(2x3xf32) {condition = array<i64: 0, 1, 1, 0, 1>} -> 3xf32"],
    "det": ["det(4x4xf32) -> f32", "det(3x1x1xf32) -> 3xf32", "det(2x2x2xf32) -> 2xf32"],
    "rotary_embedding": [
        "rotary_embedding(2x3x6xf32, 3x2xf32, 3x2xf32) -> 2x3x6xf32",
        "rotary_embedding(2x3x5xf32, 2x1x2xf32, 2x1x2xf32) {interleaved = true} -> 2x3x5xf32",
        "rotary_embedding(3x7xf32, 2x3x6xf32, 2x3x6xf32) {each = true} -> 2x3x7xf32",
    ],
    "trilu": ["trilu(3x4xf32) {upper = 0 : i64, k = -1 : i64} -> 3x4xf32"],
    "reverse_sequence": ["reverse_sequence(2x3x2xf32, 2xi64) {batch_axis = 0 : i64, time_axis = 1 : i64} -> 2x3x2xf32"],
    "gather": [
        "gather(3x4xf32, 2x5xi64) {axis = 1 : i64} -> 3x2x5xf32",
        "gather(5x2xf32, i64) -> 2xf32",
        "gather(3x4xf32, 7xi32) -> 7x4xf32",
    ],
    "gather_elements": ["gather_elements(3x4xf32, 2x4xi64) -> 2x4xf32"],
    "gather_nd": [
        "gather_nd(3x4xf32, 5x2xi64) -> 5xf32",
        "gather_nd(2x3x4xf32, 2x5x1xi64) {batch_dims = 1 : i64} -> 2x5x4xf32",
        "gather_nd(2x3x4x2xf32, 2x3x1xi32) {batch_dims = 2 : i64} -> 2x3x2xf32",
    ],
    "scatter_elements": [
        *(
            f'scatter_elements(2x3xf32, 2x7xi64, 2x7xf32) {{axis = 1 : i64, reduction = "{reduction}"}} -> 2x3xf32'
            for reduction in ("mul", "max", "min")
        ),
        "scatter_elements(2x3xf32, 4x3xi64, 4x3xf32) -> 2x3xf32",
        'scatter_elements(2x3xf32, 2x5xi64, 2x5xf32) {axis = 1 : i64, reduction = "add"} -> 2x3xf32',
    ],
    "scatter_nd": [
        *(
            f'scatter_nd({shapes}) {{reduction = "{reduction}"}} -> 2x3xf32'
            for reduction in ("mul", "max", "min")
            for shapes in ("2x3xf32, 7x2xi64, 7xf32", "2x3xf32, 5x1xi64, 5x3xf32")
        ),
        "scatter_nd(2x3xf32, 7x2xi64, 7xf32) -> 2x3xf32",
        'scatter_nd(2x3xf32, 5x1xi64, 5x3xf32) {reduction = "add"} -> 2x3xf32',
    ],
    "index_add": ["index_add(3x4xf32, 2x5xi64, 3x2x5xf32) {axis = 1 : i64} -> 3x4xf32"],
    "softmax_cross_entropy": [
        'softmax_cross_entropy(5x3xf32, 5x3xf32) {reduction = "sum"} -> f32',
        "softmax_cross_entropy(2x3x4xf32, 2x3x4xf32) {axis = 1 : i64} -> f32",
        "softmax_cross_entropy(2x3x4xf32, 2x4xi32) {axis = 1 : i64} -> f32",
        'softmax_cross_entropy(7x3xf32, 7xi64) {ignore_index = 1 : i64, reduction = "sum"} -> f32',
        "softmax_cross_entropy(7x3xf32, 7xi64) {ignore_index = 1 : i64} -> f32",
        "softmax_cross_entropy(3xf32, i64) -> f32",
    ],
    "linear_chain_crf": [
        "linear_chain_crf(7x3xf32, 5x3xf32, 7x1xi32, 5xi64) -> 4x1xf32",
        "linear_chain_crf(1x2xf32, 4x2xf32, 1xi64, 2xi64) -> 1x1xf32",
        "linear_chain_crf(4x1xf32, 3x1xf32, 4xi64, 3xi64) -> 2x1xf32",
    ],
    "nll": [
        "nll(7x3xf32, 7xi64) {ignore_index = 1 : i64} -> f32",
        'nll(2x3x4xf32, 2x4xi32) {axis = 1 : i64, reduction = "sum"} -> f32',
        "nll(3xf32, i64) -> f32",
    ],
    "mse": ['mse(5xf32, 5xf32) {reduction = "sum"} -> f32', "mse(f32, f32) -> f32"],
    "dropout": ["dropout(5x7xf32, i64, i64) {rate = 0.3 : f32, stream = 2 : i64} -> 5x7xf32"],
    "pad": [
        'pad(4x5xf32) {pads = array<i64: 2, 1, 3, 2>, mode = "reflect"} -> 9x8xf32',
        'pad(1x3xf32) {pads = array<i64: 2, 5, 0, 4>, mode = "reflect"} -> 3x12xf32',
        'pad(3x4xf32) {pads = array<i64: 2, 3>, axes = array<i64: 1>, mode = "edge"} -> 3x9xf32',
        'pad(3x4xf32) {pads = array<i64: -1, 6, 2, -2>, mode = "wrap"} -> 4x8xf32',
    ],
    "depth_to_space": ['depth_to_space(2x8x3x5xf32) {blocksize = 2 : i64, mode = "CRD"} -> 2x2x6x10xf32'],
    "space_to_depth": ['space_to_depth(2x3x4x6xf32) {blocksize = 2 : i64, mode = "CRD"} -> 2x12x2x3xf32'],
    "lrn": [
        "lrn(2x7x3xf32) {size = 4 : i64, alpha = 0.9 : f32, beta = 1.7 : f32, bias = 2.0 : f32} -> 2x7x3xf32",
        "lrn(2x3xf32) {size = 9 : i64, alpha = 3.0 : f32} -> 2x3xf32",
        "lrn(3x2x1xf32) {size = 1 : i64, alpha = 3.0 : f32} -> 3x2x1xf32",
    ],
    "lp_normalization": [
        "lp_normalization(3x4x5xf32) {axis = 1 : i64, p = 1 : i64} -> 3x4x5xf32",
        "lp_normalization(3x4xf32) {axis = 0 : i64} -> 3x4xf32",
    ],
    "mean_variance_normalization": [
        "mean_variance_normalization(2x3x4x5xf32) -> 2x3x4x5xf32",
        "mean_variance_normalization(5x3xf32) {axes = array<i64: -1>} -> 5x3xf32",
    ],
    "hardmax": ["hardmax(3x4xf32) {axis = 0 : i64} -> 3x4xf32"],
    "lp_pool": [
        "lp_pool(2x3x7xf32) {kernel_shape = array<i64: 3>, p = 1 : i64, strides = array<i64: 2>, "
        "pads = array<i64: 1, 1>} -> 2x3x4xf32",
        "lp_pool(1x2x6x5xf32) {kernel_shape = array<i64: 2, 3>, p = 3 : i64, ceil_mode = 1 : i64, "
        "strides = array<i64: 4, 2>} -> 1x2x2x2xf32",
        "lp_pool(1x2x6x5xf32) {kernel_shape = array<i64: 3, 2>, ceil_mode = 1 : i64, dilations = array<i64: 2, 1>, "
        "strides = array<i64: 1, 2>} -> 1x2x2x3xf32",
        "lp_pool(1x6x5x2xf32) {kernel_shape = array<i64: 2, 2>, ceil_mode = 1 : i64, strides = array<i64: 3, 3>, "
        "pads = array<i64: 1, 0, 0, 1>, channels_last = true} -> 1x3x2x2xf32",
    ],
    "global_max_pool": [
        "global_max_pool(2x3x4x5xf32) {channels_last = true} -> 2x1x1x5xf32",
        "global_max_pool(2x3x7xf32) -> 2x3x1xf32",
    ],
    "global_lp_pool": [
        "global_lp_pool(2x3x4x5xf32) {channels_last = true, p = 1 : i64} -> 2x1x1x5xf32",
        "global_lp_pool(2x3x7xf32) {p = 3 : i64} -> 2x3x1xf32",
        "global_lp_pool(2x1x7xf32) {p = 2 : i64} -> 2x1x1xf32",
    ],
    "max_unpool": [
        "max_unpool(1x1x2x2xf32, 1x1x2x2xi64) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
        "output_shape = array<i64: 1, 1, 5, 7>} -> 1x1x5x7xf32",
    ],
    "dynamic_slice": [
        "dynamic_slice(4x5xf32, i64, i64) {slice_sizes = array<i64: 2, 3>} -> 2x3xf32",
        "dynamic_slice(3x4x2xf32, i32, i32, i32) {slice_sizes = array<i64: 3, 1, 2>} -> 3x1x2xf32",
    ],
    "dynamic_update_slice": [
        "dynamic_update_slice(4x5xf32, 2x3xf32, i64, i64) -> 4x5xf32",
        "dynamic_update_slice(3x4x2xf32, 3x1x2xf32, i32, i32, i32) -> 3x4x2xf32",
    ],
    "tensor_scatter": [
        "tensor_scatter(3x5x2xf32, 3x2x2xf32, 3xi64) -> 3x5x2xf32",
        "tensor_scatter(3x5x2xf32, 3x2x2xf32) -> 3x5x2xf32",
        'tensor_scatter(3x2x4x5xf32, 3x2x4x3xf32, 3xi64) {axis = -1 : i64, mode = "circular"} -> 3x2x4x5xf32',
    ],
    "resize": [
        f'resize(2x3x4x5xf32) {{mode = "{mode}", {how}}} -> {shape}xf32'
        for mode in ("linear", "cubic")
        for how, shape in (
            ("scales = array<f32: 1.0, 1.0, 2.0, 0.6>", "2x3x8x3"),
            ("sizes = array<i64: 7, 9>, axes = array<i64: 2, 3>, exclude_outside = 1 : i64", "2x3x7x9"),
            ("sizes = array<i64: 2, 3>, axes = array<i64: 3, 2>, antialias = 1 : i64", "2x3x3x2"),
            (
                'sizes = array<i64: 3>, axes = array<i64: 0>, coordinate_transformation_mode = "align_corners"',
                "3x3x4x5",
            ),
        )
    ]
    + [
        'resize(4x5xf32) {mode = "linear", sizes = array<i64: 3, 7>, roi = array<f32: 0.2, -0.3, 0.7, 1.4>, '
        'coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 2.0 : f32} -> 3x7xf32',
        "resize(4x5xf32) {sizes = array<i64: 7, 3>} -> 7x3xf32",
    ],
    "cumprod": [
        f"cumprod(2x5x3xf32) {{axis = 1 : i64, exclusive = {exclusive}, reverse = {reverse}}} -> 2x5x3xf32"
        for exclusive in ("true", "false")
        for reverse in ("true", "false")
    ],
    "onnx_rnn": [
        f"onnx_rnn(2x5x4xf32, {d}x3x4xf32, {d}x3x3xf32, {d}x6xf32, 2xi32, 2x{d}x3xf32) "
        f'{{direction = "{direction}", layout = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>}} '
        f"-> 2x5x{d}x3xf32, 2x{d}x3xf32"
        for d, direction in ((1, "reverse"), (2, "bidirectional"))
    ],
    "require_finite": ["require_finite(f32, 5x3xf32) -> f32"],
    "top_k": ["top_k(4x3xf32) {k = 2 : i64, axis = 0 : i64, largest = 0 : i64} -> 2x3xf32, 2x3xi64"],
}
