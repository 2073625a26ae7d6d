#include "depthwise.hpp"

#include <algorithm>

#include "cell.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

const DepthwiseKernel &depthwise_kernel() {
#if defined(__x86_64__)
    if (has_avx512())
        return avx512::depthwise;
    if (has_avx2())
        return avx2::depthwise;
#endif
    return generic::depthwise;
}

// Channels that a lane computes at least: a line of a cache.
constexpr int64_t line_channels = 16;

} // namespace

void depthwise_conv(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.outs.size() == 1 && call.numbers.size() >= 1 && call.ins[0].rank() >= 3,
                "the kernel takes other operands");
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    const size_t has_bias = call.integer(0) != 0, rank = x.rank() - 2, first = 1 + 3 * rank;
    call.expect_floats({&x, &weights, &y});
    call.expect(rank <= 2 && y.rank() == x.rank() && weights.rank() == rank + 1 && call.numbers.size() >= first,
                "the kernel takes one or two spatial axes");
    Depthwise work{};
    work.batch = x.size(0);
    work.channels = x.size(rank + 1);
    call.expect(y.size(0) == work.batch && y.size(rank + 1) == work.channels && weights.size(rank) == work.channels,
                "the operands have other sizes");
    for (size_t axis = 0; axis < 2; ++axis) {
        const bool missing = axis + rank < 2;
        const size_t there = axis + rank - 2; // of the spatial axes that are there
        const auto number = [&](size_t which) { return call.integer(1 + which * rank + there); };
        work.in[axis] = missing ? 1 : x.size(1 + there);
        work.out[axis] = missing ? 1 : y.size(1 + there);
        work.kernel[axis] = missing ? 1 : weights.size(there);
        work.strides[axis] = missing ? 1 : number(0);
        work.dilations[axis] = missing ? 1 : number(1);
        work.begins[axis] = missing ? 0 : number(2);
        call.expect(work.strides[axis] > 0 && work.dilations[axis] > 0, "a window moves on");
    }
    work.post_ops = row_post_ops(call, first, last_row_function);
    work.added = added_by(call, work.post_ops);
    call.expect(call.ins.size() == 2 + has_bias + (work.added != nullptr), "the kernel takes other operands");
    if (has_bias) {
        call.expect_floats({&call.ins[2]});
        call.expect(call.ins[2].elements() == work.channels, "the bias has an element for each channel");
        work.bias = call.ins[2].elements_of<const float>();
    }
    const int64_t elements = y.elements();
    if (elements == 0)
        return;
    work.x = x.elements_of<const float>();
    work.weights = weights.elements_of<const float>();
    work.y = y.elements_of<float>();
    const auto &kernel = depthwise_kernel();
    const int lanes = lanes_for(call, elements * work.kernel[0] * work.kernel[1] / 8);
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
