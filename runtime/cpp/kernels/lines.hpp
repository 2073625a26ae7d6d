// Loops over the lines along one axis.
#pragma once

#include <array>

#include "element_types.hpp"

namespace lastuse::kernels {

// One line of an array: its first element, and the stride in bytes to the next.
struct Line {
    char *first;
    int64_t stride;

    template <class Element>
    Element get(int64_t at) const {
        return load<Element>(first + at * stride);
    }
    template <class Element>
    void set(int64_t at, Element element) const {
        store(first + at * stride, element);
    }
};

// Calls visit(lines) for each line along `axis`, of all the arrays at once. An array lies as the first one does, but for
// the size of that axis, or does not have it.
template <size_t Count, class Visit>
void for_lines(const Call &call, const std::array<const Array *, Count> &arrays, size_t axis, Visit visit) {
    const Array &model = *arrays[0];
    call.expect(axis < model.rank(), "the kernel takes an axis of its operand");
    std::array<std::vector<int64_t>, Count> strides;
    std::array<int64_t, Count> along{};
    std::vector<int64_t> sizes;
    for (size_t k = 0; k < Count; ++k) {
        const Array &array = *arrays[k];
        const bool has = array.rank() == model.rank();
        call.expect(has || array.rank() + 1 == model.rank(), "the kernel takes results of the operand's axes");
        for (size_t a = 0; a < model.rank(); ++a) {
            const size_t own = a - (!has && a > axis);
            if (a == axis) {
                along[k] = has ? array.form->strides[own] : 0;
                continue;
            }
            call.expect(array.size(own) == model.size(a), "the kernel takes results of the operand's sizes");
            strides[k].push_back(array.form->strides[own]);
            if (k == 0)
                sizes.push_back(model.size(a));
        }
    }
    int64_t count = 1;
    for (const int64_t size : sizes)
        count *= size;
    in_lanes(lanes_for(call, model.elements()), count, [&](int64_t begin, int64_t end, int) {
        for (int64_t number = begin; number < end; ++number) {
            std::array<Line, Count> lines;
            for (size_t k = 0; k < Count; ++k)
                lines[k] = {arrays[k]->data, along[k]};
            int64_t rest = number;
            for (size_t a = sizes.size(); a-- > 0;) {
                const int64_t at = a ? rest % sizes[a] : rest;
                if (a)
                    rest /= sizes[a];
                for (size_t k = 0; k < Count; ++k)
                    lines[k].first += at * strides[k][a];
            }
            visit(lines);
        }
    });
}

} // namespace lastuse::kernels
