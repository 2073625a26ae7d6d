// The thread pool of the runtime: threads, each on its own core, that share the lanes of a step with the calling thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lastuse {

// For lanes outside of a run, and for runs of several threads at once (lanes.hpp): each has an OpenMP team of its own, and
// waits for all of its team. The pool serves all threads of the process. The calling thread works too, and does all of the
// work if the pool is busy, so no job waits for a pool thread to become free.
class Pool {
public:
    // The pool of this process: created at first use and again in the child of a fork, never destroyed.
    static Pool &shared();

    // Calls work(0) to work(lanes - 1), each once, on the calling thread and at most lanes - 1 others. Returns when all
    // have returned, and rethrows the first exception of any of them.
    void run(int lanes, const std::function<void(int)> &work);

    // Ends and joins the threads. The next run starts new ones.
    void stop();

    int threads();

private:
    struct Job {
        const std::function<void(int)> &work;
        int lanes;
        int next = 0; // the first lane that is not taken
        std::atomic<int> unfinished;
        std::exception_ptr error;
        std::condition_variable done;

        Job(const std::function<void(int)> &lane_work, int count) : work(lane_work), lanes(count), unfinished(count) {}
    };

    void grow(int threads);
    // Pins each thread to its own core, and moves a thread that is pinned to the core of the calling thread.
    void pin();
    void serve();
    void lane(Job &job, std::unique_lock<std::mutex> &lock);

    std::mutex mutex_; // of all that follows, and of the jobs
    std::condition_variable wanted_;
    std::deque<Job *> jobs_;      // those with lanes that are not taken
    std::atomic<int> waiting_{0}; // number of `jobs_`
    std::atomic<int> lanes_{0};   // of all jobs that have not ended
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> threads_;
    std::vector<int> cores_; // of the threads
};

} // namespace lastuse
