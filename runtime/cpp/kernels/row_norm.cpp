// Normalisation of rows that lie one behind the other, as dialect/dnn/normalization.py and group_norm.py define it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "functions.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t parts = 16; // sums that are made side by side, in one order on all processors

float total(const float *sums) {
    float all[parts];
    for (int64_t p = 0; p < parts; ++p)
        all[p] = sums[p];
    for (int64_t half = parts / 2; half > 0; half /= 2)
        for (int64_t p = 0; p < half; ++p)
            all[p] += all[p + half];
    return all[0];
}

LASTUSE_WIDE float sum_of(const float *x, int64_t count) {
    float sums[parts] = {};
    int64_t k = 0;
    for (; k + parts <= count; k += parts)
        for (int64_t p = 0; p < parts; ++p)
            sums[p] += x[k + p];
    for (int64_t p = 0; k + p < count; ++p)
        sums[p] += x[k + p];
    return total(sums);
}

LASTUSE_WIDE float sum_of_squares(const float *x, float mean, int64_t count) {
    float sums[parts] = {};
    int64_t k = 0;
    for (; k + parts <= count; k += parts)
        for (int64_t p = 0; p < parts; ++p)
            sums[p] += (x[k + p] - mean) * (x[k + p] - mean);
    for (int64_t p = 0; k + p < count; ++p)
        sums[p] += (x[k + p] - mean) * (x[k + p] - mean);
    return total(sums);
}

LASTUSE_WIDE void scale_each(const float *x, float mean, float inverse, const float *scale, float *y, int64_t count) {
#pragma GCC ivdep // y may be x
    for (int64_t k = 0; k < count; ++k)
        y[k] = (x[k] - mean) * inverse * scale[k];
}

LASTUSE_WIDE void add_each(const float *bias, float *y, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        y[k] += bias[k];
}

LASTUSE_WIDE void scale_all(const float *x, float mean, float inverse, float scale, float bias, float *y, int64_t count) {
#pragma GCC ivdep // y may be x
    for (int64_t k = 0; k < count; ++k)
        y[k] = (x[k] - mean) * inverse * scale + bias;
}

} // namespace

void row_norm(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && (call.outs.size() == 1 || call.outs.size() == 3) &&
                    call.numbers.size() == 5,
                "the kernel takes other operands");
    for (const std::vector<Array> *const arrays : {&call.ins, &call.outs})
        for (const Array &array : *arrays)
            call.expect(array.is(Type::f32) && array.form->is_dense(), "the kernel takes dense f32");
    const bool is_centred = call.numbers[0] != 0;
    const auto epsilon = static_cast<float>(call.numbers[1]);
    const int64_t width = call.integer(2), channels = call.integer(3), of_channel = call.integer(4);
    const Array &x = call.ins[0], &y = call.outs[0];
    const auto *const scale = call.ins[1].elements_of<const float>();
    const auto *const bias = call.ins.size() > 2 ? call.ins[2].elements_of<const float>() : nullptr;
    if (call.outs.size() == 3 && width == 0)
        for (size_t number : {1, 2})
            std::fill_n(call.outs[number].elements_of<float>(), call.outs[number].elements(),
                        std::numeric_limits<float>::quiet_NaN());
    if (y.elements() == 0)
        return;
    call.expect(width > 0 && x.elements() == y.elements() && y.elements() % width == 0, "the kernel takes other sizes");
    call.expect(call.ins[1].elements() == (channels > 0 ? channels : width), "the scale has other sizes");
    call.expect(bias == nullptr || call.ins[2].elements() == call.ins[1].elements(), "the bias has other sizes");
    call.expect(channels == 0 || (of_channel > 0 && width % of_channel == 0), "the kernel takes other channels");
    const int64_t rows = y.elements() / width;
    in_lanes(lanes_for(call, y.elements() * 2), rows, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const float *const from = x.elements_of<const float>() + row * width;
            float *const to = y.elements_of<float>() + row * width;
            const float mean = is_centred ? sum_of(from, width) / static_cast<float>(width) : 0.0f;
            const float variance = sum_of_squares(from, mean, width) / static_cast<float>(width);
            const float inverse = 1.0f / std::sqrt(variance + epsilon);
            if (channels == 0) {
                scale_each(from, mean, inverse, scale, to, width);
                if (bias != nullptr)
                    add_each(bias, to, width);
            }
            for (int64_t part = 0; channels > 0 && part < width / of_channel; ++part) {
                const int64_t channel = (row * (width / of_channel) + part) % channels, at = part * of_channel;
                const float added = bias == nullptr ? 0.0f : bias[channel];
                scale_all(from + at, mean, inverse, scale[channel], added, to + at, of_channel);
            }
            if (call.outs.size() == 3) {
                call.outs[1].elements_of<float>()[row] = mean;
                call.outs[2].elements_of<float>()[row] = inverse;
            }
        }
    });
}

} // namespace lastuse::kernels
