#include "gru.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>

#include "../threads/lanes.hpp"
#include "../threads/team.hpp"

namespace lastuse::ragged {

namespace {

constexpr int64_t item = sizeof(float);

void read(const Rows &from, int64_t row, int64_t columns, char *to) {
    const char *source = from.data + row * from.stride;
    if (from.step == item)
        std::memcpy(to, source, static_cast<size_t>(columns * item));
    else
        for (int64_t column = 0; column < columns; ++column)
            std::memcpy(to + column * item, source + column * from.step, item);
}

void write(const char *from, int64_t columns, char *to, int64_t step) {
    if (step == item)
        std::memcpy(to, from, static_cast<size_t>(columns * item));
    else
        for (int64_t column = 0; column < columns; ++column)
            std::memcpy(to + column * step, from + column * item, item);
}

void add(const char *from, int64_t columns, char *to, int64_t step) {
    const auto *addend = reinterpret_cast<const float *>(from);
    for (int64_t column = 0; column < columns; ++column)
        *reinterpret_cast<float *>(to + column * step) += addend[column];
}

// Copies the share's rows of a run to dense memory, step by step.
void gather(const Run &run, bool reverse, const Rows &from, int64_t columns, char *to, const Share &share) {
    const int64_t rows = run.steps * run.width;
    for (int64_t row = rows * share.lane / share.lanes; row < rows * (share.lane + 1) / share.lanes; ++row)
        read(from, run.group[row % run.width].row(run.step + row / run.width, reverse), columns,
             to + row * columns * item);
}

// Copies or adds the columns `own` of a run's states from dense memory to the rows of the result.
void scatter(const Run &run, bool reverse, const char *from, int64_t columns, const Rows &to, bool adds,
             const kernels::Columns &own) {
    from += own.first * item;
    for (int64_t step = run.step; step < run.step + run.steps; ++step)
        for (int64_t k = 0; k < run.width; ++k, from += columns * item)
            (adds ? add : write)(from, own.end - own.first,
                                 to.data + run.group[k].row(step, reverse) * to.stride + own.first * to.step, to.step);
}

// Copies the share's initial states of a group to dense memory.
void gather_initial_states(const Run &run, const Rows *h0, int64_t columns, char *to, const Share &share) {
    const int64_t end = run.width * (share.lane + 1) / share.lanes;
    for (int64_t k = run.width * share.lane / share.lanes; k < end; ++k)
        if (h0)
            read(*h0, run.group[k].index, columns, to + k * columns * item);
        else
            std::memset(to + k * columns * item, 0, static_cast<size_t>(columns * item));
}

// Executes runs. The operands of a primitive are kept as long as the next run uses the same primitive.
class Executor {
public:
    Executor(const GruWeights &weights, GruCache &cache) : weights_(weights), cache_(cache), stream_(engine()) {}

    void execute(const Run &run, const Room &room, char *block, char *state, char *states, const Share &share) {
        if (weights_.shape().is_own(run.width)) {
            const auto *x = reinterpret_cast<const float *>(block + room.x);
            kernels::run_cell(weights_.cell(), run.steps, run.width, x, reinterpret_cast<const float *>(state),
                     reinterpret_cast<float *>(states), block + room.scratch, share);
            return;
        }
        auto next = cache_.run(weights_, run.steps, run.width);
        if (next != run_)
            bind(std::move(next), room, block);
        operands_[DNNL_ARG_SRC_ITER].set_data_handle(state);
        operands_[DNNL_ARG_DST_LAYER].set_data_handle(states);
        const HeldSignals held;
        run_->primitive.execute(stream_, operands_);
        stream_.wait();
    }

private:
    void bind(std::shared_ptr<const GruRun> run, const Room &room, char *block) {
        if (static_cast<int64_t>(run->scratch.get_size()) > room.block - room.scratch)
            throw Error("a run needs " + std::to_string(run->scratch.get_size()) + " bytes of scratch, it has " +
                        std::to_string(room.block - room.scratch));
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

Room Room::of(const GruShape &shape, int64_t directions, int64_t rows, int64_t sequences, int threads) {
    const Cut cut = Cut::of(shape.channels);
    Room room{};
    const int64_t most = std::max<int64_t>(sequences, 1) * directions, panels = kernels::panels_of(shape.channels);
    room.lanes = static_cast<int>(std::min<int64_t>(std::max(threads, 1), most));
    const bool is_own = shape.is_own(std::min(cut.width, sequences));
    room.together = is_own ? static_cast<int>(std::min<int64_t>(threads, panels)) : 1;
    room.batch = aligned(2 * sequences * static_cast<int64_t>(sizeof(Sequence)));
    int64_t run_rows = 0, scratch = 0;
    try {
        for (int64_t width = std::min({cut.width, sequences, rows}); width > 0; --width) {
            int64_t steps = cut.steps_at(width);
            while (steps * width > rows)
                steps /= 2;
            run_rows = std::max(run_rows, steps * width);
            // The scratch grows with the steps, but not always with the width.
            scratch = std::max(scratch, run_scratch_bytes(shape, steps, width));
        }
    } catch (const dnnl::error &error) {
        throw Error("oneDNN has no GRU of " + std::to_string(shape.input) + " inputs and " +
                    std::to_string(shape.channels) + " channels: " + error.what());
    }
    room.first = room.x + aligned(run_rows * shape.input * item);
    room.second = room.first + aligned(run_rows * shape.channels * item);
    room.scratch = room.second + aligned(run_rows * shape.channels * item);
    room.block = room.scratch + aligned(scratch);
    room.bytes = room.batch + room.lanes * room.block;
    return room;
}

struct Gru::Task {
    const Direction &direction;
    const Rows *h0;
    const Sequence *begin, *end;
    int64_t column; // the first one of the result
    bool adds;
};

// The memory and the share of a thread. Threads that compute runs together have one block in common, and a share each.
struct Gru::Lane {
    char *block, *states, *before; // states of this run, of the one before
    Share share;
    bool has_left = false; // the first lane computes the rest

    Lane(const Room &room, char *memory, const Share &lane_share)
        : block(memory), states(memory + room.first), before(memory + room.second), share(lane_share) {}
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
    return directions() * triple * ((shape().input + shape().channels) * kernels::item_bytes(shape().kind) + item);
}

CostModel Gru::cost() const {
    // In nanoseconds, for a core with 90 flops and 100 bytes from outside its own caches in a nanosecond.
    const auto channels = static_cast<double>(shape().channels), inputs = static_cast<double>(shape().input);
    const auto bytes = static_cast<double>(kernels::item_bytes(shape().kind));
    return {6.0 * channels * inputs / 90.0, 6.0 * channels * channels / 90.0, 3.0 * channels * channels * bytes / 100.0};
}

bool Gru::is_faster_together(const Batch &batch, int parts, const Room &room) const {
    if (room.together < 2)
        return false;
    // Together a thread reads its share of the weights, but waits twice a step, and reads the other threads' part of the
    // state at 5 bytes in a nanosecond.
    const CostModel model = cost();
    const double row = static_cast<double>(shape().channels) * 8.0 / 5.0;
    const auto time = [&](const Sequence *begin, const Sequence *end, double share, double others) {
        double total = 0.0;
        visit_runs(begin, end, Cut::of(shape().channels), [&](const Run &run) {
            const double waiting = others > 0.0 ? 500.0 + others * static_cast<double>(run.width) * row : 0.0;
            total += static_cast<double>(run.steps) * (share * model.step(run.width) + waiting);
        });
        return total;
    };
    const int tasks = parts * static_cast<int>(directions_.size());
    std::vector<double> apart(static_cast<size_t>(room.lanes));
    for (int task = 0; task < tasks; ++task) {
        const int part = task % parts;
        apart[static_cast<size_t>(task % room.lanes)] += time(batch.begin(part), batch.end(part), 1.0, 0.0);
    }
    const auto panels = static_cast<double>(kernels::panels_of(shape().channels));
    const double share = std::ceil(panels / room.together) / panels;
    const double together =
        time(batch.begin(), batch.end(), share, 1.0 - share) * static_cast<double>(directions_.size());
    // A delay of one thread delays all of them, so the estimated gain has to be at least a tenth.
    return together < 0.9 * *std::max_element(apart.begin(), apart.end());
}

void Gru::run(const Rows &x, const int64_t *offsets, int64_t sequences, int64_t rows, const Rows *h0,
              const Rows &out, const Room &room, char *memory) const {
    const int count = static_cast<int>(directions_.size());
    // Directions side by side share the threads: with as many directions as threads, each thread has one direction of the
    // whole batch. Directions that are added up share the parts: the thread that writes a row also adds to it.
    const int parts = sum_ ? room.lanes : room.lanes / std::gcd(room.lanes, count);
    const Batch batch(offsets, sequences, rows, parts, Cut::of(shape().channels).width, cost(),
                      reinterpret_cast<Sequence *>(memory));
    if (rows == 0)
        return;
    const auto task_of = [&](int which, const Sequence *begin, const Sequence *end) {
        return Task{directions_[static_cast<size_t>(which)], h0 ? h0 + which : nullptr, begin, end,
                    sum_ ? 0 : which * shape().channels, sum_ && which > 0};
    };
    if (is_faster_together(batch, parts, room)) {
        const bool done = run_together(room.together, [&](const Share &share) {
            Lane lane(room, memory + room.batch, share);
            for (int which = 0; which < count; ++which)
                run(task_of(which, batch.begin(), batch.end()), x, out, room, lane);
        });
        if (done)
            return;
    }
    const int tasks = parts * count;
    run_lanes(room.lanes, [&](int number) {
        const ThreadCount one(1);
        Lane lane(room, memory + room.batch + number * room.block, {0, 1, nullptr});
        for (int task = number; task < tasks; task += room.lanes)
            run(task_of(task / parts, batch.begin(task % parts), batch.end(task % parts)), x, out, room, lane);
    });
}

void Gru::run(const Task &task, const Rows &x, const Rows &out, const Room &room, Lane &lane) const {
    const bool reverse = task.direction.reverse;
    const int64_t channels = shape().channels;
    const Rows target{out.data + task.column * out.step, out.stride, out.step};
    Executor executor(*task.direction.weights, *cache_);
    char *state = nullptr;
    visit_runs(task.begin, task.end, Cut::of(channels), [&](const Run &run) {
        if (lane.has_left)
            return;
        // Not to the memory of the last run's states, which other threads may still read.
        if (run.step == 0) {
            state = lane.states;
            gather_initial_states(run, task.h0, channels, state, lane.share);
            std::swap(lane.states, lane.before);
        }
        gather(run, reverse, x, shape().input, lane.block + room.x, lane.share);
        lane.has_left = !lane.share.continue_together();
        if (lane.has_left)
            return;
        executor.execute(run, room, lane.block, state, lane.states, lane.share);
        scatter(run, reverse, lane.states, channels, target, task.adds, kernels::columns_of(lane.share, channels));
        // Sequences that end are last in a step, so the next run reads the first states of the last step.
        state = lane.states + (run.steps - 1) * run.width * channels * item;
        std::swap(lane.states, lane.before);
    });
}

StackRoom StackRoom::of(std::vector<GruShape> shapes, int64_t directions, int64_t rows, int64_t sequences,
                        int threads, bool packs) {
    if (directions < 1 || rows < 0 || sequences < 0 || threads < 1)
        throw Error("a GRU has at least one direction and one thread, and no negative sizes");
    StackRoom room{};
    int64_t most = 0;
    for (const GruShape &shape : shapes) {
        room.layers.push_back(Room::of(shape, directions, rows, sequences, threads));
        most = std::max(most, room.layers.back().bytes);
    }
    // A layer's input has the columns of the result before it.
    for (size_t k = 1; k < shapes.size(); ++k)
        room.between = std::max(room.between, aligned(rows * shapes[k].input * item));
    room.results = std::min<int64_t>(static_cast<int64_t>(shapes.size()) - 1, 2) * room.between;
    room.packed = room.bytes = room.results + aligned(most);
    for (size_t k = 0; packs && k < shapes.size(); ++k) {
        room.layouts.push_back(GruLayouts::of(shapes[k]));
        room.bytes += directions * room.layouts[k].bytes();
    }
    room.directions = directions;
    room.rows = rows;
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
        layer.run(from, offsets, room.sequences, room.rows, h0, to, room.layers[k], memory + room.results);
        h0 = h0 ? h0 + layer.directions() : nullptr;
        from = to;
    }
}

} // namespace lastuse::ragged
