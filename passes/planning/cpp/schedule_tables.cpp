#include "schedule_tables.hpp"

namespace lastuse::planning {

ScheduleTables::ScheduleTables(const Graph &given) : graph(given) {
    const int buffers = static_cast<int>(graph.bytes.size()), ops = static_cast<int>(graph.ops.size());
    reads.resize(graph.ops.size());
    readers.resize(graph.bytes.size());
    written.assign(graph.ops.size(), 0);
    unread.assign(graph.ops.size(), 0);
    need.assign(graph.ops.size(), 0);
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
    std::vector<int> writer(graph.bytes.size(), -1);
    for (int op = 0; op < ops; ++op) {
        for (const int write : graph.ops[op].writes) {
            check(write);
            if (writer[write] >= 0)
                throw Error("buffer " + std::to_string(write) + " is written twice");
            writer[write] = op;
            written[op] += graph.bytes[write];
        }
        reads[op] = graph.ops[op].reads;
        std::sort(reads[op].begin(), reads[op].end());
        reads[op].erase(std::unique(reads[op].begin(), reads[op].end()), reads[op].end());
        for (const int read : reads[op]) {
            check(read);
            readers[read].push_back(op);
        }
        for (const auto &[read, write] : graph.ops[op].may_inplace) {
            const auto &writes = graph.ops[op].writes;
            if (!std::binary_search(reads[op].begin(), reads[op].end(), read) ||
                std::find(writes.begin(), writes.end(), write) == writes.end())
                throw Error("op " + std::to_string(op) + " may write in place only buffers that it reads and writes");
        }
        const uint64_t hash = scramble(static_cast<uint64_t>(op) + 1);
        keys.push_back({hash, scramble(hash)});
    }
    before.resize(graph.ops.size());
    after.resize(graph.ops.size());
    for (int b = 0; b < buffers; ++b) {
        if (writer[b] < 0 && (!readers[b].empty() || graph.kept[b]))
            at_start += graph.bytes[b];
        if (graph.kept[b])
            at_end += graph.bytes[b];
        else if (writer[b] >= 0 && readers[b].empty())
            unread[writer[b]] += graph.bytes[b];
        for (const int reader : readers[b])
            if (writer[b] >= 0) {
                before[reader].push_back(writer[b]);
                after[writer[b]].push_back(reader);
            }
    }
    for (const auto &[first, then] : graph.edges) {
        if (first < 0 || first >= ops || then < 0 || then >= ops)
            throw Error("an edge names op " + std::to_string(first < 0 || first >= ops ? first : then) +
                        ", which does not exist");
        before[then].push_back(first);
        after[first].push_back(then);
    }
    // All reads, and the writes that cannot be in place: live at the op in any order.
    for (int op = 0; op < ops; ++op) {
        for (const int read : reads[op])
            need[op] += graph.bytes[read];
        for (const int write : graph.ops[op].writes) {
            const auto &pairs = graph.ops[op].may_inplace;
            if (std::none_of(pairs.begin(), pairs.end(), [&](const auto &pair) { return pair.write == write; }))
                need[op] += graph.bytes[write];
        }
    }
}

namespace {

// Adds `write` to the matching along an augmenting path; false if there is none.
bool augment(int write, const std::vector<Permission> &possible, std::vector<Permission> &matching,
             std::vector<int> &visited) {
    for (const auto &pair : possible) {
        if (pair.write != write || std::find(visited.begin(), visited.end(), pair.read) != visited.end())
            continue;
        visited.push_back(pair.read);
        const auto matched =
            std::find_if(matching.begin(), matching.end(), [&](const auto &match) { return match.read == pair.read; });
        if (matched == matching.end()) {
            matching.push_back(pair);
            return true;
        }
        const auto index = matched - matching.begin();
        if (augment(matched->write, possible, matching, visited)) {
            matching[index].write = write;
            return true;
        }
    }
    return false;
}

} // namespace

std::vector<Permission> ScheduleTables::matching(const std::vector<int> &writes, const std::vector<Permission> &possible) {
    std::vector<Permission> result;
    for (const int write : writes) {
        std::vector<int> visited;
        augment(write, possible, result, visited);
    }
    std::sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.write < b.write; });
    return result;
}

} // namespace lastuse::planning
