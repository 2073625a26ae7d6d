"""Losses, gradients and updates on what they must refuse."""

from __future__ import annotations

from op_cases import Bad

BAD_TRAINING = [
    Bad("batch_norm_grad(2x3xf32, 2xf32, 3xf32, 3xf32, 2x3xf32) -> 2x3xf32, 3xf32, 3xf32", "channels of x and scale"),
    Bad("batch_norm_grad(2x3xf32, 3xf32, 3xf32, 3xf32, 2x4xf32) -> 2x3xf32, 3xf32, 3xf32", "x and dy"),
    Bad("batch_norm_grad(3xf32, 3xf32, 3xf32, 3xf32, 3xf32) -> 3xf32, 3xf32, 3xf32", "2 axes or more"),
    Bad("group_norm_grad(2x3xf32, 3xf32, 2x3xf32) {num_groups = 2 : i64} -> 2x3xf32, 3xf32, 3xf32", "are not 2 groups"),
    Bad("group_norm_grad(3xf32, 3xf32, 3xf32) {num_groups = 1 : i64} -> 3xf32, 3xf32, 3xf32", "2 axes or more"),
    Bad("rms_norm_grad(2x3xf32, 2xf32, 2x3xf32) -> 2x3xf32, 2xf32", "axes and scale"),
    Bad("layer_norm_grad(2x3xf32, 2xf32, 2x1xf32, 2x1xf32, 2x3xf32) -> 2x3xf32, 3xf32, 3xf32", "axes and scale"),
    Bad("layer_norm_grad(2x3xf32, 3xf32, 2xf32, 2x1xf32, 2x3xf32) -> 2x3xf32, 3xf32, 3xf32", "the means"),
    Bad("conv_weights_grad(1x3x5xf32, 1x2x3xf32) -> 2x3x3xf32", "needs kernel_shape"),
    Bad("conv_weights_grad(1x3x5xf32, 1x2xf32) {kernel_shape = array<i64: 3>} -> 2x3x3xf32", "have 3 and 2 axes"),
    Bad("conv_weights_grad(1x3x5xf32, 2x2x3xf32) {kernel_shape = array<i64: 3>} -> 2x3x3xf32", "batches of x and dy"),
    Bad("conv_weights_grad(1x3x5xf32, 1x2x4xf32) {kernel_shape = array<i64: 3>} -> 2x3x3xf32", "places of the window"),
    Bad(
        "conv_weights_grad(1x3x5xf32, 1x2x3xf32) {group = 2 : i64, kernel_shape = array<i64: 3>} -> 2x1x3xf32",
        "3 channels cannot be cut into 2 groups",
    ),
    Bad(
        "max_pool_grad(1x3x4xf32, 1x3x4xui8) {kernel_shape = array<i64: 2>, output_shape = array<i64: 5, 5>} "
        "-> 1x3x5xf32",
        "output_shape must have 1 sizes",
    ),
    Bad(
        "max_pool_grad(1x3x4xf32, 1x3x4xi32) {kernel_shape = array<i64: 2>, output_shape = array<i64: 5>} -> 1x3x5xf32",
        "have type ui8 or i64, not i32",
    ),
    Bad(
        "average_pool_grad(1x3x4xf32) {kernel_shape = array<i64: 2>, output_shape = array<i64: 6>} -> 1x3x6xf32",
        "dy and the places of the window",
    ),
    Bad("require_finite(3xf32, 3xi64) -> 3xf32", "floating-point"),
    Bad("require_finite(3xf32, f32) -> 4xf32", "3xf32"),
    Bad("relu_grad(3xf32, 4xf32) -> 3xf32", "sizes 3 and 4 differ"),
    Bad("sigmoid_grad(3xi64, 3xi64) -> 3xi64", "floating-point"),
    Bad("tanh_grad(3xf32, 3xf64) -> 3xf32", "element types f32 and f64"),
    Bad('gelu_grad(3xf32, 3xf32) {approximate = "fast"} -> 3xf32', "approximate must be"),
    Bad("larger_grad(2x3xf32, 3xf32, 3xf32) -> 3xf32", "2 axes"),
    Bad("softmax_grad(2x3xf32, 2x4xf32) -> 2x3xf32", "sizes 3 and 4 differ"),
    Bad("log_softmax_grad(3xf32, 3xf32) {axis = 1 : i64} -> 3xf32", "axis 1 is outside"),
    Bad("softmax_cross_entropy(2x3xf32, 3xi64) -> f32", "labels and the rows: sizes 3 and 2 differ"),
    Bad("softmax_cross_entropy(2x3xf32, 2x3xf64) -> f32", "element types f32 and f64"),
    Bad('softmax_cross_entropy(2x3xf32, 2xi64) {reduction = "none"} -> f32', "must be mean or sum"),
    Bad("softmax_cross_entropy(2x3xf32, 2x3xf32) {ignore_index = 0 : i64} -> f32", "have no ignore_index"),
    Bad("softmax_cross_entropy(2x3xi64, 2xi64) -> i64", "floating-point"),
    Bad("softmax_cross_entropy_grad(2x3xf32, 2xi64, 1xf32) -> 2x3xf32", "1 and 0 axes"),
    Bad("nll(2x3xf32, 2x3xf32) -> f32", "must have element type i32 or i64"),
    Bad("nll(2x3xf32, 2xi64) {axis = 2 : i64} -> f32", "axis 2 is outside"),
    Bad("nll_grad(2x3xf32, 2x3xf32, f32) -> 2x3xf32", "must have element type i32 or i64"),
    Bad("linear_chain_crf(5x3xf32, 4x3xf32, 5xi64, 3xi64) -> 2x1xf32", "transition"),
    Bad("linear_chain_crf(5x3xf32, 5x3xf32, 4xi64, 3xi64) -> 2x1xf32", "labels and rows: sizes 4 and 5 differ"),
    Bad("linear_chain_crf(5x3xf32, 5x3xf32, 5x2xi64, 3xi64) -> 2x1xf32", "labels of a row"),
    Bad("linear_chain_crf(5x0xf32, 2x0xf32, 5xi64, 3xi64) -> 2x1xf32", "no tags to choose from"),
    Bad("linear_chain_crf_grad(5x3xf32, 5x3xf32, 5xi64, 3xi64, 3x1xf32) -> 5x3xf32, 5x3xf32", "dy"),
    Bad("mse(2x3xf32, 3xf32) -> f32", "2 and 1 axes"),
    Bad("dropout(3xf32, i64, i64) {rate = 1.5 : f32} -> 3xf32", "from 0 to 1"),
    Bad("dropout(3xf32, i32, i64) {rate = 0.5 : f32} -> 3xf32", "must have element type i64"),
    Bad("dropout(3xf32, i64, 1xi64) {rate = 0.5 : f32} -> 3xf32", "1 and 0 axes"),
    Bad("dropout(3xf32, i64, i64) {rate = 0.5 : f32, stream = -1 : i64} -> 3xf32", "word of 32 bits"),
    Bad("index_add(3x4xf32, 2xi64, 2x3xf32) -> 3x4xf32", "updates: sizes 4 and 3 differ"),
    Bad("index_add(3xi1, 2xi64, 2xi1) -> 3xi1", "must be numbers"),
]
