#include "conv_rows.hpp"

#include "cell.hpp"
#include "spatial_work.hpp"

namespace lastuse::kernels {

namespace {

const ConvRowsKernels &conv_rows_kernels() {
#if defined(__x86_64__)
    if (has_avx512())
        return avx512::conv_rows;
    if (has_avx2())
        return avx2::conv_rows;
#endif
    return generic::conv_rows;
}

// Reads the post-ops, three numbers each, and what is added.
void read_post_ops(const Call &call, size_t first, ConvRows &work) {
    const size_t numbers = call.numbers.size() - first;
    call.expect(numbers % 3 == 0 && numbers / 3 <= most_row_post_ops, "the kernel takes other post-ops");
    work.post_op_count = numbers / 3;
    for (size_t k = 0; k < work.post_op_count; ++k) {
        const int64_t function = call.integer(first + 3 * k);
        call.expect(function >= 0 && function < row_functions, "the kernel takes other post-ops");
        work.post_ops[k] = {static_cast<RowFunction>(function), static_cast<float>(call.numbers[first + 3 * k + 1]),
                            static_cast<float>(call.numbers[first + 3 * k + 2])};
        if (work.post_ops[k].function != RowFunction::sum)
            continue;
        const Array &added = call.ins.back();
        call.expect(k == 0 && call.ins.size() > 2 && added.form->shape == call.outs[0].form->shape,
                    "a sum is the first post-op, of an operand like y");
        call.expect_floats({&added});
        work.added = added.elements_of<const float>();
    }
}

// A window of one column, as wide as x moves: all rows are one, of which a window of one row reads.
void join_rows(ConvRows &work) {
    const bool joins = work.kernel[1] == 1 && work.strides[0] == 1 && work.begins[1] == 0 && work.in[1] == work.out[1];
    if (!joins || work.in[0] == 1)
        return;
    const int64_t width = work.in[1];
    for (int64_t *const sizes : {work.in, work.out}) {
        sizes[1] *= sizes[0];
        sizes[0] = 1;
    }
    work.kernel[1] = work.kernel[0];
    work.dilations[1] = work.dilations[0] * width;
    work.begins[1] = work.begins[0] * width;
    work.kernel[0] = work.dilations[0] = 1;
    work.begins[0] = 0;
}

ConvRows rows_of(const Call &call) {
    const size_t window = 1 + 3 * (call.outs.empty() ? 0 : call.outs[0].rank() - 2);
    const bool sums = call.numbers.size() > window && call.numbers[window] == static_cast<double>(RowFunction::sum);
    const size_t own = call.ins.size() - sums;
    ConvRows work = spatial_work<ConvRows>(call, 2, own);
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    work.channels = weights.size(1);
    work.outputs = weights.size(0) / work.groups;
    call.expect(work.strides[0] > 0 && work.strides[1] == 1 && work.dilations[0] > 0 && work.dilations[1] > 0,
                "the kernel takes a stride of 1 along the last axis");
    call.expect(work.groups * work.channels == x.size(1) && work.groups * work.outputs == weights.size(0) &&
                    y.size(0) == x.size(0) && y.size(1) == weights.size(0),
                "the kernel takes other sizes");
    read_bias(call, work, own);
    read_post_ops(call, window, work);
    return work;
}

} // namespace

void conv(const Call &call) {
    ConvRows work = rows_of(call);
    const int64_t elements = call.outs[0].elements();
    if (elements == 0)
        return;
    call.expect(call.scratch_bytes >= call.ins[1].elements() * static_cast<int64_t>(sizeof(float)),
                "the kernel takes more scratch");
    work.packed = reinterpret_cast<float *>(call.scratch);
    join_rows(work);
    const ConvRowsKernels &kernels = conv_rows_kernels();
    kernels.pack(work);
    in_lanes(lanes_for(call, elements * work.channels * work.taps() / 8), kernels.columns(work) * work.out[0],
             [&](int64_t begin, int64_t end, int) { kernels.compute(work, begin, end); });
}

} // namespace lastuse::kernels
