// Search for a plan within a capacity.
#pragma once

#include <memory>

#include "clock.hpp"
#include "timeline.hpp"

namespace lastuse::planning {

// Depth-first search for offsets within a capacity.
//
// Every plan can be pushed down until each buffer has offset 0 or begins at the end of another one. The search considers
// only such plans and builds them from below: it selects the buffer with the lowest possible offset, `low`, and decides
// whether it has that offset or not. Placed buffers are below all open ones, so a state is known by the `low` of each
// open buffer. Two buffers meet if they are in use at one time.
//
// * A buffer that does not have its `low` as offset must be kept from it by a buffer that it meets, that begins below
//   its end, and on which it lies. This raises `low`; the branch is infeasible if no such buffer is left.
// * Each section propagates (it is a machine of a scheduling problem; buffers are tasks, `low` release times). The open
//   buffers of a section, stacked in the order of `low`, must end within the capacity. A buffer that does not fit after
//   a set of others comes before all of them, which raises their `low`.
// * Sets of open buffers that do not meet are solved independently.
// * Failed states are kept in a transposition table.
// * Symmetry: equal buffers have ascending offsets in the order of their numbers.
//
// Ties between buffers of equal `low` are broken by one of several static orders. No order is best for all problems, so
// they alternate with a growing limit of nodes. Each static order is followed by orders that put first the buffers with
// the most failures so far (F. Boussemart et al., "Boosting Systematic Search by Weighting Constraints", ECAI 2004).
//
// The form of the search, sections and the portfolio follow M. D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator
// for Hardware-Accelerated Machine Learning", ASPLOS 2023, doi 10.1145/3623278.3624752; edge finding is from J. Carlier
// and E. Pinson, "An Algorithm for Solving the Job-Shop Problem", Management Science 35 (1989).
class Search {
public:
    Search(const std::vector<Buffer> &buffers, const Timeline &timeline);
    ~Search();

    // False if the lists of buffers that meet would take gigabytes; `fits` must not be called then.
    bool possible() const;

    // Whether all buffers fit into `capacity` bytes; `unknown` if the limits of `clock` or `nodes` were reached. On `yes`,
    // `offsets` is the plan.
    Fits fits(int64_t capacity, Clock &clock, int64_t nodes, std::vector<int64_t> &offsets);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace lastuse::planning
