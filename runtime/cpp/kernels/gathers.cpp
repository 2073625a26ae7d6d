// Elements that indices say, as dialect/dnn/gathers.py defines them.
#include "../moves/copy.hpp"
#include "../moves/elements.hpp"
#include "functions.hpp"
#include "indices.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t block = 512; // indices that are read together

// What is copied for one index: a block of the operand, to a block of the result.
class Slice {
public:
    Slice(const std::vector<int64_t> &shape, const std::vector<int64_t> &from, const std::vector<int64_t> &to,
          int64_t item)
        : plan_(plan_copy(shape, from, to, item)) {}

    // Copies slices from `from` plus each of the offsets to `to`, `step` and twice `step` further, and so on.
    void copy_all(const char *from, const int64_t *offsets, char *to, int64_t step, int64_t count) const {
        if (plan_.axes.empty() && by_item(plan_.run, [&](auto element) {
                for (int64_t k = 0; k < count; ++k)
                    std::memcpy(to + k * step, from + offsets[k], sizeof element);
            }))
            return;
        for (int64_t k = 0; k < count; ++k)
            copy(plan_, from + offsets[k], to + k * step);
    }

private:
    CopyPlan plan_;
};

// At how many elements the work of a call has its measure: one of 8 bytes is as much work as two of 4.
int64_t work_of(const Array &y) { return y.elements() * y.form->item() / 4; }

} // namespace

Prepared gather(const Call &call) {
    call.expect_counts(2, 1, 2);
    const Array &data = call.ins[0], &indices = call.ins[1], &y = call.outs[0];
    const auto axis = call.index(0);
    const size_t behind = axis + indices.rank();
    expect_indices(call, indices);
    call.expect(axis < data.rank() && y.rank() == data.rank() - 1 + indices.rank() &&
                    y.form->type == data.form->type,
                "the result has other axes or elements than the operands say");
    const Slice slice(from_axis(data.form->shape, axis + 1), from_axis(data.form->strides, axis + 1),
                      from_axis(y.form->strides, behind), y.form->item());
    const RowLoop<2> before(to_axis(data.form->shape, axis),
                            {to_axis(data.form->strides, axis), to_axis(y.form->strides, axis)});
    const RowLoop<1> all(indices.form->shape, {indices.form->strides});
    const RowLoop<2> places(indices.form->shape,
                            {indices.form->strides, to_axis(from_axis(y.form->strides, axis), indices.rank())});
    const IndexedAxis along{data.size(axis), call.numbers[1] != 0};
    const int64_t stride = data.form->strides[axis];
    return [=](const Call &now) {
        const Type type = now.ins[1].form->type;
        char *const from = now.ins[0].data, *const to = now.outs[0].data;
        check_indices(now, along, type, all, now.ins[1].data);
        const int lanes = lanes_for(now, work_of(now.outs[0]));
        const bool by_place = before.elements() < lanes;
        in_lanes(lanes, by_place ? places.elements() : before.elements(), [&](int64_t begin, int64_t end, int) {
            const auto take = [&](const RowLoop<2>::Pointers &at, int64_t count) {
                int64_t offsets[block];
                for (int64_t k = 0; k < count; ++k) {
                    const int64_t index = index_at(type, at[0] + k * places.strides()[0]);
                    offsets[k] = along.has(index) ? along.place(index) * stride : 0;
                }
                const auto copy_rows = [&](const RowLoop<2>::Pointers &row, int64_t rows) {
                    for (int64_t k = 0; k < rows; ++k)
                        slice.copy_all(row[0] + k * before.strides()[0], offsets, row[1] + k * before.strides()[1],
                                       places.strides()[1], count);
                };
                before.pieces({from, at[1]}, by_place ? 0 : begin, by_place ? before.elements() : end,
                              before.columns(), copy_rows);
            };
            places.pieces({now.ins[1].data, to}, by_place ? begin : 0, by_place ? end : places.elements(), block, take);
        });
    };
}

Prepared gather_elements(const Call &call) {
    call.expect_counts(2, 1, 1);
    const Array &data = call.ins[0], &indices = call.ins[1], &y = call.outs[0];
    const auto axis = call.index(0);
    expect_indices(call, indices);
    call.expect(axis < data.rank() && y.form->shape == indices.form->shape && y.rank() == data.rank() &&
                    y.form->type == data.form->type,
                "the result has other axes or elements than the operands say");
    std::vector<int64_t> own = data.form->strides;
    own[axis] = 0;
    const RowLoop<1> all(indices.form->shape, {indices.form->strides});
    const RowLoop<3> loop(indices.form->shape, {indices.form->strides, own, y.form->strides});
    const IndexedAxis along{data.size(axis)};
    const int64_t stride = data.form->strides[axis], item = y.form->item();
    return [=](const Call &now) {
        const Type type = now.ins[1].form->type;
        check_indices(now, along, type, all, now.ins[1].data);
        in_lanes(lanes_for(now, work_of(now.outs[0])), loop.elements(), [&](int64_t begin, int64_t end, int) {
            const auto take = [&](const RowLoop<3>::Pointers &at, int64_t count) {
                const auto [index_step, from_step, to_step] = loop.strides();
                by_item(item, [&](auto element) {
                    for (int64_t k = 0; k < count; ++k) {
                        const int64_t index = index_at(type, at[0] + k * index_step);
                        const int64_t offset = along.has(index) ? along.place(index) * stride : 0;
                        std::memcpy(at[2] + k * to_step, at[1] + k * from_step + offset, sizeof element);
                    }
                });
            };
            loop.pieces({now.ins[1].data, now.ins[0].data, now.outs[0].data}, begin, end, loop.columns(), take);
        });
    };
}

Prepared gather_nd(const Call &call) {
    call.expect_counts(2, 1, 1);
    const Array &data = call.ins[0], &indices = call.ins[1], &y = call.outs[0];
    const auto batch = call.index(0);
    expect_indices(call, indices);
    call.expect(indices.rank() > batch && y.form->type == data.form->type, "the operands share fewer axes");
    const size_t rows = indices.rank() - 1;
    const auto named = static_cast<size_t>(indices.form->shape.back());
    call.expect(batch + named <= data.rank() && y.rank() == rows + data.rank() - batch - named,
                "the result has other axes than the operands say");
    std::vector<int64_t> own = to_axis(data.form->strides, batch);
    own.resize(rows);
    const RowLoop<3> loop(to_axis(indices.form->shape, rows),
                          {to_axis(indices.form->strides, rows), own, to_axis(y.form->strides, rows)});
    const Slice slice(from_axis(data.form->shape, batch + named), from_axis(data.form->strides, batch + named),
                      from_axis(y.form->strides, rows), y.form->item());
    const IndexedRows index_rows(indices, data, batch);
    return [=](const Call &now) {
        index_rows.check(now, now.ins[1].data);
        in_lanes(lanes_for(now, work_of(now.outs[0])), loop.elements(), [&](int64_t begin, int64_t end, int) {
            const auto take = [&](const RowLoop<3>::Pointers &at, int64_t count) {
                const auto [index_step, from_step, to_step] = loop.strides();
                int64_t offsets[block];
                for (int64_t k = 0; k < count; ++k)
                    offsets[k] = k * from_step + index_rows.offset(at[0] + k * index_step);
                slice.copy_all(at[1], offsets, at[2], to_step, count);
            };
            loop.pieces({now.ins[1].data, now.ins[0].data, now.outs[0].data}, begin, end, block, take);
        });
    };
}

} // namespace lastuse::kernels
