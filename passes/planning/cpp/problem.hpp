// What the planner is asked, and what it answers. Nothing here knows of a program: bytes and times alone.
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

// Memory that begins at one offset for all of its life: a multiple of `alignment`, or `fixed`. It may be in use at
// some times and not at others, and for more or fewer bytes (results written over one another, say).
struct Buffer {
    int64_t alignment = 1;
    int64_t fixed = anywhere;
    std::vector<Piece> live;
};

enum class Proof {
    none,             // the limit of time or nodes came first
    reached,          // the peak equals a sum of bytes in use at one time
    infeasible_below, // the search found that the next smaller arena holds no plan
    exhausted,        // every order of ops that could need less was looked at
};

struct Plan {
    std::vector<int64_t> offsets;
    int64_t peak = 0;
    int64_t lower_bound = 0;
    Proof proof = Proof::none;
};

// When to stop: whichever comes first. Nodes make a result the same on every machine, seconds do not.
struct Limits {
    double seconds = 0; // 0: none
    int64_t nodes = 0;  // 0: none
};

// A question that has no answer, such as two fixed buffers on top of each other.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline int64_t round_up(int64_t value, int64_t alignment) {
    if ((alignment & (alignment - 1)) == 0) // a division takes longer than all else that is done with a buffer
        return (value + alignment - 1) & -alignment;
    return (value + alignment - 1) / alignment * alignment;
}

} // namespace lastuse::planning
