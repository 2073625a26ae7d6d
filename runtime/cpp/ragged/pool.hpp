// A few threads of our own, each on a core, that share the lanes of a step with the thread that runs it.
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

// OpenMP's threads would do, but for three things: they are another team for every thread of the user, oneDNN's own
// loops on them wait for each other, and a child of a fork hangs. These serve whoever asks; who asks works too, and
// does all of the work where they are busy, so nothing ever waits for a thread to come free.
class Pool {
public:
    // The pool of this process: made at first use, anew in the child of a fork, never destroyed.
    static Pool &shared();

    // Calls work(0) to work(lanes - 1), each once, on the calling thread and at most lanes - 1 others; returns when all
    // have returned, and throws what the first of them threw.
    void run(int lanes, const std::function<void(int)> &work);

    // Calls work(...) once for each of so many lanes, all at the same time, so that they may wait for each other: on
    // the calling thread and lanes - 1 that were idle. Returns false, and calls nothing, where there are not so many or
    // not as many cores, and for a while after cores were often taken away. What is called must not throw.
    bool run_together(int lanes, const std::function<void(const Share &)> &work);

    // Ends and joins the threads. The next run makes new ones.
    void stop();

    int threads();
    // How many jobs were done together so far.
    int64_t together();

private:
    struct Job {
        const std::function<void(int)> &work;
        int lanes;
        bool together;
        int next = 0; // the lane nobody has taken yet
        std::atomic<int> unfinished;
        std::exception_ptr error;
        std::condition_variable done;

        Job(const std::function<void(int)> &of, int count, bool at_once)
            : work(of), lanes(count), together(at_once), unfinished(count) {}
    };

    void grow(int threads);
    // Gives each thread a core of its own, and another one where the calling thread runs on that.
    void place();
    void serve();
    void lane(Job &job, std::unique_lock<std::mutex> &lock);
    void join(Job &job, std::unique_lock<std::mutex> &lock);

    std::mutex mutex_; // of all that follows, and of the jobs
    std::condition_variable wanted_;
    std::deque<Job *> jobs_;         // those with lanes nobody has taken
    std::atomic<int> waiting_{0};    // how many jobs there are
    int busy_ = 0, promised_ = 0;    // threads at work; lanes of jobs done together that nobody has taken
    std::atomic<int> lanes_{0};      // of all jobs at work
    int rest_ = 0;                   // how many more are not done together
    int64_t together_ = 0;
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> threads_;
    std::vector<int> places_; // their cores
};

} // namespace lastuse
