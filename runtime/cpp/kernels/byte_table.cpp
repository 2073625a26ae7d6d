// Functions of bytes, as dialect/dnn/byte_table.py defines them.
#include "byte_lookup.hpp"
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
    auto *const to = y.elements_of<unsigned char>();
    const ByteLookup results(table.elements_of<const unsigned char>(), x.is(Type::i8));
    in_lanes(lanes_for(call, y.elements() / 64), y.elements(),
             [&](int64_t begin, int64_t end, int) { look_up(results, from + begin, to + begin, end - begin); });
}

} // namespace lastuse::kernels
