// Programs of instructions that compute each element of a result from the elements at the same place of operands. An
// instruction is a loop over a block of dense elements; registers hold blocks.
//
// map_kernel.cpp is compiled for AVX2 and for any processor.
#pragma once

#include <cstdint>

// Every instruction, named as numpy's function of the same meaning where there is one. dialect/dnn/map_program.py has the
// same list.
#define LASTUSE_MAP_INSTRUCTIONS(X)                                                                                     \
    X(add) X(subtract) X(multiply) X(maximum) X(minimum) X(fmax) X(fmin)                                                \
    X(divide) X(power) X(remainder) X(fmod) X(floor_divide) X(copysign)                                                 \
    X(less) X(less_equal) X(greater) X(greater_equal) X(equal) X(not_equal)                                             \
    X(logical_and) X(logical_or) X(logical_xor) X(logical_not)                                                          \
    X(bitwise_and) X(bitwise_or) X(bitwise_xor) X(invert) X(left_shift) X(right_shift)                                  \
    X(negative) X(positive) X(absolute) X(sign) X(square) X(reciprocal) X(sqrt)                                         \
    X(floor) X(ceil) X(rint) X(isnan) X(isinf)                                                                          \
    X(exp) X(expm1) X(log) X(log1p) X(sin) X(cos) X(tan) X(arcsin) X(arccos) X(arctan)                                  \
    X(sinh) X(cosh) X(tanh) X(arcsinh) X(arccosh) X(arctanh) X(erf)                                                     \
    X(where) X(where_less) X(where_less_equal) X(where_equal) X(cast)

// Element types of registers, in the order of dialect/dnn/map_program.py. Instructions move f16, and cast it to f32 and
// back: programs compute it in f32.
#define LASTUSE_MAP_TYPES(X)                                                                                            \
    X(i1, uint8_t) X(i8, int8_t) X(i16, int16_t) X(i32, int32_t) X(i64, int64_t)                                        \
    X(ui8, uint8_t) X(ui16, uint16_t) X(ui32, uint32_t) X(ui64, uint64_t) X(f32, float) X(f64, double) X(f16, Half)

namespace lastuse::kernels {

struct Half {
    uint16_t bits;
};

enum class Instruction : int {
#define LASTUSE_NAME(name) name,
    LASTUSE_MAP_INSTRUCTIONS(LASTUSE_NAME)
#undef LASTUSE_NAME
};

enum class ElementType : int {
#define LASTUSE_NAME(name, type) name,
    LASTUSE_MAP_TYPES(LASTUSE_NAME)
#undef LASTUSE_NAME
};

// Computes `count` elements from as many of each operand. `out` may be one of the operands whose elements have its size.
using MapLoop = void (*)(char *out, const char *const *ins, int64_t count);

// The loop of an instruction on operands of type `in`; null where there is none. Comparisons and tests make i1, `cast`
// makes `out`, all others make `in`. `where` takes i1 and then two operands of type `in`; `where_less` takes four, and is
// the third where the first is below the second, else the fourth.
using MapLoopOf = MapLoop (*)(Instruction instruction, ElementType in, ElementType out);

namespace avx2 {
MapLoop map_loop(Instruction instruction, ElementType in, ElementType out);
}
namespace generic {
MapLoop map_loop(Instruction instruction, ElementType in, ElementType out);
}

} // namespace lastuse::kernels
