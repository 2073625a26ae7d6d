// A GRU over ragged rows, without padding. Each thread computes a part of the batch, or all threads compute each run
// together.
#pragma once

#include <memory>
#include <vector>

#include "cache.hpp"

namespace lastuse::ragged {

// Rows of f32 with any strides, in bytes.
struct Rows {
    char *data;
    int64_t stride, step; // from row to row, from element to element
};

// The scratch of a GRU over a batch: the sequences, then a block for each lane with the rows and states of one run. All
// sizes are in bytes; offsets are relative to the block.
struct Room {
    int lanes;    // threads that compute parts of the batch
    int together; // threads that compute each run together, each with a share of the columns
    int64_t batch;                     // size of the sequences, which precede the blocks
    int64_t x, first, second, scratch; // gathered rows; states of this run and of the one before; scratch of the run
    int64_t block, bytes;              // size of a block; of everything

    // Enough for `rows` rows in `sequences` sequences of any lengths. Throws Error if oneDNN has no such GRU.
    static Room of(const GruShape &shape, int64_t directions, int64_t rows, int64_t sequences, int threads);
};

struct Direction {
    std::shared_ptr<const GruWeights> weights;
    bool reverse;
};

// One or more directions over the same rows. Their results are side by side in the columns, or are added up.
class Gru {
public:
    // Throws Error if sizes differ or there is no direction.
    Gru(std::vector<Direction> directions, bool sum, std::shared_ptr<GruCache> cache);

    const GruShape &shape() const { return directions_.front().weights->shape(); }
    int64_t directions() const { return static_cast<int64_t>(directions_.size()); }
    int64_t weight_bytes() const;
    int64_t columns() const { return shape().channels * (sum_ ? 1 : directions()); }

    // x [rows, input]; h0 [sequences, channels] for each direction, or null for zeros; out [rows, columns], which may be
    // x itself if there is one direction. `memory`: room.bytes on a 64-byte boundary. The result depends on the operands
    // and, if oneDNN computes runs, on the number of lanes. Throws OffsetsError.
    void run(const Rows &x, const int64_t *offsets, int64_t sequences, int64_t rows, const Rows *h0, const Rows &out,
             const Room &room, char *memory) const;

private:
    struct Task; // one direction of one part of the batch
    struct Lane;

    CostModel cost() const;
    // Whether the batch is estimated to take less time if all threads compute each run together.
    bool is_faster_together(const Batch &batch, int parts, const Room &room) const;
    void run(const Task &task, const Rows &x, const Rows &out, const Room &room, Lane &lane) const;

    std::vector<Direction> directions_;
    bool sum_;
    std::shared_ptr<GruCache> cache_;
};

// The scratch of stacked layers, each over the result of the one before: two results between layers, the scratch of one
// layer, and, if each run packs the weights, the packed ones of all layers.
struct StackRoom {
    int64_t directions, rows, sequences; // as given to `of`
    std::vector<GruShape> shapes;
    int threads;
    std::vector<Room> layers;
    std::vector<GruLayouts> layouts; // of the layers, if each run packs them
    int64_t between, results;        // size of one result between layers; of all of those
    int64_t packed, bytes;           // where packed weights begin; size of everything

    // `packs`: whether each run packs the weights.
    static StackRoom of(std::vector<GruShape> shapes, int64_t directions, int64_t rows, int64_t sequences, int threads,
                        bool packs = false);
};

// Runs the layers one after the other. Operands as of Gru::run, h0 for each direction of each layer. `out` may be x
// itself if there are several layers or one direction.
void run(const std::vector<std::shared_ptr<const Gru>> &layers, const Rows &x, const int64_t *offsets, const Rows *h0,
         const Rows &out, const StackRoom &room, char *memory);

} // namespace lastuse::ragged
