// The product of two f32 matrices at any strides, none of them constant, and what becomes of each element then.
// strided_product_kernel.cpp is compiled for AVX-512, AVX2 and any processor.
#pragma once

#include <cstdint>

#include "packed_product.hpp"
#include "row_post_ops.hpp"

namespace lastuse::kernels {

// A matrix: elements from row to row, and from column to column.
template <class Element>
struct MatrixOf {
    Element *first;
    int64_t row, column;

    MatrixOf at(int64_t rows, int64_t columns) const { return {first + rows * row + columns * column, row, column}; }
    MatrixOf transposed() const { return {first, column, row}; }
};
using Matrix = MatrixOf<const float>;

// out = post_ops(begun + given @ weights). The `sum` that is post-op k adds `terms[k]`.
struct StridedProduct {
    int64_t rows, depth, columns;
    Matrix given;
    Matrix weights; // panels of all columns where `is_packed`; else its columns are dense
    bool is_packed, is_large; // `is_large`: the results do not stay in the second cache
    MatrixOf<float> out;
    Matrix begun; // what sums begin with, perhaps `out`; without elements: 0
    RowPostOps post_ops;
    Matrix terms[most_row_post_ops];
};

// `pack`: a matrix in panels, as packed_product.hpp has them. `compute`: all rows and columns; an element is a sum in one
// order, whatever the strides, and whether the weights are packed. `most_rows`: rows whose sums are in registers together.
// `direct_columns`: weights of a multiple of so many columns need no packing.
struct StridedKernel {
    int64_t most_rows, direct_columns;
    void (*pack)(Matrix matrix, int64_t depth, int64_t columns, float *panels);
    void (*compute)(const StridedProduct &);
};

namespace avx512 {
extern const StridedKernel strided_product;
}
namespace avx2 {
extern const StridedKernel strided_product;
}
namespace generic {
extern const StridedKernel strided_product;
}

} // namespace lastuse::kernels
