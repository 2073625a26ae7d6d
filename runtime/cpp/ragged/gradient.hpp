// The gradient of a GRU over ragged rows in f32, gates sigmoid, candidate tanh: dnn.gru_grad and dnn.fused_gru_grad as
// dialect/dnn/recurrent/gru_gradient.py defines them.
//
// Sequences are sorted by length, as forward, and processed together from the last step to the first. The gates of a
// block of rows are computed again at once, and its part of the weights' gradients is one product for each. Sequences are
// assigned to parts, each with sums of its own, which are added in order. The parts depend on the sizes alone, and threads
// compute whole parts, so the number of threads changes no bit.
#pragma once

#include "../kernels/call.hpp"
#include "gru.hpp"

namespace lastuse::ragged {

// The sizes of a gradient. `input`: columns of x; 0 where the gates of x are given.
struct GradientSizes {
    int64_t rows, sequences, channels, input;
};

struct GruGradient {
    GradientSizes sizes;
    bool reverse, origin; // origin: h' = u * h + (1 - u) * c, else (1 - u) * h + u * c
    const int64_t *offsets;
    Rows source, hidden, hidden_gradient; // x [rows, input] or the gates [rows, 3 * channels]; [rows, channels]
    const Rows *h0;                       // [sequences, channels], or null for zeros
    const float *bias;                    // [3 * channels], or null for zeros
    const float *weight[3];               // of u, r, c: `channels` rows, `weight_stride` elements apart
    int64_t weight_stride[3];
    const float *input_weight; // [input, 3 * channels], `input_stride` elements from row to row and element to element
    int64_t input_stride[2];
    const Rows *source_gradient; // may be `source` and, of x, `hidden` or `hidden_gradient`; or null
    const Rows *h0_gradient;    // or null

    // Scratch in bytes, on a 64-byte boundary.
    static int64_t scratch_bytes(const GradientSizes &sizes, int threads);
    // The gradients of the weights of the state, of x, and of the bias, in the scratch: rows of u, r and c side by side,
    // `columns` each, [channels + input + 1, 3 * columns] for columns = kernels::padded(channels). Throws OffsetsError.
    const float *run(int threads, char *scratch) const;
};

// The kernels that are called by name; operands as of the ops, numbers: whether there are a bias and h0, reverse, origin,
// whether there is the gradient of the source.
void gru_grad(const kernels::Call &call);
void fused_gru_grad(const kernels::Call &call);
// Bytes of their scratch, for operands without elements.
int64_t gru_grad_scratch(const kernels::Call &call);
int64_t fused_gru_grad_scratch(const kernels::Call &call);

} // namespace lastuse::ragged
