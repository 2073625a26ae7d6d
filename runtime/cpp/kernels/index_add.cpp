// Sums into rows that indices say, in f32, as dialect/dnn/scatters.py defines them: in the order of the indices.
#include "functions.hpp"
#include "indices.hpp"

namespace lastuse::kernels {

namespace {

LASTUSE_WIDE void add(float *to, const float *from, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        to[k] += from[k];
}

void copy(const Array &from, const Array &to) {
    if (from.data == to.data)
        return; // the result is in place
    for_dense<1>(std::array<const Array *, 2>{&from, &to}, 1, [](const auto &row, int64_t count) {
        std::memcpy(row[1], row[0], static_cast<size_t>(count) * sizeof(float));
    });
}

} // namespace

void index_add(const Call &call) {
    call.expect_counts(3, 1, 1);
    const Array &data = call.ins[0], &indices = call.ins[1], &updates = call.ins[2], &y = call.outs[0];
    const auto axis = call.index(0);
    call.expect(data.is(Type::f32) && updates.is(Type::f32) && y.is(Type::f32) && axis < data.rank() &&
                    (indices.is(Type::i32) || indices.is(Type::i64)) && y.form->shape == data.form->shape,
                "the kernel takes f32 and indices of i32 or i64");
    // The places of the indices; then of the rows' elements.
    const auto &strides = updates.form->strides;
    const auto first = strides.begin() + static_cast<ptrdiff_t>(axis);
    const std::vector<int64_t> along(first, first + static_cast<ptrdiff_t>(indices.rank()));
    const RowLoop<2> places(indices.form->shape, {indices.form->strides, along});
    const RowLoop<2> row(without(data.form->shape, axis, axis + 1),
                         {without(y.form->strides, axis, axis + 1), without(strides, axis, axis + indices.rank())});
    const auto visit = [&](const auto &use) {
        places.visit({indices.data, updates.data}, [&](const RowLoop<2>::Pointers &at) {
            for (int64_t k = 0; k < places.columns(); ++k)
                use(index_at(indices.form->type, at[0] + k * places.strides()[0]), at[1] + k * places.strides()[1]);
        });
    };
    const IndexedAxis indexed{data.size(axis)};
    check_indices(call, indexed, indices.form->type, RowLoop<1>(indices.form->shape, {indices.form->strides}), indices.data);
    copy(data, y);
    constexpr int64_t item = sizeof(float);
    const bool dense = row.columns() == 1 || (row.strides()[0] == item && row.strides()[1] == item);
    visit([&](int64_t index, char *update) {
        char *const target = y.data + indexed.place(index) * y.form->strides[axis];
        row.visit({target, update}, [&](const RowLoop<2>::Pointers &at) {
            if (dense)
                return add(reinterpret_cast<float *>(at[0]), reinterpret_cast<const float *>(at[1]), row.columns());
            for (int64_t k = 0; k < row.columns(); ++k) {
                auto *to = reinterpret_cast<float *>(at[0] + k * row.strides()[0]);
                *to += *reinterpret_cast<const float *>(at[1] + k * row.strides()[1]);
            }
        });
    });
}

} // namespace lastuse::kernels
