// The limits of a search.
#pragma once

#include <chrono>

#include "problem.hpp"

namespace lastuse::planning {

enum class Fits { yes, no, unknown };

// Ends a search after a number of seconds or nodes. The system clock is read now and then.
class Clock {
public:
    explicit Clock(Limits limits) : limits_(limits), started_(std::chrono::steady_clock::now()) {}

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }
    // Remaining seconds; a large number if there is no limit.
    double left() const { return limits_.seconds > 0 ? limits_.seconds - seconds() : 1e9; }
    int64_t nodes_left() const { return limits_.nodes > 0 ? limits_.nodes - nodes : INT64_MAX; }
    bool over() const { return nodes_left() <= 0 || left() <= 0; }

    int64_t nodes = 0;

private:
    Limits limits_;
    std::chrono::steady_clock::time_point started_;
};

} // namespace lastuse::planning
