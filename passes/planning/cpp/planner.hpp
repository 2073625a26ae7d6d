// Offsets for buffers in one arena: three answers, from quick to proved.
#pragma once

#include "problem.hpp"

namespace lastuse::planning {

// The largest sum of bytes in use at one time, padding counted where no plan can do without it.
int64_t lower_bound(const std::vector<Buffer> &buffers);

// The largest first, each at the lowest gap: Y. Pisarchyk and J. Lee, "Efficient Memory Management for Deep Neural Net
// Inference", arXiv 2001.03288, section 5.2.
Plan greedy(const std::vector<Buffer> &buffers);

// Each buffer of `order`, which has them all once, at the lowest place where it meets none of those before it. In the
// order of a plan's offsets nothing lies higher than in that plan, and sizes that all grow alike make it grow alike.
Plan in_order(const std::vector<Buffer> &buffers, const std::vector<int> &order);

// Several orders with two rules for gaps, then a little search: first for a plan as small as the lower bound, then
// among orders near the best. Stops at the lower bound.
Plan best(const std::vector<Buffer> &buffers, Limits limits);

// Asks whether everything fits into the lower bound, then halves what lies between that and the best plan.
Plan exact(const std::vector<Buffer> &buffers, Limits limits);

} // namespace lastuse::planning
