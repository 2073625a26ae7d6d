// The kernel of softmax.hpp, in GCC's vectors. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR, with
// the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors. Loops
// over vectors that are computed together are unrolled early: they are in registers then, and not in memory.
#include "softmax.hpp"

#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "product_lanes.inc"
// Behind what they use.
#include "masked_lanes.inc"
#include "power_of_two.inc"
#include "row_vectors.inc"

constexpr float least = -__builtin_inff();

// e^x for x up to 0; 0 where it is below 2^-126. NaN stays.
__attribute__((always_inline)) inline Lane power(Lane x) { return power_of_two(larger(repeated(-127.0f), x * log2e)); }

__attribute__((always_inline)) inline Lane logarithm(Lane x) {
    Lane y;
    for (int k = 0; k < lanes; ++k)
        y[k] = __builtin_logf(x[k]);
    return y;
}

// Rows whose elements lie one behind the other.
template <bool is_log>
struct SoftmaxRows {
    const Softmax &of;

    // So many rows from `row` on, of at most so many vectors.
    template <int Rows, int Vectors>
    void compute(int64_t row) const {
        RowBlock<Rows, Vectors> block(of.x + row * of.count, of.count, repeated(least)), powers = block;
        Lane tops[Rows], sums[Rows];
        block.join_rows(tops, larger);
        powers.each([&](Lane &value, int r, int) __attribute__((always_inline)) { value = power(value - tops[r]); });
        powers.join_rows(sums, sum); // NaN in x makes all NaN
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r)
            sums[r] = is_log ? repeated(__builtin_logf(sums[r][0])) : 1.0f / sums[r];
        if constexpr (is_log)
            powers.each([&](Lane &value, int r, int v) __attribute__((always_inline)) {
                value = block.values[r][v] - tops[r] - sums[r];
            });
        else
            powers.each([&](Lane &value, int r, int) __attribute__((always_inline)) { value *= sums[r]; });
        powers.write(of.y + row * of.count);
    }

    // A row of more vectors.
    void compute_long(int64_t row) const {
        const float *const x = of.x + row * of.count;
        float *const y = of.y + row * of.count;
        const int64_t count = of.count, end = count - lanes; // the last vector begins there: no masked one is written
        Lane tops[together] = {repeated(least), repeated(least), repeated(least), repeated(least)}, sums[together] = {};
        each_vector(count, [&](int v, int64_t at, auto part) __attribute__((always_inline)) {
            tops[v] = larger(part.read(x + at, tops[v]), tops[v]);
        });
        const Lane top = joined(tops, larger), last = load(x + end) - top;
        each_vector(count, [&](int v, int64_t at, auto part) __attribute__((always_inline)) {
            const Lane e = power(part.read(x + at, repeated(least)) - top);
            sums[v] += e;
            if constexpr (!is_log && part.is_whole)
                store(y + at, e);
        });
        const Lane total = joined(sums, sum);
        const Lane factor = 1.0f / total, shift = repeated(is_log ? __builtin_logf(total[0]) : 0.0f);
        each_vector(count, [&](int, int64_t at, auto part) __attribute__((always_inline)) {
            if constexpr (is_log)
                store(y + (part.is_whole ? at : end), (part.is_whole ? load(x + at) - top : last) - shift);
            else
                store(y + (part.is_whole ? at : end), (part.is_whole ? load(y + at) : power(last)) * factor);
        });
    }
};

// Vectors of columns: each element of a column is `stride` behind the one before it. Columns of less than a vector are one
// `part`.
template <int Vectors, bool Whole>
struct Columns {
    int64_t count, stride;
    Part<Whole> part;

    // Calls visit(v, at) for the vectors of all elements.
    template <class Visit>
    __attribute__((always_inline)) void each(Visit visit) const {
        for (int64_t k = 0; k < count; ++k)
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v)
                visit(v, k * stride + v * lanes);
    }

    // y = make(x, v) for the vectors of all elements. y may be x.
    template <class Make>
    __attribute__((always_inline)) void change(const float *x, float *y, Make make) const {
        constexpr int rows = 8 / Vectors;
        int64_t k = 0;
        for (; k + rows <= count; k += rows)
            change_rows<rows>(x + k * stride, y + k * stride, make);
        for (; k < count; ++k)
            change_rows<1>(x + k * stride, y + k * stride, make);
    }

private:
    // All are read before one is written, as reading waits for masked vectors that were written beside.
    template <int Rows, class Make>
    __attribute__((always_inline)) void change_rows(const float *x, float *y, Make make) const {
        Lane values[Rows][Vectors];
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v)
                values[r][v] = part.read(x + r * stride + v * lanes);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v)
                part.write(y + r * stride + v * lanes, make(values[r][v], v));
    }
};

template <bool is_log, int Vectors, bool Whole>
void compute_columns(const float *x, float *y, const Columns<Vectors, Whole> &columns) {
    Lane tops[Vectors], sums[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
        tops[v] = repeated(least);
        sums[v] = Lane{};
    }
    columns.each([&](int v, int64_t at) __attribute__((always_inline)) {
        tops[v] = larger(columns.part.read(x + at), tops[v]);
    });
    if constexpr (is_log)
        columns.each([&](int v, int64_t at) __attribute__((always_inline)) {
            sums[v] += power(columns.part.read(x + at) - tops[v]);
        });
    else
        columns.change(x, y, [&](Lane value, int v) __attribute__((always_inline)) {
            const Lane e = power(value - tops[v]);
            sums[v] += e;
            return e;
        });
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v)
        sums[v] = is_log ? logarithm(sums[v]) : 1.0f / sums[v];
    if constexpr (is_log)
        columns.change(x, y, [&](Lane value, int v) __attribute__((always_inline)) { return value - tops[v] - sums[v]; });
    else
        columns.change(y, y, [&](Lane value, int v) __attribute__((always_inline)) { return value * sums[v]; });
}

// Groups of columns from `begin` to `end`.
template <bool is_log>
void compute_groups(const Softmax &work, int64_t begin, int64_t end) {
    const int64_t stride = work.inner, count = work.count;
    for (int64_t number = begin; number < end; ++number) {
        const int64_t first = number / work.groups * count * stride, from = number % work.groups * softmax_columns;
        const int64_t last = least_of(from + softmax_columns, stride);
        const float *const x = work.x + first;
        float *const y = work.y + first;
        int64_t column = from;
        for (; column + together * lanes <= last; column += together * lanes)
            compute_columns<is_log>(x + column, y + column, Columns<together, true>{count, stride, {}});
        for (; column + lanes <= last; column += lanes)
            compute_columns<is_log>(x + column, y + column, Columns<1, true>{count, stride, {}});
        if (column < last)
            compute_columns<is_log>(x + column, y + column, Columns<1, false>{count, stride, {mask_of(0, last - column)}});
    }
}

template <bool is_log>
void compute_all(const Softmax &work, int64_t begin, int64_t end) {
    const SoftmaxRows<is_log> rows{work};
    if (work.inner > 1)
        compute_groups<is_log>(work, begin, end);
    else if (!each_block(begin, end, work.count, rows))
        for (int64_t row = begin; row < end; ++row)
            rows.compute_long(row);
}

void compute(const Softmax &work, int64_t begin, int64_t end) {
    return work.is_log ? compute_all<true>(work, begin, end) : compute_all<false>(work, begin, end);
}

} // namespace

const SoftmaxKernel softmax_f32 = {compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
