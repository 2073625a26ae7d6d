// The gradient of a GRU (cell.hpp) for rows whose states are known, in f32.
//
// The gates of many rows are computed again at once, since the state before each of them is known; only the gradients of
// the states are computed step by step. The gradients of the gates replace the gates. All rows have `columns` elements,
// padded(channels), and three times as many for the gates; elements past `channels` are not read.
// cell_gradient_kernel.cpp is compiled for AVX2 and for any processor.
#pragma once

#include "cell.hpp"

namespace lastuse::kernels {

// Packed weights of the gates u, r, c, and transposed.
struct CellGradient {
    int64_t channels;
    bool origin; // h' = u * h + (1 - u) * c, else (1 - u) * h + u * c
    const float *weights[3], *transposed[3];
};

// Packs f32 columns into panels; `row` and `column`: elements from one to the next.
void pack_panels(const float *elements, int64_t row, int64_t column, int64_t rows, int64_t columns, float *panels);

// Bytes of the memory of add_weight_gradient for so many rows.
int64_t weight_gradient_bytes(int64_t channels, int64_t rows);

struct CellGradientKernels {
    // gates: from what x and the bias give to u, r and c; reset: r * h. `before`: the states h.
    void (*compute_gates)(const CellGradient &cell, int64_t rows, const float *before, float *gates, float *reset);

    // One step of some sequences. state: from the gradient that the next step gives the states after this one to that of
    // the states before it; `own`: what the loss gives them besides, overwritten. gates: from u, r, c to their gradients.
    void (*go_back)(const CellGradient &cell, int64_t rows, const float *before, float *gates, float *own, float *state);

    // sums [channels, 3 * columns]: adds what the rows give the weights. `memory`: of weight_gradient_bytes.
    void (*add_weight_gradient)(const CellGradient &cell, int64_t rows, const float *before, const float *reset,
                                const float *gates, float *sums, char *memory);
};

// Those for the processor.
const CellGradientKernels &cell_gradient_kernels();

namespace avx2 {
extern const CellGradientKernels cell_gradient;
}
namespace generic {
extern const CellGradientKernels cell_gradient;
}

} // namespace lastuse::kernels
