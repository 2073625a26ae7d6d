#include "depthwise.hpp"

#include "functions.hpp"
#include "processors.hpp"
#include "window_parts.hpp"

namespace lastuse::kernels {

namespace {

const DepthwiseKernel &depthwise_kernel() { return LASTUSE_BEST_TO_AVX512(depthwise); }

// Channels that a lane computes at least: a line of a cache.
constexpr int64_t line_channels = 16;

} // namespace

void depthwise_conv(const Call &call) {
    Depthwise work{};
    static_cast<FloatWindows &>(work) = float_windows(call, 2);
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
    over_window_parts(work, lanes, line_channels, [&](const WindowsPart &part) { kernel.compute(work, part); });
}

} // namespace lastuse::kernels
