// Convolutions in f32 with the channels second and few outputs, which move by one element along the last axis: rows are
// read where they lie. oneDNN needs the channels last for a fast one, and so a copy of x. conv_rows_kernel.cpp is compiled
// for AVX2 and for any processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lastuse::kernels {

// y [batch, groups * outputs, out] of x [batch, groups * channels, in] and weights [groups * outputs, channels, kernel]; in,
// out and kernel have two axes. An element of y at p reads x at p * strides + k * dilations - begins; strides[1] is 1.
struct ConvRows {
    int64_t batch, groups, channels, outputs;
    int64_t in[2], out[2], kernel[2], strides[2], dilations[2], begins[2];
    const float *x, *weights, *bias; // or no bias
    float *y;

    int64_t taps() const { return kernel[0] * kernel[1]; }
};

// Computes rows `begin` to `end` of the groups of y, counted over groups and the batch. An element of y is a sum in an order
// that does not depend on the rows.
using ConvRowsKernel = void (*)(const ConvRows &work, int64_t begin, int64_t end);

namespace avx2 {
void conv_rows(const ConvRows &work, int64_t begin, int64_t end);
}
namespace generic {
void conv_rows(const ConvRows &work, int64_t begin, int64_t end);
}

} // namespace lastuse::kernels
