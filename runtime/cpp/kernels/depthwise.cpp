#include "depthwise.hpp"

#include <algorithm>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const DepthwiseKernel &depthwise_kernel() { return LASTUSE_BEST_TO_AVX512(depthwise); }

// Channels that a lane computes at least: a line of a cache.
constexpr int64_t line_channels = 16;

} // namespace

void depthwise_conv(const Call &call) {
    Depthwise work{};
    static_cast<FloatWindows &>(work) = float_windows(call);
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    const size_t rank = x.rank() - 2;
    call.expect(y.size(rank + 1) == work.channels && weights.elements() == work.taps() * work.channels,
                "the operands have other sizes");
    static_cast<RowEpilogue &>(work) = row_epilogue(call, end_of_windows(call), work.channels);
    const int64_t elements = y.elements();
    if (elements == 0)
        return;
    work.x = x.elements_of<const float>();
    work.weights = weights.elements_of<const float>();
    work.y = y.elements_of<float>();
    const auto &kernel = depthwise_kernel();
    const int lanes = lanes_for(call, elements * work.taps() / 8);
    const int64_t rows = work.batch * work.out[0], lines = (work.channels + line_channels - 1) / line_channels;
    if (rows >= 2 * lanes)
        return in_lanes(lanes, rows, [&](int64_t begin, int64_t end, int) {
            while (begin < end) {
                const int64_t image = begin / work.out[0], row = begin % work.out[0];
                const int64_t until = std::min(work.out[0], row + end - begin);
                kernel.compute(work, {image, row, until, 0, work.channels});
                begin += until - row;
            }
        });
    in_lanes(static_cast<int>(std::min<int64_t>(lanes, lines)), lines, [&](int64_t begin, int64_t end, int) {
        for (int64_t image = 0; image < work.batch; ++image)
            kernel.compute(work, {image, 0, work.out[0], begin * line_channels,
                                  std::min(end * line_channels, work.channels)});
    });
}

} // namespace lastuse::kernels
