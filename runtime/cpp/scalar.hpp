// Scalars that steer control flow: numbers in registers of 64 bits, and what is computed of them.
#pragma once

#include <cstdint>
#include <string>

namespace lastuse {

// An integer is sign-extended from its width (so an i1 that is true is -1); a float is its bits, f32 in the low half.
using Word = int64_t;

// One operation at one width, ready to run. It throws Error where the result is undefined for every machine: a division
// by zero. What else is undefined (a shift by the width, a float out of an integer's range) gives a fixed value.
struct Scalar {
    Word (*function)(Word a, Word b, Word c, int width);
    int arity;
    int width; // bits of the integer operands; the result's for casts to integers

    Word operator()(Word a, Word b, Word c) const { return function(a, b, c, width); }
};

// `op` is named as in the arith dialect without its prefix, with the predicate of a comparison behind a dot
// ("addi", "cmpi.slt", "sitofp"). `from` is the type of the operands (of a select: of what is chosen), `to` that of the
// result: i1, i8, i16, i32, i64, index, f32, f64. Throws Error where there is none.
Scalar scalar(const std::string &op, const std::string &from, const std::string &to);

// How a number of a numpy dtype ("bool", "int32", "float64", …) stands in memory. Throws Error where none can be a
// scalar.
struct Cell {
    Word (*read)(const char *);
    void (*write)(char *, Word);
};
Cell cell(const std::string &dtype);

} // namespace lastuse
