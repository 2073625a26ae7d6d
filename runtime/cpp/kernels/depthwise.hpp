// Convolutions in f32 of one channel each, with the channels last. Sizes are known when the kernel runs alone: it serves all
// of them. depthwise_kernel.cpp is compiled for AVX-512, AVX2 and any processor.
#pragma once

#include <cstdint>

#include "row_post_ops.hpp"
#include "float_windows.hpp"

namespace lastuse::kernels {

// y [batch, out, channels] of x [batch, in, channels] and weights [kernel, channels]; in, out and kernel have two axes.
struct Depthwise : FloatWindows, RowEpilogue {
    const float *x, *weights;
    float *y;
};

// `compute`: a part of y, whose first channel is that of a line of a cache. An element is a sum in one order, whatever the
// part.
struct DepthwiseKernel {
    void (*compute)(const Depthwise &, const WindowsPart &);
};

namespace avx512 {
extern const DepthwiseKernel depthwise;
}
namespace avx2 {
extern const DepthwiseKernel depthwise;
}
namespace generic {
extern const DepthwiseKernel depthwise;
}

} // namespace lastuse::kernels
