#include "pool.hpp"

#include <algorithm>

#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "spin.hpp"
#include "thread.hpp"

namespace lastuse {

namespace {

constexpr int unpinned = -1; // no core

// The cores that the calling thread may run on.
std::vector<int> allowed_cores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &allowed))
                cores.push_back(cpu);
    return cores;
}

Pool *process_pool = nullptr;

// The parent's threads do not exist in the child of a fork, and its mutex may stay locked.
void replace_pool() { process_pool = new Pool; }

} // namespace

Pool &Pool::shared() {
    static const bool registered = [] {
        replace_pool();
        return pthread_atfork(nullptr, nullptr, replace_pool) == 0;
    }();
    (void)registered;
    return *process_pool;
}

int Pool::threads() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(threads_.size());
}

void Pool::grow(int threads) {
    if (static_cast<int>(threads_.size()) >= threads || stopping_)
        return;
    try {
        while (static_cast<int>(threads_.size()) < threads) {
            threads_.push_back(start_thread([this] { serve(); }));
            cores_.push_back(unpinned);
        }
    } catch (const std::system_error &) {
        // The system has no more threads: the existing ones and the calling thread do the work.
    }
}

void Pool::pin() {
    const int here = sched_getcpu();
    const auto taken = [&](int core) { return std::count(cores_.begin(), cores_.end(), core) > 0; };
    for (size_t k = 0; k < cores_.size(); ++k) {
        if (cores_[k] != unpinned && cores_[k] != here)
            continue;
        for (const int core : allowed_cores())
            if (core != here && !taken(core)) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(core, &one);
                // Fails if the core has become unavailable; the thread then runs on any core.
                (void)pthread_setaffinity_np(threads_[k].native_handle(), sizeof one, &one);
                cores_[k] = core;
                break;
            }
    }
}

void Pool::lane(Job &job, std::unique_lock<std::mutex> &lock) {
    const int number = job.next++;
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
    // Under the lock, so that the waiting thread cannot destroy `done` before the notification.
    if (--job.unfinished == 0)
        job.done.notify_all();
}

void Pool::serve() {
    omp_set_num_threads(1);
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopping_) {
        if (!jobs_.empty()) {
            lane(*jobs_.front(), lock);
            continue;
        }
        lock.unlock();
        // While other threads still run their lanes, the next job is likely to follow soon.
        spin([this] { return lanes_.load() == 0 || waiting_.load() > 0 || stopping_.load(); }, lagging_time);
        const bool has_job = spin([this] { return waiting_.load() > 0 || stopping_.load(); });
        lock.lock();
        if (!has_job)
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
    Job job(work, lanes);
    std::unique_lock<std::mutex> lock(mutex_);
    grow(lanes - 1);
    if (lanes_ == 0)
        pin();
    lanes_ += lanes;
    jobs_.push_back(&job);
    ++waiting_;
    wanted_.notify_all();
    while (job.next < job.lanes)
        lane(job, lock);
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
        cores_.clear();
        wanted_.notify_all();
    }
    for (std::thread &thread : ending)
        thread.join();
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = false;
}

} // namespace lastuse
