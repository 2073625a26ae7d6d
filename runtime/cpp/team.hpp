// The team of OpenMP threads that oneDNN computes on.
//
// A primitive is prepared for a number of threads. Where a smaller team runs it, elements stay unwritten, and oneDNN
// reports no error. OpenMP gives a smaller team than it is asked for in a parallel region, under OMP_THREAD_LIMIT,
// OMP_DYNAMIC and OMP_MAX_ACTIVE_LEVELS. So the size of a team is measured before a primitive is prepared, and both the
// preparation and every run take place where a team of that size comes.
#pragma once

#include <functional>

namespace lastuse {

// OpenMP's settings of the calling thread for a scope: `count` threads, as many on a busy machine too. Restores what
// was set before.
class ThreadCount {
public:
    explicit ThreadCount(int count);
    ~ThreadCount();
    ThreadCount(const ThreadCount &) = delete;
    ThreadCount &operator=(const ThreadCount &) = delete;

private:
    int count_, dynamic_;
};

// The size of the team that `on_team` can hold where `threads` are asked for: at least 1, at most `threads`. 0 asks for
// as many as OpenMP gives the calling thread, which in a parallel region is 1.
int team_size(int threads);

// Calls `work` once, where each parallel region of oneDNN gets exactly `threads` threads: on the calling thread, or on
// a new one where the calling thread is in a parallel region. Throws what `work` throws, and Error where OpenMP gives
// fewer threads there too.
void on_team(int threads, const std::function<void()> &work);

// Makes on_team right in the child of a fork. Called once, when the extension is loaded.
void watch_forks();

} // namespace lastuse
