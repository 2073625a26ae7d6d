// Updates of parameters in f32, as dialect/dnn/optimizers.py defines them: the same operations in the same order.
#include <cmath>

#include "functions.hpp"
#include "rows.hpp"

namespace lastuse::kernels {

namespace {

// Results may be exactly the operands of the same element, so no iteration depends on another one.
#define LASTUSE_ELEMENTS _Pragma("GCC ivdep")

struct Momentum {
    float decay, part, rate;
    bool nesterov;
};

struct Adam {
    float decay, first, first_rest, second, second_rest, root, epsilon, rate;
};

LASTUSE_WIDE void update_sgd(const float *w, const float *g, float *to, int64_t count, float decay, float rate) {
    if (decay != 0.0f) {
        LASTUSE_ELEMENTS
        for (int64_t k = 0; k < count; ++k)
            to[k] = w[k] - (g[k] + w[k] * decay) * rate;
        return;
    }
    LASTUSE_ELEMENTS
    for (int64_t k = 0; k < count; ++k)
        to[k] = w[k] - g[k] * rate;
}

LASTUSE_WIDE void update_momentum(const float *w, const float *g, const float *v, float *to, float *to_v, int64_t count,
                                  const Momentum &by) {
    LASTUSE_ELEMENTS
    for (int64_t k = 0; k < count; ++k) {
        const float gradient = by.decay != 0.0f ? g[k] + w[k] * by.decay : g[k];
        const float velocity = v[k] * by.part + gradient;
        const float direction = by.nesterov ? gradient + velocity * by.part : velocity;
        to[k] = w[k] - direction * by.rate;
        to_v[k] = velocity;
    }
}

LASTUSE_WIDE void update_adam(const float *w, const float *g, const float *m, const float *v, float *to, float *to_m,
                              float *to_v, int64_t count, const Adam &by) {
    LASTUSE_ELEMENTS
    for (int64_t k = 0; k < count; ++k) {
        const float gradient = by.decay != 0.0f ? g[k] + w[k] * by.decay : g[k];
        const float first = m[k] * by.first + gradient * by.first_rest;
        const float second = v[k] * by.second + gradient * gradient * by.second_rest;
        const float scale = std::sqrt(second) / by.root + by.epsilon;
        to[k] = w[k] - first / scale * by.rate;
        to_m[k] = first;
        to_v[k] = second;
    }
}

// Operands and results, which have the parameter's shape, as one list.
template <size_t Ins, size_t Outs>
std::array<const Array *, Ins + Outs> tensors_of(const Call &call) {
    std::array<const Array *, Ins + Outs> tensors;
    for (size_t k = 0; k < Ins; ++k)
        tensors[k] = &call.ins[k];
    for (size_t k = 0; k < Outs; ++k)
        tensors[Ins + k] = &call.outs[k];
    for (const Array *tensor : tensors)
        call.expect(tensor->is(Type::f32) && tensor->form->shape == call.ins[0].form->shape,
                    "parameter, gradient and states are f32 of one shape");
    return tensors;
}

float narrow(double number) { return static_cast<float>(number); }

// `power1`, `power2`: of beta1 and beta2.
void run_adam(const Call &call, double power1, double power2) {
    const double first = call.numbers[1], second = call.numbers[2], rate = number_of(call, call.ins.back());
    const Adam by{narrow(call.numbers[0]),
                  narrow(first),
                  narrow(1 - first),
                  narrow(second),
                  narrow(1 - second),
                  narrow(std::sqrt(1 - power2)),
                  narrow(call.numbers[3]),
                  narrow(rate / (1 - power1))};
    for_dense<4>(tensors_of<4, 3>(call), lanes_for(call, call.ins[0].elements()),
                 [&](const auto &to, int64_t count) {
                     update_adam(to[0], to[1], to[2], to[3], to[4], to[5], to[6], count, by);
                 });
}

} // namespace

void sgd(const Call &call) {
    call.expect_counts(3, 1, 1);
    const float decay = narrow(call.numbers[0]), rate = narrow(number_of(call, call.ins[2]));
    for_dense<2>(tensors_of<2, 1>(call), lanes_for(call, call.ins[0].elements()),
                 [&](const auto &to, int64_t count) { update_sgd(to[0], to[1], to[2], count, decay, rate); });
}

void momentum(const Call &call) {
    call.expect_counts(4, 2, 3);
    const Momentum by{narrow(call.numbers[0]), narrow(call.numbers[1]), narrow(number_of(call, call.ins[3])),
                      call.numbers[2] != 0.0};
    for_dense<3>(tensors_of<3, 2>(call), lanes_for(call, call.ins[0].elements()),
                 [&](const auto &to, int64_t count) {
                     update_momentum(to[0], to[1], to[2], to[3], to[4], count, by);
                 });
}

void adam(const Call &call) {
    call.expect_counts(6, 3, 4);
    const double step = number_of(call, call.ins[4]);
    run_adam(call, std::pow(call.numbers[1], step), std::pow(call.numbers[2], step));
}

void adam_with_powers(const Call &call) {
    call.expect_counts(7, 3, 4);
    run_adam(call, number_of(call, call.ins[4]), number_of(call, call.ins[5]));
}

} // namespace lastuse::kernels
