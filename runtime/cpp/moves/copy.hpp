// Copies of elements between two strided layouts.
#pragma once

#include <cstdint>
#include <vector>

namespace lastuse {

// A copy without its two addresses: `run` bytes that are contiguous on both sides, repeated over axes.
struct CopyPlan {
    struct Axis {
        int64_t size, src, dst; // strides in bytes, of either sign; 0 in src repeats an element
    };
    int64_t run = 0;        // bytes; 0: nothing to copy
    std::vector<Axis> axes; // outermost first
    bool is_transposed = false; // the last two axes are contiguous on one side each: in the source, in the destination
};

// Strides in bytes.
CopyPlan plan_copy(const std::vector<int64_t> &shape, const std::vector<int64_t> &src,
                   const std::vector<int64_t> &dst, int64_t item);

// Source and destination must not overlap.
void copy(const CopyPlan &plan, const char *src, char *dst);

} // namespace lastuse
