#include "integer_parameters.hpp"

#include <algorithm>

namespace lastuse::kernels {

namespace {

bool is_byte(const Array &array) { return array.is(Type::u8) || array.is(Type::i8); }

int64_t whole_strips(int64_t count) { return (count + strip_width - 1) / strip_width * strip_width; }

template <class Element>
LASTUSE_WIDE void widen(const Element *from, int64_t count, int32_t *to) {
    for (int64_t k = 0; k < count; ++k)
        to[k] = static_cast<int32_t>(from[k]);
}

LASTUSE_WIDE void multiply_by(const float *from, float factor, float divisor, int64_t count, float *to) {
    for (int64_t k = 0; k < count; ++k)
        to[k] = factor * from[k] / divisor;
}

} // namespace

const Array *operand_of(const Call &call, Role role) {
    const double number = call.numbers[static_cast<size_t>(role)];
    call.expect(number < static_cast<double>(call.ins.size()), "there is no operand of this number");
    return number < 0 ? nullptr : &call.ins[static_cast<size_t>(number)];
}

IntegerParameters::IntegerParameters(const Call &call) : call_(call) {
    call.expect(call.ins.size() >= 2 && call.outs.size() == 1 && call.numbers.size() >= parameters,
                "the kernel takes other operands");
    for (const Array &array : call.ins)
        call.expect(array.form->is_dense(), "the kernel takes dense operands");
    const Array &y = call.outs[0], *const weights = operand_of(call, Role::weights), *const bias = operand_of(call, Role::bias);
    call.expect(weights != nullptr && is_byte(call.ins[0]) && is_byte(*weights), "the kernel takes ui8 and i8");
    for (const Role role : {Role::x_scale, Role::weights_scale, Role::y_scale}) {
        const Array *const scale = operand_of(call, role);
        call.expect(scale == nullptr || scale->is(Type::f32), "scales are f32");
    }
    results_ = y.is(Type::i32) ? Results::sums : y.is(Type::f32) ? Results::floats : Results::bytes;
    const bool is_quantized = is_byte(y) && operand_of(call, Role::y_zero) != nullptr && operand_of(call, Role::y_scale) != nullptr;
    call.expect(y.form->is_dense() && (results_ != Results::bytes || is_quantized), "the kernel makes dense i32, f32, ui8 or i8");
    call.expect(results_ == Results::sums || operand_of(call, Role::x_scale) != nullptr, "the kernel takes scales");
    call.expect(bias == nullptr || bias->is(results_ == Results::floats ? Type::f32 : Type::i32), "the bias has another type");
    int32_t zeros[strip_width];
    fill(Role::x_zero, 0, 1, zeros);
    x_zero_ = zeros[0];
    fill(Role::y_zero, 0, 1, zeros);
    y_zero_ = zeros[0];
}

void IntegerParameters::check(const Array &array, int64_t end) const {
    call_.expect(array.elements() == 1 || end <= array.elements(), "a parameter has other sizes");
}

void IntegerParameters::fill(Role role, int64_t first, int64_t count, int32_t *to) const {
    const Array *const array = operand_of(call_, role);
    std::fill_n(to, whole_strips(count), 0);
    if (array == nullptr || count == 0)
        return;
    check(*array, first + count);
    const bool is_one = array->elements() == 1;
    const int64_t from = is_one ? 0 : first, read = is_one ? 1 : count;
    if (array->is(Type::u8))
        widen(array->elements_of<uint8_t>() + from, read, to);
    else if (array->is(Type::i8))
        widen(array->elements_of<int8_t>() + from, read, to);
    else
        widen(array->elements_of<int32_t>() + from, read, to);
    if (is_one)
        std::fill_n(to, count, to[0]);
}

void IntegerParameters::fill_biases(int64_t first, int64_t count, float *to) const {
    const Array *const array = operand_of(call_, Role::bias);
    std::fill_n(to, whole_strips(count), 0.0f);
    if (array == nullptr || count == 0)
        return;
    check(*array, first + count);
    if (array->elements() == 1)
        std::fill_n(to, count, *array->elements_of<float>());
    else
        std::copy_n(array->elements_of<float>() + first, count, to);
}

void IntegerParameters::fill_factors(int64_t first, int64_t count, float *to) const {
    std::fill_n(to, whole_strips(count), 0.0f);
    const Array *const x = operand_of(call_, Role::x_scale), *const weights = operand_of(call_, Role::weights_scale);
    const Array *const y = operand_of(call_, Role::y_scale);
    call_.expect(x->elements() == 1 && (y == nullptr || y->elements() == 1), "a parameter has other sizes");
    const float factor = *x->elements_of<float>(), divisor = y == nullptr ? 1.0f : *y->elements_of<float>();
    if (weights != nullptr)
        check(*weights, first + count);
    if (weights != nullptr && weights->elements() != 1)
        return multiply_by(weights->elements_of<float>() + first, factor, divisor, count, to);
    const float one = weights == nullptr ? factor : factor * *weights->elements_of<float>();
    std::fill_n(to, count, one / divisor);
}

ColumnRules IntegerParameters::rules() const {
    const bool is_signed = call_.outs[0].is(Type::i8);
    const auto low = static_cast<float>(call_.numbers[roles]), high = static_cast<float>(call_.numbers[roles + 1]);
    return {results_, nullptr, nullptr, nullptr, nullptr, y_zero_, is_signed ? -128 : 0, is_signed ? 127 : 255, low, high};
}

} // namespace lastuse::kernels
