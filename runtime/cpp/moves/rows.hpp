// Rows of an array to rows that lie densely behind each other, and back.
#pragma once

#include <cstdint>

namespace lastuse {

// Rows of an array. Strides are in bytes; 0 repeats an element or a row.
struct StridedRows {
    int64_t rows, columns;
    int64_t row_stride, stride; // from row to row, and from element to element
    int64_t item;               // bytes of an element: 1, 2, 4 or 8
};

// The two sides must not overlap.
void gather_rows(const StridedRows &shape, const char *from, char *dense);
void scatter_rows(const StridedRows &shape, const char *dense, char *to);

} // namespace lastuse
