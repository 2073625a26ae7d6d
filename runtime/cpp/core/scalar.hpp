// Scalars that control flow depends on: numbers in 64-bit registers, and the operations on them.
#pragma once

#include <cstdint>
#include <string>

namespace lastuse {

// An integer is sign-extended from its width (so an i1 that is true is -1); a float is its bits, f32 in the low half.
using Word = int64_t;

// One operation at one width, ready to run. A division by zero throws Error. Other undefined cases (a shift by the
// width, a float outside an integer's range) give a fixed value.
struct Scalar {
    Word (*function)(Word a, Word b, Word c, int width);
    int arity;
    int width; // bits of the integer operands; the result's for casts to integers

    Word operator()(Word a, Word b, Word c) const { return function(a, b, c, width); }
};

// `op` is the name of an arith op without its dialect, the predicate of a comparison after a dot ("addi", "cmpi.slt",
// "sitofp"). `from` is the type of the operands (of a select: of the two values), `to` the type of the result: i1, i8,
// i16, i32, i64, index, f32, f64. Throws Error where there is no such operation.
Scalar scalar(const std::string &op, const std::string &from, const std::string &to);

// Reads and writes an element of a numpy dtype ("bool", "int32", "float64", …) in memory.
struct ElementAccess {
    Word (*read)(const char *);
    void (*write)(char *, Word);
};
// Throws Error where elements of `dtype` cannot be scalars.
ElementAccess element_access(const std::string &dtype);

} // namespace lastuse
