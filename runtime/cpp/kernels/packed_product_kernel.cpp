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

// Rows from `row` on of columns from `column` on. `whole`: all columns of the block are results.
template <int height, int vectors, bool whole>
void block(const PackedProduct &of, int64_t row, int64_t column, Ahead ahead) {
    const int64_t panel = column / product_panel * product_panel, inside = column - panel;
    const int64_t left = panelled_columns(of.columns) - panel, stride = left < product_panel ? half_panel : product_panel;
    const float *const weights = of.weights + panel * of.depth + inside;
    Lane sums[height][vectors];
    Mask there[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v)
        there[v] = mask_of(0, of.columns - column - v * lanes);
    const auto read = [&](const float *from, int v) {
        return whole ? load(from + v * lanes) : load(from + v * lanes, there[v]);
    };
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
    const float *const given = of.given + row * of.given_stride;
    for (int64_t first = 0; first < of.depth; first += fetch_distance) {
        for (int64_t line = 0; line < ahead.lines; ++line, ahead.from += line_bytes)
            __builtin_prefetch(ahead.from, 0, 2);
        const int64_t end = least_of(of.depth, first + fetch_distance);
#pragma GCC unroll 2
        for (int64_t k = first; k < end; ++k) {
            Lane factors[vectors];
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v) {
                constexpr int64_t each = product_panel / lanes; // vectors of a panel
                factors[v] = load(weights + v / each * product_panel * of.depth + k * stride + v % each * lanes);
            }
#pragma GCC unroll 12
            for (int r = 0; r < height; ++r) {
                const Lane value = repeated(given[r * of.given_stride + k]);
#pragma GCC unroll 8
                for (int v = 0; v < vectors; ++v)
                    sums[r][v] += value * factors[v];
            }
        }
    }
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
template <int height, int vectors>
void some_columns(const PackedProduct &of, int64_t row, int64_t column, int64_t end, Ahead ahead) {
    for (; column + vectors * lanes <= end; column += vectors * lanes, ahead.lines = 0)
        block<height, vectors, true>(of, row, column, ahead);
    if (column >= end)
        return;
    if constexpr (vectors > 1) {
        if (end - column <= vectors / 2 * lanes)
            return some_columns<height, vectors / 2>(of, row, column, end, ahead);
        if constexpr (vectors * lanes > product_panel) // the last panel may be a half one
            return some_columns<height, vectors / 2>(of, row, column, end, ahead);
    }
    block<height, vectors, false>(of, row, column, ahead);
}

template <int height>
void some_rows(int64_t rows, const PackedProduct &of, int64_t row, int64_t column, int64_t end, Ahead ahead) {
    if constexpr (height > 1)
        if (rows < height)
            return some_rows<height - 1>(rows, of, row, column, end, ahead);
    some_columns<height, widest_block(height)>(of, row, column, end, ahead);
}

void compute(const PackedProduct &of, int64_t first, int64_t end) {
    const int64_t last = least_of(end, of.columns), size = static_cast<int64_t>(sizeof(float));
    const int64_t kept = most_rows * (1 + kept_bytes / (most_rows * (of.depth + of.columns) * size));
    const int64_t fetches = (of.depth + fetch_distance - 1) / fetch_distance; // in a block
    const bool few = of.rows <= few_rows, is_shallow = of.depth <= shallow;
    const int64_t together = few          ? widest_block(static_cast<int>(of.rows)) * lanes
                             : is_shallow ? widest_block(few_rows) * lanes
                                          : product_panel;
    const int64_t parts = (of.rows + kept - 1) / kept;
    for (int64_t part = 0; part < parts; ++part) {
        const int64_t begin = of.rows * part / parts, rows = of.rows * (part + 1) / parts - begin;
        for (int64_t column = first; column < last; column += together) {
            const int64_t until = least_of(column + together, last);
            const int64_t highest = is_shallow && until - column == together ? few_rows : most_rows;
            const int64_t blocks = (rows + highest - 1) / highest;
            const int64_t least = rows / blocks, higher = rows % blocks; // so many blocks have a row more
            // Few rows are read as fast as the weights come, whoever asks for them.
            const int64_t next = few ? until : least_of(until + together, panelled_columns(last));
            const int64_t lines = (next - until) * of.depth * size / line_bytes;
            Ahead ahead{reinterpret_cast<const char *>(of.weights + until * of.depth), 0};
            if (lines > 0)
                ahead.lines = (lines + blocks * fetches - 1) / (blocks * fetches);
            int64_t row = begin;
            for (int64_t number = 0; number < blocks; ++number) {
                const int64_t count = least + (number < higher);
                some_rows<most_rows>(count, of, row, column, until, ahead);
                row += count;
                ahead.from += ahead.lines * fetches * line_bytes;
            }
        }
    }
}

} // namespace

const PackedKernel packed_product = {most_rows, compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
