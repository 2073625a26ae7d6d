// Transposed convolutions in f32 with the channels last, for sizes at which oneDNN's take many times as long: by groups,
// and with strides and few channels. conv_transpose_kernel.cpp is compiled for AVX2 and for any processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lastuse::kernels {

// The most elements of a window.
constexpr int64_t most_taps = 256;
// Output channels come in so many.
constexpr int64_t transpose_group = 8;

// y [batch, out, groups * outputs] of x [batch, in, groups * channels] and weights [groups * channels, outputs, kernel]; in,
// out and kernel have two axes. An element of x at p adds to y at p * strides + k * dilations - begins. `packed` has
// packed_size() floats for the weights.
struct ConvTranspose {
    int64_t batch, groups, channels, outputs;
    int64_t in[2], out[2], kernel[2], strides[2], dilations[2], begins[2];
    const float *x, *weights, *bias; // or no bias
    float *packed, *y;

    int64_t taps() const { return kernel[0] * kernel[1]; }
    int64_t padded_outputs() const { return (outputs + transpose_group - 1) / transpose_group * transpose_group; }
    int64_t packed_size() const { return taps() * groups * channels * padded_outputs(); }
};

// `compute`: rows `begin` to `end` of y, counted over the batch, from packed weights. An element of y is a sum in an order
// that does not depend on the rows.
struct ConvTransposeKernels {
    void (*pack)(const ConvTranspose &work);
    void (*compute)(const ConvTranspose &work, int64_t begin, int64_t end);
};

namespace avx2 {
extern const ConvTransposeKernels conv_transpose;
}
namespace generic {
extern const ConvTransposeKernels conv_transpose;
}

} // namespace lastuse::kernels
