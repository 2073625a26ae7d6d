// GRU kernels of this project, for cases that oneDNN computes slowly, incorrectly, or not on every processor: runs of few
// sequences, and weights in bf16 or int8.
//
// h' = u * h + (1 - u) * c, gates sigmoid, candidate tanh. Each row has three products. The product of the input is
// computed for all rows of a run at once; the products of the state (gates u and r) and of r * h (candidate c) are
// computed step by step. Sums, gates and states are f32. The factors are
//     f32   unchanged;
//     bf16  weights, and inputs and states when they are read, rounded to nearest, ties to even;
//     int8  weights round(w * weight_scale) in [-127, 127] by output channel, inputs and states
//           round(v * data_scale + data_shift) in [0, 255], with exact 32-bit sums; input and state have separate
//           scales.
// cell_kernel.cpp is compiled for AVX2 and for any processor; run_cell chooses by the processor it runs on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../threads/barrier.hpp"
#include "panel_sizes.hpp"

namespace lastuse::kernels {

// Element type of the weights.
enum class Kind { f32, bf16, int8 };

// Packed weights: the columns of each gate in panels, padded with zeros.
struct Cell {
    int64_t input, channels; // of x, of the state
    Kind kind;
    const void *layer[3], *iter[3]; // the panels of the gates u, r, c
    const float *bias;              // padded like the gates; int8: minus the part of data_shift in the products
    // int8, of the input and of the state: 1 / (data_scale * weight_scale), padded; scale and shift of the data.
    const float *inverse[2];
    float data_scale[2], data_shift[2];
};

// Columns of a vector and of a panel. A panel stays in the first-level cache while all rows are multiplied with it.
constexpr int64_t vector_columns = narrow_panels.lanes, panel_columns = narrow_panels.vectors * vector_columns;

// Columns of a gate in the kernels' memory, a multiple of a vector.
constexpr int64_t padded(int64_t channels) {
    return (channels + vector_columns - 1) / vector_columns * vector_columns;
}

// Panels of a gate; the last one may have unused columns, which are not read.
constexpr int64_t panels_of(int64_t channels) { return (channels + panel_columns - 1) / panel_columns; }

// Rows of a panel; int8 is multiplied in pairs of rows.
constexpr int64_t depth_of(int64_t rows, Kind kind) { return kind == Kind::int8 ? (rows + 1) / 2 * 2 : rows; }

constexpr int64_t item_bytes(Kind kind) { return kind == Kind::f32 ? 4 : kind == Kind::bf16 ? 2 : 1; }

// Bytes of the panels of one gate.
constexpr int64_t gate_bytes(int64_t rows, int64_t channels, Kind kind) {
    return depth_of(rows, kind) * panels_of(channels) * panel_columns * item_bytes(kind);
}

// Packs the columns of one gate into panels. `elements`: [rows, channels] of the kind, `stride` elements between rows.
void pack_gate(const void *elements, int64_t stride, int64_t rows, int64_t channels, Kind kind, void *panels);

// Scratch of a run in bytes; the memory begins on a 64-byte boundary.
int64_t cell_scratch_bytes(int64_t input, int64_t channels, Kind kind, int64_t steps, int64_t width);

// Reads x [steps, width, input] and `state` [width, channels], the state before the first step; writes `states` [steps,
// width, channels]. All are dense f32. Threads that compute a run together call it with the same operands, each with its
// share. On return, the columns of the calling thread are complete, and those of the others except for the last step.
void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share);

// The columns of the state that a share computes.
struct Columns {
    int64_t first, end;
};
Columns columns_of(const Share &share, int64_t channels);

// The most sequences of a run that these kernels compute by default, rather than oneDNN: any number of bf16 and int8. Of
// f32, any number with AVX2 and FMA but no AVX-512, where these kernels are as fast as oneDNN; a few with AVX-512; none
// without AVX2.
int64_t own_width(Kind kind);

namespace avx2 {
void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share);
}
namespace generic {
void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share);
}

} // namespace lastuse::kernels
