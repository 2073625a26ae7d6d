// Lines divided by their norms, and the largest elements of lines, as dialect/dnn/response_norm.py defines them. Norms are
// summed in f64, so they do not depend on strides.
#include <cmath>

#include "functions.hpp"
#include "lines.hpp"

namespace lastuse::kernels {

namespace {

// Visits the lines of a call on f32: those of the operand and of the result, and their size.
template <class Visit>
void for_float_lines(const Call &call, Visit visit) {
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect(x.is(Type::f32) && y.is(Type::f32), "the kernel takes f32");
    const auto axis = call.index(0);
    for_lines<2>(call, {&x, &y}, axis,
                 [&](const std::array<Line, 2> &lines) { visit(lines[0], lines[1], x.size(axis)); });
}

} // namespace

void lp_normalization(const Call &call) {
    call.expect_counts(1, 1, 2);
    const bool of_squares = call.integer(1) == 2;
    for_float_lines(call, [&](const Line &from, const Line &to, int64_t size) {
        double total = 0;
        for (int64_t k = 0; k < size; ++k) {
            const double x = from.get<float>(k);
            total += of_squares ? x * x : std::fabs(x);
        }
        const auto norm = static_cast<float>(of_squares ? std::sqrt(total) : total);
        for (int64_t k = 0; k < size; ++k)
            to.set(k, norm == 0.0f ? 0.0f : from.get<float>(k) / norm);
    });
}

void hardmax(const Call &call) {
    call.expect_counts(1, 1, 1);
    for_float_lines(call, [&](const Line &from, const Line &to, int64_t size) {
        int64_t largest = 0;
        for (int64_t k = 1; k < size; ++k) {
            const float most = from.get<float>(largest), x = from.get<float>(k);
            if (most == most && !(x <= most)) // NaN is the largest
                largest = k;
        }
        for (int64_t k = 0; k < size; ++k)
            to.set(k, k == largest ? 1.0f : 0.0f);
    });
}

} // namespace lastuse::kernels
