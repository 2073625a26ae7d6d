// The kernel of strided_product.hpp, in GCC's vectors. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "strided_product.hpp"

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

#include "product_blocks.inc"

#if defined(__AVX2__)
#include "../moves/squares.inc"
#endif

// Rows whose products take less time than the weights come from the third cache, and how many rows of weights ahead these
// are fetched.
constexpr int fetching_rows = 2;
constexpr int64_t rows_ahead = 16;

// Rows of a matrix whose columns are dense, from a column on.
struct PlainColumns {
    const float *first;
    int64_t row, columns;

    PlainColumns from(int64_t start) const { return {first + start * row, row, columns}; }

    template <int height, bool whole>
    __attribute__((always_inline)) Lane at(int64_t k, int v) const {
        if constexpr (height <= fetching_rows)
            __builtin_prefetch(first + (k + rows_ahead) * row + v * lanes);
        return load_part<whole>(first + k * row + v * lanes, mask_of(0, columns - v * lanes));
    }
};

// Elements of a row as far apart as each other.
struct SteppedRow {
    const float *first;
    int64_t step;

    __attribute__((always_inline)) float operator[](int64_t k) const { return first[k * step]; }
};

// Rows, weights and results at any strides.
template <bool is_packed>
struct StridedRows {
    const StridedProduct &of;

    template <class AddProducts>
    __attribute__((always_inline)) static void count(int64_t first, int64_t end, AddProducts add_products) {
        DenseRows::count(first, end, add_products);
    }

    auto weights(int64_t column) const {
        if constexpr (is_packed)
            return panels_from(of.weights.first, of.depth, of.columns, column);
        else
            return PlainColumns{of.weights.first + column, of.weights.row, of.columns - column};
    }

    template <int height, class AddRun>
    __attribute__((always_inline)) void each_run(int64_t row, AddRun add_run) const {
        const float *const given = of.given.first + row * of.given.row;
        const auto row_at = [given, stride = of.given.row, step = of.given.column](int r) {
            return SteppedRow{given + r * stride, step};
        };
        add_run(row_at, of.depth, FirstRow{}, [](SteppedRow) { return true; });
    }

    template <int height, int vectors, bool whole>
    __attribute__((always_inline)) void begin(int64_t row, int64_t column, Sums<height, vectors> sums) const {
#pragma GCC unroll 12
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                sums[r][v] = Lane{};
        if (of.is_large && of.out.column == 1) // comes to the first cache while sums are made
            for (int r = 0; r < height; ++r)
                for (int64_t c = 0; c < vectors * lanes; c += line_bytes / static_cast<int64_t>(sizeof(float)))
                    __builtin_prefetch(of.out.first + (row + r) * of.out.row + column + c, 1);
        if (of.begun.first) {
            Mask there[vectors];
            columns_there(of.columns - column, there);
            add<height, vectors, whole>(of.begun, row, column, sums, there);
        }
    }

    template <int height, int vectors, bool whole>
    __attribute__((always_inline)) void finish(int64_t, int64_t, Sums<height, vectors>, Masks<vectors>) const {}

    template <int height, int vectors, bool whole>
    __attribute__((always_inline)) void add_term(size_t post_op, int64_t row, int64_t column, Sums<height, vectors> sums,
                                                 Masks<vectors> there) const {
        add<height, vectors, whole>(of.terms[post_op], row, column, sums, there);
    }

    template <int height, int vectors, class WriteRows>
    __attribute__((always_inline)) void write(int64_t row, int64_t column, WriteRows write_rows) const {
        float *const out = of.out.first + row * of.out.row + column * of.out.column;
        if (of.out.column == 1)
            return write_rows(out, of.out.row);
        float block[height * vectors * lanes];
        write_rows(block, int64_t{vectors * lanes});
        const int64_t count = least_of(vectors * lanes, of.columns - column);
        for (int r = 0; r < height; ++r)
            for (int64_t c = 0; c < count; ++c)
                out[r * of.out.row + c * of.out.column] = block[r * vectors * lanes + c];
    }

private:
    template <int height, int vectors, bool whole>
    __attribute__((always_inline)) void add(const Matrix &term, int64_t row, int64_t column, Sums<height, vectors> sums,
                                            Masks<vectors> there) const {
        const float *from = term.first + row * term.row + column * term.column;
        int64_t stride = term.row;
        float block[height * vectors * lanes];
        if (term.column != 1) {
            const int64_t count = least_of(vectors * lanes, of.columns - column);
            for (int r = 0; r < height; ++r)
                for (int64_t c = 0; c < count; ++c)
                    block[r * vectors * lanes + c] = from[r * term.row + c * term.column];
            from = block;
            stride = vectors * lanes;
        }
#pragma GCC unroll 12
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                sums[r][v] += load_part<whole>(from + r * stride + v * lanes, there[v]);
    }
};

template <class Rows>
void multiply(const Rows &rows) {
    const StridedProduct &of = rows.of;
    const int64_t together = lanes * widest_block(static_cast<int>(least_of(of.rows, few_rows)));
    for (int64_t column = 0; column < of.columns; column += together) {
        const int64_t right = least_of(column + together, of.columns);
        const int64_t highest = highest_block(right - column, right - column == together);
        const int64_t blocks = (of.rows + highest - 1) / highest;
        for (int64_t number = 0; number < blocks; ++number) {
            const int64_t row = of.rows * number / blocks, end = of.rows * (number + 1) / blocks;
            some_rows<most_rows>(end - row, rows, row, column, right, Ahead{nullptr, 0});
        }
    }
}

void compute(const StridedProduct &of) {
    if (of.is_packed)
        multiply(StridedRows<true>{of});
    else
        multiply(StridedRows<false>{of});
}

// Columns `begin` to `end` of a matrix whose rows are dense, in a panel of `stride` columns.
void pack_dense_rows(Matrix matrix, int64_t depth, int64_t begin, int64_t end, int64_t stride, float *panel) {
    for (int64_t v = 0; v < stride; v += lanes) {
        const Mask there = mask_of(0, end - begin - v);
        const float *from = matrix.first + begin + v;
        for (int64_t k = 0; k < depth; ++k)
            store(panel + k * stride + v, load(from + k * matrix.row, there));
    }
}

#if defined(__AVX2__)
// Rows k of the panel from up to eight columns, `apart` elements from each other; those that are not there are zeros.
template <int64_t stride, bool whole>
__attribute__((always_inline)) inline void pack_square(const float *from, int64_t apart, int64_t columns, int64_t height,
                                                       float *to) {
    static constexpr int32_t steps[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
    __m256 square[8];
    const __m256i there = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(steps + (whole ? 0 : 8 - height)));
#pragma GCC unroll 8
    for (int64_t c = 0; c < 8; ++c)
        if constexpr (whole)
            square[c] = _mm256_loadu_ps(from + c * apart);
        else
            square[c] = c < columns ? _mm256_maskload_ps(from + c * apart, there) : _mm256_setzero_ps();
    transpose_square(square);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 8; ++k)
        if (whole || k < height)
            _mm256_storeu_ps(to + k * stride, square[k]);
}

// The same of a matrix whose columns are dense.
template <int64_t stride>
void pack_dense_columns(Matrix matrix, int64_t depth, int64_t begin, int64_t end, float *panel) {
    const int64_t apart = matrix.column;
    for (int64_t c = 0; c < stride; c += 8) {
        const float *const from = matrix.first + (begin + c) * apart;
        const int64_t columns = least_of(8, end - begin - c);
        int64_t k = 0;
        if (columns == 8)
            for (; k + 8 <= depth; k += 8)
                pack_square<stride, true>(from + k, apart, 8, 8, panel + k * stride + c);
        for (; k < depth; k += 8)
            pack_square<stride, false>(from + k, apart, columns, least_of(8, depth - k), panel + k * stride + c);
    }
}
#endif

void pack_any(Matrix matrix, int64_t depth, int64_t begin, int64_t end, int64_t stride, float *panel) {
    for (int64_t k = 0; k < depth; ++k)
        for (int64_t c = 0; c < stride; ++c)
            panel[k * stride + c] = begin + c < end ? matrix.first[k * matrix.row + (begin + c) * matrix.column] : 0.0f;
}

void pack(Matrix matrix, int64_t depth, int64_t columns, float *panels) {
    for (int64_t column = 0; column < columns; column += product_panel) {
        const int64_t stride = panelled_columns(columns - column) < product_panel ? half_panel : product_panel;
        const int64_t end = least_of(column + stride, columns);
        float *const panel = panels + column * depth;
        if (matrix.column == 1)
            pack_dense_rows(matrix, depth, column, end, stride, panel);
#if defined(__AVX2__)
        else if (matrix.row == 1 && stride == product_panel)
            pack_dense_columns<product_panel>(matrix, depth, column, end, panel);
        else if (matrix.row == 1)
            pack_dense_columns<half_panel>(matrix, depth, column, end, panel);
#endif
        else
            pack_any(matrix, depth, column, end, stride, panel);
    }
}

} // namespace

#if defined(__AVX2__)
constexpr bool has_masks = true;
#else
constexpr bool has_masks = false;
#endif

const StridedKernel strided_product = {most_rows, has_masks ? 1 : lanes, pack, compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
