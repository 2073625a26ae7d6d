#include "conv_rows.hpp"

#include "cell.hpp"
#include "spatial_work.hpp"

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
    ConvRows work = spatial_work<ConvRows>(call, 2);
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    work.channels = weights.size(1);
    work.outputs = weights.size(0) / work.groups;
    call.expect(work.strides[0] > 0 && work.strides[1] == 1 && work.dilations[0] > 0 && work.dilations[1] > 0,
                "the kernel takes a stride of 1 along the last axis");
    call.expect(work.groups * work.channels == x.size(1) && work.groups * work.outputs == weights.size(0) &&
                    y.size(0) == x.size(0) && y.size(1) == weights.size(0),
                "the kernel takes other sizes");
    read_bias(call, work);
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
