#include "search.hpp"

#include <algorithm>
#include <numeric>

#include "search_state.hpp"

namespace lastuse::planning {
namespace {

constexpr int64_t first_turn = 4'000; // nodes of each order in the first round
constexpr int learned_turns = 2;      // orders by failures after each static order
constexpr int most_depth = 10'000;    // of recursion; a stack has a few megabytes

} // namespace

Fits Search::State::turn(const std::vector<int> &order, int64_t nodes) {
    rank = order.data();
    nodes_left = nodes;
    depth = 0;
    open.assign(tasks.size(), {});
    carrier.assign(tasks.size(), -1);
    bytes.assign(members.size(), 0);
    touched.assign(members.size(), 0);
    touched_sections.clear();
    trail.clear();
    stack.resize(tasks.size());
    std::iota(stack.begin(), stack.end(), 0);
    for (size_t b = 0; b < tasks.size(); ++b)
        for (const auto &[s, rounded] : sections[b])
            bytes[s] += rounded;
    bool room = true;
    for (size_t b = 0; b < tasks.size(); ++b) {
        open[b].low = -1; // so that it is raised past the fixed buffers
        room = room && raise(static_cast<int>(b), std::max<int64_t>(tasks[b].fixed, 0));
    }
    Fits found = Fits::no;
    if (room && propagate(0, tasks.size()))
        found = solve_parts(0, tasks.size());
    clock->nodes += nodes - std::max<int64_t>(nodes_left, 0);
    return found;
}

// Solves the independent parts of stack[begin, end), the smaller first, which fail sooner.
Fits Search::State::solve_parts(size_t begin, size_t end) {
    const size_t base = stack.size();
    std::vector<std::pair<size_t, size_t>> parts;
    int reach = -1;
    for (size_t i = begin; i < end; ++i) {
        const int b = stack[i];
        if (open[b].placed)
            continue;
        if (tasks[b].first > reach)
            parts.emplace_back(stack.size(), 0);
        reach = std::max(reach, tasks[b].last);
        stack.push_back(b);
        parts.back().second = stack.size();
    }
    if (parts.size() > 1)
        std::stable_sort(parts.begin(), parts.end(), [](const auto &a, const auto &b) {
            return a.second - a.first < b.second - b.first;
        });
    Fits found = Fits::yes;
    for (size_t i = 0; i < parts.size() && found == Fits::yes; ++i)
        found = solve(parts[i].first, parts[i].second);
    stack.resize(base);
    return found;
}

Fits Search::State::solve(size_t begin, size_t end) {
    const Key state = key(begin, end);
    if (failed_states.contains(state))
        return Fits::no;
    if ((too_deep = depth >= most_depth))
        return Fits::unknown;
    ++depth;
    const size_t entered = trail.size();
    while (true) {
        if (--nodes_left < 0 || ((nodes_left & 15) == 0 && clock->left() <= 0))
            return Fits::unknown; // without backtracking, since the turn ends
        const int b = lowest(begin, end);
        const size_t mark = trail.size();
        if (place(b) && propagate(begin, end)) {
            const Fits found = solve_parts(begin, end);
            if (found != Fits::no) {
                --depth;
                return found;
            }
        }
        undo_touched();
        undo(mark);
        if (tasks[b].fixed != anywhere || !can_be_kept(b) || !postpone(b) || !propagate(begin, end))
            break;
    }
    undo_touched();
    undo(entered);
    failed_states.insert(state);
    --depth;
    return Fits::no;
}

// The buffers with the most failures first; ties as in a static order.
std::vector<int> Search::State::learned(size_t order) const {
    const auto &before = ranks[order];
    std::vector<int> sorted(before.size()), rank_of(before.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(),
              [&](int a, int b) { return weights[a] != weights[b] ? weights[a] > weights[b] : before[a] < before[b]; });
    for (size_t i = 0; i < sorted.size(); ++i)
        rank_of[sorted[i]] = static_cast<int>(i);
    return rank_of;
}

int Search::State::lowest(size_t begin, size_t end) const {
    int found = stack[begin];
    for (size_t i = begin + 1; i < end; ++i) {
        const int b = stack[i];
        if (open[b].low < open[found].low || (open[b].low == open[found].low && rank[b] < rank[found]))
            found = b;
    }
    return found;
}

// Whether an open buffer that `b` meets can begin below the end of `b` at its lowest offset, and so keep it from there.
bool Search::State::can_be_kept(int b) const {
    return std::any_of(meets[b].begin(), meets[b].end(), [&](const Meeting &meeting) {
        return !open[meeting.other].placed && open[meeting.other].low < open[b].low + meeting.mine;
    });
}

bool Search::State::place(int b) {
    const int64_t at = open[b].low;
    trail.push_back({b, open[b]});
    open[b].placed = true;
    open[b].kept = -1;
    for (const auto &[s, rounded] : sections[b])
        bytes[s] -= rounded;
    touch(b);
    for (const auto &[c, mine, theirs] : meets[b]) {
        if (open[c].placed)
            continue;
        if (open[c].kept >= 0 && at < open[c].kept + theirs) {
            trail.push_back({c, open[c]});
            open[c].kept = -1;
        }
        if (!raise(c, at + mine))
            return false;
    }
    return true;
}

// Decides that `b` does not have its lowest offset; nor have its equals, which come after it.
bool Search::State::postpone(int b) {
    for (const int64_t at = open[b].low; b >= 0; b = twins[b]) {
        if (open[b].placed || open[b].low != at)
            continue;
        trail.push_back({b, open[b]});
        open[b].kept = at;
        carrier[b] = -1;
        if (!carry(b))
            return false;
    }
    return true;
}

Search::Search(const std::vector<Buffer> &buffers, const Timeline &timeline)
    : state_(std::make_unique<State>(buffers, timeline)) {}

Search::~Search() = default;

bool Search::possible() const { return state_->possible; }

Fits Search::fits(int64_t capacity, Clock &clock, int64_t nodes, std::vector<int64_t> &offsets) {
    State &state = *state_;
    state.capacity = capacity;
    state.rounded_capacity = round_up(capacity, state.unit);
    state.clock = &clock;
    state.failed_states.clear();
    state.too_deep = false;
    state.weights.assign(state.tasks.size(), 0);
    Fits found = state.tasks.empty() ? Fits::yes : Fits::unknown;
    const int64_t stop = clock.nodes + std::min(nodes, clock.nodes_left());
    const auto take_turn = [&](const std::vector<int> &rank, int64_t limit) {
        const int64_t left = std::min(limit, stop - clock.nodes);
        if (left <= 0 || clock.over() || state.too_deep)
            return false;
        found = state.turn(rank, left);
        return found == Fits::unknown;
    };
    bool goes_on = found == Fits::unknown;
    for (int64_t limit = first_turn; goes_on; limit *= 2)
        for (size_t order = 0; order < state.ranks.size() && goes_on; ++order) {
            goes_on = take_turn(state.ranks[order], limit);
            for (int n = 0; n < learned_turns && goes_on; ++n)
                goes_on = take_turn(state.learned(order), limit);
        }
    if (found == Fits::yes) {
        offsets.assign(state.caller_buffers, 0);
        for (size_t b = 0; b < state.tasks.size(); ++b)
            offsets[state.numbers[b]] = state.open[b].low;
    }
    return found;
}

} // namespace lastuse::planning
