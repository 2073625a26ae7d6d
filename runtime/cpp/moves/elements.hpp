// Elements of any type as bytes: copied, and repeated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lastuse {

// Calls use(number), where the number has the type of elements of so many bytes; false where there is no such type.
template <class Use>
bool by_item(int64_t item, Use use) {
    switch (item) {
    case 1: return use(uint8_t{}), true;
    case 2: return use(uint16_t{}), true;
    case 4: return use(uint32_t{}), true;
    case 8: return use(uint64_t{}), true;
    default: return false;
    }
}

constexpr int64_t vector_bytes = 16; // of the narrowest registers that every processor has

// Calls store(offset) for vectors that cover bytes from 0 to `bytes`, at least one vector. The last two may overlap.
template <class Store>
void over_vectors(int64_t bytes, const Store &store) {
    for (int64_t at = 0; at + vector_bytes < bytes; at += vector_bytes)
        store(at);
    store(bytes - vector_bytes);
}

// Bytes to others that share none with them. A call of memcpy takes longer than the copy of a short row.
inline void copy_row(const char *from, char *to, int64_t bytes) {
    constexpr int64_t long_row = 1024;
    if (bytes >= long_row)
        std::memcpy(to, from, static_cast<size_t>(bytes));
    else if (bytes >= vector_bytes)
        over_vectors(bytes, [&](int64_t at) { std::memcpy(to + at, from + at, vector_bytes); });
    else
        for (int64_t at = 0; at < bytes; ++at)
            to[at] = from[at];
}

// `count` copies of one element behind each other.
template <class Element>
void repeat_element(Element element, int64_t count, char *to) {
    constexpr auto item = static_cast<int64_t>(sizeof element);
    if (count * item < vector_bytes) {
        for (int64_t k = 0; k < count; ++k)
            std::memcpy(to + k * item, &element, sizeof element);
        return;
    }
    char pattern[vector_bytes]; // of whole elements: the last vector may begin at any element
    for (int64_t at = 0; at < vector_bytes; at += item)
        std::memcpy(pattern + at, &element, sizeof element);
    over_vectors(count * item, [&](int64_t at) { std::memcpy(to + at, pattern, vector_bytes); });
}

// Elements along an axis, at strides in bytes, to an axis that shares no byte with it. A stride of 0 repeats an element.
template <class Element>
void copy_axis(int64_t count, const char *src, int64_t src_stride, char *dst, int64_t dst_stride) {
    constexpr auto item = static_cast<int64_t>(sizeof(Element));
    if (dst_stride == item && src_stride == item)
        return copy_row(src, dst, count * item);
    if (dst_stride == item && src_stride == 0) {
        Element element;
        std::memcpy(&element, src, sizeof element);
        return repeat_element(element, count, dst);
    }
    for (int64_t k = 0; k < count; ++k)
        std::memcpy(dst + k * dst_stride, src + k * src_stride, sizeof(Element));
}

// As `copy_axis`, of elements of so many bytes.
inline void copy_elements(int64_t item, int64_t count, const char *src, int64_t src_stride, char *dst,
                          int64_t dst_stride) {
    const bool known = by_item(
        item, [&](auto element) { copy_axis<decltype(element)>(count, src, src_stride, dst, dst_stride); });
    if (known)
        return;
    if (src_stride == item && dst_stride == item)
        return copy_row(src, dst, count * item);
    for (int64_t k = 0; k < count; ++k)
        std::memcpy(dst + k * dst_stride, src + k * src_stride, static_cast<size_t>(item));
}

} // namespace lastuse
