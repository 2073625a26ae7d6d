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

// Elements of `item` bytes along an axis, at strides in bytes, to an axis that shares no byte with it. A stride of 0
// repeats an element.
inline void copy_elements(int64_t item, int64_t count, const char *src, int64_t src_stride, char *dst,
                          int64_t dst_stride) {
    if (src_stride == item && dst_stride == item) {
        std::memcpy(dst, src, static_cast<size_t>(item * count));
        return;
    }
    const bool known = by_item(item, [&](auto element) {
        if (src_stride == 0 && dst_stride == item) {
            std::memcpy(&element, src, sizeof element);
            for (int64_t k = 0; k < count; ++k)
                std::memcpy(dst + k * static_cast<int64_t>(sizeof element), &element, sizeof element);
            return;
        }
        for (int64_t k = 0; k < count; ++k)
            std::memcpy(dst + k * dst_stride, src + k * src_stride, sizeof element);
    });
    for (int64_t k = 0; k < count && !known; ++k)
        std::memcpy(dst + k * dst_stride, src + k * src_stride, static_cast<size_t>(item));
}

} // namespace lastuse
