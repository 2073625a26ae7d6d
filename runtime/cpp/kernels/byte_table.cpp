// Functions of bytes, as dialect/dnn/byte_table.py defines them.
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

bool is_bytes(const Array &array) { return (array.is(Type::u8) || array.is(Type::i8)) && array.form->is_dense(); }

} // namespace

void byte_table(const Call &call) {
    call.expect_counts(2, 1, 0);
    const Array &x = call.ins[0], &table = call.ins[1], &y = call.outs[0];
    call.expect(is_bytes(x) && is_bytes(table) && is_bytes(y) && table.elements() == 256 && x.elements() == y.elements(),
                "the kernel takes dense ui8 and i8, and 256 results");
    const auto *const from = x.elements_of<const unsigned char>();
    const auto *const results = table.elements_of<const unsigned char>();
    auto *const to = y.elements_of<unsigned char>();
    const unsigned char first = x.is(Type::i8) ? 128 : 0; // the table begins with the smallest number
    unsigned char of[256];
    for (int k = 0; k < 256; ++k)
        of[k] = results[static_cast<unsigned char>(k + first)];
    in_lanes(lanes_for(call, y.elements() / 8), y.elements(), [&](int64_t begin, int64_t end, int) {
#pragma GCC unroll 8
        for (int64_t k = begin; k < end; ++k) // y may be x
            to[k] = of[from[k]];
    });
}

} // namespace lastuse::kernels
