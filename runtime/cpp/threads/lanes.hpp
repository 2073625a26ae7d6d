// Lanes: parts of a step's work that threads share.
//
// In a run, lanes are computed by the threads of its OpenMP team, which also compute oneDNN's primitives. Threads of both
// kinds wait awake for the next step, so two kinds would take the cores from each other. The pool has the lanes outside of
// a run, and where runs of other threads of the user already have the cores: there it does not wait for its threads.
#pragma once

#include <cstdint>
#include <functional>

#include "barrier.hpp"

namespace lastuse {

// Calls work(0) to work(lanes - 1), each once. Returns when all have returned, and rethrows the first exception of any of
// them.
void run_lanes(int lanes, const std::function<void(int)> &work);

// Calls `work` once for each lane, all at the same time, so that they may wait for each other. Returns false without a call
// if there are not as many idle threads or cores, and for a number of jobs after a slow barrier. `work` must not throw.
bool run_together(int lanes, const std::function<void(const Share &)> &work);

// How many jobs `run_together` has run.
int64_t joint_jobs();

} // namespace lastuse
