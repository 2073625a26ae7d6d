// The kernel of widened_product.hpp, in GCC's vectors. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "widened_product.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "panel_product.inc"

// The next integers as numbers. GCC's own conversion of vectors goes element by element.
#if defined(__AVX512F__)
inline Lane wide(const signed char *from) {
    return (Lane)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from))));
}
inline Lane wide(const unsigned char *from) {
    return (Lane)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from))));
}
#elif defined(__AVX2__)
inline Lane wide(const signed char *from) {
    return (Lane)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from))));
}
inline Lane wide(const unsigned char *from) {
    return (Lane)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from))));
}
#else
template <class Item>
Lane wide(const Item *from) {
    Lane lane;
    for (int64_t k = 0; k < lanes; ++k)
        lane[k] = static_cast<float>(from[k]);
    return lane;
}
#endif

// A strip of the product: columns from `column` on, rows of weights from `row` on.
struct Strip {
    int64_t column, columns, row, depth;
    int64_t stride; // of rows of weights
    float scales[strip_columns], zeros[strip_columns];

    bool is_first() const { return row == 0; }
};

// The first row of weights of the strip.
template <class Item>
const Item *first_row(const WidenedProduct &of, const Strip &strip) {
    const auto *all = static_cast<const Item *>(of.weights);
    return all + (of.is_packed ? strip.column * of.depth : strip.column) + strip.row * strip.stride;
}

// Writes the strip of weights to panels of `width` columns, [depth, width] each;
// columns past the last one are no results.
template <class Item>
void widen(const WidenedProduct &of, const Strip &strip, float *panels) {
    const Item *from = first_row<Item>(of, strip);
    const auto bytes = static_cast<unsigned long>(strip.columns);
    for (int64_t k = 0; k < strip.depth; ++k, from += strip.stride) {
        Item row[strip_columns];
        const Item *items = from;
        if (strip.columns < strip_columns) {
            __builtin_memset(row, 0, sizeof row);
            __builtin_memcpy(row, from, bytes);
            items = row;
        }
#pragma GCC unroll 16
        for (int64_t c = 0; c < strip_columns; c += lanes)
            store(panels + (c / width * strip.depth + k) * width + c % width, wide(items + c) - load(strip.zeros + c));
    }
}

void multiply(const WidenedProduct &of, const Strip &strip, const float *panels, bool is_last) {
    multiply_panels(of.rows, of.given + strip.row, of.depth, panels, strip.depth, of.out + strip.column, of.columns,
                    strip.columns, strip.is_first(), is_last ? strip.scales : nullptr);
}

// Weights are fetched so many rows before they are widened; a prefetch past their end does nothing.
constexpr int64_t rows_ahead = 8;

// Adds `height` rows from `row` on times a whole strip of weights to the results. The weights are widened in registers
// and the sums are those of `block`.
template <int height, class Item>
void direct_block(const WidenedProduct &of, const Strip &strip, int64_t row, bool is_last) {
    constexpr int64_t vectors = vectors_of(height);
    const float *given = of.given + row * of.depth + strip.row;
    for (int64_t column = 0; column < strip_columns; column += vectors * lanes) {
        const Item *from = first_row<Item>(of, strip) + column;
        float *out = of.out + row * of.columns + strip.column + column;
        Lane sums[height][vectors];
#pragma GCC unroll 16
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v)
                sums[r][v] = strip.is_first() ? Lane{} : load(out + r * of.columns + v * lanes);
        for (int64_t k = 0; k < strip.depth; ++k, from += strip.stride) {
            Lane weights[vectors];
            __builtin_prefetch(from + rows_ahead * strip.stride);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v)
                weights[v] = wide(from + v * lanes) - load(strip.zeros + column + v * lanes);
#pragma GCC unroll 16
            for (int r = 0; r < height; ++r) {
                const Lane value = given[r * of.depth + k] - Lane{};
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v)
                    sums[r][v] += value * weights[v];
            }
        }
#pragma GCC unroll 16
        for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v)
                store(out + r * of.columns + v * lanes,
                      is_last ? sums[r][v] * load(strip.scales + column + v * lanes) : sums[r][v]);
    }
}

template <int height, class Item>
void direct_block_of(int64_t rows, const WidenedProduct &of, const Strip &strip, int64_t row, bool is_last) {
    if constexpr (height > 1)
        if (rows < height)
            return direct_block_of<height - 1, Item>(rows, of, strip, row, is_last);
    direct_block<height, Item>(of, strip, row, is_last);
}

template <class Item>
void multiply_direct(const WidenedProduct &of, const Strip &strip, bool is_last) {
    const int64_t blocks = (of.rows + direct_rows - 1) / direct_rows;
    for (int64_t number = 0; number < blocks; ++number) {
        const int64_t row = of.rows * number / blocks, end = of.rows * (number + 1) / blocks;
        direct_block_of<direct_rows, Item>(end - row, of, strip, row, is_last);
    }
}

template <class Item>
void strip_of(const WidenedProduct &of, Strip &strip, float *memory) {
    const bool is_direct = of.rows <= most_direct && strip.columns == strip_columns;
    const int64_t together = strip_depth(of.rows);
    for (; strip.row < of.depth; strip.row += together) {
        strip.depth = least_of(together, of.depth - strip.row);
        const bool is_last = strip.row + strip.depth == of.depth;
        if (is_direct) {
            multiply_direct<Item>(of, strip, is_last);
        } else {
            widen<Item>(of, strip, memory);
            multiply(of, strip, memory, is_last);
        }
    }
}

void compute(const WidenedProduct &of, int64_t first, int64_t end, float *memory) {
    for (int64_t number = first; number < end; ++number) {
        Strip strip{number * strip_columns, 0, 0, 0, of.is_packed ? strip_columns : of.columns, {}, {}};
        strip.columns = least_of(strip_columns, of.columns - strip.column);
        for (int64_t c = 0; c < strip.columns; ++c) {
            strip.scales[c] = of.scales[(strip.column + c) * of.scale_step];
            strip.zeros[c] = of.zeros[(strip.column + c) * of.zero_step];
        }
        if (of.is_signed)
            strip_of<signed char>(of, strip, memory);
        else
            strip_of<unsigned char>(of, strip, memory);
    }
}

} // namespace

const WidenedKernel widened_product = {most_direct, compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
