// Scales, zero points and biases of products of bytes: which operands they are, and tables of them.
#pragma once

#include "call.hpp"
#include "integer_product.hpp"

namespace lastuse::kernels {

// Operands that an op need not have, and the weights: the first numbers of a call are their numbers, or -1. Behind them are
// the least and the largest result of f32, infinite where it is not bounded.
enum class Role : size_t { x_zero, weights_zero, x_scale, weights_scale, y_scale, y_zero, bias, weights, count };

constexpr size_t roles = static_cast<size_t>(Role::count), parameters = roles + 2;

// The operand of a role; null where there is none.
const Array *operand_of(const Call &call, Role role);

class IntegerParameters {
public:
    // Throws Error if operands have types that are not taken.
    explicit IntegerParameters(const Call &call);

    Results results() const { return results_; }
    int64_t item() const { return results_ == Results::bytes ? 1 : 4; }
    bool x_is_signed() const { return call_.ins[0].is(Type::i8); }
    int32_t x_zero() const { return x_zero_; }

    // Tables for columns from `first` on, counted through all groups; zeros behind them up to whole strips.
    void fill_zeros(int64_t first, int64_t count, int32_t *to) const { fill(Role::weights_zero, first, count, to); }
    void fill_biases(int64_t first, int64_t count, int32_t *to) const { fill(Role::bias, first, count, to); }
    void fill_biases(int64_t first, int64_t count, float *to) const;
    void fill_factors(int64_t first, int64_t count, float *to) const;
    // The rules without tables.
    ColumnRules rules() const;

private:
    void fill(Role role, int64_t first, int64_t count, int32_t *to) const;
    void check(const Array &array, int64_t end) const;

    const Call &call_;
    Results results_;
    int32_t x_zero_ = 0, y_zero_ = 0;
};

} // namespace lastuse::kernels
