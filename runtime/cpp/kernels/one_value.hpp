// One value for many elements, of any type.
#pragma once

#include "../moves/elements.hpp"
#include "rows.hpp"

namespace lastuse::kernels {

class OneValue {
public:
    // The bits of the value as two numbers below 2^32, the lower ones first, and how many bytes it has.
    OneValue(double low, double high, int64_t item) : item_(item) {
        bits_ = static_cast<uint64_t>(high) << 32 | static_cast<uint64_t>(low);
        const uint64_t first = bits_ & 0xFF, ones = first * 0x0101010101010101U;
        repeats_ = (ones ^ bits_) << (64 - 8 * item) == 0;
    }

    // Gives all elements of the loop the value.
    void fill(const RowLoop<1> &loop, char *data) const {
        const int64_t step = loop.strides()[0];
        loop.pieces({data}, 0, loop.elements(), loop.columns(), [&](const RowLoop<1>::Pointers &at, int64_t count) {
            if (repeats_ && (step == item_ || count == 1))
                std::memset(at[0], static_cast<int>(bits_ & 0xFF), static_cast<size_t>(item_ * count));
            else
                copy_elements(item_, count, reinterpret_cast<const char *>(&bits_), 0, at[0], step);
        });
    }

    void put(char *at) const { copy_elements(item_, 1, reinterpret_cast<const char *>(&bits_), 0, at, item_); }

private:
    uint64_t bits_; // its lower bytes are those of the value
    int64_t item_;
    bool repeats_; // all of its bytes are one
};

} // namespace lastuse::kernels
