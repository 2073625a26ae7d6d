#include "lanes.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include <omp.h>

#include "pool.hpp"
#include "team.hpp"

namespace lastuse {

namespace {

constexpr int jobs_at_rest = 100; // that `run_together` refuses after a slow barrier

std::atomic<int> lanes_at_work{0}; // of all teams
std::atomic<int> resting{0};       // how many more jobs `run_together` refuses
std::atomic<int64_t> joint{0};

// Lanes that a team takes on, unless it has fewer threads or the cores are taken.
class TeamLanes {
public:
    explicit TeamLanes(int lanes) : lanes_(lanes) {
        accepted_ = lanes_at_work.fetch_add(lanes) + lanes <= omp_get_num_procs();
    }
    ~TeamLanes() { lanes_at_work -= lanes_; }
    TeamLanes(const TeamLanes &) = delete;
    TeamLanes &operator=(const TeamLanes &) = delete;

    bool accepted() const { return accepted_; }

private:
    int lanes_;
    bool accepted_;
};

// No exception may leave a parallel region: the first one is kept until its end.
class Errors {
public:
    template <class Work>
    void keep(Work work) {
        try {
            work();
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (!first_)
                first_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (first_)
            std::rethrow_exception(first_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr first_;
};

} // namespace

void run_lanes(int lanes, const std::function<void(int)> &work) {
    if (lanes <= 1 || team_of_run() == 1) {
        Pool::shared().run(lanes, work);
        return;
    }
    const TeamLanes taken(std::min(lanes, team_of_run()));
    if (!taken.accepted()) {
        Pool::shared().run(lanes, work);
        return;
    }
    std::atomic<int> next{0};
    Errors errors;
    on_each_of_team([&](int) {
        for (int lane; (lane = next.fetch_add(1)) < lanes;)
            errors.keep([&] { work(lane); });
    });
    errors.rethrow();
}

bool run_together(int lanes, const std::function<void(const Share &)> &work) {
    int left = resting.load();
    while (left > 0 && !resting.compare_exchange_weak(left, left - 1)) {
    }
    if (left > 0 || lanes < 2 || team_of_run() < lanes)
        return false;
    const TeamLanes taken(lanes);
    if (!taken.accepted())
        return false;
    ++joint;
    Barrier barrier(lanes);
    on_each_of_team([&](int thread) {
        if (thread < lanes)
            work({thread, lanes, &barrier});
    });
    if (barrier.is_slow())
        resting = jobs_at_rest;
    return true;
}

int64_t joint_jobs() { return joint.load(); }

} // namespace lastuse
