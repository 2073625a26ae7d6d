// Plans made by placing one buffer after the other for good.
#pragma once

#include "timeline.hpp"

namespace lastuse::planning {

enum class Gap {
    lowest,   // the first that holds the buffer
    smallest, // the one that leaves least over; on top of all if none holds it
};

// Places buffers in any order, each at a gap between those it meets. Memory is linear in the number of buffers. A buffer
// costs time for those it meets, in a tree over time; or, if these are many, a look at each of those placed so far, in a
// list by offset.
class Placer {
public:
    Placer(const std::vector<Buffer> &buffers, const Timeline &timeline);

    // Offsets when the buffers come in `order`, fixed ones before all others. Gives up, with an empty result, as soon
    // as the peak would exceed `give_up`. `visited`, if given, counts buffers placed and meetings looked at.
    std::vector<int64_t> place(const std::vector<int> &order, Gap gap, int64_t give_up = INT64_MAX,
                               int64_t *visited = nullptr);

    int64_t peak(const std::vector<int64_t> &offsets) const;

private:
    struct Taken { // a buffer can begin at `above` or before, or at `below` or after
        int64_t above;
        int64_t below;
        bool operator<(const Taken &other) const { return above < other.above; }
    };

    struct Placed { // a piece at its place
        int64_t offset;
        int lower, upper, leaf;
    };

    void add(int b, int64_t offset);
    bool meets_many(const std::vector<Piece> &live) const;
    void scan(const Piece &piece);
    int64_t scan_lowest(const Piece &piece, int64_t alignment, int64_t *visited) const;
    void collect(size_t node, size_t first, size_t count, size_t until, const Piece &piece);
    int64_t find(int b, Gap gap, int64_t *visited);

    const std::vector<Buffer> &buffers_;
    const Timeline &timeline_;
    std::vector<int> fixed_;
    std::vector<int64_t> offsets_;

    // The pieces of all buffers, by their beginnings, as the leaves of a tree; each node knows the latest end of what
    // is placed below it, so what meets a piece is found without looking at the rest.
    size_t leaves_ = 1;
    std::vector<int64_t> begins_, sizes_;
    std::vector<int64_t> ends_; // of all pieces, sorted
    std::vector<int> owner_;
    std::vector<std::vector<int>> leaf_of_; // of each piece of each buffer
    std::vector<int64_t> latest_;
    std::vector<char> many_;     // of each buffer: `meets_many`
    bool scans_ = false;         // any of them
    std::vector<Placed> placed_; // by offset; empty unless `scans_`
    std::vector<Taken> taken_;
};

// The orders of the portfolio, good ones first: by size, area, length of life, and first or last time.
std::vector<std::vector<int>> orders_of(const Timeline &timeline);

} // namespace lastuse::planning
