// The kernel of row_norm.hpp, in GCC's vectors. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR, with
// the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "row_norm.hpp"

#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "product_lanes.inc"
// Behind what they use.
#include "masked_lanes.inc"
#include "row_vectors.inc"

float mean_of(const float *x, int64_t count) {
    Lane sums[together] = {};
    each_vector(count, [&](int v, int64_t at, auto part) __attribute__((always_inline)) { sums[v] += part.read(x + at); });
    return joined(sums, sum)[0] / static_cast<float>(count);
}

float variance_of(const float *x, float mean, int64_t count) {
    Lane sums[together] = {};
    const Lane means = repeated(mean);
    each_vector(count, [&](int v, int64_t at, auto part) __attribute__((always_inline)) {
        const Lane centred = part.read(x + at, means) - means;
        sums[v] += centred * centred;
    });
    return joined(sums, sum)[0] / static_cast<float>(count);
}

// (x - mean) * inverse, then by element times scale and, where there is one, plus bias.
template <bool has_bias>
void scale_elements(const RowNorm &work, const float *x, float *y, float mean, float inverse) {
    change_row(x, y, work.width, [&](Lane value, int64_t at, auto part) __attribute__((always_inline)) {
        const Lane scaled = (value - mean) * inverse * part.read(work.scale + at);
        if constexpr (has_bias)
            return scaled + part.read(work.bias + at);
        else
            return scaled;
    });
}

// (x - mean) * inverse, then by channel times scale and plus bias. `first` is the channel that the row begins with.
void scale_channels(const RowNorm &work, const float *x, float *y, float mean, float inverse, int64_t first) {
    int64_t channel = first;
    for (int64_t begin = 0; begin < work.width; begin += work.of_channel) {
        const float factor = inverse * work.scale[channel], shift = work.bias ? work.bias[channel] : 0.0f;
        const auto made = [&](auto value) __attribute__((always_inline)) { return (value - mean) * factor + shift; };
        if (work.of_channel < lanes / 2) // reading waits for masked vectors that were written beside
            for (int64_t at = begin; at < begin + work.of_channel; ++at)
                y[at] = made(x[at]);
        else
            change_row(x + begin, y + begin, work.of_channel,
                       [&](Lane value, int64_t, auto) __attribute__((always_inline)) { return made(value); });
        channel = channel + 1 == work.channels ? 0 : channel + 1;
    }
}

// Rows that are scaled by element.
struct ShortRows {
    const RowNorm &of;

    // So many rows from `row` on, of at most so many vectors.
    template <int Rows, int Vectors>
    void compute(int64_t row) const {
        const float *const x = of.x + row * of.width;
        RowBlock<Rows, Vectors> block(x, of.width, Lane{});
        const auto count = static_cast<float>(of.width);
        Lane means[Rows] = {}, inverses[Rows];
        if (of.is_centred)
            block.join_rows(means, sum);
        block.each([&](Lane &value, int r, int v) __attribute__((always_inline)) {
            value -= means[r] / count;
            value = v + 1 < Vectors ? value : kept(value, block.end);
        });
        RowBlock<Rows, Vectors> squares = block;
        squares.each([&](Lane &value, int, int) __attribute__((always_inline)) { value *= value; });
        squares.join_rows(inverses, sum);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r)
            inverses[r] = repeated(1.0f / __builtin_sqrtf(inverses[r][0] / count + of.epsilon));
        block.each([&](Lane &value, int r, int v) __attribute__((always_inline)) {
            const auto read = [&](const float *from) {
                return v + 1 < Vectors ? load(from + v * lanes) : load(from + v * lanes, block.end);
            };
            value = value * inverses[r] * read(of.scale);
            if (of.bias)
                value += read(of.bias);
        });
        block.write(of.y + row * of.width);
        for (int r = 0; of.mean && r < Rows; ++r) {
            of.mean[row + r] = means[r][0] / count;
            of.inverse[row + r] = inverses[r][0];
        }
    }
};

void compute(const RowNorm &work, int64_t begin, int64_t end) {
    if (work.channels == 0 && each_block(begin, end, work.width, ShortRows{work}))
        return;
    for (int64_t row = begin; row < end; ++row) {
        const float *const x = work.x + row * work.width;
        float *const y = work.y + row * work.width;
        const float mean = work.is_centred ? mean_of(x, work.width) : 0.0f;
        const float inverse = 1.0f / __builtin_sqrtf(variance_of(x, mean, work.width) + work.epsilon);
        if (work.channels > 0)
            scale_channels(work, x, y, mean, inverse, row * (work.width / work.of_channel) % work.channels);
        else if (work.bias)
            scale_elements<true>(work, x, y, mean, inverse);
        else
            scale_elements<false>(work, x, y, mean, inverse);
        if (work.mean) {
            work.mean[row] = mean;
            work.inverse[row] = inverse;
        }
    }
}

} // namespace

const RowNormKernel row_norm_f32 = {compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
