// Kernels that are written once for several types of elements.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "call.hpp"

namespace lastuse::kernels {

// Calls work(Element{}) for the type of the elements of an array. Throws Error if it is not f32, f64, i32 or i64.
template <class Work>
void with_element_type(const Call &call, const Array &array, Work work) {
    switch (array.form->type) {
    case Type::f32:
        return work(float{});
    case Type::f64:
        return work(double{});
    case Type::i32:
        return work(int32_t{});
    case Type::i64:
        return work(int64_t{});
    default:
        call.expect(false, "the kernel takes f32, f64, i32 and i64");
    }
}

// The integers that sums and products of elements are computed in, which wrap; floating-point numbers themselves.
template <class Element, bool = std::is_integral_v<Element>>
struct Wrapping {
    using type = Element;
};
template <class Element>
struct Wrapping<Element, true> {
    using type = std::make_unsigned_t<Element>;
};
template <class Element>
using WrappingOf = typename Wrapping<Element>::type;

template <class Element>
Element load(const char *at) {
    Element element;
    std::memcpy(&element, at, sizeof element);
    return element;
}

template <class Element>
void store(char *at, Element element) {
    std::memcpy(at, &element, sizeof element);
}

// Numbers for elements, ascending, in which -0 is below 0, so that the largest is the same in any order. Not of NaN.
template <class Element>
struct Rank {
    using type = Element;
    static type of(Element x) { return x; }
    static Element element(type rank) { return rank; }
};

template <class Float, class Bits>
struct FloatRank {
    using type = Bits;
    static type of(Float x) {
        const auto bits = load<Bits>(reinterpret_cast<const char *>(&x));
        return bits ^ (bits < 0 ? std::numeric_limits<Bits>::max() : 0);
    }
    static Float element(type rank) {
        rank ^= rank < 0 ? std::numeric_limits<Bits>::max() : 0;
        return load<Float>(reinterpret_cast<const char *>(&rank));
    }
};

template <>
struct Rank<float> : FloatRank<float, int32_t> {};
template <>
struct Rank<double> : FloatRank<double, int64_t> {};

} // namespace lastuse::kernels
