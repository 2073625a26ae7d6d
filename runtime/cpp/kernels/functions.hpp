// The kernels that are called by name (call.hpp).
#pragma once

#include "call.hpp"

namespace lastuse::kernels {

// dialect/dnn/map_program.py; numbers: the program.
Prepared map(const Call &call);
// The names of its instructions, in their order.
std::vector<std::string> map_instructions();

// dialect/dnn/optimizers.py; numbers: weight_decay and then momentum and nesterov, or beta1, beta2 and epsilon.
void sgd(const Call &call);
void momentum(const Call &call);
void adam(const Call &call);
void adam_with_powers(const Call &call);

// dialect/dnn/losses.py and loss_gradients.py; numbers: reduction is mean, and of rows of classes axis, whether there is
// an ignore_index, and it.
void mse(const Call &call);
void nll(const Call &call);
void nll_grad(const Call &call);
void softmax_cross_entropy(const Call &call);
void softmax_cross_entropy_grad(const Call &call);

// dialect/dnn/batch_norm.py, in training, and normalization_gradients.py; numbers: epsilon, momentum or whether the
// statistics are fixed, whether channels are last.
void batch_norm(const Call &call);
void batch_norm_grad(const Call &call);

// dialect/dnn/normalization.py and group_norm.py; numbers: whether the mean is taken away, epsilon, elements of a row, and
// where scales are of channels how many there are, else 0, and the elements of one.
void row_norm(const Call &call);

// dialect/dnn/normalization.py, on f32 and f64; numbers: axis, and whether it is the logarithm.
void softmax(const Call &call);

// dialect/dnn/response_norm.py; numbers: axis, and of lp_normalization p.
void lp_normalization(const Call &call);
void hardmax(const Call &call);

// dialect/dnn/dropout.py; numbers: rate, stream.
void dropout(const Call &call);

// dialect/dnn/quantization.py; numbers: of the first two the axis of the parameters, counted from 0.
void quantize_linear(const Call &call);
void dequantize_linear(const Call &call);
void dynamic_quantize_linear(const Call &call);

// dialect/dnn/integer_products.py and integer_convolution.py have the numbers.
void integer_matmul(const Call &call);
void integer_convolution(const Call &call);
int64_t integer_matmul_scratch(const Call &call);
int64_t integer_convolution_scratch(const Call &call);

// dialect/dnn/recurrent/byte_lstm.py has the numbers.
void dynamic_lstm(const Call &call);
int64_t dynamic_lstm_scratch(const Call &call);

// dialect/dnn/integer_sums.py; numbers: whether scales are in steps of the result.
void qlinear_add(const Call &call);
// dialect/dnn/byte_table.py: x, 256 results; numbers: of results for each channel its axis, counted from 0.
void byte_table(const Call &call);

// dialect/dnn/scatters.py; numbers: axis.
void index_add(const Call &call);

// dialect/dnn/gathers.py; numbers: axis, and of gather whether indices count from the end; of gather_nd how many first axes
// both operands share.
Prepared gather(const Call &call);
Prepared gather_elements(const Call &call);
Prepared gather_nd(const Call &call);

// dialect/dnn/scatters.py; numbers: axis, if the kernel has one; the place of the reduction in none, add, mul, max, min;
// of tensor_scatter whether the axis is circular.
Prepared scatter_elements(const Call &call);
Prepared scatter_nd(const Call &call);
Prepared tensor_scatter(const Call &call);

// dialect/dnn/spatial/unpooling.py; numbers: the sizes of what was pooled.
void max_unpool(const Call &call);

// dialect/dnn/dynamic_slices.py; no numbers.
Prepared dynamic_slice(const Call &call);
Prepared dynamic_update_slice(const Call &call);

// dialect/dnn/padding.py; numbers: the bits of the value (`element_words`), pads before and after each axis.
Prepared pad(const Call &call);

// dialect/dnn/constants.py, generators.py and triangles.py; numbers: the bits of the value (`element_words`); diagonal, and
// the bits of 1; axis; whether the triangle is the upper one, and its diagonal.
Prepared fill(const Call &call);
Prepared range(const Call &call);
Prepared eye_like(const Call &call);
Prepared one_hot(const Call &call);
Prepared trilu(const Call &call);

// dialect/dnn/rotary_embedding.py; numbers: whether pairs are neighbours, and whether the tables have a number for each element.
Prepared rotary_embedding(const Call &call);

// dialect/dnn/spatial/grid_sample.py; numbers: mode and padding by their places in its lists, align_corners. Of
// deform_columns.py: window, strides, dilations and first pads, of rows and then of columns, and the groups of offsets.
void grid_sample(const Call &call);
void deform_columns(const Call &call);
// dialect/dnn/spatial/roi_align.py; numbers: whether it takes the largest, half_pixel, sampling_ratio, spatial_scale.
void roi_align(const Call &call);

// dialect/dnn/axis_moves.py has the numbers; of reverse_sequence: the axes of sequences and of steps.
Prepared move_blocks(const Call &call);
Prepared take_stretches(const Call &call);
Prepared reverse_sequence(const Call &call);

// dialect/dnn/reductions.py and mapped_reductions.py; numbers: of each axis whether it is reduced.
void reduce_sum(const Call &call);
void reduce_mean(const Call &call);
void reduce_prod(const Call &call);
void reduce_max(const Call &call);
void reduce_min(const Call &call);
void reduce_l1(const Call &call);
void reduce_l2(const Call &call);
void reduce_sum_square(const Call &call);
void reduce_log_sum(const Call &call);
void reduce_log_sum_exp(const Call &call);

// dialect/dnn/ordering.py; numbers: axis, and whether the last of equal elements is it, or whether the largest come first.
void arg_max(const Call &call);
void arg_min(const Call &call);
void top_k(const Call &call);

// dialect/dnn/scans.py; numbers: axis, exclusive, reverse.
void cumsum(const Call &call);
void cumprod(const Call &call);

// dialect/dnn/spatial/row_convolution.py; numbers: group, and of the spatial axes strides, dilations and zeros at the begin;
// with channels last the rows of a block and its floats of scratch, else 0 and 0; then of each post-op its place in
// RowFunction (conv_rows.hpp), alpha and beta.
void conv(const Call &call);
int64_t conv_scratch(const Call &call);

// dialect/dnn/spatial/convolution.py, with channels last; numbers: group, and of the spatial axes strides, dilations and how many elements are
// cut off at the begin.
void conv_transpose(const Call &call);

// dialect/dnn/spatial/row_pooling.py, with channels last; numbers: the place of the pool in Pool (pooling.hpp), and of the
// spatial axes kernel, strides, dilations, begins and ends.
void pool(const Call &call);

// dialect/dnn/spatial/resize.py; numbers: what stands outside, how many axes, and of each of these its number, its elements
// in the result and the neighbours of each, then their indices and weights, and of each element whether it is outside.
Prepared interpolate(const Call &call);
int64_t interpolate_scratch(const Call &call);

// dialect/dnn/quantized_weights.py
void dequantized_matmul(const Call &call);
int64_t dequantized_matmul_scratch(const Call &call);
// dialect/dnn/native_matmul.py; numbers: of operands and the result the axes of batches, rows and columns, and the post-ops.
void matmul(const Call &call);
int64_t matmul_scratch(const Call &call);
// dialect/dnn/packed_matmul.py; numbers: whether there is a bias, how many steps there are, they, and the post-ops.
void packed_matmul(const Call &call);

// dialect/dnn/spatial/depthwise_convolution.py and packed_convolution.py; numbers: whether there is a bias, of the spatial
// axes kernel, strides, dilations and begins, and the post-ops.
void depthwise_conv(const Call &call);
void packed_conv(const Call &call);

// dialect/dnn/suppression.py; numbers: whether boxes are a centre and sizes, and how many boxes of a class the
// result has room for.
void non_max_suppression(const Call &call);
int64_t non_max_suppression_scratch(const Call &call);

// dialect/dnn/run_time_sizes.py
void non_zero(const Call &call);

// dialect/dnn/blockwise_weights.py; numbers: bits of a weight, rows in a block, columns.
void blockwise_matmul(const Call &call);
int64_t blockwise_matmul_scratch(const Call &call);

// dialect/dnn/recurrent/crf.py and crf_loss.py.
void crf_decoding(const Call &call);
void linear_chain_crf(const Call &call);
void linear_chain_crf_grad(const Call &call);

} // namespace lastuse::kernels
