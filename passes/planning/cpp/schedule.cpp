#include "schedule.hpp"

#include <algorithm>
#include <numeric>

#include "clock.hpp"
#include "schedule_beam.hpp"
#include "schedule_state.hpp"

namespace lastuse::planning {
namespace {

constexpr size_t narrow = 100, wide = 3'000;  // sets that a beam keeps
constexpr int64_t most_choices = 8'000'000;  // ops that a beam looks at; long graphs get a narrower one
constexpr int64_t most_runs = 2'000'000;      // ops run and undone to settle an order
constexpr int64_t first_turn = 2'000;         // nodes of one direction before the other has its turn
constexpr int64_t most_nodes = int64_t{1} << 50;
constexpr int64_t looks_of_node = 512; // ready ops looked at that count as a further node: wide graphs have hundreds

// Depth-first search over sets of executed ops, from the start or from the end. Both directions search the same orders,
// but under a budget one may have thousands of states and the other millions.
class Searcher {
public:
    Searcher(const ScheduleState &start, bool backwards, Clock &clock)
        : state_(start), backwards_(backwards), clock_(clock) {}

    // Starts a search; states that failed within another budget do not apply.
    void set_budget(int64_t budget) {
        budget_ = budget;
        failed_states_.clear();
    }

    // Whether an order stays within the budget; if so, `order` is that order.
    Fits turn(int64_t nodes, std::vector<int> &order) {
        nodes_left_ = nodes;
        looks_ = 0;
        state_.reset(backwards_);
        path_.clear();
        choices_.clear();
        const Fits found = solve();
        clock_.nodes += nodes - std::max<int64_t>(nodes_left_, 0);
        if (found == Fits::yes) {
            order = path_;
            if (backwards_)
                std::reverse(order.begin(), order.end());
        }
        return found;
    }

private:
    struct Choice {
        int64_t live, peak;
        int op;
    };

    Fits solve() {
        const size_t entered = path_.size(), first = choices_.size();
        while (run_safe(first)) {
        }
        if (state_.all())
            return Fits::yes;
        if (failed_states_.contains(state_.key())) {
            choices_.resize(first);
            undo_to(entered);
            return Fits::no;
        }
        nodes_left_ -= 1 + looks_ / looks_of_node;
        looks_ %= looks_of_node;
        if (nodes_left_ < 0 || ((++checked_ & 255) == 0 && clock_.left() <= 0))
            return Fits::unknown;
        const Key here = state_.key();
        std::sort(choices_.begin() + first, choices_.end(), [](const Choice &a, const Choice &b) {
            return a.live != b.live ? a.live < b.live : a.peak != b.peak ? a.peak < b.peak : a.op < b.op;
        });
        for (size_t at = first, end = choices_.size(); at < end; ++at) {
            run(choices_[at].op);
            const Fits found = solve();
            if (found != Fits::no)
                return found;
            undo_to(path_.size() - 1);
        }
        failed_states_.insert(here);
        choices_.resize(first);
        undo_to(entered);
        return Fits::no;
    }

    // Runs a ready op that fits the budget and does not increase the live bytes. Running it now never increases the need
    // of later ops, so no other choice is tried. (Live bytes are a submodular function of the set of executed ops: what
    // an op adds to them can only decrease if others run before it.) If there is none, the choices
    // from `first` on are the ready ops that fit the budget.
    bool run_safe(size_t first) {
        int safe = -1;
        choices_.resize(first);
        looks_ += static_cast<int64_t>(state_.ready().size());
        for (const int op : state_.ready()) {
            const auto step = state_.step(op);
            if (step.peak > budget_)
                continue;
            if (step.live <= state_.live() && (safe < 0 || op < safe))
                safe = op;
            choices_.push_back({step.live, step.peak, op});
        }
        if (safe >= 0)
            run(safe);
        return safe >= 0;
    }

    void run(int op) {
        state_.run(op);
        path_.push_back(op);
    }

    void undo_to(size_t length) {
        for (; path_.size() > length; path_.pop_back())
            state_.undo(path_.back());
    }

    ScheduleState state_;
    bool backwards_;
    Clock &clock_;
    FailedStates failed_states_;
    int64_t budget_ = 0, nodes_left_ = 0, looks_ = 0, checked_ = 0;
    std::vector<int> path_;
    std::vector<Choice> choices_; // of the states on the path, one behind the other
};

// Alternates the directions, with twice as many nodes in each round. Failed states are kept between turns.
Fits fits(Searcher &forwards, Searcher &backwards, int64_t budget, Clock &clock, int64_t nodes, std::vector<int> &order) {
    forwards.set_budget(budget);
    backwards.set_budget(budget);
    const int64_t stop = clock.nodes + nodes;
    for (int64_t limit = first_turn;; limit *= 2)
        for (Searcher *searcher : {&backwards, &forwards}) {
            const int64_t left = std::min(limit, stop - clock.nodes);
            if (left <= 0 || clock.left() <= 0)
                return Fits::unknown;
            if (const Fits found = searcher->turn(left, order); found != Fits::unknown)
                return found;
        }
}

// Moves `order` towards `given` within the peak: at each step, runs the first op of `given` that can run now without a
// higher peak for any other.
std::vector<int> settled(ScheduleState state, std::vector<int> order, const std::vector<int> &given, int64_t peak) {
    int64_t runs_left = most_runs;
    std::vector<int> waiting = given;
    for (size_t at = 0; at < order.size(); ++at) {
        for (const int op : waiting) {
            if (op == order[at] || runs_left <= 0)
                break;
            if (!state.is_ready(op) || state.step(op).peak > peak)
                continue;
            state.run(op);
            size_t passed = at;
            for (; order[passed] != op && state.step(order[passed]).peak <= peak; ++passed, --runs_left)
                state.run(order[passed]);
            const bool fits = order[passed] == op;
            for (size_t back = passed; back > at; --back)
                state.undo(order[back - 1]);
            state.undo(op);
            if (fits) {
                std::rotate(order.begin() + at, order.begin() + passed, order.begin() + passed + 1);
                break;
            }
        }
        state.run(order[at]);
        waiting.erase(std::find(waiting.begin(), waiting.end(), order[at]));
    }
    return order;
}

Schedule measured(const Graph &graph, ScheduleState state, const std::vector<int> &order) {
    if (order.size() != graph.ops.size())
        throw Error("the order does not have every op once");
    Schedule result;
    result.order = order;
    for (const int op : order) {
        if (op < 0 || static_cast<size_t>(op) >= graph.ops.size() || !state.is_ready(op))
            throw Error("the order does not have every op once, after those that write what it reads");
        for (const auto &pair : state.inplace(op))
            result.inplace.push_back(pair);
        result.peak = std::max(result.peak, state.step(op).peak);
        state.run(op);
    }
    for (size_t op = 0; op < graph.ops.size(); ++op)
        result.lower_bound = std::max(result.lower_bound, state.tables().need[op]);
    const int64_t ends = std::max(state.tables().at_start, state.tables().at_end);
    result.lower_bound = std::max(result.lower_bound, ends);
    result.peak = std::max(result.peak, ends);
    if (result.peak == result.lower_bound)
        result.proof = Proof::reached;
    return result;
}

} // namespace

Schedule measured(const Graph &graph, const std::vector<int> &order) {
    return measured(graph, ScheduleState(graph), order);
}

Schedule schedule(const Graph &graph, const std::vector<int> &given, Limits limits, bool settle) {
    Clock clock(limits);
    const ScheduleState start(graph);
    Schedule best = measured(graph, start, given);
    const auto improve = [&](const std::vector<int> &order) {
        if (order.empty())
            return;
        if (auto found = measured(graph, start, order); found.peak < best.peak)
            best = std::move(found);
    };
    if (best.proof != Proof::none)
        return best;
    improve(beam(start.tables(), narrow, most_choices, best.peak));
    Searcher forwards(start, false, clock), backwards(start, true, clock);
    int64_t step = 0; // every peak is a multiple of it
    for (const int64_t bytes : graph.bytes)
        step = std::gcd(step, bytes);
    const int64_t bound = best.lower_bound;
    int64_t low = bound; // the smallest budget that is not known to be infeasible
    int64_t asked = bound;
    while (low < best.peak) {
        std::vector<int> order;
        const Fits found = fits(forwards, backwards, asked, clock, std::min(clock.nodes_left(), most_nodes), order);
        if (found == Fits::unknown)
            break;
        if (found == Fits::yes)
            improve(order);
        else
            low = asked + step;
        asked = low + (best.peak - step - low) / step / 2 * step;
    }
    if (low < best.peak)
        improve(beam(start.tables(), wide, most_choices, best.peak));
    if (settle && best.order != given)
        best = measured(graph, start, settled(start, best.order, given, best.peak));
    best.lower_bound = std::min(low, best.peak);
    best.proof = Proof::none;
    if (low >= best.peak)
        best.proof = best.peak == bound ? Proof::reached : Proof::exhausted;
    return best;
}

} // namespace lastuse::planning
