// Sums of quantised values, quantised anew, as dialect/dnn/integer_sums.py defines them.
#include <algorithm>
#include <limits>

#include "functions.hpp"

namespace lastuse::kernels {

namespace {

// Added to a number below 2^22 and subtracted again, it rounds to the nearest integer, to the even one of two.
constexpr float rounding = 12582912.0f;

struct Scaled {
    float scale;
    int32_t zero;
};

// Bounds are whole numbers, so that rounding does not leave them. NaN is the smaller one.
template <class A, class B, class Y>
LASTUSE_WIDE void add(const A *a, Scaled of_a, const B *b, Scaled of_b, Y *y, Scaled of_y, int64_t count) {
    const float low = static_cast<float>(std::numeric_limits<Y>::min() - of_y.zero);
    const float high = static_cast<float>(std::numeric_limits<Y>::max() - of_y.zero);
#pragma GCC ivdep // y may be a or b
    for (int64_t k = 0; k < count; ++k) {
        const float left = static_cast<float>(static_cast<int32_t>(a[k]) - of_a.zero) * of_a.scale;
        const float right = static_cast<float>(static_cast<int32_t>(b[k]) - of_b.zero) * of_b.scale;
        float steps = (left + right) / of_y.scale;
        steps = steps > low ? steps : low;
        steps = steps < high ? steps : high;
        y[k] = static_cast<Y>(static_cast<int32_t>((steps + rounding) - rounding) + of_y.zero);
    }
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

} // namespace

void qlinear_add(const Call &call) {
    call.expect_counts(8, 1, 0);
    const Array &a = call.ins[0], &b = call.ins[3], &y = call.outs[0];
    if (y.elements() == 0)
        return;
    for (const Array *const array : {&a, &b, &y})
        call.expect(array->form->is_dense(), "the kernel takes dense operands");
    const int64_t width = std::min(a.elements(), b.elements()); // one of both may be a row that all others are added to
    call.expect(std::max(a.elements(), b.elements()) == y.elements() && y.elements() % width == 0,
                "the kernel takes operands of other sizes");
    const Scaled of_a = scaled(call, 1), of_b = scaled(call, 4), of_y = scaled(call, 6);
    with_bytes(call, a, [&](const auto *left) {
        with_bytes(call, b, [&](const auto *right) {
            with_bytes(call, y, [&](auto *to) {
                in_lanes(lanes_for(call, y.elements() / 2), y.elements(), [&](int64_t begin, int64_t end, int) {
                    while (begin < end) {
                        const int64_t count = std::min(end - begin, width - begin % width);
                        add(left + begin % a.elements(), of_a, right + begin % b.elements(), of_b, to + begin, of_y, count);
                        begin += count;
                    }
                });
            });
        });
    });
}

} // namespace lastuse::kernels
