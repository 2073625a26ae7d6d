// What the cells of recurrent layers in training make of the gates of a step, and of gradients, row by row; f32.
//
// Gates are [rows, gates, hidden] in ONNX's order. Forward they are replaced by what their functions make of them, and
// backward these by the gradients of what goes into the functions. Results do not depend on the processor.
#pragma once

#include "layer.hpp"

namespace lastuse::layers {

// The rows of one step.
struct CellStep {
    int64_t hidden;
    Rows gates, before; // `before`: the states h before the step
    Rows kept;          // as of Layer::kept_columns
    Rows cells_before;  // of an LSTM
};

// Forward. y: the states after the step.
void lstm_forward(const CellStep &step, Rows y, int64_t first, int64_t end);
void lbr_gru_forward(const CellStep &step, Rows y, int64_t first, int64_t end);
// The gates z and r of a GRU, and reset: r * h.
void gru_gates(const CellStep &step, Rows reset, int64_t first, int64_t end);
void gru_forward(const CellStep &step, Rows y, int64_t first, int64_t end);

// Backward. state: the gradient of the states after the step, to which that of y is added; becomes that of the states
// before it, without what the products with weights add. `dy` may have no data.
// cells: the gradient of the cells after the step; becomes that of the cells before it.
void lstm_backward(const CellStep &step, Rows dy, Rows state, Rows cells, int64_t first, int64_t end);
// kept: becomes the gradient of what the reset multiplies.
void lbr_gru_backward(const CellStep &step, Rows dy, Rows state, int64_t first, int64_t end);
// The gradients of z and of the candidate; reset: r * h.
void gru_backward(const CellStep &step, Rows dy, Rows state, Rows reset, int64_t first, int64_t end);
// That of r. product: the gradient of r * h.
void gru_reset_backward(const CellStep &step, Rows product, Rows state, int64_t first, int64_t end);

// sums += the sum of the rows.
void add_rows(const float *rows, int64_t stride, int64_t count, int64_t columns, float *sums);

} // namespace lastuse::layers
