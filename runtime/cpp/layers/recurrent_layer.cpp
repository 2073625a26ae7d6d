#include "recurrent_layer.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "../kernels/indices.hpp"
#include "../threads/lanes.hpp"

namespace lastuse::layers {

using kernels::RecurrentCell;
using kernels::RecurrentFormula;
using kernels::RecurrentRun;
using kernels::RecurrentShape;

namespace {

constexpr int64_t item = sizeof(float);

// Multiply-adds of a run for which it pays to start threads, and of a step for which it pays that they wait in it.
constexpr int64_t least_of_run = 1'000'000, least_of_step = 60'000;
// Sequences of a lane: products of fewer rows read the weights too often.
constexpr int64_t least_width = 4;

// The rows of a view of [.., rows, elements], strides in floats.
struct Rows {
    int64_t step, row;
};

void expect(const std::string &name, bool fits, const char *what) {
    if (!fits)
        throw Error(name + ": " + what);
}

Rows rows_of(const std::string &name, const View &view, const Dims &shape) {
    expect(name, view.shape() == shape && view.dtype().is(py::dtype::of<float>()), "an operand has other sizes or elements");
    const size_t last = shape.size() - 1;
    const Dims &strides = view.strides();
    expect(name, strides[last] == item || shape[last] == 1, "the elements of a row are dense");
    // Of an axis of one element no stride is used.
    return {shape[last - 2] == 1 ? 0 : strides[last - 2] / item, shape[last - 1] == 1 ? 0 : strides[last - 1] / item};
}

float *floats(char *data) { return reinterpret_cast<float *>(data); }

// Copies rows, or zeros where there are none; `from` may be `to`.
void copy_rows(const float *from, int64_t from_row, float *to, int64_t to_row, int64_t rows, int64_t columns) {
    const auto bytes = static_cast<size_t>(columns * item);
    if (from == to)
        return;
    for (int64_t row = 0; row < rows; ++row)
        if (from)
            std::memcpy(to + row * to_row, from + row * from_row, bytes);
        else
            std::memset(to + row * to_row, 0, bytes);
}

// Throws Error unless these are dense f32 in so many elements.
void expect_dense(const std::string &name, const View &view, int64_t elements) {
    int64_t stride = item, count = 1;
    bool dense = view.dtype().is(py::dtype::of<float>());
    for (size_t k = view.shape().size(); k-- > 0; stride *= view.shape()[k], count *= view.shape()[k])
        dense = dense && (view.shape()[k] == 1 || view.strides()[k] == stride);
    expect(name, dense && count == elements, "weights that change are dense, in the sizes of the layer");
}

class RecurrentKernel final : public Kernel {
public:
    RecurrentKernel(const StepProgram &program, const std::string &name, const RecurrentShape &shape,
                    const RecurrentFormula &formula, bool reverse, const Given &given, std::optional<py::array> packed,
                    const std::vector<int> &ins, const std::vector<int> &outs)
        : shape_(shape), formula_(formula), reverse_(reverse), given_(given), packed_(std::move(packed)),
          weights_(packed_ ? static_cast<const float *>(packed_->data()) : nullptr) {
        const bool is_lstm = shape.cell == RecurrentCell::lstm;
        const int weights = packed_ ? 0 : 2 + given.bias + shape.peephole;
        const size_t states = is_lstm ? 2 : 1, count = static_cast<size_t>(1 + given.state + given.cells + given.lengths + weights);
        expect(name, outs.size() == 1 + states && ins.size() == count && (is_lstm || !given.cells),
               "ins are x and those that are given, outs y and the last states");
        expect(name, !packed_ || packed_->nbytes() == shape.packed * item, "the packed weights have another size");
        const Dims &sizes = program.view(ins[0]).shape();
        expect(name, sizes.size() == 3, "x is steps of rows");
        steps_ = sizes[0];
        width_ = sizes[1];
        expect(name, steps_ > 0 && width_ > 0, "there is no step");
        const Dims state = {1, 1, width_, shape.hidden};
        x_ = rows_of(name, program.view(ins[0]), {steps_, width_, shape.input});
        y_ = rows_of(name, program.view(outs[0]), {steps_, width_, shape.hidden});
        size_t next = 1;
        if (given.state)
            first_row_ = rows_of(name, program.view(ins[next++]), state).row;
        if (given.cells)
            first_cells_row_ = rows_of(name, program.view(ins[next++]), state).row;
        if (given.lengths) {
            const View &lengths = program.view(ins[next++]);
            const bool counts = lengths.dtype().is(py::dtype::of<int64_t>()) || lengths.dtype().is(py::dtype::of<int32_t>());
            expect(name, counts && lengths.shape() == Dims{width_}, "the lengths are i32 or i64, one of each sequence");
        }
        if (!packed_) {
            const int64_t rows = shape.gates * shape.hidden;
            expect_dense(name, program.view(ins[next++]), rows * shape.input);
            expect_dense(name, program.view(ins[next++]), rows * shape.hidden);
            if (given.bias)
                expect_dense(name, program.view(ins[next++]), 2 * rows);
            if (shape.peephole)
                expect_dense(name, program.view(ins[next++]), 3 * shape.hidden);
        }
        for (size_t k = 1; k < outs.size(); ++k)
            ends_.push_back(rows_of(name, program.view(outs[k]), state).row);
        room_ = Room::of(shape, steps_, width_, program.threads(), !packed_);
    }

    int64_t constant_bytes() const override { return packed_ ? packed_->nbytes() : 0; }
    int64_t scratch_bytes() const { return room_.bytes; }

    void run(const std::vector<Array> &ins, const std::vector<Array> &outs, char *scratch) const override {
        size_t next = 1;
        const auto take = [&](bool is_given) { return is_given ? &ins[next++] : nullptr; };
        const auto taken = [&](bool is_given) {
            const Array *array = take(is_given);
            return array ? array->elements_of<float>() : nullptr;
        };
        const float *const state = taken(given_.state), *const cells = taken(given_.cells);
        const Array *const stated = take(given_.lengths);
        const std::vector<int64_t> lengths = stated ? lengths_of(*stated) : std::vector<int64_t>();
        RecurrentRun whole{steps_,       width_, reverse_, ins[0].elements_of<float>(), x_.step, x_.row, outs[0].elements_of<float>(), y_.step, y_.row,
                           state, first_row_, nullptr, 0, stated ? lengths.data() : nullptr};
        if (ends_.size() > 1) {
            whole.c = outs[2].elements_of<float>();
            whole.c_row = ends_[1];
            copy_rows(cells, first_cells_row_, whole.c, whole.c_row, width_, shape_.hidden);
        }
        if (stated)
            whole.steps = *std::max_element(lengths.begin(), lengths.end());
        if (whole.steps > 0) {
            const float *weights = weights_;
            if (!weights) {
                float *const packed = floats(scratch + room_.lanes_bytes);
                const float *const w = taken(true), *const r = taken(true), *const bias = taken(given_.bias);
                kernels::pack_recurrent(shape_, w, r, bias, taken(shape_.peephole), packed);
                weights = packed;
            }
            compute(whole, weights, scratch);
            const float *last = whole.y + (reverse_ ? 0 : whole.steps - 1) * y_.step;
            copy_rows(last, y_.row, outs[1].elements_of<float>(), ends_[0], width_, shape_.hidden);
        }
        for (size_t n = 0; n < lengths.size(); ++n)
            clear_behind(lengths[n], static_cast<int64_t>(n), outs);
    }

private:
    // Throws IndicesError where a sequence is longer than there are steps, or shorter than nothing.
    std::vector<int64_t> lengths_of(const Array &array) const {
        std::vector<int64_t> lengths;
        for (int64_t n = 0; n < width_; ++n) {
            const int64_t length = kernels::index_at(array.form->type, array.data + n * array.form->strides[0]);
            if (length < 0 || length > steps_)
                throw IndicesError("sequence " + std::to_string(n) + " has length " + std::to_string(length) +
                                   ", there are " + std::to_string(steps_) + " steps");
            lengths.push_back(length);
        }
        return lengths;
    }

    // Zeros behind the end of a sequence, and as the last states of one without steps.
    void clear_behind(int64_t length, int64_t sequence, const std::vector<Array> &outs) const {
        const auto clear = [&](float *row) { std::memset(row, 0, static_cast<size_t>(shape_.hidden * item)); };
        for (int64_t step = length; step < steps_; ++step)
            clear(outs[0].elements_of<float>() + step * y_.step + sequence * y_.row);
        for (size_t k = 0; length == 0 && k < ends_.size(); ++k)
            clear(outs[1 + k].elements_of<float>() + sequence * ends_[k]);
    }

    void compute(const RecurrentRun &whole, const float *weights, char *scratch) const {
        const auto alone = [&](const RecurrentRun &run, char *memory) {
            kernels::run_recurrent(shape_, formula_, weights, run, floats(memory), {0, 1, nullptr});
        };
        if (room_.lanes == 1)
            return alone(whole, scratch);
        if (room_.by_columns) {
            const auto work = [&](const Share &share) {
                kernels::run_recurrent(shape_, formula_, weights, whole, floats(scratch), share);
            };
            if (!run_together(room_.lanes, work))
                alone(whole, scratch);
            return;
        }
        run_lanes(room_.lanes, [&](int lane) {
            const int64_t first = width_ * lane / room_.lanes;
            RecurrentRun part = whole;
            part.width = width_ * (lane + 1) / room_.lanes - first;
            part.x += first * part.x_row;
            part.y += first * part.y_row;
            if (part.h)
                part.h += first * part.h_row;
            if (part.c)
                part.c += first * part.c_row;
            if (part.lengths)
                part.lengths += first;
            alone(part, scratch + lane * room_.lane_bytes);
        });
    }

    RecurrentShape shape_;
    RecurrentFormula formula_;
    bool reverse_;
    Given given_;
    std::optional<py::array> packed_;
    const float *weights_; // null where each run packs them
    int64_t steps_, width_;
    Rows x_, y_;
    int64_t first_row_ = 0, first_cells_row_ = 0; // from row to row of the first states
    std::vector<int64_t> ends_;                   // and of the last ones
    Room room_;
};

} // namespace

Room Room::of(const RecurrentShape &shape, int64_t steps, int64_t width, int threads, bool packs) {
    const int64_t of_state = width * shape.gates * shape.hidden * shape.hidden;
    const int64_t of_input = width * shape.gates * shape.hidden * shape.input;
    const bool is_small = steps * (of_state + of_input) < least_of_run;
    const int64_t by_rows = width / least_width, by_columns = of_state < least_of_step ? 1 : kernels::column_shares(shape);
    const int64_t most = is_small ? 1 : std::max<int64_t>(threads, 1);
    Room room{};
    room.by_columns = by_rows < most && by_rows < by_columns;
    room.lanes = static_cast<int>(std::clamp<int64_t>(room.by_columns ? by_columns : by_rows, 1, most));
    const int64_t rows = room.by_columns ? width : (width + room.lanes - 1) / room.lanes;
    room.lane_bytes = 0;
    // Fewer sequences are multiplied in more steps at once.
    for (int64_t part = std::max<int64_t>(1, room.by_columns ? rows : width / room.lanes); part <= rows; ++part)
        room.lane_bytes = std::max(room.lane_bytes, aligned(kernels::recurrent_scratch(shape, steps, part) * item));
    room.lanes_bytes = aligned(room.by_columns ? room.lane_bytes : room.lanes * room.lane_bytes);
    room.bytes = room.lanes_bytes + (packs ? shape.packed * item : 0);
    return room;
}

void add_recurrent(StepProgram &program, const std::string &name, const RecurrentShape &shape,
                   const RecurrentFormula &formula, bool reverse, const Given &given, std::optional<py::array> packed,
                   const std::vector<int> &ins, const std::vector<int> &outs, int scratch) {
    auto kernel = std::make_shared<const RecurrentKernel>(program, name, shape, formula, reverse, given, std::move(packed),
                                                          ins, outs);
    const int64_t bytes = kernel->scratch_bytes();
    program.add_kernel(name, std::move(kernel), ins, outs, scratch, bytes);
}

} // namespace lastuse::layers
