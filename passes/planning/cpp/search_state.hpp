// The state of the search: the problem and the current branch. See search.hpp.
#pragma once

#include <vector>

#include "failed_states.hpp"
#include "search.hpp"

namespace lastuse::planning {

struct Task {
    int64_t size;      // bytes of the largest piece
    int64_t alignment; // 1 if fixed
    int64_t fixed;
    int64_t length;  // in the caller's time
    int first, last; // first and last section
};

struct Share { // of a buffer in a section
    int other;       // the section, in the list of a buffer; the buffer, in that of a section
    int64_t rounded; // bytes, rounded up to the next possible offset

    bool operator==(const Share &share) const { return other == share.other && rounded == share.rounded; }
};

struct Meeting { // of a buffer with another one
    int other;
    int64_t mine;   // largest size of the buffer while both are in use
    int64_t theirs; // largest size of the other one then
};

// The part of a buffer's state that backtracking restores.
struct Open {
    int64_t low = 0;    // lowest possible offset; once placed, the offset
    int64_t kept = -1;  // an offset that another buffer must keep it from; -1: none
    bool placed = false;
};

struct Saved {
    int buffer;
    Open before;
};

struct Item { // an open buffer of a section
    int64_t low;
    int64_t size;
    int buffer;
};

struct Search::State {
    State(const std::vector<Buffer> &buffers, const Timeline &timeline);
    void meet(const Timeline &timeline);
    void rank_all();

    Fits turn(const std::vector<int> &order, int64_t nodes);
    std::vector<int> learned(size_t order) const;
    Fits solve(size_t begin, size_t end);
    Fits solve_parts(size_t begin, size_t end);
    int lowest(size_t begin, size_t end) const;
    bool can_be_kept(int b) const;
    bool place(int b);
    bool postpone(int b);
    bool raise(int b, int64_t low);
    bool propagate(size_t begin, size_t end);
    bool carry(int b);
    bool infer(int section);
    bool edges();
    void touch(int b);
    void undo(size_t mark);
    void undo_touched();
    Key key(size_t begin, size_t end) const;

    // The problem. Buffers are renumbered in the order of their first sections.
    size_t caller_buffers;
    int64_t unit;
    bool possible = true;
    std::vector<int> numbers; // the numbers of the caller
    std::vector<Task> tasks;
    std::vector<std::vector<Share>> sections;     // of each buffer
    std::vector<std::vector<Share>> members;      // of each section
    std::vector<std::vector<Meeting>> meets;      // of each buffer: those that share a section
    std::vector<std::vector<Meeting>> fixed_near; // of each buffer: the fixed ones among them, by offset
    std::vector<std::vector<int>> ranks;          // for each order: the position of each buffer
    std::vector<int> twins;                       // of each buffer: the next equal one, or -1

    // One call of `fits`.
    int64_t capacity = 0, rounded_capacity = 0;
    Clock *clock = nullptr;
    FailedStates failed_states;
    std::vector<int64_t> weights; // of each buffer: failures that it took part in

    // One turn.
    const int *rank = nullptr;
    int64_t nodes_left = 0;
    int depth = 0;         // of the recursion of `solve`
    bool too_deep = false; // whether the search ended because of it
    std::vector<Open> open;
    std::vector<int> carrier;   // of a buffer with `kept`: index in `meets` of a buffer on which it may lie
    std::vector<int64_t> bytes; // of the open buffers of each section
    std::vector<Saved> trail;
    std::vector<char> touched;
    std::vector<int> touched_sections;
    std::vector<Item> items;
    std::vector<int> stack; // the open buffers of each level of recursion
};

} // namespace lastuse::planning
