// The gradient of a GRU over ragged rows in f32, gates sigmoid, candidate tanh: dnn.gru_grad as
// dialect/dnn/recurrent/gru_gradient.py defines it.
//
// Sequences are sorted by length, as forward, and processed together from the last step to the first. The gates of a
// block of rows are computed again at once, and its part of the weights' gradient is one product. Threads have sequences
// of their own, and add up the weights' gradient apart; the sums are added in order.
#pragma once

#include "../kernels/call.hpp"
#include "gru.hpp"

namespace lastuse::ragged {

struct GruGradient {
    int64_t rows, sequences, channels;
    bool reverse, origin; // origin: h' = u * h + (1 - u) * c, else (1 - u) * h + u * c
    const int64_t *offsets;
    Rows gates, hidden, hidden_gradient; // [rows, 3 * channels], [rows, channels]
    const Rows *h0;                      // [sequences, channels], or null for zeros
    const float *bias;                   // [3 * channels], or null for zeros
    const float *weight[3];              // of u, r, c: `channels` rows, `weight_stride` elements apart
    int64_t weight_stride[3];
    Rows gates_gradient; // may be `gates`
    Rows h0_gradient;

    // Scratch in bytes, on a 64-byte boundary.
    static int64_t scratch_bytes(int64_t channels, int64_t rows, int64_t sequences, int threads);
    // The gradient of the weights, in the scratch: u, r and c side by side, `columns` each, [channels, 3 * columns] for
    // columns = kernels::padded(channels). Throws OffsetsError.
    const float *run(int threads, char *scratch) const;
};

// The kernel that is called by name; operands as of dnn.gru_grad, numbers: whether there are a bias and h0, reverse,
// origin.
void gru_grad(const kernels::Call &call);
// Bytes of its scratch, for operands without elements.
int64_t gru_grad_scratch(const kernels::Call &call);

} // namespace lastuse::ragged
