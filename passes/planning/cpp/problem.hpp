// Problems and results of the planner, in bytes and times, independent of programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace lastuse::planning {

// `size` bytes in use at the times lower to upper, upper excluded.
struct Piece {
    int64_t lower;
    int64_t upper;
    int64_t size;
};

constexpr int64_t anywhere = -1;

// Memory with one offset for all of its lifetime: a multiple of `alignment`, or `fixed`. Its lifetime may have holes, and
// its size may change (for example, results written over one another).
struct Buffer {
    int64_t alignment = 1;
    int64_t fixed = anywhere;
    std::vector<Piece> live;
};

enum class Proof {
    none,             // the limit of time or nodes was reached
    reached,          // the peak equals a sum of bytes in use at one time
    infeasible_below, // the search showed that the next smaller arena is infeasible
    exhausted,        // every order of ops that could need less was tried
};

struct Plan {
    std::vector<int64_t> offsets;
    int64_t peak = 0;
    int64_t lower_bound = 0;
    Proof proof = Proof::none;
};

// The limits of a search, which ends at the first one. A result under a limit of nodes is the same on every machine.
struct Limits {
    double seconds = 0; // 0: none
    int64_t nodes = 0;  // 0: none
};

// An invalid problem, such as two fixed buffers that overlap.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline int64_t round_up(int64_t value, int64_t alignment) {
    if ((alignment & (alignment - 1)) == 0) // avoids a division in the innermost loop
        return (value + alignment - 1) & -alignment;
    return (value + alignment - 1) / alignment * alignment;
}

} // namespace lastuse::planning
