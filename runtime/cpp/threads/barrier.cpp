#include "barrier.hpp"

#include "spin.hpp"

namespace lastuse {

Barrier::Barrier(int threads) : threads_(threads) {}

bool Barrier::is_slow() const {
    constexpr int most = 8;
    return sleeps_.load(std::memory_order_relaxed) > most;
}

void Barrier::wait() {
    // The round cannot end before this thread has arrived.
    const uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
        arrived_.store(0, std::memory_order_relaxed);
        // Sequentially consistent with `sleeping_`: a thread that goes to sleep is counted here, or sees the new round.
        round_.store(round + 1);
        if (sleeping_.load() > 0) {
            const std::lock_guard<std::mutex> lock(mutex_);
            awake_.notify_all();
        }
        return;
    }
    if (spin([&] { return round_.load(std::memory_order_acquire) != round; }))
        return;
    sleeps_.fetch_add(1, std::memory_order_relaxed);
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleeping_;
    awake_.wait(lock, [&] { return round_.load() != round; });
    --sleeping_;
}

void Share::wait() const {
    if (barrier)
        barrier->wait();
}

bool Share::continue_together() {
    if (!barrier)
        return true;
    if (lane == 0 && barrier->is_slow())
        barrier->ended_ = true;
    barrier->wait();
    if (!barrier->ended_)
        return true;
    const bool stays = lane == 0;
    *this = {0, 1, nullptr};
    return stays;
}

} // namespace lastuse
