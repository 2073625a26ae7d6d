// Elements at other places along their axes, as dialect/dnn/axis_moves.py describes them.
#include "../moves/copy.hpp"
#include "../moves/elements.hpp"
#include "functions.hpp"
#include "indices.hpp"

namespace lastuse::kernels {

namespace {

// Elements of an axis of the result, and where the first of them is in the operand, in bytes.
struct Stretch {
    int64_t count, from, step;
};

// Neighbouring axes of the result are merged into one element where it is dense in both.
struct AxisTables {
    int64_t item;
    std::vector<std::vector<Stretch>> axes;
    std::vector<int64_t> sizes, to; // of the result: sizes and strides
};

} // namespace

Prepared move_blocks(const Call &call) {
    const Array &x = call.ins.at(0), &y = call.outs.at(0);
    call.expect(call.ins.size() == 1 && call.outs.size() == 1 && x.form->type == y.form->type &&
                    call.numbers.size() >= x.rank() && (call.numbers.size() - x.rank()) % 5 == 0,
                "the kernel takes other operands");
    const auto number = [&](size_t at) { return call.integer(at); };
    int64_t first = 0;
    for (size_t axis = 0; axis < x.rank(); ++axis)
        first += number(axis) * x.form->strides[axis];
    std::vector<int64_t> sizes, from, to;
    for (size_t at = x.rank(); at < call.numbers.size(); at += 5) {
        sizes.push_back(number(at));
        from.push_back(number(at + 2) * x.form->strides.at(static_cast<size_t>(number(at + 1))));
        to.push_back(number(at + 4) * y.form->strides.at(static_cast<size_t>(number(at + 3))));
    }
    const CopyPlan plan = plan_copy(sizes, from, to, y.form->item());
    return [=](const Call &now) { copy(plan, now.ins[0].data + first, now.outs[0].data); };
}

Prepared take_stretches(const Call &call) {
    const Array &x = call.ins.at(0), &y = call.outs.at(0);
    call.expect(call.ins.size() == 1 && call.outs.size() == 1 && x.form->type == y.form->type && x.rank() == y.rank(),
                "the kernel takes other operands");
    if (y.elements() == 0)
        return [](const Call &) {};
    AxisTables tables{y.form->item(), {}, y.form->shape, y.form->strides};
    size_t at = 0;
    const auto next = [&] {
        call.expect(at < call.numbers.size(), "the kernel takes more numbers");
        return call.integer(at++);
    };
    for (size_t axis = 0; axis < y.rank(); ++axis) {
        std::vector<Stretch> &stretches = tables.axes.emplace_back();
        int64_t covered = 0;
        for (int64_t left = next(); left > 0; --left) {
            const int64_t count = next(), first = next(), step = next(), last = first + (count - 1) * step;
            call.expect(count > 0 && std::min(first, last) >= 0 && std::max(first, last) < x.size(axis),
                        "a stretch is outside of its axis");
            stretches.push_back({count, first * x.form->strides[axis], step * x.form->strides[axis]});
            covered += count;
        }
        call.expect(covered == y.size(axis), "stretches do not cover their axis");
    }
    // Whole last axes, dense in both, are one element of more bytes.
    while (!tables.axes.empty()) {
        const std::vector<Stretch> &last = tables.axes.back();
        const size_t axis = tables.axes.size() - 1;
        const bool whole = last.size() == 1 && last[0].count == x.size(axis) &&
                           (last[0].count == 1 || (last[0].step == tables.item && tables.to.back() == tables.item));
        if (!whole)
            break;
        tables.item *= tables.sizes.back();
        tables.axes.pop_back();
        tables.sizes.pop_back();
        tables.to.pop_back();
    }
    return [tables = std::move(tables)](const Call &now) {
        const size_t rank = tables.axes.size();
        // Descends axis by axis; the last one is copied stretch by stretch.
        const auto descend = [&](const auto &self, size_t axis, const char *from, char *to) -> void {
            if (axis == rank) {
                std::memcpy(to, from, static_cast<size_t>(tables.item));
                return;
            }
            for (const Stretch &stretch : tables.axes[axis]) {
                if (axis + 1 == rank)
                    copy_elements(tables.item, stretch.count, from + stretch.from, stretch.step, to, tables.to[axis]);
                else
                    for (int64_t k = 0; k < stretch.count; ++k)
                        self(self, axis + 1, from + stretch.from + k * stretch.step, to + k * tables.to[axis]);
                to += stretch.count * tables.to[axis];
            }
        };
        descend(descend, 0, now.ins[0].data, now.outs[0].data);
    };
}

Prepared reverse_sequence(const Call &call) {
    call.expect_counts(2, 1, 2);
    const Array &x = call.ins[0], &lengths = call.ins[1], &y = call.outs[0];
    const auto batch = call.index(0), time = call.index(1);
    expect_indices(call, lengths);
    call.expect(batch + time == 1 && x.rank() >= 2 && x.form->shape == y.form->shape && x.form->type == y.form->type &&
                    lengths.form->shape == std::vector<int64_t>{x.size(batch)},
                "the result has other sizes or elements than the operands say");
    const CopyPlan plan = plan_copy(from_axis(x.form->shape, 2), from_axis(x.form->strides, 2),
                                    from_axis(y.form->strides, 2), x.form->item());
    const int64_t sequences = x.size(batch), steps = x.size(time), length_step = lengths.form->strides[0];
    const std::vector<int64_t> from = x.form->strides, to = y.form->strides;
    return [=](const Call &now) {
        const auto length_of = [&](int64_t sequence) {
            return index_at(now.ins[1].form->type, now.ins[1].data + sequence * length_step);
        };
        for (int64_t sequence = 0; sequence < sequences; ++sequence)
            if (length_of(sequence) < 0 || length_of(sequence) > steps)
                throw IndicesError(now.op + ": a length is outside the axis of size " + std::to_string(steps));
        for (int64_t sequence = 0; sequence < sequences; ++sequence) {
            const char *const source = now.ins[0].data + sequence * from[batch];
            char *const target = now.outs[0].data + sequence * to[batch];
            const int64_t length = std::clamp<int64_t>(length_of(sequence), 0, steps);
            for (int64_t step = 0; step < steps; ++step)
                copy(plan, source + (step < length ? length - 1 - step : step) * from[time], target + step * to[time]);
        }
    };
}

} // namespace lastuse::kernels
