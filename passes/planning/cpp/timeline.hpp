// Time as the planner needs it: the moments at which most is in use, numbered.
#pragma once

#include "problem.hpp"

namespace lastuse::planning {

// A section is a set of buffers in use at one time that no other such set contains, where all have one size. Two buffers
// meet if and only if they share a section, so sections are all of time that counts.
struct Timeline {
    int sections = 0;
    std::vector<std::vector<Piece>> live; // of each buffer, in sections; empty: it meets no other
    std::vector<int64_t> size;            // of each buffer: its largest piece, 0 if it meets no other
    std::vector<int64_t> length;          // of each buffer: its life, in the caller's time
    int64_t unit = 1;                     // every offset is a multiple of it
    int64_t step = 1;                     // every peak of a plan pushed down is a multiple of it
    int64_t lower_bound = 0;              // bytes; no plan needs less
};

// Throws Error: a size, an alignment or a time that makes no sense, fixed buffers that meet in one place, or pieces
// of one buffer that overlap, or sums of sizes beyond 2^62.
Timeline timeline_of(const std::vector<Buffer> &buffers);

} // namespace lastuse::planning
