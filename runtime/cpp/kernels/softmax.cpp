// Softmax and its logarithm in f64, which oneDNN does not compute, as dialect/dnn/normalization.py defines them.
#include <cmath>

#include "functions.hpp"

namespace lastuse::kernels {

namespace {

// `count` elements, `stride` elements apart. y may be x: each element is read before it is written.
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
    for (const Array *const array : {&x, &y})
        call.expect(array->is(Type::f64) && array->form->is_dense(), "the kernel takes dense f64");
    const size_t axis = call.index(0);
    call.expect(x.form->shape == y.form->shape && axis < y.rank(), "the kernel takes other sizes");
    if (y.elements() == 0)
        return;
    int64_t stride = 1;
    for (size_t inner = axis + 1; inner < y.rank(); ++inner)
        stride *= y.size(inner);
    const int64_t count = y.size(axis), lines = y.elements() / count;
    in_lanes(lanes_for(call, y.elements() * 16), lines, [&](int64_t begin, int64_t end, int) {
        for (int64_t line = begin; line < end; ++line) {
            const int64_t first = line / stride * stride * count + line % stride;
            softmax_line(x.elements_of<const double>() + first, y.elements_of<double>() + first, count, stride,
                         call.numbers[1] != 0);
        }
    });
}

} // namespace lastuse::kernels
