#include "schedule_state.hpp"

#include <algorithm>
#include <numeric>

namespace lastuse::planning {

ScheduleState::ScheduleState(const Graph &graph) {
    const auto tables = std::make_shared<Tables>();
    tables->graph = graph;
    tables->reads.resize(graph.ops.size());
    tables->readers.resize(graph.bytes.size());
    tables->writer.assign(graph.bytes.size(), -1);
    tables->written.assign(graph.ops.size(), 0);
    tables->need.assign(graph.ops.size(), 0);
    const int buffers = static_cast<int>(graph.bytes.size()), ops = static_cast<int>(graph.ops.size());
    const auto check = [&](int buffer) {
        if (buffer < 0 || buffer >= buffers)
            throw Error("an op names buffer " + std::to_string(buffer) + ", which does not exist");
    };
    if (graph.kept.size() != graph.bytes.size() || graph.not_overwritable.size() != graph.bytes.size())
        throw Error("the flags `kept` and `not_overwritable` need one entry for each buffer");
    int64_t total = 0;
    for (const int64_t bytes : graph.bytes)
        if (bytes < 0 || __builtin_add_overflow(total, bytes, &total) || total > int64_t{1} << 62)
            throw Error("a size is below 0, or the sizes add up to more than 2^62 bytes");
    for (int op = 0; op < ops; ++op) {
        for (const int write : graph.ops[op].writes) {
            check(write);
            if (tables->writer[write] >= 0)
                throw Error("buffer " + std::to_string(write) + " is written twice");
            tables->writer[write] = op;
            tables->written[op] += graph.bytes[write];
        }
        tables->reads[op] = graph.ops[op].reads;
        std::sort(tables->reads[op].begin(), tables->reads[op].end());
        tables->reads[op].erase(std::unique(tables->reads[op].begin(), tables->reads[op].end()), tables->reads[op].end());
        for (const int read : tables->reads[op]) {
            check(read);
            tables->readers[read].push_back(op);
        }
        for (const auto &[read, write] : graph.ops[op].may_inplace) {
            const auto &writes = graph.ops[op].writes;
            if (!std::binary_search(tables->reads[op].begin(), tables->reads[op].end(), read) ||
                std::find(writes.begin(), writes.end(), write) == writes.end())
                throw Error("op " + std::to_string(op) + " may write in place only buffers that it reads and writes");
        }
        const uint64_t hash = scramble(static_cast<uint64_t>(op) + 1);
        tables->keys.push_back({hash, scramble(hash)});
    }
    tables->before.resize(graph.ops.size());
    tables->after.resize(graph.ops.size());
    for (int b = 0; b < buffers; ++b) {
        const int writer = tables->writer[b];
        if (writer < 0 && (!tables->readers[b].empty() || graph.kept[b]))
            tables->at_start += graph.bytes[b];
        if (graph.kept[b])
            tables->at_end += graph.bytes[b];
        for (const int reader : tables->readers[b])
            if (writer >= 0) {
                tables->before[reader].push_back(writer);
                tables->after[writer].push_back(reader);
            }
    }
    for (const auto &[first, then] : graph.edges) {
        if (first < 0 || first >= ops || then < 0 || then >= ops)
            throw Error("an edge names op " + std::to_string(first < 0 || first >= ops ? first : then) +
                        ", which does not exist");
        tables->before[then].push_back(first);
        tables->after[first].push_back(then);
    }
    tables_ = tables;

    // All reads, and the writes that cannot be in place: live at the op in any order.
    for (int op = 0; op < ops; ++op) {
        for (const int read : tables->reads[op])
            tables->need[op] += graph.bytes[read];
        for (const int write : graph.ops[op].writes) {
            const auto &pairs = graph.ops[op].may_inplace;
            if (std::none_of(pairs.begin(), pairs.end(), [&](const auto &pair) { return pair.write == write; }))
                tables->need[op] += graph.bytes[write];
        }
    }

    reset();
    std::vector<int> order;
    while (!ready_.empty()) {
        order.push_back(ready_.back());
        run(order.back());
    }
    if (order.size() != graph.ops.size())
        throw Error("the dependences of the ops have a cycle");
    reset();
}

void ScheduleState::reset(bool backwards) {
    const Graph &graph = tables_->graph;
    backwards_ = backwards;
    unread_.assign(graph.bytes.size(), 0);
    waiting_.clear();
    position_.assign(graph.ops.size(), -1);
    ready_.clear();
    live_ = backwards ? tables_->at_end : tables_->at_start;
    count_ = 0;
    key_ = {1, 1}; // {0, 0} is no key
    for (size_t b = 0; b < graph.bytes.size(); ++b)
        unread_[b] = backwards ? 0 : static_cast<int>(tables_->readers[b].size());
    for (const auto &first : backwards ? tables_->after : tables_->before)
        waiting_.push_back(static_cast<int>(first.size()));
    for (size_t op = 0; op < graph.ops.size(); ++op)
        if (waiting_[op] == 0)
            set_ready(static_cast<int>(op));
}

void ScheduleState::set_ready(int op) {
    position_[op] = static_cast<int>(ready_.size());
    ready_.push_back(op);
}

void ScheduleState::unset_ready(int op) {
    const int last = ready_.back();
    ready_[position_[op]] = last;
    position_[last] = position_[op];
    position_[op] = -1;
    ready_.pop_back();
}

// Whether the last read of `buffer` is an op that reads it and runs now.
bool ScheduleState::is_last_read(int buffer) const {
    return unread_[buffer] == (backwards_ ? 0 : 1) && !tables_->graph.kept[buffer];
}

int64_t ScheduleState::freed(int op) const {
    const Graph &graph = tables_->graph;
    int64_t bytes = 0;
    for (const int read : tables_->reads[op])
        if (is_last_read(read))
            bytes += graph.bytes[read];
    for (const int write : graph.ops[op].writes)
        if (tables_->readers[write].empty() && !graph.kept[write])
            bytes += graph.bytes[write];
    return bytes;
}

ScheduleState::Step ScheduleState::step(int op) const {
    const int64_t gained = tables_->written[op] - freed(op);
    int64_t peak = (backwards_ ? live_ - gained : live_) + tables_->written[op];
    const int64_t next = backwards_ ? live_ - gained : live_ + gained;
    if (const auto &pairs = tables_->graph.ops[op].may_inplace; pairs.size() == 1) {
        // Nearly all ops have one pair or none, which needs no matching.
        const auto &[read, write] = pairs.front();
        if (is_last_read(read) && !tables_->graph.not_overwritable[read] && tables_->graph.bytes[write] <= tables_->graph.bytes[read])
            peak -= tables_->graph.bytes[write];
    } else if (!pairs.empty()) {
        for (const auto &pair : inplace(op))
            peak -= tables_->graph.bytes[pair.write];
    }
    return {peak, next};
}

// A matching of writes to reads of maximum weight: writes by decreasing bytes, each kept if it can be matched together
// with those before it (the matchable sets of writes are a matroid, so greedy is optimal).
std::vector<Permission> ScheduleState::inplace(int op) const {
    std::vector<int> writes = tables_->graph.ops[op].writes;
    std::stable_sort(writes.begin(), writes.end(), [&](int a, int b) { return tables_->graph.bytes[a] > tables_->graph.bytes[b]; });
    std::vector<std::pair<int, int>> matching; // read, write
    for (const int write : writes) {
        std::vector<int> visited;
        augment(write, op, matching, visited);
    }
    std::vector<Permission> result;
    for (const auto &[read, write] : matching)
        result.push_back({read, write});
    std::sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.write < b.write; });
    return result;
}

bool ScheduleState::augment(int write, int op, std::vector<std::pair<int, int>> &matching,
                            std::vector<int> &visited) const {
    for (const auto &pair : tables_->graph.ops[op].may_inplace) {
        if (pair.write != write || !is_last_read(pair.read) || tables_->graph.not_overwritable[pair.read] ||
            tables_->graph.bytes[write] > tables_->graph.bytes[pair.read] ||
            std::find(visited.begin(), visited.end(), pair.read) != visited.end())
            continue;
        visited.push_back(pair.read);
        const auto matched =
            std::find_if(matching.begin(), matching.end(), [&](const auto &match) { return match.first == pair.read; });
        if (matched == matching.end()) {
            matching.emplace_back(pair.read, write);
            return true;
        }
        const auto index = matched - matching.begin();
        if (augment(matched->second, op, matching, visited)) {
            matching[index].second = write;
            return true;
        }
    }
    return false;
}

void ScheduleState::run(int op) {
    const int64_t gained = tables_->written[op] - freed(op);
    live_ += backwards_ ? -gained : gained;
    unset_ready(op);
    for (const int read : tables_->reads[op])
        unread_[read] += backwards_ ? 1 : -1;
    for (const int next : (backwards_ ? tables_->before : tables_->after)[op])
        if (--waiting_[next] == 0)
            set_ready(next);
    ++count_;
    key_.first += tables_->keys[op].first;
    key_.second += tables_->keys[op].second;
}

void ScheduleState::undo(int op) {
    key_.first -= tables_->keys[op].first;
    key_.second -= tables_->keys[op].second;
    --count_;
    for (const int next : (backwards_ ? tables_->before : tables_->after)[op])
        if (waiting_[next]++ == 0)
            unset_ready(next);
    for (const int read : tables_->reads[op])
        unread_[read] += backwards_ ? -1 : 1;
    set_ready(op);
    const int64_t gained = tables_->written[op] - freed(op);
    live_ += backwards_ ? gained : -gained;
}

} // namespace lastuse::planning
