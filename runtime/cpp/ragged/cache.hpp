// GRU primitives by the sizes of their run, and weights packed in a layout that all of them read.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "../core/primitive.hpp"
#include "../kernels/cell.hpp"
#include "plan.hpp"

namespace lastuse::ragged {

using kernels::Kind;

// Sizes of a GRU, columns of x and of the state, and its implementation: kernels/cell.hpp computes runs of at most `own`
// sequences, oneDNN wider ones.
struct GruShape {
    int64_t input, channels;
    Kind kind = Kind::f32;
    int64_t own = kernels::own_width(Kind::f32);

    bool operator==(const GruShape &other) const {
        return input == other.input && channels == other.channels && kind == other.kind && own == other.own;
    }
    bool is_own(int64_t width) const { return width <= own; }
};

// Quantization of inputs and states, round(v * data + shift), and of their weights, round(w * weights[column]).
struct Scales {
    float data[2], shift[2];
    const float *weights[2]; // [3 * channels] each
};

// The layouts of packed weights, and the bytes that they take: one layout for kernels/cell.hpp, another one for oneDNN.
struct GruLayouts {
    Desc layer, iter, packed_layer, packed_iter; // oneDNN's; of no element where it computes no run
    int64_t cell_bytes, layer_bytes, iter_bytes; // 0 where nothing is to be packed

    // Throws Error if oneDNN computes runs of the shape and has no primitive for them.
    static GruLayouts of(const GruShape &shape);

    int64_t bytes() const { return aligned(cell_bytes) + aligned(layer_bytes) + aligned(iter_bytes); }
};

// The weights of one direction, packed once for all runs of a program, or for one run. A oneDNN primitive that does not
// accept the packed layout reads the original weights.
class GruWeights {
public:
    using Owner = std::shared_ptr<const void>;

    // Dense, gates u, r, c: layer [input, 3 * channels] and iter [channels, 3, channels] of the shape's kind, f32 bias
    // [3 * channels]; `scales` if int8. h' = u * h + (1 - u) * c. The owners keep the arrays alive. `memory`: layouts.bytes()
    // on a 64-byte boundary for the packed weights, or null for memory of their own.
    GruWeights(GruShape shape, const GruLayouts &layouts, Owner layer, Owner iter, Owner bias,
               const Scales *scales = nullptr, char *memory = nullptr);

    const GruShape &shape() const { return shape_; }
    const kernels::Cell &cell() const { return cell_; }
    const Desc &layer_desc(bool packed) const { return packed ? layer_.packed : layer_.plain; }
    const Desc &iter_desc(bool packed) const { return packed ? iter_.packed : iter_.plain; }
    const void *layer(bool packed) const { return packed ? layer_.memory.get() : layer_.given.get(); }
    const void *iter(bool packed) const { return packed ? iter_.memory.get() : iter_.given.get(); }
    const void *bias() const { return bias_.get(); }
    int64_t packed_bytes() const; // besides the original arrays

private:
    struct Matrix {
        Desc plain, packed;
        Owner given, memory; // the original and the packed weights; the same if no packing is needed
    };
    void pack_cell(const Scales *scales, Owner memory, int64_t bytes);
    static void pack(Matrix &matrix, Owner memory);

    GruShape shape_;
    Matrix layer_, iter_;
    Owner bias_;
    kernels::Cell cell_{};
    Owner panels_; // the memory of `cell_`
    int64_t panel_bytes_ = 0;
};

// A prepared GRU primitive for a number of steps and sequences, for one thread.
struct GruRun {
    dnnl::gru_forward primitive;
    Desc src_layer, src_iter, dst_layer, bias, scratch;
    bool packed; // whether it reads the packed weights or the original ones
};

// Scratch of a run in bytes. Throws dnnl::error if oneDNN computes the run and has no primitive for it.
int64_t run_scratch_bytes(const GruShape &shape, int64_t steps, int64_t width);

// A cache with least-recently-used eviction; thread-safe.
class GruCache {
public:
    struct Statistics {
        uint64_t hits, misses;
        size_t entries, capacity;
    };

    explicit GruCache(size_t capacity) : capacity_(capacity) {}

    // Throws dnnl::error.
    std::shared_ptr<const GruRun> run(const GruWeights &weights, int64_t steps, int64_t width);
    Statistics statistics() const;

private:
    struct Key {
        GruShape shape;
        int64_t steps, width;

        bool operator==(const Key &other) const {
            return shape == other.shape && steps == other.steps && width == other.width;
        }
    };
    struct Hash {
        size_t operator()(const Key &key) const;
    };
    using Entry = std::pair<Key, std::shared_ptr<const GruRun>>;

    const size_t capacity_;
    mutable std::mutex mutex_; // of all that follows
    std::list<Entry> entries_; // the most recently used first
    std::unordered_map<Key, std::list<Entry>::iterator, Hash> index_;
    uint64_t hits_ = 0, misses_ = 0;
};

} // namespace lastuse::ragged
