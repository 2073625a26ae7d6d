#include "row_post_ops.hpp"

#include "call.hpp"

namespace lastuse::kernels {

RowPostOps row_post_ops(const Call &call, size_t first, RowFunction last) {
    RowPostOps post_ops{};
    const size_t numbers = call.numbers.size() - first;
    call.expect(call.numbers.size() >= first && numbers % 3 == 0 && numbers / 3 <= most_row_post_ops,
                "the kernel takes other post-ops");
    post_ops.count = numbers / 3;
    for (size_t k = 0; k < post_ops.count; ++k) {
        const int64_t function = call.integer(first + 3 * k);
        call.expect(function >= 0 && function <= static_cast<int64_t>(last), "the kernel takes other post-ops");
        post_ops.all[k] = {static_cast<RowFunction>(function), static_cast<float>(call.numbers[first + 3 * k + 1]),
                           static_cast<float>(call.numbers[first + 3 * k + 2])};
    }
    return post_ops;
}

const float *added_by(const Call &call, const RowPostOps &post_ops) {
    for (size_t k = 1; k < post_ops.count; ++k)
        call.expect(post_ops.all[k].function != RowFunction::sum, "a sum is the first post-op");
    if (post_ops.count == 0 || post_ops.all[0].function != RowFunction::sum)
        return nullptr;
    const Array &added = call.ins.back();
    call.expect(call.ins.size() > 2 && added.form->shape == call.outs[0].form->shape, "a sum adds an operand like y");
    call.expect_floats({&added});
    return added.elements_of<const float>();
}

RowEpilogue row_epilogue(const Call &call, size_t first, int64_t columns) {
    RowEpilogue epilogue{};
    const size_t has_bias = call.integer(0) != 0;
    epilogue.post_ops = row_post_ops(call, first, last_row_function);
    epilogue.added = added_by(call, epilogue.post_ops);
    call.expect(call.ins.size() == 2 + has_bias + (epilogue.added != nullptr), "the kernel takes other operands");
    if (has_bias) {
        call.expect_floats({&call.ins[2]});
        call.expect(call.ins[2].elements() == columns, "the bias has an element for each column");
        epilogue.bias = call.ins[2].elements_of<const float>();
    }
    return epilogue;
}

} // namespace lastuse::kernels
