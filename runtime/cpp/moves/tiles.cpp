#include "tiles.hpp"

#include <algorithm>
#include <cstring>

#include "elements.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lastuse {

namespace {

constexpr int64_t line = 64; // bytes that a cache holds together
constexpr int64_t side = 8;  // rows of a tile of 4-byte elements in registers

// A tile of any sizes.
template <class Element>
void move_tile(Transposition work, const char *src, char *dst, int64_t rows, int64_t columns) {
    constexpr auto item = static_cast<int64_t>(sizeof(Element));
    for (int64_t column = 0; column < columns; ++column)
        for (int64_t row = 0; row < rows; ++row)
            std::memcpy(dst + column * work.dst + row * item, src + row * work.src + column * item, sizeof(Element));
}

// Few rows: their elements at one column are written together.
template <class Element, int64_t Rows>
void interleave(Transposition work, const char *src, char *dst) {
    constexpr auto item = static_cast<int64_t>(sizeof(Element));
    for (int64_t column = 0; column < work.columns; ++column)
        for (int64_t row = 0; row < Rows; ++row)
            std::memcpy(dst + column * work.dst + row * item, src + row * work.src + column * item, sizeof(Element));
}

// Few columns: each row of the source is spread over as many rows of the destination.
template <class Element, int64_t Columns>
void spread(Transposition work, const char *src, char *dst) {
    constexpr auto item = static_cast<int64_t>(sizeof(Element));
    for (int64_t row = 0; row < work.rows; ++row)
        for (int64_t column = 0; column < Columns; ++column)
            std::memcpy(dst + column * work.dst + row * item, src + row * work.src + column * item, sizeof(Element));
}

template <class Element>
bool move_narrow(Transposition work, const char *src, char *dst) {
    switch (work.rows) {
    case 2: return interleave<Element, 2>(work, src, dst), true;
    case 3: return interleave<Element, 3>(work, src, dst), true;
    case 4: return interleave<Element, 4>(work, src, dst), true;
    default: break;
    }
    switch (work.columns) {
    case 2: return spread<Element, 2>(work, src, dst), true;
    case 3: return spread<Element, 3>(work, src, dst), true;
    case 4: return spread<Element, 4>(work, src, dst), true;
    default: return false;
    }
}

// Tiles of one cache line by one cache line, each read along the source's rows.
template <class Element>
void move_tiles(Transposition work, const char *src, char *dst, int64_t first) {
    constexpr auto item = static_cast<int64_t>(sizeof(Element));
    constexpr int64_t tile = line / item;
    for (int64_t row = first; row < work.rows; row += tile)
        for (int64_t column = 0; column < work.columns; column += tile)
            move_tile<Element>(work, src + row * work.src + column * item, dst + column * work.dst + row * item,
                               std::min(tile, work.rows - row), std::min(tile, work.columns - column));
}

#if defined(__x86_64__)
#include "squares.inc"

__attribute__((target("avx2"))) inline __m256 load(const char *from) {
    return _mm256_loadu_ps(reinterpret_cast<const float *>(from));
}

__attribute__((target("avx2"))) inline void store(char *to, __m256 value) {
    _mm256_storeu_ps(reinterpret_cast<float *>(to), value);
}

__attribute__((target("avx2"))) inline void move_square(Transposition work, const char *src, char *dst) {
    __m256 square[side];
    for (int k = 0; k < side; ++k)
        square[k] = load(src + k * work.src);
    transpose_square(square);
    for (int k = 0; k < side; ++k)
        store(dst + k * work.dst, square[k]);
}

// The rows that are whole squares, 16 of them together, which fill lines of the destination; how many rows these are.
__attribute__((target("avx2"))) int64_t move_squares(Transposition work, const char *src, char *dst) {
    constexpr int64_t item = 4;
    const int64_t rows = work.rows / side * side, columns = work.columns / side * side;
    for (int64_t begin = 0; begin < rows; begin += 2 * side) {
        const int64_t end = std::min(begin + 2 * side, rows);
        for (int64_t column = 0; column < columns; column += side)
            for (int64_t row = begin; row < end; row += side)
                move_square(work, src + row * work.src + column * item, dst + column * work.dst + row * item);
    }
    if (columns < work.columns)
        for (int64_t row = 0; row < rows; row += side)
            move_tile<uint32_t>(work, src + row * work.src + columns * item, dst + columns * work.dst + row * item,
                                side, work.columns - columns);
    return rows;
}
#endif

#if defined(__x86_64__)
constexpr int64_t byte_side = 16; // rows of a tile of bytes in registers

// Four times, vector k and the one of the other half become neighbours, element by element.
inline void move_byte_square(Transposition work, const char *src, char *dst) {
    __m128i rows[byte_side], made[byte_side];
    for (int64_t k = 0; k < byte_side; ++k)
        rows[k] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(src + k * work.src));
    const auto interleave_halves = [](const __m128i(&from)[byte_side], __m128i(&to)[byte_side]) {
#pragma GCC unroll 8
        for (int64_t k = 0; k < byte_side / 2; ++k) {
            to[2 * k] = _mm_unpacklo_epi8(from[k], from[k + byte_side / 2]);
            to[2 * k + 1] = _mm_unpackhi_epi8(from[k], from[k + byte_side / 2]);
        }
    };
    interleave_halves(rows, made);
    interleave_halves(made, rows);
    interleave_halves(rows, made);
    interleave_halves(made, rows);
    for (int64_t k = 0; k < byte_side; ++k)
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + k * work.dst), rows[k]);
}

// Four squares side by side.
__attribute__((target("avx512f,avx512bw"))) void move_byte_squares(Transposition work, const char *src, char *dst) {
    __m512i rows[byte_side], made[byte_side];
    for (int64_t k = 0; k < byte_side; ++k)
        rows[k] = _mm512_loadu_si512(src + k * work.src);
    for (int64_t times = 0; times < 2; ++times) {
#pragma GCC unroll 8
        for (int64_t k = 0; k < byte_side / 2; ++k) {
            made[2 * k] = _mm512_unpacklo_epi8(rows[k], rows[k + byte_side / 2]);
            made[2 * k + 1] = _mm512_unpackhi_epi8(rows[k], rows[k + byte_side / 2]);
        }
#pragma GCC unroll 8
        for (int64_t k = 0; k < byte_side / 2; ++k) {
            rows[2 * k] = _mm512_unpacklo_epi8(made[k], made[k + byte_side / 2]);
            rows[2 * k + 1] = _mm512_unpackhi_epi8(made[k], made[k + byte_side / 2]);
        }
    }
    const int64_t square = byte_side * work.dst;
    for (int64_t k = 0; k < byte_side; ++k, dst += work.dst) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst), _mm512_castsi512_si128(rows[k]));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + square), _mm512_extracti32x4_epi32(rows[k], 1));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + 2 * square), _mm512_extracti32x4_epi32(rows[k], 2));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + 3 * square), _mm512_extracti32x4_epi32(rows[k], 3));
    }
}

// The rows that are whole squares of bytes; how many these are.
int64_t move_bytes(Transposition work, const char *src, char *dst) {
    static const bool has_avx512 = __builtin_cpu_supports("avx512bw") != 0;
    const int64_t rows = work.rows / byte_side * byte_side, columns = work.columns / byte_side * byte_side;
    for (int64_t row = 0; row < rows; row += byte_side) {
        int64_t column = 0;
        for (; has_avx512 && column + 4 * byte_side <= columns; column += 4 * byte_side)
            move_byte_squares(work, src + row * work.src + column, dst + column * work.dst + row);
        for (; column < columns; column += byte_side)
            move_byte_square(work, src + row * work.src + column, dst + column * work.dst + row);
        move_tile<uint8_t>(work, src + row * work.src + columns, dst + columns * work.dst + row, byte_side,
                           work.columns - columns);
    }
    return rows;
}
#endif

template <class Element>
int64_t move_whole_squares(Transposition work, const char *src, char *dst) {
#if defined(__x86_64__)
    if (sizeof(Element) == 1)
        return move_bytes(work, src, dst);
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
    if (sizeof(Element) == 4 && has_avx2)
        return move_squares(work, src, dst);
#endif
    return 0;
}

} // namespace

bool is_transposable(int64_t item) {
    return by_item(item, [](auto) {});
}

void transpose(Transposition work, int64_t item, const char *src, char *dst) {
    by_item(item, [&](auto element) {
        using Element = decltype(element);
        if (!move_narrow<Element>(work, src, dst))
            move_tiles<Element>(work, src, dst, move_whole_squares<Element>(work, src, dst));
    });
}

} // namespace lastuse
