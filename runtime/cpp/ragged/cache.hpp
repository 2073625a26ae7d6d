// GRU primitives by the run they do, and weights in the layout that all of them read.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cell.hpp"
#include "plan.hpp"

namespace lastuse::ragged {

// Sizes of a GRU, x has `input` columns and the state `channels`, and who computes it: runs of at most `own` sequences
// our own kernels, wider ones oneDNN.
struct GruShape {
    int64_t input, channels;
    Kind kind = Kind::f32;
    int64_t own = own_width(Kind::f32);

    bool operator==(const GruShape &other) const {
        return input == other.input && channels == other.channels && kind == other.kind && own == other.own;
    }
    bool is_own(int64_t width) const { return width <= own; }
};

// How inputs and states become int8, and how their weights did: round(v * data + shift), round(w * weights[column]).
struct Scales {
    float data[2], shift[2];
    const float *weights[2]; // [3 * channels] each
};

// The weights of one direction. Packed once, for every run there will ever be: one layout suits all widths and steps of
// our kernels, another one those of oneDNN, and where one of its kernels should not take that, the run reads the
// weights as they were given.
class GruWeights {
public:
    using Owner = std::shared_ptr<const void>;

    // Dense, gates u, r, c: layer [input, 3 * channels] and iter [channels, 3, channels] of the shape's kind, f32 bias
    // [3 * channels]; scales if int8. h' = u * h + (1 - u) * c. The owners keep the arrays alive.
    GruWeights(GruShape shape, Owner layer, Owner iter, Owner bias, const Scales *scales = nullptr);

    const GruShape &shape() const { return shape_; }
    const Cell &cell() const { return cell_; }
    const Desc &layer_desc(bool packed) const { return packed ? layer_.packed : layer_.plain; }
    const Desc &iter_desc(bool packed) const { return packed ? iter_.packed : iter_.plain; }
    const void *layer(bool packed) const { return packed ? layer_.memory.get() : layer_.given.get(); }
    const void *iter(bool packed) const { return packed ? iter_.memory.get() : iter_.given.get(); }
    const void *bias() const { return bias_.get(); }
    int64_t packed_bytes() const; // beside the arrays that were given

private:
    struct Matrix {
        Desc plain, packed;
        Owner given, memory; // one and the same where the kernel wants them as they are
    };
    void pack_cell(const Scales *scales);
    void pack_primitive();
    static void pack(Matrix &matrix);

    GruShape shape_;
    Matrix layer_, iter_;
    Owner bias_;
    Cell cell_{};
    Owner panels_; // all that the cell reads
    int64_t panel_bytes_ = 0;
};

// A GRU of so many steps over so many sequences, for one thread.
struct GruRun {
    dnnl::gru_forward primitive;
    Desc src_layer, src_iter, dst_layer, bias, scratch;
    bool packed; // which of the weights' layouts it reads
};

// Scratch of a run in bytes. Throws dnnl::error where oneDNN has to compute it and does not.
int64_t run_scratch_bytes(const GruShape &shape, int64_t steps, int64_t width);

// Bounded, the least recently used goes; for any number of threads.
class GruCache {
public:
    struct Figures {
        uint64_t hits, misses;
        size_t entries, capacity;
    };

    explicit GruCache(size_t capacity) : capacity_(capacity) {}

    // Throws dnnl::error.
    std::shared_ptr<const GruRun> run(const GruWeights &weights, int64_t steps, int64_t width);
    Figures figures() const;

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
    std::list<Entry> entries_; // the latest first
    std::unordered_map<Key, std::list<Entry>::iterator, Hash> found_;
    uint64_t hits_ = 0, misses_ = 0;
};

} // namespace lastuse::ragged
