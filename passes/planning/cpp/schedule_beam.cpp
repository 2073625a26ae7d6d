#include "schedule_beam.hpp"

#include <tuple>
#include <unordered_set>

namespace lastuse::planning {
namespace {

// An op that is ready, and what it changes in this set.
struct Ready {
    int op;
    ScheduleTables::Change change;
};

// An order of the sets' ops, as a tree from its end.
struct Link {
    int from, op;
};

// Sets of executed ops, all of one size, one behind the other in memory: there are thousands of them for each op, and a
// set is copied for each op that runs after it.
class Sets {
public:
    struct Set {
        int64_t live, peak;
        uint64_t key;
        int link;          // the last op of its order; -1: none
        size_t first, end; // of its ready ops
    };

    explicit Sets(const ScheduleTables &tables) : tables_(&tables), words_((tables.graph.ops.size() + 63) / 64) {}

    // The empty set alone.
    void begin() {
        executed_.assign(words_, 0);
        sets_ = {{tables_->at_start, 0, 1, -1, 0, 0}};
        for (size_t op = 0; op < tables_->graph.ops.size(); ++op)
            if (tables_->before[op].empty())
                add_ready(static_cast<int>(op));
    }

    void clear() {
        sets_.clear();
        executed_.clear();
        ready_.clear();
    }

    // Adds the set of a set of `from` and one of its ready ops, the one at `at`.
    void add(const Sets &from, const Set &set, size_t at, int64_t peak, int link) {
        const int op = from.ready_[at].op;
        const size_t bits = static_cast<size_t>(&set - from.sets_.data()) * words_;
        executed_.insert(executed_.end(), &from.executed_[bits], &from.executed_[bits] + words_);
        executed_[executed_.size() - words_ + static_cast<size_t>(op) / 64] |= uint64_t{1} << (op % 64);
        const size_t first = ready_.size();
        ready_.insert(ready_.end(), &from.ready_[set.first], &from.ready_[set.first] + (set.end - set.first));
        ready_[first + (at - set.first)] = ready_.back();
        ready_.pop_back();
        sets_.push_back({set.live + from.ready_[at].change.live, peak, set.key + tables_->keys[op].first, link, first, ready_.size()});
        for (const int read : tables_->reads[op])
            if (const int reader = only_reader(read); reader >= 0)
                for (size_t r = first; r < sets_.back().end; ++r)
                    if (ready_[r].op == reader)
                        ready_[r].change = change(reader);
        const auto &after = tables_->after[op];
        for (auto next = after.begin(); next != after.end(); ++next)
            if (std::find(after.begin(), next, *next) == next && is_ready(*next))
                add_ready(*next);
    }

    const std::vector<Set> &sets() const { return sets_; }
    const std::vector<Ready> &ready() const { return ready_; }

private:
    // What follows is of the last set.
    bool has(int op) const {
        return executed_[executed_.size() - words_ + static_cast<size_t>(op) / 64] >> (op % 64) & 1;
    }

    bool is_ready(int op) const {
        return std::all_of(tables_->before[op].begin(), tables_->before[op].end(), [&](int first) { return has(first); });
    }

    // The only op outside the set that reads a buffer; -1: there are more, or none.
    int only_reader(int buffer) const {
        int found = -1;
        for (const int reader : tables_->readers[buffer])
            if (!has(reader)) {
                if (found >= 0)
                    return -1;
                found = reader;
            }
        return found;
    }

    ScheduleTables::Change change(int op) const {
        return tables_->change(
            op, [&](int buffer) { return !tables_->graph.kept[buffer] && only_reader(buffer) == op; });
    }

    void add_ready(int op) {
        ready_.push_back({op, change(op)});
        sets_.back().end = ready_.size();
    }

    const ScheduleTables *tables_;
    size_t words_; // of the bits of a set
    std::vector<Set> sets_;
    std::vector<uint64_t> executed_;
    std::vector<Ready> ready_;
};

// An op that may run after a set.
struct Next {
    int64_t peak, live;
    uint32_t set;
    int op;
    size_t at; // among the ready ops

    bool operator<(const Next &other) const {
        return std::tie(peak, live, set, op) < std::tie(other.peak, other.live, other.set, other.op);
    }
};

void find_nexts(const Sets &from, int64_t limit, std::vector<Next> &nexts) {
    nexts.clear();
    for (size_t s = 0; s < from.sets().size(); ++s) {
        const auto &set = from.sets()[s];
        const size_t before = nexts.size();
        for (size_t at = set.first; at < set.end; ++at) {
            const auto &[op, change] = from.ready()[at];
            const int64_t peak = set.live + change.peak;
            if (peak >= limit)
                continue;
            const bool safe = peak <= set.peak && change.live <= 0;
            if (safe)
                nexts.resize(before);
            nexts.push_back({std::max(set.peak, peak), set.live + change.live, static_cast<uint32_t>(s), op, at});
            if (safe)
                break;
        }
    }
}

} // namespace

std::vector<int> beam(const ScheduleTables &tables, size_t width, int64_t choices, int64_t limit) {
    std::vector<Link> links;
    std::vector<Next> nexts;
    std::unordered_set<uint64_t> seen;
    Sets sets(tables), kept(tables);
    sets.begin();
    for (size_t left = tables.graph.ops.size(); left > 0; --left) {
        // As many sets as may be kept if all that follow have as many ready ops as these.
        const auto ready = static_cast<int64_t>(sets.ready().size());
        const int64_t affordable = choices / static_cast<int64_t>(left) * static_cast<int64_t>(sets.sets().size()) / std::max<int64_t>(1, ready);
        const size_t most = std::min(width, static_cast<size_t>(std::max<int64_t>(1, affordable)));
        choices = std::max<int64_t>(0, choices - ready);
        find_nexts(sets, limit, nexts);
        kept.clear();
        seen.clear();
        auto sorted = nexts.begin();
        for (auto next = nexts.begin(); next != nexts.end() && kept.sets().size() < most; ++next) {
            if (next == sorted) { // far fewer are kept than there are
                sorted += std::min<std::ptrdiff_t>(nexts.end() - next, static_cast<std::ptrdiff_t>(most + most / 2));
                std::nth_element(next, sorted, nexts.end());
                std::sort(next, sorted);
            }
            const auto &set = sets.sets()[next->set];
            if (!seen.insert(set.key + tables.keys[next->op].first).second)
                continue; // the same set, with a smaller peak
            links.push_back({set.link, next->op});
            kept.add(sets, set, next->at, next->peak, static_cast<int>(links.size()) - 1);
        }
        if (kept.sets().empty())
            return {};
        std::swap(sets, kept);
    }
    std::vector<int> order;
    for (int at = sets.sets().front().link; at >= 0; at = links[at].from)
        order.push_back(links[at].op);
    std::reverse(order.begin(), order.end());
    return order;
}

} // namespace lastuse::planning
