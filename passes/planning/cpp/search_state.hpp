// The state of the search: what is asked, and how far it has got. See search.hpp.
#pragma once

#include <vector>

#include "failures.hpp"
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
    int64_t rounded; // bytes up to the next place where another may begin

    bool operator==(const Share &share) const { return other == share.other && rounded == share.rounded; }
};

struct Meeting {
    int other;
    int64_t mine;   // most bytes that the buffer has where it meets the other
    int64_t theirs; // most bytes that the other has there
};

// What changes of a buffer on the way down, and is put back on the way up.
struct Open {
    int64_t low = 0;    // least offset it can have; once placed, its offset
    int64_t kept = -1;  // another must keep it from lying there; -1: no such demand
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

    // The question's fixed part. Buffers are numbered anew, in the order of their first sections.
    size_t caller_buffers;
    int64_t unit;
    bool possible = true;
    std::vector<int> numbers; // of the caller
    std::vector<Task> tasks;
    std::vector<std::vector<Share>> sections;     // of each buffer
    std::vector<std::vector<Share>> members;      // of each section
    std::vector<std::vector<Meeting>> meets;      // of each buffer: those that share a section
    std::vector<std::vector<Meeting>> fixed_near; // of each buffer: the fixed ones among them, from below
    std::vector<std::vector<int>> ranks;      // one for each order: of each buffer its place
    std::vector<int> twins;                   // of each buffer: the next equal one, or -1

    // One question.
    int64_t capacity = 0, rounded_capacity = 0;
    Clock *clock = nullptr;
    Failures failures;
    std::vector<int64_t> blame; // of each buffer: dead ends that were about it

    // One turn.
    const int *rank = nullptr;
    int64_t nodes_left = 0;
    int depth = 0;         // calls of `solve` within each other
    bool too_deep = false; // they were so many that the search gave up
    std::vector<Open> open;
    std::vector<int> carrier;   // of a buffer with `kept`: place in `meets` of what may carry it
    std::vector<int64_t> bytes; // still open in each section
    std::vector<Saved> trail;
    std::vector<char> touched;
    std::vector<int> touched_sections;
    std::vector<Item> items;
    std::vector<int> stack; // the open buffers of each level
};

} // namespace lastuse::planning
