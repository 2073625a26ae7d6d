// Convolutions of bytes whose windows are read where they lie in lines of x: all windows of a row of places overlap in a
// copy of the lines that they read, or in x itself.
#pragma once

#include "integer_windows.hpp"

namespace lastuse::kernels {

// How a convolution is a product of rows. A row is a window that is wide enough for the places of `shifts` windows side by
// side; the columns are the weights for each of these places, one behind the other, with their zero points around them. So
// few outputs fill a strip of columns, and the results of a row lie as the places do.
struct LineForm {
    explicit LineForm(const Windows &of);

    // Whether a convolution is computed so; of sizes that are known before it runs.
    bool fits() const;
    int64_t channels_bytes(int64_t pixels) const { return pixels * of.channels; }
    // Elements of a line that so many rows read.
    int64_t span(int64_t rows) const { return (rows - 1) * step + width; }
    int64_t rows_of_line() const { return (of.out[2] + of.shifts - 1) / of.shifts; }
    int64_t depth() const { return lines * width * of.channels; }
    int64_t columns() const { return of.shifts * of.outputs; }
    // Whether the weights are not as they are given.
    bool is_expanded() const;
    int64_t expanded_bytes() const { return is_expanded() ? aligned(of.groups * columns() * depth()) : 0; }
    int64_t scratch_bytes(int threads) const { return expanded_bytes() + sizes().scratch_bytes(threads); }
    // Rows that a lane multiplies, and the parts of its memory: the lines, the sums of elements of one line and of lines in
    // front of each other, and the sums of rows.
    int64_t rows_together() const;
    int64_t lines_bytes() const { return aligned(lines * channels_bytes(span(rows_together()))); }
    int64_t added_bytes() const { return aligned(channels_bytes(span(rows_together())) * 4); }
    int64_t sums_bytes() const { return aligned((span(rows_together()) + 1) * 4); }
    IntegerSizes sizes() const;
    // Whether the channels of an element of x, or of the result, lie side by side.
    bool has_x_last() const { return of.is_last || of.channels * of.groups == 1; }
    bool has_y_last() const { return of.is_last || of.outputs * of.groups == 1; }

    const Windows &of;
    int64_t lines; // of x in a window
    int64_t width; // elements of a row in each of them, with all channels whole quads
    int64_t step;  // elements between rows
};

void integer_lines(const Call &call, const LineForm &form);

} // namespace lastuse::kernels
