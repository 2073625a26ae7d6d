// A table of 256 results, applied to bytes.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

struct ByteLookup {
    const unsigned char *table; // begins with the result of the smallest number: of i8 that is the byte 128
    bool is_signed;
};

// to[k] is the result of from[k]; `to` may be `from`.
void look_up(const ByteLookup &of, const unsigned char *from, unsigned char *to, int64_t count);

} // namespace lastuse::kernels
