// Softmax and its logarithm in f32 and f64, as dialect/dnn/normalization.py defines them.
#include "softmax.hpp"

#include <cmath>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const SoftmaxKernel &softmax_kernel() { return LASTUSE_BEST_TO_AVX512(softmax_f32); }

// `count` elements of f64, `stride` elements apart. y may be x: each element is read before it is written.
void softmax_line(const double *x, double *y, int64_t count, int64_t stride, bool is_log) {
    double largest = x[0], sum = 0;
    for (int64_t k = 1; k < count; ++k)
        if (x[k * stride] > largest)
            largest = x[k * stride];
    for (int64_t k = 0; k < count; ++k) {
        const double shifted = x[k * stride] - largest, power = std::exp(shifted);
        y[k * stride] = is_log ? shifted : power;
        sum += power; // NaN in x makes all NaN
    }
    const double shift = std::log(sum);
    for (int64_t k = 0; k < count; ++k)
        y[k * stride] = is_log ? y[k * stride] - shift : y[k * stride] / sum;
}

} // namespace

void softmax(const Call &call) {
    call.expect_counts(1, 1, 2);
    const Array &x = call.ins[0], &y = call.outs[0];
    const bool is_narrow = x.is(Type::f32), is_log = call.numbers[1] != 0;
    for (const Array *const array : {&x, &y})
        call.expect(array->is(is_narrow ? Type::f32 : Type::f64) && array->form->is_dense(),
                    "the kernel takes dense f32 and f64");
    const size_t axis = call.index(0);
    call.expect(x.form->shape == y.form->shape && axis < y.rank(), "the kernel takes other sizes");
    if (y.elements() == 0)
        return;
    int64_t inner = 1;
    for (size_t k = axis + 1; k < y.rank(); ++k)
        inner *= y.size(k);
    const int64_t count = y.size(axis), outer = y.elements() / count / inner;
    if (is_narrow) {
        const int64_t groups = (inner + softmax_columns - 1) / softmax_columns;
        const Softmax work{x.elements_of<const float>(), y.elements_of<float>(), outer, count, inner, groups, is_log};
        return in_lanes(lanes_for(call, y.elements() * 2), outer * groups,
                        [&](int64_t begin, int64_t end, int) { softmax_kernel().compute(work, begin, end); });
    }
    in_lanes(lanes_for(call, y.elements() * 16), outer * inner, [&](int64_t begin, int64_t end, int) {
        for (int64_t line = begin; line < end; ++line) {
            const int64_t first = line / inner * inner * count + line % inner;
            softmax_line(x.elements_of<const double>() + first, y.elements_of<double>() + first, count, inner, is_log);
        }
    });
}

} // namespace lastuse::kernels
