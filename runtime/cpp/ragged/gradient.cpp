#include "gradient.hpp"

#include <algorithm>
#include <cstring>

#include "../kernels/cell_gradient.hpp"

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

// Where everything lies in the scratch.
struct Scratch {
    int64_t columns, block, group, bytes = 0;
    int64_t sequences, weights, before, gates, reset, own, state, sums, products; // from the start, in bytes
    int64_t matrix;                                                              // bytes of the panels of one gate

    Scratch(int64_t channels, int64_t rows, int64_t count)
        : columns(kernels::padded(channels)), block(std::clamp<int64_t>(rows, 1, block_rows)),
          group(std::clamp<int64_t>(count, 1, block)),
          matrix(aligned(kernels::gate_bytes(channels, channels, Kind::f32))) {
        sequences = take(2 * count * static_cast<int64_t>(sizeof(Sequence)));
        weights = take(6 * matrix);
        before = take(block * columns * item);
        gates = take(block * 3 * columns * item);
        reset = take(block * columns * item);
        own = take(group * columns * item);
        state = take(group * columns * item);
        sums = take(channels * 3 * columns * item);
        products = take(kernels::weight_gradient_bytes(channels, block));
    }

private:
    int64_t take(int64_t size) {
        const int64_t start = bytes;
        bytes += aligned(size);
        return start;
    }
};

// The steps of a group of sequences, in blocks.
class Walk {
public:
    Walk(const GruGradient &gru, const Scratch &room, char *memory)
        : gru_(gru), kernels_(kernels::cell_gradient_kernels()), cell_{gru.channels, gru.origin, {}, {}}, room_(room),
          before_(at(memory, room.before)), gates_(at(memory, room.gates)), reset_(at(memory, room.reset)),
          own_(at(memory, room.own)), state_(at(memory, room.state)), sums_(at(memory, room.sums)),
          products_(memory + room.products) {
        const int64_t channels = gru.channels;
        for (int gate = 0; gate < 3; ++gate) {
            float *const panels = at(memory, room.weights + 2 * gate * room.matrix);
            float *const turned = at(memory, room.weights + (2 * gate + 1) * room.matrix);
            kernels::pack_panels(gru.weight[gate], gru.weight_stride[gate], 1, channels, channels, panels);
            kernels::pack_panels(gru.weight[gate], 1, gru.weight_stride[gate], channels, channels, turned);
            cell_.weights[gate] = panels;
            cell_.transposed[gate] = turned;
        }
        std::fill(sums_, sums_ + channels * 3 * room.columns, 0.0f);
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

    const float *sums() const { return sums_; }

private:
    static float *at(char *memory, int64_t offset) { return reinterpret_cast<float *>(memory + offset); }

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
    kernels::CellGradient cell_;
    const Scratch &room_;
    float *before_, *gates_, *reset_, *own_, *state_, *sums_;
    char *products_;
};

} // namespace

int64_t GruGradient::scratch_bytes(int64_t channels, int64_t rows, int64_t sequences) {
    return Scratch(channels, rows, sequences).bytes;
}

const float *GruGradient::run(char *memory) const {
    const Scratch room(channels, rows, std::max<int64_t>(sequences, 0));
    auto *sequence_memory = reinterpret_cast<Sequence *>(memory + room.sequences);
    const Batch batch(offsets, sequences, rows, 1, room.group, {0.0, 1.0, 0.0}, sequence_memory);
    Walk walk(*this, room, memory);
    for (int64_t k = 0; k + 1 <= sequences; ++k)
        if (offsets[k] == offsets[k + 1])
            for (int64_t column = 0; column < channels; ++column)
                std::memset(h0_gradient.data + k * h0_gradient.stride + column * h0_gradient.step, 0, item);
    for (const Sequence *group = batch.begin(); group < batch.end(); group += room.group)
        walk.go(group, std::min<int64_t>(room.group, batch.end() - group));
    return walk.sums();
}

} // namespace lastuse::ragged
