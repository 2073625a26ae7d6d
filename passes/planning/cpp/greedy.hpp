// Plans made by placing one buffer after the other, without backtracking.
#pragma once

#include "timeline.hpp"

namespace lastuse::planning {

enum class Gap {
    lowest,   // the first that holds the buffer
    smallest, // the one that leaves the fewest bytes unused; on top of all buffers if none holds it
};

// Places buffers in any order, each in a gap between those it meets (that are in use at the same time). Memory is linear
// in the number of buffers. The time for a buffer depends on those it meets, found in a tree over time; or, if these are
// many, on all placed buffers, in a list by offset.
class Placer {
public:
    Placer(const std::vector<Buffer> &buffers, const Timeline &timeline);

    // The offsets if the buffers are placed in `order`, after the fixed ones. The result is empty if the peak would exceed
    // `give_up`. `visited`, if not null, counts placed buffers and visited overlaps.
    std::vector<int64_t> place(const std::vector<int> &order, Gap gap, int64_t give_up = INT64_MAX,
                               int64_t *visited = nullptr);

    int64_t peak(const std::vector<int64_t> &offsets) const;

private:
    struct Taken { // a buffer can begin at `above` or below it, or at `below` or above it
        int64_t above;
        int64_t below;
        bool operator<(const Taken &other) const { return above < other.above; }
    };

    struct Placed { // a piece of a placed buffer
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

    // An interval tree: the pieces of all buffers, by their first times, are its leaves; each node has the latest end of
    // the placed pieces below it.
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
