// Time in sections: the maximal sets of buffers that are in use at one time, numbered.
#pragma once

#include "problem.hpp"

namespace lastuse::planning {

// A section is a set of buffers in use at one time that no other such set contains, where each has one size. Two buffers
// meet (are in use at the same time) if and only if they share a section, so plans depend on time only through the
// sections.
struct Timeline {
    int sections = 0;
    std::vector<std::vector<Piece>> live; // of each buffer, in sections; empty: it meets no other
    std::vector<int64_t> size;            // of each buffer: its largest piece, 0 if it meets no other
    std::vector<int64_t> length;          // of each buffer: its lifetime, in the caller's time
    int64_t unit = 1;                     // every offset is a multiple of it
    int64_t step = 1;                     // every peak of a plan without avoidable gaps is a multiple of it
    int64_t lower_bound = 0;              // bytes; no plan has a smaller peak
};

// Throws Error: a size, an alignment or an offset is out of range, fixed buffers overlap, pieces of one buffer overlap,
// or sizes add up to more than 2^62.
Timeline timeline_of(const std::vector<Buffer> &buffers);

} // namespace lastuse::planning
