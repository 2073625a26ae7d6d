#include "search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "failures.hpp"

namespace lastuse::planning {
namespace {

constexpr int64_t most_meetings = 20'000'000; // half a gigabyte
constexpr int64_t first_turn = 4'000;         // nodes of each order before the next has its turn

struct Task {
    int64_t size;      // bytes of the largest piece
    int64_t alignment; // 1 if fixed
    int64_t fixed;
    int64_t length;  // in the caller's time
    int first, last; // first and last section
};

struct Share { // of a buffer in a section
    int other;       // the section, in the list of a buffer; the buffer, in that of a section
    int64_t rounded; // bytes up to the next place where another may begin

    bool operator==(const Share &share) const { return other == share.other && rounded == share.rounded; }
};

struct Meeting {
    int other;
    int64_t mine;   // most bytes that the buffer has where it meets the other
    int64_t theirs; // most bytes that the other has there
};

// What changes of a buffer on the way down, and is put back on the way up.
struct Open {
    int64_t low = 0;    // least offset it can have; once placed, its offset
    int64_t kept = -1;  // another must keep it from lying there; -1: no such demand
    bool placed = false;
};

struct Saved {
    int buffer;
    Open before;
};

struct Item { // an open buffer of a section
    int64_t low;
    int64_t size;
    int buffer;
};

} // namespace

struct Search::State {
    State(const std::vector<Buffer> &buffers, const Timeline &timeline);
    void meet(const Timeline &timeline);
    void rank_all();

    Fits turn(size_t order, int64_t nodes);
    Fits solve(size_t begin, size_t end);
    Fits solve_parts(size_t begin, size_t end);
    int lowest(size_t begin, size_t end) const;
    bool can_be_kept(int b) const;
    bool place(int b);
    bool postpone(int b);
    bool raise(int b, int64_t low);
    bool propagate(size_t begin, size_t end);
    bool carry(int b);
    bool infer(int section);
    bool edges();
    void touch(int b);
    void undo(size_t mark);
    void undo_touched();
    Key key(size_t begin, size_t end) const;

    // The question's fixed part. Buffers are numbered anew, in the order of their first sections.
    size_t caller_buffers;
    int64_t unit;
    bool possible = true;
    std::vector<int> numbers; // of the caller
    std::vector<Task> tasks;
    std::vector<std::vector<Share>> sections;     // of each buffer
    std::vector<std::vector<Share>> members;      // of each section
    std::vector<std::vector<Meeting>> meets;      // of each buffer: those that share a section
    std::vector<std::vector<Meeting>> fixed_near; // of each buffer: the fixed ones among them, from below
    std::vector<std::vector<int>> ranks;      // one for each order: of each buffer its place
    std::vector<int> twins;                   // of each buffer: the next equal one, or -1

    // One question.
    int64_t capacity = 0, rounded_capacity = 0;
    Clock *clock = nullptr;
    Failures failures;

    // One turn.
    const int *rank = nullptr;
    int64_t nodes_left = 0;
    std::vector<Open> open;
    std::vector<int> carrier;   // of a buffer with `kept`: place in `meets` of what may carry it
    std::vector<int64_t> bytes; // still open in each section
    std::vector<Saved> trail;
    std::vector<char> touched;
    std::vector<int> touched_sections;
    std::vector<Item> items;
    std::vector<int> stack; // the open buffers of each level
};

Search::State::State(const std::vector<Buffer> &buffers, const Timeline &timeline)
    : caller_buffers(buffers.size()), unit(timeline.unit) {
    for (size_t i = 0; i < buffers.size(); ++i)
        if (!timeline.live[i].empty())
            numbers.push_back(static_cast<int>(i));
    const auto &live = timeline.live;
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](int a, int b) { return live[a].front().lower < live[b].front().lower; });
    int64_t total = 0;
    for (const int number : numbers) {
        const auto &buffer = buffers[number];
        tasks.push_back({timeline.size[number], buffer.fixed == anywhere ? buffer.alignment : 1, buffer.fixed,
                         timeline.length[number], static_cast<int>(live[number].front().lower),
                         static_cast<int>(live[number].back().upper) - 1});
        for (const auto &piece : live[number])
            total += piece.upper - piece.lower;
    }
    if (!(possible = total <= most_meetings))
        return;
    sections.resize(numbers.size());
    members.resize(static_cast<size_t>(timeline.sections));
    for (size_t b = 0; b < numbers.size(); ++b)
        for (const auto &piece : live[numbers[b]])
            for (auto s = static_cast<int>(piece.lower); s < piece.upper; ++s) {
                sections[b].push_back({s, round_up(piece.size, unit)});
                members[s].push_back({static_cast<int>(b), round_up(piece.size, unit)});
            }
    meet(timeline);
    if (possible)
        rank_all();
}

void Search::State::meet(const Timeline &timeline) {
    const int n = static_cast<int>(tasks.size());
    meets.resize(tasks.size());
    fixed_near.resize(tasks.size());
    twins.assign(tasks.size(), -1);
    std::vector<int> place(tasks.size(), -1); // in meets[b]
    size_t total = 0;
    for (int b = 0; b < n; ++b) {
        for (const auto &piece : timeline.live[numbers[b]])
            for (auto s = static_cast<int>(piece.lower); s < piece.upper; ++s)
                for (const auto &[c, theirs] : members[s]) {
                    if (c == b)
                        continue;
                    if (place[c] < 0) {
                        place[c] = static_cast<int>(meets[b].size());
                        meets[b].push_back({c, 0, 0});
                    }
                    auto &meeting = meets[b][place[c]];
                    meeting.mine = std::max(meeting.mine, piece.size);
                    meeting.theirs = std::max(meeting.theirs, theirs);
                }
        for (const auto &meeting : meets[b])
            place[meeting.other] = -1;
        std::sort(meets[b].begin(), meets[b].end(), [](const auto &x, const auto &y) { return x.other < y.other; });
        total += meets[b].size();
        if (!(possible = total <= most_meetings))
            return;
        for (const auto &meeting : meets[b]) {
            const Task &x = tasks[b], &y = tasks[meeting.other];
            if (y.fixed != anywhere)
                fixed_near[b].push_back(meeting);
            else if (meeting.other > b && twins[b] < 0 && x.fixed == anywhere && x.size == y.size &&
                     x.alignment == y.alignment && sections[b] == sections[meeting.other])
                twins[b] = meeting.other;
        }
        std::sort(fixed_near[b].begin(), fixed_near[b].end(),
                  [&](const auto &x, const auto &y) { return tasks[x.other].fixed < tasks[y.other].fixed; });
    }
}

// Contention is the fullest moment of a buffer's life.
void Search::State::rank_all() {
    using Criteria = std::array<double, 3>;
    std::vector<int64_t> full(members.size(), 0);
    for (size_t s = 0; s < members.size(); ++s)
        for (const auto &member : members[s])
            full[s] += member.rounded;
    std::vector<Criteria> facts; // contention, length, size
    for (size_t b = 0; b < tasks.size(); ++b) {
        int64_t contention = 0;
        for (const auto &section : sections[b])
            contention = std::max(contention, full[section.other]);
        facts.push_back({static_cast<double>(contention), static_cast<double>(tasks[b].length),
                         static_cast<double>(tasks[b].size)});
    }
    const auto add = [&](auto criteria) {
        std::vector<int> order(tasks.size()), rank_of(tasks.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            const Criteria x = criteria(facts[a]), y = criteria(facts[b]);
            return x != y ? x > y : a < b;
        });
        for (size_t i = 0; i < order.size(); ++i)
            rank_of[order[i]] = static_cast<int>(i);
        ranks.push_back(std::move(rank_of));
    };
    add([](const Criteria &f) { return Criteria{f[0], f[1], f[1] * f[2]}; });
    add([](const Criteria &f) { return Criteria{f[0], f[2], f[1]}; });
    add([](const Criteria &f) { return Criteria{f[1] * f[2], f[1], 0}; });
    add([](const Criteria &f) { return Criteria{f[1], f[2], 0}; });
    add([](const Criteria &f) { return Criteria{f[0], f[1] * f[2], f[1]}; });
    add([](const Criteria &f) { return Criteria{f[2], f[1], 0}; });
}

Fits Search::State::turn(size_t order, int64_t nodes) {
    rank = ranks[order].data();
    nodes_left = nodes;
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
        open[b].low = -1; // so that it rises to the first place that is free of fixed ones
        room = room && raise(static_cast<int>(b), std::max<int64_t>(tasks[b].fixed, 0));
    }
    Fits found = Fits::no;
    if (room && propagate(0, tasks.size()))
        found = solve_parts(0, tasks.size());
    clock->nodes += nodes - std::max<int64_t>(nodes_left, 0);
    return found;
}

// The parts of stack[begin, end) that do not meet, the smaller first: they fail sooner.
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
    if (failures.contains(state))
        return Fits::no;
    const size_t entered = trail.size();
    while (true) {
        if (--nodes_left < 0 || ((nodes_left & 255) == 0 && clock->left() <= 0))
            return Fits::unknown; // nothing is put back: the turn is over
        const int b = lowest(begin, end);
        const size_t mark = trail.size();
        if (place(b) && propagate(begin, end)) {
            const Fits found = solve_parts(begin, end);
            if (found != Fits::no)
                return found;
        }
        undo_touched();
        undo(mark);
        if (tasks[b].fixed != anywhere || !can_be_kept(b) || !postpone(b) || !propagate(begin, end))
            break;
    }
    undo_touched();
    undo(entered);
    failures.insert(state);
    return Fits::no;
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

// Whether something that `b` meets can begin below the end of `b` at its lowest place, and so keep it from there.
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

// `b` does not lie at its lowest place; nor do its equals, which come after it.
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

// False if `b` does not fit at `low` or above.
bool Search::State::raise(int b, int64_t low) {
    const Task &task = tasks[b];
    if (low <= open[b].low)
        return true;
    if (task.fixed != anywhere) {
        if (low > task.fixed)
            return false;
        low = task.fixed;
    } else {
        low = round_up(low, task.alignment);
        for (const auto &[f, mine, theirs] : fixed_near[b])
            if (low < tasks[f].fixed + theirs && tasks[f].fixed < low + mine)
                low = round_up(tasks[f].fixed + theirs, task.alignment);
    }
    if (low == open[b].low)
        return true;
    trail.push_back({b, open[b]});
    open[b].low = low;
    touch(b);
    return low + task.size <= capacity;
}

// Everything that follows, until nothing does.
bool Search::State::propagate(size_t begin, size_t end) {
    do {
        while (!touched_sections.empty()) {
            const int s = touched_sections.back();
            touched_sections.pop_back();
            touched[s] = 0;
            if (!infer(s))
                return false;
        }
        for (size_t i = begin; i < end; ++i)
            if (open[stack[i]].kept >= 0 && !carry(stack[i]))
                return false;
    } while (!touched_sections.empty());
    return true;
}

// A buffer that was kept from a place lies on one that begins below its end there, or higher.
bool Search::State::carry(int b) {
    const auto end_of = [&](const Meeting &meeting) {
        const Open &other = open[meeting.other];
        return !other.placed && other.low < open[b].kept + meeting.mine ? other.low + meeting.theirs : INT64_MAX;
    };
    if (carrier[b] >= 0 && end_of(meets[b][carrier[b]]) <= open[b].low)
        return true;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < meets[b].size(); ++i)
        if (const int64_t top = end_of(meets[b][i]); top < least) {
            least = top;
            carrier[b] = static_cast<int>(i);
        }
    return least < INT64_MAX && raise(b, least);
}

bool Search::State::infer(int section) {
    items.clear();
    int64_t low = INT64_MAX, high = 0;
    for (const auto &[b, rounded] : members[section]) {
        if (open[b].placed)
            continue;
        items.push_back({open[b].low, rounded, b});
        low = std::min(low, open[b].low);
        high = std::max(high, open[b].low);
    }
    if (items.empty() || high + bytes[section] <= rounded_capacity)
        return true;
    return low + bytes[section] <= rounded_capacity && edges();
}

// Of the items that begin at `low` or later, what is still below that and too large to come after the first of them
// comes before them all.
bool Search::State::edges() {
    std::sort(items.begin(), items.end(),
              [](const Item &a, const Item &b) { return a.low != b.low ? a.low < b.low : a.buffer < b.buffer; });
    int64_t top = 0;
    for (const auto &item : items)
        top = std::max(top, item.low) + item.size;
    if (top > rounded_capacity)
        return false;
    int64_t above = 0;
    for (size_t i = items.size() - 1; i > 0; --i) {
        above += items[i].size;
        if (items[i - 1].low == items[i].low)
            continue;
        const int64_t room = rounded_capacity - items[i].low - above;
        int64_t below = 0;
        for (size_t j = 0; j < i; ++j)
            if (items[j].size > room)
                below = std::max(below, items[j].low) + items[j].size;
        if (below > items[i].low) {
            // This touches the section again, and so the other sets are looked at anew.
            for (size_t j = i; j < items.size(); ++j)
                if (!raise(items[j].buffer, below))
                    return false;
            return true;
        }
    }
    return true;
}

void Search::State::touch(int b) {
    for (const auto &[s, rounded] : sections[b])
        if (!std::exchange(touched[s], char{1}))
            touched_sections.push_back(s);
}

void Search::State::undo_touched() {
    for (const int s : touched_sections)
        touched[s] = 0;
    touched_sections.clear();
}

void Search::State::undo(size_t mark) {
    while (trail.size() > mark) {
        const auto &[b, before] = trail.back();
        if (open[b].placed && !before.placed)
            for (const auto &[s, rounded] : sections[b])
                bytes[s] += rounded;
        open[b] = before;
        trail.pop_back();
    }
}

Key Search::State::key(size_t begin, size_t end) const {
    Key sum;
    for (size_t i = begin; i < end; ++i) {
        const int b = stack[i];
        const auto low = static_cast<uint64_t>(open[b].low), kept = static_cast<uint64_t>(open[b].kept);
        sum.add(scramble(scramble(static_cast<uint64_t>(b) ^ (low << 24)) ^ (low >> 40) ^ (kept * 0x9e3779b97f4a7c15)));
    }
    return sum;
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
    state.failures.clear();
    Fits found = state.tasks.empty() ? Fits::yes : Fits::unknown;
    const int64_t stop = clock.nodes + std::min(nodes, clock.nodes_left());
    for (int64_t limit = first_turn; found == Fits::unknown; limit *= 2)
        for (size_t order = 0; order < state.ranks.size() && found == Fits::unknown; ++order) {
            const int64_t left = std::min(limit, stop - clock.nodes);
            if (left <= 0 || clock.over())
                return Fits::unknown;
            found = state.turn(order, left);
        }
    if (found == Fits::yes) {
        offsets.assign(state.caller_buffers, 0);
        for (size_t b = 0; b < state.tasks.size(); ++b)
            offsets[state.numbers[b]] = state.open[b].low;
    }
    return found;
}

} // namespace lastuse::planning
