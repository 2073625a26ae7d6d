#include "byte_lookup.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "processors.hpp"

namespace lastuse::kernels {

namespace {

// Where results of bytes from `byte` on are: as many as this is a multiple of, but 128 at most.
const unsigned char *results_from(const ByteLookup &of, int byte) { return of.table + (byte ^ (of.is_signed ? 128 : 0)); }

void look_up_each(const ByteLookup &of, const unsigned char *from, unsigned char *to, int64_t count) {
#pragma GCC unroll 8
    for (int64_t k = 0; k < count; ++k)
        to[k] = *results_from(of, from[k]);
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define LASTUSE_VBMI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))
#define LASTUSE_AVX2 __attribute__((target("avx2")))

// An instruction selects from half of the table by 7 bits; the 8th one selects the half.
LASTUSE_VBMI inline __m512i looked_up(const __m512i (&quarters)[4], __m512i bytes) {
    const __m512i low = _mm512_permutex2var_epi8(quarters[0], bytes, quarters[1]);
    const __m512i high = _mm512_permutex2var_epi8(quarters[2], bytes, quarters[3]);
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
}

LASTUSE_VBMI void look_up_64(const ByteLookup &of, const unsigned char *from, unsigned char *to, int64_t count) {
    __m512i quarters[4];
    for (int quarter = 0; quarter < 4; ++quarter)
        quarters[quarter] = _mm512_loadu_si512(results_from(of, 64 * quarter));
    int64_t k = 0;
    for (; k + 64 <= count; k += 64)
        _mm512_storeu_si512(to + k, looked_up(quarters, _mm512_loadu_si512(from + k)));
    if (k == count)
        return;
    const __mmask64 rest = (1ull << (count - k)) - 1;
    _mm512_mask_storeu_epi8(to + k, rest, looked_up(quarters, _mm512_maskz_loadu_epi8(rest, from + k)));
}

// Results of 32 bytes in each of the 16 rows of the table by the lower bits, of which the upper bits select one, bit by
// bit: a blend reads the highest bit of each byte of its mask.
LASTUSE_AVX2 int64_t look_up_32(const ByteLookup &of, const unsigned char *from, unsigned char *to, int64_t count) {
    const __m256i low_bits = _mm256_set1_epi8(15);
    int64_t k = 0;
    for (; k + 32 <= count; k += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + k));
        const __m256i low = _mm256_and_si256(bytes, low_bits);
        __m256i rows[16];
#pragma GCC unroll 16
        for (int row = 0; row < 16; ++row) {
            const auto *const at = reinterpret_cast<const __m128i *>(results_from(of, 16 * row));
            rows[row] = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(at)), low);
        }
#pragma GCC unroll 4
        for (int bit = 0; bit < 4; ++bit) {
            const __m256i mask = _mm256_slli_epi16(bytes, 3 - bit);
#pragma GCC unroll 8
            for (int row = 0; row < 8 >> bit; ++row)
                rows[row] = _mm256_blendv_epi8(rows[2 * row], rows[2 * row + 1], mask);
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + k), rows[0]);
    }
    return k;
}
#endif

} // namespace

void look_up(const ByteLookup &of, const unsigned char *from, unsigned char *to, int64_t count) {
    int64_t made = 0;
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    if (has_vbmi())
        return look_up_64(of, from, to, count);
    if (has_avx2())
        made = look_up_32(of, from, to, count);
#endif
    look_up_each(of, from + made, to + made, count - made);
}

} // namespace lastuse::kernels
