// The state of a schedule: a set of executed ops, and the bytes that are live after them.
#pragma once

#include <memory>

#include "failed_states.hpp"
#include "schedule.hpp"

namespace lastuse::planning {

// Live bytes do not depend on the order in which the ops of the set ran, so the set is the whole state.
//
// Backwards, the set starts with all ops, and running an op removes it: the same orders, read from their ends.
class ScheduleState {
public:
    // Throws Error: a number is out of range, a buffer is written twice, or the dependences have a cycle.
    explicit ScheduleState(const Graph &graph);

    struct Step {
        int64_t peak; // bytes while the op runs
        int64_t live; // bytes after it; backwards, before it
    };

    Step step(int op) const;
    void run(int op);
    void undo(int op); // the last op that ran
    void reset(bool backwards = false);

    // The in-place pairs that save the most bytes if `op` runs now.
    std::vector<Permission> inplace(int op) const;

    const std::vector<int> &ready() const { return ready_; }
    int64_t live() const { return live_; }
    bool all() const { return count_ == tables_->graph.ops.size(); }
    bool is_ready(int op) const { return position_[op] >= 0; }
    const Key &key() const { return key_; }
    uint64_t key_after(int op) const { return key_.first + tables_->keys[op].first; }
    int64_t at_start() const { return tables_->at_start; }
    int64_t at_end() const { return tables_->at_end; }
    int64_t need(int op) const { return tables_->need[op]; } // bytes that are live at the op in any order
    // Bytes of the copies of a state, one after each op.
    size_t state_bytes() const { return position_.size() * (3 * position_.size() + unread_.size()) * sizeof(int); }

private:
    // The constant part, which copies share.
    struct Tables {
        Graph graph;
        std::vector<std::vector<int>> reads;   // of each op, each buffer once
        std::vector<std::vector<int>> readers; // of each buffer
        std::vector<int> writer;               // of each buffer, or -1
        std::vector<Key> keys;                 // of each op
        std::vector<int64_t> written;          // bytes of each op
        std::vector<int64_t> need;
        std::vector<std::vector<int>> before;  // of each op: its predecessors, one entry for each buffer or edge
        std::vector<std::vector<int>> after;   // of each op: its successors, likewise
        int64_t at_start = 0, at_end = 0;
    };

    bool is_last_read(int buffer) const;
    int64_t freed(int op) const;
    // Adds `write` to the matching along an augmenting path; false if there is none.
    bool augment(int write, int op, std::vector<std::pair<int, int>> &matching, std::vector<int> &visited) const;
    void set_ready(int op);
    void unset_ready(int op);

    std::shared_ptr<const Tables> tables_;

    bool backwards_ = false;
    std::vector<int> unread_;  // of each buffer: ops outside the set that read it
    std::vector<int> waiting_; // of each op: predecessors outside the set
    std::vector<int> ready_;
    std::vector<int> position_; // of each op in ready_, or -1
    int64_t live_ = 0;
    size_t count_ = 0;
    Key key_;
};

} // namespace lastuse::planning
