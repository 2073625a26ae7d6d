// Sums of quantised values, quantised anew, as dialect/dnn/integer_sums.py defines them.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

// Added to a number below 2^22 and subtracted again, it rounds to the nearest integer, to the even one of two.
constexpr float rounding = 12582912.0f;
constexpr int64_t repeated = 256; // bytes of a short row, as often as they fit

struct Scaled {
    float scale;
    int32_t zero;
};

// Bounds are whole numbers, so that rounding does not leave them. NaN is the smaller one. Scales in steps of y need no
// quotient, and the zero point of y is added before the sum is rounded.
template <bool in_steps, class A, class B, class Y>
LASTUSE_WIDE void add(const A *a, Scaled of_a, const B *b, Scaled of_b, Y *y, Scaled of_y, int64_t count) {
    const int32_t after = in_steps ? 0 : of_y.zero;
    const float before = static_cast<float>(of_y.zero);
    const float low = static_cast<float>(std::numeric_limits<Y>::min() - after);
    const float high = static_cast<float>(std::numeric_limits<Y>::max() - after);
#pragma GCC ivdep // y may be a or b
    for (int64_t k = 0; k < count; ++k) {
        const float left = static_cast<float>(static_cast<int32_t>(a[k]) - of_a.zero) * of_a.scale;
        const float right = static_cast<float>(static_cast<int32_t>(b[k]) - of_b.zero) * of_b.scale;
        float steps = in_steps ? left + right + before : (left + right) / of_y.scale;
        steps = steps > low ? steps : low;
        steps = steps < high ? steps : high;
        y[k] = static_cast<Y>(static_cast<int32_t>((steps + rounding) - rounding) + after);
    }
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define LASTUSE_AVX2 __attribute__((target("avx2")))

// Eight bytes less their zero point, times their scale.
template <class Byte>
LASTUSE_AVX2 inline __m256 widened(const Byte *from, __m256i zero, __m256 scale) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(from));
    const __m256i wide = std::is_same_v<Byte, uint8_t> ? _mm256_cvtepu8_epi32(bytes) : _mm256_cvtepi8_epi32(bytes);
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(wide, zero)), scale);
}

// `add` of the first elements, sixteen at a time, to the same bits; returns how many.
template <bool in_steps, class A, class B, class Y>
LASTUSE_AVX2 int64_t add_sixteens(const A *a, Scaled of_a, const B *b, Scaled of_b, Y *y, Scaled of_y, int64_t count) {
    const int32_t after = in_steps ? 0 : of_y.zero;
    const __m256 low = _mm256_set1_ps(static_cast<float>(std::numeric_limits<Y>::min() - after));
    const __m256 high = _mm256_set1_ps(static_cast<float>(std::numeric_limits<Y>::max() - after));
    const __m256 a_scale = _mm256_set1_ps(of_a.scale), b_scale = _mm256_set1_ps(of_b.scale);
    const __m256 y_scale = _mm256_set1_ps(of_y.scale), before = _mm256_set1_ps(static_cast<float>(of_y.zero));
    const __m256i a_zero = _mm256_set1_epi32(of_a.zero), b_zero = _mm256_set1_epi32(of_b.zero);
    const __m256i shift = _mm256_set1_epi32(after);
    int64_t k = 0;
    for (; k + 16 <= count; k += 16) {
        __m256i steps[2];
        for (int64_t half = 0; half < 2; ++half) {
            const __m256 left = widened(a + k + 8 * half, a_zero, a_scale);
            const __m256 sum = _mm256_add_ps(left, widened(b + k + 8 * half, b_zero, b_scale));
            const __m256 made = in_steps ? _mm256_add_ps(sum, before) : _mm256_div_ps(sum, y_scale);
            const __m256 bounded = _mm256_min_ps(_mm256_max_ps(made, low), high); // of NaN the second one
            steps[half] = _mm256_add_epi32(_mm256_cvtps_epi32(bounded), shift);
        }
        const __m256i pairs = _mm256_permute4x64_epi64(_mm256_packs_epi32(steps[0], steps[1]), 0xD8);
        const __m128i first = _mm256_castsi256_si128(pairs), second = _mm256_extracti128_si256(pairs, 1);
        const __m128i bytes = std::is_same_v<Y, uint8_t> ? _mm_packus_epi16(first, second) : _mm_packs_epi16(first, second);
        _mm_storeu_si128(reinterpret_cast<__m128i *>(y + k), bytes);
    }
    return k;
}
#endif

template <bool in_steps, class A, class B, class Y>
void add_all(const A *a, Scaled of_a, const B *b, Scaled of_b, Y *y, Scaled of_y, int64_t count) {
    int64_t done = 0;
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    if (has_avx2())
        done = add_sixteens<in_steps>(a, of_a, b, of_b, y, of_y, count);
#endif
    add<in_steps>(a + done, of_a, b + done, of_b, y + done, of_y, count - done);
}

// Calls with the elements of an array of bytes.
template <class Function>
void with_bytes(const Call &call, const Array &array, Function function) {
    call.expect(array.is(Type::u8) || array.is(Type::i8), "the kernel takes ui8 and i8");
    if (array.is(Type::u8))
        function(array.elements_of<uint8_t>());
    else
        function(array.elements_of<int8_t>());
}

Scaled scaled(const Call &call, size_t number) {
    const Array &scale = call.ins[number], &zero = call.ins[number + 1];
    call.expect(scale.is(Type::f32) && scale.elements() == 1 && zero.elements() == 1, "the kernel takes one scale");
    Scaled made{*scale.elements_of<float>(), 0};
    with_bytes(call, zero, [&](const auto *element) { made.zero = *element; });
    return made;
}

// How one operand is repeated to the sizes of the other: along `middle` axes, each time a row of `inner` elements.
struct Repeats {
    int64_t outer = 1, middle = 1, inner = 1;
};

Repeats repeats_of(const Call &call, const std::vector<int64_t> &whole, const std::vector<int64_t> &part) {
    Repeats found;
    call.expect(part.size() <= whole.size(), "the kernel takes operands of other sizes");
    const size_t missing = whole.size() - part.size();
    const auto size_at = [&](size_t axis) { return axis < missing ? 1 : part[axis - missing]; };
    size_t axis = whole.size();
    while (axis > 0 && size_at(axis - 1) == whole[axis - 1])
        found.inner *= whole[--axis];
    while (axis > 0 && size_at(axis - 1) == 1)
        found.middle *= whole[--axis];
    while (axis > 0) {
        --axis;
        call.expect(size_at(axis) == whole[axis], "the kernel takes operands of other sizes");
        found.outer *= whole[axis];
    }
    return found;
}

} // namespace

void qlinear_add(const Call &call) {
    call.expect_counts(8, 1, 1);
    const Array &y = call.outs[0];
    if (y.elements() == 0)
        return;
    for (const Array *const array : {&call.ins[0], &call.ins[3], &y})
        call.expect(array->form->is_dense(), "the kernel takes dense operands");
    const auto is_whole = [&](const Array &array) { return array.elements() == y.elements() && array.rank() == y.rank(); };
    const size_t whole = is_whole(call.ins[0]) ? 0 : 3, part = 3 - whole;
    const Array &a = call.ins[whole], &b = call.ins[part];
    call.expect(is_whole(a), "the kernel takes operands of other sizes");
    const Repeats of = repeats_of(call, a.form->shape, b.form->shape);
    Scaled of_a = scaled(call, whole + 1), of_b = scaled(call, part + 1);
    const Scaled of_y = scaled(call, 6);
    const bool in_steps = call.integer(0) != 0;
    if (in_steps)
        of_a.scale /= of_y.scale, of_b.scale /= of_y.scale;
    with_bytes(call, a, [&](const auto *left) {
        with_bytes(call, b, [&](const auto *right) {
            with_bytes(call, y, [&](auto *to) {
                in_lanes(lanes_for(call, y.elements() / 2), y.elements(), [&](int64_t begin, int64_t end, int) {
                    const int64_t block = of.middle * of.inner;
                    std::decay_t<decltype(*right)> row[repeated];
                    while (begin < end) {
                        const auto *from = right + begin / block * of.inner;
                        const int64_t last = std::min(end, (begin / block + 1) * block);
                        int64_t width = of.inner;
                        if (of.middle > 1 && width <= repeated / 2) {
                            for (int64_t k = 0; k < repeated / of.inner; ++k)
                                std::memcpy(row + k * of.inner, from, static_cast<size_t>(of.inner));
                            from = row, width = repeated / of.inner * of.inner;
                        }
                        while (begin < last) {
                            const int64_t at = begin % block % width, count = std::min(last - begin, width - at);
                            if (in_steps)
                                add_all<true>(left + begin, of_a, from + at, of_b, to + begin, of_y, count);
                            else
                                add_all<false>(left + begin, of_a, from + at, of_b, to + begin, of_y, count);
                            begin += count;
                        }
                    }
                });
            });
        });
    });
}

} // namespace lastuse::kernels
