// What the states of a schedule share: the graph by op and by buffer, and what an op changes.
#pragma once

#include <algorithm>

#include "failed_states.hpp"
#include "schedule.hpp"

namespace lastuse::planning {

struct ScheduleTables {
    // Throws Error: a number is out of range, a buffer is written twice.
    explicit ScheduleTables(const Graph &graph);

    // Bytes that are live while an op runs, and after it, less those that are live before it.
    struct Change {
        int64_t peak, live;
    };

    // `is_last_read(buffer)`: the op is the last reader of a buffer that it reads. The same holds below.
    template <class IsLastRead> Change change(int op, const IsLastRead &is_last_read) const {
        int64_t peak = written[op];
        if (const auto &pairs = graph.ops[op].may_inplace; pairs.size() == 1) {
            // Nearly all ops have one pair or none, which needs no matching.
            if (is_possible(pairs.front(), is_last_read))
                peak -= graph.bytes[pairs.front().write];
        } else if (!pairs.empty()) {
            for (const auto &pair : inplace(op, is_last_read))
                peak -= graph.bytes[pair.write];
        }
        return {peak, written[op] - freed(op, is_last_read)};
    }

    template <class IsLastRead> int64_t freed(int op, const IsLastRead &is_last_read) const {
        int64_t bytes = unread[op];
        for (const int read : reads[op])
            if (is_last_read(read))
                bytes += graph.bytes[read];
        return bytes;
    }

    // The in-place pairs that save the most bytes: a matching of writes to reads of maximum weight. Writes by decreasing
    // bytes, each kept if it can be matched together with those before it (the matchable sets of writes are a matroid, so
    // greedy is optimal).
    template <class IsLastRead> std::vector<Permission> inplace(int op, const IsLastRead &is_last_read) const {
        std::vector<int> writes = graph.ops[op].writes;
        std::stable_sort(writes.begin(), writes.end(), [&](int a, int b) { return graph.bytes[a] > graph.bytes[b]; });
        std::vector<Permission> possible;
        for (const auto &pair : graph.ops[op].may_inplace)
            if (is_possible(pair, is_last_read))
                possible.push_back(pair);
        return matching(writes, possible);
    }

    Graph graph;
    std::vector<std::vector<int>> reads;   // of each op, each buffer once
    std::vector<std::vector<int>> readers; // of each buffer
    std::vector<Key> keys;                 // of each op
    std::vector<int64_t> written;          // bytes of each op
    std::vector<int64_t> unread;           // bytes of each op that no op reads and that are not kept
    std::vector<int64_t> need;             // bytes that are live at each op in any order
    std::vector<std::vector<int>> before;  // of each op: its predecessors, one entry for each buffer or edge
    std::vector<std::vector<int>> after;   // of each op: its successors, likewise
    int64_t at_start = 0, at_end = 0;

private:
    template <class IsLastRead> bool is_possible(const Permission &pair, const IsLastRead &is_last_read) const {
        return is_last_read(pair.read) && !graph.not_overwritable[pair.read] &&
               graph.bytes[pair.write] <= graph.bytes[pair.read];
    }
    static std::vector<Permission> matching(const std::vector<int> &writes, const std::vector<Permission> &possible);
};

} // namespace lastuse::planning
