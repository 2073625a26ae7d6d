// Batch normalisation in training, and its gradient, in f32.
//
// Sums over a channel are taken in f64: oneDNN's (3.2) add a whole channel up in f32, which is 1e-6 off for 8,000
// elements. Results differ from step to step by no more than rounding then, and ReLUs behind them seldom change sides.
// Each channel is computed by one thread, in the same order whatever the number of threads.
// channel_norm_kernel.cpp is compiled for AVX2 and for any processor.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// A dense array [batch, channels, inner], or with `last` [batch, inner, channels].
struct ChannelArray {
    int64_t batch, channels, inner;
    bool last;
};

// Channels that are computed together where they are last: two of the kernels' vectors.
constexpr int64_t channel_group = 16;

// y = (x - mean) / sqrt(variance + epsilon) * scale + bias with the mean and the variance of x, which go to own_*; and
// running statistics: momentum * the old ones + (1 - momentum) * x's. y may be x, and new running statistics the old
// ones.
struct ChannelNorm {
    ChannelArray array;
    float epsilon, momentum;
    const float *x, *scale, *bias, *old_mean, *old_variance;
    float *y, *mean, *variance, *own_mean, *own_variance;
};

// dx, which may be x or dy, and dscale and dbias, from dy. With `fixed` the statistics do not depend on x.
struct ChannelNormGradient {
    ChannelArray array;
    float epsilon;
    bool fixed;
    const float *x, *scale, *mean, *variance, *dy;
    float *dx, *dscale, *dbias;
};

// Channels from `first` to `end`, where channels are last `first` is a multiple of channel_group.
struct ChannelNormKernels {
    void (*normalize)(const ChannelNorm &norm, int64_t first, int64_t end);
    void (*go_back)(const ChannelNormGradient &gradient, int64_t first, int64_t end);
};

namespace avx2 {
extern const ChannelNormKernels channel_norm;
}
namespace generic {
extern const ChannelNormKernels channel_norm;
}

} // namespace lastuse::kernels
