// Normalisation of rows that lie one behind the other, as dialect/dnn/normalization.py and group_norm.py define it.
#include "row_norm.hpp"

#include <algorithm>
#include <limits>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const RowNormKernel &row_norm_kernel() { return LASTUSE_BEST_TO_AVX512(row_norm_f32); }

} // namespace

void row_norm(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && (call.outs.size() == 1 || call.outs.size() == 3) &&
                    call.numbers.size() == 5,
                "the kernel takes other operands");
    for (const std::vector<Array> *const arrays : {&call.ins, &call.outs})
        for (const Array &array : *arrays)
            call.expect(array.is(Type::f32) && array.form->is_dense(), "the kernel takes dense f32");
    const int64_t width = call.integer(2), channels = call.integer(3), of_channel = call.integer(4);
    const Array &x = call.ins[0], &y = call.outs[0];
    const bool has_bias = call.ins.size() > 2, has_statistics = call.outs.size() == 3;
    if (has_statistics && width == 0)
        for (size_t number : {1, 2})
            std::fill_n(call.outs[number].elements_of<float>(), call.outs[number].elements(),
                        std::numeric_limits<float>::quiet_NaN());
    if (y.elements() == 0)
        return;
    call.expect(width > 0 && x.elements() == y.elements() && y.elements() % width == 0, "the kernel takes other sizes");
    call.expect(call.ins[1].elements() == (channels > 0 ? channels : width), "the scale has other sizes");
    call.expect(!has_bias || call.ins[2].elements() == call.ins[1].elements(), "the bias has other sizes");
    call.expect(channels == 0 || (of_channel > 0 && width % of_channel == 0), "the kernel takes other channels");
    const RowNorm work{x.elements_of<const float>(),
                       call.ins[1].elements_of<const float>(),
                       has_bias ? call.ins[2].elements_of<const float>() : nullptr,
                       y.elements_of<float>(),
                       has_statistics ? call.outs[1].elements_of<float>() : nullptr,
                       has_statistics ? call.outs[2].elements_of<float>() : nullptr,
                       width,
                       channels,
                       of_channel,
                       static_cast<float>(call.numbers[1]),
                       call.numbers[0] != 0};
    in_lanes(lanes_for(call, y.elements() * 2), y.elements() / width,
             [&](int64_t begin, int64_t end, int) { row_norm_kernel().compute(work, begin, end); });
}

} // namespace lastuse::kernels
