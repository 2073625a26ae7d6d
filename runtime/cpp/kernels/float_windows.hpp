// Windows that move over x [batch, spatial..., channels], for kernels that know sizes when they run alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lastuse::kernels {

// One or two spatial axes, of which a missing one has size 1. A place p reads x at p * strides + k * dilations - begins;
// what is outside of x is 0.
struct FloatWindows {
    int64_t batch, channels;
    int64_t in[2], out[2], kernel[2], strides[2], dilations[2], begins[2];

    int64_t places() const { return batch * out[0] * out[1]; }
    int64_t taps() const { return kernel[0] * kernel[1]; }
};

// Rows and channels of an image.
struct WindowsPart {
    int64_t image, row, row_end, channel, channel_end;
};

struct Call;

// Of a call of x and y, whose numbers behind the first one are of the spatial axes kernel, strides, dilations and begins.
// Throws Error where these, or the sizes of x and y but for the channels of y, do not fit, or the first `own` operands are
// not dense f32.
FloatWindows float_windows(const Call &call, size_t own);
// The first number behind them.
size_t end_of_windows(const Call &call);

} // namespace lastuse::kernels
