// A GRU over ragged rows, without padding: each thread walks a part of the batch alone, or all walk it together.
#pragma once

#include <memory>
#include <vector>

#include "cache.hpp"

namespace lastuse::ragged {

// Rows of f32 at any strides, in bytes.
struct Rows {
    char *data;
    int64_t stride, step; // from row to row, from element to element
};

// The memory of a run over a batch: the sequences, and for each lane the rows and states of one primitive at a time. In
// bytes, offsets within a lane's block.
struct Room {
    int lanes, together; // threads that walk parts of their own; that walk all of it, each with a share of the columns
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
    int64_t weight_bytes() const;
    int64_t columns() const { return shape().channels * (sum_ ? 1 : directions()); }

    // x [words, input]; h0 [sequences, channels] for each direction, or null for zeros; out [words, columns], which may
    // be x itself where there is one direction. `memory`: room.bytes on a 64-byte boundary. The result depends on the
    // operands and, where oneDNN computes runs, the number of lanes. Throws OffsetsError.
    void run(const Rows &x, const int64_t *offsets, int64_t sequences, int64_t words, const Rows *h0, const Rows &out,
             const Room &room, char *memory) const;

private:
    struct Task; // one direction of one part of the batch
    struct Lane;

    Pace pace() const;
    // Whether the batch takes less time with all threads at each run than with parts of it for each.
    bool goes_together(const Batch &batch, int parts, const Room &room) const;
    void run(const Task &task, const Rows &x, const Rows &out, const Room &room, Lane &lane) const;

    std::vector<Direction> directions_;
    bool sum_;
    std::shared_ptr<GruCache> cache_;
};

// The memory of layers, each over the result of the one before: two results at a time, and the room of the layer at
// work.
struct StackRoom {
    int64_t directions, words, sequences; // what it was made for
    std::vector<GruShape> shapes;
    int threads;
    std::vector<Room> layers;
    int64_t between, results, bytes; // of one result between layers; of all of those; of everything

    static StackRoom of(std::vector<GruShape> shapes, int64_t directions, int64_t words, int64_t sequences,
                        int threads);
};

// Runs the layers one after the other; operands as of Gru::run, h0 for each direction of each layer. `out` may be x
// itself where there are several layers or one direction.
void run(const std::vector<std::shared_ptr<const Gru>> &layers, const Rows &x, const int64_t *offsets, const Rows *h0,
         const Rows &out, const StackRoom &room, char *memory);

} // namespace lastuse::ragged
