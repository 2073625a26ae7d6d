// A run of a GRU by kernels of our own, for what oneDNN does slowly, not everywhere, or not right: a few sequences, and
// weights in bf16 or int8.
//
// h' = u * h + (1 - u) * c, gates sigmoid, candidate tanh. Of the three products of a word, that of the input is done
// for all words of the run at once, that of the state for the gates u and r and that of r * h for c step by step. Sums,
// gates and states are f32. What is multiplied is
//     f32   as it is;
//     bf16  weights, and inputs and states as they are read, rounded to nearest, ties to even;
//     int8  weights round(w * weight_scale) in [-127, 127] by output channel, inputs and states
//           round(v * data_scale + data_shift) in [0, 255], added up in 32 bits without a loss; the scales of input
//           and state are apart.
// The source of the kernels is compiled for AVX2 and for any processor; which one runs is asked once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "barrier.hpp"

namespace lastuse::ragged {

// What the weights are kept in.
enum class Kind { f32, bf16, int8 };

// The weights as the kernels read them: columns of each gate in panels of 16, filled up with zeros.
struct Cell {
    int64_t input, channels; // of x, of the state
    Kind kind;
    const void *layer[3], *iter[3]; // the panels of the gates u, r, c
    const float *bias;              // padded as the gates are; int8: less what data_shift adds to the products
    // int8, of the input and of the state: 1 / (data_scale * weight_scale), padded; what is multiplied.
    const float *inverse[2];
    float data_scale[2], data_shift[2];
};

// Columns that are added up at a time, and those of a panel: all of one stay in the nearest cache while rows go by.
constexpr int64_t vector_columns = 8, panel_vectors = 3, panel_columns = panel_vectors * vector_columns;

// Columns of a gate in the kernels' memory.
constexpr int64_t padded(int64_t channels) {
    return (channels + vector_columns - 1) / vector_columns * vector_columns;
}

// Panels of a gate; of the last one only what is left is read.
constexpr int64_t panels_of(int64_t channels) { return (channels + panel_columns - 1) / panel_columns; }

// Rows of a panel: int8 is multiplied in pairs.
constexpr int64_t depth_of(int64_t rows, Kind kind) { return kind == Kind::int8 ? (rows + 1) / 2 * 2 : rows; }

constexpr int64_t item_bytes(Kind kind) { return kind == Kind::f32 ? 4 : kind == Kind::bf16 ? 2 : 1; }

// Bytes of the panels of one gate.
constexpr int64_t gate_bytes(int64_t rows, int64_t channels, Kind kind) {
    return depth_of(rows, kind) * panels_of(channels) * panel_columns * item_bytes(kind);
}

// Puts one gate's columns into panels. `elements`: [rows, channels] at `stride` elements from row to row, of the kind.
void pack_gate(const void *elements, int64_t stride, int64_t rows, int64_t channels, Kind kind, void *panels);

// Bytes of memory that a run needs beside its operands, on a 64-byte boundary.
int64_t cell_scratch_bytes(int64_t input, int64_t channels, Kind kind, int64_t steps, int64_t width);

// x [steps, width, input]; `state` [width, channels], the state before the first step; `states` [steps, width,
// channels], which are written. Dense f32. Threads that do a run together call it with the same operands, each with its
// share; each has written its own columns of `states` when it returns, and all of them up to the last step but one.
void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share);

// The columns of the state that are a share's own: from the first of the pair to the second.
struct Columns {
    int64_t first, end;
};
Columns columns_of(const Share &share, int64_t channels);

// Up to how many sequences a run is ours unless somebody says otherwise: all of bf16 and int8; of f32 the narrow ones,
// and all where the processor has AVX2 and FMA, which these kernels use as well as oneDNN does, but no AVX-512.
int64_t own_width(Kind kind);

namespace avx2 {
void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share);
}
namespace generic {
void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share);
}

} // namespace lastuse::ragged
