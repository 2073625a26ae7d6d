// Running sums and products, as dialect/dnn/scans.py defines them: one element after the other, in their type.
#include "functions.hpp"
#include "lines.hpp"

namespace lastuse::kernels {

namespace {

// `join`: of two elements, the running one first.
template <class Join>
void scan(const Call &call, int first, Join join) {
    call.expect_counts(1, 1, 3);
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect(y.is(x.form->type), "the kernel takes one type of elements");
    const auto axis = call.index(0);
    const bool exclusive = call.numbers[1] != 0, reverse = call.numbers[2] != 0;
    with_element_type(call, x, [&](auto zero) {
        using Element = decltype(zero);
        using Running = WrappingOf<Element>;
        for_lines<2>(call, {&x, &y}, axis, [&](const std::array<Line, 2> &lines) {
            const auto &[from, to] = lines;
            const int64_t size = x.size(axis);
            auto running = static_cast<Running>(first);
            for (int64_t step = 0; step < size; ++step) {
                const int64_t at = reverse ? size - 1 - step : step;
                const auto element = static_cast<Running>(from.template get<Element>(at));
                if (exclusive)
                    to.set(at, static_cast<Element>(running));
                // What an accumulation starts with is the first element itself: 0 + -0 would be 0.
                running = step == 0 ? element : join(running, element);
                if (!exclusive)
                    to.set(at, static_cast<Element>(running));
            }
        });
    });
}

} // namespace

void cumsum(const Call &call) {
    scan(call, 0, [](auto sum, auto element) { return sum + element; });
}

void cumprod(const Call &call) {
    scan(call, 1, [](auto product, auto element) { return product * element; });
}

} // namespace lastuse::kernels
