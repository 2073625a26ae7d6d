// Reductions along axes, as dialect/dnn/reductions.py and mapped_reductions.py define them. Blocks of floating-point elements are
// added up in their type and blocks in f64; integers wrap.
#include <cmath>

#include "exponential.hpp"
#include "functions.hpp"
#include "reduce_loops.hpp"

namespace lastuse::kernels {

namespace {

// Sums of `term`; those of integers wrap, as they are.
template <class T>
struct Sum {
    static constexpr bool shifts = false;
    using Element = T;
    using Part = WrappingOf<T>;
    using Whole = std::conditional_t<std::is_integral_v<T>, Part, double>;

    static Part none() { return 0; }
    static Part term(T x, T) { return static_cast<Part>(x); }
    static Part join(Part a, Part b) { return a + b; }
    static Whole start() { return 0; }
    static Whole add(Whole whole, Part part) { return whole + static_cast<Whole>(part); }
    static T result(Whole whole, int64_t, T) { return static_cast<T>(whole); }
};

template <class T>
struct Mean : Sum<T> {
    static T result(typename Sum<T>::Whole whole, int64_t count, T) {
        if constexpr (std::is_integral_v<T>)
            return count ? static_cast<T>(static_cast<int64_t>(static_cast<T>(whole)) / count) : 0;
        else
            return static_cast<T>(whole / static_cast<double>(count));
    }
};

// Products of floating-point elements are f64: those of some may overflow where that of all does not.
template <class T>
struct Product : Sum<T> {
    using Part = typename Sum<T>::Whole;
    using Whole = Part;
    static Part none() { return 1; }
    static Part term(T x, T) { return static_cast<Part>(x); }
    static Part join(Part a, Part b) { return a * b; }
    static Whole start() { return 1; }
    static Whole add(Whole whole, Part part) { return whole * part; }
    static T result(Whole whole, int64_t, T) { return static_cast<T>(whole); }
};

template <class T>
struct Absolute : Sum<T> {
    using Part = WrappingOf<T>;
    static Part term(T x, T) {
        if constexpr (std::is_integral_v<T>)
            return x < 0 ? Part{0} - static_cast<Part>(x) : static_cast<Part>(x);
        else
            return std::fabs(x);
    }
};

template <class T>
struct Squares : Sum<T> {
    using Part = WrappingOf<T>;
    static Part term(T x, T) { return static_cast<Part>(x) * static_cast<Part>(x); }
};

// The root of sums of squares, which for integers are f64.
template <class T>
struct Root {
    static constexpr bool shifts = false;
    using Element = T;
    using Part = std::conditional_t<std::is_integral_v<T>, double, T>;
    using Whole = double;

    static Part none() { return 0; }
    static Part term(T x, T) { return static_cast<Part>(x) * static_cast<Part>(x); }
    static Part join(Part a, Part b) { return a + b; }
    static Whole start() { return 0; }
    static Whole add(Whole whole, Part part) { return whole + static_cast<double>(part); }
    static T result(Whole whole, int64_t, T) { return static_cast<T>(std::sqrt(whole)); }
};

template <class T>
struct Logarithm : Sum<T> {
    static T result(double whole, int64_t, T) { return static_cast<T>(std::log(whole)); }
};

// The logarithm of sums of exponentials; the shift is the largest element.
template <class T>
struct LogarithmOfPowers : Sum<T> {
    static constexpr bool shifts = true;
    static T term(T x, T shift) {
        if constexpr (std::is_same_v<T, float>)
            return exponential(x - shift);
        else
            return std::exp(x - shift);
    }
    static T result(double whole, int64_t, T shift) {
        return std::isfinite(shift) ? static_cast<T>(std::log(whole) + static_cast<double>(shift)) : shift;
    }
};

// The largest element or the smallest; NaN where one is NaN.
template <class T, bool largest>
struct Extremum {
    static constexpr bool shifts = false;
    using Element = T;
    using Part = typename Rank<T>::type;
    using Whole = Part;
    using Limits = std::numeric_limits<T>;
    static constexpr Part lowest = std::numeric_limits<Part>::min(), highest = std::numeric_limits<Part>::max();
    static constexpr Part nan = largest ? highest : lowest; // no floating-point number has this rank

    static Part none() {
        if constexpr (std::is_integral_v<T>)
            return largest ? lowest : highest;
        else
            return Rank<T>::of(largest ? -Limits::infinity() : Limits::infinity());
    }
    static Part term(T x, T) { return x != x ? nan : Rank<T>::of(x); }
    static Part join(Part a, Part b) { return largest ? (a > b ? a : b) : (a < b ? a : b); }
    static Whole start() { return none(); }
    static Whole add(Whole whole, Part part) { return join(whole, part); }
    static T result(Whole whole, int64_t, T) {
        return !std::is_integral_v<T> && whole == nan ? Limits::quiet_NaN() : Rank<T>::element(whole);
    }
};

template <class T>
using Largest = Extremum<T, true>;
template <class T>
using Smallest = Extremum<T, false>;

void expect_reduction(const Call &call) {
    call.expect_counts(1, 1, call.ins.empty() ? 0 : call.ins[0].rank());
    call.expect(call.outs[0].is(call.ins[0].form->type), "the kernel takes one type of elements");
}

template <template <class> class Policy>
void reduce_numbers(const Call &call) {
    expect_reduction(call);
    with_element_type(call, call.ins[0], [&](auto element) {
        reduce<Policy<decltype(element)>>(call, call.ins[0], call.outs[0]);
    });
}

// Of floating-point elements alone; after `First`, where that is given.
template <template <class> class Policy, template <class> class... First>
void reduce_floats(const Call &call) {
    expect_reduction(call);
    with_element_type(call, call.ins[0], [&](auto element) {
        using Element = decltype(element);
        if constexpr (std::is_integral_v<Element>)
            call.expect(false, "the kernel takes f32 and f64");
        else {
            (reduce<First<Element>>(call, call.ins[0], call.outs[0]), ...);
            reduce<Policy<Element>>(call, call.ins[0], call.outs[0]);
        }
    });
}

} // namespace

void reduce_sum(const Call &call) { reduce_numbers<Sum>(call); }

void reduce_mean(const Call &call) { reduce_numbers<Mean>(call); }

void reduce_prod(const Call &call) { reduce_numbers<Product>(call); }

void reduce_max(const Call &call) { reduce_numbers<Largest>(call); }

void reduce_min(const Call &call) { reduce_numbers<Smallest>(call); }

void reduce_l1(const Call &call) { reduce_numbers<Absolute>(call); }

void reduce_l2(const Call &call) { reduce_numbers<Root>(call); }

void reduce_sum_square(const Call &call) { reduce_numbers<Squares>(call); }

void reduce_log_sum(const Call &call) { reduce_floats<Logarithm>(call); }

void reduce_log_sum_exp(const Call &call) { reduce_floats<LogarithmOfPowers, Largest>(call); }

} // namespace lastuse::kernels
