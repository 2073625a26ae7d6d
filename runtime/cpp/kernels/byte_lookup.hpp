// A table of 256 results, applied to bytes.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// The results of bytes by their value as ui8.
struct ByteLookup {
    alignas(64) unsigned char results[256];

    // `table` begins with the result of the smallest number: of i8 that is the byte 128.
    ByteLookup(const unsigned char *table, bool is_signed);
};

// to[k] = results[from[k]]; `to` may be `from`.
void look_up(const ByteLookup &of, const unsigned char *from, unsigned char *to, int64_t count);

} // namespace lastuse::kernels
