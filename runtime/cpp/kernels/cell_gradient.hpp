// The gradient of a GRU (cell.hpp) for rows whose states are known, in f32. A cell that has weights of its input makes the
// gates of x, and the gradients of x and of these weights.
//
// The gates of many rows are computed again at once, since the state before each of them is known; only the gradients of
// the states are computed step by step. The gradients of the gates replace the gates. All rows have `columns` elements,
// padded(channels), and three times as many for the gates; elements past `channels` are not read.
// cell_gradient_kernel.cpp is compiled for AVX2 and for any processor.
#pragma once

#include "cell.hpp"

namespace lastuse::kernels {

// Packed weights of the gates u, r, c, and transposed. `input`: columns of x; 0, and no weights of it, where the gates of
// x are given. `input_transposed`: null where the gradient of x is not computed.
struct CellGradient {
    int64_t channels, input;
    bool origin; // h' = u * h + (1 - u) * c, else (1 - u) * h + u * c
    const float *weights[3], *transposed[3], *input_weights[3], *input_transposed[3];
};

// Packs f32 columns into panels; `row` and `column`: elements from one to the next.
void pack_panels(const float *elements, int64_t row, int64_t column, int64_t rows, int64_t columns, float *panels);

// Bytes of the memory of add_weight_gradients for so many rows.
int64_t weight_gradient_bytes(int64_t channels, int64_t input, int64_t rows);

struct CellGradientKernels {
    // gates: from what is given to u, r and c; of a cell with weights of its input from the bias, of x [rows,
    // padded(input)]. reset: r * h. `before`: the states h.
    void (*compute_gates)(const CellGradient &cell, int64_t rows, const float *x, const float *before, float *gates,
                          float *reset);

    // One step of some sequences. state: from the gradient that the next step gives the states after this one to that of
    // the states before it; `own`: what the loss gives them besides, overwritten. gates: from u, r, c to their gradients.
    void (*go_back)(const CellGradient &cell, int64_t rows, const float *before, float *gates, float *own, float *state);

    // sums [channels + input + 1, 3 * columns]: adds what the rows give the weights of the state, those of x, and the
    // bias, row after row: rows that come in pieces have the same sums. x: becomes its own gradient, if that is computed. `memory`: of
    // weight_gradient_bytes.
    void (*add_weight_gradients)(const CellGradient &cell, int64_t rows, float *x, const float *before,
                                 const float *reset, const float *gates, float *sums, char *memory);
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
