#include "conv_transpose.hpp"

#include <algorithm>

#include "cell.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

const ConvTransposeKernels &conv_transpose_kernels() {
#if defined(__x86_64__)
    if (has_avx2())
        return avx2::conv_transpose;
#endif
    return generic::conv_transpose;
}

ConvTranspose work_of(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && call.outs.size() == 1 && !call.numbers.empty(),
                "the kernel takes other operands");
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    call.expect_floats({&x, &weights, &y});
    const size_t rank = x.rank() - 2;
    call.expect(x.rank() >= 3 && rank <= 2 && y.rank() == x.rank() && weights.rank() == x.rank() &&
                    call.numbers.size() == 1 + 3 * rank,
                "the kernel takes one or two spatial axes");
    ConvTranspose work{};
    work.batch = x.size(0);
    work.groups = call.integer(0);
    work.channels = x.size(rank + 1) / std::max<int64_t>(work.groups, 1);
    work.outputs = weights.size(1);
    for (size_t axis = 0; axis < 2; ++axis) {
        const bool missing = axis + rank < 2;
        const size_t own = axis + rank - 2; // of the spatial axes that are there
        const auto number = [&](size_t which) { return call.integer(1 + which * rank + own); };
        work.in[axis] = missing ? 1 : x.size(1 + own);
        work.out[axis] = missing ? 1 : y.size(1 + own);
        work.kernel[axis] = missing ? 1 : weights.size(2 + own);
        work.strides[axis] = missing ? 1 : number(0);
        work.dilations[axis] = missing ? 1 : number(1);
        work.begins[axis] = missing ? 0 : number(2);
        call.expect(work.strides[axis] > 0 && work.dilations[axis] > 0, "the kernel takes strides above 0");
    }
    call.expect(work.groups > 0 && work.groups * work.channels == x.size(rank + 1) &&
                    weights.size(0) == x.size(rank + 1) && y.size(0) == x.size(0) &&
                    y.size(rank + 1) == work.groups * work.outputs && work.taps() <= most_taps,
                "the kernel takes other sizes");
    work.x = x.elements_of<const float>();
    work.weights = weights.elements_of<const float>();
    work.y = y.elements_of<float>();
    if (call.ins.size() == 3) {
        call.expect_floats({&call.ins[2]});
        call.expect(call.ins[2].elements() == work.groups * work.outputs, "the bias has an element for each channel");
        work.bias = call.ins[2].elements_of<const float>();
    }
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
