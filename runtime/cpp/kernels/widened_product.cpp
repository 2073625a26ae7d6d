#include "widened_product.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const WidenedKernel &widened_kernel() { return LASTUSE_BEST_TO_AVX512(widened_product); }

const BlockKernel &block_kernel() { return LASTUSE_BEST_TO_AVX512(block_product); }

int64_t strips_of(int64_t columns) { return (columns + strip_columns - 1) / strip_columns; }

// Strips that are widened to memory.
int64_t widened_strips(int64_t rows, int64_t columns, int64_t most_direct) {
    return rows > most_direct ? strips_of(columns) : columns % strip_columns != 0;
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

// Calls compute(first, end, memory) for shares of the strips of a product, each with memory of its own for one.
void in_strips(const Call &call, int64_t rows, int64_t depth, int64_t columns, int64_t most_direct,
               const std::function<void(int64_t, int64_t, float *)> &compute) {
    const int64_t strips = strips_of(columns), multiplications = rows * depth * columns;
    const int64_t own = strip_bytes(rows), room = call.scratch_bytes / own;
    const int64_t widened = widened_strips(rows, columns, most_direct);
    call.expect(room > 0 || widened == 0, "there is no scratch");
    // One strip that is widened is the last one, in the last lane.
    const int64_t most = widened > 1 ? std::min(room, strips) : strips;
    const int lanes = static_cast<int>(std::min<int64_t>(lanes_for(call, multiplications / 8), most));
    in_lanes(lanes, strips, [&](int64_t first, int64_t end, int lane) {
        char *const strip = call.scratch + (widened > 1 ? lane * own : 0);
        compute(first, end, reinterpret_cast<float *>(strip));
    });
}

int64_t scratch_of(const Call &call, int64_t rows, int64_t columns, int64_t most_direct) {
    const int64_t widened = widened_strips(rows, columns, most_direct);
    return strip_bytes(rows) * std::min<int64_t>(widened, std::clamp(call.threads, 1, most_lanes));
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
    in_strips(call, rows, depth, columns, widened_kernel().most_direct, [&](int64_t first, int64_t end, float *strip) {
        widened_kernel().compute(of, first, end, strip);
    });
}

int64_t dequantized_matmul_scratch(const Call &call) {
    // Without results: packed weights have one axis.
    const Form &a = *call.ins.at(0).form, &b = *call.ins.at(1).form;
    const bool is_packed = !call.numbers.empty();
    const int64_t columns = is_packed ? b.elements() / std::max<int64_t>(a.shape.back(), 1) : b.shape.back();
    return scratch_of(call, rows_of(a), columns, widened_kernel().most_direct);
}

void blockwise_matmul(const Call &call) {
    const bool has_zeros = call.ins.size() == 4;
    call.expect_counts(has_zeros ? 4 : 3, 1, 3);
    const Array &a = call.ins[0], &b = call.ins[1], &scale = call.ins[2], &y = call.outs[0];
    const int64_t bits = call.integer(0), block = call.integer(1), columns = call.integer(2);
    call.expect_floats({&a, &scale, &y});
    call.expect((bits == 4 || bits == 8) && block > 0, "weights have 4 or 8 bits, in blocks");
    call.expect(b.is(Type::u8) && b.form->is_dense() && b.rank() == 3 && b.size(2) == strip_columns * bits / 8 &&
                    b.size(0) == strips_of(columns),
                "b has strips of ui8");
    const int64_t depth = b.size(1), rows = rows_of(*a.form);
    const int64_t numbers = b.size(0) * ((depth + block - 1) / block) * strip_columns;
    call.expect(scale.elements() == numbers, "each block has a scale");
    call.expect(a.elements() == rows * depth && y.elements() == rows * columns, "the operands have other sizes");
    BlockProduct of{rows, depth, columns, block, static_cast<int>(bits), a.elements_of<const float>(),
                    b.elements_of<const unsigned char>(), scale.elements_of<const float>(), nullptr, nullptr,
                    y.elements_of<float>()};
    if (has_zeros) {
        const Array &zeros = call.ins[3];
        call.expect((zeros.is(Type::u8) || zeros.is(Type::f32)) && zeros.form->is_dense() && zeros.elements() == numbers,
                    "each block has a zero point of ui8 or f32");
        if (zeros.is(Type::u8))
            of.zeros = zeros.elements_of<const unsigned char>();
        else
            of.wide_zeros = zeros.elements_of<const float>();
    }
    if (y.elements() == 0)
        return;
    if (depth == 0) {
        std::fill_n(of.out, rows * columns, 0.0f);
        return;
    }
    in_strips(call, rows, depth, columns, block_kernel().most_direct, [&](int64_t first, int64_t end, float *memory) {
        block_kernel().compute(of, first, end, memory);
    });
}

int64_t blockwise_matmul_scratch(const Call &call) {
    return scratch_of(call, rows_of(*call.ins.at(0).form), call.integer(2), block_kernel().most_direct);
}

} // namespace lastuse::kernels
