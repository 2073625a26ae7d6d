// The loops of map.hpp. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR, with the compiler options of
// that processor and without contraction of products and sums, so that all make the same bits (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "map.hpp"

#include <type_traits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "half_floats.inc"
#include "map_functions.inc"

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

// Integers are computed without a sign, so that they wrap.
template <class T>
using Wrapping = std::conditional_t<std::is_floating_point_v<T>, T,
                                    std::conditional_t<(sizeof(T) < 8), uint32_t, uint64_t>>;

template <class T>
constexpr bool is_real = std::is_floating_point_v<T>;

template <class T>
inline Wrapping<T> wrap(T x) {
    return static_cast<Wrapping<T>>(x);
}

#define LASTUSE_BINARY(name, value)                                                                                     \
    struct name {                                                                                                       \
        template <class T>                                                                                              \
        static inline auto of(T a, T b) {                                                                               \
            return value;                                                                                               \
        }                                                                                                               \
    };
LASTUSE_BINARY(Add, static_cast<T>(wrap(a) + wrap(b)))
LASTUSE_BINARY(Subtract, static_cast<T>(wrap(a) - wrap(b)))
LASTUSE_BINARY(Multiply, static_cast<T>(wrap(a) * wrap(b)))
LASTUSE_BINARY(Maximum, (a >= b || a != a) ? a : b)
LASTUSE_BINARY(Minimum, (a <= b || a != a) ? a : b)
LASTUSE_BINARY(FMax, (a >= b || b != b) ? a : b)
LASTUSE_BINARY(FMin, (a <= b || b != b) ? a : b)
LASTUSE_BINARY(Divide, a / b)
LASTUSE_BINARY(Power, power(a, b))
LASTUSE_BINARY(Remainder, remainder(a, b))
LASTUSE_BINARY(FMod, truncated_remainder(a, b))
LASTUSE_BINARY(FloorDivide, floor_divide(a, b))
LASTUSE_BINARY(CopySign, copysign_of(a, b))
LASTUSE_BINARY(Less, static_cast<uint8_t>(a < b))
LASTUSE_BINARY(LessEqual, static_cast<uint8_t>(a <= b))
LASTUSE_BINARY(Greater, static_cast<uint8_t>(a > b))
LASTUSE_BINARY(GreaterEqual, static_cast<uint8_t>(a >= b))
LASTUSE_BINARY(Equal, static_cast<uint8_t>(a == b))
LASTUSE_BINARY(NotEqual, static_cast<uint8_t>(a != b))
LASTUSE_BINARY(And, static_cast<T>(a & b))
LASTUSE_BINARY(Or, static_cast<T>(a | b))
LASTUSE_BINARY(Xor, static_cast<T>(a ^ b))
LASTUSE_BINARY(LeftShift, left_shift(a, b))
LASTUSE_BINARY(RightShift, right_shift(a, b))
#undef LASTUSE_BINARY

#define LASTUSE_UNARY(name, value)                                                                                      \
    struct name {                                                                                                       \
        template <class T>                                                                                              \
        static inline auto of(T x) {                                                                                    \
            return value;                                                                                               \
        }                                                                                                               \
    };
LASTUSE_UNARY(Positive, x)
LASTUSE_UNARY(Negative, static_cast<T>(-wrap(x)))
LASTUSE_UNARY(Absolute, absolute(x))
LASTUSE_UNARY(Sign, static_cast<T>(x > 0 ? 1 : x < 0 ? static_cast<T>(-1) : x == 0 ? 0 : x))
LASTUSE_UNARY(Square, static_cast<T>(wrap(x) * wrap(x)))
LASTUSE_UNARY(Not, static_cast<uint8_t>(x == 0))
LASTUSE_UNARY(Invert, static_cast<T>(~x))
LASTUSE_UNARY(Reciprocal, 1 / x)
LASTUSE_UNARY(Sqrt, square_root(x))
LASTUSE_UNARY(Floor, floor_of(x))
LASTUSE_UNARY(Ceil, ceil_of(x))
LASTUSE_UNARY(Rint, rint_of(x))
LASTUSE_UNARY(IsNan, static_cast<uint8_t>(x != x))
LASTUSE_UNARY(IsInf, static_cast<uint8_t>(absolute(x) == static_cast<T>(__builtin_inf())))
LASTUSE_UNARY(Exp, exponential(x))
LASTUSE_UNARY(Expm1, expm1_of(x))
LASTUSE_UNARY(Log, logarithm(x))
LASTUSE_UNARY(Log1p, log1p_of(x))
LASTUSE_UNARY(Sin, sin_of(x))
LASTUSE_UNARY(Cos, cos_of(x))
LASTUSE_UNARY(Tan, tan_of(x))
LASTUSE_UNARY(Asin, asin_of(x))
LASTUSE_UNARY(Acos, acos_of(x))
LASTUSE_UNARY(Atan, atan_of(x))
LASTUSE_UNARY(Sinh, sinh_of(x))
LASTUSE_UNARY(Cosh, cosh_of(x))
LASTUSE_UNARY(Tanh, hyperbolic_tangent(x))
LASTUSE_UNARY(Asinh, asinh_of(x))
LASTUSE_UNARY(Acosh, acosh_of(x))
LASTUSE_UNARY(Atanh, atanh_of(x))
LASTUSE_UNARY(Erf, error_function(x))
#undef LASTUSE_UNARY

template <class F, class T>
void unary(char *out, const char *const *ins, int64_t count) {
    using Out = decltype(F::of(T{}));
    auto *const y = reinterpret_cast<Out *>(out);
    const auto *const x = reinterpret_cast<const T *>(ins[0]);
#pragma GCC ivdep
    for (int64_t k = 0; k < count; ++k)
        y[k] = F::of(x[k]);
}

template <class F, class T>
void binary(char *out, const char *const *ins, int64_t count) {
    using Out = decltype(F::of(T{}, T{}));
    auto *const y = reinterpret_cast<Out *>(out);
    const auto *const a = reinterpret_cast<const T *>(ins[0]);
    const auto *const b = reinterpret_cast<const T *>(ins[1]);
#pragma GCC ivdep
    for (int64_t k = 0; k < count; ++k)
        y[k] = F::of(a[k], b[k]);
}

template <class Bits>
void where(char *out, const char *const *ins, int64_t count) {
    auto *const y = reinterpret_cast<Bits *>(out);
    const auto *const condition = reinterpret_cast<const uint8_t *>(ins[0]);
    const auto *const a = reinterpret_cast<const Bits *>(ins[1]);
    const auto *const b = reinterpret_cast<const Bits *>(ins[2]);
#pragma GCC ivdep
    for (int64_t k = 0; k < count; ++k) {
        const Bits left = a[k], right = b[k];
        y[k] = condition[k] != 0 ? left : right;
    }
}

template <class Comparison, class T>
void where_compared(char *out, const char *const *ins, int64_t count) {
    auto *const y = reinterpret_cast<T *>(out);
    const auto *const a = reinterpret_cast<const T *>(ins[0]);
    const auto *const b = reinterpret_cast<const T *>(ins[1]);
    const auto *const taken = reinterpret_cast<const T *>(ins[2]);
    const auto *const other = reinterpret_cast<const T *>(ins[3]);
#pragma GCC ivdep
    for (int64_t k = 0; k < count; ++k) {
        const T left = taken[k], right = other[k];
        y[k] = Comparison::of(a[k], b[k]) != 0 ? left : right;
    }
}

template <class From, class To, bool to_truth>
void cast(char *out, const char *const *ins, int64_t count) {
    auto *const y = reinterpret_cast<To *>(out);
    const auto *const x = reinterpret_cast<const From *>(ins[0]);
#pragma GCC ivdep
    for (int64_t k = 0; k < count; ++k)
        if constexpr (to_truth)
            y[k] = static_cast<To>(x[k] != 0);
        else if constexpr (is_real<From> && !is_real<To>)
            y[k] = whole_number<To>(x[k]);
        else
            y[k] = static_cast<To>(x[k]);
}

// Null where one of the types is f16 and the other is not f32.
template <class From, class To, bool to_truth>
constexpr MapLoop cast_loop() {
    constexpr bool from_half = std::is_same_v<From, Half>, to_half = std::is_same_v<To, Half>;
    if constexpr (from_half && std::is_same_v<To, float>)
        return halves_to_floats;
    else if constexpr (to_half && std::is_same_v<From, float>)
        return floats_to_halves;
    else if constexpr (from_half || to_half)
        return nullptr;
    else
        return cast<From, To, to_truth>;
}

template <class From>
MapLoop cast_to(ElementType out) {
    switch (out) {
#define LASTUSE_CASE(name, type)                                                                                        \
    case ElementType::name:                                                                                             \
        return cast_loop<From, type, ElementType::name == ElementType::i1>();
        LASTUSE_MAP_TYPES(LASTUSE_CASE)
#undef LASTUSE_CASE
    }
    return nullptr;
}

template <class T>
MapLoop comparison(Instruction instruction) {
    switch (instruction) {
    case Instruction::less: return binary<Less, T>;
    case Instruction::less_equal: return binary<LessEqual, T>;
    case Instruction::greater: return binary<Greater, T>;
    case Instruction::greater_equal: return binary<GreaterEqual, T>;
    case Instruction::equal: return binary<Equal, T>;
    case Instruction::not_equal: return binary<NotEqual, T>;
    case Instruction::positive: return unary<Positive, T>;
    default: return nullptr;
    }
}

template <class T>
MapLoop on_truths(Instruction instruction) {
    switch (instruction) {
    case Instruction::logical_and:
    case Instruction::bitwise_and: return binary<And, T>;
    case Instruction::logical_or:
    case Instruction::bitwise_or: return binary<Or, T>;
    case Instruction::logical_xor:
    case Instruction::bitwise_xor: return binary<Xor, T>;
    case Instruction::logical_not:
    case Instruction::invert: return unary<Not, T>;
    default: return nullptr;
    }
}

// What floating-point numbers and integers have.
template <class T>
MapLoop on_numbers(Instruction instruction) {
    switch (instruction) {
    case Instruction::add: return binary<Add, T>;
    case Instruction::subtract: return binary<Subtract, T>;
    case Instruction::multiply: return binary<Multiply, T>;
    case Instruction::maximum: return binary<Maximum, T>;
    case Instruction::minimum: return binary<Minimum, T>;
    case Instruction::fmax: return binary<FMax, T>;
    case Instruction::fmin: return binary<FMin, T>;
    case Instruction::power: return binary<Power, T>;
    case Instruction::remainder: return binary<Remainder, T>;
    case Instruction::fmod: return binary<FMod, T>;
    case Instruction::floor_divide: return binary<FloorDivide, T>;
    case Instruction::negative: return unary<Negative, T>;
    case Instruction::absolute: return unary<Absolute, T>;
    case Instruction::sign: return unary<Sign, T>;
    case Instruction::square: return unary<Square, T>;
    case Instruction::where_less: return where_compared<Less, T>;
    case Instruction::where_less_equal: return where_compared<LessEqual, T>;
    case Instruction::where_equal: return where_compared<Equal, T>;
    default: return nullptr;
    }
}

template <class T>
MapLoop on_integers(Instruction instruction) {
    switch (instruction) {
    case Instruction::bitwise_and: return binary<And, T>;
    case Instruction::bitwise_or: return binary<Or, T>;
    case Instruction::bitwise_xor: return binary<Xor, T>;
    case Instruction::invert: return unary<Invert, T>;
    case Instruction::left_shift: return binary<LeftShift, T>;
    case Instruction::right_shift: return binary<RightShift, T>;
    default: return nullptr;
    }
}

template <class T>
MapLoop on_reals(Instruction instruction) {
    switch (instruction) {
    case Instruction::divide: return binary<Divide, T>;
    case Instruction::copysign: return binary<CopySign, T>;
    case Instruction::reciprocal: return unary<Reciprocal, T>;
    case Instruction::sqrt: return unary<Sqrt, T>;
    case Instruction::floor: return unary<Floor, T>;
    case Instruction::ceil: return unary<Ceil, T>;
    case Instruction::rint: return unary<Rint, T>;
    case Instruction::isnan: return unary<IsNan, T>;
    case Instruction::isinf: return unary<IsInf, T>;
    case Instruction::exp: return unary<Exp, T>;
    case Instruction::expm1: return unary<Expm1, T>;
    case Instruction::log: return unary<Log, T>;
    case Instruction::log1p: return unary<Log1p, T>;
    case Instruction::sin: return unary<Sin, T>;
    case Instruction::cos: return unary<Cos, T>;
    case Instruction::tan: return unary<Tan, T>;
    case Instruction::arcsin: return unary<Asin, T>;
    case Instruction::arccos: return unary<Acos, T>;
    case Instruction::arctan: return unary<Atan, T>;
    case Instruction::sinh: return unary<Sinh, T>;
    case Instruction::cosh: return unary<Cosh, T>;
    case Instruction::tanh: return unary<Tanh, T>;
    case Instruction::arcsinh: return unary<Asinh, T>;
    case Instruction::arccosh: return unary<Acosh, T>;
    case Instruction::arctanh: return unary<Atanh, T>;
    case Instruction::erf: return unary<Erf, T>;
    default: return nullptr;
    }
}

template <class T, bool is_truth>
MapLoop loop_on(Instruction instruction, ElementType out) {
    if (instruction == Instruction::cast)
        return cast_to<T>(out);
    if (instruction == Instruction::where) // moves bits
        return where<std::conditional_t<sizeof(T) == 1, uint8_t,
                                        std::conditional_t<sizeof(T) == 2, uint16_t,
                                                           std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>>;
    if constexpr (std::is_same_v<T, Half>)
        return instruction == Instruction::positive ? unary<Positive, uint16_t> : nullptr;
    else if (const MapLoop loop = comparison<T>(instruction))
        return loop;
    else if constexpr (is_truth)
        return on_truths<T>(instruction);
    else if (const MapLoop loop = on_numbers<T>(instruction))
        return loop;
    else if constexpr (is_real<T>)
        return on_reals<T>(instruction);
    else
        return on_integers<T>(instruction);
}

} // namespace

MapLoop map_loop(Instruction instruction, ElementType in, ElementType out) {
    switch (in) {
#define LASTUSE_CASE(name, type)                                                                                        \
    case ElementType::name:                                                                                             \
        return loop_on<type, ElementType::name == ElementType::i1>(instruction, out);
        LASTUSE_MAP_TYPES(LASTUSE_CASE)
#undef LASTUSE_CASE
    }
    return nullptr;
}

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
