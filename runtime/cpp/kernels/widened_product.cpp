#include "widened_product.hpp"

#include <algorithm>

#include "cell.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

const WidenedKernel &widened_kernel() {
#if defined(__x86_64__)
    if (has_avx512())
        return avx512::widened_product;
    if (has_avx2())
        return avx2::widened_product;
#endif
    return generic::widened_product;
}

int64_t strips_of(int64_t columns) { return (columns + strip_columns - 1) / strip_columns; }

// Strips that are widened to memory.
int64_t widened_strips(int64_t rows, int64_t columns) {
    return rows > widened_kernel().most_direct ? strips_of(columns) : columns % strip_columns != 0;
}

int64_t rows_of(const Form &form) {
    int64_t rows = 1;
    for (size_t axis = 0; axis + 1 < form.shape.size(); ++axis)
        rows *= form.shape[axis];
    return rows;
}

// Zero points as f32, or 0 where there are none.
const float *widened_zeros(const Call &call, std::vector<float> &memory) {
    if (call.ins.size() < 4)
        return memory.assign(1, 0.0f), memory.data();
    const Array &zeros = call.ins[3];
    for (int64_t k = 0; k < zeros.elements(); ++k)
        memory.push_back(zeros.is(Type::i8) ? static_cast<float>(zeros.elements_of<int8_t>()[k])
                                            : static_cast<float>(zeros.elements_of<uint8_t>()[k]));
    return memory.data();
}

} // namespace

void dequantized_matmul(const Call &call) {
    const bool has_zeros = call.ins.size() == 4, is_packed = !call.numbers.empty();
    call.expect_counts(has_zeros ? 4 : 3, 1, is_packed ? 1 : 0);
    const Array &a = call.ins[0], &b = call.ins[1], &scale = call.ins[2], &y = call.outs[0];
    call.expect_floats({&a, &scale, &y});
    call.expect((b.is(Type::i8) || b.is(Type::u8)) && b.form->is_dense() && b.rank() == (is_packed ? 1 : 2),
                "b is a dense matrix of i8 or ui8, or packed");
    call.expect(!has_zeros || (call.ins[3].form->type == b.form->type && call.ins[3].form->is_dense()),
                "zero points are dense, of b's type");
    const int64_t depth = a.form->shape.back(), columns = y.form->shape.back();
    call.expect(b.elements() == depth * columns && (!is_packed || columns % strip_columns == 0), "b has other sizes");
    const int64_t rows = rows_of(*a.form);
    call.expect(a.elements() == rows * depth && y.elements() == rows * columns, "the operands have other sizes");
    if (y.elements() == 0)
        return;
    std::vector<float> memory;
    const WidenedProduct of{rows,
                            depth,
                            columns,
                            a.elements_of<const float>(),
                            b.data,
                            b.is(Type::i8),
                            is_packed,
                            widened_zeros(call, memory),
                            scale.elements_of<const float>(),
                            memory.size() > 1,
                            scale.elements() > 1,
                            y.elements_of<float>()};
    if (depth == 0) {
        std::fill_n(of.out, rows * columns, 0.0f);
        return;
    }
    const int64_t strips = strips_of(columns), multiplications = rows * depth * columns;
    const int64_t room = call.scratch_bytes / strip_bytes, widened = widened_strips(rows, columns);
    call.expect(room > 0 || widened == 0, "there is no scratch");
    // One strip that is widened is the last one, in the last lane.
    const int64_t most = widened > 1 ? std::min(room, strips) : strips;
    const int lanes = static_cast<int>(std::min<int64_t>(lanes_for(call, multiplications / 8), most));
    in_lanes(lanes, strips, [&](int64_t first, int64_t end, int lane) {
        char *const strip = call.scratch + (widened > 1 ? lane * strip_bytes : 0);
        widened_kernel().compute(of, first, end, reinterpret_cast<float *>(strip));
    });
}

int64_t dequantized_matmul_scratch(const Call &call) {
    // Without results: packed weights have one axis.
    const Form &a = *call.ins.at(0).form, &b = *call.ins.at(1).form;
    const bool is_packed = !call.numbers.empty();
    const int64_t columns = is_packed ? b.elements() / std::max<int64_t>(a.shape.back(), 1) : b.shape.back();
    const int64_t widened = widened_strips(rows_of(a), columns);
    return strip_bytes * std::min<int64_t>(widened, std::clamp(call.threads, 1, most_lanes));
}

} // namespace lastuse::kernels
