#include "conv_transpose.hpp"

#include "processors.hpp"
#include "spatial_work.hpp"

namespace lastuse::kernels {

namespace {

const ConvTransposeKernels &conv_transpose_kernels() { return LASTUSE_BEST_TO_AVX2(conv_transpose); }

ConvTranspose work_of(const Call &call) {
    const size_t spatial = 1; // channels are last
    ConvTranspose work = spatial_work<ConvTranspose>(call, spatial, call.ins.size());
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    const size_t last = x.rank() - 1;
    work.channels = x.size(last) / work.groups;
    work.outputs = weights.size(1);
    for (size_t axis = 0; axis < 2; ++axis)
        call.expect(work.strides[axis] > 0 && work.dilations[axis] > 0, "the kernel takes strides above 0");
    call.expect(work.groups * work.channels == x.size(last) && weights.size(0) == x.size(last) &&
                    y.size(0) == x.size(0) && y.size(last) == work.groups * work.outputs && work.taps() <= most_taps,
                "the kernel takes other sizes");
    read_bias(call, work, call.ins.size());
    return work;
}

} // namespace

void conv_transpose(const Call &call) {
    ConvTranspose work = work_of(call);
    if (call.outs[0].elements() == 0)
        return;
    call.expect(call.scratch_bytes >= work.packed_size() * static_cast<int64_t>(sizeof(float)),
                "the kernel takes more scratch");
    work.packed = reinterpret_cast<float *>(call.scratch);
    const ConvTransposeKernels &kernels = conv_transpose_kernels();
    kernels.pack(work);
    const int64_t products = call.ins[0].elements() * work.outputs * work.taps();
    in_lanes(lanes_for(call, products / 8), work.batch * work.out[0],
             [&](int64_t begin, int64_t end, int) { kernels.compute(work, begin, end); });
}

} // namespace lastuse::kernels
