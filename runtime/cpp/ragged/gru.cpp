#include "gru.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "pool.hpp"

namespace lastuse::ragged {

namespace {

constexpr int64_t item = sizeof(float);

int64_t aligned(int64_t bytes) { return (bytes + 63) / 64 * 64; }

void read(const Rows &from, int64_t row, int64_t columns, char *to) {
    const char *source = from.data + row * from.stride;
    if (from.step == item)
        std::memcpy(to, source, static_cast<size_t>(columns * item));
    else
        for (int64_t column = 0; column < columns; ++column)
            std::memcpy(to + column * item, source + column * from.step, item);
}

void write(const char *from, int64_t columns, const Rows &to, int64_t row) {
    char *target = to.data + row * to.stride;
    if (to.step == item)
        std::memcpy(target, from, static_cast<size_t>(columns * item));
    else
        for (int64_t column = 0; column < columns; ++column)
            std::memcpy(target + column * to.step, from + column * item, item);
}

void add(const char *from, int64_t columns, const Rows &to, int64_t row) {
    const auto *addend = reinterpret_cast<const float *>(from);
    char *target = to.data + row * to.stride;
    for (int64_t column = 0; column < columns; ++column)
        *reinterpret_cast<float *>(target + column * to.step) += addend[column];
}

// The rows of a run, step by step, from where they stand to dense memory.
void gather(const Run &run, bool reverse, const Rows &from, int64_t columns, char *to) {
    for (int64_t step = run.step; step < run.step + run.steps; ++step)
        for (int64_t k = 0; k < run.width; ++k, to += columns * item)
            read(from, run.group[k].row(step, reverse), columns, to);
}

void scatter(const Run &run, bool reverse, const char *from, int64_t columns, const Rows &to, bool adds) {
    for (int64_t step = run.step; step < run.step + run.steps; ++step)
        for (int64_t k = 0; k < run.width; ++k, from += columns * item)
            (adds ? add : write)(from, columns, to, run.group[k].row(step, reverse));
}

// The states that the sequences of a group start with.
void start(const Run &run, const Rows *h0, int64_t columns, char *to) {
    if (!h0)
        std::memset(to, 0, static_cast<size_t>(run.width * columns * item));
    else
        for (int64_t k = 0; k < run.width; ++k, to += columns * item)
            read(*h0, run.group[k].index, columns, to);
}

// A primitive with its operands: made anew only where the next run is another one.
class Bound {
public:
    Bound(const GruWeights &weights, GruCache &cache) : weights_(weights), cache_(cache), stream_(engine()) {}

    void execute(const Run &run, const Room &room, char *block, char *state, char *states) {
        if (weights_.shape().is_own(run.width)) {
            const auto *x = reinterpret_cast<const float *>(block + room.x);
            run_cell(weights_.cell(), run.steps, run.width, x, reinterpret_cast<const float *>(state),
                     reinterpret_cast<float *>(states), block + room.scratch);
            return;
        }
        auto wanted = cache_.run(weights_, run.steps, run.width);
        if (wanted != run_)
            bind(std::move(wanted), room, block);
        operands_[DNNL_ARG_SRC_ITER].set_data_handle(state);
        operands_[DNNL_ARG_DST_LAYER].set_data_handle(states);
        run_->primitive.execute(stream_, operands_);
        stream_.wait();
    }

private:
    void bind(std::shared_ptr<const GruRun> run, const Room &room, char *block) {
        if (static_cast<int64_t>(run->scratch.get_size()) > room.block - room.scratch)
            throw Error("a run needs " + std::to_string(run->scratch.get_size()) + " bytes of scratch, " +
                        std::to_string(room.block - room.scratch) + " were counted");
        const auto memory = [](const Desc &desc, const void *data) {
            return dnnl::memory(desc, engine(), const_cast<void *>(data));
        };
        operands_ = {
            {DNNL_ARG_SRC_LAYER, memory(run->src_layer, block + room.x)},
            {DNNL_ARG_SRC_ITER, memory(run->src_iter, block)},
            {DNNL_ARG_WEIGHTS_LAYER, memory(weights_.layer_desc(run->packed), weights_.layer(run->packed))},
            {DNNL_ARG_WEIGHTS_ITER, memory(weights_.iter_desc(run->packed), weights_.iter(run->packed))},
            {DNNL_ARG_BIAS, memory(run->bias, weights_.bias())},
            {DNNL_ARG_DST_LAYER, memory(run->dst_layer, block)},
            {DNNL_ARG_SCRATCHPAD, memory(run->scratch, block + room.scratch)},
        };
        run_ = std::move(run);
    }

    const GruWeights &weights_;
    GruCache &cache_;
    dnnl::stream stream_;
    std::shared_ptr<const GruRun> run_;
    std::unordered_map<int, dnnl::memory> operands_;
};

} // namespace

Room Room::of(const GruShape &shape, int64_t directions, int64_t words, int64_t sequences, int threads) {
    const Cut cut = Cut::of(shape.channels);
    Room room{};
    const int64_t most = std::max<int64_t>(sequences, 1) * directions;
    room.lanes = static_cast<int>(std::min<int64_t>(std::max(threads, 1), most));
    room.batch = aligned(2 * sequences * static_cast<int64_t>(sizeof(Sequence)));
    int64_t rows = 0, scratch = 0;
    try {
        for (int64_t width = std::min({cut.width, sequences, words}); width > 0; --width) {
            int64_t steps = cut.steps_at(width);
            while (steps * width > words)
                steps /= 2;
            rows = std::max(rows, steps * width);
            // It grows with the steps, but not always with the width.
            scratch = std::max(scratch, run_scratch_bytes(shape, steps, width));
        }
    } catch (const dnnl::error &error) {
        throw Error("oneDNN has no GRU of " + std::to_string(shape.input) + " inputs and " +
                    std::to_string(shape.channels) + " channels: " + error.what());
    }
    room.first = room.x + aligned(rows * shape.input * item);
    room.second = room.first + aligned(rows * shape.channels * item);
    room.scratch = room.second + aligned(rows * shape.channels * item);
    room.block = room.scratch + aligned(scratch);
    room.bytes = room.batch + room.lanes * room.block;
    return room;
}

struct Gru::Task {
    const Direction &direction;
    const Rows *h0;
    const Sequence *begin, *end;
    int64_t column; // of the result, the first
    bool adds;
};

Gru::Gru(std::vector<Direction> directions, bool sum, std::shared_ptr<GruCache> cache)
    : directions_(std::move(directions)), sum_(sum), cache_(std::move(cache)) {
    if (directions_.empty())
        throw Error("a GRU has at least one direction");
    for (const Direction &direction : directions_)
        if (!(direction.weights->shape() == shape()))
            throw Error("the directions of a GRU have weights of one size");
}

int64_t Gru::weight_bytes() const {
    const int64_t triple = 3 * shape().channels;
    return directions() * triple * ((shape().input + shape().channels) * item_bytes(shape().kind) + item);
}

void Gru::run(const Rows &x, const int64_t *offsets, int64_t sequences, int64_t words, const Rows *h0,
              const Rows &out, const Room &room, char *memory) const {
    const int count = static_cast<int>(directions_.size());
    // Side by side, directions share the threads: with as many directions as threads, each has a thread and the whole
    // batch. Added up, they share the parts: who adds to a row is who wrote it.
    const int parts = sum_ ? room.lanes : room.lanes / std::gcd(room.lanes, count);
    const Batch batch(offsets, sequences, words, parts, reinterpret_cast<Sequence *>(memory));
    if (words == 0)
        return;
    const int tasks = parts * count;
    Pool::shared().run(room.lanes, [&](int lane) {
        const ThreadCount one(1);
        for (int number = lane; number < tasks; number += room.lanes) {
            const int part = number % parts, which = number / parts;
            const Task task{directions_[static_cast<size_t>(which)], h0 ? h0 + which : nullptr, batch.begin(part),
                            batch.end(part), sum_ ? 0 : which * shape().channels, sum_ && which > 0};
            run(task, x, out, room, memory + room.batch + lane * room.block);
        }
    });
}

void Gru::run(const Task &task, const Rows &x, const Rows &out, const Room &room, char *block) const {
    const bool reverse = task.direction.reverse;
    const int64_t channels = shape().channels;
    const Rows target{out.data + task.column * out.step, out.stride, out.step};
    Bound bound(*task.direction.weights, *cache_);
    char *states = block + room.first, *before = block + room.second, *state = nullptr;
    walk(task.begin, task.end, Cut::of(channels), [&](const Run &run) {
        if (run.step == 0) {
            state = before;
            start(run, task.h0, channels, state);
        }
        gather(run, reverse, x, shape().input, block + room.x);
        bound.execute(run, room, block, state, states);
        scatter(run, reverse, states, channels, target, task.adds);
        // Sequences that end are at the end of the slice: the next run reads the first of it.
        state = states + (run.steps - 1) * run.width * channels * item;
        std::swap(states, before);
    });
}

StackRoom StackRoom::of(std::vector<GruShape> shapes, int64_t directions, int64_t words, int64_t sequences,
                        int threads) {
    if (directions < 1 || words < 0 || sequences < 0 || threads < 1)
        throw Error("a GRU has at least one direction and one thread, and no negative sizes");
    StackRoom room{};
    int64_t most = 0;
    for (const GruShape &shape : shapes) {
        room.layers.push_back(Room::of(shape, directions, words, sequences, threads));
        most = std::max(most, room.layers.back().bytes);
    }
    // A layer's input is the columns of the one before.
    for (size_t k = 1; k < shapes.size(); ++k)
        room.between = std::max(room.between, aligned(words * shapes[k].input * item));
    room.results = std::min<int64_t>(static_cast<int64_t>(shapes.size()) - 1, 2) * room.between;
    room.bytes = room.results + most;
    room.directions = directions;
    room.words = words;
    room.sequences = sequences;
    room.shapes = std::move(shapes);
    room.threads = threads;
    return room;
}

void run(const std::vector<std::shared_ptr<const Gru>> &layers, const Rows &x, const int64_t *offsets, const Rows *h0,
         const Rows &out, const StackRoom &room, char *memory) {
    Rows from = x;
    for (size_t k = 0; k < layers.size(); ++k) {
        const Gru &layer = *layers[k];
        char *between = memory + static_cast<int64_t>(k % 2) * room.between;
        const Rows to = k + 1 == layers.size() ? out : Rows{between, layer.columns() * item, item};
        layer.run(from, offsets, room.sequences, room.words, h0, to, room.layers[k], memory + room.results);
        h0 = h0 ? h0 + layer.directions() : nullptr;
        from = to;
    }
}

} // namespace lastuse::ragged
