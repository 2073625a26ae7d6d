// The code of a program of map.hpp: what no size of its operands changes, which kernels for all sizes have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "call.hpp"
#include "map.hpp"

namespace lastuse::kernels {

constexpr int64_t most_map_operands = 4; // of an instruction

// One step of a program: what it computes is the register of its number, counted behind operands and constants.
struct MapComputation {
    MapLoop loop;
    int64_t ins[most_map_operands], out;
};

// Bytes of an element.
int64_t bytes_of(ElementType type);

struct MapCode {
    std::vector<ElementType> types; // of operands, constants and computed values
    int64_t operands = 0, constants = 0, cost = 0;
    std::vector<std::pair<uint64_t, int64_t>> constant_values; // bits and bytes
    std::vector<MapComputation> computations;
    std::vector<int64_t> registers; // of operands and of computed values
    int64_t register_count = 0;

    // What the numbers of a call say, as `MapProgram.numbers` of dialect/dnn/map_program.py writes them: the same object
    // as long as a kernel has it. Throws Error where they are malformed. One thread asks at a time, with the GIL, which is
    // also held where a kernel lets go of it.
    static std::shared_ptr<const MapCode> of(const Call &call);
};

} // namespace lastuse::kernels
