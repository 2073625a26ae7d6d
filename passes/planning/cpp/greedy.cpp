#include "greedy.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace lastuse::planning {

Placer::Placer(const std::vector<Buffer> &buffers, const Timeline &timeline)
    : buffers_(buffers), timeline_(timeline), leaf_of_(buffers.size()) {
    struct Leaf {
        int64_t begin;
        int buffer, range;
    };
    std::vector<Leaf> sorted;
    for (size_t b = 0; b < buffers.size(); ++b) {
        for (size_t r = 0; r < timeline.live[b].size(); ++r)
            sorted.push_back({timeline.live[b][r].lower, static_cast<int>(b), static_cast<int>(r)});
        leaf_of_[b].resize(timeline.live[b].size());
        if (buffers[b].fixed != anywhere)
            fixed_.push_back(static_cast<int>(b));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Leaf &a, const Leaf &b) { return a.begin < b.begin; });
    while (leaves_ < sorted.size())
        leaves_ *= 2;
    for (size_t i = 0; i < sorted.size(); ++i) {
        begins_.push_back(sorted[i].begin);
        sizes_.push_back(timeline.live[sorted[i].buffer][sorted[i].range].size);
        owner_.push_back(sorted[i].buffer);
        leaf_of_[sorted[i].buffer][sorted[i].range] = static_cast<int>(i);
        ends_.push_back(timeline.live[sorted[i].buffer][sorted[i].range].upper);
    }
    std::sort(ends_.begin(), ends_.end());
    for (const auto &live : timeline.live) {
        many_.push_back(meets_many(live));
        scans_ = scans_ || many_.back();
    }
}

bool Placer::meets_many(const std::vector<Piece> &live) const {
    constexpr int64_t found_and_sorted = 64; // cost of one from the tree, in visits of the list
    if (live.size() != 1)
        return false; // the list by offset needs a single size
    const auto begun = std::lower_bound(begins_.begin(), begins_.end(), live[0].upper) - begins_.begin();
    const auto ended = std::upper_bound(ends_.begin(), ends_.end(), live[0].lower) - ends_.begin();
    return (begun - ended) * found_and_sorted > static_cast<int64_t>(begins_.size());
}

std::vector<int64_t> Placer::place(const std::vector<int> &order, Gap gap, int64_t give_up, int64_t *visited) {
    latest_.assign(2 * leaves_, -1);
    offsets_.assign(buffers_.size(), 0);
    placed_.clear();
    for (const int b : fixed_)
        add(b, buffers_[b].fixed);
    for (const int b : order) {
        const Buffer &buffer = buffers_[b];
        if (buffer.fixed != anywhere || timeline_.live[b].empty())
            continue;
        const int64_t offset = many_[b] && gap == Gap::lowest
                                   ? scan_lowest(timeline_.live[b].front(), buffer.alignment, visited)
                                   : find(b, gap, visited);
        if (offset + timeline_.size[b] > give_up)
            return {};
        add(b, offset);
    }
    return offsets_;
}

void Placer::add(int b, int64_t offset) {
    offsets_[b] = offset;
    for (size_t r = 0; r < leaf_of_[b].size(); ++r)
        for (size_t node = leaves_ + leaf_of_[b][r]; node > 0; node /= 2)
            latest_[node] = std::max(latest_[node], timeline_.live[b][r].upper);
    for (size_t r = 0; scans_ && r < leaf_of_[b].size(); ++r) {
        const auto &piece = timeline_.live[b][r];
        const auto at = std::lower_bound(placed_.begin(), placed_.end(), offset,
                                         [](const Placed &one, int64_t bytes) { return one.offset < bytes; });
        placed_.insert(at, {offset, static_cast<int>(piece.lower), static_cast<int>(piece.upper), leaf_of_[b][r]});
    }
}

void Placer::scan(const Piece &piece) {
    for (const auto &one : placed_)
        if (one.lower < piece.upper && piece.lower < one.upper)
            taken_.push_back({one.offset - piece.size, one.offset + sizes_[one.leaf]});
}

// Collects the placed pieces under `node`, which has `count` leaves from `first` on, that come before leaf `until` and end
// after `piece` begins.
void Placer::collect(size_t node, size_t first, size_t count, size_t until, const Piece &piece) {
    if (first >= until || latest_[node] <= piece.lower)
        return;
    if (count == 1) {
        const int64_t offset = offsets_[owner_[first]];
        taken_.push_back({offset - piece.size, offset + sizes_[first]});
        return;
    }
    collect(2 * node, first, count / 2, until, piece);
    collect(2 * node + 1, first + count / 2, count / 2, until, piece);
}

int64_t Placer::scan_lowest(const Piece &piece, int64_t alignment, int64_t *visited) const {
    int64_t at = 0, met = 1;
    for (const auto &one : placed_)
        if (one.lower < piece.upper && piece.lower < one.upper) {
            if (at + piece.size <= one.offset)
                break;
            at = std::max(at, round_up(one.offset + sizes_[one.leaf], alignment));
            ++met;
        }
    if (visited)
        *visited += met;
    return at;
}

int64_t Placer::find(int b, Gap gap, int64_t *visited) {
    const auto &live = timeline_.live[b];
    taken_.clear();
    if (many_[b]) {
        scan(live.front());
    } else {
        for (const auto &range : live) {
            const auto until = std::lower_bound(begins_.begin(), begins_.end(), range.upper) - begins_.begin();
            collect(1, 0, leaves_, static_cast<size_t>(until), range);
        }
        std::sort(taken_.begin(), taken_.end());
    }
    if (visited)
        *visited += 1 + static_cast<int64_t>(taken_.size());
    int64_t at = 0, found = -1, least = INT64_MAX;
    for (const auto &taken : taken_) {
        const int64_t left = taken.above - at;
        if (left >= 0 && left < least) {
            if (gap == Gap::lowest)
                return at;
            found = at;
            least = left;
        }
        if (taken.below > at)
            at = round_up(taken.below, buffers_[b].alignment);
    }
    return found >= 0 ? found : at;
}

int64_t Placer::peak(const std::vector<int64_t> &offsets) const {
    int64_t result = 0;
    for (size_t b = 0; b < offsets.size(); ++b)
        if (timeline_.size[b] > 0)
            result = std::max(result, offsets[b] + timeline_.size[b]);
    return result;
}

std::vector<std::vector<int>> orders_of(const Timeline &timeline) {
    using Criteria = std::array<double, 3>;
    struct Facts {
        double size, length, first, last;
    };
    std::vector<Facts> facts;
    for (size_t b = 0; b < timeline.live.size(); ++b) {
        int64_t length = 0;
        for (const auto &piece : timeline.live[b])
            length += piece.upper - piece.lower;
        const bool lives = length > 0;
        facts.push_back({static_cast<double>(timeline.size[b]), static_cast<double>(length),
                         lives ? static_cast<double>(timeline.live[b].front().lower) : 0,
                         lives ? static_cast<double>(timeline.live[b].back().upper) : 0});
    }
    std::vector<std::vector<int>> result;
    const auto add = [&](auto criteria) {
        std::vector<Criteria> keys;
        for (const auto &f : facts)
            keys.push_back(criteria(f));
        std::vector<int> order(timeline.live.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
        result.push_back(std::move(order));
    };
    add([](const Facts &f) { return Criteria{-f.size, f.first, 0}; });
    add([](const Facts &f) { return Criteria{f.first, -f.last, -f.size}; });
    add([](const Facts &f) { return Criteria{-f.size * f.size * f.length, f.first, 0}; });
    add([](const Facts &f) { return Criteria{-f.size * f.length, f.first, 0}; });
    add([](const Facts &f) { return Criteria{-f.length, -f.size, f.first}; });
    add([](const Facts &f) { return Criteria{f.first, -f.size, 0}; });
    add([](const Facts &f) { return Criteria{-f.size, -f.length, f.first}; });
    add([](const Facts &f) { return Criteria{-f.size, -f.last, 0}; });
    add([](const Facts &f) { return Criteria{-f.size * f.length * f.length, f.first, 0}; });
    add([](const Facts &f) { return Criteria{-f.last, -f.size, 0}; });
    return result;
}

} // namespace lastuse::planning
