// A beam search for an order of ops that needs little memory.
#pragma once

#include "schedule_tables.hpp"

namespace lastuse::planning {

// Of the sets of each size, keeps the `width` best by peak so far, then by live bytes. A ready op that does not increase
// the live bytes, or the peak so far, is run at once. Not more than `choices` ops of sets are looked at: what is left of
// them narrows the beam. Empty if it finds no order with a peak below `limit`.
std::vector<int> beam(const ScheduleTables &tables, size_t width, int64_t choices, int64_t limit);

} // namespace lastuse::planning
