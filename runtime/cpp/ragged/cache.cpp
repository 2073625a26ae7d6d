#include "cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "../threads/team.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lastuse::ragged {

namespace {

using dnnl::memory;
using Tag = memory::format_tag;
constexpr auto f32 = memory::data_type::f32;
constexpr int64_t gates = 3;

Desc plain_weights(int64_t rows, int64_t channels, Tag tag) { return Desc({1, 1, rows, gates, channels}, f32, tag); }

// A GRU for one thread.
dnnl::gru_forward::primitive_desc describe(const GruShape &shape, int64_t steps, int64_t width, const Desc &layer,
                                           const Desc &iter) {
    const ThreadCount one(1);
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return {engine(),
            dnnl::prop_kind::forward_inference,
            dnnl::rnn_direction::unidirectional_left2right, // rows of a reverse direction are gathered in reverse
            Desc({steps, width, shape.input}, f32, Tag::tnc),
            Desc({1, 1, width, shape.channels}, f32, Tag::ldnc),
            layer,
            iter,
            Desc({1, 1, gates, shape.channels}, f32, Tag::ldgo),
            Desc({steps, width, shape.channels}, f32, Tag::tnc),
            Desc(), // the last step of dst_layer is dst_iter
            attr};
}

// The same, with weights in the layout that oneDNN prefers.
dnnl::gru_forward::primitive_desc describe_any_layout(const GruShape &shape, int64_t steps, int64_t width) {
    return describe(shape, steps, width, plain_weights(shape.input, shape.channels, Tag::any),
                    plain_weights(shape.channels, shape.channels, Tag::any));
}

} // namespace

int64_t run_scratch_bytes(const GruShape &shape, int64_t steps, int64_t width) {
    if (shape.is_own(width))
        return kernels::cell_scratch_bytes(shape.input, shape.channels, shape.kind, steps, width);
    return static_cast<int64_t>(describe_any_layout(shape, steps, width).scratchpad_desc().get_size());
}

namespace {

constexpr int64_t large_page = 2 << 20; // bytes

GruWeights::Owner allocate(int64_t bytes) {
    const auto release = [](const void *data) { std::free(const_cast<void *>(data)); };
    const int64_t unit = bytes >= large_page / 2 ? large_page : cache_line;
    const auto size = static_cast<size_t>((bytes + unit - 1) / unit * unit);
    GruWeights::Owner memory(std::aligned_alloc(static_cast<size_t>(unit), size), release);
    if (!memory)
        throw Error("no memory for " + std::to_string(bytes) + " bytes of packed weights");
#if defined(__linux__)
    // In one large page, cache conflicts do not depend on the addresses of small pages. A failure has no consequence.
    if (unit == large_page)
        (void)madvise(const_cast<void *>(memory.get()), size, MADV_HUGEPAGE);
#endif
    return memory;
}

} // namespace

GruLayouts GruLayouts::of(const GruShape &shape) {
    if (shape.input < 1 || shape.channels < 1)
        throw Error("a GRU has at least one input and one channel");
    GruLayouts layouts{};
    const int64_t channels = shape.channels, floats = 3 * kernels::padded(channels) * static_cast<int64_t>(sizeof(float));
    if (shape.own > 0)
        layouts.cell_bytes = 3 * (aligned(kernels::gate_bytes(shape.input, channels, shape.kind)) +
                                  aligned(kernels::gate_bytes(channels, channels, shape.kind)) + floats);
    // The layout is chosen for the widest possible run: most rows are in runs of many sequences.
    if (shape.is_own(Cut::of(channels).width))
        return layouts;
    if (shape.kind != Kind::f32)
        throw Error("oneDNN computes only GRUs of f32 here");
    try {
        const Cut cut = Cut::of(channels);
        const auto best = describe_any_layout(shape, cut.steps_at(cut.width), cut.width);
        layouts.layer = plain_weights(shape.input, channels, Tag::ldigo);
        layouts.packed_layer = best.weights_layer_desc();
        layouts.iter = plain_weights(channels, channels, Tag::ldigo);
        layouts.packed_iter = best.weights_iter_desc();
    } catch (const dnnl::error &error) {
        throw Error("oneDNN has no GRU of " + std::to_string(shape.input) + " inputs and " + std::to_string(channels) +
                    " channels: " + error.what());
    }
    const auto bytes = [](const Desc &plain, const Desc &packed) {
        return packed == plain ? 0 : static_cast<int64_t>(packed.get_size());
    };
    layouts.layer_bytes = bytes(layouts.layer, layouts.packed_layer);
    layouts.iter_bytes = bytes(layouts.iter, layouts.packed_iter);
    return layouts;
}

GruWeights::GruWeights(GruShape shape, const GruLayouts &layouts, Owner layer, Owner iter, Owner bias,
                       const Scales *scales, char *memory)
    : shape_(shape), layer_{layouts.layer, layouts.packed_layer, std::move(layer), {}},
      iter_{layouts.iter, layouts.packed_iter, std::move(iter), {}}, bias_(std::move(bias)) {
    if ((shape.kind == Kind::int8) != (scales != nullptr))
        throw Error("weights of int8, and only those, have scales");
    const auto take = [&](int64_t bytes) {
        if (memory == nullptr)
            return allocate(bytes);
        Owner taken(memory, [](const void *) {});
        memory += aligned(bytes);
        return taken;
    };
    if (layouts.cell_bytes > 0)
        pack_cell(scales, take(layouts.cell_bytes), layouts.cell_bytes);
    if (shape.is_own(Cut::of(shape.channels).width))
        return;
    try {
        pack(layer_, layouts.layer_bytes > 0 ? take(layouts.layer_bytes) : layer_.given);
        pack(iter_, layouts.iter_bytes > 0 ? take(layouts.iter_bytes) : iter_.given);
    } catch (const dnnl::error &error) {
        throw Error(std::string("packing the weights of a GRU: ") + error.what());
    }
}

void GruWeights::pack_cell(const Scales *scales, Owner panels, int64_t bytes) {
    const int64_t channels = shape_.channels, columns = kernels::padded(channels), every = 3 * channels;
    const int64_t item = kernels::item_bytes(shape_.kind);
    const int64_t layer_bytes = aligned(kernels::gate_bytes(shape_.input, channels, shape_.kind));
    const int64_t iter_bytes = aligned(kernels::gate_bytes(channels, channels, shape_.kind));
    panel_bytes_ = bytes;
    panels_ = std::move(panels);
    auto *memory = static_cast<char *>(const_cast<void *>(panels_.get()));
    auto *bias = reinterpret_cast<float *>(memory + 3 * (layer_bytes + iter_bytes));
    float *const inverse[] = {bias + 3 * columns, bias + 6 * columns};
    std::fill(bias, bias + 9 * columns, 0.0f);
    cell_ = {shape_.input, channels, shape_.kind, {}, {}, bias, {inverse[0], inverse[1]}, {}, {}};
    for (int which = 0; scales && which < 2; ++which) {
        cell_.data_scale[which] = scales->data[which];
        cell_.data_shift[which] = scales->shift[which];
    }
    const auto *given = static_cast<const float *>(bias_.get());
    for (int64_t gate = 0; gate < 3; ++gate) {
        const auto pack = [&](const Owner &from, int64_t rows, char *to) {
            const char *first = static_cast<const char *>(from.get()) + gate * channels * item;
            kernels::pack_gate(first, every, rows, channels, shape_.kind, to);
            return to;
        };
        cell_.layer[gate] = pack(layer_.given, shape_.input, memory + gate * layer_bytes);
        cell_.iter[gate] = pack(iter_.given, channels, memory + 3 * layer_bytes + gate * iter_bytes);
        for (int64_t k = 0; k < channels; ++k) {
            const int64_t column = gate * channels + k;
            double value = given[column];
            for (int which = 0; scales && which < 2; ++which) {
                // The products contain `shift` times the sum of the weights; the bias removes it.
                const auto *weights = static_cast<const int8_t *>((which ? iter_ : layer_).given.get());
                int64_t sum = 0;
                for (int64_t row = 0; row < (which ? channels : shape_.input); ++row)
                    sum += weights[row * every + column];
                const double step = 1.0 / (static_cast<double>(scales->data[which]) * scales->weights[which][column]);
                inverse[which][gate * columns + k] = static_cast<float>(step);
                value -= static_cast<double>(scales->shift[which]) * static_cast<double>(sum) * step;
            }
            bias[gate * columns + k] = static_cast<float>(value);
        }
    }
}

void GruWeights::pack(Matrix &matrix, Owner memory) {
    matrix.memory = std::move(memory);
    if (matrix.memory != matrix.given)
        convert(matrix.plain, matrix.given.get(), matrix.packed, const_cast<void *>(matrix.memory.get()));
}

int64_t GruWeights::packed_bytes() const {
    int64_t bytes = panel_bytes_;
    for (const Matrix *matrix : {&layer_, &iter_})
        if (matrix->memory && matrix->memory != matrix->given)
            bytes += static_cast<int64_t>(matrix->packed.get_size());
    return bytes;
}

namespace {

std::shared_ptr<const GruRun> make(const GruWeights &weights, int64_t steps, int64_t width) {
    const auto prepare = [&](bool packed) {
        const auto description =
            describe(weights.shape(), steps, width, weights.layer_desc(packed), weights.iter_desc(packed));
        const ThreadCount one(1);
        return std::make_shared<const GruRun>(GruRun{dnnl::gru_forward(description), description.src_layer_desc(),
                                                     description.src_iter_desc(), description.dst_layer_desc(),
                                                     description.bias_desc(), description.scratchpad_desc(), packed});
    };
    try {
        return prepare(true);
    } catch (const dnnl::error &) {
        return prepare(false);
    }
}

} // namespace

size_t GruCache::Hash::operator()(const Key &key) const {
    size_t hash = 0;
    for (const int64_t part : {key.shape.input, key.shape.channels, key.steps, key.width})
        hash = hash * 1000003 + std::hash<int64_t>()(part);
    return hash;
}

std::shared_ptr<const GruRun> GruCache::run(const GruWeights &weights, int64_t steps, int64_t width) {
    const Key key{weights.shape(), steps, width};
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = index_.find(key);
        if (found != index_.end()) {
            ++hits_;
            entries_.splice(entries_.begin(), entries_, found->second);
            return found->second->second;
        }
        ++misses_;
    }
    // Without the lock, so that other threads continue. Two threads that miss the same run prepare it twice; the first
    // one is kept.
    auto run = make(weights, steps, width);
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = index_.find(key);
    if (found != index_.end())
        return found->second->second;
    entries_.emplace_front(key, std::move(run));
    index_[key] = entries_.begin();
    if (entries_.size() > capacity_) {
        index_.erase(entries_.back().first);
        entries_.pop_back();
    }
    return entries_.front().second;
}

GruCache::Statistics GruCache::statistics() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {hits_, misses_, entries_.size(), capacity_};
}

} // namespace lastuse::ragged
