// The kernel of packed_product.hpp, in GCC's vectors. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "packed_product.hpp"

#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "map_functions.inc"

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "product_lanes.inc"
// Behind what they use.
#include "masked_lanes.inc"
#include "row_functions.inc"
#include "memory_functions.inc"

// Rows of the highest block of four vectors with 32 registers, which reads less for each product than higher ones of two
// vectors, and writes longer pieces of a row. It is taken where its panels stay in the first cache: up to `shallow` rows of
// weights.
constexpr int few_rows = lanes == 16 ? 6 : most_rows;
constexpr int64_t shallow = 128;

// Vectors of sums beside each other in a block of so many rows: as many as stay in registers, and enough of them that
// sums of few rows do not wait for each other.
constexpr int widest_block(int height) {
    if (lanes == 16)
        return height <= 2 ? 8 : height <= few_rows ? 4 : 2;
    return height <= 1 ? 8 : height <= 3 ? 4 : 2;
}

// With 16 registers of 8 lanes, four rows of three vectors are a block where a panel has so many results: otherwise sums of
// its last vector would wait for each other.
constexpr int third_rows = 4;
constexpr bool has_three(int64_t columns) { return lanes == 8 && columns > 2 * lanes && columns <= 3 * lanes; }

// Bytes of rows, and of their results, that stay in the second cache while all panels are multiplied with them.
constexpr int64_t kept_bytes = 640 * 1024;

// Memory that is fetched to the second cache while a block is computed: so many lines at a time.
struct Ahead {
    const char *from;
    int64_t lines;
};
constexpr int64_t line_bytes = 64;

// Summed elements between which some lines are fetched.
constexpr int64_t fetch_distance = 16;

#include "product_rows.inc"

// Rows from `row` on of columns from `column` on. `whole`: all columns of the block are results.
template <int height, int vectors, bool whole, class Rows>
void block(const Rows &rows, int64_t row, int64_t column, Ahead ahead) {
    const PackedProduct &of = rows.of;
    const int64_t panel = column / product_panel * product_panel, inside = column - panel;
    const int64_t left = panelled_columns(of.columns) - panel, stride = left < product_panel ? half_panel : product_panel;
    const float *const weights = of.weights + panel * of.depth + inside;
    Lane sums[height][vectors];
    const int64_t place = row * of.columns + column;
    float *const out = of.out + place;
    if (of.added) // comes to the first cache while sums are made
        for (int r = 0; r < height; ++r)
            for (int64_t c = 0; c < vectors * lanes; c += line_bytes / static_cast<int64_t>(sizeof(float)))
                __builtin_prefetch(of.added + place + r * of.columns + c, 1);
#pragma GCC unroll 12
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            sums[r][v] = Lane{};
    const auto add = [&](auto row_at, int64_t depth, auto start, auto is_there) __attribute__((always_inline)) {
        const float *const panels = weights + start * stride;
        for (int64_t first = 0; first < depth; first += fetch_distance) {
            for (int64_t line = 0; line < ahead.lines; ++line, ahead.from += line_bytes)
                __builtin_prefetch(ahead.from, 0, 2);
            const int64_t end = least_of(depth, first + fetch_distance);
            Rows::count(first, end, [&](int64_t k) __attribute__((always_inline)) {
                Lane factors[vectors];
#pragma GCC unroll 8
                for (int v = 0; v < vectors; ++v) {
                    constexpr int64_t each = product_panel / lanes; // vectors of a panel
                    factors[v] = load(panels + v / each * product_panel * of.depth + k * stride + v % each * lanes);
                }
#pragma GCC unroll 12
                for (int r = 0; r < height; ++r) {
                    if (!is_there(row_at(r)))
                        continue;
                    const Lane value = repeated(row_at(r)[k]);
#pragma GCC unroll 8
                    for (int v = 0; v < vectors; ++v)
                        sums[r][v] += value * factors[v];
                }
            });
        }
    };
    rows.template each_run<height>(row, add);
    Mask there[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v)
        there[v] = mask_of(0, of.columns - column - v * lanes);
    const auto read = [&](const float *from, int v) {
        return whole ? load(from + v * lanes) : load(from + v * lanes, there[v]);
    };
    if (of.bias) // last, as it may be much larger than the products
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            const Lane bias = read(of.bias + column, v);
#pragma GCC unroll 12
            for (int r = 0; r < height; ++r)
                sums[r][v] += bias;
        }
    if (of.added) {
#pragma GCC unroll 12
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                sums[r][v] += read(of.added + place + r * of.columns, v);
    }
    size_t done = 0;
    for (; done < of.post_ops.count && of.post_ops.all[done].function <= last_plain_function; ++done)
        apply_function(of.post_ops.all[done], [&](auto function) {
#pragma GCC unroll 12
            for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
                for (int v = 0; v < vectors; ++v)
                    sums[r][v] = function(sums[r][v]);
        });
#pragma GCC unroll 12
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            if constexpr (whole)
                store(out + r * of.columns + v * lanes, sums[r][v]);
            else
                store(out + r * of.columns + v * lanes, sums[r][v], there[v]);
    for (; done < of.post_ops.count; ++done)
        for (int r = 0; r < height; ++r)
            apply_in_memory(of.post_ops.all[done], out + r * of.columns, least_of(vectors * lanes, of.columns - column));
}

// All columns of some rows, in blocks that are as wide as the registers allow.
template <int height, int vectors, class Rows>
void some_columns(const Rows &rows, int64_t row, int64_t column, int64_t end, Ahead ahead) {
    for (; column + vectors * lanes <= end; column += vectors * lanes, ahead.lines = 0)
        block<height, vectors, true>(rows, row, column, ahead);
    if (column >= end)
        return;
    if constexpr (vectors > 1) {
        if (end - column <= vectors / 2 * lanes)
            return some_columns<height, vectors / 2>(rows, row, column, end, ahead);
        if constexpr (vectors * lanes > product_panel) // the last panel may be a half one
            return some_columns<height, vectors / 2>(rows, row, column, end, ahead);
    }
    block<height, vectors, false>(rows, row, column, ahead);
}

template <int height, class Rows>
void some_rows(int64_t count, const Rows &rows, int64_t row, int64_t column, int64_t end, Ahead ahead) {
    if constexpr (height > 1)
        if (count < height)
            return some_rows<height - 1>(count, rows, row, column, end, ahead);
    if constexpr (lanes == 8 && height == third_rows)
        if (has_three(end - column))
            return end - column == 3 * lanes ? block<height, 3, true>(rows, row, column, ahead)
                                             : block<height, 3, false>(rows, row, column, ahead);
    some_columns<height, widest_block(height)>(rows, row, column, end, ahead);
}

// Rows `begin` to `until` of columns `first` to `end`.
template <class Rows>
void multiply(const Rows &rows, int64_t begin, int64_t until, int64_t first, int64_t end) {
    const PackedProduct &of = rows.of;
    const int64_t last = least_of(end, of.columns), size = static_cast<int64_t>(sizeof(float));
    const int64_t all = until - begin, row_bytes = (rows.floats() + of.columns) * size;
    const int64_t kept = most_rows * (1 + kept_bytes / (most_rows * row_bytes));
    const int64_t fetches = rows.fetches(); // in a block
    const bool few = all <= few_rows, is_shallow = of.depth <= shallow;
    const int64_t together = few          ? widest_block(static_cast<int>(all)) * lanes
                             : is_shallow ? widest_block(few_rows) * lanes
                                          : product_panel;
    const int64_t parts = (all + kept - 1) / kept;
    for (int64_t part = 0; part < parts; ++part) {
        const int64_t top = begin + all * part / parts, height = begin + all * (part + 1) / parts - top;
        for (int64_t column = first; column < last; column += together) {
            const int64_t right = least_of(column + together, last);
            const int64_t highest = is_shallow && right - column == together ? few_rows
                                    : has_three(right - column)              ? third_rows
                                                                             : most_rows;
            const int64_t blocks = (height + highest - 1) / highest;
            const int64_t least = height / blocks, higher = height % blocks; // so many blocks have a row more
            // Few rows are read as fast as the weights come, whoever asks for them.
            const int64_t next = few ? right : least_of(right + together, panelled_columns(last));
            const int64_t lines = (next - right) * of.depth * size / line_bytes;
            Ahead ahead{reinterpret_cast<const char *>(of.weights + right * of.depth), 0};
            if (lines > 0)
                ahead.lines = (lines + blocks * fetches - 1) / (blocks * fetches);
            int64_t row = top;
            for (int64_t number = 0; number < blocks; ++number) {
                const int64_t count = least + (number < higher);
                some_rows<most_rows>(count, rows, row, column, right, ahead);
                row += count;
                ahead.from += ahead.lines * fetches * line_bytes;
            }
        }
    }
}

void compute(const PackedProduct &of, int64_t first, int64_t end) { multiply(DenseRows{of}, 0, of.rows, first, end); }

void convolve(const PackedConvolution &of, int64_t begin, int64_t until, int64_t first, int64_t end) {
    multiply(WindowRows{of}, begin, until, first, end);
}

} // namespace

const PackedKernel packed_product = {most_rows, compute, convolve};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
