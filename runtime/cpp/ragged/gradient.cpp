#include "gradient.hpp"

#include <algorithm>
#include <cstring>

#include "../kernels/cell_gradient.hpp"
#include "../threads/pool.hpp"

namespace lastuse::ragged {

namespace {

constexpr int64_t item = sizeof(float);
// Rows of a block: enough for a fast product, and they fit the second-level cache. As BLOCK_ROWS in gru_gradient.py.
constexpr int64_t block_rows = 128;

void read(const Rows &from, int64_t row, int64_t columns, float *to) {
    const char *source = from.data + row * from.stride;
    if (from.step == item)
        std::memcpy(to, source, static_cast<size_t>(columns * item));
    else
        for (int64_t column = 0; column < columns; ++column)
            std::memcpy(to + column, source + column * from.step, item);
}

void write(const float *from, int64_t columns, const Rows &to, int64_t row) {
    char *target = to.data + row * to.stride;
    if (to.step == item)
        std::memcpy(target, from, static_cast<size_t>(columns * item));
    else
        for (int64_t column = 0; column < columns; ++column)
            std::memcpy(target + column * to.step, from + column, item);
}

// Where everything lies in the scratch: the sequences and the packed weights, then the memory of each lane.
struct Scratch {
    int lanes;
    int64_t columns, block, group, bytes = 0;
    int64_t sequences, weights;                                // from the start, in bytes
    int64_t before, gates, reset, own, state, sums, products;  // from the start of the first lane
    int64_t matrix, lane;                                      // bytes of the panels of one gate; of a lane

    Scratch(int64_t channels, int64_t rows, int64_t count, int threads)
        : lanes(lanes_for(channels, rows, count, threads)), columns(kernels::padded(channels)),
          block(std::clamp<int64_t>(rows, 1, block_rows)), group(std::clamp<int64_t>(count, 1, block)),
          matrix(aligned(kernels::gate_bytes(channels, channels, Kind::f32))) {
        sequences = take(2 * count * static_cast<int64_t>(sizeof(Sequence)));
        weights = take(6 * matrix);
        const int64_t start = bytes;
        before = take(block * columns * item);
        gates = take(block * 3 * columns * item);
        reset = take(block * columns * item);
        own = take(group * columns * item);
        state = take(group * columns * item);
        sums = take(channels * 3 * columns * item);
        products = take(kernels::weight_gradient_bytes(channels, block));
        lane = bytes - start;
        bytes += (lanes - 1) * lane;
    }

private:
    // Threads are worth starting for a million of multiplications each.
    static int lanes_for(int64_t channels, int64_t rows, int64_t count, int threads) {
        constexpr int64_t share = 1 << 18;
        const int64_t most = std::min(count, rows * channels * channels / share);
        return static_cast<int>(std::clamp<int64_t>(most, 1, std::max(threads, 1)));
    }

    int64_t take(int64_t size) {
        const int64_t start = bytes;
        bytes += aligned(size);
        return start;
    }
};

float *at(char *memory, int64_t offset) { return reinterpret_cast<float *>(memory + offset); }

kernels::CellGradient pack(const GruGradient &gru, const Scratch &room, char *memory) {
    kernels::CellGradient cell{gru.channels, gru.origin, {}, {}};
    for (int gate = 0; gate < 3; ++gate) {
        float *const panels = at(memory, room.weights + 2 * gate * room.matrix);
        float *const turned = at(memory, room.weights + (2 * gate + 1) * room.matrix);
        kernels::pack_panels(gru.weight[gate], gru.weight_stride[gate], 1, gru.channels, gru.channels, panels);
        kernels::pack_panels(gru.weight[gate], 1, gru.weight_stride[gate], gru.channels, gru.channels, turned);
        cell.weights[gate] = panels;
        cell.transposed[gate] = turned;
    }
    return cell;
}

// The steps of a group of sequences, in blocks; `memory`: of the lane.
class Walk {
public:
    Walk(const GruGradient &gru, const kernels::CellGradient &cell, const Scratch &room, char *memory)
        : gru_(gru), kernels_(kernels::cell_gradient_kernels()), cell_(cell), room_(room),
          before_(at(memory, room.before)), gates_(at(memory, room.gates)), reset_(at(memory, room.reset)),
          own_(at(memory, room.own)), state_(at(memory, room.state)), sums_(at(memory, room.sums)),
          products_(memory + room.products) {
        std::fill(sums_, sums_ + gru.channels * 3 * room.columns, 0.0f);
    }

    void go(const Sequence *group, int64_t width) {
        std::fill(state_, state_ + width * room_.columns, 0.0f);
        int64_t running = 0; // sequences with the step before `end`
        for (int64_t end = group[0].length; end > 0;) {
            int64_t begin = end, rows = 0;
            for (; begin > 0; --begin) {
                while (running < width && group[running].length >= begin)
                    ++running;
                if (rows > 0 && rows + running > room_.block)
                    break;
                rows += running;
            }
            go_over(group, width, begin, end, rows);
            end = begin;
        }
        for (int64_t k = 0; k < width; ++k)
            write(state_ + k * room_.columns, gru_.channels, gru_.h0_gradient, group[k].index);
    }

private:
    // Calls `visit` with each step from the last one, how many sequences have it, and the first of its rows in the block.
    template <class Visit>
    static void visit_steps(const Sequence *group, int64_t width, int64_t begin, int64_t end, Visit visit) {
        int64_t running = 0, first = 0;
        for (int64_t step = end; step-- > begin; first += running) {
            while (running < width && group[running].length > step)
                ++running;
            visit(step, running, first);
        }
    }

    // Steps from `begin` to `end`.
    void go_over(const Sequence *group, int64_t width, int64_t begin, int64_t end, int64_t rows) {
        const int64_t channels = gru_.channels, columns = room_.columns, every = 3 * columns;
        visit_steps(group, width, begin, end, [&](int64_t step, int64_t running, int64_t first) {
            for (int64_t k = 0; k < running; ++k)
                gather(group[k], step, before_ + (first + k) * columns, gates_ + (first + k) * every);
        });
        kernels_.compute_gates(cell_, rows, before_, gates_, reset_);
        visit_steps(group, width, begin, end, [&](int64_t step, int64_t running, int64_t first) {
            for (int64_t k = 0; k < running; ++k)
                read(gru_.hidden_gradient, group[k].row(step, gru_.reverse), channels, own_ + k * columns);
            kernels_.go_back(cell_, running, before_ + first * columns, gates_ + first * every, own_, state_);
        });
        kernels_.add_weight_gradient(cell_, rows, before_, reset_, gates_, sums_, products_);
        visit_steps(group, width, begin, end, [&](int64_t step, int64_t running, int64_t first) {
            for (int64_t k = 0; k < running; ++k)
                for (int64_t gate = 0; gate < 3; ++gate)
                    write(gates_ + (first + k) * every + gate * columns, channels, part(gru_.gates_gradient, gate),
                          group[k].row(step, gru_.reverse));
        });
    }

    // The state before a step of a sequence, and what x and the bias give its gates.
    void gather(const Sequence &sequence, int64_t step, float *before, float *gates) const {
        const int64_t channels = gru_.channels, columns = room_.columns;
        if (step > 0)
            read(gru_.hidden, sequence.row(step - 1, gru_.reverse), channels, before);
        else if (gru_.h0)
            read(*gru_.h0, sequence.index, channels, before);
        else
            std::fill(before, before + channels, 0.0f);
        for (int64_t gate = 0; gate < 3; ++gate) {
            float *to = gates + gate * columns;
            read(part(gru_.gates, gate), sequence.row(step, gru_.reverse), channels, to);
            for (int64_t k = 0; gru_.bias && k < channels; ++k)
                to[k] += gru_.bias[gate * channels + k];
        }
    }

    // The columns of a gate.
    Rows part(const Rows &rows, int64_t gate) const {
        return {rows.data + gate * gru_.channels * rows.step, rows.stride, rows.step};
    }

    const GruGradient &gru_;
    const kernels::CellGradientKernels &kernels_;
    const kernels::CellGradient &cell_;
    const Scratch &room_;
    float *before_, *gates_, *reset_, *own_, *state_, *sums_;
    char *products_;
};

} // namespace

int64_t GruGradient::scratch_bytes(int64_t channels, int64_t rows, int64_t sequences, int threads) {
    return Scratch(channels, rows, sequences, threads).bytes;
}

const float *GruGradient::run(int threads, char *memory) const {
    const Scratch room(channels, rows, std::max<int64_t>(sequences, 0), threads);
    auto *sequence_memory = reinterpret_cast<Sequence *>(memory + room.sequences);
    const auto size = static_cast<double>(channels);
    const kernels::CellGradient cell = pack(*this, room, memory);
    const Batch batch(offsets, sequences, rows, room.lanes, room.group, {size, 2 * size, 16 * size}, sequence_memory);
    for (int64_t k = 0; k + 1 <= sequences; ++k)
        if (offsets[k] == offsets[k + 1])
            for (int64_t column = 0; column < channels; ++column)
                std::memset(h0_gradient.data + k * h0_gradient.stride + column * h0_gradient.step, 0, item);
    Pool::shared().run(room.lanes, [&](int lane) {
        Walk walk(*this, cell, room, memory + lane * room.lane);
        const Sequence *const end = batch.end(lane);
        for (const Sequence *group = batch.begin(lane); group < end; group += room.group)
            walk.go(group, std::min<int64_t>(room.group, end - group));
    });
    float *const sums = at(memory, room.sums);
    for (int lane = 1; lane < room.lanes; ++lane) {
        const float *const more = at(memory + lane * room.lane, room.sums);
        for (int64_t k = 0; k < channels * 3 * room.columns; ++k)
            sums[k] += more[k];
    }
    return sums;
}

namespace {

Rows rows_of(const kernels::Array &array) { return {array.data, array.form->strides[0], array.form->strides[1]}; }

bool is_floats(const kernels::Array &array, const std::vector<int64_t> &shape) {
    return array.is(kernels::Type::f32) && array.form->shape == shape;
}

// The place of an element of weight_h in memory: [channels, 3, channels], or in Paddle's order, where u and r are side by
// side, then c, in one buffer [channels, 3 * channels].
char *place_of(const kernels::Array &weights, int64_t gate, int64_t row, int64_t column) {
    const int64_t channels = weights.size(0);
    const auto &strides = weights.form->strides;
    if (weights.rank() == 3)
        return weights.data + row * strides[0] + gate * strides[1] + column * strides[2];
    const int64_t index = gate < 2 ? row * 2 * channels + gate * channels + column
                                   : 2 * channels * channels + row * channels + column;
    return weights.data + index / (3 * channels) * strides[0] + index % (3 * channels) * strides[1];
}

} // namespace

void gru_grad(const kernels::Call &call) {
    call.expect(call.numbers.size() == 4, "the kernel takes other operands");
    const bool has_bias = call.numbers[0] != 0.0, has_h0 = call.numbers[1] != 0.0;
    call.expect_counts(5U + has_bias + has_h0, 3, 4);
    const size_t after = 2U + has_bias + has_h0;
    const kernels::Array &gates = call.ins[0], &weight_h = call.ins[1], &offsets = call.ins[after];
    const kernels::Array &hidden = call.ins[after + 1], &hidden_gradient = call.ins[after + 2];
    const kernels::Array &weight_h_gradient = call.outs[1];
    const int64_t rows = hidden.rank() == 2 ? hidden.size(0) : -1, channels = rows < 0 ? 0 : hidden.size(1);
    const int64_t triple = 3 * channels, sequences = offsets.rank() == 1 ? offsets.size(0) - 1 : -1;
    const auto is_weight = [&](const kernels::Array &array) {
        return is_floats(array, {channels, triple}) || is_floats(array, {channels, 3, channels});
    };
    call.expect(channels > 0 && sequences >= 0 && is_floats(hidden, {rows, channels}) &&
                    is_floats(hidden_gradient, {rows, channels}) && is_floats(gates, {rows, triple}) &&
                    is_floats(call.outs[0], {rows, triple}) && is_weight(weight_h) && is_weight(weight_h_gradient) &&
                    weight_h.rank() == weight_h_gradient.rank() && (!has_bias || is_floats(call.ins[2], {1, triple})) &&
                    (!has_h0 || is_floats(call.ins[after - 1], {sequences, channels})) &&
                    is_floats(call.outs[2], {sequences, channels}) && offsets.is(kernels::Type::i64),
                "the kernel takes f32 and i64 offsets, of the sizes that dnn.gru_grad says");
    const Rows start = has_h0 ? rows_of(call.ins[after - 1]) : Rows{};
    std::vector<float> bias, weights; // dense copies where they are not dense
    std::vector<int64_t> ends;
    const auto item_at = [](const char *place) {
        float value;
        std::memcpy(&value, place, item);
        return value;
    };
    for (int64_t k = 0; has_bias && k < triple; ++k)
        bias.push_back(item_at(call.ins[2].data + k * call.ins[2].form->strides[1]));
    GruGradient gru{rows, sequences, channels, call.numbers[2] != 0.0, call.numbers[3] != 0.0,
                    kernels::dense_numbers(offsets, ends), rows_of(gates), rows_of(hidden), rows_of(hidden_gradient),
                    has_h0 ? &start : nullptr, has_bias ? bias.data() : nullptr, {}, {}, rows_of(call.outs[0]),
                    rows_of(call.outs[2])};
    if (!weight_h.form->is_dense()) {
        for (int64_t gate = 0; gate < 3; ++gate)
            for (int64_t row = 0; row < channels; ++row)
                for (int64_t column = 0; column < channels; ++column)
                    weights.push_back(item_at(place_of(weight_h, gate, row, column)));
    }
    for (int64_t gate = 0; gate < 3; ++gate) {
        gru.weight[gate] = weights.empty() ? reinterpret_cast<const float *>(place_of(weight_h, gate, 0, 0))
                                           : weights.data() + gate * channels * channels;
        gru.weight_stride[gate] = !weights.empty()         ? channels
                                  : weight_h.rank() == 3 ? triple
                                  : gate < 2             ? 2 * channels
                                                         : channels;
    }
    const int64_t needed = GruGradient::scratch_bytes(channels, rows, sequences, call.threads);
    if (call.scratch_bytes < needed)
        throw Error("the gradient of a GRU needs " + std::to_string(needed) + " bytes of scratch");
    const float *sums = gru.run(call.threads, call.scratch);
    const int64_t columns = kernels::padded(channels);
    for (int64_t row = 0; row < channels; ++row)
        for (int64_t gate = 0; gate < 3; ++gate)
            for (int64_t column = 0; column < channels; ++column)
                std::memcpy(place_of(weight_h_gradient, gate, row, column),
                            sums + row * 3 * columns + gate * columns + column, item);
}

int64_t gru_grad_scratch(const kernels::Call &call) {
    const kernels::Array &hidden = call.ins.at(call.ins.size() - 2), &offsets = call.ins.at(call.ins.size() - 3);
    call.expect(hidden.rank() == 2 && offsets.rank() == 1, "the kernel takes other operands");
    return GruGradient::scratch_bytes(hidden.size(1), hidden.size(0), std::max<int64_t>(offsets.size(0) - 1, 0),
                                      call.threads);
}

} // namespace lastuse::ragged
