// A set of executed ops, and the bytes that are live after them.
#pragma once

#include <memory>

#include "failures.hpp"
#include "schedule.hpp"

namespace lastuse::planning {

// Live bytes do not depend on the order in which the ops of the set were run, so a set is all there is to know.
//
// Backwards, the set begins with all ops, and to run an op is to take it out: the same orders, read from their ends.
class Executed {
public:
    // Throws Error: a number is out of range, a buffer is written twice, or ops wait for each other.
    explicit Executed(const Graph &graph);

    struct Step {
        int64_t peak; // bytes while the op runs
        int64_t live; // bytes after it; backwards, before it
    };

    Step step(int op) const;
    void run(int op);
    void undo(int op); // the last that was run
    void reset(bool backwards = false);

    // What `op` would take in place if it ran now; most bytes saved.
    std::vector<Permission> inplace(int op) const;

    const std::vector<int> &ready() const { return ready_; }
    int64_t live() const { return live_; }
    bool all() const { return count_ == tables_->graph.ops.size(); }
    bool is_ready(int op) const { return place_[op] >= 0; }
    const Key &key() const { return key_; }
    uint64_t key_after(int op) const { return key_.first + tables_->keys[op].first; }
    int64_t at_start() const { return tables_->at_start; }
    int64_t at_end() const { return tables_->at_end; }
    int64_t need(int op) const { return tables_->need[op]; } // bytes at the op in any order
    // Bytes to copy for a state after each of all ops.
    size_t state_bytes() const { return place_.size() * (3 * place_.size() + unread_.size()) * sizeof(int); }

private:
    // What does not change, shared by copies.
    struct Tables {
        Graph graph;
        std::vector<std::vector<int>> reads;   // of each op, each buffer once
        std::vector<std::vector<int>> readers; // of each buffer
        std::vector<int> writer;               // of each buffer, or -1
        std::vector<Key> keys;                 // of each op
        std::vector<int64_t> written;          // bytes of each op
        std::vector<int64_t> need;
        std::vector<std::vector<int>> before;  // of each op: those whose writes it reads, one for each such buffer,
                                               // and those an edge puts first
        std::vector<std::vector<int>> after;   // of each op: those it is before
        int64_t at_start = 0, at_end = 0;
    };

    bool dies(int buffer) const;
    int64_t freed(int op) const;
    bool host(int write, int op, std::vector<std::pair<int, int>> &hosts, std::vector<int> &asked) const;
    void set_ready(int op);
    void unset_ready(int op);

    std::shared_ptr<const Tables> tables_;

    bool backwards_ = false;
    std::vector<int> unread_;  // of each buffer: ops outside the set that read it
    std::vector<int> waiting_; // of each op: ops that come first
    std::vector<int> ready_;
    std::vector<int> place_; // of each op in ready_, or -1
    int64_t live_ = 0;
    size_t count_ = 0;
    Key key_;
};

} // namespace lastuse::planning
