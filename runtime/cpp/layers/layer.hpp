// A recurrent layer in training: its sizes, and where the rows of its steps are in the operands.
#pragma once

#include <vector>

#include "../core/primitive.hpp"
#include "../kernels/call.hpp"

namespace lastuse::layers {

constexpr int64_t item = sizeof(float);
enum class Cell { lstm, lbr_gru, gru };

// Gates whose columns are multiplied with the same factor in a step: all gates of an LSTM; of a GRU the update and the
// reset, then the candidate.
struct GatePart {
    int64_t first, count;
};

// Rows of floats, `stride` elements apart.
struct Rows {
    float *data;
    int64_t stride;

    float *row(int64_t number) const { return data + number * stride; }
};

// Sizes and attributes of a layer. Gates are in ONNX's order: i, o, f, c or z, r, h.
struct Layer {
    Cell cell;
    int64_t directions, steps, batch, inputs, hidden;
    bool reverse_first, batch_first, bias, states;
    int threads;

    bool is_lstm() const { return cell == Cell::lstm; }
    bool is_empty() const { return steps == 0 || batch == 0; }
    bool is_reverse(int64_t direction) const { return reverse_first || direction == 1; }
    int64_t gates() const { return is_lstm() ? 4 : 3; }
    int64_t columns() const { return gates() * hidden; }
    int64_t rows() const { return steps * batch; }
    std::vector<GatePart> parts() const {
        return is_lstm() ? std::vector<GatePart>{{0, 4}} : std::vector<GatePart>{{0, 2}, {2, 1}};
    }

    // The step that is computed as number `walked` of a direction.
    int64_t step(int64_t direction, int64_t walked) const { return is_reverse(direction) ? steps - 1 - walked : walked; }

    // The rows of a step in an array whose rows are in the order of those of x.
    Rows step_rows(float *array, int64_t width, int64_t step) const {
        return batch_first ? Rows{array + step * width, steps * width} : Rows{array + step * batch * width, width};
    }
    // Those of y, and of a state.
    Rows y_rows(float *y, int64_t direction, int64_t step) const {
        return batch_first ? Rows{y + (step * directions + direction) * hidden, steps * directions * hidden}
                           : Rows{y + (step * directions + direction) * batch * hidden, hidden};
    }
    Rows state_rows(float *state, int64_t direction) const {
        return batch_first ? Rows{state + direction * hidden, directions * hidden}
                           : Rows{state + direction * batch * hidden, hidden};
    }

    // The workspace of a direction: the gates of each row, then the cells of an LSTM; of the GRU that applies the reset
    // behind the product, what the reset multiplies.
    int64_t kept_columns() const { return cell == Cell::gru ? 0 : hidden; }
    int64_t workspace_bytes() const { return aligned(rows() * (columns() + kept_columns()) * item); }
};

// The layer that a call computes (training.hpp). Throws Error where operands do not fit.
Layer layer_of(const kernels::Call &call);

} // namespace lastuse::layers
