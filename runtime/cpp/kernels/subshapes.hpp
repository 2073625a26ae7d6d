// Some of the axes of an array.
#pragma once

#include <cstdint>
#include <vector>

namespace lastuse::kernels {

// Sizes, or strides, of the axes before `axis`.
inline std::vector<int64_t> to_axis(const std::vector<int64_t> &all, size_t axis) {
    return {all.begin(), all.begin() + static_cast<ptrdiff_t>(axis)};
}

// Of `axis` and those behind it.
inline std::vector<int64_t> from_axis(const std::vector<int64_t> &all, size_t axis) {
    return {all.begin() + static_cast<ptrdiff_t>(axis), all.end()};
}

// Without those from axis `begin` to axis `end`.
inline std::vector<int64_t> without(const std::vector<int64_t> &all, size_t begin, size_t end) {
    std::vector<int64_t> rest = to_axis(all, begin);
    rest.insert(rest.end(), all.begin() + static_cast<ptrdiff_t>(end), all.end());
    return rest;
}

// The elements of an array of these sizes, along the axes from `first` on and before `end`.
inline int64_t product(const std::vector<int64_t> &sizes, size_t first, size_t end) {
    int64_t all = 1;
    for (size_t axis = first; axis < end; ++axis)
        all *= sizes[axis];
    return all;
}

} // namespace lastuse::kernels
