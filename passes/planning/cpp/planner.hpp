// Offsets for buffers in one arena: three algorithms, from quick to proved optimal.
#pragma once

#include "problem.hpp"

namespace lastuse::planning {

// The largest sum of bytes in use at one time, including padding that every plan needs.
int64_t lower_bound(const std::vector<Buffer> &buffers);

// The largest buffers first, each in the lowest gap: Y. Pisarchyk and J. Lee, "Efficient Memory Management for Deep Neural Net
// Inference", arXiv 2001.03288, section 5.2.
Plan greedy(const std::vector<Buffer> &buffers);

// First fit: each buffer of `order`, which has every buffer once, at the lowest offset where it does not overlap those
// before it. In the order of a plan's offsets, no offset is higher than in that plan; if all sizes are scaled by a factor,
// so are the offsets.
Plan first_fit(const std::vector<Buffer> &buffers, const std::vector<int> &order);

// Several orders with two rules for gaps, then local search from the best order, then a short search. Stops at the lower
// bound.
Plan best(const std::vector<Buffer> &buffers, Limits limits);

// Searches for a plan of the lower bound, then bisects between that and the best plan.
Plan exact(const std::vector<Buffer> &buffers, Limits limits);

} // namespace lastuse::planning
