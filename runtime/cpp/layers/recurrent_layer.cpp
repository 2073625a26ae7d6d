#include "recurrent_layer.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "../kernels/indices.hpp"
#include "../threads/lanes.hpp"

namespace lastuse::layers {

using kernels::RecurrentCell;
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

class RecurrentKernel final : public Kernel {
public:
    RecurrentKernel(const StepProgram &program, const std::string &name, const RecurrentShape &shape, bool reverse,
                    bool has_lengths, py::array packed, const std::vector<int> &ins, const std::vector<int> &outs)
        : shape_(shape), reverse_(reverse), has_lengths_(has_lengths), packed_(std::move(packed)),
          weights_(static_cast<const float *>(packed_.data())) {
        const size_t states = shape.cell == RecurrentCell::lstm ? 2 : 1, others = 1 + (has_lengths ? 1 : 0);
        expect(name, outs.size() == 1 + states && (ins.size() == others || ins.size() == others + states),
               "ins are x and, if any, the states and the lengths, outs y and the last states");
        expect(name, packed_.nbytes() == shape.packed * item, "the packed weights have another size");
        const Dims &sizes = program.view(ins[0]).shape();
        expect(name, sizes.size() == 3, "x is steps of rows");
        steps_ = sizes[0];
        width_ = sizes[1];
        expect(name, steps_ > 0 && width_ > 0, "there is no step");
        const Dims state = {1, 1, width_, shape.hidden};
        x_ = rows_of(name, program.view(ins[0]), {steps_, width_, shape.input});
        y_ = rows_of(name, program.view(outs[0]), {steps_, width_, shape.hidden});
        if (has_lengths) {
            const View &lengths = program.view(ins.back());
            const bool counts = lengths.dtype().is(py::dtype::of<int64_t>()) || lengths.dtype().is(py::dtype::of<int32_t>());
            expect(name, counts && lengths.shape() == Dims{width_}, "the lengths are i32 or i64, one of each sequence");
        }
        for (size_t k = 1; k + (has_lengths ? 1 : 0) < ins.size(); ++k)
            starts_.push_back(rows_of(name, program.view(ins[k]), state).row);
        for (size_t k = 1; k < outs.size(); ++k)
            ends_.push_back(rows_of(name, program.view(outs[k]), state).row);
        room_ = Room::of(shape, steps_, width_, program.threads());
    }

    int64_t constant_bytes() const override { return packed_.nbytes(); }
    int64_t scratch_bytes() const { return room_.bytes; }

    void run(const std::vector<Array> &ins, const std::vector<Array> &outs, char *scratch) const override {
        const bool starts = !starts_.empty(), is_lstm = ends_.size() > 1;
        const std::vector<int64_t> lengths = has_lengths_ ? lengths_of(ins.back()) : std::vector<int64_t>();
        RecurrentRun whole{steps_,       width_, reverse_, ins[0].elements_of<float>(), x_.step, x_.row, outs[0].elements_of<float>(), y_.step, y_.row,
                           starts ? ins[1].elements_of<float>() : nullptr, starts ? starts_[0] : 0, nullptr, 0,
                           has_lengths_ ? lengths.data() : nullptr};
        if (is_lstm) {
            whole.c = outs[2].elements_of<float>();
            whole.c_row = ends_[1];
            copy_rows(starts ? ins[2].elements_of<float>() : nullptr, starts ? starts_[1] : 0, whole.c, whole.c_row, width_,
                      shape_.hidden);
        }
        if (has_lengths_)
            whole.steps = *std::max_element(lengths.begin(), lengths.end());
        if (whole.steps > 0) {
            compute(whole, scratch);
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

    void compute(const RecurrentRun &whole, char *scratch) const {
        const auto alone = [&](const RecurrentRun &run, char *memory) {
            kernels::run_recurrent(shape_, weights_, run, floats(memory), {0, 1, nullptr});
        };
        if (room_.lanes == 1)
            return alone(whole, scratch);
        if (room_.by_columns) {
            const auto work = [&](const Share &share) {
                kernels::run_recurrent(shape_, weights_, whole, floats(scratch), share);
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
    bool reverse_, has_lengths_;
    py::array packed_;
    const float *weights_;
    int64_t steps_, width_;
    Rows x_, y_;
    std::vector<int64_t> starts_, ends_; // from row to row of the first states and of the last ones
    Room room_;
};

} // namespace

Room Room::of(const RecurrentShape &shape, int64_t steps, int64_t width, int threads) {
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
    room.bytes = room.by_columns ? room.lane_bytes : room.lanes * room.lane_bytes;
    return room;
}

void add_recurrent(StepProgram &program, const std::string &name, const RecurrentShape &shape, bool reverse,
                   bool has_lengths, py::array packed, const std::vector<int> &ins, const std::vector<int> &outs, int scratch) {
    auto kernel = std::make_shared<const RecurrentKernel>(program, name, shape, reverse, has_lengths, std::move(packed), ins, outs);
    const int64_t bytes = kernel->scratch_bytes();
    program.add_kernel(name, std::move(kernel), ins, outs, scratch, bytes);
}

} // namespace lastuse::layers
