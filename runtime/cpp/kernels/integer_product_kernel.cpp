// The kernels of integer_product.hpp. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR, with the
// compiler options of that processor (see CMakeLists.txt). All of them make the same bits: VNNI adds up four products at
// 32 bits, AVX2 two products of 16 bits.
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "integer_product.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

// Rows and strips that fill the registers with sums. Of few rows more strips are multiplied at once, as a sum waits for the
// one before it.
#if defined(__AVX512VNNI__)
constexpr int most_rows = 12, most_strips = 2;
#elif defined(__AVX2__)
constexpr int most_rows = 3, most_strips = 1;
#else
constexpr int most_rows = 4, most_strips = 1;
#endif
constexpr int64_t quad_bytes = quad * strip_width; // of one quad in all columns of a strip

inline int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

inline int32_t four_bytes(const void *from) {
    int32_t bytes;
    __builtin_memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

// Packing

void pack_element_wise(const ByteColumns &of, int64_t column, int64_t k, signed char *to) {
    for (int64_t c = 0; c < strip_width; ++c)
        for (int64_t j = 0; j < quad; ++j) {
            const bool is_inside = column + c < of.columns && k + j < of.depth;
            const int value = is_inside ? of.from[(k + j) * of.depth_step + (column + c) * of.column_step] : 0;
            to[c * quad + j] = static_cast<signed char>(is_inside && of.is_unsigned ? value - 128 : value);
        }
}

#if defined(__SSE2__)
inline __m128i bytes_at(const unsigned char *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); }

inline void put(signed char *to, __m128i bytes) { _mm_storeu_si128(reinterpret_cast<__m128i *>(to), bytes); }

// Four quads of all columns, where those of a column lie one behind the other.
void pack_columns(const unsigned char *from, int64_t step, __m128i flip, signed char *to) {
    for (int64_t c = 0; c < strip_width; c += 4, from += 4 * step) {
        const __m128i a = _mm_xor_si128(bytes_at(from), flip), b = _mm_xor_si128(bytes_at(from + step), flip);
        const __m128i d = _mm_xor_si128(bytes_at(from + 2 * step), flip), e = _mm_xor_si128(bytes_at(from + 3 * step), flip);
        const __m128i ab = _mm_unpacklo_epi32(a, b), de = _mm_unpacklo_epi32(d, e);
        const __m128i ab_rest = _mm_unpackhi_epi32(a, b), de_rest = _mm_unpackhi_epi32(d, e);
        put(to + c * quad, _mm_unpacklo_epi64(ab, de));
        put(to + c * quad + quad_bytes, _mm_unpackhi_epi64(ab, de));
        put(to + c * quad + 2 * quad_bytes, _mm_unpacklo_epi64(ab_rest, de_rest));
        put(to + c * quad + 3 * quad_bytes, _mm_unpackhi_epi64(ab_rest, de_rest));
    }
}

// One quad of all columns, where columns lie one behind the other.
void pack_rows(const unsigned char *from, int64_t step, __m128i flip, signed char *to) {
    const __m128i a = _mm_xor_si128(bytes_at(from), flip), b = _mm_xor_si128(bytes_at(from + step), flip);
    const __m128i d = _mm_xor_si128(bytes_at(from + 2 * step), flip), e = _mm_xor_si128(bytes_at(from + 3 * step), flip);
    const __m128i ab = _mm_unpacklo_epi8(a, b), de = _mm_unpacklo_epi8(d, e);
    const __m128i ab_rest = _mm_unpackhi_epi8(a, b), de_rest = _mm_unpackhi_epi8(d, e);
    put(to, _mm_unpacklo_epi16(ab, de));
    put(to + 16, _mm_unpackhi_epi16(ab, de));
    put(to + 32, _mm_unpacklo_epi16(ab_rest, de_rest));
    put(to + 48, _mm_unpackhi_epi16(ab_rest, de_rest));
}
#endif

void pack_strip(const ByteColumns &of, int64_t column, signed char *to) {
    int64_t k = 0;
#if defined(__SSE2__)
    const __m128i flip = _mm_set1_epi8(static_cast<char>(of.is_unsigned ? 0x80 : 0));
    if (column + strip_width <= of.columns && of.depth_step == 1)
        for (; k + 4 * quad <= of.depth; k += 4 * quad)
            pack_columns(of.from + column * of.column_step + k, of.column_step, flip, to + k * strip_width);
    else if (column + strip_width <= of.columns && of.column_step == 1)
        for (; k + quad <= of.depth; k += quad)
            pack_rows(of.from + column + k * of.depth_step, of.depth_step, flip, to + k * strip_width);
#endif
    for (; k < of.depth; k += quad)
        pack_element_wise(of, column, k, to + k * strip_width);
}

void add_columns(const signed char *packed, int64_t quads, int32_t *sums) {
#if defined(__AVX512VNNI__)
    __m512i sum = _mm512_setzero_si512();
    for (int64_t k = 0; k < quads; ++k)
        sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(1), _mm512_loadu_si512(packed + k * quad_bytes));
    _mm512_storeu_si512(sums, sum);
#elif defined(__AVX2__)
    const __m256i ones = _mm256_set1_epi8(1), wide_ones = _mm256_set1_epi16(1);
    __m256i sum[2] = {};
    for (int64_t k = 0; k < quads; ++k)
        for (int64_t half = 0; half < 2; ++half) {
            const auto *from = reinterpret_cast<const __m256i *>(packed + k * quad_bytes + half * 32);
            const __m256i pairs = _mm256_maddubs_epi16(ones, _mm256_loadu_si256(from)); // of two numbers: no overflow
            sum[half] = _mm256_add_epi32(sum[half], _mm256_madd_epi16(pairs, wide_ones));
        }
    for (int64_t half = 0; half < 2; ++half)
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(sums + half * 8), sum[half]);
#else
    for (int64_t c = 0; c < strip_width; ++c) {
        uint32_t sum = 0;
        for (int64_t k = 0; k < quads; ++k)
            for (int64_t j = 0; j < quad; ++j)
                sum += static_cast<uint32_t>(packed[k * quad_bytes + c * quad + j]);
        sums[c] = static_cast<int32_t>(sum);
    }
#endif
}

#if defined(__AVX512VNNI__)
constexpr int64_t strips_of_line = 4; // as many bytes as a register has

// Packs and adds up the columns of a line, which lie one behind the other in `of`.
void pack_line(const ByteColumns &of, int64_t column, signed char *packed, int32_t *sums) {
    const int64_t strip_bytes = of.padded_depth() * strip_width;
    const __m512i flip = _mm512_set1_epi8(static_cast<char>(of.is_unsigned ? 0x80 : 0)), ones = _mm512_set1_epi8(1);
    __m512i sum[strips_of_line] = {};
    for (int64_t k = 0; k < of.depth; k += quad) {
        __m512i rows[quad];
#pragma GCC unroll 4
        for (int64_t j = 0; j < quad; ++j)
            rows[j] = k + j < of.depth
                          ? _mm512_xor_si512(_mm512_loadu_si512(of.from + column + (k + j) * of.depth_step), flip)
                          : _mm512_setzero_si512();
        // Each quarter of a register has a strip: quads of its columns 0 to 3, 4 to 7, 8 to 11 and 12 to 15.
        const __m512i low = _mm512_unpacklo_epi8(rows[0], rows[1]), low_rest = _mm512_unpacklo_epi8(rows[2], rows[3]);
        const __m512i high = _mm512_unpackhi_epi8(rows[0], rows[1]), high_rest = _mm512_unpackhi_epi8(rows[2], rows[3]);
        const __m512i a = _mm512_unpacklo_epi16(low, low_rest), b = _mm512_unpackhi_epi16(low, low_rest);
        const __m512i c = _mm512_unpacklo_epi16(high, high_rest), d = _mm512_unpackhi_epi16(high, high_rest);
        const __m512i ab = _mm512_shuffle_i32x4(a, b, 0x44), ab_rest = _mm512_shuffle_i32x4(a, b, 0xEE);
        const __m512i cd = _mm512_shuffle_i32x4(c, d, 0x44), cd_rest = _mm512_shuffle_i32x4(c, d, 0xEE);
        const __m512i strips[] = {_mm512_shuffle_i32x4(ab, cd, 0x88), _mm512_shuffle_i32x4(ab, cd, 0xDD),
                                  _mm512_shuffle_i32x4(ab_rest, cd_rest, 0x88),
                                  _mm512_shuffle_i32x4(ab_rest, cd_rest, 0xDD)};
#pragma GCC unroll 4
        for (int64_t s = 0; s < strips_of_line; ++s) {
            sum[s] = _mm512_dpbusd_epi32(sum[s], ones, strips[s]);
            _mm512_storeu_si512(packed + s * strip_bytes + k * strip_width, strips[s]);
        }
    }
    for (int64_t s = 0; s < strips_of_line; ++s)
        _mm512_storeu_si512(sums + s * strip_width, sum[s]);
}
#endif

void pack(const ByteColumns &of, int64_t first, int64_t end, signed char *packed, int32_t *sums) {
    const int64_t depth = of.padded_depth();
#if defined(__AVX512VNNI__)
    for (constexpr int64_t line = strips_of_line * strip_width;
         of.column_step == 1 && first + strips_of_line <= end && first * strip_width + line <= of.columns;
         first += strips_of_line, packed += line * depth, sums += line)
        pack_line(of, first * strip_width, packed, sums);
#endif
    for (int64_t strip = first; strip < end; ++strip, packed += depth * strip_width, sums += strip_width) {
        pack_strip(of, strip * strip_width, packed);
        add_columns(packed, depth / quad, sums);
    }
}

// Sums

inline int64_t part_bytes(const ByteRows &rows, int64_t depth) { return rows.part_bytes == 0 ? depth : rows.part_bytes; }

#if defined(__AVX512VNNI__)
template <int height, int strips>
[[gnu::always_inline]] inline void add_products(const ByteRows &of, int64_t row, const signed char *packed, int64_t depth,
                                                __m512i (&sums)[height][strips]) {
    const int64_t stride = of.stride, part = part_bytes(of, depth);
    const unsigned char *rows = of.from + row * stride;
#pragma GCC unroll 12
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
        for (int s = 0; s < strips; ++s)
            sums[r][s] = _mm512_setzero_si512();
    for (int64_t end = part, k = 0; k < depth; end += part, rows += of.part_step - part)
        for (; k < end; k += quad) {
            __m512i columns[strips];
#pragma GCC unroll 8
            for (int s = 0; s < strips; ++s)
                columns[s] = _mm512_loadu_si512(packed + (s * depth + k) * strip_width);
#pragma GCC unroll 12
            for (int r = 0; r < height; ++r) {
                const __m512i bytes = _mm512_set1_epi32(four_bytes(rows + r * stride + k));
#pragma GCC unroll 8
                for (int s = 0; s < strips; ++s)
                    sums[r][s] = _mm512_dpbusd_epi32(sums[r][s], bytes, columns[s]);
            }
        }
}
#else
template <int height, int strips>
void add_products(const ByteRows &of, int64_t row, const signed char *packed, int64_t depth,
                  int32_t (*out)[strips * strip_width]) {
    const int64_t stride = of.stride, part = part_bytes(of, depth);
    const unsigned char *rows = of.from + row * stride;
#if defined(__AVX2__)
    __m256i sums[height][4]; // of four columns each, two sums of a column
#pragma GCC unroll 3
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < 4; ++c)
            sums[r][c] = _mm256_setzero_si256();
    for (int64_t end = part, k = 0; k < depth; end += part, rows += of.part_step - part)
        for (; k < end; k += quad) {
            __m256i bytes[height];
#pragma GCC unroll 3
            for (int r = 0; r < height; ++r)
                bytes[r] = _mm256_cvtepu8_epi16(_mm_set1_epi32(four_bytes(rows + r * stride + k)));
#pragma GCC unroll 4
            for (int c = 0; c < 4; ++c) {
                const auto *from = reinterpret_cast<const __m128i *>(packed + k * strip_width + c * 16);
                const __m256i columns = _mm256_cvtepi8_epi16(_mm_loadu_si128(from));
#pragma GCC unroll 3
                for (int r = 0; r < height; ++r)
                    sums[r][c] = _mm256_add_epi32(sums[r][c], _mm256_madd_epi16(bytes[r], columns));
            }
        }
    for (int r = 0; r < height; ++r)
        for (int half = 0; half < 2; ++half) {
            const __m256i pairs = _mm256_hadd_epi32(sums[r][2 * half], sums[r][2 * half + 1]);
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(out[r] + half * 8), _mm256_permute4x64_epi64(pairs, 0xD8));
        }
#else
    for (int r = 0; r < height; ++r) {
        uint32_t sums[strip_width] = {};
        const unsigned char *bytes = rows + r * stride;
        for (int64_t end = part, k = 0; k < depth; end += part, bytes += of.part_step - part)
            for (; k < end; k += quad)
                for (int64_t c = 0; c < strip_width; ++c)
                    for (int64_t j = 0; j < quad; ++j)
                        sums[c] += static_cast<uint32_t>(bytes[k + j] * packed[k * strip_width + c * quad + j]);
        __builtin_memcpy(out[r], sums, sizeof sums);
    }
#endif
}
#endif

#include "integer_results.inc"

template <int height, int strips>
void block(const ByteRows &rows, int64_t row, const ProductOf &of, int64_t strip) {
    const signed char *const packed = of.packed + strip * of.padded_depth * strip_width;
#if defined(__AVX512VNNI__)
    __m512i sums[height][strips];
    add_products<height, strips>(rows, row, packed, of.padded_depth, sums);
    const bool is_whole = (strip + strips) * strip_width <= of.columns;
    if (of.rules.results == Results::bytes && is_whole) {
        const bool is_certain = of.rules.zeros == nullptr ? quantize_block<height, strips, false>(sums, rows, row, of, strip)
                                                          : quantize_block<height, strips, true>(sums, rows, row, of, strip);
        if (is_certain)
            return;
    }
    if (of.rules.results == Results::floats && is_whole)
        return of.rules.zeros == nullptr ? scale_block<height, strips, false>(sums, rows, row, of, strip)
                                         : scale_block<height, strips, true>(sums, rows, row, of, strip);
    int32_t stored[height][strips * strip_width];
#pragma GCC unroll 12
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
        for (int s = 0; s < strips; ++s)
            _mm512_storeu_si512(stored[r] + s * strip_width, sums[r][s]);
#else
    int32_t stored[height][strips * strip_width];
    add_products<height, strips>(rows, row, packed, of.padded_depth, stored);
#endif
    finish_block<height, strips>(stored, rows, row, of, strip);
}

template <int height, int strips>
void block_of(int64_t count, const ByteRows &rows, int64_t row, const ProductOf &of, int64_t strip) {
    if constexpr (height > 1)
        if (count < height)
            return block_of<height - 1, strips>(count, rows, row, of, strip);
    block<height, strips>(rows, row, of, strip);
}

template <int height, int strips>
void multiply_strips(const ByteRows &rows, const ProductOf &of, int64_t strip) {
    const int64_t blocks = (rows.count + height - 1) / height;
    for (int64_t number = 0; number < blocks; ++number) {
        const int64_t row = rows.count * number / blocks, end = rows.count * (number + 1) / blocks;
        block_of<height, strips>(end - row, rows, row, of, strip);
    }
}

// All strips, `together` of them at once and the last ones by fewer; `height` rows at most. `is_reversed`: those that are
// multiplied at once from the last to the first.
template <int height, int together>
void multiply_rows(const ByteRows &rows, const ProductOf &of, int64_t first, bool is_reversed) {
    const int64_t strips = (of.columns + strip_width - 1) / strip_width, blocks = (strips - first) / together;
    for (int64_t k = 0; k < blocks; ++k)
        multiply_strips<height, together>(rows, of, first + (is_reversed ? blocks - 1 - k : k) * together);
    if constexpr (together > 1)
        multiply_rows<height, together / 2>(rows, of, first + blocks * together, is_reversed);
}

// Of few rows the columns are read, and hardly computed with. A step of a recurrent layer reads those of the step before
// again: in the other direction, so that the last ones are still in the cache.
bool is_next_reversed() {
    static thread_local bool is_reversed = false;
    return is_reversed = !is_reversed;
}

void multiply(const ByteRows &rows, const ProductOf &of) {
#if defined(__AVX512VNNI__)
    if (rows.count == 1)
        return multiply_rows<1, 8>(rows, of, 0, is_next_reversed());
    if (rows.count <= few_rows)
        return multiply_rows<few_rows, 4>(rows, of, 0, is_next_reversed());
#endif
    multiply_rows<most_rows, most_strips>(rows, of, 0, rows.count < most_rows && is_next_reversed());
}

#include "integer_channels.inc"
#if defined(__AVX512VNNI__)
#include "integer_taps.inc"
constexpr auto *taps_kernel = &multiply_taps;
#else
constexpr void (*taps_kernel)(const TapLine &, const ColumnRules &, char *) = nullptr;
#endif

} // namespace

extern const IntegerProductKernels integer_product;
const IntegerProductKernels integer_product = {pack, multiply, finish, multiply_channels, taps_kernel, most_rows};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
