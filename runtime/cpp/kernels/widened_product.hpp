// The product of f32 rows and a matrix of 8-bit integers. The integers are widened to f32 in registers where rows are
// few, else in pieces that stay in a cache, so the matrix is read at a quarter of the bytes of f32.
//
// widened_product_kernel.cpp and block_product_kernel.cpp, whose weights have scales in blocks, are compiled for several
// processors; widened_product.cpp chooses by the one it runs on.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// out = rows @ ((weights - zeros) * scales). All are dense.
struct WidenedProduct {
    int64_t rows, depth, columns;
    const float *given; // [rows, depth]
    const void *weights; // int8_t or uint8_t: [depth, columns], or in strips [columns / strip_columns, depth, strip_columns]
    bool is_signed, is_packed;
    const float *zeros, *scales; // [columns], or one number each, by the step of their pointers
    int64_t zero_step, scale_step;
    float *out; // [rows, columns]
};

// Columns that are widened together: one cache line of integers.
constexpr int64_t strip_columns = 64;
// Rows of weights that are widened together for so many rows of the product. Those that few rows read stay in the first
// cache; more rows add to their results less often with more.
static inline int64_t strip_depth(int64_t rows) { return rows > 40 ? 192 : 64; }
// Bytes that a thread widens into, from a 64-byte boundary on.
static inline int64_t strip_bytes(int64_t rows) {
    return strip_columns * strip_depth(rows) * static_cast<int64_t>(sizeof(float));
}

// `compute`: the columns of strips `first` to `end`. The sums of an element do not depend on how strips are shared. With
// `most_direct` rows or fewer it widens whole strips in registers, and needs `memory` for the last one alone, if that has
// fewer columns.
struct WidenedKernel {
    int64_t most_direct;
    void (*compute)(const WidenedProduct &, int64_t first, int64_t end, float *memory);
};

// out = rows @ ((weights - zeros) * scales), where each block of rows of the weights has scales and zeros of its own. Strips
// of `strip_columns` columns are behind each other, the last one padded.
struct BlockProduct {
    int64_t rows, depth, columns, block; // rows of weights in a block
    int bits;                            // of a weight, 4 or 8
    const float *given;                  // [rows, depth]
    // [strips, depth, strip_columns * bits / 8]. Of 4 bits a byte has a column, and above it the one half a strip behind.
    const unsigned char *weights;
    const float *scales;         // [strips, blocks, strip_columns]
    const unsigned char *zeros;  // of the scales' shape; null where there are none of this type
    const float *wide_zeros;     // likewise; where both are null, they are half the range
    float *out;                  // [rows, columns]
};

// As WidenedKernel.
struct BlockKernel {
    int64_t most_direct;
    void (*compute)(const BlockProduct &, int64_t first, int64_t end, float *memory);
};

namespace avx512 {
extern const WidenedKernel widened_product;
extern const BlockKernel block_product;
}
namespace avx2 {
extern const WidenedKernel widened_product;
extern const BlockKernel block_product;
}
namespace generic {
extern const WidenedKernel widened_product;
extern const BlockKernel block_product;
}

} // namespace lastuse::kernels
