// The product of f32 rows and a matrix whose columns are packed in panels, and what becomes of each element then. Rows are
// known when it runs alone: one kernel serves all sizes. packed_product_kernel.cpp is compiled for AVX-512, AVX2 and any
// processor.
#pragma once

#include <cstdint>

#include "row_post_ops.hpp"

namespace lastuse::kernels {

// Columns of a panel, [depth, product_panel]; the last one has half as many where that is enough. A column that is no
// result is zeros.
constexpr int64_t product_panel = 32, half_panel = product_panel / 2;

constexpr int64_t panelled_columns(int64_t columns) { return (columns + half_panel - 1) / half_panel * half_panel; }

// out = post_ops(rows @ weights + bias). Rows of `out` and `added` are dense.
struct PackedProduct {
    int64_t rows, depth, columns;
    const float *given;   // rows, `given_stride` elements apart
    int64_t given_stride;
    const float *weights; // panels
    const float *bias;    // of each column, or null
    const float *added;   // like out, which it may be, or null: what the sum among the post-ops adds
    float *out;
    RowPostOps post_ops;
};

// `compute`: columns `first` to `end`, the first of a panel each, of all rows. An element is a sum in one order, whatever
// the rows and how columns are shared. `most_rows`: rows whose sums are in registers together.
struct PackedKernel {
    int64_t most_rows;
    void (*compute)(const PackedProduct &, int64_t first, int64_t end);
};

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
