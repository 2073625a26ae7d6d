// The product of f32 rows and a matrix whose columns are packed in panels, and what becomes of each element then. Rows are
// known when it runs alone: one kernel serves all sizes. The rows of a convolution are what is under its windows.
// packed_product_kernel.cpp is compiled for AVX-512, AVX2 and any processor.
#pragma once

#include <cstdint>
#include <functional>

#include "row_post_ops.hpp"
#include "float_windows.hpp"

namespace lastuse::kernels {

// Columns of a panel, [depth, product_panel]; the last one has half as many where that is enough. A column that is no
// result is zeros.
constexpr int64_t product_panel = 32, half_panel = product_panel / 2;

constexpr int64_t panelled_columns(int64_t columns) { return (columns + half_panel - 1) / half_panel * half_panel; }

// out = post_ops(rows @ weights + bias). Rows of `out` and `added` are dense.
struct PackedProduct : RowEpilogue {
    int64_t rows, depth, columns;
    const float *given;   // rows, `given_stride` elements apart
    int64_t given_stride;
    const float *weights; // panels
    float *out;
};

// The same of windows over x, `given`: a row for each place, of an element for each tap and channel.
struct PackedConvolution : PackedProduct {
    FloatWindows windows;
};

// Columns `first` to `end`, the first of a panel each; an element is a sum in one order, whatever the rows and how columns
// are shared. `compute`: of all rows; `convolve`: of rows `begin` to `until`. `most_rows`: rows whose sums are in registers
// together.
struct PackedKernel {
    int64_t most_rows;
    void (*compute)(const PackedProduct &, int64_t first, int64_t end);
    void (*convolve)(const PackedConvolution &, int64_t begin, int64_t until, int64_t first, int64_t end);
};

// That of this processor.
const PackedKernel &packed_kernel();

// Shares rows, or columns where there are few rows, among threads: calls compute(begin, until, first, end).
void share_product(const Call &call, const PackedProduct &product,
                   const std::function<void(int64_t, int64_t, int64_t, int64_t)> &compute);

namespace avx512 {
extern const PackedKernel packed_product;
}
namespace avx2 {
extern const PackedKernel packed_product;
}
namespace generic {
extern const PackedKernel packed_product;
}

} // namespace lastuse::kernels
