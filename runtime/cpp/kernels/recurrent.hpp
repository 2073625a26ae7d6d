// Recurrent cells of ONNX over dense batches, f32: LSTM, GRU with the reset before or behind the product of the state,
// and the plain RNN; gates are sigmoid, candidates tanh, or what a formula says.
//
// The product of the input is computed for all rows of a few steps at once, that of the state step by step. Each sum is
// one chain of multiply-adds in the order of its factors, so results do not depend on rows, on strides, or on how
// columns and sequences are shared among threads. recurrent_kernel.cpp is compiled for AVX-512, AVX2
// and any processor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../threads/barrier.hpp"
#include "panel_sizes.hpp"

namespace lastuse::kernels {

enum class RecurrentCell { lstm, lbr_gru, gru, rnn_tanh, rnn_relu, rnn_logistic, rnn };

enum class GateKind {
    sigmoid, tanh, relu, identity, affine, leaky_relu, thresholded_relu, scaled_tanh, hard_sigmoid, elu, softsign,
    softplus
};

struct GateFunction {
    GateKind kind;
    float alpha, beta; // of those that take them
};

// What a cell passes its sums through. Functions of an LSTM: of gates, of candidates and of cells; of GRUs: of gates and
// of candidates; of an RNN: the only one.
struct RecurrentFormula {
    bool is_standard; // an LSTM or GRU with sigmoid and tanh, without limit, whose forget gate is its own
    GateFunction functions[3];
    float limit;      // what goes into the first two is from -limit to limit; an infinity where there is none
    bool ties_forget; // of an LSTM: the forget gate is 1 - i

    // `names`: ONNX's, none for those that the cell's name says; `numbers`: alpha and beta of each. Throws Error for a
    // name or cell that there is not, for another count, and for a cell `rnn` without a function.
    static RecurrentFormula of(const std::string &cell, const std::vector<std::string> &names,
                               const std::vector<float> &numbers, float limit, bool ties_forget);
};

// Gates whose columns are multiplied with the same factor: all gates of a cell, but for `gru`, whose candidate is
// multiplied with r * h.
struct GateGroup {
    int64_t first, count; // numbers of gates
};

// The sizes of one direction, and where its packed weights are. The columns of a group are ordered by vectors of the
// state: the vector of each gate, then those of the next vector. They are in panels of the sizes that this processor's
// kernel reads.
struct RecurrentShape {
    RecurrentCell cell;
    int64_t input, hidden;
    bool peephole;

    PanelSizes panels;
    int64_t gates, groups;
    GateGroup group[2];
    // In floats from the beginning of the packed weights.
    int64_t layer[2], iter[2], layer_bias, iter_bias, peepholes, packed;

    // Throws Error if there is no such cell, if a size is not positive, or if another cell than an LSTM has peepholes.
    static RecurrentShape of(const std::string &cell, int64_t input, int64_t hidden, bool peephole);

    int64_t vectors() const; // of a state
    int64_t padded() const;  // columns of a state in whole vectors
    int64_t columns() const; // of all gates

    // What tells packed weights of this layout from all others.
    std::string layout() const;
};

// Weights as ONNX has them, dense: w [gates * hidden, input], r [gates * hidden, hidden], bias [2 * gates * hidden] or
// null, peephole [3 * hidden] or null, gates in ONNX's order. `packed`: shape.packed floats.
void pack_recurrent(const RecurrentShape &shape, const float *w, const float *r, const float *bias,
                    const float *peephole, float *packed);

// Sequences of one direction; strides are in floats, elements of a row are dense.
struct RecurrentRun {
    int64_t steps, width;
    bool reverse;
    const float *x;
    int64_t x_step, x_row;
    float *y;
    int64_t y_step, y_row;
    const float *h; // the state before the first step; null for zeros
    int64_t h_row;
    float *c; // of an LSTM: its cells, before the first step and then after the last one
    int64_t c_row;
    const int64_t *lengths; // how many steps each sequence has; null where it is all of them
};

// Floats of scratch for a run of so many steps and sequences.
int64_t recurrent_scratch(const RecurrentShape &shape, int64_t steps, int64_t width);

// Writes y, and c. At a step that a sequence does not have, its state is what it was, and y holds it. Threads that compute a run together call it with the same operands, each with its share of the
// columns. `scratch` begins on a 64-byte boundary.
void run_recurrent(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed,
                   const RecurrentRun &run, float *scratch, const Share &share);

// How many steps are multiplied with the weights of the input at once.
int64_t steps_at_once(int64_t steps, int64_t width);

// Into how many shares the columns of a state can be cut.
int64_t column_shares(const RecurrentShape &shape);

namespace avx512 {
void run_recurrent(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed,
                   const RecurrentRun &run, float *scratch, const Share &share);
}
namespace avx2 {
void run_recurrent(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed,
                   const RecurrentRun &run, float *scratch, const Share &share);
}
namespace generic {
void run_recurrent(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed,
                   const RecurrentRun &run, float *scratch, const Share &share);
}

} // namespace lastuse::kernels
