// Convolutions in f32 of few outputs, which move by one element along the last axis. A vector holds elements of a row: with
// the channels second, rows are read where they lie; with the channels last, blocks of rows are transposed before and after.
// oneDNN's have the outputs in a vector: of few outputs most of it is empty. conv_rows_kernel.cpp is compiled for AVX-512,
// AVX2 and any processor.
#pragma once

#include <cstdint>

#include "row_post_ops.hpp"

namespace lastuse::kernels {

// y [batch, groups * outputs, out] of x [batch, groups * channels, in] and weights [groups * outputs, channels, kernel]; in,
// out and kernel have two axes. An element of y at p reads x at p * strides + k * dilations - begins; strides[1] is 1.
struct ConvRows {
    int64_t batch, groups, channels, outputs;
    int64_t in[2], out[2], kernel[2], strides[2], dilations[2], begins[2];
    const float *x, *weights, *bias; // or no bias
    float *packed;                   // as many elements as the weights
    const float *added;              // like y, which it may be
    float *y;
    RowPostOps post_ops;             // without exponentials

    int64_t taps() const { return kernel[0] * kernel[1]; }
};

// `pack`: the weights in the order in which they are read. `columns`: how many columns of y the groups of a batch have
// together. `compute`: rows `begin` to `end` of the columns, one column behind the other. An element of y is a sum in an
// order that does not depend on the rows.
struct ConvRowsKernels {
    void (*pack)(const ConvRows &work);
    int64_t (*columns)(const ConvRows &work);
    void (*compute)(const ConvRows &work, int64_t begin, int64_t end);
};

namespace avx512 {
extern const ConvRowsKernels conv_rows;
}
namespace avx2 {
extern const ConvRowsKernels conv_rows;
}
namespace generic {
extern const ConvRowsKernels conv_rows;
}

} // namespace lastuse::kernels
