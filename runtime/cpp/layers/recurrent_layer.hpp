// A direction of a recurrent layer over a dense batch: how its run is shared among threads, and as a step of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../core/program.hpp"
#include "../kernels/recurrent.hpp"

namespace lastuse::layers {

// How threads share a run, and what scratch they take. Sequences are shared where there are enough of them; else the
// columns of the state, for which the threads wait for each other in each step. Small runs are one thread's.
struct Room {
    int lanes;
    bool by_columns;
    // Of a lane if sequences are shared; of all lanes; and with the packed weights behind them, if a run packs them.
    int64_t lane_bytes, lanes_bytes, bytes;

    static Room of(const kernels::RecurrentShape &shape, int64_t steps, int64_t width, int threads, bool packs);
};

// Which operands there are that may be left out. Cells are an LSTM's.
struct Given {
    bool state, cells, lengths, bias;
};

// ins: x [steps, width, input]; as far as they are given the state [1, 1, width, hidden] and the cells before the first
// step, else 0, and how many steps each sequence has, i32 or i64 [width]; without `packed` then the weights as
// kernels::pack_recurrent takes them, which each run packs: w, r, the bias if it is given, and the peephole of a shape
// that has it. outs: y [steps, width, hidden], 0 behind the end of a sequence, the last state and, of an LSTM, the last
// cells, 0 of a sequence without steps. f32, the elements of a row are dense; the last state may be where the first one
// is, and the cells alike. `packed`: the packed weights, which the program keeps alive. Throws Error if an operand does
// not fit. A run throws IndicesError if a sequence is longer than there are steps, or shorter than nothing.
void add_recurrent(StepProgram &program, const std::string &name, const kernels::RecurrentShape &shape,
                   const kernels::RecurrentFormula &formula, bool reverse, const Given &given,
                   std::optional<py::array> packed, const std::vector<int> &ins, const std::vector<int> &outs, int scratch);

} // namespace lastuse::layers
