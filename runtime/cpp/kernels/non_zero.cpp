// The places of elements that are not 0, as dialect/dnn/run_time_sizes.py defines them.
#include <algorithm>
#include <cstring>
#include <vector>

#include "functions.hpp"

namespace lastuse::kernels {

namespace {

// Writes the places of the elements of x that have one of the bits of `mask`; returns how many there are.
template <class Bits>
int64_t places_of(const Array &x, Bits mask, int64_t *rows) {
    const size_t rank = x.rank(), last = rank - 1;
    const int64_t step = x.form->strides[last], size = x.size(last);
    const int64_t lines = size == 0 ? 0 : x.elements() / size;
    std::vector<int64_t> at(rank);
    int64_t count = 0;
    for (int64_t line = 0; line < lines; ++line) {
        const char *from = x.data;
        for (size_t axis = 0; axis < last; ++axis)
            from += at[axis] * x.form->strides[axis];
        for (int64_t k = 0; k < size; ++k) {
            Bits bits;
            std::memcpy(&bits, from + k * step, sizeof bits);
            if ((bits & mask) == 0)
                continue;
            at[last] = k;
            std::copy(at.begin(), at.end(), rows + count++ * static_cast<int64_t>(rank));
        }
        at[last] = 0;
        for (size_t axis = last; axis-- > 0;) {
            if (++at[axis] < x.size(axis))
                break;
            at[axis] = 0;
        }
    }
    return count;
}

} // namespace

void non_zero(const Call &call) {
    call.expect_counts(1, 2, 0);
    const Array &x = call.ins[0], &places = call.outs[0], &count = call.outs[1];
    call.expect(x.rank() > 0, "the operand has an axis");
    call.expect(places.is(Type::i64) && places.form->is_dense() && count.is(Type::i64), "results are dense i64");
    auto *const rows = places.elements_of<int64_t>();
    const Type type = x.form->type;
    // The highest bit of a floating-point number is its sign: -0 is 0.
    const bool is_float = type == Type::f64 || type == Type::f32 || type == Type::f16 || type == Type::bf16;
    int64_t found = 0;
    switch (x.form->item()) {
    case 1:
        found = places_of<uint8_t>(x, 0xff, rows);
        break;
    case 2:
        found = places_of<uint16_t>(x, is_float ? 0x7fff : 0xffff, rows);
        break;
    case 4:
        found = places_of<uint32_t>(x, is_float ? 0x7fffffffu : 0xffffffffu, rows);
        break;
    default:
        found = places_of<uint64_t>(x, is_float ? ~uint64_t{0} >> 1 : ~uint64_t{0}, rows);
    }
    std::fill(rows + found * static_cast<int64_t>(x.rank()), rows + places.elements(), 0);
    std::memcpy(count.data, &found, sizeof found);
}

} // namespace lastuse::kernels
