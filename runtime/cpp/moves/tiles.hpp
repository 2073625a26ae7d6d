// Matrices transposed tile by tile.
#pragma once

#include <cstdint>

namespace lastuse {

// Elements whose addresses are contiguous along one axis on one side, and along another axis on the other side.
struct Transposition {
    int64_t rows, columns; // columns are contiguous in the source, rows in the destination
    int64_t src, dst;      // strides in bytes: of rows in the source, of columns in the destination
};

// Whether `transpose` has elements of so many bytes: 1, 2, 4 or 8.
bool is_transposable(int64_t item);

// Source and destination must not overlap.
void transpose(Transposition work, int64_t item, const char *src, char *dst);

} // namespace lastuse
