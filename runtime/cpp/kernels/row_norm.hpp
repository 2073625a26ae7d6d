// Normalisation of rows in f32. row_norm_kernel.cpp is compiled for AVX-512, AVX2 and any processor.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// y [rows, width] of x. y may be x.
struct RowNorm {
    const float *x, *scale, *bias; // the bias may be null
    float *y, *mean, *inverse;     // of each row the mean and the inverse deviation, or null
    int64_t width;
    int64_t channels, of_channel; // scale and bias are of channels of so many elements each; of elements where there are none
    float epsilon;
    bool is_centred; // the mean is taken away
};

// `compute`: rows from `begin` to `end`.
struct RowNormKernel {
    void (*compute)(const RowNorm &, int64_t begin, int64_t end);
};

namespace avx512 {
extern const RowNormKernel row_norm_f32;
}
namespace avx2 {
extern const RowNormKernel row_norm_f32;
}
namespace generic {
extern const RowNormKernel row_norm_f32;
}

} // namespace lastuse::kernels
