#include "integer_windows.hpp"

#include <algorithm>
#include <utility>

namespace lastuse::kernels {

std::vector<int64_t> weights_shape(const Call &call, size_t first) {
    if (call.numbers.size() <= first)
        return call.ins.at(call.index(static_cast<size_t>(Role::weights))).form->shape;
    std::vector<int64_t> shape;
    for (size_t number = first; number < call.numbers.size(); ++number)
        shape.push_back(call.integer(number));
    return shape;
}

Windows windows_of(const Call &call) {
    const std::vector<int64_t> &x = call.ins[0].form->shape;
    const size_t rank = x.size() - 2, behind = parameters + 3 + 3 * rank;
    call.expect(x.size() >= 3 && rank <= most_axes, "the kernel takes one to three spatial axes");
    const std::vector<int64_t> w = weights_shape(call, behind);
    call.expect(w.size() == x.size() && call.numbers.size() >= behind, "the kernel takes other weights");
    Windows made;
    made.is_packed = call.numbers.size() > behind;
    made.groups = std::max<int64_t>(call.integer(parameters), 1);
    made.is_last = call.numbers[parameters + 1] != 0;
    made.shifts = std::max<int64_t>(call.integer(parameters + 2), 1);
    made.batch = x[0];
    made.channels = w[made.is_last ? rank + 1 : 1];
    made.outputs = w[0] / made.groups;
    const size_t first = made.is_last ? 1 : 2;
    call.expect(made.channels * made.groups == x[made.is_last ? rank + 1 : 1], "the kernel takes other channels");
    for (size_t axis = 0; axis < rank; ++axis) {
        const size_t to = most_axes - rank + axis;
        const auto number = [&](size_t which) { return call.integer(parameters + 3 + which * rank + axis); };
        made.in[to] = x[first + axis];
        made.kernel[to] = w[first + axis];
        made.strides[to] = number(0), made.dilations[to] = number(1), made.begins[to] = number(2);
        if (!call.outs.empty())
            made.out[to] = call.outs[0].form->shape.at(first + axis);
    }
    return made;
}

Windows Windows::with_long_lines() const {
    Windows made = *this;
    for (size_t axis = most_axes; axis-- > 1 && shifts == 1;)
        for (size_t before = axis; made.is_unit(axis) && before-- > 0;)
            if (!made.is_unit(before))
                for (auto *const sizes : {&made.in, &made.out, &made.kernel, &made.strides, &made.dilations, &made.begins})
                    std::swap((*sizes)[axis], (*sizes)[before]);
    return made;
}

} // namespace lastuse::kernels
