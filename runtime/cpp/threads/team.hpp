// The team of OpenMP threads that oneDNN computes on.
//
// A primitive is prepared for a number of threads. If a smaller team runs it, elements stay unwritten, and oneDNN
// reports no error. OpenMP provides fewer threads than requested in a parallel region and under OMP_THREAD_LIMIT,
// OMP_DYNAMIC and OMP_MAX_ACTIVE_LEVELS. So the size of the team is measured before a primitive is prepared, and both
// the preparation and every run use a team of exactly that size.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>

#include "held_signals.hpp"

namespace lastuse {

// Sets OpenMP's thread count of the calling thread for a scope, not adjusted on a busy machine. Restores the settings
// from before.
class ThreadCount {
public:
    explicit ThreadCount(int count);
    ~ThreadCount();
    ThreadCount(const ThreadCount &) = delete;
    ThreadCount &operator=(const ThreadCount &) = delete;

private:
    int count_, dynamic_;
};

// The size of the team that `on_team` can provide for a request of `threads`: at least 1, at most `threads`. 0 requests
// OpenMP's default for the calling thread, which in a parallel region is 1.
int team_size(int threads);

// Calls `work` once, with a team of exactly `threads` threads for each parallel region of oneDNN: on the calling thread,
// or on a new one if the calling thread is in a parallel region. Throws what `work` throws, and Error if OpenMP provides
// fewer threads there too.
void on_team(int threads, const std::function<void()> &work);

// Sizes of teams by the threads that were requested.
using TeamSizes = std::map<int, int>;

// Calls work(0) to work(count - 1), each once, on up to `threads` threads at the same time: the calling one, and others
// that end before it returns. There `team_size` and `on_team` answer as `teams` says, which the calling thread measured:
// to measure, each other thread would start a team of its own. Throws what the call of the smallest number that throws
// has thrown.
void share_out(size_t count, int threads, const TeamSizes &teams, const std::function<void(size_t)> &work);

// Threads of the team that the calling thread has in `on_team`. 1 elsewhere, and in a parallel region.
int team_of_run();

// Calls work(0) to work(team_of_run() - 1) on the threads of the team, all at the same time. `work` must not throw.
void on_each_of_team(const std::function<void(int)> &work);

// A scope in which code on `threads` threads of the team may move the stack (see held_signals.hpp), where it does: no
// signal comes to them. Those of the team's other threads, which are OpenMP's, stay blocked.
class SafeStack {
public:
    SafeStack(bool moves, int threads);

private:
    std::optional<HeldSignals> held_;
};

// Makes on_team work in the child of a fork. Called once, when the extension is loaded.
void watch_forks();

} // namespace lastuse
