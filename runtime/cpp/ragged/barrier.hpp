// Where threads that share the columns of a run wait for each other, twice a step.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace lastuse {

// For a fixed number of threads, any number of times. Who waits spins, since the others come within a microsecond or
// two; where one was taken from its core, it sleeps.
class Barrier {
public:
    explicit Barrier(int threads);

    // Returns when all have called it; what they wrote before can be read by all.
    void wait();

    // Whether threads slept so often that they had better not wait for each other: other work has their cores.
    bool is_slow() const;

private:
    friend struct Share;

    const int threads_;
    // Each in a cache line of its own: who waits reads one, who comes writes the other.
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<uint32_t> round_{0};
    alignas(64) std::atomic<int> sleeping_{0};
    std::atomic<int> sleeps_{0};
    std::mutex mutex_;
    std::condition_variable awake_;
    bool ended_ = false; // all but the first thread leave when they come here next
};

// One of several threads that do a run together: which share of the columns is its own. Without a barrier it is alone.
struct Share {
    int lane, lanes;
    Barrier *barrier;

    void wait() const; // for the others

    // As wait, but if the barrier is slow the first thread is alone from here on, and does what was the others' too.
    // They get false, and leave.
    bool go_on();
};

} // namespace lastuse
