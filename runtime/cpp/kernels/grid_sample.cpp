// Elements at positions that an operand says, as dialect/dnn/spatial/grid_sample.py and deform_columns.py define them.
#include <algorithm>

#include "functions.hpp"
#include "samples.hpp"
#include "subshapes.hpp"

namespace lastuse::kernels {

namespace {

// A number from 0 to `last` as one of an enumeration.
template <class Enumeration>
Enumeration enumerated(const Call &call, size_t number, int64_t last) {
    const int64_t value = call.integer(number);
    call.expect(value >= 0 && value <= last, "a number is outside");
    return static_cast<Enumeration>(value);
}

void expect_elements(const Call &call, int64_t elements) {
    call.expect(elements <= INT32_MAX, "a channel has more than 2^31 elements");
}

// A position from -1 to 1 as one in elements.
float in_elements(float x, int64_t size, bool aligns_corners) {
    const auto count = static_cast<float>(aligns_corners ? size - 1 : size);
    return aligns_corners ? (x + 1.0f) / 2.0f * count : ((x + 1.0f) * count - 1.0f) / 2.0f;
}

LASTUSE_WIDE void multiply(const float *factors, int64_t count, float *x) {
    for (int64_t k = 0; k < count; ++k)
        x[k] *= factors[k];
}

} // namespace

void grid_sample(const Call &call) {
    call.expect_counts(2, 1, 3);
    const Array &x = call.ins[0], &grid = call.ins[1], &y = call.outs[0];
    call.expect_floats({&x, &grid, &y});
    const SamplingRule rule{enumerated<SamplingMode>(call, 0, 2), enumerated<SamplingPadding>(call, 1, 2),
                            call.numbers[2] != 0};
    const std::vector<int64_t> &sizes = x.form->shape, &shape = y.form->shape;
    call.expect(x.rank() >= 3 && x.rank() <= 2 + most_sampled_axes && y.rank() == x.rank() && grid.rank() == x.rank(),
                "operands have other axes");
    const size_t rank = x.rank(), axes = rank - 2;
    call.expect(grid.form->shape.back() == static_cast<int64_t>(axes) && grid.size(0) == sizes[0] &&
                    shape[0] == sizes[0] && shape[1] == sizes[1] &&
                    std::equal(shape.begin() + 2, shape.end(), grid.form->shape.begin() + 1),
                "operands have other sizes");
    const int64_t channels = sizes[1], elements = product(sizes, 2, rank), places = product(shape, 2, rank);
    expect_elements(call, elements);
    const int64_t blocks = (places + sampled_together - 1) / sampled_together;
    const auto *const from = x.elements_of<const float>(), *const wanted = grid.elements_of<const float>();
    auto *const to = y.elements_of<float>();
    if (elements == 0) {
        std::fill_n(to, y.elements(), 0.0f);
        return;
    }
    in_lanes(lanes_for(call, y.elements() * 4), shape[0] * blocks, [&](int64_t begin, int64_t end, int) {
        Taps taps;
        for (int64_t number = begin; number < end; ++number) {
            const int64_t batch = number / blocks, first = number % blocks * sampled_together;
            const int64_t count = std::min(sampled_together, places - first);
            taps.clear(count);
            for (size_t axis = 0; axis < axes; ++axis) {
                float along[sampled_together];
                for (int64_t p = 0; p < count; ++p) { // the last axis is first in the grid
                    const int64_t place = (batch * places + first + p) * static_cast<int64_t>(axes);
                    along[p] = in_elements(wanted[place + static_cast<int64_t>(axes - 1 - axis)], sizes[2 + axis],
                                           rule.aligns_corners);
                }
                taps.add_axis(rule, sizes[2 + axis], along);
            }
            const int64_t channel = batch * channels;
            sample(taps, {channels, from + channel * elements, elements, to + channel * places + first, places});
        }
    });
}

void deform_columns(const Call &call) {
    const bool has_mask = call.ins.size() == 3;
    call.expect_counts(has_mask ? 3 : 2, 1, 9);
    const Array &x = call.ins[0], &offset = call.ins[1], &y = call.outs[0];
    call.expect_floats({&x, &offset, &y});
    if (has_mask)
        call.expect_floats({&call.ins[2]});
    call.expect(x.rank() == 4 && offset.rank() == 4 && y.rank() == 3, "operands have other axes");
    const int64_t height = call.integer(0), width = call.integer(1), groups = call.integer(8), window = height * width;
    const int64_t strides[] = {call.integer(2), call.integer(3)}, dilations[] = {call.integer(4), call.integer(5)};
    const int64_t pads[] = {call.integer(6), call.integer(7)};
    const int64_t batch = x.size(0), channels = x.size(1), rows = offset.size(2), columns = offset.size(3);
    const int64_t elements = x.size(2) * x.size(3), places = rows * columns;
    call.expect(height > 0 && width > 0 && groups > 0 && channels % groups == 0, "a number is outside");
    call.expect(offset.size(0) == batch && offset.size(1) == 2 * groups * window && y.size(0) == batch &&
                    y.size(1) == channels * window && y.size(2) == places,
                "operands have other sizes");
    if (has_mask)
        call.expect(call.ins[2].form->shape == std::vector<int64_t>{batch, groups * window, rows, columns},
                    "the mask has other sizes");
    expect_elements(call, elements);
    const auto *const from = x.elements_of<const float>(), *const moved = offset.elements_of<const float>();
    const auto *const mask = has_mask ? call.ins[2].elements_of<const float>() : nullptr;
    auto *const to = y.elements_of<float>();
    if (elements == 0) {
        std::fill_n(to, y.elements(), 0.0f);
        return;
    }
    const SamplingRule rule{SamplingMode::linear, SamplingPadding::zeros, true};
    const int64_t blocks = (places + sampled_together - 1) / sampled_together, each = channels / groups;
    // One piece of work is a block of places at one element of the window, for the channels of a group.
    in_lanes(lanes_for(call, y.elements() * 4), batch * groups * window * blocks, [&](int64_t begin, int64_t end, int) {
        Taps taps;
        for (int64_t number = begin; number < end; ++number) {
            const int64_t first = number % blocks * sampled_together, count = std::min(sampled_together, places - first);
            const int64_t tap = number / blocks, at = tap % window; // `tap` counts batches, groups and windows
            float along[2][sampled_together];
            for (int64_t p = 0; p < count; ++p) {
                const int64_t row = (first + p) / columns, column = (first + p) % columns;
                const float *const own = moved + 2 * tap * places + first + p;
                const int64_t down = row * strides[0] - pads[0] + at / width * dilations[0];
                const int64_t right = column * strides[1] - pads[1] + at % width * dilations[1];
                along[0][p] = static_cast<float>(down) + own[0];
                along[1][p] = static_cast<float>(right) + own[places];
            }
            taps.clear(count);
            taps.add_axis(rule, x.size(2), along[0]);
            taps.add_axis(rule, x.size(3), along[1]);
            const int64_t group = tap / window; // of batch and group
            float *const sums = to + (group * each * window + at) * places + first;
            sample(taps, {each, from + group * each * elements, elements, sums, window * places});
            for (int64_t channel = 0; mask && channel < each; ++channel)
                multiply(mask + tap * places + first, count, sums + channel * window * places);
        }
    });
}

} // namespace lastuse::kernels
