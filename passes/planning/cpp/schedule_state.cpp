#include "schedule_state.hpp"

namespace lastuse::planning {

ScheduleState::ScheduleState(const Graph &graph) : tables_(std::make_shared<ScheduleTables>(graph)) {
    reset();
    size_t ran = 0;
    for (; !ready_.empty(); ++ran)
        run(ready_.back());
    if (ran != graph.ops.size())
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
    changes_.resize(graph.ops.size());
    is_known_.assign(graph.ops.size(), 0);
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

const ScheduleTables::Change &ScheduleState::change(int op) const {
    if (!is_known_[op]) {
        changes_[op] = tables_->change(op, [this](int buffer) { return is_last_read(buffer); });
        is_known_[op] = 1;
    }
    return changes_[op];
}

// The op enters the set of those that do not read any more (-1), or leaves it (1).
void ScheduleState::count_unread(int op, int by) {
    for (const int read : tables_->reads[op]) {
        const bool was = is_last_read(read);
        unread_[read] += by;
        if (is_last_read(read) != was)
            for (const int reader : tables_->readers[read])
                is_known_[reader] = 0;
    }
}

ScheduleState::Step ScheduleState::step(int op) const {
    const auto [peak, live] = change(op);
    return backwards_ ? Step{live_ - live + peak, live_ - live} : Step{live_ + peak, live_ + live};
}

void ScheduleState::run(int op) {
    live_ += backwards_ ? -change(op).live : change(op).live;
    unset_ready(op);
    count_unread(op, backwards_ ? 1 : -1);
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
    count_unread(op, backwards_ ? -1 : 1);
    set_ready(op);
    live_ += backwards_ ? change(op).live : -change(op).live;
}

} // namespace lastuse::planning
