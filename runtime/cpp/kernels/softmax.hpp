// Softmax and its logarithm in f32. softmax_kernel.cpp is compiled for AVX-512, AVX2 and any processor.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// Columns whose elements lie beside each other, and that are computed together.
constexpr int64_t softmax_columns = 64;

// y [outer, count, inner] of x, along the second axis. y may be x.
struct Softmax {
    const float *x;
    float *y;
    int64_t outer, count, inner;
    int64_t groups; // of columns, in each of `outer`
    bool is_log;
};

// `compute`: groups from `begin` to `end` of all; a row is one where columns have one element.
struct SoftmaxKernel {
    void (*compute)(const Softmax &, int64_t begin, int64_t end);
};

namespace avx512 {
extern const SoftmaxKernel softmax_f32;
}
namespace avx2 {
extern const SoftmaxKernel softmax_f32;
}
namespace generic {
extern const SoftmaxKernel softmax_f32;
}

} // namespace lastuse::kernels
