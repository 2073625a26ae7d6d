// Windows of convolutions of bytes, as dialect/dnn/integer_convolution.py states them.
#pragma once

#include <array>

#include "integer_rows.hpp"

namespace lastuse::kernels {

constexpr size_t most_axes = 3;

struct Windows {
    int64_t batch = 1, groups = 1, channels = 0, outputs = 0; // channels and outputs of a group
    int64_t shifts = 1;                                       // places of a row along the last axis (`LineForm`)
    bool is_last = false, is_packed = false;
    std::array<int64_t, most_axes> in{1, 1, 1}, out{1, 1, 1}, kernel{1, 1, 1}, strides{1, 1, 1}, dilations{1, 1, 1}, begins{};

    int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
    int64_t elements() const { return in[0] * in[1] * in[2]; }
    int64_t places() const { return out[0] * out[1] * out[2]; }
    IntegerSizes sizes() const { return {channels * taps(), outputs, groups, !is_last, is_packed}; }
    // Whether each of several channels is a group, with one output.
    bool is_depthwise() const { return !is_packed && channels == 1 && outputs == 1 && groups > 1; }
    // Whether a row is an element of x with all its channels.
    bool is_pointwise() const { return reads_elements() && in == out; }
    // The same where the places are not known: elements of padding may follow those of x.
    bool reads_elements() const {
        constexpr std::array<int64_t, most_axes> ones{1, 1, 1}, none{};
        return taps() == 1 && groups == 1 && strides == ones && begins == none;
    }
    // The same with axes of one element and one place in front of the others, so that lines of places are longer.
    Windows with_long_lines() const;

private:
    bool is_unit(size_t axis) const { return in[axis] == 1 && out[axis] == 1 && kernel[axis] == 1 && begins[axis] == 0; }
};

// Of the sizes of x and weights, and of the result where there is one.
Windows windows_of(const Call &call);

// The sizes of the weights: those of their operand, or, where they are packed, the numbers from `first` on.
std::vector<int64_t> weights_shape(const Call &call, size_t first);

} // namespace lastuse::kernels
