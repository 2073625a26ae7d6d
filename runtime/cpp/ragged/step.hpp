// Ragged GRUs as steps of a program.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../core/program.hpp"
#include "gru.hpp"

namespace lastuse::ragged {

// Weights that are views, and that each run packs.
struct UnpackedWeights {
    std::vector<bool> reverse; // for each direction of a layer
    bool sum;
    std::shared_ptr<GruCache> cache;
    std::vector<std::vector<int>> views;       // for each direction of each layer: layer, iter, bias and, of int8, the scales
    std::vector<std::pair<float, float>> data; // of int8: scale and shift of each layer's input and states
};

// ins: x, offsets and, if any, the initial states for each direction of each layer; out: the result of the last layer.
// `room`: of the same layers, and of the program's number of threads. Throws Error if an operand does not fit.
void add_gru(StepProgram &program, const std::string &name, std::vector<std::shared_ptr<const Gru>> layers,
             std::shared_ptr<const StackRoom> room, std::vector<int> ins, const std::vector<int> &outs, int scratch);

// As add_gru, with unpacked weights. Throws Error if they are not dense, or not of the sizes that `room` was made for.
void add_gru(StepProgram &program, const std::string &name, UnpackedWeights weights, std::shared_ptr<const StackRoom> room,
             std::vector<int> ins, const std::vector<int> &outs, int scratch);

} // namespace lastuse::ragged
