#include "scalar.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>

#include "../support.hpp"

namespace lastuse {

namespace {

using Unsigned = uint64_t;

// Arithmetic is on unsigned numbers, which wrap; results are truncated to the width.
Word wrapped(Unsigned value, int width) {
    const int spare = 64 - width;
    return static_cast<Word>(value << spare) >> spare;
}

Unsigned plain(Word value, int width) {
    return static_cast<Unsigned>(value) & (width == 64 ? ~Unsigned{0} : (Unsigned{1} << width) - 1);
}

Word truth(bool value) { return value ? -1 : 0; }

template <class Float>
using Bits = std::conditional_t<std::is_same_v<Float, float>, uint32_t, uint64_t>;

template <class Float>
Float real(Word word) {
    const auto bits = static_cast<Bits<Float>>(word);
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class Float>
Word word(Float value) {
    Bits<Float> bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<Word>(bits);
}

void check_divisor(Word divisor) {
    if (divisor == 0)
        throw Error("division by zero");
}

// Rounds towards zero; the one overflow (least / -1) wraps.
Word quotient(Word a, Word b, int width) {
    check_divisor(b);
    return b == -1 ? wrapped(-static_cast<Unsigned>(a), width) : a / b;
}

Word remainder(Word a, Word b) {
    check_divisor(b);
    return b == -1 ? 0 : a % b;
}

Word floored(Word a, Word b, int width) {
    return quotient(a, b, width) - (remainder(a, b) != 0 && (a < 0) != (b < 0));
}

Word raised(Word a, Word b, int width) {
    return quotient(a, b, width) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

// minimum of IEEE 754-2019: NaN if either is NaN, and -0 is below +0.
template <class Float>
Float least(Float a, Float b) {
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<Float>::quiet_NaN();
    return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}

// Rounds towards zero; a NaN becomes 0, a value out of range the nearest integer in range.
template <class Float>
Word integer(Float value, int width) {
    if (std::isnan(value))
        return 0;
    const Float bound = std::ldexp(Float{1}, width - 1);
    const Word most = static_cast<Word>((Unsigned{1} << (width - 1)) - 1);
    return value >= bound ? most : value < -bound ? -most - 1 : static_cast<Word>(value);
}

template <class Float>
Word natural(Float value, int width) {
    if (!(value > 0))
        return 0;
    const Unsigned most = plain(-1, width);
    return wrapped(value >= std::ldexp(Float{1}, width) ? most : static_cast<Unsigned>(value), width);
}

struct Entry {
    Word (*function)(Word, Word, Word, int);
    int arity;
};
using Table = std::map<std::string, Entry>;

#define LASTUSE_OF(expression) [](Word a, Word b, Word c, int w) -> Word { \
        (void)a; (void)b; (void)c; (void)w; return (expression); }

const Table &integers() {
    static const Table table{
        {"addi", {LASTUSE_OF(wrapped(static_cast<Unsigned>(a) + static_cast<Unsigned>(b), w)), 2}},
        {"subi", {LASTUSE_OF(wrapped(static_cast<Unsigned>(a) - static_cast<Unsigned>(b), w)), 2}},
        {"muli", {LASTUSE_OF(wrapped(static_cast<Unsigned>(a) * static_cast<Unsigned>(b), w)), 2}},
        {"divsi", {LASTUSE_OF(quotient(a, b, w)), 2}},
        {"remsi", {LASTUSE_OF(remainder(a, b)), 2}},
        {"floordivsi", {LASTUSE_OF(floored(a, b, w)), 2}},
        {"ceildivsi", {LASTUSE_OF(raised(a, b, w)), 2}},
        {"divui", {LASTUSE_OF((check_divisor(b), wrapped(plain(a, w) / plain(b, w), w))), 2}},
        {"remui", {LASTUSE_OF((check_divisor(b), wrapped(plain(a, w) % plain(b, w), w))), 2}},
        {"ceildivui",
         {LASTUSE_OF((check_divisor(b),
                      wrapped(plain(a, w) / plain(b, w) + (plain(a, w) % plain(b, w) != 0), w))), 2}},
        {"andi", {LASTUSE_OF(a & b), 2}},
        {"ori", {LASTUSE_OF(a | b), 2}},
        {"xori", {LASTUSE_OF(a ^ b), 2}},
        {"shli", {LASTUSE_OF(plain(b, w) >= Unsigned(w) ? 0 : wrapped(static_cast<Unsigned>(a) << b, w)), 2}},
        {"shrui", {LASTUSE_OF(plain(b, w) >= Unsigned(w) ? 0 : wrapped(plain(a, w) >> b, w)), 2}},
        {"shrsi", {LASTUSE_OF(a >> (plain(b, w) >= Unsigned(w) ? 63 : b)), 2}},
        {"minsi", {LASTUSE_OF(a < b ? a : b), 2}},
        {"maxsi", {LASTUSE_OF(a < b ? b : a), 2}},
        {"minui", {LASTUSE_OF(plain(a, w) < plain(b, w) ? a : b), 2}},
        {"maxui", {LASTUSE_OF(plain(a, w) < plain(b, w) ? b : a), 2}},
        {"cmpi.eq", {LASTUSE_OF(truth(a == b)), 2}},
        {"cmpi.ne", {LASTUSE_OF(truth(a != b)), 2}},
        {"cmpi.slt", {LASTUSE_OF(truth(a < b)), 2}},
        {"cmpi.sle", {LASTUSE_OF(truth(a <= b)), 2}},
        {"cmpi.sgt", {LASTUSE_OF(truth(a > b)), 2}},
        {"cmpi.sge", {LASTUSE_OF(truth(a >= b)), 2}},
        {"cmpi.ult", {LASTUSE_OF(truth(plain(a, w) < plain(b, w))), 2}},
        {"cmpi.ule", {LASTUSE_OF(truth(plain(a, w) <= plain(b, w))), 2}},
        {"cmpi.ugt", {LASTUSE_OF(truth(plain(a, w) > plain(b, w))), 2}},
        {"cmpi.uge", {LASTUSE_OF(truth(plain(a, w) >= plain(b, w))), 2}},
        {"select", {LASTUSE_OF(a != 0 ? b : c), 3}},
    };
    return table;
}

template <class F>
const Table &floats() {
    static const Table table{
        {"addf", {LASTUSE_OF(word<F>(real<F>(a) + real<F>(b))), 2}},
        {"subf", {LASTUSE_OF(word<F>(real<F>(a) - real<F>(b))), 2}},
        {"mulf", {LASTUSE_OF(word<F>(real<F>(a) * real<F>(b))), 2}},
        {"divf", {LASTUSE_OF(word<F>(real<F>(a) / real<F>(b))), 2}},
        {"negf", {LASTUSE_OF(word<F>(-real<F>(a))), 1}},
        {"minimumf", {LASTUSE_OF(word<F>(least(real<F>(a), real<F>(b)))), 2}},
        {"maximumf", {LASTUSE_OF(word<F>(-least(-real<F>(a), -real<F>(b)))), 2}},
        {"minnumf", {LASTUSE_OF(word<F>(std::fmin(real<F>(a), real<F>(b)))), 2}},
        {"maxnumf", {LASTUSE_OF(word<F>(std::fmax(real<F>(a), real<F>(b)))), 2}},
        {"cmpf.false", {LASTUSE_OF(0), 2}},
        {"cmpf.oeq", {LASTUSE_OF(truth(real<F>(a) == real<F>(b))), 2}},
        {"cmpf.ogt", {LASTUSE_OF(truth(real<F>(a) > real<F>(b))), 2}},
        {"cmpf.oge", {LASTUSE_OF(truth(real<F>(a) >= real<F>(b))), 2}},
        {"cmpf.olt", {LASTUSE_OF(truth(real<F>(a) < real<F>(b))), 2}},
        {"cmpf.ole", {LASTUSE_OF(truth(real<F>(a) <= real<F>(b))), 2}},
        {"cmpf.one", {LASTUSE_OF(truth(real<F>(a) < real<F>(b) || real<F>(a) > real<F>(b))), 2}},
        {"cmpf.ord", {LASTUSE_OF(truth(!std::isunordered(real<F>(a), real<F>(b)))), 2}},
        {"cmpf.ueq", {LASTUSE_OF(truth(!(real<F>(a) < real<F>(b) || real<F>(a) > real<F>(b)))), 2}},
        {"cmpf.ugt", {LASTUSE_OF(truth(!(real<F>(a) <= real<F>(b)))), 2}},
        {"cmpf.uge", {LASTUSE_OF(truth(!(real<F>(a) < real<F>(b)))), 2}},
        {"cmpf.ult", {LASTUSE_OF(truth(!(real<F>(a) >= real<F>(b)))), 2}},
        {"cmpf.ule", {LASTUSE_OF(truth(!(real<F>(a) > real<F>(b)))), 2}},
        {"cmpf.une", {LASTUSE_OF(truth(real<F>(a) != real<F>(b))), 2}},
        {"cmpf.uno", {LASTUSE_OF(truth(std::isunordered(real<F>(a), real<F>(b)))), 2}},
        {"cmpf.true", {LASTUSE_OF(-1), 2}},
        {"select", {LASTUSE_OF(a != 0 ? b : c), 3}},
        {"fptosi", {LASTUSE_OF(integer(real<F>(a), w)), 1}},
        {"fptoui", {LASTUSE_OF(natural(real<F>(a), w)), 1}},
    };
    return table;
}

// From integers of the width `w` to floats.
template <class F>
const Table &from_integers() {
    static const Table table{
        {"sitofp", {LASTUSE_OF(word<F>(static_cast<F>(a))), 1}},
        {"uitofp", {LASTUSE_OF(word<F>(static_cast<F>(plain(a, w)))), 1}},
    };
    return table;
}

// Casts that depend on one width alone.
const Table &widths() {
    static const Table table{
        {"trunci", {LASTUSE_OF(wrapped(static_cast<Unsigned>(a), w)), 1}},     // of the result
        {"index_cast", {LASTUSE_OF(wrapped(static_cast<Unsigned>(a), w)), 1}}, // of the result
        {"extsi", {LASTUSE_OF(a), 1}},
        {"extui", {LASTUSE_OF(static_cast<Word>(plain(a, w))), 1}}, // of the operand
    };
    return table;
}

#undef LASTUSE_OF

// Bits of an integer type; 0 for others.
int integer_width(const std::string &type) {
    static const std::map<std::string, int> widths{{"i1", 1},   {"i8", 8},   {"i16", 16},
                                                   {"i32", 32}, {"i64", 64}, {"index", 64}};
    const auto found = widths.find(type);
    return found == widths.end() ? 0 : found->second;
}

bool is_float(const std::string &type) { return type == "f32" || type == "f64"; }

std::optional<Scalar> found(const Table &table, const std::string &op, int width) {
    const auto entry = table.find(op);
    if (entry == table.end())
        return std::nullopt;
    return Scalar{entry->second.function, entry->second.arity, width};
}

std::optional<Scalar> of_floats(const std::string &op, const std::string &from, const std::string &to, int width) {
    if (op == "extf" && from == "f32" && to == "f64")
        return Scalar{[](Word a, Word, Word, int) { return word(static_cast<double>(real<float>(a))); }, 1, 64};
    if (op == "truncf" && from == "f64" && to == "f32")
        return Scalar{[](Word a, Word, Word, int) { return word(static_cast<float>(real<double>(a))); }, 1, 32};
    return from == "f32" ? found(floats<float>(), op, width) : found(floats<double>(), op, width);
}

std::optional<Scalar> lookup(const std::string &op, const std::string &from, const std::string &to) {
    const int source = integer_width(from), target = integer_width(to);
    if ((source == 0 && !is_float(from)) || (target == 0 && !is_float(to)))
        return std::nullopt;
    if (op == "bitcast") {
        // A float's bits are zero-extended, an integer's are sign-extended.
        const int width = from == "f32" || to == "f32" ? 32 : 64;
        return target != 0 ? Scalar{[](Word a, Word, Word, int w) { return wrapped(static_cast<Unsigned>(a), w); }, 1,
                                    target}
                           : Scalar{[](Word a, Word, Word, int w) { return static_cast<Word>(plain(a, w)); }, 1, width};
    }
    if (source == 0)
        return of_floats(op, from, to, target);
    if (target == 0)
        return to == "f32" ? found(from_integers<float>(), op, source) : found(from_integers<double>(), op, source);
    if (const auto cast = found(widths(), op, op == "extui" ? source : target))
        return cast;
    return found(integers(), op, source);
}

template <class Number>
ElementAccess access_to() {
    return {[](const char *at) {
                Number value;
                std::memcpy(&value, at, sizeof value);
                if constexpr (std::is_floating_point_v<Number>)
                    return word(value);
                else
                    return static_cast<Word>(value);
            },
            [](char *at, Word given) {
                Number value;
                if constexpr (std::is_floating_point_v<Number>)
                    value = real<Number>(given);
                else
                    value = static_cast<Number>(given);
                std::memcpy(at, &value, sizeof value);
            }};
}

} // namespace

Scalar scalar(const std::string &op, const std::string &from, const std::string &to) {
    const auto known = lookup(op, from, to);
    if (!known)
        throw Error("no scalar '" + op + "' from " + from + " to " + to);
    return *known;
}

ElementAccess element_access(const std::string &dtype) {
    static const std::map<std::string, ElementAccess> accesses{
        {"bool", {[](const char *at) { return truth(*at != 0); }, [](char *at, Word given) { *at = given != 0; }}},
        {"int8", access_to<int8_t>()},   {"int16", access_to<int16_t>()},   {"int32", access_to<int32_t>()},
        {"int64", access_to<int64_t>()}, {"float32", access_to<float>()},   {"float64", access_to<double>()},
    };
    const auto known = accesses.find(dtype);
    if (known == accesses.end())
        throw Error("an element of dtype " + dtype + " cannot be a scalar");
    return known->second;
}

} // namespace lastuse
