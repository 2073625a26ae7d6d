// A GRU over ragged rows: no padding, one chain of primitives a lane, nothing to wait for until the end.
#pragma once

#include <memory>
#include <vector>

#include "cache.hpp"

namespace lastuse::ragged {

// Rows of f32, each dense.
struct Rows {
    char *data;
    int64_t stride; // in bytes
};

// The memory of a run over a batch: the sequences, and for each lane the rows and states of one primitive at a time. In
// bytes, offsets within a lane's block.
struct Room {
    int lanes;
    int64_t batch;                    // the sequences, in front of the blocks
    int64_t x, first, second, scratch; // gathered rows; states of this run and the one before; oneDNN's own
    int64_t block, bytes;              // of a lane; of all

    // Enough for so many words in so many sequences, of whatever lengths. Throws Error where oneDNN has no such GRU.
    static Room of(const GruShape &shape, int64_t directions, int64_t words, int64_t sequences, int threads);
};

struct Direction {
    std::shared_ptr<const GruWeights> weights;
    bool reverse;
};

// One direction or several over the same rows. Their results stand side by side in the columns, or are added up.
class Gru {
public:
    // Throws Error where sizes differ or there is no direction.
    Gru(std::vector<Direction> directions, bool sum, std::shared_ptr<GruCache> cache);

    const GruShape &shape() const { return directions_.front().weights->shape(); }
    int64_t directions() const { return static_cast<int64_t>(directions_.size()); }
    int64_t columns() const { return shape().channels * (sum_ ? 1 : directions()); }

    // x [words, input]; h0 [sequences, channels], or null for zeros; out [words, columns], which may be x itself where
    // there is one direction. `memory`: room.bytes on a 64-byte boundary. The result depends on the operands and the
    // number of lanes, on nothing else. Throws OffsetsError.
    void run(const Rows &x, const int64_t *offsets, int64_t sequences, int64_t words, const Rows *h0, const Rows &out,
             const Room &room, char *memory) const;

private:
    struct Task; // one direction of one part of the batch

    void run(const Task &task, const Rows &x, const Rows *h0, const Rows &out, const Room &room, char *block) const;

    std::vector<Direction> directions_;
    bool sum_;
    std::shared_ptr<GruCache> cache_;
};

} // namespace lastuse::ragged
