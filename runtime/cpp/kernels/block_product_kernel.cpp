// The kernel of widened_product.hpp for weights whose blocks have scales of their own, in GCC's vectors. Compiled once for
// each processor, in the namespace LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "widened_product.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "panel_product.inc"

// Vectors of a strip. Those of the second half are in the upper bits of the bytes of the first, if weights have 4 bits.
constexpr int64_t strip_vectors = strip_columns / lanes, half = strip_vectors / 2;

inline Lane wide(const unsigned char *from) {
#if defined(__AVX512F__)
    return (Lane)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from))));
#elif defined(__AVX2__)
    return (Lane)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from))));
#else
    Lane lane;
    for (int64_t k = 0; k < lanes; ++k)
        lane[k] = static_cast<float>(from[k]);
    return lane;
#endif
}

// The lower and the upper 4 bits of the next bytes, as numbers.
inline void wide_pair(const unsigned char *from, Lane &lower, Lane &upper) {
#if defined(__AVX512F__)
    const __m512i bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
    const __m512 numbers = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    lower = (Lane)_mm512_permutexvar_ps(bytes, numbers); // reads 4 bits of an index
    upper = (Lane)_mm512_cvtepi32_ps(_mm512_srli_epi32(bytes, 4));
#elif defined(__AVX2__)
    const __m256i bytes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)));
    lower = (Lane)_mm256_cvtepi32_ps(_mm256_and_si256(bytes, _mm256_set1_epi32(15)));
    upper = (Lane)_mm256_cvtepi32_ps(_mm256_srli_epi32(bytes, 4));
#else
    for (int64_t k = 0; k < lanes; ++k) {
        lower[k] = static_cast<float>(from[k] & 15);
        upper[k] = static_cast<float>(from[k] >> 4);
    }
#endif
}

// The column of the first of `vectors` vectors that are widened together, and of the others: as many of each half.
template <int64_t vectors>
constexpr int64_t column_of(int64_t group, int64_t number) {
    if constexpr (vectors == 1)
        return group * lanes;
    constexpr int64_t each = vectors / 2;
    return (group * each + number % each + number / each * half) * lanes;
}

// The columns of a group, from a row of a strip.
template <int bits, int64_t vectors>
inline void widen_row(const unsigned char *row, int64_t group, Lane *to) {
    if constexpr (bits == 8) {
#pragma GCC unroll 16
        for (int64_t v = 0; v < vectors; ++v)
            to[v] = wide(row + column_of<vectors>(group, v));
    } else if constexpr (vectors == 1) {
        Lane other;
        if (group < half)
            wide_pair(row + group * lanes, to[0], other);
        else
            wide_pair(row + (group - half) * lanes, other, to[0]);
    } else {
#pragma GCC unroll 8
        for (int64_t v = 0; v < vectors / 2; ++v)
            wide_pair(row + column_of<vectors>(group, v), to[v], to[v + vectors / 2]);
    }
}

// Rows of a strip from `row` to `end`.
struct Rows {
    int64_t strip, row, end, blocks;
};

// A weight is what its bits say less `zeros`, times `scales`. To multiply both first would round the products, which may
// be infinite.
template <int64_t vectors>
inline void load_block(const BlockProduct &of, const Rows &rows, int64_t number, int64_t group, Lane *scales, Lane *zeros) {
    const int64_t first = (rows.strip * rows.blocks + number) * strip_columns;
    for (int64_t v = 0; v < vectors; ++v) {
        const int64_t at = first + column_of<vectors>(group, v);
        zeros[v] = static_cast<float>(1 << (of.bits - 1)) - Lane{};
        if (of.zeros != nullptr)
            zeros[v] = wide(of.zeros + at);
        else if (of.wide_zeros != nullptr)
            zeros[v] = load(of.wide_zeros + at);
        scales[v] = load(of.scales + at);
    }
}

template <int bits>
inline const unsigned char *weights_at(const BlockProduct &of, const Rows &rows, int64_t row) {
    return of.weights + (rows.strip * of.depth + row) * (strip_columns * bits / 8);
}

// Bytes of weights that are fetched before they are widened; a prefetch past their end does nothing.
constexpr int64_t bytes_ahead = 1024;

// Calls each(row, weights) for the rows of a group, whose weights are widened.
template <int bits, int64_t vectors, class Each>
inline void widen_rows(const BlockProduct &of, const Rows &rows, int64_t group, Each each) {
    const unsigned char *from = weights_at<bits>(of, rows, rows.row);
    for (int64_t row = rows.row; row < rows.end;) {
        const int64_t number = row / of.block, stop = least_of(rows.end, (number + 1) * of.block);
        Lane scales[vectors], zeros[vectors];
        load_block<vectors>(of, rows, number, group, scales, zeros);
        for (; row < stop; ++row, from += strip_columns * bits / 8) {
            Lane weights[vectors];
            __builtin_prefetch(from + bytes_ahead);
            widen_row<bits, vectors>(from, group, weights);
#pragma GCC unroll 16
            for (int64_t v = 0; v < vectors; ++v)
                weights[v] = (weights[v] - zeros[v]) * scales[v];
            each(row, weights);
        }
    }
}

// Writes rows of a strip to panels of `width` columns.
template <int bits>
void widen(const BlockProduct &of, const Rows &rows, float *panels) {
    const int64_t depth = rows.end - rows.row;
    for (int64_t group = 0; group < half; ++group)
        widen_rows<bits, 2>(of, rows, group, [&](int64_t row, const Lane *weights) {
            for (int64_t v = 0; v < 2; ++v) {
                const int64_t column = column_of<2>(group, v);
                store(panels + (column / width * depth + row - rows.row) * width + column % width, weights[v]);
            }
        });
}

// Adds `height` rows from `first` on times rows of a strip to the results.
template <int height, int bits>
void direct_block(const BlockProduct &of, const Rows &rows, int64_t first) {
    constexpr int64_t vectors = vectors_of(height);
    const float *given = of.given + first * of.depth;
    for (int64_t group = 0; group * vectors < strip_vectors; ++group) {
        float *out = of.out + first * of.columns + rows.strip * strip_columns;
        Lane sums[height][vectors];
#pragma GCC unroll 16
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
            for (int64_t v = 0; v < vectors; ++v)
                sums[r][v] = rows.row == 0 ? Lane{} : load(out + r * of.columns + column_of<vectors>(group, v));
        widen_rows<bits, vectors>(of, rows, group, [&](int64_t row, const Lane *weights) {
#pragma GCC unroll 16
            for (int r = 0; r < height; ++r) {
                const Lane value = given[r * of.depth + row] - Lane{};
#pragma GCC unroll 4
                for (int64_t v = 0; v < vectors; ++v)
                    sums[r][v] += value * weights[v];
            }
        });
#pragma GCC unroll 16
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
            for (int64_t v = 0; v < vectors; ++v)
                store(out + r * of.columns + column_of<vectors>(group, v), sums[r][v]);
    }
}

template <int height, int bits>
void direct_block_of(int64_t count, const BlockProduct &of, const Rows &rows, int64_t first) {
    if constexpr (height > 1)
        if (count < height)
            return direct_block_of<height - 1, bits>(count, of, rows, first);
    direct_block<height, bits>(of, rows, first);
}

template <int bits>
void strip_of(const BlockProduct &of, int64_t strip, float *memory) {
    const int64_t columns = least_of(strip_columns, of.columns - strip * strip_columns);
    const int64_t blocks = (of.rows + direct_rows - 1) / direct_rows;
    const int64_t together = strip_depth(of.rows);
    for (int64_t row = 0; row < of.depth; row += together) {
        const Rows rows{strip, row, least_of(of.depth, row + together), (of.depth + of.block - 1) / of.block};
        if (of.rows <= most_direct && columns == strip_columns) {
            for (int64_t number = 0; number < blocks; ++number) {
                const int64_t first = of.rows * number / blocks, end = of.rows * (number + 1) / blocks;
                direct_block_of<direct_rows, bits>(end - first, of, rows, first);
            }
        } else {
            widen<bits>(of, rows, memory);
            multiply_panels(of.rows, of.given + row, of.depth, memory, rows.end - row, of.out + strip * strip_columns,
                            of.columns, columns, row == 0, nullptr);
        }
    }
}

void compute(const BlockProduct &of, int64_t first, int64_t end, float *memory) {
    for (int64_t strip = first; strip < end; ++strip)
        if (of.bits == 4)
            strip_of<4>(of, strip, memory);
        else
            strip_of<8>(of, strip, memory);
}

} // namespace

const BlockKernel block_product = {most_direct, compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
