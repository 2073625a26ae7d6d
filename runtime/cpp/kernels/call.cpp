#include "call.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../threads/lanes.hpp"

namespace lastuse::kernels {

void Call::expect(bool holds, const char *message) const {
    if (!holds)
        throw Error(op + ": " + message);
}

int64_t Call::integer(size_t number) const {
    const double value = numbers.at(number);
    expect(std::abs(value) <= 0x1p53 && value == std::trunc(value), "a number is no integer of at most 2^53");
    return static_cast<int64_t>(value);
}

size_t Call::index(size_t number) const {
    const int64_t value = integer(number);
    expect(value >= 0, "an index is negative");
    return static_cast<size_t>(value);
}

void Call::expect_counts(size_t in_count, size_t out_count, size_t number_count) const {
    expect(ins.size() == in_count && outs.size() == out_count && numbers.size() == number_count,
           "the kernel takes other operands");
}

void Call::expect_floats(std::initializer_list<const Array *> arrays) const {
    for (const Array *array : arrays)
        expect(array->is(Type::f32) && array->form->is_dense(), "the kernel takes dense f32");
}

double number_of(const Call &call, const Array &array) {
    call.expect(array.elements() == 1, "a scalar has one element");
    switch (array.form->type) {
    case Type::f32:
        return static_cast<double>(*array.elements_of<float>());
    case Type::f64:
        return *array.elements_of<double>();
    case Type::i32:
        return static_cast<double>(*array.elements_of<int32_t>());
    case Type::i64:
        return static_cast<double>(*array.elements_of<int64_t>());
    default:
        throw Error(call.op + ": a scalar is f32, f64, i32 or i64");
    }
}

Integers::Integers(const Call &call, const Array &array) {
    call.expect(array.form->is_dense() && (array.is(Type::i32) || array.is(Type::i64)), "indices are dense i32 or i64");
    if (array.is(Type::i64))
        wide_ = array.elements_of<int64_t>();
    else
        narrow_ = array.elements_of<int32_t>();
}

const int64_t *dense_numbers(const Array &array, std::vector<int64_t> &memory) {
    if (array.form->is_dense())
        return array.elements_of<int64_t>();
    for (int64_t k = 0; k < array.size(0); ++k) {
        memory.emplace_back();
        std::memcpy(&memory.back(), array.data + k * array.form->strides[0], sizeof(int64_t));
    }
    return memory.data();
}

void in_lanes(int lanes, int64_t count, const std::function<void(int64_t, int64_t, int)> &work) {
    if (lanes <= 1)
        return work(0, count, 0);
    run_lanes(lanes, [&](int lane) { work(count * lane / lanes, count * (lane + 1) / lanes, lane); });
}

int lanes_for(const Call &call, int64_t elements) {
    constexpr int64_t share = 32768; // a lane of fewer elements takes less time than to start it
    return static_cast<int>(std::clamp<int64_t>(elements / share, 1, std::clamp(call.threads, 1, most_lanes)));
}

} // namespace lastuse::kernels
