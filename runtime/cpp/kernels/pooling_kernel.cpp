// The kernel of pooling.hpp, in GCC's vectors. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR, with the
// compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors. Loops over
// vectors that are computed together are unrolled early: they are in registers then, and not in memory.
#include "pooling.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "product_lanes.inc"
// Behind what they use.
#include "masked_lanes.inc"

// Vectors of channels that are made together. A part of the channels begins with as many, lest it change the order of sums.
constexpr int most_vectors = 8;
static_assert(pooled_channels % (most_vectors * lanes) == 0);

// Columns of a window, at least, of which several are made side by side.
constexpr int64_t least_long = 8;

// The elements of a window along one axis that are in x: `first` is the place in x of the first of them.
struct Taps {
    int64_t first, count;
    int64_t padded; // those that are there or in the padding
};

int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

// Elements k from 0 to `kernel` whose place from + k * step is at least `low` and below `high`: how many are before them, and
// how many before their end.
struct Range {
    int64_t begin, end;
};

Range inside(int64_t from, int64_t step, int64_t kernel, int64_t low, int64_t high) {
    const auto before = [&](int64_t place) { // elements that are before a place
        const int64_t distance = place - from;
        return distance <= 0 ? 0 : least_of(step == 1 ? distance : (distance + step - 1) / step, kernel);
    };
    return {before(low), most_of(before(low), before(high))};
}

Taps taps_of(const Pooling &work, size_t axis, int64_t place) {
    const int64_t from = place * work.strides[axis] - work.begins[axis], step = work.dilations[axis];
    const Range there = inside(from, step, work.kernel[axis], 0, work.in[axis]);
    const Range padded = inside(from, step, work.kernel[axis], -work.begins[axis], work.in[axis] + work.ends[axis]);
    return {from + there.begin * step, there.end - there.begin, padded.end - padded.begin};
}

// The larger one of two; NaN where either is.
inline Lane largest(Lane top, Lane value) {
#if defined(__AVX512F__)
    const auto a = reinterpret_cast<__m512>(value), b = reinterpret_cast<__m512>(top);
    return reinterpret_cast<Lane>(_mm512_mask_max_ps(a, _mm512_cmp_ps_mask(a, a, _CMP_ORD_Q), a, b));
#else
    return value == value ? larger(value, top) : value;
#endif
}

// What is under a window, from its first element that is there on.
struct Under {
    const float *x;
    int64_t rows, columns;
    float count; // of elements that a mean is taken of
};

// One element of y, of so many vectors of channels, the last of which is `last`. `Columns` of the window are made side by
// side, so that they do not wait for each other.
template <bool is_max, int Vectors, int Columns, bool Whole>
__attribute__((always_inline)) inline void compute_element(const Pooling &work, const Under &under, float *y,
                                                           int64_t channel, Part<Whole> last) {
    const int64_t step = work.dilations[1] * work.channels;
    Lane made[Columns][Vectors];
    const auto add = [&](const float *from, int c) __attribute__((always_inline)) {
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) {
            const Lane value = v + 1 < Vectors ? load(from + v * lanes) : last.read(from + v * lanes);
            made[c][v] = is_max ? largest(made[c][v], value) : made[c][v] + value;
        }
    };
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v)
            made[c][v] = is_max ? repeated(-__builtin_inff()) : Lane{};
    const float *line = under.x + channel;
    for (int64_t row = 0; row < under.rows; ++row, line += work.dilations[0] * work.in[1] * work.channels) {
        const float *from = line;
        int64_t column = 0;
        if constexpr (Columns > 1)
            for (; column + Columns <= under.columns; column += Columns)
#pragma GCC unroll 8
                for (int c = 0; c < Columns; ++c, from += step)
                    add(from, c);
        for (; column < under.columns; ++column, from += step)
            add(from, 0);
    }
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
#pragma GCC unroll 8
        for (int c = 1; c < Columns; ++c)
            made[0][v] = is_max ? largest(made[0][v], made[c][v]) : made[0][v] + made[c][v];
        const Lane result = is_max ? made[0][v] : made[0][v] / under.count;
        if (v + 1 < Vectors)
            store(y + channel + v * lanes, result);
        else
            last.write(y + channel + v * lanes, result);
    }
}

// A row of y.
struct Row {
    int64_t image, number;
};

// Calls visit(under, y) for the elements of a row, `y` at the first channel.
template <class Visit>
__attribute__((always_inline)) inline void each_element(const Pooling &work, const Row &row, Visit visit) {
    const int64_t reach = (work.kernel[1] - 1) * work.dilations[1];
    const Taps down = taps_of(work, 0, row.number);
    const float *const line = work.x + (row.image * work.in[0] + down.first) * work.in[1] * work.channels;
    float *y = work.y + (row.image * work.out[0] + row.number) * work.out[1] * work.channels;
    int64_t left = -work.begins[1];
    for (int64_t column = 0; column < work.out[1]; ++column, left += work.strides[1], y += work.channels) {
        const bool is_inside = left >= 0 && left + reach < work.in[1];
        const Taps along = is_inside ? Taps{left, work.kernel[1], work.kernel[1]} : taps_of(work, 1, column);
        const int64_t count = work.pool == Pool::padded_mean ? down.padded * along.padded : down.count * along.count;
        visit(Under{line + along.first * work.channels, down.count, along.count, static_cast<float>(count)}, y);
    }
}

// Channels of a row from `channel` on, so many vectors, the last of which is `last`.
template <bool is_max, int Vectors, int Columns, bool Whole>
void compute_vectors(const Pooling &work, const Row &row, int64_t channel, Part<Whole> last) {
    each_element(work, row, [&](const Under &under, float *y) __attribute__((always_inline)) {
        compute_element<is_max, Vectors, Columns>(work, under, y, channel, last);
    });
}

// `count` channels of a row, which are at most so many vectors.
template <bool is_max, int Vectors>
void compute_channels(const Pooling &work, const Row &row, int64_t channel, int64_t count) {
    if constexpr (Vectors > 1)
        if (count <= (Vectors - 1) * lanes)
            return compute_channels<is_max, Vectors - 1>(work, row, channel, count);
    constexpr int columns = Vectors > 4 ? 1 : Vectors > 2 ? 2 : Vectors > 1 ? 4 : 8;
    const bool is_long = work.kernel[1] >= least_long, is_whole = count == Vectors * lanes;
    const Part<false> last{mask_of(0, count - (Vectors - 1) * lanes)};
    if (is_long)
        return is_whole ? compute_vectors<is_max, Vectors, columns>(work, row, channel, Part<true>{})
                        : compute_vectors<is_max, Vectors, columns>(work, row, channel, last);
    return is_whole ? compute_vectors<is_max, Vectors, 1>(work, row, channel, Part<true>{})
                    : compute_vectors<is_max, Vectors, 1>(work, row, channel, last);
}

template <bool is_max>
void compute_part(const Pooling &work, const WindowsPart &part) {
    constexpr int64_t most = most_vectors * lanes;
    const int64_t count = part.channel_end - part.channel, rest = (count - 1) % most + 1, end = part.channel_end - rest;
    for (Row row{part.image, part.row}; row.number < part.row_end; ++row.number) {
        if (part.channel < end)
            each_element(work, row, [&](const Under &under, float *y) __attribute__((always_inline)) {
                for (int64_t channel = part.channel; channel < end; channel += most)
                    compute_element<is_max, most_vectors, 1>(work, under, y, channel, Part<true>{});
            });
        compute_channels<is_max, most_vectors>(work, row, end, rest);
    }
}

void compute(const Pooling &work, const WindowsPart &part) {
    return work.pool == Pool::max ? compute_part<true>(work, part) : compute_part<false>(work, part);
}

} // namespace

const PoolingKernel pooling = {compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
