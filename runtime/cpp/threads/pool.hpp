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

#include "barrier.hpp"

namespace lastuse {

// OpenMP's threads do not suffice, for three reasons: each thread of the user has a team of its own, oneDNN's loops on
// the team wait for each other, and a child of a fork hangs. The pool serves all threads of the process. The calling
// thread works too, and does all of the work if the pool is busy, so no job waits for a pool thread to become free.
class Pool {
public:
    // The pool of this process: created at first use and again in the child of a fork, never destroyed.
    static Pool &shared();

    // Calls work(0) to work(lanes - 1), each once, on the calling thread and at most lanes - 1 others. Returns when all
    // have returned, and rethrows the first exception of any of them.
    void run(int lanes, const std::function<void(int)> &work);

    // Calls `work` once for each lane, all at the same time, so that they may wait for each other: on the calling thread
    // and lanes - 1 idle threads. Returns false without a call if there are not as many idle threads or cores, and for
    // a number of jobs after a slow barrier. `work` must not throw.
    bool run_together(int lanes, const std::function<void(const Share &)> &work);

    // Ends and joins the threads. The next run starts new ones.
    void stop();

    int threads();
    // How many jobs `run_together` has run.
    int64_t joint_jobs();

private:
    struct Job {
        const std::function<void(int)> &work;
        int lanes;
        bool joint; // all lanes run at the same time
        int next = 0; // the first lane that is not taken
        std::atomic<int> unfinished;
        std::exception_ptr error;
        std::condition_variable done;

        Job(const std::function<void(int)> &lane_work, int count, bool is_joint)
            : work(lane_work), lanes(count), joint(is_joint), unfinished(count) {}
    };

    void grow(int threads);
    // Pins each thread to its own core, and moves a thread that is pinned to the core of the calling thread.
    void pin();
    void serve();
    void lane(Job &job, std::unique_lock<std::mutex> &lock);
    void join(Job &job, std::unique_lock<std::mutex> &lock);

    std::mutex mutex_; // of all that follows, and of the jobs
    std::condition_variable wanted_;
    std::deque<Job *> jobs_;      // those with lanes that are not taken
    std::atomic<int> waiting_{0}; // number of `jobs_`
    int busy_ = 0;                // threads at work
    int promised_ = 0;            // lanes of joint jobs that are not taken
    std::atomic<int> lanes_{0};   // of all jobs that have not ended
    int resting_ = 0;             // how many more jobs `run_together` refuses
    int64_t joint_jobs_ = 0;
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> threads_;
    std::vector<int> cores_; // of the threads
};

} // namespace lastuse
