// Weighted sums of neighbours along axes, as dialect/dnn/spatial/resize.py defines them.
#include <algorithm>
#include <memory>

#include "functions.hpp"
#include "subshapes.hpp"

namespace lastuse::kernels {

namespace {

// Of each element along an axis of the result: its neighbours, their weights, and whether it is outside of the operand.
struct WeightedAxis {
    size_t axis;
    int64_t target, taps;
    std::vector<int64_t> indices;
    std::vector<float> weights;
    std::vector<char> outside;
};

struct Interpolation {
    float extrapolated;
    std::vector<WeightedAxis> axes;
};

Interpolation interpolation_of(const Call &call) {
    call.expect(call.ins.size() == 1 && call.numbers.size() >= 2, "the kernel takes other operands");
    const std::vector<int64_t> &shape = call.ins[0].form->shape;
    Interpolation made{static_cast<float>(call.numbers[0]), {}};
    size_t at = 2;
    for (int64_t count = call.integer(1); count > 0; --count) {
        call.expect(call.numbers.size() >= at + 3, "numbers are missing");
        WeightedAxis next{call.index(at), call.integer(at + 1), call.integer(at + 2), {}, {}, {}};
        at += 3;
        const auto neighbours = static_cast<size_t>(next.target * next.taps);
        call.expect(next.axis < shape.size() && next.target >= 0 && next.taps >= 0 &&
                        call.numbers.size() >= at + 2 * neighbours + static_cast<size_t>(next.target),
                    "numbers are missing");
        for (size_t k = 0; k < neighbours; ++k) {
            next.indices.push_back(call.integer(at + k));
            call.expect(next.indices.back() >= 0 && next.indices.back() < shape[next.axis], "an index is outside");
            next.weights.push_back(static_cast<float>(call.numbers[at + neighbours + k]));
        }
        at += 2 * neighbours;
        for (int64_t k = 0; k < next.target; ++k)
            next.outside.push_back(call.numbers[at + static_cast<size_t>(k)] != 0);
        at += static_cast<size_t>(next.target);
        made.axes.push_back(std::move(next));
    }
    return made;
}

// Elements of the largest value between two axes.
int64_t largest_between(const Interpolation &of, std::vector<int64_t> shape) {
    int64_t most = 0;
    for (size_t k = 0; k + 1 < of.axes.size(); ++k) {
        shape[of.axes[k].axis] = of.axes[k].target;
        most = std::max(most, product(shape, 0, shape.size()));
    }
    return most;
}

LASTUSE_WIDE void add_weighted(const float *x, float weight, float *y, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        y[k] += x[k] * weight;
}

void interpolate_axis(const Call &call, const WeightedAxis &of, const float *x, const std::vector<int64_t> &shape, float *y) {
    const int64_t outer = product(shape, 0, of.axis), inner = product(shape, of.axis + 1, shape.size());
    const int64_t source = shape[of.axis];
    in_lanes(lanes_for(call, outer * of.target * inner * of.taps), outer * of.target, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const int64_t o = row % of.target;
            const float *const from = x + row / of.target * source * inner;
            const auto *const indices = of.indices.data() + o * of.taps;
            const auto *const weights = of.weights.data() + o * of.taps;
            float *const to = y + row * inner;
            std::fill_n(to, inner, 0.0f);
            for (int64_t t = 0; t < of.taps; ++t)
                if (inner == 1)
                    *to += from[indices[t]] * weights[t];
                else
                    add_weighted(from + indices[t] * inner, weights[t], to, inner);
        }
    });
}

void fill_outside(const WeightedAxis &of, float value, const std::vector<int64_t> &shape, float *y) {
    const int64_t outer = product(shape, 0, of.axis), inner = product(shape, of.axis + 1, shape.size());
    for (int64_t row = 0; row < outer * of.target; ++row)
        if (of.outside[static_cast<size_t>(row % of.target)])
            std::fill_n(y + row * inner, inner, value);
}

} // namespace

int64_t interpolate_scratch(const Call &call) {
    const Interpolation of = interpolation_of(call);
    const int64_t bytes = aligned(largest_between(of, call.ins[0].form->shape) * 4);
    return of.axes.size() > 2 ? 2 * bytes : bytes;
}

Prepared interpolate(const Call &call) {
    const Array &x = call.ins.at(0), &y = call.outs.at(0);
    call.expect_floats({&x, &y});
    auto of = std::make_shared<const Interpolation>(interpolation_of(call));
    std::vector<int64_t> shape = x.form->shape;
    for (const WeightedAxis &axis : of->axes)
        shape[axis.axis] = axis.target;
    call.expect(shape == y.form->shape, "the result has other sizes");
    return [of](const Call &run) {
        const Array &from = run.ins[0], &to = run.outs[0];
        if (to.elements() == 0)
            return;
        std::vector<int64_t> sizes = from.form->shape;
        const int64_t bytes = aligned(largest_between(*of, sizes) * 4);
        run.expect(run.scratch_bytes >= (of->axes.size() > 2 ? 2 * bytes : bytes), "the kernel takes more scratch");
        const auto *source = from.elements_of<const float>();
        if (of->axes.empty())
            std::copy_n(source, from.elements(), to.elements_of<float>());
        for (size_t k = 0; k < of->axes.size(); ++k) {
            const bool is_last = k + 1 == of->axes.size();
            auto *const target = is_last ? to.elements_of<float>()
                                         : reinterpret_cast<float *>(run.scratch + (k % 2 == 0 ? 0 : bytes));
            interpolate_axis(run, of->axes[k], source, sizes, target);
            sizes[of->axes[k].axis] = of->axes[k].target;
            source = target;
        }
        for (const WeightedAxis &axis : of->axes)
            fill_outside(axis, of->extrapolated, sizes, to.elements_of<float>());
    };
}

} // namespace lastuse::kernels
