// Setup of the search: buffers, the pairs that meet, and the static orders.
#include <algorithm>
#include <array>
#include <numeric>

#include "search_state.hpp"

namespace lastuse::planning {
namespace {

constexpr int64_t most_meetings = 20'000'000; // half a gigabyte

// The section where the piece that begins in `section` ends.
int64_t end_of_piece(const std::vector<Piece> &live, int64_t section) {
    return std::find_if(live.begin(), live.end(), [&](const Piece &piece) { return piece.lower == section; })->upper;
}

// Merges meetings with the same buffer, with the largest sizes; sorts them by number.
void unite(std::vector<Meeting> &list) {
    std::sort(list.begin(), list.end(), [](const auto &x, const auto &y) { return x.other < y.other; });
    size_t kept = 0;
    for (const auto &meeting : list)
        if (kept > 0 && list[kept - 1].other == meeting.other) {
            list[kept - 1].mine = std::max(list[kept - 1].mine, meeting.mine);
            list[kept - 1].theirs = std::max(list[kept - 1].theirs, meeting.theirs);
        } else {
            list[kept++] = meeting;
        }
    list.resize(kept);
    list.shrink_to_fit();
}

} // namespace

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

// Two buffers meet for the first time where a piece of one of them begins, so only those sections are visited.
void Search::State::meet(const Timeline &timeline) {
    const int n = static_cast<int>(tasks.size());
    std::vector<std::vector<std::pair<int, int64_t>>> begun(members.size()); // by section: buffer, size
    for (int b = 0; b < n; ++b)
        for (const auto &piece : timeline.live[numbers[b]])
            begun[static_cast<size_t>(piece.lower)].emplace_back(b, piece.size);
    meets.resize(tasks.size());
    size_t total = 0;
    std::vector<std::pair<int, int64_t>> living;
    std::vector<int64_t> size(tasks.size());
    std::vector<int64_t> until(tasks.size(), -1);
    for (size_t s = 0; s < members.size(); ++s) {
        living.erase(std::remove_if(living.begin(), living.end(),
                                    [&](const auto &one) { return until[one.first] <= static_cast<int64_t>(s); }),
                     living.end());
        for (const auto &[b, bytes_here] : begun[s]) {
            for (const auto &[c, theirs] : living) {
                meets[b].push_back({c, bytes_here, theirs});
                meets[c].push_back({b, theirs, bytes_here});
            }
            if (!(possible = (total += 2 * living.size()) <= most_meetings))
                return;
            living.emplace_back(b, bytes_here);
            until[b] = end_of_piece(timeline.live[numbers[b]], static_cast<int64_t>(s));
        }
    }
    for (auto &list : meets)
        unite(list);
    fixed_near.resize(tasks.size());
    twins.assign(tasks.size(), -1);
    for (int b = 0; b < n; ++b) {
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

// Contention is the largest number of bytes in use at one time in a buffer's lifetime.
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

} // namespace lastuse::planning
