// A barrier for threads that compute the columns of a run together, and wait for each other twice a step.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace lastuse {

// For a fixed number of threads, any number of times. A waiting thread spins, since the others arrive within a
// microsecond or two; if that takes longer, because a thread was preempted, it sleeps.
class Barrier {
public:
    explicit Barrier(int threads);

    // Returns when all threads have called it. Their writes before the call are visible to all after it.
    void wait();

    // Whether threads slept so often that computing together does not pay: other work uses their cores.
    bool is_slow() const;

private:
    friend struct Share;

    const int threads_;
    // Each in its own cache line: waiting threads read one, arriving threads write another.
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<uint32_t> round_{0};
    alignas(64) std::atomic<int> sleeping_{0};
    std::atomic<int> sleeps_{0};
    std::mutex mutex_;
    std::condition_variable awake_;
    bool ended_ = false; // all threads but the first leave at their next `continue_together`
};

// The share of one of several threads in a run that they compute together. Without a barrier the thread is alone.
struct Share {
    int lane, lanes;
    Barrier *barrier;

    void wait() const; // for the other threads

    // As wait; but if the barrier is slow, the first thread continues alone and takes over the shares of the others,
    // which get false.
    bool continue_together();
};

} // namespace lastuse
