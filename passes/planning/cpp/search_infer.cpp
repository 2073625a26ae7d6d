// Propagation of the lowest offsets after a decision, and backtracking.
#include <algorithm>
#include <utility>

#include "search_state.hpp"

namespace lastuse::planning {

// Raises the lowest offset of `b` to at least `low`; false if it does not fit there.
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
    if (low + task.size <= capacity)
        return true;
    ++weights[b];
    return false;
}

// Propagates to a fixed point; false if the state is infeasible.
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

// A buffer that is kept from an offset lies on one that begins below its end there, or higher.
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
    if (low + bytes[section] <= rounded_capacity && edges())
        return true;
    for (const auto &item : items)
        ++weights[item.buffer];
    return false;
}

// Edge finding: for the items with at least some `low`, an item with a smaller `low` that is too large to come after the
// first of them comes before all of them.
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
            // This touches the section, so the other sets are checked again.
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

} // namespace lastuse::planning
