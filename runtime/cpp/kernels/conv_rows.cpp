#include "conv_rows.hpp"

#include <algorithm>

#include "cell.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

ConvRowsKernel conv_rows_kernel() {
#if defined(__x86_64__)
    if (has_avx2())
        return avx2::conv_rows;
#endif
    return generic::conv_rows;
}

ConvRows rows_of(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && call.outs.size() == 1 && !call.numbers.empty(),
                "the kernel takes other operands");
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    call.expect_floats({&x, &weights, &y});
    const size_t rank = x.rank() - 2;
    call.expect(x.rank() >= 3 && rank <= 2 && y.rank() == x.rank() && weights.rank() == x.rank() &&
                    call.numbers.size() == 1 + 3 * rank,
                "the kernel takes one or two spatial axes");
    ConvRows work{};
    work.batch = x.size(0);
    work.groups = call.integer(0);
    call.expect(work.groups > 0, "there is a group");
    work.channels = weights.size(1);
    work.outputs = weights.size(0) / work.groups;
    for (size_t axis = 0; axis < 2; ++axis) {
        const bool missing = axis + rank < 2;
        const size_t own = axis + rank - 2; // of the spatial axes that are there
        const auto number = [&](size_t which) { return call.integer(1 + which * rank + own); };
        work.in[axis] = missing ? 1 : x.size(2 + own);
        work.out[axis] = missing ? 1 : y.size(2 + own);
        work.kernel[axis] = missing ? 1 : weights.size(2 + own);
        work.strides[axis] = missing ? 1 : number(0);
        work.dilations[axis] = missing ? 1 : number(1);
        work.begins[axis] = missing ? 0 : number(2);
    }
    call.expect(work.strides[0] > 0 && work.strides[1] == 1 && work.dilations[0] > 0 && work.dilations[1] > 0,
                "the kernel takes a stride of 1 along the last axis");
    call.expect(work.groups * work.channels == x.size(1) && work.groups * work.outputs == weights.size(0) &&
                    y.size(0) == x.size(0) && y.size(1) == weights.size(0),
                "the kernel takes other sizes");
    work.x = x.elements_of<const float>();
    work.weights = weights.elements_of<const float>();
    work.y = y.elements_of<float>();
    if (call.ins.size() == 3) {
        call.expect_floats({&call.ins[2]});
        call.expect(call.ins[2].elements() == weights.size(0), "the bias has an element for each channel");
        work.bias = call.ins[2].elements_of<const float>();
    }
    return work;
}

} // namespace

void conv(const Call &call) {
    const ConvRows work = rows_of(call);
    const int64_t elements = call.outs[0].elements();
    if (elements == 0)
        return;
    const ConvRowsKernel kernel = conv_rows_kernel();
    in_lanes(lanes_for(call, elements * work.channels * work.taps() / 8), work.batch * work.groups * work.out[0],
             [&](int64_t begin, int64_t end, int) { kernel(work, begin, end); });
}

} // namespace lastuse::kernels
