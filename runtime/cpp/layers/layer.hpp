// A recurrent layer: its sizes, the layouts of its operands, and the primitives of its directions in training.
#pragma once

#include <array>

#include "../core/primitive.hpp"
#include "../kernels/call.hpp"

namespace lastuse::layers {

constexpr int64_t item = sizeof(float);
enum class Cell { lstm, lbr_gru, gru };

// Sizes and attributes of a layer.
struct Layer {
    Cell cell;
    int64_t directions, steps, batch, inputs, hidden;
    bool reverse_first, batch_first, bias, states;
    int threads;

    bool is_lstm() const { return cell == Cell::lstm; }
    bool is_empty() const { return steps == 0 || batch == 0; }
    int64_t gates() const { return is_lstm() ? 4 : 3; }
    int64_t biases() const { return cell == Cell::gru ? 3 : 4; }
    bool is_reverse(int64_t direction) const { return reverse_first || direction == 1; }
    dnnl::rnn_direction direction(int64_t number) const {
        return is_reverse(number) ? dnnl::rnn_direction::unidirectional_right2left
                                  : dnnl::rnn_direction::unidirectional_left2right;
    }
    // The gate of ONNX's order (i, o, f, c or z, r, h) that oneDNN has at this place.
    int64_t gate(int64_t place) const { return is_lstm() ? std::array<int64_t, 4>{0, 2, 3, 1}[place] : place; }

    // Layouts of one direction, and where it begins in an array of all of them.
    Desc x() const { return sequence(inputs, inputs); }
    Desc y() const { return sequence(hidden, directions * hidden); }
    Desc state() const { return state_of(batch_first ? directions * hidden : hidden); }
    // The state of a step, in y.
    Desc state_in_y() const { return state_of(batch_first ? steps * directions * hidden : hidden); }
    int64_t y_offset(int64_t direction) const { return item * direction * (batch_first ? hidden : batch * hidden); }
    int64_t state_offset(int64_t direction) const { return y_offset(direction); }
    int64_t step_offset(int64_t step) const { return item * step * directions * hidden * (batch_first ? 1 : batch); }
    int64_t last_step(int64_t direction) const { return is_reverse(direction) ? 0 : steps - 1; }

    Dims weights(int64_t rows) const { return {1, 1, rows, gates(), hidden}; }
    // Gates of weights [gates * hidden, rows] as ONNX has them, as dense rows for each of oneDNN's inputs.
    Desc onnx_weights(int64_t rows, int64_t count) const {
        return f32({1, 1, rows, count, hidden}, {rows * gates() * hidden, rows * gates() * hidden, 1, hidden * rows, rows});
    }
    static Desc f32(const Dims &dims, const Dims &strides) { return {dims, dnnl::memory::data_type::f32, strides}; }
    Desc bias_row() const {
        return f32({1, 1, biases(), hidden}, {biases() * hidden, biases() * hidden, hidden, 1});
    }

private:
    // [steps, batch, columns] of rows that are `row` elements apart where the batch comes first.
    Desc sequence(int64_t columns, int64_t row) const {
        if (batch_first)
            return f32({steps, batch, columns}, {row, steps * row, 1});
        return f32({steps, batch, columns}, {batch * row, columns, 1});
    }
    Desc state_of(int64_t row) const {
        return f32({1, 1, batch, hidden}, {batch * row, batch * row, row, 1});
    }
};

// The layer that a call computes (training.hpp). Throws Error where operands do not fit.
Layer layer_of(const kernels::Call &call);

inline dnnl::primitive_attr attributes() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

// Layouts of a primitive that are not those of the operands.
struct Chosen {
    Desc weights_layer, weights_iter, workspace, scratch;
    dnnl::primitive primitive;
    Desc weights_layer_gradient, weights_iter_gradient;
};

// The primitives of a direction. They throw dnnl::error where there is none.
Chosen forward(const Layer &of, int64_t number);
Chosen backward(const Layer &of, int64_t number);

} // namespace lastuse::layers
