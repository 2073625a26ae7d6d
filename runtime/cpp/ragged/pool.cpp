#include "pool.hpp"

#include <algorithm>

#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "../thread.hpp"
#include "spin.hpp"

namespace lastuse {

namespace {

// So many jobs after one whose barrier was slow are not done together.
constexpr int resting = 100;

constexpr int nowhere = -1; // no core

// The cores that the calling thread may be on.
std::vector<int> cores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> found;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &allowed))
                found.push_back(cpu);
    return found;
}

Pool *process_pool = nullptr;

// The parent's threads are not in the child, and its mutex may be locked for ever.
void renew() { process_pool = new Pool; }

} // namespace

Pool &Pool::shared() {
    static const bool made = [] {
        renew();
        return pthread_atfork(nullptr, nullptr, renew) == 0;
    }();
    (void)made;
    return *process_pool;
}

int Pool::threads() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(threads_.size());
}

int64_t Pool::together() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return together_;
}

void Pool::grow(int threads) {
    if (static_cast<int>(threads_.size()) >= threads || stopping_)
        return;
    try {
        while (static_cast<int>(threads_.size()) < threads) {
            threads_.push_back(start_thread([this] { serve(); }));
            places_.push_back(nowhere);
        }
    } catch (const std::system_error &) {
        // The system has no further thread: those that there are do the work, and the thread that asks.
    }
}

void Pool::place() {
    const int here = sched_getcpu();
    const auto taken = [&](int core) { return std::count(places_.begin(), places_.end(), core) > 0; };
    for (size_t k = 0; k < places_.size(); ++k) {
        if (places_[k] != nowhere && places_[k] != here)
            continue;
        for (const int core : cores())
            if (core != here && !taken(core)) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(core, &one);
                // A core that has gone meanwhile is no reason to fail: then the thread runs where it may.
                (void)pthread_setaffinity_np(threads_[k].native_handle(), sizeof one, &one);
                places_[k] = core;
                break;
            }
    }
}

void Pool::lane(Job &job, std::unique_lock<std::mutex> &lock) {
    const int number = job.next++;
    if (job.together)
        --promised_;
    if (job.next == job.lanes) {
        jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
        --waiting_;
    }
    lock.unlock();
    std::exception_ptr error;
    try {
        job.work(number);
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    if (error && !job.error)
        job.error = error;
    // Under the lock, so that who waits cannot be gone before `done` is told.
    if (--job.unfinished == 0)
        job.done.notify_all();
}

void Pool::serve() {
    omp_set_num_threads(1);
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopping_ || promised_ > 0) {
        if (!jobs_.empty()) {
            ++busy_;
            lane(*jobs_.front(), lock);
            --busy_;
            continue;
        }
        lock.unlock();
        // While others still do their lanes, the next job comes soon after them.
        spin([this] { return lanes_.load() == 0 || waiting_.load() > 0 || stopping_.load(); }, lagging_time);
        const bool found = spin([this] { return waiting_.load() > 0 || stopping_.load(); });
        lock.lock();
        if (!found)
            wanted_.wait(lock, [this] { return !jobs_.empty() || stopping_.load(); });
    }
}

void Pool::run(int lanes, const std::function<void(int)> &work) {
    if (lanes <= 0)
        return;
    if (lanes == 1) {
        work(0);
        return;
    }
    Job job(work, lanes, false);
    std::unique_lock<std::mutex> lock(mutex_);
    grow(lanes - 1);
    if (lanes_ == 0)
        place();
    lanes_ += lanes;
    jobs_.push_back(&job);
    ++waiting_;
    wanted_.notify_all();
    while (job.next < job.lanes)
        lane(job, lock);
    join(job, lock);
}

bool Pool::run_together(int lanes, const std::function<void(const Share &)> &work) {
    const int have = static_cast<int>(cores().size());
    std::unique_lock<std::mutex> lock(mutex_);
    if (rest_ > 0) {
        --rest_;
        return false;
    }
    if (lanes < 2 || lanes_ + lanes > have || stopping_)
        return false;
    grow(lanes - 1);
    // Idle ones that nobody was promised yet: they take a job that is done together before any other.
    if (static_cast<int>(threads_.size()) - busy_ - promised_ < lanes - 1)
        return false;
    if (lanes_ == 0)
        place();
    Barrier barrier(lanes);
    const std::function<void(int)> one = [&](int number) { work({number, lanes, &barrier}); };
    Job job(one, lanes, true);
    lanes_ += lanes;
    promised_ += lanes;
    ++together_;
    jobs_.push_front(&job);
    ++waiting_;
    wanted_.notify_all();
    lane(job, lock);
    join(job, lock);
    if (barrier.is_slow()) {
        lock.lock();
        rest_ = resting;
    }
    return true;
}

void Pool::join(Job &job, std::unique_lock<std::mutex> &lock) {
    lock.unlock();
    spin([&job] { return job.unfinished.load() == 0; }, lagging_time);
    lock.lock();
    job.done.wait(lock, [&job] { return job.unfinished.load() == 0; });
    lanes_ -= job.lanes;
    lock.unlock();
    if (job.error)
        std::rethrow_exception(job.error);
}

void Pool::stop() {
    std::vector<std::thread> ending;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
        ending.swap(threads_);
        places_.clear();
        wanted_.notify_all();
    }
    for (std::thread &thread : ending)
        thread.join();
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = false;
}

} // namespace lastuse
