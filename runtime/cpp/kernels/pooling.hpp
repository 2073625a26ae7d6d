// Pools in f32 with the channels last. Sizes are known when the kernel runs alone: it serves all of them. pooling_kernel.cpp
// is compiled for AVX-512, AVX2 and any processor.
#pragma once

#include "float_windows.hpp"

namespace lastuse::kernels {

// dialect/dnn/spatial/row_pooling.py has the same order. A mean is of the elements that are there, or of those and of the
// padding, which is zeros.
enum class Pool : int64_t { max, mean, padded_mean };

// y [batch, out, channels] of x [batch, in, channels]; in and out have two axes. `ends`: the padding behind x.
struct Pooling : FloatWindows {
    Pool pool;
    int64_t ends[2];
    const float *x;
    float *y;
};

// Channels that a lane makes at least, but for the last ones.
constexpr int64_t pooled_channels = 128;

// `compute`: a part of y. An element is made of its window in one order, whatever the part.
struct PoolingKernel {
    void (*compute)(const Pooling &, const WindowsPart &);
};

namespace avx512 {
extern const PoolingKernel pooling;
}
namespace avx2 {
extern const PoolingKernel pooling;
}
namespace generic {
extern const PoolingKernel pooling;
}

} // namespace lastuse::kernels
