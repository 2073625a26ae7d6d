// The question "does it fit?", answered by search.
#pragma once

#include <memory>

#include "clock.hpp"
#include "timeline.hpp"

namespace lastuse::planning {

// Depth-first search for offsets within a capacity.
//
// Any plan can be pushed down until every buffer rests on the ground or on another, so the search looks at such plans
// alone, and builds them from below: it takes a buffer that can lie lowest and decides whether it lies there or not.
// What is placed is below all that is not, hence a state is known by the lowest offset, `low`, of each open buffer.
//
// * A buffer that could lie somewhere and does not must have been kept from there: one that it meets begins below its
//   end and carries it. This raises its `low`, and the branch is dead when no such buffer is left.
// * Sections infer (they are machines of a scheduling problem, buffers tasks, `low` release times): the open buffers
//   of a section, one on the other in the order of `low`, must end within the capacity; and a buffer that no longer
//   fits after others have begun goes before all of them, which raises theirs.
// * Buffers that no longer meet, not even through others, are questions of their own.
// * States that failed are remembered.
// * Equal buffers lie in the order of their numbers.
//
// Which buffer is taken first among those that can lie lowest is decided by one of several static orders. None is good
// everywhere, so they take turns, and each turn may visit more nodes than the one before. After a static order come
// some that put first what the dead ends so far were about (F. Boussemart et al., "Boosting Systematic Search by
// Weighting Constraints", ECAI 2004).
//
// The form of the search, sections and the portfolio follow M. D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator
// for Hardware-Accelerated Machine Learning", ASPLOS 2023, doi 10.1145/3623278.3624752; edge finding is from J. Carlier
// and E. Pinson, "An Algorithm for Solving the Job-Shop Problem", Management Science 35 (1989).
class Search {
public:
    Search(const std::vector<Buffer> &buffers, const Timeline &timeline);
    ~Search();

    // False if the buffers that meet are so many that their lists would take gigabytes; do not ask then.
    bool possible() const;

    // Whether all fits into `capacity` bytes; `unknown` when `clock` is over or `nodes` were visited. On `yes` the
    // plan stands in `offsets`.
    Fits fits(int64_t capacity, Clock &clock, int64_t nodes, std::vector<int64_t> &offsets);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace lastuse::planning
