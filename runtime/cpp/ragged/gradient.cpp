#include "gradient.hpp"

#include <algorithm>
#include <cstring>

#include "../kernels/cell_gradient.hpp"
#include "../threads/lanes.hpp"

namespace lastuse::ragged {

namespace {

constexpr int64_t item = sizeof(float);
// Rows of a block: enough for a fast product, and they fit the second-level cache. As BLOCK_ROWS in gru_gradient_base.py.
constexpr int64_t block_rows = 64;

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

// Where everything lies in the scratch: the sequences and the packed weights, then the memory of each lane, then the sums.
struct Scratch {
    int parts, lanes;
    int64_t columns, input_columns, block, group, bytes = 0;
    int64_t sequences, weights, input_weights;                     // from the start, in bytes
    int64_t before, gates, reset, own, state, x, products;         // from the start of the first lane
    int64_t matrix, input_matrix, input_transposed, lane;          // bytes of the panels of one gate; of a lane
    int64_t sums, sums_size;                                       // from the start; floats of the sums of a part

    Scratch(const GradientSizes &sizes, int threads)
        : parts(parts_for(sizes)), lanes(std::clamp(threads, 1, parts)), columns(kernels::padded(sizes.channels)),
          input_columns(kernels::padded(sizes.input)), block(std::clamp<int64_t>(sizes.rows, 1, block_rows)),
          group(std::clamp<int64_t>(sizes.sequences, 1, block)),
          matrix(aligned(kernels::gate_bytes(sizes.channels, sizes.channels, Kind::f32))),
          input_matrix(aligned(kernels::gate_bytes(sizes.input, sizes.channels, Kind::f32))),
          input_transposed(aligned(kernels::gate_bytes(sizes.channels, sizes.input, Kind::f32))),
          sums_size((sizes.channels + sizes.input + 1) * 3 * columns) {
        sequences = take(2 * sizes.sequences * static_cast<int64_t>(sizeof(Sequence)));
        weights = take(6 * matrix);
        input_weights = take(3 * (input_matrix + input_transposed));
        const int64_t start = bytes;
        before = take(block * columns * item);
        gates = take(block * 3 * columns * item);
        reset = take(block * columns * item);
        own = take(group * columns * item);
        state = take(group * columns * item);
        x = take(block * input_columns * item);
        products = take(kernels::weight_gradient_bytes(sizes.channels, sizes.input, block));
        lane = bytes - start;
        bytes += (lanes - 1) * lane;
        sums = take((lanes + (parts > lanes)) * aligned(sums_size * item));
    }

private:
    // Threads are worth starting for a million of multiplications each, and steps of few sequences are slow.
    static int parts_for(const GradientSizes &sizes) {
        constexpr int64_t share = 1 << 18, least_sequences = 8, most = 8;
        const int64_t work = sizes.rows * sizes.channels * (sizes.channels + sizes.input) / share;
        return static_cast<int>(std::clamp<int64_t>(std::min(sizes.sequences / least_sequences, work), 1, most));
    }

    int64_t take(int64_t size) {
        const int64_t start = bytes;
        bytes += aligned(size);
        return start;
    }
};

float *at(char *memory, int64_t offset) { return reinterpret_cast<float *>(memory + offset); }

kernels::CellGradient pack(const GruGradient &gru, const Scratch &room, char *memory) {
    const int64_t channels = gru.sizes.channels, input = gru.sizes.input;
    kernels::CellGradient cell{channels, input, gru.origin, {}, {}, {}, {}};
    char *next = memory + room.weights;
    // `row` and `column`: elements from one to the next.
    const auto panels = [&](const float *from, int64_t row, int64_t column, int64_t rows, int64_t columns, int64_t bytes) {
        auto *const to = reinterpret_cast<float *>(next);
        kernels::pack_panels(from, row, column, rows, columns, to);
        next += bytes;
        return to;
    };
    for (int gate = 0; gate < 3; ++gate) {
        const int64_t stride = gru.weight_stride[gate];
        cell.weights[gate] = panels(gru.weight[gate], stride, 1, channels, channels, room.matrix);
        cell.transposed[gate] = panels(gru.weight[gate], 1, stride, channels, channels, room.matrix);
    }
    for (int gate = 0; gate < 3 && input > 0; ++gate) {
        const auto [row, column] = gru.input_stride;
        const float *const from = gru.input_weight + gate * channels * column;
        cell.input_weights[gate] = panels(from, row, column, input, channels, room.input_matrix);
        if (gru.source_gradient)
            cell.input_transposed[gate] = panels(from, column, row, channels, input, room.input_transposed);
    }
    return cell;
}

// The steps of a part's sequences, in blocks; `memory`: of the lane; `sums`: of the part.
class Walk {
public:
    Walk(const GruGradient &gru, const kernels::CellGradient &cell, const Scratch &room, char *memory, float *sums)
        : gru_(gru), kernels_(kernels::cell_gradient_kernels()), cell_(cell), room_(room),
          before_(at(memory, room.before)), gates_(at(memory, room.gates)), reset_(at(memory, room.reset)),
          own_(at(memory, room.own)), state_(at(memory, room.state)), x_(at(memory, room.x)), sums_(sums),
          products_(memory + room.products) {
        std::fill(sums_, sums_ + room.sums_size, 0.0f);
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
        for (int64_t k = 0; k < width && gru_.h0_gradient; ++k)
            write(state_ + k * room_.columns, gru_.sizes.channels, *gru_.h0_gradient, group[k].index);
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
        const int64_t columns = room_.columns, every = 3 * columns;
        visit_steps(group, width, begin, end, [&](int64_t step, int64_t running, int64_t first) {
            for (int64_t k = 0; k < running; ++k)
                gather(group[k], step, first + k);
        });
        kernels_.compute_gates(cell_, rows, x_, before_, gates_, reset_);
        visit_steps(group, width, begin, end, [&](int64_t step, int64_t running, int64_t first) {
            for (int64_t k = 0; k < running; ++k)
                read(gru_.hidden_gradient, group[k].row(step, gru_.reverse), gru_.sizes.channels, own_ + k * columns);
            kernels_.go_back(cell_, running, before_ + first * columns, gates_ + first * every, own_, state_);
        });
        kernels_.add_weight_gradients(cell_, rows, x_, before_, reset_, gates_, sums_, products_);
        if (!gru_.source_gradient)
            return;
        visit_steps(group, width, begin, end, [&](int64_t step, int64_t running, int64_t first) {
            for (int64_t k = 0; k < running; ++k)
                put(first + k, group[k].row(step, gru_.reverse));
        });
    }

    // Row `place` of the block: the state before a step of a sequence, and what its gates are computed of.
    void gather(const Sequence &sequence, int64_t step, int64_t place) const {
        const int64_t channels = gru_.sizes.channels, columns = room_.columns, row = sequence.row(step, gru_.reverse);
        float *const before = before_ + place * columns;
        if (step > 0)
            read(gru_.hidden, sequence.row(step - 1, gru_.reverse), channels, before);
        else if (gru_.h0)
            read(*gru_.h0, sequence.index, channels, before);
        else
            std::fill(before, before + channels, 0.0f);
        if (gru_.sizes.input > 0)
            read(gru_.source, row, gru_.sizes.input, x_ + place * room_.input_columns);
        for (int64_t gate = 0; gate < 3; ++gate) {
            float *const to = gates_ + (place * 3 + gate) * columns;
            if (gru_.sizes.input > 0)
                std::fill(to, to + channels, 0.0f);
            else
                read(part(gru_.source, gate), row, channels, to);
            for (int64_t k = 0; gru_.bias && k < channels; ++k)
                to[k] += gru_.bias[gate * channels + k];
        }
    }

    // Row `place` of the block, of the gradient of x or of the gates, to the result's row.
    void put(int64_t place, int64_t row) const {
        if (gru_.sizes.input > 0)
            return write(x_ + place * room_.input_columns, gru_.sizes.input, *gru_.source_gradient, row);
        for (int64_t gate = 0; gate < 3; ++gate)
            write(gates_ + (place * 3 + gate) * room_.columns, gru_.sizes.channels, part(*gru_.source_gradient, gate), row);
    }

    // The columns of a gate.
    Rows part(const Rows &rows, int64_t gate) const {
        return {rows.data + gate * gru_.sizes.channels * rows.step, rows.stride, rows.step};
    }

    const GruGradient &gru_;
    const kernels::CellGradientKernels &kernels_;
    const kernels::CellGradient &cell_;
    const Scratch &room_;
    float *before_, *gates_, *reset_, *own_, *state_, *x_, *sums_;
    char *products_;
};

} // namespace

int64_t GruGradient::scratch_bytes(const GradientSizes &sizes, int threads) { return Scratch(sizes, threads).bytes; }

const float *GruGradient::run(int threads, char *memory) const {
    const Scratch room(sizes, threads);
    auto *sequence_memory = reinterpret_cast<Sequence *>(memory + room.sequences);
    const auto width = static_cast<double>(sizes.channels);
    const kernels::CellGradient cell = pack(*this, room, memory);
    const Batch batch(offsets, sizes.sequences, sizes.rows, room.parts, room.group, {width, 2 * width, 16 * width},
                      sequence_memory);
    for (int64_t k = 0; h0_gradient && k < sizes.sequences; ++k)
        if (offsets[k] == offsets[k + 1])
            for (int64_t column = 0; column < sizes.channels; ++column)
                std::memset(h0_gradient->data + k * h0_gradient->stride + column * h0_gradient->step, 0, item);
    const auto sums_of = [&](int place) { return at(memory, room.sums + place * aligned(room.sums_size * item)); };
    float *const total = sums_of(0); // those of the first part, to which the others are added in order
    for (int first = 0; first < room.parts; first += room.lanes) {
        const int count = std::min(room.lanes, room.parts - first), start = first > 0;
        run_lanes(count, [&](int lane) {
            Walk walk(*this, cell, room, memory + lane * room.lane, sums_of(start + lane));
            const Sequence *const end = batch.end(first + lane);
            for (const Sequence *group = batch.begin(first + lane); group < end; group += room.group)
                walk.go(group, std::min<int64_t>(room.group, end - group));
        });
        for (int place = 1; place < start + count; ++place)
            for (int64_t k = 0; k < room.sums_size; ++k)
                total[k] += sums_of(place)[k];
    }
    return total;
}

namespace {

Rows rows_of(const Array &array) { return {array.data, array.form->strides[0], array.form->strides[1]}; }

bool is_floats(const Array &array, const std::vector<int64_t> &shape) {
    return array.is(Type::f32) && array.form->shape == shape;
}

// The place of an element of weight_h in memory: [channels, 3, channels], or in Paddle's order, where u and r are side by
// side, then c, in one buffer [channels, 3 * channels].
char *place_of(const Array &weights, int64_t gate, int64_t row, int64_t column) {
    const int64_t channels = weights.size(0);
    const auto &strides = weights.form->strides;
    if (weights.rank() == 3)
        return weights.data + row * strides[0] + gate * strides[1] + column * strides[2];
    const int64_t index = gate < 2 ? row * 2 * channels + gate * channels + column
                                   : 2 * channels * channels + row * channels + column;
    return weights.data + index / (3 * channels) * strides[0] + index % (3 * channels) * strides[1];
}

// The columns of a dense or strided row of weights or of a bias that `sums` hold, `columns` a gate.
void put_row(const float *sums, int64_t channels, int64_t columns, const Array &to, int64_t row) {
    const Rows rows = rows_of(to);
    for (int64_t gate = 0; gate < 3; ++gate)
        write(sums + gate * columns, channels, {rows.data + gate * channels * rows.step, rows.stride, rows.step}, row);
}

// `own`: operands before weight_h, the gates, or x and its weights.
void run(const kernels::Call &call, size_t own) {
    call.expect(call.numbers.size() == 5, "the kernel takes other operands");
    const bool has_bias = call.numbers[0] != 0.0, has_h0 = call.numbers[1] != 0.0;
    const bool of_source = call.numbers[4] != 0.0;
    call.expect_counts(own + 4U + has_bias + has_h0, own + 1U + of_source + has_h0, 5);
    const auto out = [&](size_t number) -> const Array & { return call.outs[number - !of_source]; };
    const size_t after = own + 1U + has_bias + has_h0;
    const Array &source = call.ins[0], &weight_h = call.ins[own], &offsets = call.ins[after];
    const Array &hidden = call.ins[after + 1], &hidden_gradient = call.ins[after + 2];
    const Array &weight_h_gradient = out(own), &bias_gradient = out(own + 1);
    const int64_t rows = hidden.rank() == 2 ? hidden.size(0) : -1, channels = rows < 0 ? 0 : hidden.size(1);
    const int64_t triple = 3 * channels, sequences = offsets.rank() == 1 ? offsets.size(0) - 1 : -1;
    const int64_t input = own == 1 ? 0 : source.rank() == 2 ? source.size(1) : -1;
    const auto is_weight = [&](const Array &array) {
        return is_floats(array, {channels, triple}) || is_floats(array, {channels, 3, channels});
    };
    const int64_t width = own == 1 ? triple : input;
    call.expect(channels > 0 && sequences >= 0 && width > 0 && is_floats(hidden, {rows, channels}) &&
                    is_floats(hidden_gradient, {rows, channels}) && is_floats(source, {rows, width}) &&
                    (!of_source || is_floats(call.outs[0], {rows, width})) && is_weight(weight_h) && is_weight(weight_h_gradient) &&
                    weight_h.rank() == weight_h_gradient.rank() && is_floats(bias_gradient, {1, triple}) &&
                    (own == 1 || (is_floats(call.ins[1], {input, triple}) && is_floats(out(1), {input, triple}))) &&
                    (!has_bias || is_floats(call.ins[own + 1], {1, triple})) &&
                    (!has_h0 || (is_floats(call.ins[after - 1], {sequences, channels}) &&
                                 is_floats(out(own + 2), {sequences, channels}))) &&
                    offsets.is(Type::i64),
                "the kernel takes f32 and i64 offsets, of the sizes that the op says");
    const Rows start = has_h0 ? rows_of(call.ins[after - 1]) : Rows{}, of_start = has_h0 ? rows_of(out(own + 2)) : Rows{};
    const Rows of_rows = of_source ? rows_of(call.outs[0]) : Rows{};
    std::vector<float> bias, weights; // dense copies where they are not dense
    std::vector<int64_t> ends;
    const auto item_at = [](const char *place) {
        float value;
        std::memcpy(&value, place, item);
        return value;
    };
    for (int64_t k = 0; has_bias && k < triple; ++k)
        bias.push_back(item_at(call.ins[own + 1].data + k * call.ins[own + 1].form->strides[1]));
    GruGradient gru{{rows, sequences, channels, input}, call.numbers[2] != 0.0, call.numbers[3] != 0.0,
                    kernels::dense_numbers(offsets, ends), rows_of(source), rows_of(hidden), rows_of(hidden_gradient),
                    has_h0 ? &start : nullptr, has_bias ? bias.data() : nullptr, {}, {}, nullptr, {},
                    of_source ? &of_rows : nullptr, has_h0 ? &of_start : nullptr};
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
    if (input > 0) {
        gru.input_weight = call.ins[1].elements_of<const float>();
        for (size_t axis = 0; axis < 2; ++axis) {
            call.expect(call.ins[1].form->strides[axis] % item == 0, "weight_x is not at strides of elements");
            gru.input_stride[axis] = call.ins[1].form->strides[axis] / item;
        }
    }
    const int64_t needed = GruGradient::scratch_bytes(gru.sizes, call.threads);
    if (call.scratch_bytes < needed)
        throw Error("the gradient of a GRU needs " + std::to_string(needed) + " bytes of scratch");
    const float *sums = gru.run(call.threads, call.scratch);
    const int64_t columns = kernels::padded(channels), every = 3 * columns;
    for (int64_t row = 0; row < channels; ++row)
        for (int64_t gate = 0; gate < 3; ++gate)
            for (int64_t column = 0; column < channels; ++column)
                std::memcpy(place_of(weight_h_gradient, gate, row, column), sums + row * every + gate * columns + column,
                            item);
    for (int64_t row = 0; row < input; ++row)
        put_row(sums + (channels + row) * every, channels, columns, out(1), row);
    put_row(sums + (channels + input) * every, channels, columns, bias_gradient, 0);
}

int64_t scratch(const kernels::Call &call, bool fused) {
    const Array &hidden = call.ins.at(call.ins.size() - 2), &offsets = call.ins.at(call.ins.size() - 3);
    const Array &source = call.ins[0];
    call.expect(hidden.rank() == 2 && offsets.rank() == 1 && source.rank() == 2, "the kernel takes other operands");
    const int64_t sequences = std::max<int64_t>(offsets.size(0) - 1, 0);
    return GruGradient::scratch_bytes({hidden.size(0), sequences, hidden.size(1), fused ? source.size(1) : 0},
                                      call.threads);
}

} // namespace

void gru_grad(const kernels::Call &call) { run(call, 1); }

void fused_gru_grad(const kernels::Call &call) { run(call, 2); }

int64_t gru_grad_scratch(const kernels::Call &call) { return scratch(call, false); }

int64_t fused_gru_grad_scratch(const kernels::Call &call) { return scratch(call, true); }

} // namespace lastuse::ragged
