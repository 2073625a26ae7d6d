#include "team.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>
#include <pthread.h>

#include "../support.hpp"
#include "thread.hpp"

namespace lastuse {

namespace {

// In the child of a fork: whether the calling thread's team may consist of threads of the parent.
thread_local bool lost = false;
thread_local int own_team = 1;
// In `share_out`: the teams that the thread which shares out has.
thread_local const TeamSizes *told_teams = nullptr;
bool is_kept = false; // of the fork in progress: whether the team could not be released before it

void release_team() { is_kept = omp_pause_resource_all(omp_pause_soft) != 0; }
void lose_team() { lost = lost || is_kept; }

// How many of `threads`, including the calling one, the system can start. OpenMP ends the process if a thread cannot be
// started.
int startable(int threads) {
    std::mutex mutex;
    std::condition_variable ending;
    bool ended = false;
    std::vector<std::thread> started;
    started.reserve(static_cast<size_t>(threads));
    try {
        while (static_cast<int>(started.size()) < threads - 1)
            started.push_back(start_thread([&] {
                std::unique_lock<std::mutex> lock(mutex);
                ending.wait(lock, [&] { return ended; });
            }));
    } catch (const std::system_error &) {
        // The system has no more threads.
    }
    {
        const std::lock_guard<std::mutex> lock(mutex);
        ended = true;
    }
    ending.notify_all();
    for (std::thread &thread : started)
        thread.join();
    return static_cast<int>(started.size()) + 1;
}

// The size of a team of the calling thread, which is in no parallel region. It depends only on the settings.
int measured(int threads) {
    thread_local std::map<std::array<int, 3>, int> known;
    const std::array<int, 3> settings{threads, omp_get_thread_limit(), omp_get_max_active_levels()};
    const auto found = known.find(settings);
    if (found != known.end())
        return found->second;
    const int most = startable(threads);
    const ThreadCount scope(most);
    int size = 1;
#pragma omp parallel
    {
#pragma omp master
        size = omp_get_num_threads();
    }
    if (most == threads)
        known[settings] = size;
    return size;
}

bool may_have_team() { return omp_get_level() == 0 && !lost; }

// Calls `work` on a new thread, which is in no parallel region and has no team yet.
void on_new_thread(const std::function<void()> &work) {
    std::exception_ptr error;
    try {
        start_thread([&] {
            try {
                work();
            } catch (...) {
                error = std::current_exception();
            }
        }).join();
    } catch (const std::system_error &failure) {
        throw Error(std::string("the system starts no further thread: ") + failure.what());
    }
    if (error)
        std::rethrow_exception(error);
}

// What a thread writes before it hands over is there for each that takes over later.
std::atomic<uint32_t> handovers{0};
void hand_over() { handovers.fetch_add(1, std::memory_order_release); }
void take_over() { (void)handovers.load(std::memory_order_acquire); }

void work_on(const std::function<void(int)> &work) {
    take_over();
    work(omp_get_thread_num());
    hand_over();
}

void on_own_team(int threads, const std::function<void()> &work) {
    struct Own {
        const int before = own_team;
        explicit Own(int count) { own_team = count; }
        ~Own() { own_team = before; }
    } const own(threads);
    const ThreadCount scope(threads);
    work();
}

} // namespace

ThreadCount::ThreadCount(int count) : count_(omp_get_max_threads()), dynamic_(omp_get_dynamic()) {
    omp_set_num_threads(count);
    omp_set_dynamic(0);
}

ThreadCount::~ThreadCount() {
    omp_set_num_threads(count_);
    omp_set_dynamic(dynamic_);
}

int team_size(int threads) {
    const int wanted = threads > 0 ? threads : omp_in_parallel() ? 1 : omp_get_max_threads();
    if (wanted == 1)
        return 1;
    if (told_teams != nullptr && told_teams->count(wanted) != 0)
        return told_teams->at(wanted);
    if (may_have_team())
        return measured(wanted);
    int size = 1;
    on_new_thread([&] { size = measured(wanted); });
    return size;
}

void on_team(int threads, const std::function<void()> &work) {
    const auto is_told = [threads](const auto &team) { return team.second == threads; };
    // In a parallel region oneDNN takes one thread, whatever is told.
    const bool told =
        told_teams != nullptr && omp_get_level() == 0 && std::any_of(told_teams->begin(), told_teams->end(), is_told);
    if (threads == 1 || told || (may_have_team() && measured(threads) == threads))
        return on_own_team(threads, work);
    on_new_thread([&] {
        const int size = measured(threads);
        if (size != threads)
            throw Error("the program is prepared for " + std::to_string(threads) + " threads, and OpenMP gives " +
                        std::to_string(size));
        on_own_team(threads, work);
    });
}

void share_out(size_t count, int threads, const TeamSizes &teams, const std::function<void(size_t)> &work) {
    std::atomic<size_t> next{0};
    std::vector<std::exception_ptr> errors(count);
    const auto take = [&] {
        const TeamSizes *const before = std::exchange(told_teams, &teams);
        for (size_t number = next++; number < count; number = next++) {
            try {
                work(number);
            } catch (...) {
                errors[number] = std::current_exception();
            }
        }
        told_teams = before;
    };
    std::vector<std::thread> others;
    try {
        for (size_t other = 1; other < std::min(count, static_cast<size_t>(std::max(threads, 1))); ++other)
            others.push_back(start_thread(take));
    } catch (const std::system_error &) {
        // The system has no more threads: those that there are take all.
    }
    take();
    for (std::thread &other : others)
        other.join();
    for (const std::exception_ptr &error : errors)
        if (error)
            std::rethrow_exception(error);
}

int team_of_run() { return omp_in_parallel() ? 1 : own_team; }

// Not instrumented: ThreadSanitizer does not know what OpenMP orders. `handovers` tells it.
__attribute__((no_sanitize("thread"))) void on_each_of_team(const std::function<void(int)> &work) {
    hand_over();
    // Always the whole team: for a smaller one, OpenMP would end threads, and start them again for the next region.
#pragma omp parallel num_threads(own_team)
    work_on(work);
    take_over();
}

// The team's in each call: OpenMP may have ended threads and started others since the last one.
SafeStack::SafeStack(bool moves, int threads) {
    if (!moves)
        return;
    held_.emplace();
    if (threads > 1 && team_of_run() > 1)
        on_each_of_team([](int number) {
            if (number != 0)
                hold_signals();
        });
}

void watch_forks() { pthread_atfork(release_team, nullptr, lose_team); }

} // namespace lastuse
