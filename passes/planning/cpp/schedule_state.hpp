// The state of a schedule: a set of executed ops, and the bytes that are live after them.
#pragma once

#include <memory>

#include "schedule_tables.hpp"

namespace lastuse::planning {

// Live bytes do not depend on the order in which the ops of the set ran, so the set is the whole state.
//
// Backwards, the set starts with all ops, and running an op removes it: the same orders, read from their ends.
class ScheduleState {
public:
    // Throws Error: as ScheduleTables, or the dependences have a cycle.
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
    std::vector<Permission> inplace(int op) const {
        return tables_->inplace(op, [this](int buffer) { return is_last_read(buffer); });
    }

    const ScheduleTables &tables() const { return *tables_; }
    const std::vector<int> &ready() const { return ready_; }
    int64_t live() const { return live_; }
    bool all() const { return count_ == tables_->graph.ops.size(); }
    bool is_ready(int op) const { return position_[op] >= 0; }
    const Key &key() const { return key_; }

private:
    // Whether the last read of `buffer` is an op that reads it and runs now.
    bool is_last_read(int buffer) const {
        return unread_[buffer] == (backwards_ ? 0 : 1) && !tables_->graph.kept[buffer];
    }
    const ScheduleTables::Change &change(int op) const;
    void count_unread(int op, int by);
    void set_ready(int op);
    void unset_ready(int op);

    std::shared_ptr<const ScheduleTables> tables_; // which copies share

    bool backwards_ = false;
    // Of each op, what it changes, until the last read of a buffer is another one: a search asks for it in many sets.
    mutable std::vector<ScheduleTables::Change> changes_;
    mutable std::vector<char> is_known_;
    std::vector<int> unread_;  // of each buffer: ops outside the set that read it
    std::vector<int> waiting_; // of each op: predecessors outside the set
    std::vector<int> ready_;
    std::vector<int> position_; // of each op in ready_, or -1
    int64_t live_ = 0;
    size_t count_ = 0;
    Key key_;
};

} // namespace lastuse::planning
