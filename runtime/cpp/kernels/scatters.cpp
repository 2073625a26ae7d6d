// Updates at places that indices say, as dialect/dnn/scatters.py defines them: in the order of the indices.
#include "../moves/copy.hpp"
#include "../moves/elements.hpp"
#include "functions.hpp"
#include "indices.hpp"

namespace lastuse::kernels {

namespace {

// Joins `count` updates to elements, at strides in bytes.
using Join = void (*)(char *to, int64_t to_step, const char *update, int64_t update_step, int64_t count);

struct Sum {
    template <class Number>
    Number operator()(Number a, Number b) const {
        if constexpr (std::is_floating_point_v<Number>)
            return a + b;
        else // wraps around
            return static_cast<Number>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    }
    bool operator()(bool a, bool b) const { return a || b; }
};

struct Product {
    template <class Number>
    Number operator()(Number a, Number b) const {
        if constexpr (std::is_floating_point_v<Number>)
            return a * b;
        else
            return static_cast<Number>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    }
    bool operator()(bool a, bool b) const { return a && b; }
};

// NaN if one of the two is.
struct Larger {
    template <class Number>
    Number operator()(Number a, Number b) const {
        return a >= b || a != a ? a : b;
    }
    bool operator()(bool a, bool b) const { return a || b; }
};

struct Smaller {
    template <class Number>
    Number operator()(Number a, Number b) const {
        return a <= b || a != a ? a : b;
    }
    bool operator()(bool a, bool b) const { return a && b; }
};

template <class Number, class Operation>
void join(char *to, int64_t to_step, const char *update, int64_t update_step, int64_t count) {
    for (int64_t k = 0; k < count; ++k) {
        Number a, b;
        std::memcpy(&a, to + k * to_step, sizeof a);
        std::memcpy(&b, update + k * update_step, sizeof b);
        a = Operation()(a, b);
        std::memcpy(to + k * to_step, &a, sizeof a);
    }
}

template <int64_t Item>
void replace(char *to, int64_t to_step, const char *update, int64_t update_step, int64_t count) {
    copy_elements(Item, count, update, update_step, to, to_step);
}

template <class Operation>
Join join_of(const Call &call, Type type) {
    switch (type) {
    case Type::f64: return join<double, Operation>;
    case Type::f32: return join<float, Operation>;
    case Type::i64: return join<int64_t, Operation>;
    case Type::i32: return join<int32_t, Operation>;
    case Type::i16: return join<int16_t, Operation>;
    case Type::i8: return join<int8_t, Operation>;
    case Type::u64: return join<uint64_t, Operation>;
    case Type::u32: return join<uint32_t, Operation>;
    case Type::u16: return join<uint16_t, Operation>;
    case Type::u8: return join<uint8_t, Operation>;
    case Type::boolean: return join<bool, Operation>;
    default: throw Error(call.op + ": the kernel joins no elements of this type");
    }
}

// `reduction`: its place in none, add, mul, max, min.
Join join_of(const Call &call, const Form &form, double reduction) {
    switch (static_cast<int>(reduction)) {
    case 0:
        switch (form.item()) {
        case 1: return replace<1>;
        case 2: return replace<2>;
        case 4: return replace<4>;
        default: return replace<8>;
        }
    case 1: return join_of<Sum>(call, form.type);
    case 2: return join_of<Product>(call, form.type);
    case 3: return join_of<Larger>(call, form.type);
    case 4: return join_of<Smaller>(call, form.type);
    default: throw Error(call.op + ": the kernel has no such reduction");
    }
}

// The operand that is written over, copied to the result if it is not there.
class Base {
public:
    Base(const Array &data, const Array &y)
        : plan_(plan_copy(y.form->shape, data.form->strides, y.form->strides, y.form->item())) {}

    void copy_to(const Array &data, const Array &y) const {
        if (data.data != y.data)
            copy(plan_, data.data, y.data);
    }

private:
    CopyPlan plan_;
};

void expect_alike(const Call &call, const Array &data, const Array &updates, const Array &y) {
    call.expect(data.form->shape == y.form->shape && data.form->type == y.form->type &&
                    updates.form->type == y.form->type,
                "the result has other sizes or elements than the operands");
}

} // namespace

Prepared scatter_elements(const Call &call) {
    call.expect_counts(3, 1, 2);
    const Array &data = call.ins[0], &indices = call.ins[1], &updates = call.ins[2], &y = call.outs[0];
    const auto axis = call.index(0);
    expect_indices(call, indices);
    expect_alike(call, data, updates, y);
    call.expect(axis < y.rank() && indices.rank() == y.rank() && indices.form->shape == updates.form->shape,
                "the updates have other sizes than the indices");
    std::vector<int64_t> own = y.form->strides;
    own[axis] = 0;
    const RowLoop<1> all(indices.form->shape, {indices.form->strides});
    const RowLoop<3> loop(indices.form->shape, {indices.form->strides, updates.form->strides, own});
    const Base base(data, y);
    const Join write = join_of(call, *y.form, call.numbers[1]);
    const IndexedAxis along{y.size(axis)};
    const int64_t stride = y.form->strides[axis];
    return [=](const Call &now) {
        const Type type = now.ins[1].form->type;
        check_indices(now, along, type, all, now.ins[1].data);
        base.copy_to(now.ins[0], now.outs[0]);
        const auto put = [&](const RowLoop<3>::Pointers &at, int64_t count) {
            const auto [index_step, update_step, to_step] = loop.strides();
            for (int64_t k = 0; k < count; ++k)
                if (const int64_t index = index_at(type, at[0] + k * index_step); along.has(index))
                    write(at[2] + k * to_step + along.place(index) * stride, 0, at[1] + k * update_step, 0, 1);
        };
        loop.pieces({now.ins[1].data, now.ins[2].data, now.outs[0].data}, 0, loop.elements(), loop.columns(), put);
    };
}

Prepared scatter_nd(const Call &call) {
    call.expect_counts(3, 1, 1);
    const Array &data = call.ins[0], &indices = call.ins[1], &updates = call.ins[2], &y = call.outs[0];
    expect_indices(call, indices);
    expect_alike(call, data, updates, y);
    call.expect(indices.rank() > 0, "indices have no axis");
    const size_t rows = indices.rank() - 1;
    const auto named = static_cast<size_t>(indices.form->shape.back());
    call.expect(named <= y.rank() && updates.rank() == rows + y.rank() - named,
                "the updates have other axes than the indices say");
    const RowLoop<2> loop(to_axis(indices.form->shape, rows),
                          {to_axis(indices.form->strides, rows), to_axis(updates.form->strides, rows)});
    const RowLoop<2> slice(from_axis(y.form->shape, named),
                           {from_axis(updates.form->strides, rows), from_axis(y.form->strides, named)});
    const IndexedRows index_rows(indices, y, 0);
    const Base base(data, y);
    const Join write = join_of(call, *y.form, call.numbers[0]);
    return [=](const Call &now) {
        index_rows.check(now, now.ins[1].data);
        base.copy_to(now.ins[0], now.outs[0]);
        const auto put = [&](const RowLoop<2>::Pointers &at, int64_t count) {
            for (int64_t k = 0; k < count; ++k)
                slice.visit({at[1] + k * loop.strides()[1],
                             now.outs[0].data + index_rows.offset(at[0] + k * loop.strides()[0])},
                            [&](const RowLoop<2>::Pointers &row) {
                                write(row[1], slice.strides()[1], row[0], slice.strides()[0], slice.columns());
                            });
        };
        loop.pieces({now.ins[1].data, now.ins[2].data}, 0, loop.elements(), loop.columns(), put);
    };
}

Prepared tensor_scatter(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && call.outs.size() == 1 && call.numbers.size() == 2,
                "the kernel takes other operands");
    const Array &cache = call.ins[0], &update = call.ins[1], &y = call.outs[0];
    const auto axis = call.index(0);
    const bool circular = call.numbers[1] != 0, given = call.ins.size() == 3;
    expect_alike(call, cache, update, y);
    call.expect(axis > 0 && axis < y.rank() && update.rank() == y.rank() && update.size(axis) <= y.size(axis),
                "the update has other axes than the cache");
    if (given)
        expect_indices(call, call.ins[2]);
    const auto part = [axis](const std::vector<int64_t> &all) { return from_axis(without(all, axis, axis + 1), 1); };
    const CopyPlan row = plan_copy(part(y.form->shape), part(update.form->strides), part(y.form->strides),
                                   y.form->item());
    const Base base(cache, y);
    const int64_t sequences = y.size(0), size = y.size(axis), count = update.size(axis);
    const int64_t first_step = given ? call.ins[2].form->strides[0] : 0;
    const std::vector<int64_t> from = update.form->strides, to = y.form->strides;
    return [=](const Call &now) {
        const auto start_of = [&](int64_t sequence) {
            return given ? index_at(now.ins[2].form->type, now.ins[2].data + sequence * first_step) : 0;
        };
        int64_t low = 0, high = 0;
        for (int64_t sequence = 0; sequence < sequences && count > 0; ++sequence) {
            low = std::min(low, start_of(sequence));
            high = std::max(high, start_of(sequence));
        }
        if (low < 0 || (high > size - count && !circular))
            throw IndicesError(now.op + ": index " + std::to_string(low < 0 ? low : high) + " is outside 0 to " +
                               std::to_string(size - count));
        base.copy_to(now.ins[0], now.outs[0]);
        for (int64_t sequence = 0; sequence < sequences; ++sequence) {
            const int64_t start = std::max<int64_t>(start_of(sequence), 0);
            const char *const source = now.ins[1].data + sequence * from[0];
            char *const target = now.outs[0].data + sequence * to[0];
            for (int64_t k = 0; k < count; ++k)
                copy(row, source + k * from[axis], target + (start + k) % size * to[axis]);
        }
    };
}

void max_unpool(const Call &call) {
    const Array &x = call.ins.at(0), &indices = call.ins.at(1), &y = call.outs.at(0);
    call.expect_counts(2, 1, y.rank());
    call.expect_floats({&x, &y});
    call.expect(indices.is(Type::i64) && indices.form->is_dense() && indices.form->shape == x.form->shape,
                "the indices are dense i64, one of each element");
    // The sizes of what was pooled, by which indices count, and how far neighbours along its axes are apart in the result.
    std::vector<int64_t> whole(y.rank()), steps(y.rank(), 1);
    int64_t elements = 1;
    for (size_t axis = y.rank(); axis-- > 0; elements *= whole[axis]) {
        whole[axis] = call.integer(axis);
        call.expect(whole[axis] >= 0 && whole[axis] <= y.size(axis), "the result has other sizes");
        steps[axis] = axis + 1 < y.rank() ? steps[axis + 1] * y.size(axis + 1) : 1;
    }
    const auto *const numbers = indices.elements_of<const int64_t>();
    const auto [low, high] = std::minmax_element(numbers, numbers + x.elements());
    if (x.elements() > 0 && (*low < 0 || *high >= elements))
        throw IndicesError(call.op + ": index " + std::to_string(*low < 0 ? *low : *high) + " is outside of " +
                           std::to_string(elements) + " elements");
    auto *const to = y.elements_of<float>();
    std::fill_n(to, y.elements(), 0.0f);
    const bool is_whole = whole == y.form->shape;
    for (int64_t k = 0; k < x.elements(); ++k) {
        int64_t rest = numbers[k], place = is_whole ? rest : 0;
        for (size_t axis = y.rank(); !is_whole && axis-- > 0; rest /= whole[axis])
            place += rest % whole[axis] * steps[axis];
        to[place] = x.elements_of<const float>()[k];
    }
}

} // namespace lastuse::kernels
